// Actions of a player on the page of a game: those of the board's session, offers and claims, clauses and links.
// Refusals of the server are shown.

import { serverTime } from '../connection/server-time.js';
import { commandId } from '../connection/socket.js';
import { createSession, drawnUp } from '../session/board-session.js';
import { opensElsewhere } from '../ui/leaving.js';
import { announce, byId, t, wordsOf } from '../ui/page.js';
import { toggleZen } from '../ui/preferences-dialog.js';
import { ruleBehind } from '../session/clauses.js';
import { isSentAtOnce } from '../session/confirming.js';
import { endingOf } from '../session/ending.js';
import { isOneTable } from '../session/game-model.js';
import { lookFrom } from '../panels/history.js';
import { joinGame } from './player-turn.js';
import { handedOn, momentName } from '../session/share.js';
import { sayLeft, sayUndone } from '../session/turn-speech.js';
import { bottomSide, canAct, mySide, turnNow } from './game-state.js';

/** @import { Turn } from '../protocol.js' */
/** @import { createBoard } from '../board/board.js' */
/** @import { Choices } from '../engine/engine.js' */
/** @import { Deal } from './sidebar.js' */
/** @import { openConnection, Command } from '../connection/socket.js' */
/** @import { Source } from '../session/board-session.js' */
/** @import { Sound } from '../ui/tones.js' */
/** @import { Game } from '../session/game-model.js' */
/** @import { Page, Preparing } from './preparing.js' */
/** @import { Nack } from './player-turn.js' */
/** @import { State } from './game-state.js' */
/** @import { Store } from '../session/store.js' */

/**
 * @param {object} options
 * @param {Store<State>} options.store
 * @param {ReturnType<typeof openConnection>} options.connection
 * @param {typeof createBoard} options.create
 * @param {(game: Game, actions: string[]) => Choices | null} options.computed see `joinGame`
 * @param {(name: Sound) => void} options.sound
 */
