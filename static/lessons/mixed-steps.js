// The lesson of Fibonacci with mixed groups: what is different.

import { completes, plays, wins } from './goals.js';

/** @import { LessonStep } from './lessons.js' */

const MIDDLE = '1S4/1SCSS2/2S5/2P5p/3P2Spp1/4sspp3/1PPPss1p2/P3s4/4c3/4s2/6 1 7 6/6';

/** @type {LessonStep[]} */
export const mixed = [
  { id: 'group', position: MIDDLE, goal: plays('c5-f10'), solution: ['c5-f10'] },
  { id: 'swap', position: MIDDLE, goal: plays('c5-b7'), solution: ['c5-b7'] },
  {
    id: 'whole',
    position: 'CSSSS1/1SS4/8/8p/2P3ppp1/3P3p3/1PPP3p2/P8/8/3ss2/1ssssc 1 3 3/3',
    moves: 3,
    goal: completes,
    solution: ['c7-d8', 'e10-f11', 'c4-d5'],
  },
  {
    id: 'win',
    position: 'C5/PSc4/2SS4/3S1s3/2SsP2ss1/5SPp3/6pp2/P4sp2/5s2/3pp2/4PP 1 23 3/6',
    moves: 3,
    goal: wins,
    solution: ['c6-c7', 'f6-b5', 'c4-c5'],
  },
];
