// The panels of a puzzle: its buttons, the list of the solution, and the choice of puzzles.

import { walkButton } from '../panels/walk.js';
import { actionWords } from '../panels/turns-and-players.js';
import { RULESETS, icon, rulesetName, t } from '../ui/page.js';
import { html, nothing } from '../vendor/lit-html@3.3.3/lit-html.js';
import { chosen } from './choice.js';
import { solvedHere, streakHere } from './solved.js';
import { daysOn } from './streak.js';

/** @import { Ruleset } from '../protocol.js' */
/** @import { Entry } from './collection.js' */
/** @import { Course } from './attempt.js' */

export const GRADES = [1, 2, 3, 4, 5];

/**
 * Actions of the page of puzzles.
 * @typedef {object} Handlers
 * @property {() => void} undo
 * @property {() => void} restart
 * @property {() => void} showSolution
 * @property {(moment: number) => void} go shows a moment of the solution
 * @property {() => void} next opens the next puzzle
 */

/** The buttons of a puzzle: those of the solution while it is shown.
 * @param {Course} course
 * @param {boolean} isToday whether it is the puzzle of the day
 * @param {Handlers} handlers
 */
export const puzzleTools = (course, isToday, handlers) =>
  course.solution !== null && course.shown > 0
    ? walkTools(course.shown, course.solution.length - 1, handlers)
    : turnTools(course, isToday, handlers);

/** @param {Course} course
 * @param {boolean} isToday
 * @param {Handlers} handlers */
function turnTools({ local, turns, state }, isToday, { undo, restart, showSolution, next }) {
  const { steps } = local.turnDraft;
  const canUndo = steps.length > 0 && state !== 'judged' && state !== 'solved';
  const canRestart = steps.length > 0 || turns.length > 0;
  const isSolved = state === 'solved';
  return html`${isSolved ? html`<button class="primary" @click=${next}>${t('puzzle.next')}</button>` : nothing}
      <button class="quiet" aria-disabled=${!canUndo} @click=${undo}>${icon('undo')} ${t('game.undo')}</button>
      <button class="quiet" aria-disabled=${!canRestart} @click=${restart}>${icon('restart')} ${t('puzzle.reset')}</button>
      <button class="quiet" @click=${showSolution}>${icon('eye')} ${t('puzzle.show')}</button>
      ${isSolved ? nothing : html`<button class="quiet" @click=${next}>${t('puzzle.next')}</button>`}
      ${isToday ? nothing : html`<a class="button quiet" href="/puzzles">${t('puzzle.today')}</a>`}`;
}

/** @param {number} shown
 * @param {number} last
 * @param {Handlers} handlers */
const walkTools = (shown, last, { go, restart, next }) =>
  html`<div role="group" aria-label=${t('puzzle.solution')}>
        ${walkButton('back', () => go(Math.max(1, shown - 1)), shown === 1)}
        ${walkButton('forward', () => go(shown + 1), shown === last)}
      </div>
      <button @click=${restart}>${icon('restart')} ${t('puzzle.back')}</button>
      <button class="primary" @click=${next}>${t('puzzle.next')}</button>`;

/** The solution as a list, while it is shown.
 * @param {Course} course
 */
export const solutionList = ({ solution, shown }) =>
  solution === null || shown === 0
    ? nothing
    : html`<ol>${solution.slice(1).map(({ steps }, index) => {
        const step = steps[steps.length - 1];
        return html`<li aria-current=${index + 1 === shown ? 'step' : nothing}>${actionWords(step)}</li>`;
      })}</ol>`;

/** The choice of puzzles by game and grade.
 * @param {readonly Entry[]} entries
 * @param {{ ruleset: Ruleset | '', grade: number }} wanted
 * @param {number} day
 * @param {{ ruleset: (event: Event) => void, grade: (event: Event) => void }} choose
 */
export function choicePanel(entries, wanted, day, choose) {
  const list = chosen(entries, wanted);
  const solved = solvedHere();
  const n = list.filter(({ puzzle }) => solved.has(puzzle.id)).length;
  const streak = streakHere();
  const rulesets = RULESETS.filter((name) => entries.some(({ ruleset }) => ruleset === name));
  return html`<h2 id="choice-title">${t('puzzle.choice')}</h2>
      <div class="puzzle-fields">
        <label class="field">${t('puzzle.game')}
          <select @change=${choose.ruleset}>
            <option value="" ?selected=${wanted.ruleset === ''}>${t('puzzle.all')}</option>
            ${rulesets.map((name) => html`<option value=${name} ?selected=${wanted.ruleset === name}>${rulesetName(name)}</option>`)}
          </select>
        </label>
        <label class="field">${t('puzzle.grade')}
          <select @change=${choose.grade}>
            <option value="0" ?selected=${wanted.grade === 0}>${t('puzzle.all_grades')}</option>
            ${GRADES.map((grade) => html`<option value=${grade} ?selected=${wanted.grade === grade}>${t(`puzzle.grade_${grade}`)}</option>`)}
          </select>
        </label>
      </div>
      <p class="lead">${t('puzzle.count', { n: list.length, solved: n })}</p>
      ${streak.best === 0 ? nothing : html`<p class="lead">${t('puzzle.streak', { n: daysOn(streak, day), best: streak.best })}</p>`}
      <p class="lead">${t('puzzle.lead')}</p>`;
}
