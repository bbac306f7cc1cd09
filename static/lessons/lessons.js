// The lessons: for each game its steps, and for its variants those that show what is different.

import { cards } from './cards-steps.js';
import { crossfire } from './crossfire-steps.js';
import { fenix } from './fenix-steps.js';
import { fibonacci } from './fibonacci-steps.js';
import { focus } from './focus-steps.js';
import { mixed } from './mixed-steps.js';

/** @import { Ruleset } from '../protocol.js' */
/** @import { Goal } from './goals.js' */

/**
 * A step of a lesson: something to do on the board.
 * @typedef {object} LessonStep
 * @property {string} id its texts are `learn.<ruleset>.<id>.ask` and `.why`
 * @property {string} position the text of the position that it begins with
 * @property {string[][]} [before] turns that are played from that position first, so that the game has a past
 * @property {number} [moves] the number of actions in which the goal is to be reached, if more than one
 * @property {Goal} goal
 * @property {string[]} solution actions that reach the goal, from which hints are taken
 */

/** @typedef {{ ruleset: Ruleset, steps: LessonStep[] }} Lesson */

/** @type {Lesson[]} */
export const LESSONS = [
  { ruleset: 'fibonacci', steps: fibonacci },
  { ruleset: 'fibonacci-mixed', steps: mixed },
  { ruleset: 'fibonacci-cards', steps: cards },
  { ruleset: 'fenix', steps: fenix },
  { ruleset: 'focus', steps: focus },
  { ruleset: 'crossfire', steps: crossfire },
];

/** The lesson of a ruleset: its own, or that of the game it belongs to. Null if the text names no ruleset.
 * @param {string} ruleset
 */
export const lessonOf = (ruleset) =>
  LESSONS.find((lesson) => lesson.ruleset === ruleset) ??
  LESSONS.find((lesson) => ruleset.startsWith(`${lesson.ruleset}-`)) ??
  null;
