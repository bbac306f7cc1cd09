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
