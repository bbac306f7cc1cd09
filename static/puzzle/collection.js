// The puzzles, which are a file of the client: they open and are judged without a network. Pure but for its loading.

/** @import { Grade, PuzzleTask, Ruleset } from '../protocol.js' */

/**
 * A puzzle as the engine has it.
 * @typedef {object} PuzzleSource
 * @property {string} id
 * @property {string} position
 * @property {number} [gain]
 * @property {Grade} grade
 * @property {number} nodes
 * @property {string[][]} solution the turns of both sides
 */

/** @typedef {{ ruleset: Ruleset, task: PuzzleTask, puzzle: PuzzleSource }} Entry */

/** Step in the list from one puzzle of the day to the ruleset's next, as on the server. */
const STRIDE = 7919;

/** Loads the puzzles that the page names.
 * @returns {Promise<Entry[]>}
 */
export const puzzlesOfPage = async () => (await fetch(document.body.dataset.puzzles ?? '')).json();

/** The puzzle of a day, counted from 1970. Each day has the next of the rulesets that have puzzles.
 * @param {readonly Entry[]} entries
 * @param {number} day
 * @returns {Entry}
 */
export function entryOfDay(entries, day) {
  const rulesets = [...new Set(entries.map(({ ruleset }) => ruleset))];
  const ruleset = rulesets[day % rulesets.length];
  const list = entries.filter((entry) => entry.ruleset === ruleset);
  return list[(Math.floor(day / rulesets.length) * STRIDE) % list.length];
}
