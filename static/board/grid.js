// The cells of a board: their names, their places, and their neighbours.
//
// Everything is drawn at *places*: a place is the point on the screen where a cell appears, numbered in reading order.
// When the board is turned by 180°, the cells change places and the places stay where they are, so only `placeOf` and
// `cellAt` depend on it.

import { LABEL_REACH, RADIUS } from './boards.js';
import { WIDTH, at, outline, rayPath, roundedPath } from './geometry.js';

/** @import { Board } from './boards.js' */
/** @import { Point } from './geometry.js' */
/** @import { Lattice } from './lattice.js' */

/** @typedef {{ text: string, x: number, y: number, tick: string }} Label `tick` is a short stroke along the line */

/**
 * A board's cells by their places.
 *
 * @param {Board} board
 * @param {Lattice} lattice
 */
export function createGrid(board, lattice) {
  const { scale, step, letterDegrees, numberDegrees } = board;
  /** The names of the cells by row. */
  const rows = board.rows.map(([names]) => names.split(' '));
  const spots = board.rows.flatMap(([, u, v], row) =>
    rows[row].map((_, k) => ({ u: u + k * step.u, v: v + k * step.v })),
  );
  /** The names of the cells in reading order. */
  const cells = rows.flat();
  const { directions } = lattice;
  const indexOf = new Map(cells.map((cell, index) => [cell, index]));
  const indexOfSpot = new Map(spots.map(({ u, v }, index) => [`${u},${v}`, index]));

  /** The middle of a place.
   * @param {number} place
   */
  const pointOf = (place) => lattice.middle(spots[place]);

  /** The place of a cell.
   * @param {string} cell
   * @param {boolean} flipped
   */
  function placeOf(cell, flipped) {
    const index = indexOf.get(cell);
    if (index === undefined) throw new RangeError(`no cell is called ${cell}`);
    return flipped ? cells.length - 1 - index : index;
  }

  /** The cell that is seen at a place.
   * @param {number} place
   * @param {boolean} flipped
   */
  const cellAt = (place, flipped) => cells[flipped ? cells.length - 1 - place : place];

  /** The place at a point: the one that holds it, or else the nearest that is at most 0.6 cells away.
   * @param {Point} point
   * @returns {number | null}
   */
  function placeAt(point) {
    const { u, v } = lattice.at(point);
    const inside = indexOfSpot.get(`${u},${v}`);
    if (inside !== undefined) return inside;
    const distance = (/** @type {number} */ place) =>
      Math.hypot(pointOf(place).x - point.x, pointOf(place).y - point.y);
    const nearest = spots.map((_, place) => place).reduce((a, b) => (distance(b) < distance(a) ? b : a));
    return distance(nearest) <= 1.1 * WIDTH ? nearest : null;
  }

  /** The neighbour of a place in direction `k`, or null at the edge.
   * @param {number} place
   * @param {number} k
   * @returns {number | null}
   */
  function neighbour(place, k) {
    const { u, v } = spots[place];
    return indexOfSpot.get(`${u + directions[k].u},${v + directions[k].v}`) ?? null;
  }

  /** The direction of `to` as seen from `from`.
   * @param {number} from
   * @param {number} to
   */
  function directionOf(from, to) {
    const a = pointOf(from);
    const b = pointOf(to);
    const turns = Math.atan2(b.y - a.y, b.x - a.x) / (2 * Math.PI);
    return (Math.round(turns * directions.length) + directions.length) % directions.length;
  }

  /** A shortest way from one place to another whose inner places all belong to `through`; straight if there is none.
   * @param {number} from
   * @param {number} to
   * @param {readonly number[]} through
   * @returns {number[]}
   */
  function wayThrough(from, to, through) {
    const open = new Set(through);
    /** @type {Map<number, number>} */
    const cameFrom = new Map([[from, from]]);
    for (const place of cameFrom.keys()) {
      for (let k = 0; k < directions.length; k++) {
        const next = neighbour(place, k);
        if (next === null || cameFrom.has(next)) continue;
        if (next !== to && !open.has(next)) continue;
        cameFrom.set(next, place);
        if (next !== to) continue;
        const way = [to];
        while (way[0] !== from) way.unshift(/** @type {number} */ (cameFrom.get(way[0])));
        return way;
      }
    }
    return [from, to];
  }

  /** A label on the continuation of a line, beyond a place at its end.
   * @param {string} text
   * @param {number | undefined} place
   * @param {number} degrees
   * @returns {Label}
   */
  function label(text, place, degrees) {
    if (place === undefined) throw new Error('each line has cells');
    const end = pointOf(place);
    const angle = (degrees * Math.PI) / 180;
    return {
      text,
      x: end.x + LABEL_REACH * Math.cos(angle),
      y: end.y + LABEL_REACH * Math.sin(angle),
      tick: rayPath(end, degrees, 45, 49.5),
    };
  }

  /** The letters and numbers that the cells' names are made of, each once, at the end of its line.
   * @param {boolean} flipped
   */
  function labelLines(flipped) {
    const places = cells.map((_, place) => place);
    const letters = [...new Set(cells.map((cell) => cell[0]))].sort();
    const numbers = [...new Set(cells.map((cell) => cell.slice(1)))].sort((a, b) => Number(a) - Number(b));
    return [
      ...letters.map((letter) =>
        label(
          letter,
          places.findLast((place) => cellAt(place, flipped)[0] === letter),
          letterDegrees,
        ),
      ),
      ...numbers.map((number) =>
        label(
          number,
          places.find((place) => cellAt(place, flipped).slice(1) === number),
          numberDegrees,
        ),
      ),
    ];
  }

  /** One cell as a path.
   * @param {number} place
   * @param {number} radius
   * @param {number} round
   */
  const cellPath = (place, radius, round) => roundedPath(lattice.corners(pointOf(place), radius), round);

  const toneOf = (/** @type {number} */ place) => lattice.tone(spots[place]);

  return {
    rows,
    cells,
    lattice,
    /** The view box with the tablet around the field. */
    viewBox: [-550, -470, 1100, 980].map((length) => length * scale).join(' '),
    /** The view box with only the field and its labels. */
    fieldBox: [-444, -421, 888, 842].map((length) => length * scale).join(' '),
    spotOf: (/** @type {number} */ place) => spots[place],
    pointOf,
    placeOf,
    cellAt,
    placeAt,
    neighbour,
    directionOf,
    wayThrough,
    labelLines,
    cellPath,
    toneOf,

    /** Number of neighbours of a place in the directions that its sides face.
     * @param {number} place
     */
    neighboursOf: (place) => lattice.sides.filter((k) => neighbour(place, k) !== null).length,

    /** Number of steps between two places.
     * @param {number} a
     * @param {number} b
     */
    distance: (a, b) => lattice.steps(spots[a], spots[b]),

    /** The degrees of a direction, clockwise from the right.
     * @param {number} k
     */
    degreesOf: (k) => (k * 360) / directions.length,

    /** One outline around places.
     * @param {readonly number[]} places
     * @param {number} round
     */
    outline: (places, round) =>
      outline(
        places.map((place) => spots[place]),
        round,
        lattice,
      ),

    /** The field in flat colours: the ground and the three tones, for diagrams and for high contrast.
     * @returns {{ ground: string, tones: string[] }}
     */
    flatField() {
      const tones = ['', '', ''];
      let ground = '';
      spots.forEach((spot, place) => {
        tones[toneOf(place)] += cellPath(place, RADIUS - 1.9, 3);
        ground += `M${lattice
          .corners(lattice.middle(spot), RADIUS + 4)
          .map(at)
          .join('L')}Z`;
      });
      return { ground, tones };
    },
  };
}

/** @typedef {ReturnType<typeof createGrid>} Grid */
