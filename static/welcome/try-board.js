// The board to try: one position of Fibonacci that a visitor can win at once, on the board that games are played on.
// The position and its moves come with the page; the engine, which is loaded when a visitor turns to the board, finds the
// moves that may follow.

import { turnDraftOf, withOptions } from '../engine/turn-draft.js';
import { createSession, drawnUp } from '../session/board-session.js';
import { sessionStore } from '../session/session-state.js';
import { announce, byId, icon, t } from '../ui/page.js';
import { html, nothing, render } from '../vendor/lit-html@3.3.3/lit-html.js';
import { isWon, nextMove, stepsOnTheWay, wordsFor } from './try-words.js';
import { hintOf } from '../session/hint-words.js';
import { START } from './try-start.js';

/** @import { LegalAction } from '../protocol.js' */
/** @import { createBoard } from '../board/board.js' */
/** @import { Origin, Source } from '../session/board-session.js' */

/**
 * Ways on from the board.
 * @typedef {object} Onward
 * @property {() => void} play begins a game against the computer
 * @property {() => void} won the visitor has won for the first time
 */

/** @typedef {Awaited<ReturnType<typeof import('./try-engine.js').openPosition>>} Position */

/** Sets the board up in its place on the page.
 * @param {typeof createBoard} create
 * @param {Onward} onward
 */
export function openTry(create, onward) {
  const begun = withOptions(turnDraftOf(START.draft.turn, null), START);
  /** The position on the engine, once that is loaded.
   * @type {Position | null} */
  let position = null;
  /** @type {Promise<Position> | null} */
  let loading = null;
  let failures = 0;
  /** Number of the latest move that waits for the engine, the only one that counts. */
  let moveNo = 0;

  /** The position that came with the page is the engine's own, move for move. */
  const turnDraft = () => {
    const known = position?.source.turnDraft ?? begun;
    return known.steps.length === 0 ? begun : known;
  };
  const course = () => ({ turnDraft: turnDraft(), outcome: position?.outcome() ?? null });

  /** Whether the win is no longer possible in this turn. */
  const isLost = () => stepsOnTheWay(turnDraft()) < turnDraft().steps.length;

  /** @type {Source} */
  const source = {
    ruleset: 'fibonacci',
    get turnDraft() {
      return turnDraft();
    },
    get turn() {
      return turnDraft().turn;
    },
    take(action, how) {
      if (position !== null) return position.source.take(action, how);
      takeLater(action, how);
      return [];
    },
    takeBackTo: (count) => position?.source.takeBackTo(count),
    confirm() {},
  };

  const store = sessionStore({
    source,
    /** Whether a move waits for the engine. */
    isWaiting: false,
    isFailed: false,
  });
  const { state } = store;
  const session = createSession({
    store,
    place: byId('try-board'),
    create,
    contents() {
      // The board has moved its piece itself; the engine brings the position after it.
      if (state.isWaiting) return null;
      const isOver = course().outcome !== null;
      const { start, turn, legal } = turnDraft();
      const shown = { mySide: turn.side, legal: isOver ? [] : legal, lastSteps: [] };
      return { bottom: start.side, shown: drawnUp(turnDraft(), shown) };
    },
    taken() {
      if (state.isFailed && !state.isWaiting) settle(false);
      say();
    },
    takenBack: say,
    back: () => state.isWaiting && settle(false),
  });

  /** Says what has come of a move. */
  function say() {
    if (state.isWaiting || turnDraft().steps.length === 0) return;
    const { key, args } = wordsFor(course());
    announce(t(key, args));
    if (isWon(course())) onward.won();
  }

  /** Shows a move of the win, if there is one of the piece in the hand. Moves after which there is none are taken back first. */
  function hint() {
    if (isLost()) session.takeBackTo(stepsOnTheWay(turnDraft()));
    const move = nextMove(turnDraft(), state.held.picked);
    if (move !== undefined) session.note(hintOf(move));
  }

  /** Ends the waiting for the engine. If that did not load, the move is taken back.
   * @param {boolean} isFailed
   */
  function settle(isFailed) {
    moveNo += 1;
    session.update({ isWaiting: false, isFailed }, []);
  }

  /** Makes a move as soon as the engine is there.
   * @param {LegalAction} action
   * @param {Origin} how
   */
  async function takeLater(action, how) {
    moveNo += 1;
    const number = moveNo;
    session.update({ isWaiting: true, isFailed: false });
    try {
      const { source: loaded } = await load();
      if (number !== moveNo) return;
      loaded.take(action, how);
      settle(false);
      say();
    } catch (error) {
      console.warn(error);
      if (number !== moveNo) return;
      announce(t('try.failed'), 'assertive');
      settle(true);
    }
  }

  /** Loads the engine once; after a failure, again. */
  async function load() {
    loading ??= loadPosition(failures);
    try {
      position = await loading;
    } catch (error) {
      loading = null;
      failures += 1;
      throw error;
    }
    return position;
  }

  store.subscribe(Object.values, ({ notice, isFailed, held }) => {
    const hasWon = isWon(course());
    const { key, args } = wordsFor(course(), held.picked);
    render(
      html`<h2 id="try-title">${t(hasWon ? 'try.title_won' : 'try.title')}</h2>
        <div class="told"><p>${isFailed ? t('try.failed') : t(key, args)}</p>
          ${notice === null ? nothing : html`<p class="notice">${notice.text}</p>`}</div>
        <div class="tallest">${t('try.start', { n: 3 })} <p class="notice">${t('board.why.empty', { cell: 'a1' })}</p></div>`,
      byId('try-words'),
    );
    render(hasWon ? ways() : tools(), byId('try-tools'));
  });

  function tools() {
    const { isFailed, isWaiting } = state;
    const canUndo = isWaiting || turnDraft().steps.length > 0;
    const again = isFailed ? () => settle(false) : session.restart;
    return html`<button class="quiet" aria-disabled=${isWaiting} @click=${isWaiting ? nothing : hint}>${icon('bulb')} ${t('learn.hint')}</button>
      <button class="quiet" aria-disabled=${!canUndo} @click=${session.undo}>${icon('undo')} ${t('game.undo')}</button>
      <button class=${isFailed || isLost() ? 'primary' : 'quiet'} aria-disabled=${!isFailed && !canUndo} @click=${again}>${icon('restart')} ${t('try.again')}</button>`;
  }

  const ways = () =>
    html`<button class="primary" @click=${onward.play}>${t('bot.play')}</button>
      <a class="button" href="/learn/fibonacci">${t('face.learn')}</a>`;

  session.show();
  for (const type of ['pointerenter', 'focusin'])
    byId('try-board').addEventListener(type, () => load().catch(console.warn), { once: true });
}

/** Loads the engine with the position. Browsers remember that a module failed to load, so each attempt uses another address.
 * @param {number} failures
 */
async function loadPosition(failures) {
  const address = byId('try').dataset.position ?? '';
  /** @type {typeof import('./try-engine.js')} */
  const { openPosition } = await import(failures === 0 ? address : `${address}?again=${failures}`);
  return openPosition(START.draft.turn.position);
}
