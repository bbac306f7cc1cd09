// The marks of a board: their layers, and the shapes of those that are signs.

import { circlePath } from './geometry.js';

/** @import { Point } from './geometry.js' */

/** Marks under the pieces and over them, each layer from bottom to top. One path draws all marks of a kind. */
export const UNDER = /** @type {const} */ ([
  'capacity',
  'group-tint',
  'group-halo',
  'group',
  'last-from',
  'last-to',
  'last-taken',
  'draft-from',
  'draft-to',
  'pick',
  'hollow',
  'last-halo',
  'last-line',
  'draft-halo',
  'draft-line',
  'route-halo',
  'route',
  'dots-rim',
  'dots',
  'far-rim',
  'far',
]);
export const OVER = /** @type {const} */ ([
  'decisive-halo',
  'decisive',
  'named-halo',
  'named',
  'threat-halo',
  'threat',
  'must',
  'victim-hatch',
  'victim-halo',
  'victim',
  'prey-halo',
  'prey',
  'makes-halo',
  'makes',
  'barred-halo',
  'barred',
  'lines-halo',
  'lines',
  'missing-halo',
  'missing',
  'flash',
  'focus-halo',
  'focus',
  'aim',
  'swaps-halo',
  'swaps',
]);
/** @typedef {(typeof UNDER)[number] | (typeof OVER)[number]} Mark */

/** The path of two arrows that chase each other around a point.
 * @param {Point} point
 */
export function chasingArrows({ x, y }) {
  const spot = (/** @type {number} */ dx, /** @type {number} */ dy) =>
    `${(x + dx).toFixed(1)} ${(y + dy).toFixed(1)}`;
  // There and back along the same arc, so that only the heads have an inside to fill.
  const arc = (/** @type {1 | -1} */ s) =>
    `M${spot(17.9 * s, -28.6 * s)}A33.7 33.7 0 0 1 ${spot(20.8 * s, 26.6 * s)}` +
    `A33.7 33.7 0 0 0 ${spot(17.9 * s, -28.6 * s)}` +
    `M${spot(14.2 * s, 31.3 * s)}L${spot(23.6 * s, 30.6 * s)}L${spot(17.2 * s, 22.4 * s)}Z`;
  return arc(1) + arc(-1);
}

/** The path of an arrowhead up above a bar: a piece comes on top.
 * @param {Point} point
 */
export const stackUp = ({ x, y }) =>
  `M${(x - 13).toFixed(1)} ${(y + 9).toFixed(1)}h26M${(x - 13).toFixed(1)} ${(y + 1).toFixed(1)}l13 -13l13 13`;

/** A circle with a bar through it.
 * @param {Point} point
 */
export const noEntry = (point) =>
  `${circlePath(point, 13)}M${(point.x - 9.2).toFixed(1)} ${(point.y + 9.2).toFixed(1)}l18.4 -18.4`;
