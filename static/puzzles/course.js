// Progress of a visitor in a puzzle. Pure; what is legal and what solves it was said by the server.

import { deskOf, withOptions } from '../play/seat.js';

/** @import { Puzzle, PuzzleTurn, PuzzleVerdict, Step, Trial, Turn } from '../protocol.js' */
/** @import { Desk } from '../play/seat.js' */

/**
 * A moment of the solution.
 * @typedef {{ position: string, steps: Step[], threats: Turn['threats'] }} Moment
 */

/**
 * @typedef {object} Course
 * @property {Puzzle} puzzle
 * @property {string[][]} turns the own turns that were right
 * @property {PuzzleTurn | null} reply the other side's answer to the last of them, or the one that refutes the attempt
 * @property {Desk} desk the own turn, which may be a move ahead of what the server has confirmed
 * @property {Desk} confirmed the own turn as the server last confirmed it
 * @property {'open' | 'judged' | 'solved' | 'failed'} state `judged` while the judgement is on its way
 * @property {Moment[] | null} solution null until it was asked for
 * @property {number} shown the moment of the solution that is shown
 */

/** @param {Trial} trial
 * @returns {Desk}
 */
const deskIn = (trial) => withOptions(deskOf(trial.draft.turn, null), trial);

/** The beginning of a puzzle.
 * @param {Puzzle} puzzle
 * @returns {Course}
 */
export function courseOf(puzzle) {
  const desk = deskIn(puzzle.trial);
  return {
    ...{ puzzle, turns: [], reply: null, desk, confirmed: desk },
    ...{ state: 'open', solution: null, shown: 0 },
  };
}

/** The course with the server's answer to the last action.
 * @param {Course} course
 * @param {Trial} trial
 * @returns {Course}
 */
export function withTrial(course, trial) {
  const desk = withOptions(course.desk, trial);
  return { ...course, desk, confirmed: desk, state: 'open' };
}

/** True if the turn on the desk is to be judged.
 * @param {Course} course
 */
export const isWhole = ({ desk }) => desk.complete && desk.ahead === null;

/** The course after a judgement of the turn on the desk.
 * @param {Course} course
 * @param {PuzzleVerdict} verdict
 * @returns {Course}
 */
export function judged(course, { verdict, reply, next, solution }) {
  if (verdict === 'solved')
    return {
      ...course,
      state: 'solved',
      reply: null,
      solution: solution && momentsOf(course.puzzle, solution),
    };
  if (next === null) return { ...course, state: 'failed', reply };
  const desk = deskIn(next);
  const turns = [...course.turns, course.desk.steps.map(({ action }) => action)];
  return { ...course, turns, reply, desk, confirmed: desk, state: 'open' };
}

/** The solution move by move, from the position of the puzzle on.
 * @param {Puzzle} puzzle
 * @param {PuzzleTurn[]} turns
 * @returns {Moment[]}
 */
export function momentsOf({ trial }, turns) {
  const { position, threats } = trial.draft.turn;
  const start = { position, steps: [], threats };
  const later = turns.flatMap(({ steps }) =>
    steps.map((step, index) => ({
      position: step.position,
      steps: steps.slice(0, index + 1),
      threats: step.threats,
    })),
  );
  return [start, ...later];
}

/** The turn as a board shows it at a moment of the solution.
 * @param {Course} course
 * @param {Moment} moment
 * @returns {Turn}
 */
export const turnAt = ({ puzzle }, { position, threats }) => ({
  ...puzzle.trial.draft.turn,
  ...{ position, threats, allowance: null, reserves: null },
});
