// The steps of lessons that were done on this device.

import { recall, remember } from '../ui/page.js';

/** @import { Lesson } from './lessons.js' */

/** @param {Lesson} lesson */
const keyOf = ({ ruleset }) => `lesson ${ruleset}`;

/** The ids of a lesson's steps that were done on this device.
 * @param {Lesson} lesson
 * @returns {Set<string>}
 */
export function doneIn(lesson) {
  const ids = (recall(keyOf(lesson)) ?? '').split(' ');
  return new Set(lesson.steps.map(({ id }) => id).filter((id) => ids.includes(id)));
}

/**
 * @param {Lesson} lesson
 * @param {string} id
 */
export const rememberDone = (lesson, id) => remember(keyOf(lesson), [...doneIn(lesson).add(id)].join(' '));

/** The index of the first step that was not done; 0 if all were.
 * @param {Lesson} lesson
 */
export function firstOpen(lesson) {
  const done = doneIn(lesson);
  return Math.max(
    0,
    lesson.steps.findIndex(({ id }) => !done.has(id)),
  );
}
