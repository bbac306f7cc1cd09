// The puzzles: a position with a task, on the board that games are played on. The first one is that of the day, and on
// the page of a game one of that game. The engine in the page answers which moves may follow, and the search judges what
// the outcome of a turn does not tell; the server is not asked.

import { createBoard } from '../board/board.js';
import { gameOf } from '../board/games.js';
import { engineOfPage } from '../engine/engine.js';
import { createThinker } from '../local/thinker.js';
import { askTime } from '../net/api.js';
import { serverTime } from '../net/server-time.js';
import { otherSide } from '../play/model.js';
import { showKeys } from '../play/show-keys.js';
import { actionWords, reserveTray } from '../play/panels.js';
import { actionsOf, withAction, withSteps } from '../play/seat.js';
import { walkButton } from '../play/walk.js';
import { chosen, nextAfter } from '../puzzle/choice.js';
import { entryOfDay, puzzlesOfPage } from '../puzzle/collection.js';
import {
  courseOf,
  isWhole,
  judged,
  judgementBy,
  opened,
  solutionOf,
  tried,
  turnAt,
  withChoices,
} from '../puzzle/course.js';
import { rememberDay, rememberSolved, solvedHere, streakHere } from '../puzzle/solved.js';
import { dayOf, daysOn } from '../puzzle/streak.js';
import { headOf, statusOf, taskOf } from '../puzzle/words.js';
import { lastWord } from '../net/links.js';
import { insist } from '../ui/loading.js';
import {
  RULESETS,
  announce,
  byId,
  icon,
  leadToRules,
  recall,
  remember,
  rulesetName,
  showHeader,
  t,
} from '../ui/page.js';
import { offerPreferences, showPreferences } from '../ui/preferences-dialog.js';
import { html, nothing, render } from '../vendor/lit-html@3.3.3/lit-html.js';

/** @import { LegalAction, Outcome, Ruleset, Side, Step } from '../protocol.js' */
/** @import { Course } from '../puzzle/course.js' */

const GRADES = [1, 2, 3, 4, 5];

/** @type {Course | null} */
let course = null;
/** @type {ReturnType<typeof createBoard> | null} */
let board = null;
/** The ruleset of the board.
 * @type {Ruleset | null} */
let boardOf = null;
/** The day whose puzzle is that of the day; 0 until it is looked up. */
let day = 0;
/** The ruleset and the grade that are wanted; an empty text and 0 for all. */
let wanted = {
  ruleset:
    ofPage() ?? RULESETS.find((name) => name === recall('puzzle ruleset')) ?? /** @type {const} */ (''),
  grade: GRADES.find((grade) => String(grade) === recall('puzzle grade')) ?? 0,
};
/** The board's explanation of the last press. */
let remark = '';
/** @type {string | null} */
let trouble = null;
/** What the button beside the trouble does. */
let retry = () => {};
let isReserve = false;
/** Questions are numbered so that only the answer to the latest counts. */
let questionNo = 0;

const thinker = createThinker();

// --- Puzzles ---

/** The ruleset that the page is about; undefined on the page of the day. */
function ofPage() {
  return RULESETS.find((name) => name === lastWord(location.pathname));
}

const named = () => /^#([0-9a-f]{8})(?![a-z\d])/i.exec(location.hash)?.[1].toLowerCase() ?? null;

/** The puzzle of the day. */
const today = () => entryOfDay(entries, day);

/** Opens the puzzle that the address names, or one of its game, or that of the day. */
function open() {
  const id = named();
  if (id === null && ofPage() !== undefined) return goOn();
  wanted.ruleset = ofPage() ?? wanted.ruleset;
  if (id === null || day === 0) day = dayOf(serverTime.now());
  const entry = id === null ? today() : entries.find(({ puzzle }) => puzzle.id === id);
  questionNo += 1;
  trouble = null;
  remark = '';
  if (entry === undefined) return report(t('puzzle.unknown'), openToday);
  course = courseOf(opened(engine, entry));
  const { ruleset } = entry;
  leadToRules(ruleset);
  setBoard(ruleset);
  announce(`${titleOf(course)}. ${taskOf(course)}`);
  show([]);
}

/** Leaves the address of a puzzle that does not exist. */
function openToday() {
  history.replaceState(null, '', '/puzzles');
  open();
}

