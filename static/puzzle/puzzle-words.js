// The words for a visitor's progress in a puzzle.

import { otherSide } from '../session/game-model.js';
import { spokenWords } from '../panels/turns-and-players.js';
import { sideName, t } from '../ui/page.js';
import { solvedHere } from './solved.js';

/** @import { Course } from './attempt.js' */

/** The names of the side that solves and of the other one.
 * @param {Course} course
 */
function sidesOf({ ruleset, start: { side } }) {
  return { side: sideName(ruleset, side), other: sideName(ruleset, otherSide(side)) };
}

/** The task of the puzzle.
 * @param {Course} course
 */
export function taskOf(course) {
  const { task } = course;
  const sides = sidesOf(course);
  if (task.kind === 'win_in_turn') return t('puzzle.win_in_turn', { ...sides, n: task.moves });
  if (task.kind === 'best_capture') return t('puzzle.best_capture', { ...sides, n: task.gain });
  return t('puzzle.win_in_two', sides);
}

/** The heading of what has just happened; empty if it needs none.
 * @param {Course} course
 */
export function headOf({ state, solution, shown }) {
  if (solution !== null && shown > 0) return t('puzzle.solution');
  if (state === 'solved') return t('puzzle.solved');
  return state === 'failed' ? t('puzzle.failed') : '';
}

/** The last event, in words.
 * @param {Course} course
 */
export function statusOf(course) {
  const { id, task, reply, state, solution, shown, turns } = course;
  const { turnDraft } = course.local;
  const replied = reply?.map(spokenWords).join(', ') ?? '';
  const args = { ...sidesOf(course), reply: replied };
  if (solution !== null && shown > 0) {
    const step = solution[shown].steps.at(-1);
    const words = step === undefined ? '' : spokenWords(step);
    return t('puzzle.shown', { i: shown, n: solution.length - 1, move: words });
  }
  if (state === 'solved') return t('puzzle.solved_words');
  if (state === 'judged') return t('puzzle.judged');
  if (state === 'failed') {
    if (task.kind === 'best_capture') return t('puzzle.failed_capture');
    return t(reply === null ? 'puzzle.failed_turn' : 'puzzle.failed_reply', args);
  }
  if (turns.length > 0 && turnDraft.steps.length === 0) return t('puzzle.second', args);
  const left = turnDraft.turn.allowance?.left;
  if (left !== undefined && turnDraft.steps.length > 0) return t('puzzle.left', { n: left });
  return solvedHere().has(id) ? t('puzzle.already') : t('puzzle.go');
}
