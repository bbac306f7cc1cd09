// A match of the page's own engine and the turn that is being drawn up on it, without any server.

import { Refused } from './engine.js';
import { actionsOf, turnDraftOf, earlyEnd, withOptions } from './turn-draft.js';

/** @import { Outcome, Ruleset } from '../protocol.js' */
/** @import { Engine, MatchState } from './engine.js' */
/** @import { TurnDraft } from './turn-draft.js' */

/**
 * Begins a match at the text of a position, or at the start of the ruleset. A text that is no valid position is
 * `Refused`, and so is an illegal action; both have no effect.
 *
 * @param {Engine} engine
 * @param {Ruleset} ruleset
 * @param {string} [start]
 */
export const openDraft = (engine, ruleset, start) => openDraftOn(engine, engine.open(ruleset, start));

/**
 * @param {Engine} engine
 * @param {MatchState} match which the draft closes
 */
export function openDraftOn(engine, match) {
  let { id } = match;
  /** @type {Outcome | null} */
  let outcome = match.outcome;
  let turnDraft = drawn([]);

  /** The turn after some actions, with the legal continuations.
   * @param {string[]} actions
   * @returns {TurnDraft}
   */
  function drawn(actions) {
    const fresh = turnDraftOf(match.turn, null);
    if (match.outcome !== null) return { ...fresh, legal: [] };
    try {
      const choices = engine.choices(id, actions);
      ({ outcome } = choices);
      return withOptions(fresh, choices);
    } catch (error) {
      const isUnlisted =
        error instanceof Refused && error.refusal.code === 'too_many' && actions.length === 0;
      if (!isUnlisted) throw error;
      return { ...fresh, unlisted: true };
    }
  }

  /** Begins the turn that the match has come to.
   * @param {typeof match} next
   */
  function begin(next) {
    match = next;
    ({ outcome } = next);
    turnDraft = drawn([]);
  }

  const isPlayable = () =>
    match.outcome === null && (turnDraft.complete || earlyEnd(turnDraft) !== undefined);

  /** @param {number} count the steps that stay */
  function takeBackTo(count) {
    turnDraft = drawn(actionsOf(turnDraft).slice(0, Math.max(0, count)));
  }

  return {
    /** The turn being drawn up, as a board shows it. */
    get turnDraft() {
      return turnDraft;
    },
    /** The match without that turn. */
    get match() {
      return match;
    },
    /** The outcome after the steps of the draft; null while the game is not over. */
    get outcome() {
      return outcome;
    },
    /** Whether the turn can be played now: it is complete, or may end early. */
    get isPlayable() {
      return isPlayable();
    },

    /** Adds an action to the turn.
     * @param {string} action
     */
    take(action) {
      turnDraft = drawn([...actionsOf(turnDraft), action]);
    },

    takeBackTo,

    /** Takes back the last step. */
    undo: () => takeBackTo(turnDraft.steps.length - 1),

    /** Takes back all steps. */
    restart: () => takeBackTo(0),

    /** Plays the turn being drawn up, which is ended early if moves are left.
     * @returns {boolean} false without effect if the turn is neither complete nor may end
     */
    play() {
      if (!isPlayable()) return false;
      const end = earlyEnd(turnDraft);
      begin(engine.play(id, [...actionsOf(turnDraft), ...(end === undefined ? [] : [end.text])]));
      return true;
    },

    /** Plays a whole turn in place of the one being drawn up, as that of the other side.
     * @param {string[]} actions
     */
    playWhole: (actions) => begin(engine.play(id, actions)),

    /** Turns over the card that the match waits for.
     * @param {number} card
     */
    turnOver: (card) => begin(engine.turnOver(id, card)),

    /** Takes back all turns after the first `turns`.
     * @param {number} turns
     */
    rewind: (turns) => begin(engine.rewind(id, turns)),

    /** Goes on with another match, and forgets the one before it.
     * @param {MatchState} next
     */
    exchange(next) {
      engine.close(id);
      ({ id } = next);
      begin(next);
    },

    /** Forgets the match; the draft can be used no more. */
    close: () => engine.close(id),
  };
}
