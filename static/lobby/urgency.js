// How urgent the turns of games are. Pure.

/** @import { ClockRule, GameSummary } from '../protocol.js' */

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Below this time left, a turn is pressing whatever the clock. */
const PRESSING_BELOW_MS = 6 * HOUR_MS;

/** The values by which games are sorted.
 * @typedef {Pick<GameSummary, 'id' | 'deadline_ms' | 'updated_ms'>} Place */

/** Compares games as the server sorts them: by deadline, then by the time since which they wait.
 * @param {Place} a
 * @param {Place} b
 */
export function byUrgency(a, b) {
  const [endA, endB] = [a, b].map(({ deadline_ms }) => deadline_ms ?? Number.MAX_SAFE_INTEGER);
  return endA - endB || a.updated_ms - b.updated_ms || (a.id < b.id ? -1 : Number(a.id > b.id));
}

/** The days of a clock for a turn, or for all turns; none without such a clock.
 * @param {ClockRule} clock
 */
const daysOf = (clock) =>
  clock.kind === 'correspondence' ? clock.days : clock.kind === 'bank' ? clock.base_days : 0;

/** True if little is left for a turn: under six hours, or less than a tenth of the clock's days.
 * @param {Pick<GameSummary, 'clock'>} game
 * @param {number} leftMs
 */
export const isPressing = ({ clock }, leftMs) =>
  leftMs < Math.max(PRESSING_BELOW_MS, (daysOf(clock) * DAY_MS) / 10);
