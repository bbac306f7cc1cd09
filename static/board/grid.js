// The cells of a board: how they are called, where they are seen, what lies beside what, and how a text lists them.
// Two lattices serve all boards, both around (0, 0) with x to the right and y down. Hexagons have a point up and are
// named by two steps: `u` goes down and right, `v` goes up and right; their neighbours are (u±1, v), (u, v±1),
// (u+1, v+1) and (u−1, v−1). Squares are named by column and row.
//
// What is drawn is drawn at *places*: a place is where a cell is seen, counted in reading order. Turned by 180°, the
// cells change places and the places stay where they are, which is why nothing but `placeOf` and `cellAt` knows of it.

/** @typedef {{ x: number, y: number }} Point */
/** @typedef {{ u: number, v: number }} Hex */

/** From the middle of a hexagon to a corner. */
export const RADIUS = 46;
/** From the middle of a hexagon to that of its neighbour in the row. */
export const WIDTH = Math.sqrt(3) * RADIUS;
/** From one row to the next. */
export const ROW = 1.5 * RADIUS;

/** The six neighbours clockwise from the right. The k-th lies in the direction of k × 60°.
 * @type {readonly Hex[]}
 */
export const DIRECTIONS = [
  { u: 1, v: 1 },
  { u: 1, v: 0 },
  { u: 0, v: -1 },
  { u: -1, v: -1 },
  { u: -1, v: 0 },
  { u: 0, v: 1 },
];

/** The middle of a hexagon.
 * @param {Hex} hex
 * @returns {Point}
 */
export const middle = ({ u, v }) => ({ x: ((u + v) * WIDTH) / 2, y: (u - v) * ROW });

/** The hexagon that a point lies in.
 * @param {Point} point
 * @returns {Hex}
 */
export function hexAt({ x, y }) {
  const u = x / WIDTH + y / (2 * ROW);
  const v = x / WIDTH - y / (2 * ROW);
  // Rounding three coordinates that add up to 0 and mending the one that was rounded most gives the nearest middle.
  let ru = Math.round(u);
  let rv = Math.round(v);
  const rw = Math.round(v - u);
  const du = Math.abs(ru - u);
  const dv = Math.abs(rv - v);
  const dw = Math.abs(rw - (v - u));
  if (du > dv && du > dw) ru = rv - rw;
  else if (dv > dw) rv = ru + rw;
  return { u: ru + 0, v: rv + 0 };
}

/** How many steps lie between two hexagons.
 * @param {Hex} a
 * @param {Hex} b
 */
export function steps(a, b) {
  const u = b.u - a.u;
  const v = b.v - a.v;
  return Math.max(Math.abs(u), Math.abs(v), Math.abs(u - v));
}

/** @param {number} value */
const short = (value) => String(Math.round(value * 10) / 10 + 0);
/** @param {Point} point */
const at = ({ x, y }) => `${short(x)} ${short(y)}`;
/** @param {Point} a @param {Point} b @param {number} part */
const between = (a, b, part) => ({ x: a.x + (b.x - a.x) * part, y: a.y + (b.y - a.y) * part });

/** The corners of a hexagon, clockwise; the side between corner k and k+1 faces neighbour k.
 * @param {Point} center
 * @param {number} radius
 * @returns {Point[]}
 */
export function corners(center, radius) {
  return DIRECTIONS.map((_, k) => {
    const angle = ((k * 60 - 30) * Math.PI) / 180;
    return { x: center.x + radius * Math.cos(angle), y: center.y + radius * Math.sin(angle) };
  });
}

/** A closed path through points, its corners rounded.
 * @param {Point[]} points
 * @param {number} round how far from a corner the curve begins
 */
export function roundedPath(points, round) {
  const parts = points.map((point, k) => {
    const before = /** @type {Point} */ (points.at(k - 1));
    const after = points[(k + 1) % points.length];
    const from = between(point, before, round / Math.hypot(before.x - point.x, before.y - point.y));
    const to = between(point, after, round / Math.hypot(after.x - point.x, after.y - point.y));
    return `${k === 0 ? 'M' : 'L'}${at(from)}Q${at(point)} ${at(to)}`;
  });
  return `${parts.join('')}Z`;
}

/** The outline of a union of cells as one path: each side that no two of them share, once.
 * @param {readonly Hex[]} spots
 * @param {number} round
 * @param {Lattice} lattice
 */
export function outline(spots, round, lattice) {
  const key = (/** @type {Hex} */ { u, v }) => `${u},${v}`;
  const inside = new Set(spots.map(key));
  /** @type {Map<string, { to: string, point: Point }>} */
  const edges = new Map();
  for (const spot of spots) {
    const points = lattice.corners(lattice.middle(spot), RADIUS);
    lattice.sides.forEach((direction, k) => {
      const step = lattice.directions[direction];
      if (inside.has(key({ u: spot.u + step.u, v: spot.v + step.v }))) return;
      edges.set(at(points[k]), { to: at(points[(k + 1) % points.length]), point: points[k] });
    });
  }
  let path = '';
  for (const [start] of edges) {
    /** @type {Point[]} */
    const loop = [];
    for (let edge = edges.get(start), from = start; edge; from = edge.to, edge = edges.get(from)) {
      edges.delete(from);
      loop.push(edge.point);
    }
    path += roundedPath(loop, round);
  }
  return path;
}

/** An open path with corners.
 * @param {Point[]} points
 */
export const linePath = (points) => `M${points.map(at).join('L')}`;

/** A smooth open path through points.
 * @param {Point[]} points
 */