export function createGameActions({ store, connection, create, computed, sound }) {
  const { state } = store;
  const { id } = state;
  /** Offers and claims under way.
   * @type {Set<string>} */
  const settling = new Set();
  /** The part of the page by which a turn is prepared, once it is there.
   * @type {Preparing | null} */
  let preparing = null;

  const seat = joinGame({
    id,
    command: say,
    computed,
    follow: (version) => connection.follow(id, version),
    refused,
    changed: (fresh) => update({}, fresh.length === 0 ? null : fresh),
  });

  /** The source of the turn being drawn up: the server, or the page's engine while a turn is prepared. */
  const place = () => preparing?.place ?? seat;

  /** @type {(game: Game) => Source} */
  const sourceOf = (game) => {
    const { turnDraft, take, takeBackTo, confirm } = place();
    const { turn } = turnNow(game, turnDraft);
    return { ruleset: game.ruleset, turnDraft, turn, isAsking: seat.isAsking, take, takeBackTo, confirm };
  };

  /** True if a turn is sent as soon as it is complete.
   * @param {Turn} turn
   */
  const isAtOnce = (turn) =>
    state.game !== null && isSentAtOnce(state.confirms, state.game.terms.clock, turn);

  const session = createSession({
    store,
    place: byId('board'),
    create,
    source: () => (state.game === null ? null : sourceOf(state.game)),
    contents,
    needs: () => [state.game, state.me, state.sending, state.news, state.prepared],
    refresh(next) {
      Object.assign(next, { now: serverTime.now(), isAsking: seat.isAsking, sending: seat.sending });
      Object.assign(next, { prepares: preparing !== null, prepared: preparing?.stage ?? null });
    },
    mayAct: () => canAct(state),
    look: (past, where) => (state.game === null ? null : lookFrom(state.game, past, where)),
    isAtOnce: (turn) => preparing?.place == null && isAtOnce(turn),
    ruleBehind,
    isShared: () => state.game !== null && isOneTable(state.game),
    excuse,
    taken: sayLeft,
    takenBack: sayUndone,
    sound,
    toggleZen,
    isGame: true,
  });
  const { update, copy, explain, note } = session;

  function contents() {
    const { game, turnDraft, making } = state;
    if (game === null) return null;
    const { turn, steps } = turnNow(game, turnDraft);
    const drawn = turnDraft ?? { turn, steps, legal: null, groups: [], barred: [], bestCapture: null };
    const legal = turnDraft === null ? null : canAct(state) ? (turnDraft.legal ?? []) : [];
    const lastSteps = game.turns.at(-1)?.steps ?? [];
    const decisive = endingOf(game)?.decisive ?? [];
    const shown = drawnUp(drawn, { mySide: mySide(state), legal, lastSteps, decisive }, making);
    return { bottom: bottomSide(state), shown };
  }

  /** The reason that nothing is legal just now, which the board does not know.
   * @param {string} key of the board's own explanation
   */
  function excuse(key) {
    const { turnDraft, news, isAsking, game } = state;
    if (turnDraft !== null && news === 'offline') return 'status.offline';
    if (isAsking) return 'status.asking';
    if (key === 'board.why.not_your_move' && game?.present.status === 'finished') return 'refusal.game_over';
    return turnDraft?.unlisted ? 'refusal.too_many' : null;
  }

  /** @param {'resign' | 'abort'} how */
  function leave(how) {
    if (seat.sending !== null) return explain('status.asking');
    update({ leaving: false });
    seat.leave(how);
  }

  // --- With the server ---

  /** Sends an offer, an answer or a claim. Repeating it before the answer has no effect.
   * @param {Deal} what
   */
  async function deal(what) {
    const name = JSON.stringify(what);
    if (settling.has(name)) return;
    settling.add(name);
    update({ notice: null });
    const answer = await say({ ...what, command: commandId(), game: id });
    settling.delete(name);
    if (answer?.type === 'nack') refused(answer);
  }

  /** Sends a command. An answer shows that the server is no longer busy.
   * @param {Command} command
   */
  async function say(command) {
    const answer = await connection.command(command);
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

  /** Shows a clause beside the board; a press that opens another tab is left to the browser.
   * @param {string} rule
   * @param {MouseEvent} event
   */
  async function openClause(rule, event) {
    const { game } = state;
    if (game === null || opensElsewhere(event)) return;
    event.preventDefault();
    /** @param {NonNullable<State['clause']>['text']} text */
    const show = (text) => update({ clause: { rule, text } });
    show('coming');
    byId('clause-close').focus();
    /** @type {Element | 'failed'} */
    let text = 'failed';
    try {
      const { clauseOf } = await import(document.body.dataset.clause ?? '');
      text = await clauseOf(game.ruleset, rule, t);
    } catch {
      announce(t('clause.failed'), 'assertive');
    }
    if (state.clause?.rule !== rule) return;
    show(text);
    if (text !== 'failed') announce(text.textContent?.replace(/\s+/g, ' ').trim() ?? '');
  }

  const closeClause = () => update({ clause: null });

  /** Copies a link.
   * @param {string} address
   */
  const copyLink = (address) => copy(new URL(address, location.origin).href, 'share.copied');

  /** Shares a link to the replay by the device's own means, or copies it. */
  async function shareGame() {
    const address = `/replay/${id}`;
    if (!(await handedOn(new URL(address, location.origin).href))) await copyLink(address);
  }

  /** Copies a link to the moment that is shown. */
  function copyMove() {
    const { game, past } = state;
    if (game !== null) copyLink(`/game/${id}${momentName(game, past?.moment ?? null)}`);
  }

  return {
    ...session,
    /** @param {(state: State) => void} edit */
    change(edit) {
      const next = { ...state };
      edit(next);
      update(next);
    },
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
      preparing = open({ seat, update, note, isAtOnce });
      update({});
    },

    seat,
    leave,
    openClause,
    closeClause,
    deal,
    say,
    attempt,
    copyMove,
    shareGame,
  };
}

/** @typedef {ReturnType<typeof createGameActions>} GameActions */
