// Loads the parts of a page: the essential ones however bad the line is, of which `ui/theme.js` shows the missing, and
// others once the page has been drawn.

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 15_000;

/** Loads a part of the page, again and again until it is there.
 *
 * @template Loaded
 * @param {string} part its name, by which it is reported missing
 * @param {(failures: number) => Promise<Loaded>} load
 * @returns {Promise<Loaded>}
 */
export async function insist(part, load) {
  for (
    let failures = 0, waitMs = FIRST_WAIT_MS;
    ;
    failures++, waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS)
  ) {
    try {
      const loaded = await load(failures);
      dispatchEvent(new CustomEvent('partloaded', { detail: part }));
      return loaded;
    } catch {
      dispatchEvent(new CustomEvent('partmissing', { detail: part }));
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }
}

/** Loads a module that is no part of the page's script. Browsers remember that a module failed to load, so each attempt
 * uses another address.
 *
 * @param {string} part its name
 * @param {string} address
 */
export const loadPart = (part, address) =>
  insist(part, (failures) => import(failures === 0 ? address : `${address}?again=${failures}`));

/** Waits until the page has loaded and been drawn. */
export async function drawn() {
  if (document.readyState !== 'complete')
    await new Promise((resolve) => window.addEventListener('load', resolve, { once: true }));
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
}
