// A session at one board: the position, the turn being drawn up, the moment looked at and the notice in one store, and
// the actions on them. Its turns come from a source: the server, a match of the page's own engine, or a record.

import { announce, focusStatus } from '../ui/page.js';
import { createLaidBoard } from './laid-board.js';
import { namedIn } from './named-cells.js';
import { createNotices } from './notices.js';
import { createTurnActions } from './turn-actions.js';
import { createViewActions } from './view-actions.js';

/** @import { LegalAction, Ruleset, Side, Step, Turn } from '../protocol.js' */
/** @import { Arrow } from '../board/arrows.js' */
/** @import { Shown, createBoard } from '../board/board.js' */
/** @import { TurnDraft } from '../engine/turn-draft.js' */
/** @import { Past } from '../panels/history.js' */
/** @import { Sound } from '../ui/tones.js' */
/** @import { SessionState } from './session-state.js' */
/** @import { Store } from './store.js' */

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

/**
 * The parts of a session that its actions share.
 * @typedef {object} Core
 * @property {Readonly<SessionState>} state
 * @property {(values: Partial<SessionState>, fresh?: Step[] | null) => void} update see `update` of the session
 * @property {() => boolean} canAct
 * @property {() => ReturnType<typeof createBoard> | null} board
 */

/** A session of any page.
 * @typedef {ReturnType<typeof createSession<any>>} Session */

/**
 * @template {SessionState} State
 * @param {object} options
 * @param {Store<State>} options.store
 * @param {HTMLElement} options.place the place of the board on the page
 * @param {typeof createBoard} options.create
 * @param {() => { bottom: Side, shown: Omit<Shown, 'animate'> } | null} options.contents the contents of the board, and
 *   the side at its lower edge; null if it stays as it is
 * @param {() => unknown[]} [options.needs] further values of the state that the contents depend on, compared by identity
 * @param {() => string} [options.words] a text of the page about cells, which are marked as those of a notice are
 * @param {() => Partial<State>} [options.derived] values of the page's part of the state that follow from others
 * @param {() => boolean} [options.mayAct] whether a turn that is there can be acted on now
 * @param {(past: Past | null, where: string) => Past | null} [options.showMoment] moves on from a moment of the history
 * @param {(turn: Turn) => boolean} [options.isAtOnce] whether a turn is played as soon as it is complete; without it,
 *   nothing guards against slips
 * @param {(ruleset: Ruleset, turn: Turn, key: string) => string | null} [options.ruleBehind] the clause behind an
 *   explanation, on pages that show it
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
export function createSession({ store, place, create, contents, ...options }) {
  const state = /** @type {Readonly<SessionState>} */ (store.state);
  /** Changes values of the state, and draws what has changed. If the focused element disappears, the status gets the focus.
   * @param {Partial<State> | Partial<SessionState>} values
   * @param {Step[] | null} [fresh] steps that the board has to animate; with a list the board shows its contents again
   */
  function update(values, fresh = null) {
    const focused = document.activeElement;
    const said = state.notice;
    store.update(/** @type {Partial<State>} */ (values), (next) => {
      const own = /** @type {SessionState} */ (next);
      Object.assign(next, options.derived?.());
      own.turnDraft = own.source?.turnDraft ?? null;
      own.fresh = fresh ?? [];
      if (fresh !== null) own.shows += 1;
      if (own.turnDraft === null) own.sendsItself = false;
    });
    // A refusal that no longer holds must not be read as the latest message.
    if (said !== null && state.notice === null) announce('', 'assertive');
    turn.playWhenComplete();
    const isLost = focused?.isConnected === false && document.activeElement === document.body;
    if (isLost) focusStatus();
  }

  /** Shows the position.
   * @param {Step[]} [animate] the steps that lead to it
   */
  const show = (animate = []) => update({}, animate);

  const canAct = () =>
    state.past === null &&
    state.source?.turnDraft != null &&
    (options.mayAct === undefined || options.mayAct());

  const laid = createLaidBoard(place, create, {
    handlers: () => ({
      onAction: (action) => turn.take(action, 'drawn'),
      onStep: turn.stepped,
      onReplay: (replayed) => replayed !== state.replayed && update({ replayed }),
      onUndo: options.undo ?? turn.undo,
      onRestart: options.restart ?? turn.restart,
      onExplain: notices.explainPress,
      // An explanation of a press is about the piece that was picked then.
      onHold: (held) =>
        update(held.picked !== null && state.notice?.isOfPress ? { held, notice: null } : { held }),
      onArrows: options.marked,
    }),
    toggleZen: options.toggleZen,
    isGame: options.isGame,
  });
  /** @type {Core} */
  const core = { state, update, canAct, board: () => laid.board };
  const notices = createNotices(core, options);
  const turn = createTurnActions({ ...core, explain: notices.explain }, options);
  const view = createViewActions(core, options);
  place.addEventListener('keydown', turn.onEnter, { capture: true });

  store.subscribe(
    ({ turnDraft, past, making, flipped, shows }) => [
      turnDraft,
      past,
      making,
      flipped,
      shows,
      ...(options.needs?.() ?? []),
    ],
    ({ source, past, fresh }) => {
      const now = contents();
      if (source === null || now === null) return;
      laid.lay(source.ruleset);
      laid.board?.setFlipped(now.bottom === 'first');
      laid.board?.show(past?.board ?? { ...now.shown, animate: fresh });
    },
  );

  // The board marks the cells that the text beside it names, as long as the text is there.
  store.subscribe(
    ({ notice, turnDraft, past, shows }) => [notice, turnDraft, past, shows, options.words?.()],
    ({ notice }) => {
      const [told, words] = [notice?.text, options.words?.()].map((text) => namedIn(text ?? ''));
      laid.board?.setNamed(told.length > 0 ? told : words);
    },
  );

  const { note, explain, copy, copyLink, copyPosition } = notices;
  const { take, takeBackTo, undo, restart, confirm } = turn;
  return {
    get board() {
      return laid.board;
    },
    lay: laid.lay,
    help: laid.help,
    update,
    show,
    canAct,
    note,
    explain,
    copy,
    copyLink,
    copyPosition,
    take,
    takeBackTo,
    undo,
    restart,
    confirm,
    ...view,
    /** @param {boolean} wanted */
    pickReserve: (wanted) => laid.board?.pickReserve(wanted),
    showCapture: () => laid.board?.showCapture(),
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
