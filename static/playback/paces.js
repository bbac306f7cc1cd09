// Speed of an automatic replay: as the game was played, or even. Pure.

/** @import { Moment } from '../session/moments.js' */

/** @typedef {'original' | 'slow' | 'even' | 'fast'} Pace */

/** @type {readonly Pace[]} */
export const PACES = ['original', 'slow', 'even', 'fast'];

/** Milliseconds for each action. */
const EVEN_MS = { slow: 2_500, even: 1_100, fast: 500 };

/** Milliseconds for each letter of a text that is read. */
const LETTER_MS = { slow: 80, even: 55, fast: 35 };

/** The longest thinking time shown, in milliseconds. */
export const LONGEST_MS = 15_000;
/** The shortest time that an action is shown, so that it can be followed. */
const SHORTEST_MS = 400;

/** True if a thought is shown shorter than it was.
 * @param {number} tookMs
 */
export const isCut = (tookMs) => tookMs > LONGEST_MS;

/**
 * Time from the previous moment to this one. The time of a turn is divided evenly among its actions, since the log does
 * not record the time of each.
 *
 * @param {Pace} pace
 * @param {Moment} next
 * @returns {number} milliseconds
 */
export function waitMs(pace, { tookMs, actions }) {
  if (pace !== 'original') return EVEN_MS[pace];
  return Math.max(SHORTEST_MS, Math.min(LONGEST_MS, tookMs) / actions);
}

/** Time to read a text.
 * @param {Pace} pace
 * @param {string} text
 * @returns {number} milliseconds
 */
export const readingMs = (pace, text) => text.length * LETTER_MS[pace === 'original' ? 'even' : pace];
