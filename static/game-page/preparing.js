// Preparation of a turn in the turn of the other side. It is drawn up with the page's engine as if the other side had
// passed, and stays on this page. When its time comes, all of it is legal and is sent at once, or it is dropped.

import { actionsOf, earlyEnd } from '../engine/turn-draft.js';
import { takeOn } from '../session/match-source.js';

/** @import { LegalAction, Step, Turn } from '../protocol.js' */
/** @import { Args } from '../i18n.js' */
/** @import { Shadow } from '../engine/shadow.js' */
/** @typedef {ReturnType<typeof import('../engine/match-draft.js').openDraft>} LocalDraft */
/** @import { Game } from '../session/game-model.js' */
/** @import { PlayerTurn } from './player-turn.js' */
/** @import { State } from './game-state.js' */

/** A turn is `kept` once the player has confirmed it.
 * @typedef {'drawing' | 'kept'} Stage */

/** @typedef {ReturnType<typeof openPreparing>} Preparing */

/** Places where Escape means something else. */
const ELSEWHERE = 'dialog, form, .ask, #chat';

/**
 * The page of a game as preparing knows it.
 * @typedef {object} Page
 * @property {Pick<PlayerTurn, 'turnDraft' | 'lay' | 'confirm' | 'takeBackTo'>} playerTurn
 * @property {(values: Partial<State>) => void} update changes the state
 * @property {(text: string) => void} note shows and announces a sentence
 * @property {(turn: Turn) => boolean} isAtOnce whether the player confirms no such turn
 */

/**
 * @param {Page & { state: Readonly<State>, shadow: Pick<Shadow, 'next'>, t: (key: string, args?: Args) => string }} page
 */
export function openPreparing({ state, shadow, playerTurn, update, note, isAtOnce, t }) {
  /** The turn with the game in which it was begun; null if none is prepared.
   * @type {{ local: LocalDraft, since: number, turns: number, stage: Stage } | null} */
  let prepared = null;

  function close() {
    prepared?.local.close();
    prepared = null;
  }

  /** Begins to prepare the turn after the one under way. */
  function begin() {
    const { game } = state;
    const local = game && shadow.next(game);
    if (game === null || local === null) return note(t('prepared.impossible'));
    close();
    if (local.turnDraft.legal?.length === 0) {
      local.close();
      return note(t('prepared.impossible'));
    }
    prepared = { local, since: game.since, turns: game.turns.length, stage: 'drawing' };
    update({ notice: null });
  }

  function drop() {
    if (prepared === null) return;
    close();
    note(t('prepared.dropped'));
  }

  /** Escape puts back a picked piece first. */
  document.addEventListener(
    'keydown',
    (event) => {
      const isElsewhere = event.target instanceof Element && event.target.closest(ELSEWHERE) !== null;
      if (event.key !== 'Escape' || prepared === null || state.past !== null || isElsewhere) return;
      if (document.querySelector('#board [aria-selected="true"]') !== null) return;
      event.preventDefault();
      event.stopPropagation();
      drop();
    },
    { capture: true },
  );

  /** The prepared turn in place of the player's own. */
  const place = {
    get turnDraft() {
      return prepared?.local.turnDraft ?? null;
    },

    /** @param {LegalAction} action
     * @param {'drawn' | 'typed'} how
     * @returns {Step[] | string} */
    take(action, how) {
      if (prepared === null) return [];
      const { local } = prepared;
      const answer = takeOn(local, action, how);
      const { complete, start } = local.turnDraft;
      if (typeof answer !== 'string') prepared.stage = complete && isAtOnce(start) ? 'kept' : 'drawing';
      return answer;
    },

    /** @param {number} count the steps that stay */
    takeBackTo(count) {
      if (prepared === null) return;
      prepared.local.takeBackTo(count);
      prepared.stage = 'drawing';
    },

    /** Keeps the turn for its time. */
    confirm() {
      if (prepared === null || !prepared.local.isPlayable) return;
      prepared.stage = 'kept';
      update({});
    },
  };

  return {
    begin,
    drop,

    get place() {
      return prepared === null ? null : place;
    },
    /** The stage of the turn that is prepared; null if none is. */
    get stage() {
      return prepared?.stage ?? null;
    },

    /**
     * Judges the prepared turn by a later state of the game, which the player's turn knows already. If its time has come, it is
     * drawn up as the turn.
     *
     * @param {Game} game
     * @returns {{ steps: Step[], settle: () => void } | null} the steps that the board has to animate, and what remains
     *   to be done once the game is shown; null if nothing has changed
     */
    meet(game) {
      if (prepared === null || (game.since === prepared.since && game.present.status === 'playing'))
        return null;
      const { local, turns, stage } = prepared;
      const { turnDraft } = local;
      const actions = actionsOf(turnDraft);
      close();
      if (actions.length === 0 || game.present.status !== 'playing') return null;
      /** @param {string} key
       * @param {Step[]} [steps] */
      const told = (key, steps = []) => ({ steps, settle: () => note(t(key)) });
      const isTime =
        game.turns.length === turns + 1 &&
        game.present.turn.number === turnDraft.start.number &&
        playerTurn.turnDraft?.steps.length === 0;
      if (!isTime) return told('prepared.changed');
      if (!playerTurn.lay(actions)) return told('prepared.illegal');
      const { steps } = playerTurn.turnDraft;
      const isWhole =
        playerTurn.turnDraft.complete ||
        (!turnDraft.complete && earlyEnd(playerTurn.turnDraft) !== undefined);
      if (stage === 'kept' && isWhole) {
        const settle = () => {
          playerTurn.confirm();
          note(t('prepared.played'));
        };
        return { steps, settle };
      }
      const settle = () => {
        // From now on it is a draft like any other.
        playerTurn.takeBackTo(steps.length);
        note(t(stage === 'kept' ? 'prepared.more' : 'prepared.unfinished'));
      };
      return { steps, settle };
    },
  };
}
