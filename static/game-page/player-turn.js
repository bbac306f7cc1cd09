// A session's turns from the server: the player's turn in a game, the questions about it, and its commands.

import { commandId } from '../connection/socket.js';
import {
  UNKNOWN_OPTIONS,
  actionsOf,
  turnDraftOf,
  earlyEnd,
  withOptions,
  withSteps,
} from '../engine/turn-draft.js';

/** @import { LegalAction, Step } from '../protocol.js' */
/** @import { Choices } from '../engine/engine.js' */
/** @import { Game } from '../session/game-model.js' */
/** @import { TurnDraft } from '../engine/turn-draft.js' */
/** @import { Answer, Command } from '../connection/socket.js' */

/** @typedef {Extract<Answer, { type: 'nack' }>} Nack */

/** @typedef {ReturnType<typeof openPlayerTurn>} PlayerTurn */

/**
 * Opens the player's turns in a game.
 *
 * @param {object} options
 * @param {string} options.id the game's
 * @param {(command: Command) => Promise<Answer | null>} options.command says a command; null if a later one took its place
 * @param {(game: Game, actions: string[]) => Choices | null} options.computed what the page's engine finds; null if only
 *   the server can tell
 * @param {(version: number) => void} options.follow requests the events since a version
 * @param {(nack: Nack) => void} options.refused
 * @param {(fresh: Step[]) => void} options.changed something is to be drawn anew, with steps that the board did not
 *   draw by itself
 */
