// Small texts that the browser keeps for this site. Where it keeps none, they hold as long as the page does.

/** Values that the browser did not keep.
 * @type {Map<string, string>} */
const unkept = new Map();

/** @param {string} key
 * @returns {string | null} */
export function recall(key) {
  try {
    return unkept.get(key) ?? localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** @param {string} key
 * @param {string} value
 */
export function remember(key, value) {
  unkept.delete(key);
  try {
    localStorage.setItem(key, value);
    if (localStorage.getItem(key) === value) return;
  } catch {
    // Storage is switched off, or full.
  }
  unkept.set(key, value);
}

/** A text that was kept for as long as the tab is open; empty if there is none.
 * @param {string} key
 */
export function recallHere(key) {
  try {
    return sessionStorage.getItem(key) ?? '';
  } catch {
    return '';
  }
}

/** Keeps a text for as long as the tab is open.
 * @param {string} key
 * @param {string} value
 */
export function rememberHere(key, value) {
  try {
    sessionStorage.setItem(key, value);
  } catch {
    // Storage is switched off.
  }
}
