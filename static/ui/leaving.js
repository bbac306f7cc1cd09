// Leaving a page for another one. What led away counts as under way until then, so that a second press has no effect.

/** Maximum time that a press waits for the next page: a visitor who stops the navigation causes no event. */
const LEAVES_WITHIN_MS = 30_000;

/** Waits until the page is left. If it comes back from the browser's cache, it can be used again.
 * @param {() => void} go
 */
function leaving(go) {
  go();
  return new Promise((resolve) => {
    addEventListener('pagehide', resolve, { once: true });
    setTimeout(resolve, LEAVES_WITHIN_MS);
  });
}

/** @param {string} address */
export const leaveFor = (address) => leaving(() => location.assign(address));

export const reload = () => leaving(() => location.reload());

/** Whether a press on a link opens it elsewhere, as another tab: the browser's own concern.
 * @param {MouseEvent} event
 */
export const opensElsewhere = ({ button, ctrlKey, metaKey, shiftKey, altKey }) =>
  button !== 0 || ctrlKey || metaKey || shiftKey || altKey;
