// The search in WebAssembly: the best turn of a game, found as the bots of the server find it but for their book, and
// judgements of attempts at puzzles. A search takes up to seconds, so it is used in a worker (`worker.js`).

/** @import { Ruleset } from '../protocol.js' */
/** @import { PuzzleSource } from '../puzzle/collection.js' */

/**
 * A search that is asked for.
 * @typedef {object} Question
 * @property {Ruleset} ruleset
 * @property {string | null} start the start of the game, as its `created` event tells it; null for that of the ruleset
 * @property {{ card: number | null, actions: string[] }[]} turns
 * @property {number | null} card the card of the turn to be found; the search knows none that is not turned over
 * @property {number} level 1 to 8
 * @property {number} seed of choices among equals and of the errors of lower levels
 * @property {number} lines number of lines of the answer
 * @property {number | null} nodes number of positions to visit, in place of the time of the level
 */

/**
 * The result of a search. Scores are chances to win of the side to move, 0 to 1.
 * @typedef {object} Found
 * @property {string[]} turn the actions of the best turn
 * @property {number} score
 * @property {{ turns: string[][], score: number }[]} lines the best turns, each with those expected after it
 * @property {number} nodes number of positions visited
 * @property {number} depth
 */

/**
 * An attempt at a puzzle.
 * @typedef {object} Attempt
 * @property {Ruleset} ruleset
 * @property {PuzzleSource} puzzle
 * @property {string[][]} turns the own turns
 */

/**
 * The judgement of an attempt. In a task of two turns, `reply` is the other side's answer to the first of them: it
 * refutes that turn, or is played before the second.
 * @typedef {{ verdict: 'solved' } | { verdict: 'failed', reply: string[] | null } | { verdict: 'continues', reply: string[] }} Judgement
 */

/** The questions to the search, with their answers.
 * @typedef {{ search: { question: Question, answer: Found }, judge: { question: Attempt, answer: Judgement } }} Calls */

/** The functions of `engine/search/wasm/src/boundary.rs`.
 * @typedef {{ memory: WebAssembly.Memory, reserve: (bytes: number) => number, buffer: () => number }
 *   & Record<keyof Calls, () => number>} Exports */

/** The functions that the search needs of its host. */
export const HOST = { host: { now: () => performance.now() } };

/** A question as the search reads it. A start whose first card is still to come is the usual one, which no text describes; any
 * other has the first card in its text.
 * @param {Question} question
 * @returns {Question}
 */
function readable(question) {
  const { start, turns } = question;
  if (start === null) return question;
  if (start.endsWith(' 0/0')) return { ...question, start: null };
  if (turns.length === 0) return { ...question, card: null };
  return { ...question, turns: turns.map((turn, index) => (index === 0 ? { ...turn, card: null } : turn)) };
}

/** @param {WebAssembly.Instance} instance */
export function createSearch(instance) {
  const exports = /** @type {Exports} */ (/** @type {unknown} */ (instance.exports));
  const [encoder, decoder] = [new TextEncoder(), new TextDecoder()];

  /**
   * Answers a question.
   * @template {keyof Calls} Name
   * @param {Name} name
   * @param {Calls[Name]['question']} question
   * @returns {Calls[Name]['answer']}
   */
  return function call(name, question) {
    const bytes = encoder.encode(JSON.stringify('start' in question ? readable(question) : question));
    const address = exports.reserve(bytes.length);
    new Uint8Array(exports.memory.buffer, address, bytes.length).set(bytes);
    const length = exports[name]();
    const answer = JSON.parse(
      decoder.decode(new Uint8Array(exports.memory.buffer, exports.buffer(), length)),
    );
    if (answer.refused) throw new Error(`the search refuses: ${JSON.stringify(answer.refused)}`);
    return answer;
  };
}
