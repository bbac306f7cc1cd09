// A session's turns from the server: the player's turn in a game, the questions about it, and its commands.

import { commandId } from '../connection/socket.js';
import { UNTOLD, actionsOf, deskOf, earlyEnd, withOptions, withSteps } from '../engine/turn-draft.js';

/** @import { LegalAction, Step } from '../protocol.js' */
/** @import { Choices } from '../engine/engine.js' */
/** @import { Game } from '../session/game-model.js' */
/** @import { Desk } from '../engine/turn-draft.js' */
/** @import { Answer, Command } from '../connection/socket.js' */

/** @typedef {Extract<Answer, { type: 'nack' }>} Nack */

/** @typedef {ReturnType<typeof takeSeat>} Seat */

/**
 * Sits down at a game.
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
export function takeSeat({ id, command, computed, follow, refused, changed }) {
  /** @type {Game | null} */
  let game = null;
  /** @type {Desk | null} */
  let desk = null;
  /** The desk as the server last confirmed it.
   * @type {Desk | null} */
  let confirmed = null;
  /** Questions are numbered so that only the answer to the latest counts. */
  let questionNo = 0;
  /** The question without an answer: `draft` if it changes my draft, `options` if it only asks for the legal
   * continuations.
   * @type {'draft' | 'options' | null} */
  let asked = null;
  /** True if another draft of mine arrived while this desk's was on its way. */
  let contested = false;
  /** @type {'turn' | 'resign' | 'abort' | null} */
  let sending = null;

  /** Asks which actions may follow others. Only a `draft` stores them as my draft; `options` does not, since another tab
   * may have a newer draft than this page shows. What the page's engine finds is on the desk at once; without it, an
   * action waits for the server.
   * @param {'draft' | 'options'} type
   * @param {string[]} actions
   * @param {'drawn' | 'typed'} [how] the origin of the last one, if it is new
   */
  async function ask(type, actions, how) {
    if (game === null || desk === null) return;
    const { version, since } = game;
    // The answer to an earlier question comes too late.
    questionNo += 1;
    const number = questionNo;
    const choices = computed(game, actions);
    if (choices === null) desk = { ...desk, ...UNTOLD };
    else {
      desk = withOptions(desk, choices);
      if (how === 'typed') changed(desk.steps.slice(-1));
      if (type === 'options') {
        confirmed = desk;
        asked = null;
        return;
      }
    }
    asked = type;
    const question = { type, command: commandId(), game: id, version, actions };
    const answer = await command(question);
    if (answer === null) return;
    if (number !== questionNo || desk === null || game.since !== since) return changed([]);
    asked = null;
    /** @type {Step[]} */
    let fresh = [];
    if (answer.type === 'options') {
      if (how !== undefined && choices === null) fresh = answer.draft.steps.slice(-1);
      desk = withOptions(desk, answer);
      confirmed = desk;
    } else if (answer.type === 'nack') {
      refused(answer);
      withdraw(answer, type, actions.length);
    }
    review();
    changed(fresh);
  }

  /** True if a question has no answer yet, neither by the server nor by the page's engine. */
  const isAsking = () => asked !== null && desk !== null && desk.legal === null;

  /** Keeps on the desk the steps that a refusal leaves valid.
   * @param {Nack} nack
   * @param {'draft' | 'options'} type
   * @param {number} n_actions the number of the refused actions
   */
  function withdraw({ code }, type, n_actions) {
    if (game === null || desk === null) return;
    if (code === 'too_many') {
      desk = { ...desk, unlisted: true };
      confirmed = desk;
      return;
    }
    const isIllegal = code === 'illegal';
    desk = (type === 'options' && isIllegal ? null : confirmed) ?? deskOf(game.present.turn, null);
    if (isIllegal && n_actions > 0 && desk.legal === null && !desk.unlisted) ask('options', actionsOf(desk));
  }

  /** Takes over a draft of mine that was made elsewhere, as in another tab. */
  function adopt() {
    if (game === null || desk === null) return;
    const theirs = (game.draft?.steps ?? []).map(({ action }) => action);
    if (theirs.join(' ') === actionsOf(desk).join(' ')) return;
    if (asked === 'draft' || sending !== null) {
      contested = true;
      return;
    }
    desk = deskOf(game.present.turn, game.draft);
    confirmed = desk;
    ask('options', actionsOf(desk));
  }

  /** Of two drafts that crossed, only the server knows which came last: it is asked once mine is answered. */
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
    /** The turn on my desk; null if it is not my turn. */
    get desk() {
      return desk;
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
     * Updates the game. A new turn clears the desk; events beside the board leave it alone.
     *
     * @param {Game} now
     * @param {boolean} isMyTurn
     */
    learn(now, isMyTurn) {
      const isSame = game?.since === now.since && game.present.status === now.present.status;
      game = now;
      if (!isSame) {
        desk = confirmed = asked = sending = null;
        contested = false;
        questionNo += 1;
      }
      if (desk !== null || !isMyTurn) return adopt();
      desk = deskOf(now.present.turn, now.draft);
      confirmed = desk;
      ask('options', actionsOf(desk));
    },

    /** Adds an action to the desk. The board is told of a typed one once it is known to be legal.
     * @param {LegalAction} action
     * @param {'drawn' | 'typed'} how
     * @returns {Step[]}
     */
    take({ text }, how) {
      if (desk !== null && (desk.legal !== null || desk.unlisted))
        ask('draft', [...actionsOf(desk), text], how);
      return [];
    },

    /** Puts actions onto the desk that were chosen before the turn began, if all of them are legal. Nothing is sent.
     * @param {string[]} actions
     * @returns {boolean} whether they are
     */
    lay(actions) {
      const choices = game && desk && computed(game, actions);
      if (desk === null || choices === null) return false;
      desk = withOptions(desk, choices);
      return true;
    },

    /** @param {number} count the steps that stay */
    takeBackTo(count) {
      if (desk === null) return;
      desk = withSteps(desk, Math.max(0, count));
      ask('draft', actionsOf(desk));
    },

    /** Sends the turn, ended early if moves are left. */
    confirm() {
      if (game === null || desk === null || isAsking()) return;
      const end = earlyEnd(desk);
      if (!desk.complete && end === undefined) return;
      const actions = [...actionsOf(desk), ...(end === undefined ? [] : [end.text])];
      return send({ type: 'turn', command: commandId(), game: id, version: game.version, actions });
    },

    /** Resigns the game, or aborts it.
     * @param {'resign' | 'abort'} how
     */
    leave: (how) => send({ type: how, command: commandId(), game: id }),
  };
}
