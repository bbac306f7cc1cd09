// Games with anyone: the choice of clocks, the equality of pools and seeks, and the recovery of a search. Players who want a
// live game wait in a pool; a slow one is a seek, which stays when they go. Pure.

import { isSlow } from '../session/clock.js';
import { hasBot } from './lists.js';

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

/** @type {ClockRule[]} */
const SLOW = [
  { kind: 'bank', base_days: 10, bonus_hours: 36 },
  { kind: 'correspondence', days: 3 },
  { kind: 'none' },
];
/** For turns of one action, which are as many as in chess. */
const OF_ONE_ACTION = [realTime(3, 2), realTime(5, 5), realTime(15, 10), ...SLOW];
/** Fibonacci's turns grow to six moves and are few, so most of the time is in the bonus of each turn. */
const OF_SEVERAL = [realTime(5, 15), realTime(10, 30), realTime(20, 60), ...SLOW];

/** The clocks to choose from for a ruleset: real time, fastest first, then those of days, the forgiving one first.
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
  if (clock.kind === 'bank') return `${clock.base_days} d + ${clock.bonus_hours} h`;
  return `${clock.base_s}+${clock.bonus_s} ${clock.bonus}`;
}

/** Whether two pools, or seeks, are for the same games.
 * @param {Pool} one
 * @param {Pool} other */
export const isSamePool = (one, other) =>
  one.ruleset === other.ruleset && keyOf(one.clock) === keyOf(other.clock);

/** @param {Pool} pool */
export const isRealTime = ({ clock }) => !isSlow(clock);

/** A search is not resumed after a longer absence: the player may be elsewhere by then. */
const OUTLASTS_MS = 60_000;
/** How late the page may know of a search that has begun. */
const LATE_MS = 5_000;

/**
 * A search as the browser keeps it, in the server's time.
 * @typedef {object} KeptSearch
 * @property {Pool[]} pools
 * @property {number} sinceMs when its latest pool was joined
 * @property {number} heardMs when it was last known to go on
 */

/**
 * The pools to join again after an absence. If one has found an opponent meanwhile, the search is over. Nobody plays two live
 * games at once.
 *
 * @param {KeptSearch} search
 * @param {GameSummary[]} mine the player's games as they are now
 * @param {number} nowMs
 * @returns {{ paired: string } | { seek: Pool[] }}
 */
export function afterReturn({ pools, sinceMs, heardMs }, mine, nowMs) {
  const playing = mine.filter(({ status, seats }) => status === 'playing' && !hasBot(seats));
  const found = playing.find(
    (game) =>
      game.visibility === 'public' &&
      game.created_ms >= sinceMs - LATE_MS &&
      pools.some((pool) => isSamePool(pool, game)),
  );
  if (found !== undefined) return { paired: found.id };
  const isFree = nowMs - heardMs < OUTLASTS_MS && !playing.some(isRealTime);
  return { seek: isFree ? pools : [] };
}
