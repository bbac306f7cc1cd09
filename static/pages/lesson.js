// A lesson, step by step on the board that games are played on. The engine in the page answers which moves may follow;
// the server is not asked.

import { createBoard } from '../board/board.js';
import { engineOfPage } from '../engine/engine.js';
import { setUp } from '../lessons/exercise.js';
import { LESSONS, lessonOf } from '../lessons/lessons.js';
import { firstOpen, rememberDone } from '../lessons/progress.js';
import { askOf, headOf, statusOf } from '../lessons/lesson-words.js';
import { beginWithBot, firstGame } from '../lobby/bot-game.js';
import { lastWord } from '../connection/links.js';
import { openSession } from '../connection/session.js';
import { earlyEnd } from '../engine/turn-draft.js';
import { CELL } from '../session/named-cells.js';
import { hintOf } from '../session/hint-words.js';
import { handWords } from '../session/next-words.js';
import { matchSource } from '../session/match-source.js';
import { createSession, drawnUp } from '../session/board-session.js';
import { sessionStore } from '../session/session-state.js';
import { drawTrays } from '../panels/trays.js';
import { insist } from '../ui/loading.js';
import { beginHeader } from '../ui/header.js';
import { announce, byId, icon, renderAll, rulesetName, t, wordsOf } from '../ui/page.js';
import { stressed } from '../ui/stressed.js';
import { offerWayOutOfZen } from '../panels/zen.js';
import { html, nothing, render } from '../vendor/lit-html@3.3.3/lit-html.js';

/** @import { Course } from '../lessons/exercise.js' */

const lesson = lessonOf(lastWord(location.pathname)) ?? LESSONS[0];
const { ruleset, steps } = lesson;

const store = sessionStore({
  /** The index of the step that is shown. */
  at: chosen(),
  course: /** @type {Course | null} */ (null),
  /** The refusal of a first game. */
  trouble: '',
  isBeginning: false,
});
const { state } = store;

const session = createSession({
  store,
  place: byId('board'),
  create: createBoard,
  contents,
  words: () => (state.course?.progress === 'open' ? askOf(lesson, state.course.step) : ''),
  taken: judge,
  undo,
  restart,
});

/** Changes the state of this page, and shows it without what was said before.
 * @param {Partial<typeof state>} [values]
 */
function show(values = {}) {
  session.update({ notice: null, trouble: '', ...values }, []);
}

// --- The step ---

