// Parts of the page of a game that are loaded once it has been drawn. They share no module with the page, which hands
// them what they need.

export { shadowOfPage } from '../engine/shadow.js';
export { compareWithServer } from '../ui/newer.js';
export { openPreparing } from './preparing.js';

/** Has `?` show the keys in the list of turns too, as it does on the board.
 * @param {() => void} show
 */
export function followHelpKey(show) {
  document.addEventListener('keydown', (event) => {
    const isInTurns = event.target instanceof Element && event.target.closest('#turns') !== null;
    if (event.key !== '?' || !isInTurns || document.documentElement.dataset.keys === 'off') return;
    event.preventDefault();
    show();
  });
}
