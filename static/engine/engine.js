// The engine in WebAssembly: matches with their drafts and legal actions, computed in the page. The server stays the
// authority over games.

/** @import { Outcome, Ruleset, Step, Trial, Turn } from '../protocol.js' */

/**
 * State of a match.
 * @typedef {object} MatchState
 * @property {number} id
 * @property {Turn} turn
 * @property {Step[]} steps those of the last turn
 * @property {Outcome | null} outcome null while the game is not over
 * @property {number} n_turns turns played since the match was opened
 */

/** Beginning of a turn, and the actions that may follow it.
 * @typedef {Omit<Trial, 'position'>} Choices */

/**
 * Reason for which a call had no effect.
 * @typedef {{ code: 'illegal' | 'incomplete', index: number, rule: string }
 *   | { code: 'too_many', limit: number }
 *   | { code: 'invalid_position', at: number, rule: string }
 *   | { code: 'invalid_card' | 'unknown_turn' | 'unknown_ruleset' | 'unknown_match' }} Refusal
 */

/** The functions of `engine/wasm/src/boundary.rs`.
 * @typedef {{ memory: WebAssembly.Memory, reserve: (bytes: number) => number, buffer: () => number }
 *   & Record<string, (...numbers: number[]) => number>} Exports */

/** Error of a call that had no effect. */
export class Refused extends Error {
  /** @param {Refusal} refusal */
  constructor(refusal) {
    super(refusal.code);
    this.refusal = refusal;
    /** The number of the refused turn, among several.
     * @type {number | null} */
    this.turn = null;
  }
}

/** Loads the engine that the page names, which is compiled while it arrives. */
export async function engineOfPage() {
  const file = fetch(document.body.dataset.engine ?? '', { priority: 'low' });
  const { instance } = await WebAssembly.instantiateStreaming(file);
  return createEngine(instance);
}

/** @typedef {ReturnType<typeof createEngine>} Engine */

/** @param {WebAssembly.Instance} instance */
export function createEngine(instance) {
  const exports = /** @type {Exports} */ (/** @type {unknown} */ (instance.exports));
  const [encoder, decoder] = [new TextEncoder(), new TextDecoder()];

  /**
   * The bytes of an answer, until the next call.
   * @param {string} name
   * @param {number[]} numbers
   * @param {string} [text]
   */
  function answerOf(name, numbers, text = '') {
    const bytes = encoder.encode(text);
    const address = exports.reserve(bytes.length);
    new Uint8Array(exports.memory.buffer, address, bytes.length).set(bytes);
    const length = exports[name](...numbers);
    return new Uint8Array(exports.memory.buffer, exports.buffer(), length);
  }

  /**
   * @param {string} name
   * @param {number[]} numbers
   * @param {string} [text]
   */
  function call(name, numbers, text) {
    const answer = JSON.parse(decoder.decode(answerOf(name, numbers, text)));
    if (answer.refused) throw new Refused(answer.refused);
    return answer;
  }

  return {
    answerOf,

    /** Version of the rules. */
    rules: exports.rules(),

    /** Begins a match at the text of a position, or at the start of the ruleset.
     * @param {Ruleset} ruleset
     * @param {string} [start]
     * @returns {MatchState}
     */
    open: (ruleset, start = '') => call('open', [], `${ruleset} ${start}`.trimEnd()),

    /** Copies a match, for a line of play beside it.
     * @param {number} id
     * @returns {MatchState}
     */
    copy: (id) => call('copy', [id]),

    /** Begins a match where the side to move of another one passes, which no rule allows: the next turn can be drawn up
     * on it in advance.
     * @param {number} id
     * @returns {MatchState}
     */
    passed: (id) => call('passed', [id]),

    /** Forgets a match.
     * @param {number} id
     */
    close(id) {
      exports.close(id);
    },

    /** @param {number} id
     * @returns {MatchState}
     */
    show: (id) => call('show', [id]),

    /** The actions that may follow the beginning of a turn.
     * @param {number} id
     * @param {string[]} actions
     * @returns {Choices}
     */
    choices: (id, actions) => call('choices', [id], actions.join(' ')),

    /** Plays a whole turn.
     * @param {number} id
     * @param {string[]} actions
     * @returns {MatchState}
     */
    play: (id, actions) => call('play', [id], actions.join(' ')),

    /** Turns over the card that a match waits for.
     * @param {number} id
     * @param {number} card
     * @returns {MatchState}
     */
    turnOver: (id, card) => call('turn_over', [id, card]),

    /** Takes back all turns after the first `turns`.
     * @param {number} id
     * @param {number} turns
     * @returns {MatchState}
     */
    rewind: (id, turns) => call('rewind', [id, turns]),
  };
}
