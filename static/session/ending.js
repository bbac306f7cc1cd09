// The end of a game: the pieces that decided it. Pure; all values come from the model.

/** @import { Side, Step } from '../protocol.js' */
/** @import { Game } from './game-model.js' */

/**
 * The last turn of a game that was decided on the board.
 * @typedef {object} Ending
 * @property {string} from the position before it
 * @property {Step[]} steps
 * @property {string[]} decisive the cells of the pieces that decided the game
 */

/** The ends that a turn brings about. */
const ON_THE_BOARD = ['surround', 'king', 'blocked', 'repetition', 'quiet', 'turn-limit'];

/**
 * The deciding turn of a game; null if it was not decided on the board, or goes on.
 *
 * @param {Game} game
 * @returns {Ending | null}
 */
export function endingOf({ present, turns, start }) {
  const last = turns.at(-1);
  if (present.status !== 'finished' || last === undefined) return null;
  const { winner, reason } = present.outcome;
  if (!ON_THE_BOARD.includes(reason)) return null;
  const from = turns.at(-2)?.steps.at(-1)?.position ?? start;
  const steps = last.steps.filter(({ route }) => route.length > 0);
  return { from, steps, decisive: winner === null ? [] : decisiveIn(last.steps, winner) };
}

/** The attackers of the centre that fell, or else the piece that moved last.
 * @param {Step[]} steps of the last turn
 * @param {Side} winner
 */
function decisiveIn(steps, winner) {
  const loser = winner === 'first' ? 'second' : 'first';
  const attackers = steps.at(-1)?.threats?.[loser] ?? [];
  if (attackers.length > 0) return attackers;
  const end = steps.findLast(({ route }) => route.length > 0)?.route.at(-1);
  return end === undefined ? [] : [end];
}
