// The puzzles: a position with a task, on the board that games are played on. The first one is that of the day, and on
// the page of a game one of that game. The engine in the page answers which moves may follow. The server judges what
// the outcome of a turn does not tell.

import { createBoard } from '../board/board.js';
import { gameOf } from '../board/games.js';
import { engineOfPage } from '../engine/engine.js';
import { ApiError, untilAnswered } from '../net/api.js';
import { attemptPuzzle, getPuzzle, getSolution, listPuzzles } from '../net/puzzles.js';
import { showKeys } from '../play/show-keys.js';
import { actionWords, reserveTray } from '../play/panels.js';
import { actionsOf, withAction, withSteps } from '../play/seat.js';
import { walkButton } from '../play/walk.js';
import { chosen, nextAfter } from '../puzzle/choice.js';
import {
  courseOf,
  isWhole,
  judged,
  momentsOf,
  tried,
  turnAt,
  verdictBy,
  withTrial,
} from '../puzzle/course.js';
import { rememberDay, rememberSolved, solvedHere, streakHere } from '../puzzle/solved.js';
import { dayOf, daysOn } from '../puzzle/streak.js';
import { OTHER, headOf, statusOf, taskOf } from '../puzzle/words.js';
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
  wordsOf,
} from '../ui/page.js';
import { offerPreferences, showPreferences } from '../ui/preferences-dialog.js';
import { html, nothing, render } from '../vendor/lit-html@3.3.3/lit-html.js';

/** @import { LegalAction, Outcome, PuzzleRow, Ruleset, Side, Step } from '../protocol.js' */
/** @import { Course } from '../puzzle/course.js' */

const GRADES = [1, 2, 3, 4, 5];

/** @type {Course | null} */
let course = null;
/** @type {ReturnType<typeof createBoard> | null} */
let board = null;
/** The ruleset of the board.
 * @type {Ruleset | null} */
let boardOf = null;
/** The id of the puzzle of the day; null until it was loaded.
 * @type {string | null} */
let today = null;
/** The day of that puzzle. */
let day = dayOf(Date.now());
/** @type {readonly PuzzleRow[] | null} */
let rows = null;
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

const engineLoaded = insist('engine', engineOfPage);

// --- Puzzles ---

/** The ruleset that the page is about; undefined on the page of the day. */
function ofPage() {
  return RULESETS.find((name) => location.pathname === `/puzzles/${name}`);
}

const named = () => /^#([0-9a-f]{8})$/.exec(location.hash)?.[1] ?? null;

/** Opens the puzzle that the address names, or one of its game, or that of the day.
 * @returns {Promise<void>}
 */
