// The pools of quick pairing: the choice of clocks, the equality of pools, and the recovery after a lost connection.
// Pure.

/** @import { ClockRule, GameSummary, Pool, Ruleset } from '../protocol.js' */

/** @param {number} minutes
 * @param {number} bonus seconds after each turn
 * @returns {ClockRule} */
const realTime = (minutes, bonus) => ({
  kind: 'real_time',
  base_s: minutes * 60,
  bonus_s: bonus,
  bonus: 'per_turn',
});

/** @param {number} days
 * @returns {ClockRule} */
const correspondence = (days) => ({ kind: 'correspondence', days });

/** @type {ClockRule[]} */
const SLOW = [correspondence(1), correspondence(3), { kind: 'none' }];
/** For turns of one action, which are as many as in chess. */
const OF_ONE_ACTION = [realTime(3, 2), realTime(5, 5), realTime(15, 10), ...SLOW];
/** Fibonacci's turns grow to six moves and are few, so most of the time is in the bonus of each turn. */
const OF_SEVERAL = [realTime(5, 15), realTime(10, 30), realTime(20, 60), ...SLOW];

/** The clocks to choose from for a ruleset, fastest first.
 * @param {Ruleset} ruleset
 * @returns {ClockRule[]}
 */
export const clocksOf = (ruleset) => (ruleset.startsWith('fibonacci') ? OF_SEVERAL : OF_ONE_ACTION);

/** Tells a clock from all others.
 * @param {ClockRule} clock
 */
function keyOf(clock) {
  if (clock.kind === 'none') return 'none';
  if (clock.kind === 'correspondence') return `${clock.days} d`;
  return `${clock.base_s}+${clock.bonus_s} ${clock.bonus}`;
}

/** @param {Pool} one
 * @param {Pool} other */
export const isSamePool = (one, other) =>
  one.ruleset === other.ruleset && keyOf(one.clock) === keyOf(other.clock);

/**
 * The pools to join again after a lost connection: one may have found an opponent meanwhile, else
 * all are to be sought again.
 *
 * @param {Pool[]} lost
 * @param {Set<string>} known the games that were known before
 * @param {GameSummary[]} mine the games as they are now
 * @returns {{ paired: string } | { seek: Pool[] }}
 */
export function afterReturn(lost, known, mine) {
  const found = mine.find(
    (game) => game.status === 'playing' && !known.has(game.id) && lost.some((pool) => isSamePool(pool, game)),
  );
  return found === undefined ? { seek: lost } : { paired: found.id };
}
