// Progress of a visitor in a puzzle. The page's engine finds what is legal, and what turns lead to.

import { actionsOf, deskOf, withOptions } from '../play/seat.js';

/** @import { Judgement } from '../engine/search.js' */
/** @import { Outcome, PuzzleTask, Ruleset, Step, Turn } from '../protocol.js' */
/** @import { Choices, Engine } from '../engine/engine.js' */
/** @import { Desk } from '../play/seat.js' */
/** @import { Entry, PuzzleSource } from './collection.js' */

/**
 * A puzzle on the board.
 * @typedef {object} Puzzle
 * @property {string} id
 * @property {Ruleset} ruleset
 * @property {PuzzleTask} task
 * @property {PuzzleSource} source
 * @property {Choices} start its position and the legal actions
 */

/**
 * A moment of the solution.
 * @typedef {{ position: string, steps: Step[], threats: Turn['threats'] }} Moment
 */

/**
 * @typedef {object} Course
 * @property {Puzzle} puzzle
 * @property {string[][]} turns the own turns that were right
 * @property {string[][]} past those turns and the replies to them, in order
 * @property {Step[] | null} reply the other side's answer to the last of them, or the one that refutes the attempt
 * @property {Desk} desk the own turn, which may be a move ahead of what the engine has confirmed
 * @property {Desk} confirmed the own turn as the engine last confirmed it
 * @property {'open' | 'judged' | 'solved' | 'failed'} state `judged` while the judgement is on its way
 * @property {Moment[] | null} solution null until it was asked for
 * @property {number} shown the moment of the solution that is shown
 */

/** @param {Choices} choices
 * @returns {Desk}
 */
const deskIn = (choices) => withOptions(deskOf(choices.draft.turn, null), choices);

/** Plays turns from the position of a puzzle on, and reads from the match what it has come to.
 * @template Read
 * @param {Engine} engine
 * @param {Pick<Puzzle, 'ruleset' | 'source'>} puzzle
 * @param {string[][]} turns
 * @param {(match: number) => Read} read
 * @returns {Read}
 */
function after(engine, { ruleset, source }, turns, read) {
  const { id } = engine.open(ruleset, source.position);
  try {
    for (const turn of turns) engine.play(id, turn);
    return read(id);
  } finally {
    engine.close(id);
  }
}

/** Opens a puzzle.
 * @param {Engine} engine
 * @param {Entry} entry
 * @returns {Puzzle}
 */
export function opened(engine, { ruleset, task, puzzle: source }) {
  const start = after(engine, { ruleset, source }, [], (match) => engine.choices(match, []));
  return { id: source.id, ruleset, task, source, start };
}

/** The beginning of a puzzle.
 * @param {Puzzle} puzzle
 * @returns {Course}
 */
export function courseOf(puzzle) {
  const desk = deskIn(puzzle.start);
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
export const tried = (engine, { puzzle, past, desk }) =>
  after(engine, puzzle, past, (match) => engine.choices(match, actionsOf(desk)));

/** The judgement of a whole turn by its outcome; null if that does not tell.
 * @param {Course} course
 * @param {Outcome | null} outcome
 * @returns {Judgement | null}
 */
export function judgementBy({ puzzle }, outcome) {
  if (outcome?.winner === puzzle.start.draft.turn.side) return { verdict: 'solved' };
  return puzzle.task.kind === 'win_in_turn' ? { verdict: 'failed', reply: null } : null;
}

/** The course with the engine's answer to the last action.
 * @param {Course} course
 * @param {Choices} choices
 * @returns {Course}
 */
export function withChoices(course, choices) {
  const desk = withOptions(course.desk, choices);
  return { ...course, desk, confirmed: desk, state: 'open' };
}

/** True if the turn on the desk is to be judged.
 * @param {Course} course
 */
export const isWhole = ({ desk }) => desk.complete && desk.ahead === null;

/** The course after a judgement of the turn on the desk.
 * @param {Engine} engine
 * @param {Course} course
 * @param {Judgement} judgement
 * @returns {Course}
 */
export function judged(engine, course, judgement) {
  const { puzzle } = course;
  if (judgement.verdict === 'solved')
    return { ...course, state: 'solved', reply: null, solution: solutionOf(engine, puzzle) };
  const { verdict, reply } = judgement;
  const turn = actionsOf(course.desk);
  const past = [...course.past, turn];
  if (reply === null) return { ...course, state: 'failed', reply: null };
  return after(engine, puzzle, past, (match) => {
    const { steps } = engine.play(match, reply);
    if (verdict === 'failed') return { ...course, state: 'failed', reply: steps };
    const desk = deskIn(engine.choices(match, []));
    const turns = [...course.turns, turn];
    return {
      ...course,
      ...{ turns, past: [...past, reply], reply: steps, desk, confirmed: desk, state: 'open' },
    };
  });
}

/** The solution move by move, from the position of the puzzle on.
 * @param {Engine} engine
 * @param {Puzzle} puzzle
 * @returns {Moment[]}
 */
export function solutionOf(engine, puzzle) {
  const { position, threats } = puzzle.start.draft.turn;
  const turns = after(engine, puzzle, [], (match) =>
    puzzle.source.solution.map((turn) => engine.play(match, turn).steps),
  );
  const later = turns.flatMap((steps) =>
    steps.map((step, index) => ({
      position: step.position,
      steps: steps.slice(0, index + 1),
      threats: step.threats,
    })),
  );
  return [{ position, steps: [], threats }, ...later];
}

/** The turn as a board shows it at a moment of the solution.
 * @param {Course} course
 * @param {Moment} moment
 * @returns {Turn}
 */
export const turnAt = ({ puzzle }, { position, threats }) => ({
  ...puzzle.start.draft.turn,
  ...{ position, threats, allowance: null, reserves: null },
});
