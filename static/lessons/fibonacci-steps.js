// The lesson of Fibonacci: the group, the swap, the attack, the turns that grow, and the ring that wins.

import { FIRST_WIN } from './first-win.js';
import { anything, attackers, completes, ends, leaves, plays, swapsWith, wins } from './goals.js';

/** @import { LessonStep } from './lessons.js' */

const START = 'CSSSSS/1S5/8/8p/2P3ppp1/3P3p3/1PPP3p2/P8/8/5s1/sssssc 1 1 1/1';
const MIDDLE = '1SS3/1SCSS2/8/8p/2P3Spp1/3Psspp3/1PPPss1p2/P3s4/4c3/4s2/6 2 8 6/6';
const THIRD = 'CSSSS1/1SS4/8/8p/2P3ppp1/3P3p3/1PPP3p2/P8/8/3ss2/1ssssc 1 3 3/3';

/** @type {LessonStep[]} */
export const fibonacci = [
  { id: 'first', position: START, goal: anything, solution: ['b7-c7'] },
  { id: 'group', position: START, goal: plays('b6-g11'), solution: ['b6-g11'] },
  {
    id: 'alone',
    position: 'CSSSS1/1S5/8/8p/2P3ppp1/3P2Sp3/1PPP3p2/P8/8/5s1/sssssc 1 3 3/3',
    goal: leaves('g7'),
    solution: ['g7-g8'],
  },
  { id: 'swap', position: MIDDLE, goal: swapsWith('e4'), solution: ['e5-e4'] },
  { id: 'carry', position: MIDDLE, goal: plays('g5-g7'), solution: ['g5-g7'] },
  { id: 'centre', position: MIDDLE, goal: swapsWith('h5'), solution: ['e5-h5'] },
  { id: 'turn', position: THIRD, moves: 3, goal: completes, solution: ['c7-d8', 'e10-f11', 'c4-d5'] },
  { id: 'end', position: THIRD, moves: 3, goal: ends, solution: ['c7-d8', 'end'] },
  {
    id: 'attack',
    position: '2C3/7/8/1PPS4p/1PPPS1ppp1/2P2S1p3/5S1p2/5S3/5S1s/3s2s/sss1c1 1 5 5/5',
    goal: attackers('second', (n) => n > 0),
    solution: ['d6-j6'],
  },
  {
    id: 'cost',
    position: '1P4/PPP4/1PP5/9/3CSSSSSS/3ss1pp3/4s2p2/2ss2pp1/3s2p1/7/3c2 1 7 4/4',
    moves: 4,
    goal: attackers('first', (n) => n === 0),
    solution: ['j11-d5'],
  },
  {
    id: 'shift',
    position: '2C3/7/8/1P6p/2PSSSppp1/3PSSSp3/2P2P1p2/4P4/4c3/5s1/sssss1 1 3 3/3',
    goal: plays('g6-h5'),
    solution: ['g6-h5'],
  },
  {
    id: 'pull',
    position: '2C3/7/8/1P6p/2PSSSppp1/3PSSSp3/2P2c1p2/4P4/4P3/5s1/sssss1 1 3 2/3',
    goal: plays('f6-g6'),
    solution: ['f6-g6'],
  },
  {
    id: 'close',
    position: '2C3/7/8/1P6p/2PSSSppp1/3PScSp3/2P2S1p2/4P4/4P3/5s1/sssss1 1 3 1/3',
    goal: wins,
    solution: ['d5-f5'],
  },
  {
    id: 'win',
    position: FIRST_WIN,
    moves: 3,
    goal: wins,
    solution: ['e7-e6', 'h7-g6', 'f4-e5'],
  },
];
