// The puzzles: a position with a task, on the board that games are played on. The first one is that of the day, and on
// the page of a game one of that game. The engine in the page answers which moves may follow, and the search judges the
// turns that their outcome does not decide; the server is not asked.

import { createBoard } from '../board/board.js';
import { engineOfPage } from '../engine/engine.js';
import { createThinker } from '../engine/thinker.js';
import { askTime } from '../connection/api.js';
import { lastWord } from '../connection/links.js';
import { serverTime } from '../connection/server-time.js';
import { actionsOf, turnDraftOf } from '../engine/turn-draft.js';
import { chosen, nextAfter } from '../puzzle/choice.js';
import { entryOfDay, puzzlesOfPage } from '../puzzle/collection.js';
import { openCourse, turnAt } from '../puzzle/attempt.js';
import { GRADES, choicePanel, puzzleTools, solutionList } from '../puzzle/puzzle-panels.js';
import { rememberDay, rememberSolved, solvedHere } from '../puzzle/solved.js';
import { dayOf } from '../puzzle/streak.js';
import { headOf, statusOf, taskOf } from '../puzzle/puzzle-words.js';
import { handWords } from '../session/next-words.js';
import { matchSource } from '../session/match-source.js';
import { createSession, drawnUp } from '../session/board-session.js';
import { sessionStore } from '../session/session-state.js';
import { drawTrays } from '../panels/trays.js';
import { insist } from '../ui/loading.js';
import { beginHeader } from '../ui/header.js';
import { RULESETS, announce, byId, recall, remember, renderAll, rulesetName, t } from '../ui/page.js';
import { stressed } from '../ui/stressed.js';
import { offerWayOutOfZen } from '../panels/zen.js';
import { html, nothing, render } from '../vendor/lit-html@3.3.3/lit-html.js';

/** @import { Step, Turn } from '../protocol.js' */
/** @import { Course } from '../puzzle/attempt.js' */

const store = sessionStore({
  course: /** @type {Course | null} */ (null),
  /** The ruleset and the grade that are wanted; an empty text and 0 for all. */
  wanted: {
    ruleset:
      ofPage() ?? RULESETS.find((name) => name === recall('puzzle ruleset')) ?? /** @type {const} */ (''),
    grade: GRADES.find((grade) => String(grade) === recall('puzzle grade')) ?? 0,
  },
  /** A failure, with the way out of it. */
  trouble: /** @type {{ text: string, retry: () => void } | null} */ (null),
});
const { state } = store;
/** The day whose puzzle is that of the day; 0 until it is looked up. */
let day = 0;
/** Number of the latest question, the only one whose answer counts. */
let questionNo = 0;
const thinker = createThinker();

const session = createSession({
  store,
  place: byId('board'),
  create: createBoard,
  contents,
  taken: settle,
  undo,
  restart,
});

/** Changes the state of this page, and shows it without what was said before.
 * @param {Partial<typeof state>} [values]
 * @param {Step[]} [animate]
 */
function show(values = {}, animate = []) {
  session.update({ notice: null, trouble: null, ...values }, animate);
}

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
  const wanted = { ...state.wanted, ruleset: ofPage() ?? state.wanted.ruleset };
  if (id === null || day === 0) day = dayOf(serverTime.now());
  const entry = id === null ? today() : entries.find(({ puzzle }) => puzzle.id === id);
  questionNo += 1;
  if (entry === undefined) {
    show({ wanted });
    return report('puzzle.unknown', openToday);
  }
  state.course?.local.close();
  const course = openCourse(engine, entry);
  const source = matchSource(course.ruleset, course.local, {
    isOpen: () => course.state === 'open' || course.state === 'failed',
    confirm() {},
  });
  announce(`${titleOf(course)}. ${taskOf(course)}`);
  show({ wanted, source, course, held: { picked: null, jumps: 0 } });
}

/** Leaves the address of a puzzle that does not exist. */
function openToday() {
  history.replaceState(null, '', '/puzzles');
  open();
}

// --- The turn ---

/** Has a whole turn judged, or says how it stands. */
function settle() {
  const { course } = state;
  if (course === null) return;
  questionNo += 1;
  if (course.local.turnDraft.complete) return judge(course, questionNo);
  show();
  announce(statusOf(course));
}

/** @param {Course} course
 * @param {number} number of the question */
async function judge(course, number) {
  course.wait();
  show();
  const { ruleset, source: puzzle, turns, local } = course;
  try {
    const attempt = { ruleset, puzzle, turns: [...turns, actionsOf(local.turnDraft)] };
    const judgement = course.judgement() ?? (await thinker.ask('judge', attempt));
    if (number !== questionNo) return;
    course.judge(judgement);
  } catch (error) {
    if (number !== questionNo) return;
    console.warn(error);
    course.reopen();
    show();
    return report('puzzle.engine_failed', settle);
  }
  if (course.state === 'solved') {
    rememberSolved(course.id);
    if (course.id === today().puzzle.id) rememberDay(day);
  }
  show({}, course.reply ?? []);
  announce(`${headOf(course)} ${statusOf(course)}`, course.state === 'open' ? 'polite' : 'assertive');
}

function undo() {
  const { course } = state;
  if (course === null || course.solution !== null || session.board?.back()) return;
  if (course.takeBack()) settle();
}

/** Begins the puzzle again. */
function restart() {
  if (state.course === null) return;
  questionNo += 1;
  session.board?.pick(null);
  state.course.restart();
  show();
}

// --- The solution ---

