// Arrows that people draw on a board for themselves.

import { linePath, shortened } from './geometry.js';
import { el, set } from './elements.js';

/** @import { Table } from './table.js' */
/** @import { Point } from './geometry.js' */

/** @typedef {{ from: string, to: string, isOther: boolean }} Arrow `isOther`: in the other colour */

/** Distance of the tip from the middle of the last cell. */
const TIP = 14;
const BARB = 24;

/** An arrow as a line with two barbs.
 * @param {Point} from
 * @param {Point} to
 */
export function arrowPath(from, to) {
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

/** @param {Table} table */
export function createArrows({ view, game, stage }) {
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
    },

    clear() {
      arrows = [];
      draw(arrows);
    },

    /** The board was turned. */
    turn: () => draw(arrows),
  };
}
