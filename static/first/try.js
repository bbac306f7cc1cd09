// The board to try: one position of Fibonacci that a visitor can win at once, on the board that games are played on.
// The position comes with the page; the server answers which moves may follow.

import { gameOf } from '../board/games.js';
import { tryActions } from '../net/api.js';
import { showKeys } from '../play/show-keys.js';
import { actionsOf, deskOf, withAction, withOptions, withSteps } from '../play/seat.js';
import { announce, byId, icon, t, wordsOf } from '../ui/page.js';
import { showPreferences } from '../ui/preferences-dialog.js';
import { html, nothing, render } from '../vendor/lit-html@3.3.3/lit-html.js';
import { isWon, wordsFor } from './course.js';
import { START } from './start.js';

/** @import { createBoard } from '../board/board.js' */
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
  /** The desk as it is shown, which may be a move ahead of what the server has confirmed.
   * @type {Desk | null}
   */
  let desk = null;
  /** @type {Course | null} */
  let course = null;
  /** The board's explanation of the last press. */
  let remark = '';
  /** @type {string | null} */
  let trouble = null;
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

  /** Asks the server for the position after the moves and the legal next ones. */
  async function ask() {
    questionNo += 1;
    const number = questionNo;
    remark = '';
    trouble = null;
    draw();
    try {
      const actions = desk === null ? [] : actionsOf(desk);
      const trial = actions.length === 0 ? START : await tryActions(actions);
      if (number !== questionNo) return;
      const { draft, outcome } = trial;
      desk = withOptions(desk ?? deskOf(draft.turn, null), trial);
      course = { desk, outcome };
      const { key, args } = wordsFor(course);
      if (course.desk.steps.length > 0) announce(t(key, args));
      if (isWon(course)) onward.won();
    } catch (error) {
      if (number !== questionNo) return;
      trouble = wordsOf(error);
      announce(trouble, 'assertive');
      // Unconfirmed moves are taken back.
      desk = course?.desk ?? null;
    }
    show();
  }

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
        <p>${trouble ?? (remark || words())}</p>`,
      byId('try-words'),
    );
    render(
      html`${trouble === null ? nothing : html`<button class="primary" @click=${ask}>${t('try.again')}</button>`}
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
}
