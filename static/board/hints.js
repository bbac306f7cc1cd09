// The arrows of the search's best turns on the board, behind those that people draw.

import { arrowPath } from './arrows.js';
import { setBadges } from './badges.js';
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
/** The place of a number on its arrow, as a part of its length. */
const NUMBER_AT = 0.4;
/** The size of these numbers: on a phone they are as large as the words beside the board. */
const NUMBER_SCALE = 1.6;

/**
 * @param {HTMLElement} host the place of a board
 * @param {Ruleset} ruleset
 */
export function createHints(host, ruleset) {
  const { grid } = gameOf(ruleset);
  const paths = RANKS.map((rank) => el('path', { class: `mark ${rank}` }));
  const layer = el('g', { class: 'board-marks', 'aria-hidden': 'true' }, paths.toReversed());
  const numbers = el('g', { class: 'board-badges hint-numbers', 'aria-hidden': 'true' });
  host.querySelector('.board-live')?.append(layer, numbers);

  /** The ends of a move; none where nothing moves.
   * @param {Pick<Step, 'route'>} step
   * @param {boolean} flipped */
  function endsOf({ route }, flipped) {
    /** @param {string} cell */
    const point = (cell) => grid.pointOf(grid.placeOf(cell, flipped));
    return route.length === 0 ? [] : [{ from: point(route[0]), to: point(route[route.length - 1]) }];
  }

  return {
    /** Draws the moves of some turns. Those of the best one are numbered, if it has several.
     * @param {readonly { steps: Pick<Step, 'route'>[] }[]} lines the best first
     * @param {boolean} flipped
     * @param {number} [made] number of moves of the best turn that are on the board, and not drawn
     */
    show([best, ...others], flipped, made = 0) {
      const [first, rest] = [best === undefined ? [] : [best], others].map((lines) =>
        lines.flatMap(({ steps }) => steps.flatMap((step) => endsOf(step, flipped))),
      );
      for (const [index, moves] of [first.slice(made), rest].entries())
        set(paths[index], 'd', moves.map(({ from, to }) => arrowPath(from, to)).join('') || null);
      const badges = first.map(({ from, to }, index) => ({
        x: from.x + NUMBER_AT * (to.x - from.x),
        y: from.y + NUMBER_AT * (to.y - from.y),
        ...{ text: String(index + 1), kind: '' },
      }));
      setBadges(numbers, badges.length === 1 ? [] : badges.slice(made), NUMBER_SCALE);
    },
  };
}
