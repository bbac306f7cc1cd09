// Actions of a player on the page of a game: those of the board's session, offers and claims, clauses and links.
// Refusals of the server are shown.

import { serverTime } from '../connection/server-time.js';
import { commandId } from '../connection/socket.js';
import { createSession, drawnUp } from '../session/board-session.js';
import { announce, byId, focusStatus, t, wordsOf } from '../ui/page.js';
import { toggleZen } from '../panels/zen.js';
import { ruleBehind } from '../session/clauses.js';
import { isSentAtOnce } from '../session/confirming.js';
import { endingOf } from '../session/ending.js';
import { hintOf } from '../session/hint-words.js';
import { isOneTable } from '../session/game-model.js';
import { lookFrom } from '../panels/history.js';
import { createClauseActions } from './clause-panel.js';
import { openPlayerTurn } from './player-turn.js';
import { momentName, pictureOf } from '../session/share.js';
import { sayLeft, sayUndone } from '../session/turn-speech.js';
import {
  bottomSide,
  canAct,
  hasHints,
  isHeldBack,
  lastSteps,
  mySide,
  nextOf,
  turnNow,
} from './game-state.js';

/** @import { Turn } from '../protocol.js' */
/** @import { createBoard } from '../board/board.js' */
/** @import { Choices } from '../engine/engine.js' */
/** @import { OfferCommand } from './sidebar.js' */
/** @import { openConnection, Command } from '../connection/socket.js' */
/** @import { Source } from '../session/board-session.js' */
/** @import { Sound } from '../ui/tones.js' */
/** @import { Game } from '../session/game-model.js' */
/** @import { Page, Preparing } from './preparing.js' */
/** @import { Nack } from './player-turn.js' */
/** @import { State } from './game-state.js' */
/** @import { Store } from '../session/store.js' */

/**
 * All that a player does on the page. `confirm`, `undo`, `restart` and the other steps of a turn come from
 * `session/turn-actions.js`, `flip`, `toggleSound` and `showMoment` from `session/view-actions.js`, and `copyPosition` from
 * `session/notices.js`; what they do to the game of the server is in `player-turn.js`.
 *
 * @param {object} options
 * @param {Store<State>} options.store
 * @param {ReturnType<typeof openConnection>} options.connection
 * @param {typeof createBoard} options.create
 * @param {(game: Game, actions: string[]) => Choices | null} options.computed see `openPlayerTurn`
 * @param {typeof import('../session/share-sheet.js').handedOn} options.handedOn
 * @param {(name: Sound) => void} options.sound
 */
