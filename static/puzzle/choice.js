// The choice of puzzles. Pure.

/** @import { PuzzleRow, Ruleset } from '../protocol.js' */

/**
 * The puzzle to go on with: the next one in the list that is not solved, or just the next one if all are.
 *
 * @param {readonly PuzzleRow[]} rows
 * @param {string} current the id of the puzzle that is shown
 * @param {ReadonlySet<string>} solved
 * @returns {PuzzleRow | null}
 */
export function nextAfter(rows, current, solved) {
  const at = rows.findIndex(({ id }) => id === current);
  const others = [...rows.slice(at + 1), ...rows.slice(0, Math.max(0, at))];
  return others.find(({ id }) => !solved.has(id)) ?? others[0] ?? null;
}

/**
 * The puzzles of a game and a grade.
 *
 * @param {readonly PuzzleRow[]} rows
 * @param {{ ruleset: Ruleset | '', grade: number }} wanted an empty text and 0 for all
 */
export const chosen = (rows, { ruleset, grade }) =>
  rows.filter((row) => (ruleset === '' || row.ruleset === ruleset) && (grade === 0 || row.grade === grade));
