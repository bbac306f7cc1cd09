// The choice of puzzles. Pure.

/** @import { Ruleset } from '../protocol.js' */
/** @import { Entry } from './collection.js' */

/**
 * The puzzle to go on with: the next one in the list that is not solved, or just the next one if all are.
 *
 * @param {readonly Entry[]} entries
 * @param {string} current the id of the puzzle that is shown
 * @param {ReadonlySet<string>} solved
 * @returns {Entry | null}
 */
export function nextAfter(entries, current, solved) {
  const at = entries.findIndex(({ puzzle }) => puzzle.id === current);
  const others = [...entries.slice(at + 1), ...entries.slice(0, Math.max(0, at))];
  return others.find(({ puzzle }) => !solved.has(puzzle.id)) ?? others[0] ?? null;
}

/**
 * The puzzles of a game and a grade.
 *
 * @param {readonly Entry[]} entries
 * @param {{ ruleset: Ruleset | '', grade: number }} wanted an empty text and 0 for all
 */
export const chosen = (entries, wanted) =>
  entries.filter(
    ({ ruleset, puzzle }) =>
      (wanted.ruleset === '' || ruleset === wanted.ruleset) &&
      (wanted.grade === 0 || puzzle.grade === wanted.grade),
  );
