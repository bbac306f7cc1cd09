// The words for a visitor's progress in a lesson.

import { sideName, t } from '../ui/page.js';

/** @import { Course } from './exercise.js' */
/** @import { Lesson, LessonStep } from './lessons.js' */

/** @param {Lesson} lesson @param {LessonStep} step */
export const askOf = ({ ruleset }, { id }) => t(`learn.${ruleset}.${id}.ask`);

/** The heading of what has just happened; empty if it needs none.
 * @param {Course} course
 */
export function headOf({ progress }) {
  if (progress === 'open') return '';
  return t(progress === 'done' ? 'learn.done' : 'learn.missed');
}

/** The words for what has just happened.
 * @param {Lesson} lesson
 * @param {Course} course
 */
export function statusOf({ ruleset }, { step, local, progress }) {
  const { start, steps } = local.turnDraft;
  if (progress === 'done') return t(`learn.${ruleset}.${step.id}.why`);
  if (progress === 'missed') return t('learn.missed_words');
  const moves = step.moves ?? 1;
  if (steps.length > 0) return t('learn.left', { n: moves - steps.length });
  const side = t('learn.side', { side: sideName(ruleset, start.side) });
  return moves > 1 ? `${side} ${t('learn.go', { n: moves })}` : side;
}
