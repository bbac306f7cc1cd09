// The lesson of Fenix: the set-up, the moves of the pieces, captures, and the king that rises again.

import { leaves, makes, plays, takes, wins } from './goals.js';

/** @import { LessonStep } from './lessons.js' */

const ARMIES = '2S1K1SSS/3SSSSSS/s3S1CSS/ss3C1SS/sc4S1S/sssc3CS/sss1s3S/sssc5/ssss1ks2 1 11 - 0';

/** @type {LessonStep[]} */
export const fenix = [
  {
    id: 'councillor',
    position: '2SSSSSSS/3SSSSSS/s3SSSSS/ss3SSSS/sss3SSS/ssss3SS/sssss3S/ssssss3/sssssss2 1 1 - 0',
    goal: makes,
    solution: ['f7+f6'],
  },
  {
    id: 'king',
    position: '2SSSSSSS/3SSSSSS/s3S1SSS/ss3CSSS/sss3SSS/sssc3SS/sss1s3S/ssssss3/sssssss2 1 3 - 0',
    goal: plays('g6+f6'),
    solution: ['g6+f6'],
  },
  { id: 'soldier', position: ARMIES, goal: leaves('e7'), solution: ['e7-e6'] },
  { id: 'far', position: ARMIES, goal: plays('f6-c6'), solution: ['f6-c6'] },
  {
    id: 'step',
    position: '8k/1s1c5/9/9/3K5/9/6S2/1S7/9 1 13 - 0',
    goal: plays('d5-e6'),
    solution: ['d5-e6'],
  },
  { id: 'jump', position: '8k/6s2/9/9/3s5/3S5/9/6S2/K8 1 13 - 0', goal: takes(1), solution: ['d4xd6'] },
  {
    id: 'most',
    position: '8k/9/5s3/9/3s3c1/3S3S1/9/9/K8 1 13 - 0',
    goal: takes(1),
    solution: ['h4xh6'],
  },
  {
    id: 'slide',
    position: '8k/9/3s5/9/2C3s2/9/9/9/K8 1 13 - 0',
    goal: takes(1),
    solution: ['c5xh5'],
  },
  {
    id: 'diagonal',
    position: '8k/2c3s2/9/9/4s4/3K5/9/1S5S1/9 1 13 - 0',
    goal: takes(1),
    solution: ['d4xf6'],
  },
  {
    id: 'chain',
    position: '8k/9/9/4s4/3s5/3S5/9/9/K8 1 13 - 0',
    goal: takes(2),
    solution: ['d4xd6xf6'],
  },
  {
    id: 'turns',
    position: '8k/9/3s5/9/2s1s4/9/2C6/9/K8 1 13 - 0',
    goal: takes(3),
    solution: ['c3xc7xe7xe1'],
  },
  {
    id: 'again',
    position: '8k/9/2S6/2S6/5s3/5c3/9/9/K8 1 15 C 0',
    goal: makes,
    solution: ['c6+c7'],
  },
  { id: 'rise', position: '8k/9/9/2SC5/3S5/9/9/4C4/9 1 15 K 0', goal: makes, solution: ['d5+d6'] },
  {
    id: 'win',
    position: '9/9/1s2k4/7s1/9/4C2c1/6S2/1K5S1/9 1 13 - 0',
    goal: wins,
    solution: ['e4xe8'],
  },
];
