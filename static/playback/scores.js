// The scores of a review, as its page shows them. Pure.

/** @import { Review, Side } from '../protocol.js' */

/** Number of positions that a review visits to value a turn, on the server and on this device. */
export const REVIEW_NODES = 100_000;
/** Least difference of the chances to win by which another turn is clearly better, on the server and on this device. */
export const CLEARLY = 0.08;

/** Points lost from which a turn is a turning point. */
const SWING = 15;
/** Maximum number of turning points that are listed. */
const SWINGS = 8;

/**
 * Points out of a hundred that a side lost by a turn; 0 if the search found no better one.
 *
 * @param {Review['turns'][number]} turn
 */
export const pointsLost = ({ score, better }) =>
  better === null ? 0 : Math.round(100 * Math.abs(better.score - score));

/**
 * The turns that lost the most, in their order, each by its index.
 *
 * @param {Review} review
 * @returns {{ index: number, points: number }[]}
 */
export const swingsOf = ({ turns }) =>
  turns
    .map((turn, index) => ({ index, points: pointsLost(turn) }))
    .filter(({ points }) => points >= SWING)
    .sort((one, other) => other.points - one.points)
    .slice(0, SWINGS)
    .sort((one, other) => one.index - other.index);

/** A side's chance to win, by that of the first side.
 * @param {number} score
 * @param {Side} side
 */
export const chanceOf = (score, side) => (side === 'first' ? score : 1 - score);

/**
 * The index of the turn to which a key of a slider leads; -1 is the start position. Null if the key leads nowhere.
 *
 * @param {string} key
 * @param {number} index
 * @param {number} n number of turns
 */
export function turnByKey(key, index, n) {
  /** @type {Record<string, number>} */
  const goals = {
    ArrowLeft: index - 1,
    ArrowDown: index - 1,
    ArrowRight: index + 1,
    ArrowUp: index + 1,
    PageDown: index - 10,
    PageUp: index + 10,
    Home: -1,
    End: n - 1,
  };
  return Object.hasOwn(goals, key) ? Math.min(n - 1, Math.max(-1, goals[key])) : null;
}
