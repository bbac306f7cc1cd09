// Runs before the first paint, so it is no module: a chosen theme must not flash in the other one, and what the browser
// remembers of the visitor must not move the page. It also guards the page: a script or stylesheet that does not load is
// reported in the page's own HTML, and loaded again. And it registers the service worker, unless another site shows the
// page in a frame.

{
  let theme = null;
  let tried = null;
  let listed = null;
  let name = null;
  let marked = null;
  try {
    theme = localStorage.getItem('preference theme');
    tried = localStorage.getItem('tried');
    listed = localStorage.getItem('listed');
    name = localStorage.getItem('name');
    marked = localStorage.getItem('marked');
  } catch {
    // Without storage the theme is the system's.
  }
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  // The lobby has the board to try, or has its room for something else.
  if (tried !== null) document.documentElement.dataset.tried = tried;
  // Its lists come before the games if there was something in them the last time.
  if (listed === 'yes') document.documentElement.dataset.listed = listed;
  // The header has the visitor's name from the start, so that it moves nothing.
  if (name) {
    const header = new MutationObserver(() => {
      const [place, mark] = /** @type {NodeListOf<HTMLElement>} */ (
        document.querySelectorAll('#top .visitor :is(bdi, small)')
      );
      if (mark === undefined) return;
      header.disconnect();
      place.textContent = name;
      mark.hidden = marked !== 'yes';
    });
    header.observe(document, { childList: true, subtree: true });
    addEventListener('DOMContentLoaded', () => header.disconnect());
  }
}

{
  const FIRST_WAIT_MS = 500;
  const LONGEST_WAIT_MS = 15_000;

  /** Parts of the page that are missing.
   * @type {Set<unknown>} */
  const missing = new Set();

  function showMissing() {
    const note = document.getElementById('unloaded');
    if (note !== null) note.hidden = missing.size === 0;
  }

  /** @param {unknown} part
   * @param {boolean} isMissing */
  function note(part, isMissing) {
    if (isMissing) missing.add(part);
    else missing.delete(part);
    showMissing();
  }

  /** @param {HTMLLinkElement} link
   * @param {number} waitMs */
  function loadStyleAgain(link, waitMs) {
    note('style', true);
    setTimeout(() => {
      const again = /** @type {HTMLLinkElement} */ (link.cloneNode());
      again.addEventListener('load', () => note('style', false));
      again.addEventListener('error', () => loadStyleAgain(again, Math.min(2 * waitMs, LONGEST_WAIT_MS)));
      link.replaceWith(again);
    }, waitMs);
  }

  /** Browsers remember that a module failed to load, so it is imported from another address. It is fetched first: a
   * module that loads and then fails must not run twice.
   * @param {string} address
   * @param {number} waitMs
   */
  function loadScriptAgain(address, waitMs) {
    note('script', true);
    setTimeout(async () => {
      const again = `${address}?again`;
      try {
        const answer = await fetch(again);
        await answer.blob();
        if (!answer.ok) throw new Error(`${answer.status}`);
      } catch {
        loadScriptAgain(address, Math.min(2 * waitMs, LONGEST_WAIT_MS));
        return;
      }
      await import(again);
      note('script', false);
    }, waitMs);
  }

  /** True once the script has begun the page. */
  const hasBegun = () => document.getElementById('top')?.dataset.begun !== undefined;

  // Failures of elements do not bubble.
  addEventListener(
    'error',
    ({ target }) => {
      if (target instanceof HTMLScriptElement) loadScriptAgain(target.src, FIRST_WAIT_MS);
      else if (target instanceof HTMLLinkElement && target.rel === 'stylesheet')
        loadStyleAgain(target, FIRST_WAIT_MS);
      else if (target === window && !hasBegun()) note('script', true);
    },
    { capture: true },
  );
  addEventListener('unhandledrejection', () => {
    if (!hasBegun()) note('script', true);
  });
  // Words and later parts are loaded by `ui/loading.js`.
  addEventListener('partmissing', (event) => note(/** @type {CustomEvent} */ (event).detail, true));
  addEventListener('partloaded', (event) => note(/** @type {CustomEvent} */ (event).detail, false));
  addEventListener('DOMContentLoaded', () => {
    showMissing();
    document.querySelector('#unloaded button')?.addEventListener('click', () => location.reload());
  });
}

{
  const address = '/service-worker.js';
  addEventListener('load', async () => {
    if (window !== top) return;
    // Trusted types are younger than the types of browsers at hand.
    const { trustedTypes } = /** @type {{ trustedTypes?: any }} */ (window);
    const policy = trustedTypes?.createPolicy('offline', { createScriptURL: () => address });
    try {
      await navigator.serviceWorker?.register(policy?.createScriptURL('') ?? address);
    } catch {
      // Without it, pages need a network.
    }
  });
}