function showSolution() {
  if (state.course === null) return;
  questionNo += 1;
  state.course.solve();
  go(1);
}

/** @param {number} to */
function go(to) {
  const { course } = state;
  if (course === null || course.solution === null) return;
  const { solution, shown } = course;
  course.shown = Math.max(0, Math.min(solution.length - 1, to));
  const step = solution[course.shown].steps.at(-1);
  show({}, course.shown === shown + 1 && step !== undefined ? [step] : []);
  announce(statusOf(course));
}

// --- Drawing ---

function contents() {
  const { course } = state;
  if (course === null) return null;
  const { start, local, reply, solution, shown } = course;
  const { turnDraft } = local;
  const bottom = start.side;
  /** @param {Turn} turn
   * @param {Step[]} lastSteps */
  const still = (turn, lastSteps) => ({
    bottom,
    shown: drawnUp(turnDraftOf(turn, null), { mySide: null, lastSteps }),
  });
  if (solution !== null && (shown > 0 || course.state !== 'solved')) {
    return still(turnAt(course, solution[shown]), solution[shown].steps);
  }
  if (course.state === 'failed' && reply !== null) {
    const { position, threats } = reply[reply.length - 1];
    return still({ ...turnDraft.turn, position, threats }, reply);
  }
  const legal = course.state === 'open' ? (turnDraft.legal ?? []) : [];
  return { bottom, shown: drawnUp(turnDraft, { mySide: bottom, legal, lastSteps: reply ?? [] }) };
}

store.subscribe(Object.values, () => {
  const { course, held, wanted } = state;
  renderAll({ status: statusPanel(course) });
  if (course === null) return;
  const game = ofPage();
  const page = game === undefined ? t('puzzle.title') : t('puzzle.of_game', { game: rulesetName(game) });
  document.title = t('page.title', { page });
  renderAll({
    task: html`<h1>${titleOf(course)}</h1>
      <p class="lead">${rulesetName(course.ruleset)} · ${t('puzzle.of_grade', { n: course.source.grade })}
        · <a href=${`/rules/${course.ruleset}`}>${t('page.rules')}</a>
        · <a href=${`/learn/${course.ruleset}`}>${t('puzzle.lesson')}</a></p>
      <p class="order">${stressed(taskOf(course), /^([^:]+:)/)}</p>`,
    choice: choicePanel(entries, wanted, day, { ruleset: chooseRuleset, grade: chooseGrade }),
  });
  const isWalked = course.solution !== null && course.shown > 0;
  const turnDraft = isWalked ? null : course.local.turnDraft;
  drawTrays(course.ruleset, { turnDraft, held }, session, course.state === 'open');
  drawTools(course);
});

/** @param {Course} course */
const titleOf = ({ id }) => t(id === today().puzzle.id ? 'puzzle.today' : 'puzzle.one');

/** @param {Course | null} course */
function statusPanel(course) {
  const { notice, trouble } = state;
  const head = course === null ? '' : headOf(course);
  const words =
    trouble?.text ?? notice?.text ?? (course === null ? '' : (handWords(state) ?? statusOf(course)));
  return html`${head === '' ? nothing : html`<h2>${head}</h2>`}
    <p>${words}</p>
    ${trouble === null ? nothing : html`<p><button class="primary" @click=${trouble.retry}>${t('try.again')}</button></p>`}
    ${course === null ? nothing : solutionList(course)}`;
}

/** Draws the buttons. A focus on a button that goes moves to the first one that can be pressed.
 * @param {Course} course
 */
function drawTools(course) {
  const tools = byId('tools');
  const isFocused = tools.contains(document.activeElement);
  const handlers = { undo, restart, showSolution, go, next: () => goOn() };
  render(puzzleTools(course, course.id === today().puzzle.id, handlers), tools);
  if (isFocused && !tools.contains(document.activeElement))
    /** @type {HTMLElement | null} */ (tools.querySelector('button:not([aria-disabled="true"])'))?.focus();
}

// --- The choice ---

/** @param {Event} event */
function chooseRuleset(event) {
  const { value } = /** @type {HTMLSelectElement} */ (event.target);
  show({ wanted: { ...state.wanted, ruleset: RULESETS.find((name) => name === value) ?? '' } });
  remember('puzzle ruleset', value);
  goOn(value === '' ? '/puzzles' : `/puzzles/${value}`);
}

/** @param {Event} event */
function chooseGrade(event) {
  const grade = Number(/** @type {HTMLSelectElement} */ (event.target).value);
  show({ wanted: { ...state.wanted, grade } });
  remember('puzzle grade', String(grade));
  goOn();
}

/** Opens the next puzzle of the wanted kind.
 * @param {string} [path] that of the page it is on
 */
function goOn(path = location.pathname) {
  const { course, wanted } = state;
  const next = nextAfter(chosen(entries, wanted), course?.id ?? '', solvedHere());
  if (next === null) return session.show();
  const { id } = next.puzzle;
  const address = `${path}#${id}`;
  if (course === null || named() === id) history.replaceState(null, '', address);
  else history.pushState(null, '', address);
  open();
}

/**
 * @param {string} key
 * @param {() => void} retry
 */
function report(key, retry) {
  const text = t(key);
  announce(text, 'assertive');
  session.update({ trouble: { text, retry } });
}

beginHeader();
offerWayOutOfZen();
const [engine, entries] = await Promise.all([
  insist('engine', engineOfPage),
  insist('puzzles', puzzlesOfPage),
  askTime(),
]);

// The way back to another page of puzzles fires no `hashchange`.
window.addEventListener('popstate', open);
open();
