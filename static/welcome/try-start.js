// The board to try before the first move, as the engine describes it.

/** @import { Choices } from '../engine/engine.js' */
/** @import { LegalAction } from '../protocol.js' */

/** The cells that each piece can go to; capital letters where it swaps with a piece of the other side. */
const TARGETS = {
  c1: 'b1 b2 b3 b4 c3 C5 d1 d2 d5 e3 E5 f4 f5',
  c2: 'b1 b2 b3 b4 c3 C5 d1 d2 d5 e3 E5 f4 f5',
  c4: 'b1 b2 b3 b4 c3 C5 d1 d2 d5 e3 E5 f4 f5',
  c5: 'b4 b5 C4 c6 D4 d5 d7 E4 e8 f5 F6 f8 g7 g8',
  d3: 'b1 b2 b3 b4 c3 C5 d1 d2 d5 e3 E5 f4 f5',
  d4: 'b1 b2 b3 b4 c3 C5 d1 d2 d5 e3 E5 f4 f5',
  d6: 'b4 b5 C4 c6 D4 d5 d7 E4 e8 f5 F6 f8 g7 g8',
  e4: 'b1 b2 b3 b4 c3 C5 d1 d2 d5 e3 E5 f4 f5',
  e5: 'b4 b5 C4 c6 D4 d5 d7 E4 e8 f5 F6 f8 g7 g8',
  e6: 'b4 b5 C4 c6 D4 d5 d7 E4 e8 f5 F6 f8 g7 g8',
  e7: 'b4 b5 C4 c6 D4 d5 d7 E4 e8 f5 F6 f8 g7 g8',
  f7: 'b4 b5 C4 c6 D4 d5 d7 E4 e8 f5 F6 f8 g7 g8',
};

/** The actions of a piece.
 * @param {[string, string]} piece its cell, and the cells that it can go to
 * @returns {LegalAction[]}
 */
const actionsFrom = ([from, targets]) =>
  targets.split(' ').map((target) => {
    const to = target.toLowerCase();
    const kind = to === target ? 'move' : 'swap';
    return {
      text: `${from}-${to}`,
      kind,
      from,
      to,
      count: null,
      overflow: null,
      capture: null,
    };
  });

/** Black has three moves, and six strike pieces of which three touch White's centre: the other three can go to the remaining
 * cells, one of which a white piece holds.
 * @type {Choices} */
export const START = {
  draft: {
    steps: [],
    turn: {
      number: 3,
      side: 'first',
      position: 'C5/7/8/2SSS3p/2P1SS1pp1/3PSc1p3/1PPP1p1p2/P8/8/5s1/sssss1 1 3 3/3',
      allowance: {
        base: 3,
        lost: 0,
        lost_to: [],
        allowance: 3,
        used: 0,
        left: 3,
      },
      threats: { first: [], second: ['e5', 'e6', 'f7'] },
      reserves: null,
      set_up: null,
      owed: null,
      quiet: null,
      cards: null,
    },
    may_end: false,
    complete: false,
  },
  actions: Object.entries(TARGETS).flatMap(actionsFrom),
  groups: [
    ['c5', 'd6', 'e5', 'e6', 'e7', 'f7'],
    ['c1', 'c2', 'c4', 'd3', 'd4', 'e4'],
  ],
  barred: [],
  best_capture: null,
  outcome: null,
};