export function createGameActions({ store, connection, create, computed, handedOn, sound }) {
  const { state } = store;
  const { id } = state;
  /** Offers and claims under way.
   * @type {Set<string>} */
  const sendingOffers = new Set();
  /** The part of the page by which a turn is prepared, once it is there.
   * @type {Preparing | null} */
  let preparing = null;

  const playerTurn = openPlayerTurn({
    id,
    command,
    computed,
    follow: (version) => connection.follow(id, version),
    refused,
    changed: (fresh) => update({}, fresh.length === 0 ? null : fresh),
  });

  /** The source of the turn being drawn up: the server, or the page's engine while a turn is prepared. */
  const place = () => preparing?.place ?? playerTurn;

  /** @type {(game: Game) => Source} */
  const sourceOf = (game) => ({
    ruleset: game.ruleset,
    get turnDraft() {
      return place().turnDraft;
    },
    get turn() {
      return turnNow(state.game ?? game, place().turnDraft).turn;
    },
    get isAsking() {
      return playerTurn.isAsking;
    },
    take: (action, how) => place().take(action, how),
    takeBackTo: (count) => place().takeBackTo(count),
    // The page says already why it waits.
    confirm: () => (isHeldBack(state) ? announce(t('line.offline_turn')) : place().confirm()),
  });

  /** True if a turn is sent as soon as it is complete.
   * @param {Turn} turn
   */
  const isAtOnce = (turn) =>
    state.game !== null && isSentAtOnce(state.confirms, state.game.terms.clock, turn);

  /** True if it is so now: neither a prepared turn nor one without a connection is sent by itself.
   * @param {Turn} turn
   */
  const sendsItself = (turn) => preparing?.place == null && state.news !== 'offline' && isAtOnce(turn);

  const session = createSession({
    store,
    place: byId('board'),
    create,
    contents,
    needs: () => [state.game, state.me, canAct(state), state.prepared],
    derived: () => ({
      source: state.game && (state.source ?? sourceOf(state.game)),
      now: serverTime.now(),
      isAsking: playerTurn.isAsking,
      sending: playerTurn.sending,
      prepares: preparing !== null,
      prepared: preparing?.stage ?? null,
    }),
    mayAct: () => canAct(state),
    showMoment: (past, where) => (state.game === null ? null : lookFrom(state.game, past, where)),
    isAtOnce: sendsItself,
    ruleBehind,
    isShared: () => state.game !== null && isOneTable(state.game),
    excuse,
    taken: sayLeft,
    takenBack: sayUndone,
    sound,
    toggleZen,
    isGame: true,
  });
  const { update, copyLink, explain, note } = session;

  function contents() {
    const { game, turnDraft, making } = state;
    if (game === null) return null;
    const more = {
      mySide: mySide(state),
      legal: turnDraft === null ? null : canAct(state) ? (turnDraft.legal ?? []) : [],
      lastSteps: lastSteps(state),
      decisive: endingOf(game)?.decisive ?? [],
    };
    return { bottom: bottomSide(state), shown: drawnUp(turnNow(game, turnDraft), more, making) };
  }

  /** The reason that nothing is legal just now, which the board does not know.
   * @param {string} key of the board's own explanation
   */
  function excuse(key) {
    const { turnDraft, news, prepares, isAsking, game } = state;
    if (turnDraft !== null && news === 'offline' && !prepares) return 'status.offline';
    if (isAsking) return 'status.asking';
    if (key === 'board.why.not_your_move' && game?.present.status === 'finished') return 'refusal.game_over';
    return turnDraft?.unlisted ? 'refusal.too_many' : null;
  }

  /** @param {'resign' | 'abort'} how */
  function leave(how) {
    if (playerTurn.sending !== null) return explain('status.asking');
    if (state.news === 'offline') return explain('refusal.offline');
    update({ asked: null });
    playerTurn.leave(how);
  }

  /** Offers the draw that the player has confirmed. */
  function offerDraw() {
    if (state.news === 'offline') return explain('refusal.offline');
    update({ asked: null });
    focusStatus();
    sendOffer({ type: 'offer', what: 'draw' });
  }

  // --- With the server ---

  /** Sends an offer, an answer or a claim. Repeating it before the answer has no effect.
   * @param {OfferCommand} what
   */
  async function sendOffer(what) {
    // It would come when the player may want it no more.
    if (state.news === 'offline') return explain('refusal.offline');
    const name = JSON.stringify(what);
    if (sendingOffers.has(name)) return;
    sendingOffers.add(name);
    update({ notice: null });
    const answer = await command({ ...what, command: commandId(), game: id });
    sendingOffers.delete(name);
    if (answer?.type === 'nack') refused(answer);
  }

  /** Sends a command. An answer shows that the server is no longer busy.
   * @param {Command} message
   */
  async function command(message) {
    const answer = await connection.command(message);
    if (answer !== null && (state.news === 'busy' || state.news === 'unavailable'))
      update({ news: 'online' });
    return answer;
  }

  /** Explains a refusal. If the server knows more than this page, the page asks for it.
   * @param {Nack} nack
   */
  function refused(nack) {
    const isLate = nack.code === 'stale' || nack.code === 'not_your_turn' || nack.code === 'game_over';
    if (isLate && state.game !== null) connection.follow(id, state.game.version);
    const number = 'index' in nack ? nack.index + 1 : 0;
    const rule = 'rule' in nack ? nack.rule : null;
    note(t(`refusal.${nack.code}`, { i: number }), { rule }, 'assertive');
  }

  /** Runs a request, unless one is under way, and reports its failure.
   * @param {() => Promise<unknown>} work
   */
  async function attempt(work) {
    if (state.busy) return;
    update({ busy: true, notice: null });
    try {
      await work();
    } catch (error) {
      note(wordsOf(error), {}, 'assertive');
    }
    update({ busy: false });
  }

  /** Loads the search for hints once it is wanted.
   * @returns {Promise<(game: Game) => Promise<string[]>>} */
  const openHints = async () => (await import(document.body.dataset.hints ?? '')).openHints();
  /** @type {ReturnType<typeof openHints> | null} */
  let hints = null;

  /** Shows a move of a good turn, in a game against a bot. What is in the hand stays there. */
  async function hint() {
    const { game } = state;
    if (game === null || !hasHints(state) || state.isHinting) return;
    update({ isHinting: true });
    try {
      hints ??= openHints();
      const turn = await (await hints)(game);
      const { turnDraft } = state;
      if (state.game?.since === game.since && turnDraft !== null && canAct(state)) {
        const next = nextOf(turn, turnDraft);
        note(next === undefined ? t('hint.restart') : hintOf(next));
      }
    } catch (error) {
      console.warn(error);
      hints = null;
      note(t('hint.failed'), {}, 'assertive');
    }
    update({ isHinting: false });
  }

  /** Shares the picture of the game with a link to its replay by the device's own means, or copies it. */
  async function shareGame() {
    const address = `/replay/${id}`;
    const picture = state.game?.terms.watching === 'nobody' ? null : pictureOf(id);
    if (!(await handedOn(new URL(address, location.origin).href, picture))) await copyLink(address);
  }

  /** Copies a link to the moment that is shown. */
  function copyMove() {
    const { game, past } = state;
    if (game !== null) copyLink(`/game/${id}${momentName(game, past?.moment ?? null)}`);
  }

  return {
    ...session,
    /** See `preparing`. */
    get preparing() {
      return preparing;
    },
    get board() {
      return session.board;
    },

    /** Adds the part by which a turn is prepared.
     * @param {(page: Page) => Preparing} open
     */
    prepareWith(open) {
      preparing = open({ playerTurn, update, note, isAtOnce });
      update({});
    },

    playerTurn,
    sendsItself,
    leave,
    offerDraw,
    ...createClauseActions(state, update),
    sendOffer,
    command,
    attempt,
    hint,
    copyMove,
    shareGame,
  };
}

/** @typedef {ReturnType<typeof createGameActions>} GameActions */
