// A session at one board: the position, the turn being drawn up, the moment looked at and the notice in one store, and
// the actions on them. Its turns come from a source: the server, a match of the page's own engine, or a record.

import { gameOf } from '../board/looks.js';
import { ruleBehind } from './clauses.js';
import { copied } from './share.js';
import { showKeys } from './show-keys.js';
import { soundOf } from './step-sound.js';
import { announce, byId, remember, t } from '../ui/page.js';
import { showPreferences } from '../ui/preferences-dialog.js';

/** @import { LegalAction, Ruleset, Side, Step, Turn } from '../protocol.js' */
/** @import { Args } from '../i18n.js' */
/** @import { Arrow } from '../board/arrows.js' */
/** @import { Held, Shown, createBoard } from '../board/board.js' */
/** @import { TurnDraft } from '../engine/turn-draft.js' */
/** @import { Store } from './store.js' */
/** @import { Past } from '../panels/history.js' */
/** @import { Sound } from '../ui/tones.js' */

/** A confirmation so soon after a step is the second half of a double tap. */
const SLIP_MS = 250;

/** Texts that differ where nobody plays one side alone.
 * @type {Record<string, string>}
 */
const SHARED = { 'board.why.not_yours': 'board.why.other_side' };

/**
 * A sentence in the status: the reason for a refusal, or the meaning of a press.
 * @typedef {object} Notice
 * @property {string} text
 * @property {string | null} rule the clause behind it
 * @property {number} [turn] the turn that it speaks of
 */

/**
 * @typedef {object} SessionState
 * @property {TurnDraft | null} turnDraft the turn being drawn up; null if none may be drawn up now
 * @property {Held} held the contents of the hand on the board
 * @property {boolean} making whether only the making of a piece is offered among the legal actions
 * @property {Step[]} fresh the steps that the board has to animate now
 * @property {number} shows number of times the board was made to show its contents, changed or not
 * @property {Past | null} past the earlier moment that is shown; null for now
 * @property {Notice | null} notice
 * @property {boolean} sendsItself whether the turn being drawn up is played as soon as it is complete
 * @property {boolean} leaving whether the player is asked about leaving
 * @property {boolean} flipped
 * @property {boolean} muted
 */

/** @returns {SessionState} */
export const initialSession = () => ({
  turnDraft: null,
  held: { reserve: false, jumps: 0 },
  making: false,
  fresh: [],
  shows: 0,
  past: null,
  notice: null,
  sendsItself: false,
  leaving: false,
  flipped: false,
  muted: false,
});

/** The origin of an action: drawn on the board, or typed.
 * @typedef {'drawn' | 'typed'} Origin */

/**
 * The place that a session's turns come from.
 * @typedef {object} Source
 * @property {Ruleset} ruleset
 * @property {TurnDraft | null} turnDraft the turn being drawn up; null if none may be drawn up now
 * @property {Turn} turn the turn under way, with its steps so far
 * @property {boolean} [isAsking] whether the answer to a question about the turn is on its way
 * @property {(action: LegalAction, how: Origin) => Step[] | string} take adds an action to the turn, and returns the steps
 *   that the board has to animate, or the code of a refusal
 * @property {(count: number) => void} takeBackTo takes back all steps but the first `count`
 * @property {() => void} confirm plays the turn, ended early if moves are left
 */

/** A session of any page.
 * @typedef {ReturnType<typeof createSession<any>>} Session */

/**
 * @template {SessionState} State
 * @param {object} options
 * @param {Store<State>} options.store
 * @param {HTMLElement} options.place the place of the board on the page
 * @param {typeof createBoard} options.create
 * @param {() => Source | null} options.source null as long as there is nothing to show
 * @param {() => { bottom: Side, shown: Omit<Shown, 'animate'> } | null} options.contents the contents of the board, and
 *   the side at its lower edge; null if it stays as it is
 * @param {() => unknown[]} [options.needs] further values of the state that the contents depend on, compared by identity
 * @param {(state: State) => void} [options.refresh] called with each change, to update the page's part of the state
 * @param {() => boolean} [options.mayAct] whether a turn that is there can be acted on now
 * @param {(past: Past | null, where: string) => Past | null} [options.look] moves on from a moment of the history
 * @param {(turn: Turn) => boolean} [options.isAtOnce] whether a turn is played as soon as it is complete; without it,
 *   nothing guards against slips
 * @param {() => boolean} [options.isShared] whether nobody plays one side alone
 * @param {(key: string) => string | null} [options.excuse] the explanation in place of the board's, which does not know
 *   why nothing is legal just now
 * @param {(turnDraft: TurnDraft | null) => void} [options.taken] called after an action
 * @param {(turnDraft: TurnDraft | null) => void} [options.takenBack] called after steps were taken back
 * @param {() => void} [options.back] takes back what lies before the turn, if none of its steps are left
 * @param {() => void} [options.undo] in place of `undo` of the session for the board's keys
 * @param {() => void} [options.restart] likewise
 * @param {(name: Sound) => void} [options.sound]
 * @param {() => void} [options.toggleZen]
 * @param {boolean} [options.isGame] whether the page is that of a game, which has more keys
 * @param {(marks: readonly Arrow[]) => void} [options.marked] called with the arrows that were drawn on the board
 */
