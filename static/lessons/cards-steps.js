// The lesson of Fibonacci with cards: what is different.

import { completes, ends, wins } from './goals.js';

/** @import { LessonStep } from './lessons.js' */

/** @type {LessonStep[]} */
export const cards = [
  {
    id: 'card',
    position: 'CSSSSS/1S5/8/8p/2P3ppp1/3P3p3/1PPP3p2/P8/8/5s1/sssssc 1 1 3/3',
    moves: 3,
    goal: completes,
    solution: ['b6-g11', 'b7-g10', 'c4-d5'],
  },
  {
    id: 'attacked',
    position: '1P4/PPP4/1PP5/9/3CSSSSSS/3ss1pp3/4s2p2/2ss2pp1/3s2p1/7/3c2 1 7 4/4',
    moves: 4,
    goal: ends,
    solution: ['j11-d5', 'end'],
  },
  {
    id: 'near',
    position: 'C5/7/8/8p/2PP2ppp1/2PP3p3/1PSSS2p2/P2SSS3/4c2s/5s1/ssss2 1 7 2/2',
    moves: 2,
    goal: wins,
    solution: ['d3-g4'],
  },
  {
    id: 'join',
    position: 'C5/7/8/8p/2PP2ppp1/2PP1S1p3/1P5p2/P4S3/5S1s/4sSS/ssssSc 1 9 2/2',
    moves: 2,
    goal: wins,
    solution: ['f6-g6'],
  },
  {
    id: 'win',
    position: 'C5/7/8/2P2p3/2P3p1pp/3s5p1/3PSs4/P2PSS1c1/2sP1sp1/3sSS1/4Ss 1 15 3/3',
    moves: 3,
    goal: wins,
    solution: ['f5-i6', 'g5-i7', 'i5-j8'],
  },
];
