// Actions of a player on the page of a game: the turn, offers and claims, and looking around. Each changes the state;
// refusals of the server are shown.

import { serverTime } from '../net/server-time.js';
import { commandId } from '../net/socket.js';
import { opensElsewhere } from '../ui/leaving.js';
import { announce, byId, remember, t, wordsOf } from '../ui/page.js';
import { isSentAtOnce } from './confirming.js';
import { ruleBehind } from './rules.js';
import { isOneTable } from './model.js';
import { lookFrom } from './past.js';
import { takeSeat } from './seat.js';
import { copied, handedOn, momentName } from './share.js';
import { canAct, turnNow } from './state.js';
import { soundOf } from './step-sound.js';

/** @import { LegalAction, Step, Turn } from '../protocol.js' */
/** @import { Args } from '../i18n.js' */
/** @import { createBoard } from '../board/board.js' */
/** @import { Choices } from '../engine/engine.js' */
/** @import { Deal } from '../live/table.js' */
/** @import { openLine, Command } from '../net/socket.js' */
/** @import { Sound } from '../ui/tones.js' */
/** @import { Game } from './model.js' */
/** @import { Page, Preparing } from './preparing.js' */
/** @import { Nack } from './seat.js' */
/** @import { State } from './state.js' */
/** @import { Store } from './store.js' */

/** A confirmation so soon after a step is the second half of a double tap. */
const SLIP_MS = 250;

/** Texts that differ at one table.
 * @type {Record<string, string>}
 */
const AT_ONE_TABLE = { 'board.why.not_yours': 'board.why.other_side' };

/**
 * @param {object} options
 * @param {Store<State>} options.store
 * @param {ReturnType<typeof openLine>} options.line
 * @param {() => ReturnType<typeof createBoard> | null} options.board
 * @param {(game: Game, actions: string[]) => Choices | null} options.computed see `takeSeat`
 * @param {(name: Sound) => void} options.sound
 */