/** @param {Ruleset} ruleset */
function setBoard(ruleset) {
  if (boardOf === ruleset) return;
  boardOf = ruleset;
  isReserve = false;
  const host = document.createElement('div');
  byId('board').replaceChildren(host);
  board = createBoard(host, {
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
}

// --- The turn ---

/** @param {LegalAction} action */
function take(action) {
  if (course === null || course.state === 'judged') return;
  course = { ...course, state: 'open', desk: withAction(course.desk, action, 'drawn') };
  ask();
}

/** Asks the engine for the position after the moves and the legal next ones, and has a whole turn judged. */
async function ask() {
  if (course === null) return;
  questionNo += 1;
  const number = questionNo;
  remark = '';
  trouble = null;
  try {
    const choices = tried(engine, course);
    course = withChoices(course, choices);
    if (isWhole(course)) return await judge(number, choices.outcome);
    show([]);
    announce(statusOf(course));
  } catch (error) {
    if (number !== questionNo) return;
    console.warn(error);
    // The turn can be judged again.
    course = { ...course, state: 'open' };
    show([]);
    report(t('puzzle.engine_failed'), ask);
  }
}

/**
 * @param {number} number of the question
 * @param {Outcome | null} outcome after the turn
 */
async function judge(number, outcome) {
  if (course === null) return;
  course = { ...course, state: 'judged' };
  show([]);
  const { puzzle, turns, desk } = course;
  const { ruleset, source } = puzzle;
  const attempt = { ruleset, puzzle: source, turns: [...turns, actionsOf(desk)] };
  const judgement = judgementBy(course, outcome) ?? (await thinker.ask('judge', attempt));
  if (number !== questionNo) return;
  course = judged(engine, course, judgement);
  if (course.state === 'solved') {
    rememberSolved(puzzle.id);
    if (puzzle.id === today().puzzle.id) rememberDay(day);
  }
  show(course.reply ?? []);
  announce(`${headOf(course)} ${statusOf(course)}`, course.state === 'open' ? 'polite' : 'assertive');
}

/** @param {number} count the moves that stay */
function takeBackTo(count) {
  if (course === null || ['judged', 'solved'].includes(course.state) || course.desk.steps.length === 0)
    return;
  const reply = course.state === 'failed' ? null : course.reply;
  course = { ...course, state: 'open', reply, desk: withSteps(course.desk, Math.max(0, count)) };
  show([]);
  ask();
}

function undo() {
  if (course === null || course.solution !== null || board?.back()) return;
  takeBackTo(course.desk.steps.length - 1);
}

/** Begins the puzzle again. */
function restart() {
  if (course === null) return;
  questionNo += 1;
  remark = '';
  trouble = null;
  board?.pick(null);
  course = courseOf(course.puzzle);
  show([]);
}

// --- The solution ---

function showSolution() {
  if (course === null) return;
  questionNo += 1;
  trouble = null;
  const { puzzle, state } = course;
  const solution = course.solution ?? solutionOf(engine, puzzle);
  course = { ...courseOf(puzzle), state: state === 'solved' ? 'solved' : 'open', solution };
  go(1);
}

/** @param {number} to */
function go(to) {
  if (course === null || course.solution === null) return;
  const { solution, shown } = course;
  const next = Math.max(0, Math.min(solution.length - 1, to));
  course = { ...course, shown: next };
  const step = solution[next].steps.at(-1);
  show(next === shown + 1 && step !== undefined ? [step] : []);
  announce(statusOf(course));
}

// --- Drawing ---

/** @param {Step[]} animate */
function show(animate) {
  draw();
  if (course === null || board === null) return;
  const { puzzle, desk, reply, solution, shown, state } = course;
  const mine = puzzle.start.draft.turn.side;
  board.setFlipped(mine === 'first');
  const common = { barred: [], groups: [], bestCapture: null, draftSteps: [], animate };
  if (solution !== null && (shown > 0 || state !== 'solved')) {
    const moment = solution[shown];
    board.show({
      ...common,
      ...{ turn: turnAt(course, moment), mySide: null, legal: null, lastSteps: moment.steps },
    });
  } else if (state === 'failed' && reply !== null) {
    const { position, threats } = reply[reply.length - 1];
    const turn = { ...desk.turn, position, threats };
    board.show({ ...common, turn, mySide: null, legal: null, lastSteps: reply });
  } else {
    const { turn, steps, groups, barred, bestCapture } = desk;
    const legal = state === 'open' ? (desk.legal ?? []) : [];
    const lastSteps = reply ?? [];
    board.show({
      ...{ turn, mySide: mine, legal, groups, barred, bestCapture, lastSteps, animate },
      draftSteps: steps,
    });
  }
}

function draw() {
  if (course === null) return drawStatus(null);
  const game = ofPage();
  const page = game === undefined ? t('puzzle.title') : t('puzzle.of_game', { game: rulesetName(game) });
  document.title = t('page.title', { page });
  render(
    html`<h1>${titleOf(course)}</h1>
      <p class="lead">${rulesetName(course.puzzle.ruleset)} · ${t('puzzle.of_grade', { n: course.puzzle.source.grade })}
        · <a href=${`/rules/${course.puzzle.ruleset}`}>${t('page.rules')}</a>
        · <a href=${`/learn/${course.puzzle.ruleset}`}>${t('puzzle.lesson')}</a></p>
      <p class="order">${taskOf(course)}</p>`,
    byId('task'),
  );
  drawTrays(course);
  drawStatus(course);
  drawTools(course);
  drawChoice();
}

/** @param {Course} course */
const titleOf = ({ puzzle }) => t(puzzle.id === today().puzzle.id ? 'puzzle.today' : 'puzzle.one');

/** @param {Course | null} course */
function drawStatus(course) {
  const head = course === null ? '' : headOf(course);
  const words = trouble ?? (remark || (course === null ? '' : statusOf(course)));
  render(
    html`${head === '' ? nothing : html`<h2>${head}</h2>`}
      <p>${words}</p>
      ${trouble === null ? nothing : html`<p><button class="primary" @click=${() => retry()}>${t('try.again')}</button></p>`}
      ${course?.solution && course.shown > 0 ? solutionList(course) : nothing}`,
    byId('status'),
  );
}

/** @param {Course} course */
const solutionList = ({ solution, shown }) =>
  html`<ol>${(solution ?? []).slice(1).map(({ steps }, index) => {
    const step = steps[steps.length - 1];
    return html`<li aria-current=${index + 1 === shown ? 'step' : nothing}>${actionWords(step)}</li>`;
  })}</ol>`;

/** The reserves, where there are any; one's own can be pressed.
 * @param {Course} course
 */
function drawTrays({ puzzle, desk, state, solution, shown }) {
  const { side } = puzzle.start.draft.turn;
  const { reserves } = desk.turn;
  const isShown = reserves !== null && (solution === null || shown === 0);
  const canDrop = state === 'open' && (desk.legal ?? []).some(({ kind }) => kind === 'drop');
  const press = canDrop ? { picked: isReserve, press: () => board?.pickReserve(!isReserve) } : {};
  const tray = (/** @type {Side} */ of, extra = {}) =>
    isShown ? reserveTray({ ruleset: puzzle.ruleset, side: of, men: reserves[of], ...extra }) : nothing;
  render(tray(otherSide(side)), byId('tray-top'));
  render(tray(side, press), byId('tray-bottom'));
}

/** Draws the buttons. A focus on a button that goes moves to the first one that can be pressed.
 * @param {Course} course
 */
function drawTools(course) {
  const tools = byId('tools');
  const isFocused = tools.contains(document.activeElement);
  const { solution, shown } = course;
  render(solution !== null && shown > 0 ? walkTools(course, solution) : turnTools(course), tools);
  if (isFocused && !tools.contains(document.activeElement))
    /** @type {HTMLElement | null} */ (tools.querySelector('button:not([aria-disabled="true"])'))?.focus();
}

/** The buttons of a turn.
 * @param {Course} course
 */
function turnTools(course) {
  const { puzzle, desk, turns, state } = course;
  const canUndo = desk.steps.length > 0 && state !== 'judged' && state !== 'solved';
  const canRestart = desk.steps.length > 0 || turns.length > 0;
  const isSolved = state === 'solved';
  return html`${isSolved ? html`<button class="primary" @click=${() => goOn()}>${t('puzzle.next')}</button>` : nothing}
      <button class="quiet" aria-disabled=${!canUndo} @click=${undo}>${icon('undo')} ${t('game.undo')}</button>
      <button class="quiet" aria-disabled=${!canRestart} @click=${restart}>${icon('restart')} ${t('puzzle.reset')}</button>
      <button class="quiet" @click=${showSolution}>${icon('eye')} ${t('puzzle.show')}</button>
      ${isSolved ? nothing : html`<button class="quiet" @click=${() => goOn()}>${t('puzzle.next')}</button>`}
      ${puzzle.id !== today().puzzle.id ? html`<a class="button quiet" href="/puzzles">${t('puzzle.today')}</a>` : nothing}`;
}

/** The buttons of the solution.
 * @param {Course} course
 * @param {readonly unknown[]} solution
 */
function walkTools({ shown }, solution) {
  const last = solution.length - 1;
  return html`<div role="group" aria-label=${t('puzzle.solution')}>
        ${walkButton('back', () => go(Math.max(1, shown - 1)), shown === 1)}
        ${walkButton('forward', () => go(shown + 1), shown === last)}
      </div>
      <button @click=${restart}>${icon('restart')} ${t('puzzle.back')}</button>
      <button class="primary" @click=${() => goOn()}>${t('puzzle.next')}</button>`;
}

/** @param {Ruleset} ruleset */
const hasPuzzles = (ruleset) => entries.some((entry) => entry.ruleset === ruleset);

function drawChoice() {
  const list = chosen(entries, wanted);
  const solved = solvedHere();
  const n = list.filter(({ puzzle }) => solved.has(puzzle.id)).length;
  const streak = streakHere();
  render(
    html`<h2 id="choice-title">${t('puzzle.choice')}</h2>
      <div class="puzzle-fields">
        <label class="field">${t('puzzle.game')}
          <select @change=${chooseRuleset}>
            <option value="" ?selected=${wanted.ruleset === ''}>${t('puzzle.all')}</option>
            ${RULESETS.filter(hasPuzzles).map((name) => html`<option value=${name} ?selected=${wanted.ruleset === name}>${rulesetName(name)}</option>`)}
          </select>
        </label>
        <label class="field">${t('puzzle.grade')}
          <select @change=${chooseGrade}>
            <option value="0" ?selected=${wanted.grade === 0}>${t('puzzle.all_grades')}</option>
            ${GRADES.map((grade) => html`<option value=${grade} ?selected=${wanted.grade === grade}>${t(`puzzle.grade_${grade}`)}</option>`)}
          </select>
        </label>
      </div>
      <p class="lead">${t('puzzle.count', { n: list.length, solved: n })}</p>
      ${streak.best === 0 ? nothing : html`<p class="lead">${t('puzzle.streak', { n: daysOn(streak, day), best: streak.best })}</p>`}
      <p class="lead">${t('puzzle.lead')}</p>`,
    byId('choice'),
  );
}

// --- The choice ---

/** @param {Event} event */
function chooseRuleset(event) {
  const { value } = /** @type {HTMLSelectElement} */ (event.target);
  wanted = { ...wanted, ruleset: RULESETS.find((name) => name === value) ?? '' };
  remember('puzzle ruleset', value);
  goOn(value === '' ? '/puzzles' : `/puzzles/${value}`);
}

/** @param {Event} event */
function chooseGrade(event) {
  const grade = Number(/** @type {HTMLSelectElement} */ (event.target).value);
  wanted = { ...wanted, grade };
  remember('puzzle grade', String(grade));
  goOn();
}

/** Opens the next puzzle of the wanted kind.
 * @param {string} [path] that of the page it is on
 */
function goOn(path = location.pathname) {
  const next = nextAfter(chosen(entries, wanted), course?.puzzle.id ?? '', solvedHere());
  if (next === null) return draw();
  const { id } = next.puzzle;
  const address = `${path}#${id}`;
  if (course === null || named() === id) history.replaceState(null, '', address);
  else history.pushState(null, '', address);
  open();
}

/**
 * @param {string} words
 * @param {() => void} again
 */
function report(words, again) {
  trouble = words;
  retry = again;
  announce(trouble, 'assertive');
  draw();
}

showHeader('puzzles');
offerPreferences();
const [engine, entries] = await Promise.all([
  insist('engine', engineOfPage),
  insist('puzzles', puzzlesOfPage),
  askTime(),
]);

// The way back to another page of puzzles fires no `hashchange`.
window.addEventListener('popstate', open);
open();
