// How fast a replay goes by itself: as the game was played, or evenly. Pure.

/** @import { Moment } from './moments.js' */

/** @typedef {'original' | 'slow' | 'even' | 'fast'} Pace */

/** @type {readonly Pace[]} */
export const PACES = ['original', 'slow', 'even', 'fast'];

/** Milliseconds for each action. */
const EVEN_MS = { slow: 2_500, even: 1_100, fast: 500 };

/** The longest thought that is waited for. */
export const LONGEST_MS = 15_000;
/** As long as an action is shown at least, so that it can be followed. */
const SHORTEST_MS = 400;

/** Whether a thought is longer than it is waited for.
 * @param {number} tookMs
 */
export const isCut = (tookMs) => tookMs > LONGEST_MS;

/**
 * How long a moment is waited for after the one before. What a turn took is divided among its actions: when each was
 * made nobody has noted.
 *
 * @param {Pace} pace
 * @param {Moment} next
 * @returns {number} milliseconds
 */
export function waitMs(pace, { tookMs, actions }) {
  if (pace !== 'original') return EVEN_MS[pace];
  return Math.max(SHORTEST_MS, Math.min(LONGEST_MS, tookMs) / actions);
}
