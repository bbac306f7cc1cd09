// A lesson, step by step on the board that games are played on. The engine in the page answers which moves may follow;
// the server is not asked.

import { createBoard } from '../board/board.js';
import { gameOf } from '../board/games.js';
import { engineOfPage } from '../engine/engine.js';
import { setUp } from '../lessons/course.js';
import { LESSONS, lessonOf } from '../lessons/lessons.js';
import { firstOpen, rememberDone } from '../lessons/progress.js';
import { askOf, cellsOf, headOf, hintOf, statusOf } from '../lessons/words.js';
import { beginWithBot } from '../lobby/versus.js';
import { lastWord } from '../net/links.js';
import { openSession } from '../net/session.js';
import { otherSide } from '../play/model.js';
import { showKeys } from '../play/show-keys.js';
import { reserveTray } from '../play/panels.js';
import { earlyEnd } from '../play/seat.js';
import { insist } from '../ui/loading.js';
import { announce, byId, icon, leadToRules, rulesetName, showHeader, t, wordsOf } from '../ui/page.js';
import { offerPreferences, showPreferences } from '../ui/preferences-dialog.js';
import { html, nothing, render } from '../vendor/lit-html@3.3.3/lit-html.js';

/** @import { LegalAction, Side } from '../protocol.js' */
/** @import { Course } from '../lessons/course.js' */

const lesson = lessonOf(lastWord(location.pathname)) ?? LESSONS[0];
const { ruleset, steps } = lesson;

/** The index of the step that is shown. */
let at = chosen();
/** @type {Course | null} */
let course = null;
/** The board's explanation of the last press, or a hint. */
let remark = '';
/** The cells that a hint shows.
 * @type {string[]} */
let shown = [];
let isReserve = false;
/** The refusal of a first game. */
let trouble = '';
let isBeginning = false;

const board = createBoard(byId('board'), {
  ...{ game: gameOf(ruleset), ruleset, t, announce },
  ...{ onAction: take, onUndo: undo, onRestart: restart },
  onAsk(what) {
    if (what === 'help') showKeys(ruleset);
    else if (what === 'preferences') showPreferences();
  },
  onExplain(key, args) {
    remark = t(key, args);
    announce(remark);
    draw();
  },
  onHold(held) {
    isReserve = held.reserve;
    draw();
  },
});
// --- The step ---

