// The lesson of Focus: the switch, stacks that move as far as they are tall, overflow, and the reserve.

import { leaves, lifts, overflows, plays, swaps, wins } from './goals.js';

/** @import { LessonStep } from './lessons.js' */

const TOWERS =
  '.,.,.,./.,.,.,.,ox,./.,.,.,o,.,.,.,./.,x,.,.,.,.,.,./.,.,.,xox,.,.,oo,./.,.,oo,.,.,.,o,./.,.,.,.,.,./.,.,.,. 1 9 0 0';

/** @type {LessonStep[]} */
export const focus = [
  {
    id: 'switch',
    position:
      '.,.,.,./o,o,x,x,o,o/.,x,x,o,o,x,x,./.,o,o,x,x,o,o,./.,x,x,o,o,x,x,./.,o,o,x,x,o,o,./x,x,o,o,x,x/.,.,.,. 1 1 0 0',
    goal: swaps,
    solution: ['b4~b3'],
  },
  { id: 'single', position: TOWERS, goal: leaves('b5'), solution: ['b5-b6'] },
  { id: 'tall', position: TOWERS, goal: lifts('d4', 3), solution: ['d4-a4'] },
  { id: 'split', position: TOWERS, goal: lifts('d4', 2), solution: ['d4-d6'] },
  { id: 'over', position: TOWERS, goal: plays('d4-g4'), solution: ['d4-g4'] },
  {
    id: 'own',
    position:
      '.,.,.,./.,.,.,.,.,./.,.,.,o,o,.,.,./.,ox,.,.,.,.,.,./.,.,.,xxx,.,.,.,./.,.,.,.,.,oo,.,./.,.,.,.,.,./.,.,.,. 1 9 0 0',
    goal: plays('d4-d6'),
    solution: ['d4-d6'],
  },
  {
    id: 'capture',
    position:
      '.,.,.,./.,.,.,.,.,./.,.,.,.,.,.,o,./.,.,oooxo,.,.,.,.,./.,.,.,.,.,o,.,./.,.,xx,.,.,.,.,./.,.,.,.,.,./.,.,.,. 1 9 0 0',
    goal: overflows(2, 0),
    solution: ['c3-c5'],
  },
  {
    id: 'reserve',
    position:
      '.,.,.,./.,.,.,.,.,./.,.,.,.,.,.,o,./.,.,xxoxo,.,.,.,.,./.,.,.,.,.,o,.,./.,.,xx,.,.,.,.,./.,.,.,.,.,./.,.,.,. 1 9 0 0',
    goal: overflows(0, 2),
    solution: ['c3-c5'],
  },
  {
    id: 'drop',
    position:
      '.,.,.,./.,.,.,.,.,./.,.,.,.,x,.,.,./.,.,ooo,.,.,.,.,./.,.,.,.,.,.,.,./.,.,.,.,.,oo,.,./.,.,.,.,.,./.,.,.,. 1 9 1 0',
    goal: plays('*c5'),
    solution: ['*c5'],
  },
  {
    id: 'cover',
    position:
      '.,.,.,./.,.,.,.,.,./.,.,.,.,.,.,.,./.,.,.,.,.,.,o,./.,.,.,oxx,o,.,.,./.,.,.,.,.,.,.,./.,.,.,.,.,./.,.,.,. 1 9 0 0',
    goal: plays('d4-e4'),
    solution: ['d4-e4'],
  },
  {
    id: 'win',
    position:
      '.,.,.,./.,.,.,.,.,./.,.,.,o,.,.,.,./.,.,.,.,.,.,.,./.,.,.,xx,.,.,.,./.,x,.,.,.,.,.,./.,.,.,.,.,./.,.,.,. 1 9 0 0',
    goal: wins,
    solution: ['d4-d6'],
  },
];