async function open() {
  if (named() === null && ofPage() !== undefined) return goOn();
  wanted.ruleset = ofPage() ?? wanted.ruleset;
  questionNo += 1;
  const number = questionNo;
  trouble = null;
  try {
    const puzzle = await untilAnswered(
      () => {
        if (number !== questionNo) throw new Error('another puzzle is wanted by now');
        return getPuzzle(named() ?? 'today');
      },
      (error) => number === questionNo && report(error, open),
    );
    if (number !== questionNo) return;
    if (named() === null) {
      today = puzzle.id;
      day = dayOf(Date.now());
    }
    trouble = null;
    remark = '';
    course = courseOf(puzzle);
    leadToRules(puzzle.ruleset);
    setBoard(puzzle.ruleset);
    announce(`${titleOf(course)}. ${taskOf(course)}`);
    show([]);
  } catch (error) {
    if (number === questionNo) report(error, openToday);
  }
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
  draw();
  try {
    const engine = await engineLoaded;
    if (number !== questionNo) return;
    const trial = tried(engine, course);
    course = withTrial(course, trial);
    if (isWhole(course)) return await judge(number, trial.outcome);
    show([]);
    announce(statusOf(course));
  } catch (error) {
    if (number !== questionNo) return;
    // Unconfirmed moves are taken back.
    course = { ...course, desk: course.confirmed, state: 'open' };
    show([]);
    report(error, ask);
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
  const verdict = verdictBy(course, outcome) ?? (await attemptPuzzle(puzzle.id, [...turns, actionsOf(desk)]));
  if (number !== questionNo) return;
  course = judged(course, verdict);
  if (course.state === 'solved') {
    rememberSolved(puzzle.id);
    if (puzzle.id === today) rememberDay(day);
  }
  show(course.reply?.steps ?? []);
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

async function showSolution() {
  if (course === null) return;
  questionNo += 1;
  const number = questionNo;
  trouble = null;
  const { puzzle, solution } = course;
  try {
    const moments = solution ?? momentsOf(puzzle, (await getSolution(puzzle.id)).turns);
    if (number !== questionNo) return;
    course = { ...courseOf(puzzle), state: course.state === 'solved' ? 'solved' : 'open', solution: moments };
    go(1);
  } catch (error) {
    if (number !== questionNo) return;
    // The verdict on an attempt was given up for the solution.
    if (course.state === 'judged') course = { ...course, desk: course.confirmed, state: 'open' };
    report(error, showSolution);
    show([]);
  }
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
  const mine = puzzle.trial.draft.turn.side;
  board.setFlipped(mine === 'first');
  const common = { barred: [], groups: [], bestCapture: null, draftSteps: [], animate };
  if (solution !== null && (shown > 0 || state !== 'solved')) {
    const moment = solution[shown];
    board.show({
      ...common,
      ...{ turn: turnAt(course, moment), mySide: null, legal: null, lastSteps: moment.steps },
    });
  } else if (state === 'failed' && reply !== null) {
    const { position, threats } = reply.steps[reply.steps.length - 1];
    const turn = { ...desk.turn, position, threats };
    board.show({ ...common, turn, mySide: null, legal: null, lastSteps: reply.steps });
  } else {
    const { turn, steps, groups, barred, bestCapture } = desk;
    const legal = state === 'open' ? (desk.legal ?? []) : [];
    const lastSteps = reply?.steps ?? [];
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
      <p class="lead">${rulesetName(course.puzzle.ruleset)} · ${t('puzzle.of_grade', { n: course.puzzle.grade })}
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
const titleOf = ({ puzzle }) => t(puzzle.id === today ? 'puzzle.today' : 'puzzle.one');

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
  const { side } = puzzle.trial.draft.turn;
  const { reserves } = desk.turn;
  const isShown = reserves !== null && (solution === null || shown === 0);
  const canDrop = state === 'open' && (desk.legal ?? []).some(({ kind }) => kind === 'drop');
  const press = canDrop ? { picked: isReserve, press: () => board?.pickReserve(!isReserve) } : {};
  const tray = (/** @type {Side} */ of, extra = {}) =>
    isShown ? reserveTray({ ruleset: puzzle.ruleset, side: of, men: reserves[of], ...extra }) : nothing;
  render(tray(OTHER[side]), byId('tray-top'));
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
      ${today === null || puzzle.id !== today ? html`<a class="button quiet" href="/puzzles">${t('puzzle.today')}</a>` : nothing}`;
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
const hasPuzzles = (ruleset) => rows === null || rows.some((row) => row.ruleset === ruleset);

function drawChoice() {
  const list = rows === null ? [] : chosen(rows, wanted);
  const solved = solvedHere();
  const n = list.filter(({ id }) => solved.has(id)).length;
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
      ${rows === null ? nothing : html`<p class="lead">${t('puzzle.count', { n: list.length, solved: n })}</p>`}
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
async function goOn(path = location.pathname) {
  let all = rows;
  try {
    all ??= (await listPuzzles()).puzzles;
  } catch (error) {
    return report(error, () => goOn(path));
  }
  rows = all;
  const next = nextAfter(chosen(all, wanted), course?.puzzle.id ?? '', solvedHere());
  if (next === null) return draw();
  const address = `${path}#${next.id}`;
  if (course === null || named() === next.id) history.replaceState(null, '', address);
  else history.pushState(null, '', address);
  return open();
}

/** @param {unknown} error of the server, or of the engine */
function troubleOf(error) {
  if (!(error instanceof ApiError)) return t('puzzle.engine_failed');
  return error.code === 'no_such_resource' ? t('puzzle.unknown') : wordsOf(error);
}

/**
 * @param {unknown} error
 * @param {() => void} again
 */
function report(error, again) {
  trouble = troubleOf(error);
  retry = again;
  announce(trouble, 'assertive');
  draw();
}

// The way back to another page of puzzles fires no `hashchange`.
window.addEventListener('popstate', open);
showHeader('puzzles');
offerPreferences();
await open();
if (rows === null) {
  // The number of puzzles is not needed to solve one.
  const list = await listPuzzles().catch(() => null);
  rows = list?.puzzles ?? null;
  draw();
}
