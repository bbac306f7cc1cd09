// The puzzles that were solved on this device, and the streak of those of the day.

import { recall, remember } from '../ui/page.js';
import { solvedOn } from './streak.js';

/** @import { Streak } from './streak.js' */

/** Maximum number of solved puzzles that are remembered, more than there are. */
const MOST = 2000;
const KEY = 'solved puzzles';
const STREAK_KEY = 'puzzle streak';

/** The ids of the puzzles that were solved on this device.
 * @returns {Set<string>}
 */
export function solvedHere() {
  return new Set((recall(KEY) ?? '').split(' ').filter((id) => /^[0-9a-f]{8}$/.test(id)));
}

/** @param {string} id */
export function rememberSolved(id) {
  const ids = solvedHere();
  ids.delete(id);
  remember(KEY, [...ids, id].slice(-MOST).join(' '));
}

/** The streak of this device.
 * @returns {Streak}
 */
export function streakHere() {
  const numbers = (recall(STREAK_KEY) ?? '').split(' ').map(Number);
  const [last, days, best] =
    numbers.length === 3 && numbers.every(Number.isSafeInteger) ? numbers : [0, 0, 0];
  return { last, days, best };
}

/** Remembers that the puzzle of a day was solved.
 * @param {number} day
 */
export function rememberDay(day) {
  const { last, days, best } = solvedOn(streakHere(), day);
  remember(STREAK_KEY, `${last} ${days} ${best}`);
}