/** The index of the step that the address names, or else of the first one that was not done. */
function chosen() {
  const named = Number(/^#(\d{1,2})$/.exec(location.hash)?.[1]);
  return named >= 1 && named <= steps.length ? named - 1 : firstOpen(lesson);
}

/** Sets up the position of the step that the address names. */
function open() {
  state.course?.local.close();
  const at = chosen();
  const course = setUp(engine, lesson, steps[at]);
  const source = matchSource(ruleset, course.local, { confirm: endTurn });
  announce(askOf(lesson, course.step));
  show({ at, source, course });
}

/** Says what has come of the last action. With the keyboard, the way on has the focus then. */
function judge() {
  const { course } = state;
  if (course === null) return;
  const { progress, step } = course;
  if (progress === 'done') rememberDone(lesson, step.id);
  const isByKey = byId('board').querySelector(':focus-visible') !== null;
  show();
  announce(`${headOf(course)} ${statusOf(lesson, course)}`);
  if (progress !== 'open' && isByKey)
    /** @type {HTMLElement | null} */ (byId('tools').querySelector('.primary'))?.focus();
}

function endTurn() {
  const { course } = state;
  const end = course === null ? undefined : earlyEnd(course.local.turnDraft);
  if (end === undefined) return;
  course?.local.take(end.text);
  judge();
}

function undo() {
  const { course } = state;
  if (course === null || course.progress === 'done' || session.board?.back()) return;
  course.local.undo();
  show();
}

function restart() {
  if (state.course === null) return;
  session.board?.pick(null);
  state.course.local.restart();
  show();
}

/** Shows the next action of the solution, from the beginning if the turn began otherwise. */
function hint() {
  const { course } = state;
  if (course === null) return;
  const text = course.toNext();
  const action = course.local.turnDraft.legal?.find((legal) => legal.text === text);
  if (action === undefined) return;
  show();
  session.note(hintOf(action));
}

/** @param {number} to the index of a step */
function go(to) {
  location.hash = String(to + 1);
}

async function play() {
  if (state.isBeginning) return;
  session.update({ isBeginning: true });
  let trouble = '';
  try {
    await beginWithBot(openSession, firstGame(ruleset));
  } catch (error) {
    trouble = wordsOf(error);
    announce(trouble, 'assertive');
  }
  session.update({ isBeginning: false, trouble });
}

// --- Drawing ---

function contents() {
  const { course } = state;
  if (course === null) return null;
  const { turnDraft, match } = course.local;
  const { side } = turnDraft.start;
  const legal = course.progress === 'open' ? turnDraft.legal : [];
  return {
    bottom: side,
    shown: drawnUp(turnDraft, { mySide: side, lastSteps: match.steps, legal }),
  };
}

store.subscribe(Object.values, () => {
  const { at, course } = state;
  const title = t('learn.lesson', { game: rulesetName(ruleset) });
  document.title = t('page.title', { page: title });
  const i = at + 1;
  renderAll({
    task: html`<h1>${title}</h1>
      <p class="lead">${t('learn.step', { i, n: steps.length })}
        <progress value=${i} max=${steps.length} aria-hidden="true"></progress></p>
      <p class="order">${stressed(askOf(lesson, steps[at]), CELL)}</p>`,
    status: statusOfStep(),
  });
  const isOpen = course?.progress === 'open';
  drawTrays(ruleset, state, session, isOpen);
  drawTools();
});

function statusOfStep() {
  const { course, notice, trouble } = state;
  const head = course === null ? '' : headOf(course);
  const words =
    trouble || notice?.text || (course === null ? '' : (handWords(state) ?? statusOf(lesson, course)));
  return html`${head === '' ? nothing : html`<h2>${head}</h2>`}<p>${words}</p>${isOver() ? ending() : nothing}`;
}

/** True if the last step has just been done. */
const isOver = () => state.course?.progress === 'done' && state.at === steps.length - 1;

const ending = () =>
  html`<h2>${t('learn.over')}</h2>
    <p>${t('learn.over_words')}</p>
    <p class="onward">
      <button class="primary" aria-disabled=${state.isBeginning} @click=${play}>${t('learn.play')}</button>
      <a class="button" href=${`/puzzles/${ruleset}`}>${t('learn.puzzles')}</a>
      <a class="button" href=${`/rules/${ruleset}`}>${t('learn.rules')}</a>
      <a class="button" href="/learn">${t('learn.other')}</a>
    </p>`;

/** Draws the buttons. If the focused one goes, the board has the focus. */
function drawTools() {
  const tools = byId('tools');
  const isFocused = tools.contains(document.activeElement);
  render(toolsOf(), tools);
  if (isFocused && !tools.contains(document.activeElement))
    /** @type {HTMLElement | null} */ (byId('board').querySelector('[tabindex="0"]'))?.focus();
}

/** The buttons, each in a place of its own, which stays empty without it. */
function toolsOf() {
  const { at, course } = state;
  const progress = course?.progress ?? 'open';
  const isLast = at === steps.length - 1;
  const hasSteps = (course?.local.turnDraft.steps.length ?? 0) > 0;
  const next = progress === 'done' && !isLast;
  const [empty, again] = [html`<span></span>`, html`${icon('restart')} ${t('learn.again')}`];
  /** The way on, or a hint of it. */
  function onward() {
    if (next) return html`<button class="primary" @click=${() => go(at + 1)}>${t('learn.next')}</button>`;
    if (progress === 'done') return empty;
    if (canEnd()) return html`<button class="primary" @click=${endTurn}>${t('learn.end_turn')}</button>`;
    return html`<button @click=${hint}>${icon('bulb')} ${t('learn.hint')}</button>`;
  }
  return html`${onward()}
    ${progress === 'missed' ? html`<button class="primary" @click=${restart}>${again}</button>` : html`<button class="quiet" aria-disabled=${!hasSteps} @click=${restart}>${again}</button>`}
    ${at === 0 ? empty : html`<button class="quiet" @click=${() => go(at - 1)}>${t('learn.back')}</button>`}
    ${next || isLast ? empty : html`<button class="quiet" @click=${() => go(at + 1)}>${t('learn.skip')}</button>`}`;
}

/** True if the step is about a turn that ends early, and it may end now. */
const canEnd = () =>
  state.course?.progress === 'open' &&
  state.course.step.solution.includes('end') &&
  earlyEnd(state.course.local.turnDraft) !== undefined;

beginHeader();
offerWayOutOfZen();
session.lay(ruleset);
session.show();
const engine = await insist('engine', engineOfPage);
window.addEventListener('hashchange', open);
open();
