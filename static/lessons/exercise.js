// Progress in a step of a lesson: a turn drawn up with the page's engine until the goal is reached or missed.

import { openDraft } from '../engine/match-draft.js';

/** @import { Engine } from '../engine/engine.js' */
/** @import { Lesson, LessonStep } from './lessons.js' */

/** `open` while the goal can still be reached, `done` once it is, `missed` when the actions for it are used up.
 * @typedef {'open' | 'done' | 'missed'} Progress */

/** @typedef {ReturnType<typeof setUp>} Course */

/**
 * Sets up the position of a step.
 *
 * @param {Engine} engine
 * @param {Lesson} lesson
 * @param {LessonStep} step
 */
export function setUp(engine, { ruleset }, step) {
  const local = openDraft(engine, ruleset, step.position);
  for (const turn of step.before ?? []) local.playWhole(turn);

  return {
    step,
    local,

    /** @returns {Progress} */
    get progress() {
      const { turnDraft, outcome } = local;
      if (step.goal(turnDraft, outcome)) return 'done';
      const isUsedUp = turnDraft.complete || outcome !== null || turnDraft.steps.length >= (step.moves ?? 1);
      return isUsedUp ? 'missed' : 'open';
    },

    /** The next action of the solution. If the turn began otherwise, it is taken back first.
     * @returns {string}
     */
    toNext() {
      const { steps } = local.turnDraft;
      const isOnTheWay = steps.every(({ action }, index) => action === step.solution[index]);
      if (!isOnTheWay || steps.length === step.solution.length) local.restart();
      return step.solution[local.turnDraft.steps.length];
    },
  };
}
