// Generated from engine/pictures/src; do not edit.
// To regenerate: WRITE_BOARDS=1 cargo test --workspace the_client_has_the_tables_of_the_boards

/** From the middle of a hexagon to a corner. */
export const RADIUS = 46;

/** From the middle of a line's last cell to the line's label. */
export const LABEL_REACH = 61;

/** From one man of a stack to the next. */
export const RISE = 6.6;

/** Radius of a man. */
export const COIN = 24.5;

/** The shapes of pieces. */
export const SHAPES = {
  petal: 'M5.2 0C10.5 6.5 20.5 6.5 26.2 0C20.5-6.5 10.5-6.5 5.2 0Z',
  up: 'M6.4-25.2Q22.6-9 28.5 13.1Q30.3 21.5 22.1 24.1Q0 30.1-22.1 24.1Q-30.3 21.5-28.5 13.1Q-22.6-9-6.4-25.2Q0-31 6.4-25.2Z',
  down: 'M-6.4 25.2Q-22.6 9-28.5-13.1Q-30.3-21.5-22.1-24.1Q0-30.1 22.1-24.1Q30.3-21.5 28.5-13.1Q22.6 9 6.4 25.2Q0 31-6.4 25.2Z',
  ring: 'M-26 0a26 26 0 1 0 52 0a26 26 0 1 0-52 0ZM-10.5 0a10.5 10.5 0 1 1 21 0a10.5 10.5 0 1 1-21 0Z',
  flame: 'M0-11C5-5 9-1 8 4.5A8 8 0 0 1-8 4.5C-8 1-5-1-4-4C-3-1-1-1 0-3C1-5 1-8 0-11Z',
  waves: 'M-9-1.5q4.5-6 9 0t9 0M-9 5.5q4.5-6 9 0t9 0',
};

/**
 * A board: its size, the directions of the labels in degrees, and its rows from top to bottom, as a text has them. A row
 * has the names of its cells and the spot of the first; each further one lies `step` beyond the one before.
 * @typedef {object} Board
 * @property {number} scale
 * @property {number} letterDegrees
 * @property {number} numberDegrees
 * @property {{ u: number, v: number }} step
 * @property {readonly (readonly [names: string, u: number, v: number])[]} rows
 */

/** @type {Record<'fibonacci' | 'fenix' | 'focus' | 'crossfire', Board>} */
export const BOARDS = {
  fibonacci: {
    scale: 1,
    letterDegrees: 120,
    numberDegrees: 240,
    step: { u: 1, v: 1 },
    rows: [
      ['a6 b7 c8 d9 e10 f11', -5, 0],
      ['a5 b6 c7 d8 e9 f10 g11', -5, -1],
      ['a4 b5 c6 d7 e8 f9 g10 h11', -5, -2],
      ['a3 b4 c5 d6 e7 f8 g9 h10 i11', -5, -3],
      ['a2 b3 c4 d5 e6 f7 g8 h9 i10 j11', -5, -4],
      ['a1 b2 c3 d4 e5 f6 g7 h8 i9 j10 k11', -5, -5],
      ['b1 c2 d3 e4 f5 g6 h7 i8 j9 k10', -4, -5],
      ['c1 d2 e3 f4 g5 h6 i7 j8 k9', -3, -5],
      ['d1 e2 f3 g4 h5 i6 j7 k8', -2, -5],
      ['e1 f2 g3 h4 i5 j6 k7', -1, -5],
      ['f1 g2 h3 i4 j5 k6', 0, -5],
    ],
  },
  fenix: {
    scale: 0.955,
    letterDegrees: 90,
    numberDegrees: 180,
    step: { u: 1, v: 0 },
    rows: [
      ['a9 b9 c9 d9 e9 f9 g9 h9 i9', 0, 0],
      ['a8 b8 c8 d8 e8 f8 g8 h8 i8', 0, 1],
      ['a7 b7 c7 d7 e7 f7 g7 h7 i7', 0, 2],
      ['a6 b6 c6 d6 e6 f6 g6 h6 i6', 0, 3],
      ['a5 b5 c5 d5 e5 f5 g5 h5 i5', 0, 4],
      ['a4 b4 c4 d4 e4 f4 g4 h4 i4', 0, 5],
      ['a3 b3 c3 d3 e3 f3 g3 h3 i3', 0, 6],
      ['a2 b2 c2 d2 e2 f2 g2 h2 i2', 0, 7],
      ['a1 b1 c1 d1 e1 f1 g1 h1 i1', 0, 8],
    ],
  },
  focus: {
    scale: 0.86,
    letterDegrees: 90,
    numberDegrees: 180,
    step: { u: 1, v: 0 },
    rows: [
      ['c8 d8 e8 f8', 2, 0],
      ['b7 c7 d7 e7 f7 g7', 1, 1],
      ['a6 b6 c6 d6 e6 f6 g6 h6', 0, 2],
      ['a5 b5 c5 d5 e5 f5 g5 h5', 0, 3],
      ['a4 b4 c4 d4 e4 f4 g4 h4', 0, 4],
      ['a3 b3 c3 d3 e3 f3 g3 h3', 0, 5],
      ['b2 c2 d2 e2 f2 g2', 1, 6],
      ['c1 d1 e1 f1', 2, 7],
    ],
  },
  crossfire: {
    scale: 0.87,
    letterDegrees: 90,
    numberDegrees: 180,
    step: { u: 1, v: 1 },
    rows: [
      ['g9', -2, 2],
      ['d8 f8 h8 j8', -3, 0],
      ['a7 c7 e7 g7 i7 k7 m7', -4, -2],
      ['b6 d6 f6 h6 j6 l6', -3, -2],
      ['a5 c5 e5 g5 i5 k5 m5', -3, -3],
      ['b4 d4 f4 h4 j4 l4', -2, -3],
      ['a3 c3 e3 g3 i3 k3 m3', -2, -4],
      ['d2 f2 h2 j2', 0, -3],
      ['g1', 2, -2],
    ],
  },
};
