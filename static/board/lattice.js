// The two lattices that serve all boards. Hexagons have a point up and are named by two steps: `u` goes down and right,
// `v` goes up and right; their neighbours are (u±1, v), (u, v±1), (u+1, v+1) and (u−1, v−1). Squares are named by column
// and row.

import { RADIUS } from './boards.js';
import { DIRECTIONS, WIDTH, corners, hexAt, middle, steps } from './geometry.js';

/** @import { Hex, Point } from './geometry.js' */

/**
 * @typedef {object} Lattice
 * @property {readonly Hex[]} directions the neighbours clockwise from the right, evenly spread
 * @property {readonly string[]} compass the names of the directions
 * @property {readonly number[]} around the directions of the keys D C Z A Q E
 * @property {readonly number[]} sides the direction that each side of a cell faces
 * @property {(spot: Hex) => Point} middle
 * @property {(point: Point) => Hex} at the spot that a point lies in
 * @property {(center: Point, radius: number) => Point[]} corners clockwise; a radius of `RADIUS` fills the cell
 * @property {(a: Hex, b: Hex) => number} steps number of steps between two spots
 * @property {(spot: Hex) => number} tone which of the three tones of the parquet a cell has
 */

/** @type {Lattice} */
export const HEXAGONS = {
  directions: DIRECTIONS,
  compass: ['e', 'se', 'sw', 'w', 'nw', 'ne'],
  around: [0, 1, 2, 3, 4, 5],
  sides: [0, 1, 2, 3, 4, 5],
  middle,
  at: hexAt,
  corners,
  steps,
  tone: ({ u, v }) => (((u + v) % 3) + 3) % 3,
};

/** Squares as wide as the hexagons are.
 * @param {number} size number of squares along a side of the board
 * @returns {Lattice}
 */
export function squares(size) {
  const half = (size - 1) / 2;
  return {
    directions: [
      { u: 1, v: 0 },
      { u: 1, v: 1 },
      { u: 0, v: 1 },
      { u: -1, v: 1 },
      { u: -1, v: 0 },
      { u: -1, v: -1 },
      { u: 0, v: -1 },
      { u: 1, v: -1 },
    ],
    compass: ['e', 'se', 's', 'sw', 'w', 'nw', 'n', 'ne'],
    around: [0, 1, 3, 4, 5, 7],
    sides: [6, 0, 2, 4],
    middle: ({ u, v }) => ({ x: (u - half) * WIDTH, y: (v - half) * WIDTH }),
    at: ({ x, y }) => ({ u: Math.round(x / WIDTH + half), v: Math.round(y / WIDTH + half) }),
    corners({ x, y }, radius) {
      const r = (radius * WIDTH) / (2 * RADIUS);
      return [
        { x: x - r, y: y - r },
        { x: x + r, y: y - r },
        { x: x + r, y: y + r },
        { x: x - r, y: y + r },
      ];
    },
    steps: (a, b) => Math.max(Math.abs(a.u - b.u), Math.abs(a.v - b.v)),
    tone: ({ u, v }) => ((u + v) % 2 === 0 ? 0 : 2),
  };
}
