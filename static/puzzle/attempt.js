// Progress of a visitor in a puzzle, on a match of the page's engine.

import { openDraft } from '../engine/match-draft.js';
import { actionsOf } from '../engine/turn-draft.js';

/** @import { Judgement } from '../engine/search.js' */
/** @import { Step, Turn } from '../protocol.js' */
/** @import { Engine } from '../engine/engine.js' */
/** @import { Entry } from './collection.js' */

/**
 * A moment of the solution.
 * @typedef {{ position: string, steps: Step[], threats: Turn['threats'] }} Moment
 */

/** State of an attempt: `judged` while the judgement is on its way.
 * @typedef {'open' | 'judged' | 'solved' | 'failed'} AttemptState */

/** @typedef {ReturnType<typeof openCourse>} Course */

/** Opens a puzzle at its beginning.
 * @param {Engine} engine
 * @param {Entry} entry
 */
export function openCourse(engine, { ruleset, task, puzzle: source }) {
  const local = openDraft(engine, ruleset, source.position);
  const start = local.match.turn;
  /** The solution move by move, from the position of the puzzle on.
   * @returns {Moment[]}
   */
  function solution() {
    const { id } = engine.open(ruleset, source.position);
    const turns = source.solution.map((turn) => engine.play(id, turn).steps);
    engine.close(id);
    const later = turns.flatMap((steps) =>
      steps.map(({ position, threats }, index) => ({ position, threats, steps: steps.slice(0, index + 1) })),
    );
    return [{ position: start.position, threats: start.threats, steps: [] }, ...later];
  }

  /** The steps of the reply that refutes the turn being drawn up.
   * @param {string[]} reply
   */
  function refuted(reply) {
    const { id } = engine.copy(local.match.id);
    engine.play(id, actionsOf(local.turnDraft));
    const { steps } = engine.play(id, reply);
    engine.close(id);
    return steps;
  }

  const course = {
    id: source.id,
    ruleset,
    task,
    source,
    /** The turn with which the puzzle begins. */
    start,
    local,
    /** The own turns that were right.
     * @type {string[][]} */
    turns: [],
    /** The other side's answer to the last of them, or the one that refutes the attempt.
     * @type {Step[] | null} */
    reply: null,
    state: /** @type {AttemptState} */ ('open'),
    /** The solution, once it is shown.
     * @type {Moment[] | null} */
    solution: null,
    /** The moment of the solution that is shown. */
    shown: 0,

    /** Takes back the last move, and with it the refutation.
     * @returns {boolean} false if there is none, or it is too late
     */
    takeBack() {
      if (['judged', 'solved'].includes(course.state) || local.turnDraft.steps.length === 0) return false;
      if (course.state === 'failed') course.reply = null;
      course.state = 'open';
      local.undo();
      return true;
    },

    /** Begins the puzzle again. */
    restart() {
      local.rewind(0);
      const fresh = { turns: [], reply: null, state: 'open', solution: null, shown: 0 };
      Object.assign(course, fresh);
    },

    /** Shows the solution. A puzzle that was solved stays so. */
    solve() {
      const { state } = course;
      course.restart();
      course.state = state === 'solved' ? 'solved' : 'open';
      course.solution = solution();
    },

    /** Waits for the judgement of the turn. */
    wait() {
      course.state = 'judged';
    },

    /** Has the turn judged again, after a failure. */
    reopen() {
      course.state = 'open';
    },

    /** The judgement of a whole turn by its outcome; null if that does not decide it.
     * @returns {Judgement | null}
     */
    judgement() {
      if (local.outcome?.winner === start.side) return { verdict: 'solved' };
      return task.kind === 'win_in_turn' ? { verdict: 'failed', reply: null } : null;
    },

    /** Goes on after a judgement of the turn being drawn up.
     * @param {Judgement} judgement
     */
    judge(judgement) {
      if (judgement.verdict === 'solved') {
        Object.assign(course, { state: 'solved', reply: null, solution: solution() });
        return;
      }
      const { verdict, reply } = judgement;
      if (verdict === 'failed' || reply === null) {
        course.state = 'failed';
        course.reply = reply && refuted(reply);
        return;
      }
      course.turns = [...course.turns, actionsOf(local.turnDraft)];
      local.play();
      local.playWhole(reply);
      course.reply = local.match.steps;
      course.state = 'open';
    },
  };
  return course;
}

/** The turn as a board shows it at a moment of the solution.
 * @param {Course} course
 * @param {Moment} moment
 * @returns {Turn}
 */
export const turnAt = ({ start }, { position, threats }) => ({
  ...start,
  position,
  threats,
  allowance: null,
  reserves: null,
});
