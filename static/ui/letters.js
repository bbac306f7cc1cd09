// Keys that write something, as commands of a whole page.

/** Calls back with each such key, wherever the focus is but in a field or a dialog, unless they are switched off.
 * @param {(event: KeyboardEvent) => void} act
 */
export const followLetters = (act) =>
  document.addEventListener('keydown', (event) => {
    const { key, target, ctrlKey, metaKey, altKey, defaultPrevented } = event;
    const isLetter = key.length === 1 && key !== ' ' && !(ctrlKey || metaKey || altKey);
    const isField = target instanceof Element && target.closest('input, select, textarea') !== null;
    if (!isLetter || isField || defaultPrevented || document.querySelector('dialog[open]') !== null) return;
    if (document.documentElement.dataset.keys !== 'off') act(event);
  });