export function smoothPath(points) {
  const last = points.length - 1;
  let path = `M${at(points[0])}`;
  for (let k = 1; k < last; k++) {
    path += `Q${at(points[k])} ${at(between(points[k], points[k + 1], k + 1 < last ? 0.5 : 1))}`;
  }
  return last === 1 ? `${path}L${at(points[1])}` : path;
}

/** The points with the last one drawn back, so that a line through them ends where the piece on the last begins.
 * @param {Point[]} points
 * @param {number} back
 */
export function shortened(points, back) {
  const last = points[points.length - 1];
  const before = points[points.length - 2];
  const reach = Math.hypot(last.x - before.x, last.y - before.y);
  return [...points.slice(0, -1), between(last, before, Math.min(1, back / reach))];
}

/** An open path from one point to another, bent to the left of its way.
 * @param {Point} from
 * @param {Point} to
 */
export function arcPath(from, to) {
  const mid = between(from, to, 0.5);
  const bend = { x: mid.x + (to.y - from.y) * 0.3, y: mid.y - (to.x - from.x) * 0.3 };
  return `M${at(from)}Q${at(bend)} ${at(to)}`;
}

/** A circle as a path, so that many of them are one element.
 * @param {Point} center
 * @param {number} radius
 */
export function circlePath({ x, y }, radius) {
  return `M${at({ x: x - radius, y })}a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0Z`;
}

/** A straight stroke in a direction, from one distance of a point to another.
 * @param {Point} center
 * @param {number} degrees clockwise from the right
 * @param {number} near
 * @param {number} far
 */
export function rayPath(center, degrees, near, far) {
  const x = Math.cos((degrees * Math.PI) / 180);
  const y = Math.sin((degrees * Math.PI) / 180);
  return `M${at({ x: center.x + near * x, y: center.y + near * y })}L${at({ x: center.x + far * x, y: center.y + far * y })}`;
}

// ---- Lattices

/**
 * @typedef {object} Lattice
 * @property {readonly Hex[]} directions the neighbours clockwise from the right, evenly spread
 * @property {readonly string[]} compass the names of the directions
 * @property {readonly number[]} around the directions of the keys D C Z A Q E
 * @property {readonly number[]} sides the direction that each side of a cell faces
 * @property {(spot: Hex) => Point} middle
 * @property {(point: Point) => Hex} at the spot that a point lies in
 * @property {(center: Point, radius: number) => Point[]} corners clockwise; a radius of `RADIUS` fills the cell
 * @property {(a: Hex, b: Hex) => number} steps how many steps lie between two spots
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
 * @param {number} size how many make a side of the board
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

// ---- Boards

/** @typedef {{ text: string, x: number, y: number, tick: string }} Label `tick` is a short stroke along the line */

/** As far from the middle of a line's last cell as the line's label stands. */
const LABEL_REACH = 61;

/**
 * A board's cells by their places.
 *
 * @param {readonly (readonly { name: string, spot: Hex }[])[]} lines the rows from top to bottom, as a text has them
 * @param {Lattice} lattice
 * @param {number} scale the size of what is seen of the table, 1 as for the largest board
 */
export function createGrid(lines, lattice, scale) {
  const spots = lines.flat().map(({ spot }) => spot);
  /** The names of the cells by row. */
  const rows = lines.map((line) => line.map(({ name }) => name));
  /** The names of the cells in reading order. */
  const cells = rows.flat();
  const { directions } = lattice;
  const indexOf = new Map(cells.map((cell, index) => [cell, index]));
  const indexOfSpot = new Map(spots.map(({ u, v }, index) => [`${u},${v}`, index]));

  /** The middle of a place.
   * @param {number} place
   */
  const pointOf = (place) => lattice.middle(spots[place]);

  /** Where a cell is seen.
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

  /** In which direction `to` lies from `from`.
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
   * @param {number} letterDegrees from the last cell with the letter
   * @param {number} numberDegrees from the first cell with the number
   */
  function labelLines(flipped, letterDegrees, numberDegrees) {
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

    /** How many neighbours a place has in the directions that its sides face.
     * @param {number} place
     */
    neighboursOf: (place) => lattice.sides.filter((k) => neighbour(place, k) !== null).length,

    /** How many steps two places are apart.
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

// ---- Texts

/** A position's text that does not fit the board. */
export class UnreadablePosition extends Error {
  /** @param {string} text */
  constructor(text) {
    super(`not a position of this board: ${text}`);
    this.name = 'UnreadablePosition';
  }
}

/**
 * What stands on a board. The text names the rows from top to bottom, joined by `/` (RULES 1.4, 2.2, 3.2).
 *
 * @param {string} text a position's text, or only its board
 * @param {readonly (readonly string[])[]} rows the names of the cells, in the text's order
 * @param {(row: string) => string[]} split a row's text → the contents of its cells, `''` for an empty one
 * @returns {Map<string, string>} cell → content, occupied cells only
 */
export function readBoard(text, rows, split) {
  const parts = text.split(' ', 1)[0].split('/');
  if (parts.length !== rows.length) throw new UnreadablePosition(text);
  const pieces = new Map();
  rows.forEach((cells, row) => {
    const contents = split(parts[row]);
    if (contents.length !== cells.length) throw new UnreadablePosition(text);
    contents.forEach((content, column) => {
      if (content !== '') pieces.set(cells[column], content);
    });
  });
  return pieces;
}

/** A row in which a piece is a letter and a run of empty cells its length.
 * @param {string} row
 */
export const lettersOf = (row) =>
  [...row.matchAll(/\d+|./g)].flatMap(([token]) =>
    /\d/.test(token) ? Array.from({ length: Number(token) }, () => '') : [token],
  );