export function createDoing({ store, line, board, computed, sound }) {
  const { state } = store;
  const { id } = state;
  /** Offers and claims under way.
   * @type {Set<string>} */
  const settling = new Set();
  let stepAt = 0;
  let sendTimer = 0;
  /** The part of the page by which a turn is prepared, once it is there.
   * @type {Preparing | null} */
  let preparing = null;

  const seat = takeSeat({
    ...{ id, command: say, computed, follow: (version) => line.follow(id, version) },
    ...{ refused, changed: (fresh) => change(() => {}, fresh) },
  });

  /** The place of the turn that I draw up: my seat, or where I prepare it. */
  const place = () => preparing?.place ?? seat;

  /** True if a turn is sent as soon as it is complete.
   * @param {Turn} turn
   */
  const isAtOnce = (turn) =>
    state.game !== null && isSentAtOnce(state.confirms, state.game.terms.clock, turn);

  /** Changes the state, and updates it from my seat. If the focused element disappears, the status gets the focus.
   * @param {(state: State) => void} edit
   * @param {Step[]} [fresh] steps that the board has to animate
   */
  function change(edit, fresh = []) {
    const focused = document.activeElement;
    const said = state.notice;
    store.change((next) => {
      edit(next);
      const { isAsking, sending } = seat;
      const { desk } = place();
      Object.assign(next, { now: serverTime.now(), desk, isAsking, sending, fresh });
      next.prepares = preparing !== null;
      next.prepared = preparing?.stage ?? null;
      if (desk === null) next.sendsItself = false;
    });
    // A refusal that no longer holds must not be read as the latest message.
    if (said !== null && state.notice === null) announce('', 'assertive');
    sendWhenComplete();
    if (focused !== null && !focused.isConnected) byId('status').focus();
  }

  /** @param {string} text
   * @param {Partial<State['notice']>} [more]
   * @param {'polite' | 'assertive'} [manner] */
  function note(text, more = {}, manner = 'polite') {
    announce(text, manner);
    change((next) => {
      next.notice = { text, rule: null, ...more };
    });
  }

  /** @param {string} key
   * @param {Args} [args] */
  const explain = (key, args) => note(t(key, args));

  // --- The turn ---

  /** Sends a turn that needs no confirmation, but no sooner than one that is confirmed: a slip can be taken back. */
  function sendWhenComplete() {
    clearTimeout(sendTimer);
    const { desk, isAsking, sendsItself } = state;
    if (!sendsItself || isAsking || !desk?.complete || !canAct(state)) return;
    sendTimer = window.setTimeout(send, Math.max(0, stepAt + SLIP_MS - performance.now()));
  }

  /** @param {Step} step */
  const stepped = (step) => sound(soundOf(step));

  /** @param {LegalAction} action
   * @param {'drawn' | 'typed'} how */
  function take(action, how) {
    if (!canAct(state)) return;
    if (action.kind === 'end') return confirmTurn();
    stepAt = performance.now();
    const before = place().desk?.steps.length ?? 0;
    place().take(action, how);
    // The board sounds the steps that it animates, as a typed one, or one that waits for the server.
    const step = place().desk?.steps[before];
    if (how === 'drawn' && step !== undefined) stepped(step);
    const allowance = place().desk?.turn.allowance ?? null;
    if (allowance !== null) announce(t('say.left', { n: allowance.left }));
    change((next) => {
      next.notice = null;
      next.making = false;
      next.sendsItself = seat.desk !== null && isAtOnce(seat.desk.start);
    });
  }

  /** @param {number} count the steps that stay */
  function takeBackTo(count) {
    const { desk } = place();
    if (desk === null || desk.steps.length === 0 || !canAct(state)) return;
    place().takeBackTo(count);
    const allowance = place().desk?.turn.allowance ?? null;
    announce(allowance === null ? t('say.undone_all') : t('say.undone', { n: allowance.left }));
    change((next) => {
      next.notice = null;
      next.sendsItself = false;
    });
  }

  /** Takes back the last jump of a capture on its way, or else the last action. */
  function undo() {
    if (!board()?.back()) takeBackTo((place().desk?.steps.length ?? 0) - 1);
  }

  function restart() {
    board()?.pick(null);
    takeBackTo(0);
  }

  /** Sends the turn, ended early if moves are left. */
  function confirmTurn() {
    if (canAct(state) && performance.now() - stepAt >= SLIP_MS) send();
  }

  function send() {
    change((next) => {
      next.notice = null;
      next.sendsItself = false;
    });
    place().confirm();
  }

  /** @param {'resign' | 'abort'} how */
  function leave(how) {
    if (seat.sending !== null) return explain('status.asking');
    change((next) => {
      next.leaving = false;
    });
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
    change((next) => {
      next.notice = null;
    });
    const answer = await say({ ...what, command: commandId(), game: id });
    settling.delete(name);
    if (answer?.type === 'nack') refused(answer);
  }

  /** Sends a command. An answer shows that the server is no longer busy.
   * @param {Command} command
   */
  async function say(command) {
    const answer = await line.command(command);
    if (answer !== null && (state.news === 'busy' || state.news === 'unavailable'))
      change((next) => {
        next.news = 'online';
      });
    return answer;
  }

  /** Explains a refusal. If the server knows more than this page, the page asks for it.
   * @param {Nack} nack
   */
  function refused(nack) {
    const isLate = nack.code === 'stale' || nack.code === 'not_your_turn' || nack.code === 'game_over';
    if (isLate && state.game !== null) line.follow(id, state.game.version);
    const number = 'index' in nack ? nack.index + 1 : 0;
    const rule = 'rule' in nack ? nack.rule : null;
    note(t(`refusal.${nack.code}`, { i: number }), { rule }, 'assertive');
  }

  /** Runs a request, unless one is under way, and reports its failure.
   * @param {() => Promise<unknown>} work
   */
  async function attempt(work) {
    if (state.busy) return;
    change((next) => {
      next.busy = true;
      next.notice = null;
    });
    try {
      await work();
    } catch (error) {
      note(wordsOf(error), {}, 'assertive');
    }
    change((next) => {
      next.busy = false;
    });
  }

  // --- Looking ---

  /** Shows the board's explanation of a press. The board does not know why nothing is legal just now.
   * @param {string} key
   * @param {Args} args
   */
  function explainPress(key, args) {
    const { desk, news, isAsking } = state;
    if (desk !== null && news === 'offline') return explain('status.offline');
    if (isAsking) return explain('status.asking');
    if (key === 'board.why.not_your_move' && state.game?.present.status === 'finished')
      return explain('refusal.game_over');
    if (desk?.unlisted) return explain('refusal.too_many');
    const turn = typeof args.turn === 'number' ? args.turn : undefined;
    const rule = state.game && ruleBehind(state.game.ruleset, desk?.turn ?? state.game.present.turn, key);
    note(t(state.game !== null && isOneTable(state.game) ? (AT_ONE_TABLE[key] ?? key) : key, args), {
      rule,
      turn,
    });
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
    const show = (text) =>
      change((next) => {
        next.clause = { rule, text };
      });
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

  function closeClause() {
    change((next) => {
      next.clause = null;
    });
  }

  /** Shows another moment of the game, to look at.
   * @param {string} where
   */
  function look(where) {
    const { game } = state;
    if (game === null) return;
    board()?.pick(null);
    change((next) => {
      next.past = lookFrom(game, next.past, where);
    });
  }

  /** Copies a link, or shows it where the browser does not let it be copied.
   * @param {string} address
   */
  async function copyLink(address) {
    const link = new URL(address, location.origin).href;
    note((await copied(link)) ? t('share.copied') : link);
  }

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

  /** Copies the text of the position on the board, or shows it where the browser does not let it be copied. */
  async function copyPosition() {
    const { game, past } = state;
    if (game === null) return;
    const { position } = past?.moment ?? turnNow(game, seat.desk).turn;
    note((await copied(position)) ? t('replay.copied') : position);
  }

  const flip = () =>
    change((next) => {
      next.flipped = !next.flipped;
    });

  function mute() {
    change((next) => {
      next.muted = !next.muted;
    });
    remember('sound', state.muted ? 'off' : 'on');
    sound('move');
  }

  function askToLeave() {
    change((next) => {
      next.leaving = true;
    });
    byId('leave-no').focus();
  }

  function stay() {
    change((next) => {
      next.leaving = false;
    });
    byId('leave').focus();
  }

  const makeInstead = () =>
    change((next) => {
      next.making = !next.making;
    });

  return {
    /** See `preparing`. */
    get preparing() {
      return preparing;
    },

    /** Adds the part by which a turn is prepared.
     * @param {(page: Page) => Preparing} open
     */
    prepareWith(open) {
      preparing = open({ seat, change, note, isAtOnce });
      change(() => {});
    },

    ...{ seat, change, note, explain, explainPress, stepped, take, undo, restart, confirmTurn, leave },
    ...{
      openClause,
      closeClause,
      deal,
      say,
      attempt,
      look,
      copyMove,
      copyPosition,
      shareGame,
      flip,
      mute,
      askToLeave,
      stay,
      makeInstead,
    },
  };
}

/** @typedef {ReturnType<typeof createDoing>} Doing */
