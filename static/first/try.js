// The board to try: one position of Fibonacci that a visitor can win at once, on the board that games are played on.
// The position and its moves come with the page; the engine, which is loaded behind it, tells which moves may follow.

import { gameOf } from '../board/games.js';
import { showKeys } from '../play/show-keys.js';
import { actionsOf, deskOf, withAction, withOptions, withSteps } from '../play/seat.js';
import { drawn } from '../ui/loading.js';
import { announce, byId, icon, t } from '../ui/page.js';
import { showPreferences } from '../ui/preferences-dialog.js';
import { html, nothing, render } from '../vendor/lit-html@3.3.3/lit-html.js';
import { isWon, wordsFor } from './course.js';
import { START } from './start.js';

/** @import { createBoard } from '../board/board.js' */
/** @import { Choices } from '../engine/engine.js' */
/** @import { Desk } from '../play/seat.js' */
/** @import { Course } from './course.js' */

/**
 * Ways on from the board.
 * @typedef {object} Onward
 * @property {() => void} play
 * @property {() => void} sitDown
 * @property {() => void} won the visitor has won for the first time
 */

/** Sets the board up in its place on the page.
 * @param {typeof createBoard} create
 * @param {Onward} onward
 */
export function openTry(create, onward) {
  /** The desk as it is shown, which is a move ahead of the engine while that is being loaded.
   * @type {Desk | null}
   */
  let desk = null;
  /** @type {Course | null} */
  let course = null;
  /** The board's explanation of the last press. */
  let remark = '';
  let isFailed = false;
  let failures = 0;
  /** Gives what may follow some actions.
   * @type {Promise<(actions: string[]) => Choices> | null} */
  let loading = null;
  /** Questions are numbered so that only the answer to the latest counts. */
  let questionNo = 0;

  const board = create(byId('try-board'), {
    ...{ game: gameOf('fibonacci'), ruleset: 'fibonacci', t, announce },
    ...{ onUndo: undo, onRestart: restart },
    onAction(action) {
      if (desk === null) return;
      desk = withAction(desk, action, 'drawn');
      ask();
    },
    onAsk(what) {
      if (what === 'help') showKeys('fibonacci');
      else if (what === 'preferences') showPreferences();
    },
    onExplain(key, args) {
      remark = t(key, args);
      draw();
    },
  });

  /** Loads the engine once; after a failure, again. */
  function load() {
    loading ??= loadPosition(failures).catch((error) => {
      loading = null;
      failures += 1;
      throw error;
    });
    return loading;
  }

  /** Finds the position after the moves and the legal next ones. */
  async function ask() {
    questionNo += 1;
    const number = questionNo;
    remark = '';
    isFailed = false;
    draw();
    try {
      const actions = desk === null ? [] : actionsOf(desk);
      const choices = actions.length === 0 ? START : await choicesAfter(actions);
      if (number !== questionNo) return;
      const { draft, outcome } = choices;
      desk = withOptions(desk ?? deskOf(draft.turn, null), choices);
      course = { desk, outcome };
      const { key, args } = wordsFor(course);
      if (course.desk.steps.length > 0) announce(t(key, args));
      if (isWon(course)) onward.won();
    } catch (error) {
      console.warn(error);
      if (number !== questionNo) return;
      isFailed = true;
      announce(t('try.failed'), 'assertive');
      // Moves of which the engine does not know are taken back.
      desk = course?.desk ?? null;
    }
    show();
  }

  /** @param {string[]} actions */
  const choicesAfter = async (actions) => (await load())(actions);

  /** @param {number} count the moves that stay */
  function takeBackTo(count) {
    if (desk === null || desk.steps.length === 0) return;
    desk = withSteps(desk, Math.max(0, count));
    show();
    ask();
  }

  function undo() {
    if (!board.back()) takeBackTo((desk?.steps.length ?? 0) - 1);
  }

  function restart() {
    board.pick(null);
    takeBackTo(0);
  }

  function show() {
    draw();
    if (desk === null) return;
    board.setFlipped(desk.start.side === 'first');
    const { turn, steps, groups, barred } = desk;
    const isOver = course?.outcome !== null && desk === course?.desk;
    const legal = isOver ? [] : (desk.legal ?? []);
    board.show({
      turn,
      mySide: turn.side,
      legal,
      groups,
      barred,
      lastSteps: [],
      draftSteps: steps,
      animate: [],
    });
  }

  function draw() {
    const hasWon = course !== null && desk === course.desk && isWon(course);
    const canUndo = desk !== null && desk.steps.length > 0;
    render(
      html`<h2 id="try-title">${t(hasWon ? 'try.title_won' : 'try.title')}</h2>
        <p>${isFailed ? t('try.failed') : remark || words()}</p>`,
      byId('try-words'),
    );
    render(
      html`${!isFailed ? nothing : html`<button class="primary" @click=${ask}>${t('try.again')}</button>`}
        ${hasWon ? ways() : nothing}
        <button class="quiet" aria-disabled=${!canUndo} @click=${undo}>${icon('undo')} ${t('game.undo')}</button>
        <button class="quiet" aria-disabled=${!canUndo} @click=${restart}>${icon('restart')} ${t('game.restart')}</button>`,
      byId('try-tools'),
    );
  }

  function words() {
    if (course === null) return '';
    const { key, args } = wordsFor(course);
    return t(key, args);
  }

  const ways = () =>
    html`<button class="primary" @click=${onward.play}>${t('try.play')}</button>
      <button @click=${onward.sitDown}>${t('lobby.table')}</button>
      <a class="button" href="/rules/fibonacci">${t('try.learn')}</a>`;

  ask();
  drawn().then(load).catch(console.warn);
}

/** Loads the engine with the position. Browsers remember that a module failed to load, so each attempt uses another address.
 * @param {number} failures
 */
async function loadPosition(failures) {
  const address = byId('try').dataset.position ?? '';
  /** @type {typeof import('./position.js')} */
  const { openPosition } = await import(failures === 0 ? address : `${address}?again=${failures}`);
  return openPosition(START.draft.turn.position);
}
