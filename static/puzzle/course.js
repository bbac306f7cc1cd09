// Progress of a visitor in a puzzle. The page's engine finds what is legal, and whether a turn wins; what else solves a
// puzzle is judged by the server.

import { layDesk } from '../local/desk.js';
import { actionsOf, deskOf, withOptions } from '../play/seat.js';

/** @import { Outcome, Puzzle, PuzzleTurn, PuzzleVerdict, Step, Trial, Turn } from '../protocol.js' */
/** @import { Choices, Engine } from '../engine/engine.js' */
/** @import { Desk } from '../play/seat.js' */

/**
 * A moment of the solution.
 * @typedef {{ position: string, steps: Step[], threats: Turn['threats'] }} Moment
 */

/**
 * @typedef {object} Course
 * @property {Puzzle} puzzle
 * @property {string[][]} turns the own turns that were right
 * @property {string[][]} past those turns and the replies to them, in order
 * @property {PuzzleTurn | null} reply the other side's answer to the last of them, or the one that refutes the attempt
 * @property {Desk} desk the own turn, which may be a move ahead of what the engine has confirmed
 * @property {Desk} confirmed the own turn as the engine last confirmed it
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
    ...{ puzzle, turns: [], past: [], reply: null, desk, confirmed: desk },
    ...{ state: 'open', solution: null, shown: 0 },
  };
}

/** The position after the actions on the desk, and the actions that may follow.
 * @param {Engine} engine
 * @param {Course} course
 * @returns {Choices}
 */
export function tried(engine, { puzzle, past, desk }) {
  const local = layDesk(engine, puzzle.ruleset, puzzle.trial.draft.turn.position);
  try {
    for (const turn of past) local.playWhole(turn);
    return engine.choices(local.match.id, actionsOf(desk));
  } finally {
    local.close();
  }
}

/** The verdict on a whole turn by its outcome; null if only the server can tell.
 * @param {Course} course
 * @param {Outcome | null} outcome
 * @returns {PuzzleVerdict | null}
 */
export function verdictBy({ puzzle }, outcome) {
  if (puzzle.task.kind !== 'win_in_turn') return null;
  const verdict = outcome?.winner === puzzle.trial.draft.turn.side ? 'solved' : 'failed';
  return { verdict, reply: null, next: null, solution: null };
}

/** The course with the engine's answer to the last action.
 * @param {Course} course
 * @param {Choices} trial
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
  const turn = actionsOf(course.desk);
  const past = [...course.past, turn, ...(reply === null ? [] : [reply.steps.map(({ action }) => action)])];
  return { ...course, turns: [...course.turns, turn], past, reply, desk, confirmed: desk, state: 'open' };
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