export function openPlayerTurn({ id, command, computed, follow, refused, changed }) {
  /** @type {Game | null} */
  let game = null;
  /** @type {TurnDraft | null} */
  let turnDraft = null;
  /** The turn as the server last confirmed it.
   * @type {TurnDraft | null} */
  let confirmed = null;
  /** Questions are numbered so that only the answer to the latest counts. */
  let questionNo = 0;
  /** The question without an answer: `draft` if it stores a draft, `options` if it only asks for the legal
   * continuations.
   * @type {'draft' | 'options' | null} */
  let asked = null;
  /** True if a draft of another tab arrived while this one was on its way. */
  let contested = false;
  /** @type {'turn' | 'resign' | 'abort' | null} */
  let sending = null;

  /** Asks which actions may follow others. Only a `draft` stores them; `options` does not, since another tab
   * may have a newer draft than this page shows. The page's engine answers at once; without it, an
   * action waits for the server.
   * @param {'draft' | 'options'} type
   * @param {string[]} actions
   * @param {'drawn' | 'typed'} [how] the origin of the last one, if it is new
   */
  async function ask(type, actions, how) {
    if (game === null || turnDraft === null) return;
    const { version, since } = game;
    // The answer to an earlier question comes too late.
    questionNo += 1;
    const number = questionNo;
    const choices = computed(game, actions);
    if (choices === null) turnDraft = { ...turnDraft, ...UNKNOWN_OPTIONS };
    else {
      turnDraft = withOptions(turnDraft, choices);
      if (how === 'typed') changed(turnDraft.steps.slice(-1));
      if (type === 'options') {
        confirmed = turnDraft;
        asked = null;
        return;
      }
    }
    asked = type;
    const question = { type, command: commandId(), game: id, version, actions };
    const answer = await command(question);
    if (answer === null) return;
    if (number !== questionNo || turnDraft === null || game.since !== since) return changed([]);
    asked = null;
    /** @type {Step[]} */
    let fresh = [];
    if (answer.type === 'options') {
      if (how !== undefined && choices === null) fresh = answer.draft.steps.slice(-1);
      turnDraft = withOptions(turnDraft, answer);
      confirmed = turnDraft;
    } else if (answer.type === 'nack') {
      refused(answer);
      withdraw(answer, type, actions.length);
    }
    review();
    changed(fresh);
  }

  /** True if a question has no answer yet, neither by the server nor by the page's engine. */
  const isAsking = () => asked !== null && turnDraft !== null && turnDraft.legal === null;

  /** Keeps the steps that a refusal leaves valid.
   * @param {Nack} nack
   * @param {'draft' | 'options'} type
   * @param {number} n_actions the number of the refused actions
   */
  function withdraw({ code }, type, n_actions) {
    if (game === null || turnDraft === null) return;
    if (code === 'too_many') {
      turnDraft = { ...turnDraft, unlisted: true };
      confirmed = turnDraft;
      return;
    }
    const isIllegal = code === 'illegal';
    turnDraft = (type === 'options' && isIllegal ? null : confirmed) ?? turnDraftOf(game.present.turn, null);
    if (isIllegal && n_actions > 0 && turnDraft.legal === null && !turnDraft.unlisted)
      ask('options', actionsOf(turnDraft));
  }

  /** Takes over a draft that was made elsewhere, for example in another tab. */
  function adopt() {
    if (game === null || turnDraft === null) return;
    const theirs = (game.draft?.steps ?? []).map(({ action }) => action);
    if (theirs.join(' ') === actionsOf(turnDraft).join(' ')) return;
    if (asked === 'draft' || sending !== null) {
      contested = true;
      return;
    }
    turnDraft = turnDraftOf(game.present.turn, game.draft);
    confirmed = turnDraft;
    ask('options', actionsOf(turnDraft));
  }

  /** Of two drafts that crossed, only the server knows which came last: it is asked once this one is answered. */
  function review() {
    if (!contested || game === null || asked === 'draft' || sending !== null) return;
    contested = false;
    follow(game.version);
  }

  /** Sends a command that ends the turn or the game. After its ack, its events are on their way or have arrived; until
   * then nothing more may be sent.
   * @param {Extract<Command, { type: 'turn' | 'resign' | 'abort' }>} what
   */
  async function send(what) {
    if (sending !== null) return;
    sending = what.type;
    changed([]);
    const answer = await command(what);
    if (answer?.type === 'nack') refused(answer);
    if (answer?.type !== 'ack' || (game !== null && game.version >= answer.version)) sending = null;
    review();
    changed([]);
  }

  return {
    /** The turn being drawn up; null if it is not the player's. */
    get turnDraft() {
      return turnDraft;
    },
    /** True if the legal actions are not known yet. */
    get isAsking() {
      return isAsking();
    },
    /** The command that was sent and has no effect yet. */
    get sending() {
      return sending;
    },

    /**
     * Updates the game. A new turn clears the draft; events beside the board leave it alone.
     *
     * @param {Game} now
     * @param {boolean} isMyTurn
     * @returns {boolean} whether moves were lost with it that the server has never had
     */
    applyEvents(now, isMyTurn) {
      const isSame = game?.since === now.since && game.present.status === now.present.status;
      const isLost = !isSame && asked === 'draft' && sending === null && (turnDraft?.steps.length ?? 0) > 0;
      game = now;
      if (!isSame) {
        turnDraft = confirmed = asked = sending = null;
        contested = false;
        questionNo += 1;
      }
      if (turnDraft !== null || !isMyTurn) adopt();
      else {
        turnDraft = turnDraftOf(now.present.turn, now.draft);
        confirmed = turnDraft;
        ask('options', actionsOf(turnDraft));
      }
      return isLost;
    },

    /** Adds an action to the turn. The board is told of a typed one once it is known to be legal.
     * @param {LegalAction} action
     * @param {'drawn' | 'typed'} how
     * @returns {Step[]}
     */
    take({ text }, how) {
      if (turnDraft !== null && (turnDraft.legal !== null || turnDraft.unlisted))
        ask('draft', [...actionsOf(turnDraft), text], how);
      return [];
    },

    /** Draws up actions that were chosen before the turn began, if all of them are legal. Nothing is sent.
     * @param {string[]} actions
     * @returns {boolean} whether they are
     */
    lay(actions) {
      const choices = game && turnDraft && computed(game, actions);
      if (turnDraft === null || choices === null) return false;
      turnDraft = withOptions(turnDraft, choices);
      return true;
    },

    /** @param {number} count the steps that stay */
    takeBackTo(count) {
      if (turnDraft === null) return;
      turnDraft = withSteps(turnDraft, Math.max(0, count));
      ask('draft', actionsOf(turnDraft));
    },

    /** Sends the turn, ended early if moves are left. */
    confirm() {
      if (game === null || turnDraft === null || isAsking()) return;
      const end = earlyEnd(turnDraft);
      if (!turnDraft.complete && end === undefined) return;
      const actions = [...actionsOf(turnDraft), ...(end === undefined ? [] : [end.text])];
      return send({ type: 'turn', command: commandId(), game: id, version: game.version, actions });
    },

    /** Resigns the game, or aborts it.
     * @param {'resign' | 'abort'} how
     */
    leave: (how) => send({ type: how, command: commandId(), game: id }),
  };
}
