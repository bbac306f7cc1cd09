// The lesson of Crossfire: six directions, the capacity of a cell, overflow at the edge, and ko.

import { leaves, lifts, overflows, plays, wins } from './goals.js';

/** @import { LessonStep } from './lessons.js' */

const START = './o,x,x,x/.,o,o,x,x,o,./o,o,o,x,o,o/x,x,x,.,o,o,o/x,x,o,x,x,x/.,x,o,o,x,x,./o,o,o,x/. 1 1 0 0';
const TOWER =
  './.,.,.,./.,.,.,.,.,.,./.,.,.,.,.,./.,.,.,oxx,.,o,./.,.,.,.,.,./.,oo,.,.,.,.,./.,.,.,./. 1 9 0 0';

/** @type {LessonStep[]} */
export const crossfire = [
  { id: 'first', position: START, goal: leaves('e5'), solution: ['e5-g5'] },
  { id: 'tall', position: TOWER, goal: lifts('g5', 3), solution: ['g5-a5'] },
  { id: 'split', position: TOWER, goal: lifts('g5', 1), solution: ['g5-e5'] },
  { id: 'own', position: TOWER, goal: plays('g5-k5'), solution: ['g5-k5'] },
  {
    id: 'corner',
    position:
      './.,.,.,./.,.,.,xox,.,.,./.,.,.,.,.,./.,oo,.,.,.,.,./.,.,.,.,.,./.,.,.,.,o,.,./.,.,.,./. 1 9 0 0',
    goal: plays('g7-a7'),
    solution: ['g7-a7'],
  },
  {
    id: 'capture',
    position:
      './.,.,.,./xo,.,oox,.,.,.,./.,.,.,.,.,./.,.,.,.,o,.,./.,.,.,.,.,./.,.,.,oo,.,.,./.,.,.,./. 1 9 0 0',
    goal: overflows(1, 1),
    solution: ['e7-a7'],
  },
  {
    id: 'edge',
    position:
      './.,.,.,./.,.,.,.,.,.,./.,.,.,.,.,./oxo,.,xx,.,o,.,./.,.,.,.,.,oo/.,.,.,.,.,.,./.,.,.,./. 1 9 0 0',
    goal: overflows(1, 1),
    solution: ['e5-a5'],
  },
  {
    id: 'drop',
    position:
      './.,.,.,./.,.,.,.,.,.,./.,.,.,.,.,./.,oo,.,oo,.,x,./.,.,.,.,.,./.,.,.,.,.,.,./.,.,.,./. 1 9 1 0',
    goal: plays('*g5'),
    solution: ['*g5'],
  },
  {
    id: 'ko',
    position:
      './.,.,.,./.,.,.,.,.,o,./.,.,.,.,.,./.,.,.,x,.,.,./.,.,.,.,oo,./.,xx,.,.,.,.,./.,.,.,./. 1 9 0 0',
    before: [['g5-e5'], ['k7-i7'], ['e5-g5'], ['i7-k7']],
    goal: leaves('g5'),
    solution: ['g5-f4'],
  },
  {
    id: 'win',
    position:
      './.,.,.,./.,.,.,.,.,.,./.,.,.,.,.,./.,o,.,xx,.,x,./.,.,.,.,.,./.,.,.,.,.,.,./.,.,.,./. 1 9 0 0',
    goal: wins,
    solution: ['g5-c5'],
  },
];