/** The index of the step that the address names, or else of the first one that was not done. */
function chosen() {
  const named = Number(/^#(\d{1,2})$/.exec(location.hash)?.[1]);
  return named >= 1 && named <= steps.length ? named - 1 : firstOpen(lesson);
}

/** Sets up the position of the step that the address names. */
function open() {
  course?.local.close();
  at = chosen();
  course = setUp(engine, lesson, steps[at]);
  clear();
  announce(askOf(lesson, course.step));
  show();
}

function clear() {
  remark = '';
  shown = [];
  trouble = '';
  isReserve = false;
}

/** @param {Pick<LegalAction, 'text'>} action */
function take({ text }) {
  if (course === null) return;
  course.local.take(text);
  judge();
}

/** Says what has come of the last action. With the keyboard, the way on has the focus then. */
function judge() {
  if (course === null) return;
  clear();
  const { progress, step } = course;
  if (progress === 'done') rememberDone(lesson, step.id);
  const isByKey = byId('board').querySelector(':focus-visible') !== null;
  show();
  announce(`${headOf(course)} ${statusOf(lesson, course)}`);
  if (progress !== 'open' && isByKey)
    /** @type {HTMLElement | null} */ (byId('tools').querySelector('.primary'))?.focus();
}

function endTurn() {
  const end = course === null ? undefined : earlyEnd(course.local.desk);
  if (end !== undefined) take(end);
}

function undo() {
  if (course === null || course.progress === 'done' || board.back()) return;
  course.local.undo();
  clear();
  show();
}

function restart() {
  if (course === null) return;
  board.pick(null);
  course.local.restart();
  clear();
  show();
}

/** Shows the next action of the solution, from the beginning if the turn began otherwise. */
function hint() {
  if (course === null) return;
  const text = course.toNext();
  const action = course.local.desk.legal?.find((legal) => legal.text === text);
  if (action === undefined) return;
  clear();
  remark = hintOf(action);
  shown = cellsOf(action);
  announce(remark);
  show();
}

/** @param {number} to the index of a step */
function go(to) {
  location.hash = String(to + 1);
}

async function play() {
  if (isBeginning) return;
  isBeginning = true;
  draw();
  try {
    await beginWithBot(openSession, ruleset, 1);
  } catch (error) {
    trouble = wordsOf(error);
    announce(trouble, 'assertive');
  }
  isBeginning = false;
  draw();
}

// --- Drawing ---

function show() {
  draw();
  if (course === null) return;
  const { desk, match } = course.local;
  board.setFlipped(desk.start.side === 'first');
  board.show({
    ...{ turn: desk.turn, mySide: desk.start.side, lastSteps: match.steps, draftSteps: desk.steps },
    ...{ groups: desk.groups, barred: desk.barred, bestCapture: desk.bestCapture, animate: [] },
    legal: course.progress === 'open' ? desk.legal : [],
    decisive: shown,
  });
}

function draw() {
  const title = t('learn.lesson', { game: rulesetName(ruleset) });
  document.title = t('page.title', { page: title });
  const i = at + 1;
  render(
    html`<h1>${title}</h1>
      <p class="lead">${t('learn.step', { i, n: steps.length })}
        <progress value=${i} max=${steps.length} aria-hidden="true"></progress></p>
      <p class="order">${askOf(lesson, steps[at])}</p>`,
    byId('task'),
  );
  drawTrays();
  drawStatus();
  drawTools();
}

/** The reserves, where there are any; one's own can be pressed. */
function drawTrays() {
  const desk = course?.local.desk;
  const reserves = desk?.turn.reserves ?? null;
  const mine = desk?.start.side ?? 'first';
  const canDrop = course?.progress === 'open' && (desk?.legal ?? []).some(({ kind }) => kind === 'drop');
  const press = canDrop ? { picked: isReserve, press: () => board.pickReserve(!isReserve) } : {};
  const tray = (/** @type {Side} */ of, extra = {}) =>
    reserves === null ? nothing : reserveTray({ ruleset, side: of, men: reserves[of], ...extra });
  render(tray(otherSide(mine)), byId('tray-top'));
  render(tray(mine, press), byId('tray-bottom'));
}

function drawStatus() {
  const head = course === null ? '' : headOf(course);
  const words = trouble || remark || (course === null ? '' : statusOf(lesson, course));
  render(
    html`${head === '' ? nothing : html`<h2>${head}</h2>`}<p>${words}</p>${isOver() ? ending() : nothing}`,
    byId('status'),
  );
}

/** True if the last step has just been done. */
const isOver = () => course?.progress === 'done' && at === steps.length - 1;

const ending = () =>
  html`<h2>${t('learn.over')}</h2>
    <p>${t('learn.over_words')}</p>
    <p class="onward">
      <button class="primary" aria-disabled=${isBeginning} @click=${play}>${t('learn.play')}</button>
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

function toolsOf() {
  const progress = course?.progress ?? 'open';
  const isLast = at === steps.length - 1;
  const hasSteps = (course?.local.desk.steps.length ?? 0) > 0;
  const next = progress === 'done' && !isLast;
  return html`${next ? html`<button class="primary" @click=${() => go(at + 1)}>${t('learn.next')}</button>` : nothing}
    ${progress === 'missed' ? html`<button class="primary" @click=${restart}>${icon('restart')} ${t('learn.again')}</button>` : nothing}
    ${canEnd() ? html`<button class="primary" @click=${endTurn}>${t('learn.end_turn')}</button>` : nothing}
    ${progress === 'done' ? nothing : html`<button @click=${hint}>${icon('eye')} ${t('learn.hint')}</button>`}
    ${progress === 'missed' ? nothing : html`<button class="quiet" aria-disabled=${!hasSteps} @click=${restart}>${icon('restart')} ${t('learn.again')}</button>`}
    ${at === 0 ? nothing : html`<button class="quiet" @click=${() => go(at - 1)}>${t('learn.back')}</button>`}
    ${next || isLast ? nothing : html`<button class="quiet" @click=${() => go(at + 1)}>${t('learn.skip')}</button>`}`;
}

/** True if the step is about a turn that ends early, and it may end now. */
const canEnd = () =>
  course !== null &&
  course.progress === 'open' &&
  course.step.solution.includes('end') &&
  earlyEnd(course.local.desk) !== undefined;

showHeader('learn');
leadToRules(ruleset);
offerPreferences();
draw();
const engine = await insist('engine', engineOfPage);
window.addEventListener('hashchange', open);
open();