export function createSession({ store, place, create, source, contents, ...options }) {
  const state = /** @type {Readonly<SessionState>} */ (store.state);
  const { isAtOnce, sound } = options;
  /** @type {ReturnType<typeof createBoard> | null} */
  let board = null;
  /** The ruleset of the board.
   * @type {Ruleset | null} */
  let laid = null;
  let stepAt = Number.NEGATIVE_INFINITY;
  let sendTimer = 0;

  /** Changes the state, and draws what has changed. If the focused element disappears, the status gets the focus.
   * @param {(state: State) => void} edit
   * @param {Step[] | null} [fresh] steps that the board has to animate; with a list the board shows its contents again
   */
  function change(edit, fresh = null) {
    const focused = document.activeElement;
    const said = state.notice;
    store.change((next) => {
      edit(next);
      const own = /** @type {SessionState} */ (next);
      own.turnDraft = source()?.turnDraft ?? null;
      own.fresh = fresh ?? [];
      if (fresh !== null) own.shows += 1;
      if (own.turnDraft === null) own.sendsItself = false;
      options.refresh?.(next);
    });
    // A refusal that no longer holds must not be read as the latest message.
    if (said !== null && state.notice === null) announce('', 'assertive');
    playWhenComplete();
    const isLost = focused?.isConnected === false && document.activeElement === document.body;
    if (isLost) document.getElementById('status')?.focus();
  }

  /** Shows the position.
   * @param {Step[]} [animate] the steps that lead to it
   */
  const show = (animate = []) => change(() => {}, animate);

  const canAct = () =>
    state.past === null && source()?.turnDraft != null && (options.mayAct === undefined || options.mayAct());

  // --- The notice ---

  /** @param {string} text
   * @param {Partial<Notice>} [more]
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

  /** Shows the board's explanation of a press.
   * @param {string} key
   * @param {Args} args
   */
  function explainPress(key, args) {
    const excuse = options.excuse?.(key) ?? null;
    if (excuse !== null) return explain(excuse);
    const from = source();
    const rule = from && ruleBehind(from.ruleset, from.turn, key);
    const turn = typeof args.turn === 'number' ? args.turn : undefined;
    note(t(options.isShared?.() ? (SHARED[key] ?? key) : key, args), { rule, turn });
  }

  /** Copies a text and says so, or shows it where the browser does not let it be copied.
   * @param {string} text
   * @param {string} done
   */
  async function copy(text, done) {
    note((await copied(text)) ? t(done) : text);
  }

  /** Copies the text of the position on the board. */
  async function copyPosition() {
    const { position } = state.past?.moment ?? source()?.turn ?? { position: '' };
    await copy(position, 'replay.copied');
  }

  // --- The turn ---

  /** Plays a turn that needs no confirmation, but no sooner than one that is confirmed: a slip can be taken back. */
  function playWhenComplete() {
    clearTimeout(sendTimer);
    if (!state.sendsItself || !state.turnDraft?.complete || source()?.isAsking || !canAct()) return;
    sendTimer = window.setTimeout(play, Math.max(0, stepAt + SLIP_MS - performance.now()));
  }

  /** @param {Step} step */
  const stepped = (step) => sound?.(soundOf(step));

  /** @param {LegalAction} action
   * @param {Origin} how */
  function take(action, how) {
    const from = source();
    if (from === null || from.turnDraft === null || !canAct()) return;
    if (action.kind === 'end') return confirm();
    const { start, steps } = from.turnDraft;
    const isSent = isAtOnce?.(start) ?? false;
    const animate = from.take(action, how);
    if (typeof animate === 'string') {
      show();
      return explain(`refusal.${animate}`, { i: steps.length + 1 });
    }
    stepAt = performance.now();
    // The board sounds the steps that it animates, as a typed one, or one that waits for the server.
    const step = source()?.turnDraft?.steps[steps.length];
    if (how === 'drawn' && step !== undefined) stepped(step);
    change((next) => {
      next.notice = null;
      next.making = false;
      next.sendsItself = isSent;
    }, animate);
    options.taken?.(source()?.turnDraft ?? null);
  }

  /** @param {number} count the steps that stay */
  function takeBackTo(count) {
    const from = source();
    if (from === null || from.turnDraft === null || !canAct()) return;
    if (from.turnDraft.steps.length === 0) return options.back?.();
    from.takeBackTo(Math.max(0, count));
    change((next) => {
      next.notice = null;
      next.sendsItself = false;
    }, []);
    options.takenBack?.(source()?.turnDraft ?? null);
  }

  /** Takes back the last jump of a capture on its way, or else the last action. */
  function undo() {
    if (!board?.back()) takeBackTo((source()?.turnDraft?.steps.length ?? 0) - 1);
  }

  function restart() {
    board?.pick(null);
    takeBackTo(0);
  }

  /** Plays the turn, unless this press is a slip. */
  function confirm() {
    if (canAct() && (isAtOnce === undefined || performance.now() - stepAt >= SLIP_MS)) play();
  }

  function play() {
    if (!canAct()) return;
    change((next) => {
      next.notice = null;
      next.sendsItself = false;
    });
    source()?.confirm();
  }

  // --- Looking ---

  /** Shows another moment of the history.
   * @param {string} where a key, or the moment's own `#TURN.ACTION`
   */
  function look(where) {
    if (options.look === undefined) return;
    const past = options.look(state.past, where);
    board?.pick(null);
    change((next) => {
      next.past = past;
    }, []);
  }

  const flip = () =>
    change((next) => {
      next.flipped = !next.flipped;
    }, []);

  function mute() {
    change((next) => {
      next.muted = !next.muted;
    });
    remember('sound', state.muted ? 'off' : 'on');
    sound?.('move');
  }

  const makeInstead = () =>
    change((next) => {
      next.making = !next.making;
    }, []);

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

  // --- The board ---

  /** Handles a key of the board that is for the page.
   * @param {'help' | 'preferences' | 'zen'} what
   */
  function ask(what) {
    if (what === 'help' && laid !== null) showKeys(laid, options.isGame);
    else if (what === 'preferences') showPreferences();
    else if (what === 'zen') options.toggleZen?.();
  }

  /** Lays the board of a ruleset, unless it is there.
   * @param {Ruleset} ruleset
   */
  function lay(ruleset) {
    if (laid === ruleset) return;
    laid = ruleset;
    const host = document.createElement('div');
    place.replaceChildren(host);
    board = create(host, {
      game: gameOf(ruleset),
      ruleset,
      t,
      announce,
      onAction: (action) => take(action, 'drawn'),
      onStep: stepped,
      onUndo: options.undo ?? undo,
      onRestart: options.restart ?? restart,
      onAsk: ask,
      onExplain: explainPress,
      onHold: (held) =>
        change((next) => {
          next.held = held;
        }),
      onArrows: options.marked,
    });
  }

  store.subscribe(
    ({ turnDraft, past, making, flipped, shows }) => [
      turnDraft,
      past,
      making,
      flipped,
      shows,
      ...(options.needs?.() ?? []),
    ],
    ({ past, fresh }) => {
      const from = source();
      const now = contents();
      if (from === null || now === null) return;
      lay(from.ruleset);
      board?.setFlipped(now.bottom === 'first');
      board?.show(past?.board ?? { ...now.shown, animate: fresh });
    },
  );

  if (isAtOnce !== undefined)
    // Before the board's own keys: when nothing is left to move, Enter on the board is for the turn.
    place.addEventListener(
      'keydown',
      (event) => {
        if (event.key !== 'Enter' || state.turnDraft?.complete !== true) return;
        event.preventDefault();
        event.stopPropagation();
        if (!event.repeat) confirm();
      },
      { capture: true },
    );

  return {
    get board() {
      return board;
    },
    lay,
    change,
    show,
    canAct,
    note,
    explain,
    copy,
    copyPosition,
    take,
    takeBackTo,
    undo,
    restart,
    confirm,
    look,
    flip,
    mute,
    makeInstead,
    askToLeave,
    stay,
    /** @param {boolean} wanted */
    pickReserve: (wanted) => board?.pickReserve(wanted),
    showCapture: () => board?.showCapture(),
    help: () => ask('help'),
  };
}

/**
 * The contents of a board on which a turn is drawn up.
 *
 * @param {Pick<TurnDraft, 'turn' | 'steps' | 'legal' | 'groups' | 'barred' | 'bestCapture'>} turnDraft
 * @param {Pick<Shown, 'mySide' | 'lastSteps'> & Partial<Shown>} more
 * @param {boolean} [making] whether only the making of a piece is offered
 * @returns {Omit<Shown, 'animate'>}
 */
export function drawnUp({ turn, steps, legal, groups, barred, bestCapture }, more, making = false) {
  const offered = 'legal' in more ? (more.legal ?? null) : legal;
  return {
    turn,
    groups,
    barred,
    bestCapture: making ? null : bestCapture,
    draftSteps: steps,
    ...more,
    legal: making && offered !== null ? offered.filter(({ kind }) => kind === 'make') : offered,
  };
}
