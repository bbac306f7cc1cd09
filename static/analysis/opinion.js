// The search's opinion of the position that is shown: asked of the worker again and again, each time with more positions.

import { createThinker } from '../engine/thinker.js';

/** @import { Outcome, Side, Step } from '../protocol.js' */
/** @import { Found } from '../engine/search.js' */
/** @import { Study } from './study.js' */

/** Number of positions that each search visits. */
const STAGES = [10_000, 100_000, 1_000_000];
/** Number of turns that are named. */
const LINES = 3;
/** Debounce: no search while the reader steps through turns. */
const PAUSE_MS = 120;

/**
 * A good turn.
 * @typedef {object} Line
 * @property {string[]} actions
 * @property {Step[]} steps
 * @property {number} score the chance of the first side to win
 * @property {boolean} wins whether it wins the game at once
 */

/**
 * @typedef {object} Opinion
 * @property {number} score the chance of the first side to win
 * @property {Line[]} lines the best first; none if the game is over
 * @property {number} nodes number of positions visited; 0 if none had to be
 * @property {boolean} isDone whether no further search follows
 */

/** The chance of the first side to win after the end of a game.
 * @param {Outcome} outcome
 */
export const scoreOf = ({ winner }) => ({ first: 1, second: 0, draw: 0.5 })[winner ?? 'draw'];

/** The chance of the first side, by that of the side to move.
 * @param {number} score
 * @param {Side} side
 */
export const ofFirst = (score, side) => (side === 'first' ? score : 1 - score);

/** The result of a search, in terms of the board.
 * @param {Study} study at the position
 * @param {Found} found
 * @param {boolean} isDone
 * @returns {Opinion}
 */
function opinionOf(study, { score, lines, nodes }, isDone) {
  const { side } = study.local.match.turn;
  const told = lines
    // A score above the best was not confirmed by a deeper search.
    .filter((line, index) => index === 0 || line.score <= score)
    .flatMap(({ turns: [actions], score: chance }) => {
      const after = study.after(actions);
      if (after === null) return [];
      const wins = after.outcome?.winner === side;
      return [{ actions, steps: after.steps, score: ofFirst(wins ? 1 : chance, side), wins }];
    });
  const isWon = told.some(({ wins }) => wins);
  return {
    score: ofFirst(isWon ? 1 : score, side),
    lines: told.toSorted((one, other) => Number(other.wins) - Number(one.wins)),
    nodes,
    isDone: isDone || isWon,
  };
}

/** @param {(opinion: Opinion | null, failed: boolean) => void} report gets null at the beginning of each position */
export function createOpinion(report) {
  const thinker = createThinker();
  let number = 0;
  let timer = 0;

  /** @param {Study} study
   * @param {number} mine the number of this request */
  async function think(study, mine) {
    try {
      for (const [index, nodes] of STAGES.entries()) {
        const found = await thinker.ask('search', study.question(study.here, nodes, { lines: LINES }));
        if (mine !== number) return;
        const opinion = opinionOf(study, found, index === STAGES.length - 1);
        report(opinion, false);
        if (opinion.isDone) return;
      }
    } catch (error) {
      if (mine !== number) return;
      console.warn(error);
      report(null, true);
    }
  }

  function stop() {
    number += 1;
    clearTimeout(timer);
    thinker.stop();
  }

  return {
    stop,

    /** Asks about the node that a study shows.
     * @param {Study} study
     */
    ask(study) {
      stop();
      const { outcome } = study.local.match;
      if (outcome !== null)
        return report({ score: scoreOf(outcome), lines: [], nodes: 0, isDone: true }, false);
      report(null, false);
      if (study.isWaiting) return;
      const mine = number;
      timer = window.setTimeout(() => think(study, mine), PAUSE_MS);
    },
  };
}
