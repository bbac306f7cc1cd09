// The boards and the men of Focus and Crossfire (RULES 3.1-3.2, 4.1-4.3): stacks of men of two sides.

import { BOARDS, COIN, RADIUS, RISE } from './boards.js';
import { createGrid } from './grid.js';
import { HEXAGONS, squares } from './lattice.js';
import { readBoard } from './position.js';

/** @import { Side } from '../protocol.d.ts' */
/** @import { Grid, Label } from './grid.js' */
/** @import { Build, Game, Translate } from './looks.js' */

/** The men of First are white (RULES 0.1).
 * @type {Record<string, Side>}
 */
const SIDES = { x: 'first', o: 'second' };

/** The cells of a row, each with its men from the bottom up; none if one is neither men nor empty.
 * @param {string} row
 */
function cellsOf(row) {
  const cells = row.split(',');
  return cells.every((cell) => /^(?:\.|[xo]+)$/.test(cell))
    ? cells.map((cell) => (cell === '.' ? '' : cell))
    : [];
}

/** @param {string} men */
const ownerOf = (men) => SIDES[men[men.length - 1]];

/** The pictures of the two men: a plain rim for black, a double one with dots for white.
 * @param {Build} el
 */
function pictures(el) {
  const body = (/** @type {string} */ colour) =>
    el('linearGradient', { id: `man-${colour}-body`, x1: 0.22, y1: 0, x2: 0.72, y2: 1 }, [
      el('stop', { offset: 0, class: `piece-${colour}-light` }),
      el('stop', { offset: 0.5, class: `piece-${colour}-middle` }),
      el('stop', { offset: 1, class: `piece-${colour}-dark` }),
    ]);
  const coin = (/** @type {string} */ colour, /** @type {Element[]} */ rims) => {
    const d = `M-${COIN} 0v${RISE - 1}a${COIN} ${COIN} 0 0 0 ${2 * COIN} 0v${1 - RISE}Z`;
    return [
      el('path', { d, class: 'coin-edge' }),
      el('circle', { r: COIN, fill: `url(#man-${colour}-body)`, class: 'piece-body' }),
      ...rims,
    ];
  };
  const dots = Array.from({ length: 16 }, (_, k) => {
    const angle = (k * Math.PI) / 8;
    return `M${(19.6 * Math.cos(angle)).toFixed(1)} ${(19.6 * Math.sin(angle)).toFixed(1)}h.01`;
  });
  return [
    el('radialGradient', { id: 'coin-shadow-paint' }, [
      el('stop', { offset: 0.72, class: 'shadow-near' }),
      el('stop', { offset: 1, class: 'shadow-far' }),
    ]),
    el('circle', { id: 'shadow-coin', cy: 8, r: 32, fill: 'url(#coin-shadow-paint)' }),
    body('black'),
    body('white'),
    el(
      'g',
      { id: 'man-o', class: 'piece-black' },
      coin('black', [el('circle', { r: 19.5, class: 'coin-rim' })]),
    ),
    el(
      'g',
      { id: 'man-x', class: 'piece-white' },
      coin('white', [
        el('path', { d: dots.join(''), class: 'coin-dots' }),
        el('circle', { r: 15.6, class: 'coin-rim' }),
      ]),
    ),
  ];
}

/** @param {Build} el @param {string} men */
function build(el, men) {
  const bottom = ((men.length - 1) * RISE) / 2;
  const parts = [...men].map((man, level) =>
    el('use', { href: `#man-${man}`, y: (bottom - level * RISE).toFixed(1), class: 'coin' }),
  );
  const top = bottom - (men.length - 1) * RISE;
  const badge = el('text', { class: 'coin-height', y: (top + 7).toFixed(1) });
  badge.textContent = String(men.length);
  const colour = ownerOf(men) === 'first' ? 'white' : 'black';
  return {
    colour,
    shadow: el('use', { href: '#shadow-coin', y: bottom.toFixed(1) }),
    parts,
    petals: [],
    ...(men.length > 1 ? { badge } : {}),
  };
}

/** The parts that both games share.
 * @param {Grid} grid
 */
const withMen = (grid) => ({
  grid,
  parse: (/** @type {string} */ text) => readBoard(text, grid.rows, cellsOf),
  sideOf: ownerOf,
  isCentre: () => false,
  name: (/** @type {string} */ men, /** @type {Translate} */ t) =>
    t(`board.${men.length > 1 ? 'stack' : 'man'}.${ownerOf(men)}`, { n: men.length }),
  menOf: (/** @type {string} */ men) => [...men].map((man) => SIDES[man]),
  pictures,
  build,
  /** @returns {[string, string]} */
  lift: (/** @type {string} */ men, /** @type {number} */ count) => [men.slice(0, -count), men.slice(-count)],
  land: (/** @type {string} */ under, /** @type {string} */ men, /** @type {number} */ lost) =>
    (under + men).slice(lost),
  man: (/** @type {Side} */ side) => (side === 'first' ? 'x' : 'o'),
});

const focusGrid = createGrid(BOARDS.focus, squares(8));

/** @type {Game} */
export const focus = {
  art: 'focus',
  ...withMen(focusGrid),
  labels: focusGrid.labelLines,
};

const crossfireGrid = createGrid(BOARDS.crossfire, HEXAGONS);

/** The letters stand below the field, each as near to it as its column allows.
 * @param {boolean} flipped
 * @returns {Label[]}
 */
function crossfireLabels(flipped) {
  const { cells, cellAt, pointOf, labelLines } = crossfireGrid;
  const points = cells.map((_, place) => pointOf(place));
  return labelLines(flipped).map((label) => {
    if (!/[a-m]/.test(label.text)) return label;
    const x = points[cells.findIndex((_, place) => cellAt(place, flipped)[0] === label.text)].x;
    // The field ends at the lower corner of a cell in this column, or where two cells of the next columns meet.
    const ends = points.map((point) => {
      const off = Math.abs(point.x - x);
      return off < 1 ? point.y + RADIUS : off < 41 ? point.y + RADIUS / 2 : Number.NEGATIVE_INFINITY;
    });
    const end = Math.max(...ends);
    return { text: label.text, x, y: end + 19, tick: '' };
  });
}

/** @type {Game} */
export const crossfire = {
  art: 'crossfire',
  ...withMen(crossfireGrid),
  labels: crossfireLabels,
  capacity: (place) => crossfireGrid.neighboursOf(place),
};
