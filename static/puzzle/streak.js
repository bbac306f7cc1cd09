// The days in a row on which the puzzle of the day was solved. Pure.

const MS_A_DAY = 24 * 60 * 60 * 1000;

/**
 * @typedef {object} Streak
 * @property {number} last the last day with a solved puzzle, counted from 1970
 * @property {number} days the days in a row up to that one
 * @property {number} best the longest such row
 */

/** The day, which changes everywhere at once, as the puzzle of the day does.
 * @param {number} nowMs
 */
export const dayOf = (nowMs) => Math.floor(nowMs / MS_A_DAY);

/** The streak after the puzzle of a day was solved.
 * @param {Streak} streak
 * @param {number} day
 * @returns {Streak}
 */
export function solvedOn({ last, days, best }, day) {
  if (day <= last) return { last, days, best };
  const now = day === last + 1 ? days + 1 : 1;
  return { last: day, days: now, best: Math.max(best, now) };
}

/** The days in a row as they count on a day: a day without a solved puzzle ends them.
 * @param {Streak} streak
 * @param {number} day
 */
export const daysOn = ({ last, days }, day) => (day <= last + 1 ? days : 0);
