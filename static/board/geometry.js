// Hexagons and paths: where a hexagon lies, and the lines and outlines that are drawn from points. Both lattices of the
// boards lie around (0, 0) with x to the right and y down.

import { RADIUS } from './boards.js';

/** @import { Lattice } from './lattice.js' */

/** @typedef {{ x: number, y: number }} Point */
/** @typedef {{ u: number, v: number }} Hex */

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

/** Number of steps between two hexagons.
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
export const at = ({ x, y }) => `${short(x)} ${short(y)}`;
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
 * @param {number} round distance from a corner at which the curve begins
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
