// The games that wait for the visitor's turn, most urgent first, as the browser keeps them for the next page and for its
// other tabs. `header/count-turns.js` asks for them.

import { recall, remember } from './storage.js';

/** @import { GameSummary } from '../protocol.js' */

/**
 * @typedef {object} Kept
 * @property {number} askedMs when the server was asked, by the device's clock
 * @property {GameSummary[]} games
 */

const KEY = 'turns';

/** Whose games they are: the id of an account, or nothing for a guest. */
const owner = () => recall('account') ?? '';

/** The list that the browser keeps; empty if it is another player's.
 * @returns {Kept} */
export function keptTurns() {
  try {
    const { askedMs, of, games } = JSON.parse(recall(KEY) ?? '');
    // A clock that was set back would keep the page from asking.
    if (of === owner()) return { askedMs: askedMs > Date.now() ? 0 : askedMs, games };
  } catch {
    // Nothing is kept, or it was written by hand.
  }
  return { askedMs: 0, games: [] };
}

/** Keeps the list, and tells all parts of the page and other tabs of it.
 * @param {number} askedMs
 * @param {GameSummary[]} games
 */
export function keepTurns(askedMs, games) {
  remember(KEY, JSON.stringify({ askedMs, of: owner(), games }));
  dispatchEvent(new CustomEvent('turns', { detail: games }));
}

/** Calls back with the list as it is kept, and at each change.
 * @param {(games: GameSummary[]) => void} follow
 */
export function followTurns(follow) {
  const look = () => follow(keptTurns().games);
  // Parts of the page have this module for themselves, and the browser may keep nothing.
  addEventListener('turns', (event) => follow(/** @type {CustomEvent<GameSummary[]>} */ (event).detail));
  addEventListener('storage', ({ key }) => key === KEY && look());
  look();
}

/** Takes a game out of the list: its reader has just made the turn that it waited for.
 * @param {string} id
 */
export function forgetTurn(id) {
  const { askedMs, games } = keptTurns();
  if (games.some((game) => game.id === id)) {
    keepTurns(
      askedMs,
      games.filter((game) => game.id !== id),
    );
  }
}

/** Has the list asked for again, by whichever part of the page asks. */
export const turnsChanged = () => dispatchEvent(new Event('turnschanged'));
