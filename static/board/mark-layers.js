// The marks on a drawn board: outlines, targets, numbers. Each mark has one element, whose path is patched.

import { setBadges } from './badges.js';
import { el, set } from './elements.js';
import { circlePath, rayPath } from './geometry.js';
import { OVER, UNDER, chasingArrows, noEntry, stackUp } from './marks.js';

/** @import { Game } from './looks.js' */
/** @import { Point } from './geometry.js' */
/** @import { Mark } from './marks.js' */

/**
 * A place that a picked piece can go to, or one that is barred.
 * @typedef {object} Target
 * @property {number} place
 * @property {'dot' | 'far' | 'swap' | 'make' | 'count' | 'barred' | 'choice'} sign
 * @property {string | null} text
 * @property {boolean} isOccupied
 */

/**
 * The layers of marks of a board: those below its pieces, those above them, and the numbers above these.
 *
 * @param {Game} game
 * @param {readonly Point[]} points the middles of the cells, by place
 */
export function createMarkLayers({ grid, capacity }, points) {
  /** @type {Map<Mark, Element>} */
  const marks = new Map();
  /** Numbers beside places: of men that move, of steps by their ends, and of jumps made. */
  const badges = {
    counts: el('g', { class: 'board-counts', 'aria-hidden': 'true' }),
    steps: el('g', { class: 'board-badges', 'aria-hidden': 'true' }),
    jumps: el('g', { class: 'board-badges', 'aria-hidden': 'true' }),
  };
  const layerOf = (/** @type {readonly Mark[]} */ names) =>
    el(
      'g',
      { class: 'board-marks', 'aria-hidden': 'true' },
      names.map((name) => {
        const mark = el('path', { class: `mark mark-${name}` });
        marks.set(name, mark);
        return mark;
      }),
    );
  const [below, above] = [layerOf(UNDER), layerOf(OVER)];
  if (capacity) {
    const notches = points.flatMap((point, place) =>
      grid.lattice.sides
        .filter((k) => grid.neighbour(place, k) !== null)
        .map((k) => rayPath(point, grid.degreesOf(k), 31, 33.5)),
    );
    set(/** @type {Element} */ (marks.get('capacity')), 'd', notches.join(''));
  }

  return {
    below,
    above: [above, ...Object.values(badges)],

    /** @param {Mark} mark @param {string} path */
    mark(mark, path) {
      set(/** @type {Element} */ (marks.get(mark)), 'd', path || null);
    },

    /** One outline around places.
     * @param {readonly number[]} group
     */
    surround(group) {
      const union = grid.outline(group, 12);
      for (const name of /** @type {const} */ (['group-tint', 'group-halo', 'group'])) this.mark(name, union);
    },

    /** Marks where a picked piece can go: dots for empty places, chasing arrows for pieces to change places with, a
     * coin with the number of men, an arrow up for a piece to be made.
     * @param {readonly Target[]} targets
     */
    target(targets) {
      /** @param {Target['sign']} wanted @param {(point: Point) => string} path */
      const signs = (wanted, path) =>
        targets
          .filter(({ sign }) => sign === wanted)
          .map(({ place }) => path(points[place]))
          .join('');
      /** @param {Target['sign']} wanted @param {number} radius */
      const circles = (wanted, radius) => signs(wanted, (point) => circlePath(point, radius));
      this.mark('dots-rim', circles('dot', 12.6));
      this.mark('dots', circles('dot', 9.5));
      this.mark('far-rim', circles('far', 7));
      this.mark('far', circles('far', 5));
      this.double('swaps', signs('swap', chasingArrows));
      this.double('makes', signs('make', stackUp));
      this.double('barred', signs('barred', noEntry));
      setBadges(
        badges.counts,
        targets.flatMap(({ place, sign, text, isOccupied }) => {
          if (text === null) return [];
          const { x, y } = points[place];
          const aside = isOccupied ? 25 : 0;
          return [{ x: x + aside, y: y - aside, text, kind: `count-${sign}` }];
        }),
      );
    },

    /** A mark that shows on any ground.
     * @param {'swaps' | 'makes' | 'barred' | 'prey' | 'victim' | 'lines' | 'missing' | 'decisive' | 'named'} mark
     * @param {string} path
     */
    double(mark, path) {
      this.mark(`${mark}-halo`, path);
      this.mark(mark, path);
    },

    /** Numbers that stand beside places.
     * @param {'steps' | 'jumps'} what
     * @param {readonly { place: number, text: string }[]} list
     */
    number(what, list) {
      setBadges(
        badges[what],
        list.map(({ place, text }) => ({ x: points[place].x + 25, y: points[place].y - 26, text, kind: '' })),
      );
    },
  };
}
