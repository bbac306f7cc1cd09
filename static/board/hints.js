// The arrows of the search's best turns on the board, behind those that people draw.

import { arrowPath } from './arrows.js';
import { el, set } from './elements.js';
import { gameOf } from './looks.js';

/** @import { Ruleset, Step } from '../protocol.d.ts' */

const CELLS = /[a-z]\d{1,2}/g;

/** The cells of an action, in their order.
 * @param {string} text
 * @returns {string[]}
 */
export const cellsIn = (text) => text.toLowerCase().match(CELLS) ?? [];

/** The best turn, and the others. */
const RANKS = ['hint hint-best', 'hint'];

/**
 * @param {HTMLElement} host the place of a board
 * @param {Ruleset} ruleset
 */
export function createHints(host, ruleset) {
  const { grid } = gameOf(ruleset);
  const paths = RANKS.map((rank) => el('path', { class: `mark ${rank}` }));
  const layer = el('g', { class: 'board-marks', 'aria-hidden': 'true' }, paths.toReversed());
  host.querySelector('.board-live')?.append(layer);

  /** @param {Pick<Step, 'route'>} step
   * @param {boolean} flipped */
  function pathOf({ route }, flipped) {
    if (route.length === 0) return '';
    /** @param {string} cell */
    const point = (cell) => grid.pointOf(grid.placeOf(cell, flipped));
    return arrowPath(point(route[0]), point(route[route.length - 1]));
  }

  return {
    /** @param {readonly { steps: Pick<Step, 'route'>[] }[]} lines the best first
     * @param {boolean} flipped */
    show([best, ...others], flipped) {
      const [first, rest] = [best === undefined ? [] : [best], others].map((lines) =>
        lines.flatMap(({ steps }) => steps.map((step) => pathOf(step, flipped))).join(''),
      );
      set(paths[0], 'd', first || null);
      set(paths[1], 'd', rest || null);
    },
  };
}
