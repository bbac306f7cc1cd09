// Arrows and circles that people draw on a board for themselves.

import { circlePath, linePath, shortened } from './geometry.js';
import { el, set } from './elements.js';

/** @import { BoardState } from './board-state.js' */
/** @import { Point } from './geometry.js' */

/** @typedef {{ from: string, to: string, isOther: boolean }} Arrow one from a cell to itself is a circle around it;
 * `isOther`: in the other colour */

/** Distance of the tip from the middle of the last cell. */
const TIP = 14;
const BARB = 24;
/** Radius of a circle around a cell. */
const CIRCLE = 38;

/** An arrow as a line with two barbs, or a circle if it leads nowhere.
 * @param {Point} from
 * @param {Point} to
 */
export function arrowPath(from, to) {
  if (from.x === to.x && from.y === to.y) return circlePath(from, CIRCLE);
  const [, tip] = shortened([from, to], TIP);
  const angle = Math.atan2(from.y - to.y, from.x - to.x);
  const barb = (/** @type {number} */ turn) => ({
    x: tip.x + BARB * Math.cos(angle + turn),
    y: tip.y + BARB * Math.sin(angle + turn),
  });
  return linePath([from, tip]) + linePath([barb(0.6), tip, barb(-0.6)]);
}

/** The arrows after one is drawn. Drawing an arrow again removes it, and between two cells there is at most one.
 * @param {readonly Arrow[]} arrows
 * @param {Arrow} arrow
 * @returns {Arrow[]}
 */
export function withArrow(arrows, arrow) {
  const rest = arrows.filter(({ from, to }) => from !== arrow.from || to !== arrow.to);
  const isSame = arrows.some(
    ({ from, to, isOther }) => from === arrow.from && to === arrow.to && isOther === arrow.isOther,
  );
  return isSame ? rest : [...rest, arrow];
}

/** @param {BoardState} boardState */
export function createArrows({ view, game, stage, options }) {
  const marks = ['arrow', 'arrow arrow-other'].map((kind) => el('path', { class: `mark ${kind}` }));
  view.svg.append(el('g', { class: 'board-marks', 'aria-hidden': 'true' }, marks));
  /** @type {Arrow[]} */
  let arrows = [];

  /** @param {readonly Arrow[]} list */
  function draw(list) {
    marks.forEach((mark, index) => {
      const paths = list
        .filter(({ isOther }) => isOther === (index === 1))
        .map(({ from, to }) => [from, to].map((cell) => game.grid.pointOf(stage.placeOf(cell))))
        .map(([from, to]) => arrowPath(from, to));
      set(mark, 'd', paths.join('') || null);
    });
  }

  return {
    /** Previews the arrow.
     * @param {Arrow} arrow
     */
    preview: (arrow) => draw(withArrow(arrows, arrow)),

    /** @param {Arrow} arrow */
    add(arrow) {
      arrows = withArrow(arrows, arrow);
      draw(arrows);
      options.onArrows?.(arrows);
    },

    /** @param {readonly Arrow[]} list */
    set(list) {
      arrows = [...list];
      draw(arrows);
    },

    /** The board was turned. */
    turn: () => draw(arrows),
  };
}
