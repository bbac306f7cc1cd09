// The board to try before the first move, as the engine describes it.

import { FIRST_WIN } from '../lessons/first-win.js';

/** @import { Choices } from '../engine/engine.js' */
/** @import { LegalAction } from '../protocol.js' */

/** The cells that each piece can go to; capital letters where it swaps with another piece. */
const TARGETS = {
  c1: 'b1 b2 b3 b4 c3 c5 d1 d2 d5 e3 e5 F4 F5',
  c2: 'b1 b2 b3 b4 c3 c5 d1 d2 d5 e3 e5 F4 F5',
  c4: 'b1 b2 b3 b4 c3 c5 d1 d2 d5 e3 e5 F4 F5',
  d3: 'b1 b2 b3 b4 c3 c5 d1 d2 d5 e3 e5 F4 F5',
  d4: 'b1 b2 b3 b4 c3 c5 d1 d2 d5 e3 e5 F4 F5',
  e4: 'b1 b2 b3 b4 c3 c5 d1 d2 d5 e3 e5 F4 F5',
  e7: 'd6 d7 e6 e8 F6 f8 G6 g8 h6 H8 i7 I8',
  f4: 'e3 E4 e5 f3 F6 g4 g5 G6',
  f5: 'e3 E4 e5 f3 F6 g4 g5 G6',
  f7: 'd6 d7 e6 e8 F6 f8 G6 g8 h6 H8 i7 I8',
  g7: 'd6 d7 e6 e8 F6 f8 G6 g8 h6 H8 i7 I8',
  h7: 'd6 d7 e6 e8 F6 f8 G6 g8 h6 H8 i7 I8',
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
 * cells, one of which a white piece holds. Every move that brings another of them there keeps the win, and no other move does.
 * @type {Choices} */
export const START = {
  draft: {
    steps: [],
    turn: {
      number: 3,
      side: 'first',
      position: FIRST_WIN,
      allowance: {
        base: 3,
        lost: 0,
        lost_to: [],
        allowance: 3,
        used: 0,
        left: 3,
      },
      threats: { first: [], second: ['f5', 'f7', 'g7'] },
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
    ['e7', 'f7', 'g7', 'h7'],
    ['f4', 'f5'],
    ['c1', 'c2', 'c4', 'd3', 'd4', 'e4'],
  ],
  barred: [],
  best_capture: null,
  outcome: null,
};

/** The pieces that must still come, and the cells around White's centre that they must hold. */
export const FREE = ['e7', 'f4', 'h7'];
export const GAPS = ['e5', 'e6', 'g6'];
