// The games that wait for the visitor's turn, most urgent first, and the number of notices that the visitor has not seen, as
// the browser keeps them for the next page and for its other tabs. `header/count-turns.js` asks for them.

import { recall, remember } from './storage.js';

/** @import { GameSummary } from '../protocol.js' */

/**
 * @typedef {object} Kept
 * @property {number} askedMs when the server was asked, by the device's clock
 * @property {number} playedMs when the visitor last made a turn that was waited for
 * @property {GameSummary[]} games
 * @property {number} theirs number of the other games under way, which wait for the opponents
 * @property {number} unseen number of notices in the inbox
 */

const KEY = 'turns';

/** Whose games they are: the id of an account, or nothing for a guest. */
const owner = () => recall('account') ?? '';

/** The list that the browser keeps; empty if it is another player's.
 * @returns {Kept} */
export function keptTurns() {
  try {
    const { askedMs, playedMs = 0, of, games, theirs = 0, unseen = 0 } = JSON.parse(recall(KEY) ?? '');
    // A clock that was set back would keep the page from asking.
    const past = (/** @type {number} */ ms) => (ms > Date.now() ? 0 : ms);
    if (of === owner()) return { askedMs: past(askedMs), playedMs: past(playedMs), games, theirs, unseen };
  } catch {
    // Nothing is kept, or it was written by hand.
  }
  return { askedMs: 0, playedMs: 0, games: [], theirs: 0, unseen: 0 };
}

/** Keeps the list, and tells all parts of the page and other tabs of it.
 * @param {Kept} kept
 */
function keep(kept) {
  remember(KEY, JSON.stringify({ ...kept, of: owner() }));
  dispatchEvent(new CustomEvent('turns', { detail: kept.games }));
}

/** Keeps the list that the server gave, unless a turn was made since it was asked: the list may not know of it.
 * @param {number} askedMs
 * @param {GameSummary[]} games
 * @param {number} theirs
 */
export function keepTurns(askedMs, games, theirs) {
  const kept = keptTurns();
  if (kept.playedMs < askedMs) keep({ ...kept, askedMs, games, theirs });
}

/** Keeps the number of notices that the visitor has not seen.
 * @param {number} unseen
 */
export function keepUnseen(unseen) {
  const kept = keptTurns();
  if (kept.unseen !== unseen) keep({ ...kept, unseen });
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
  const kept = keptTurns();
  const games = kept.games.filter((game) => game.id !== id);
  keep({ ...kept, playedMs: Date.now(), games, theirs: kept.theirs + kept.games.length - games.length });
}

/** Has the list asked for again, by whichever part of the page asks. */
export const turnsChanged = () => dispatchEvent(new Event('turnschanged'));
