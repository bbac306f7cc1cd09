// The board and the pieces of Fibonacci (RULES 1.1-1.4), with groups of either kind and with cards.

import { BOARDS, SHAPES } from './boards.js';
import { DIRECTIONS } from './geometry.js';
import { createGrid } from './grid.js';
import { HEXAGONS } from './lattice.js';
import { lettersOf, readBoard } from './position.js';

/** @import { Side } from '../protocol.d.ts' */
/** @import { Build, Game } from './looks.js' */

/** @typedef {{ side: Side, kind: 'C' | 'S' | 'P' }} Piece */

const grid = createGrid(BOARDS.fibonacci, HEXAGONS);

const KINDS = /** @type {const} */ (['C', 'S', 'P']);

/** @param {string} letter as in a position's text
 * @returns {Piece}
 */
export function pieceOf(letter) {
  const kind = KINDS.find((known) => known === letter.toUpperCase());
  if (kind === undefined) throw new RangeError(`no piece has the letter ${letter}`);
  return { side: letter === kind ? 'first' : 'second', kind };
}

/** The picture of a piece has the id `piece-` and its letter.
 * @param {Build} el
 */
function pictures(el) {
  /** @param {'black' | 'white'} side @param {string} triangle @param {1 | -1} up @param {string[]} letters */
  const army = (side, triangle, up, [centre, strike, support]) => {
    const fill = `url(#piece-${side}-body)`;
    /** @param {string} d @param {string} light */
    const facet = (d, light) => el('path', { d, class: `piece-${light}` });
    const tip = `0 ${-19.5 * up}`;
    const left = `-20.4 ${15.7 * up}`;
    const right = `20.4 ${15.7 * up}`;
    const top = `M0 ${4 * up}L`;
    return [
      el('linearGradient', { id: `piece-${side}-body`, x1: 0.22, y1: 0, x2: 0.72, y2: 1 }, [
        el('stop', { offset: 0, class: `piece-${side}-light` }),
        el('stop', { offset: 0.5, class: `piece-${side}-middle` }),
        el('stop', { offset: 1, class: `piece-${side}-dark` }),
      ]),
      el('g', { id: `piece-${centre}`, class: `piece-${side}` }, [
        el('circle', { r: 32.5, fill, class: 'piece-body' }),
        el('circle', { r: 28.9, class: 'piece-gold' }),
        el('circle', { r: 3.6, class: 'piece-heart' }),
      ]),
      el('g', { id: `piece-${strike}`, class: `piece-${side}` }, [
        el('path', { d: triangle, fill, class: 'piece-body' }),
        facet(`${top}${tip}L${left}Z`, 'facet-left'),
        facet(`${top}${tip}L${right}Z`, 'facet-right'),
        facet(`${top}${right}L${left}Z`, 'facet-base'),
        el('path', {
          d: `${top}${tip}${top}${right}${top}${left}M${tip}L${right}L${left}Z`,
          class: 'piece-cut',
        }),
      ]),
      el('g', { id: `piece-${support}`, class: `piece-${side}` }, [
        el('path', { d: SHAPES.ring, fill, 'fill-rule': 'evenodd', class: 'piece-body' }),
        el('path', { d: 'M-18.2 0a18.2 18.2 0 0 1 18.2-18.2', class: 'piece-shine' }),
        el('path', { d: 'M18.2 0a18.2 18.2 0 0 1-18.2 18.2', class: 'piece-shade' }),
      ]),
    ];
  };
  return [
    // Shadows that are blurred already: a filter would be computed anew with every change of the board.
    el('radialGradient', { id: 'disc-shadow-paint' }, [
      el('stop', { offset: 0.72, class: 'shadow-near' }),
      el('stop', { offset: 1, class: 'shadow-far' }),
    ]),
    el('radialGradient', { id: 'ring-shadow-paint' }, [
      el('stop', { offset: 0.12, class: 'shadow-far' }),
      el('stop', { offset: 0.42, class: 'shadow-near' }),
      el('stop', { offset: 0.66, class: 'shadow-near' }),
      el('stop', { offset: 1, class: 'shadow-far' }),
    ]),
    ...[...'Cc'].map((letter) =>
      el('circle', { id: `shadow-${letter}`, cy: 5, r: 40, fill: 'url(#disc-shadow-paint)' }),
    ),
    ...[...'Pp'].map((letter) =>
      el('circle', { id: `shadow-${letter}`, cy: 5, r: 34, fill: 'url(#ring-shadow-paint)' }),
    ),
    ...[
      ['S', SHAPES.down],
      ['s', SHAPES.up],
    ].map(([letter, d]) =>
      el(
        'g',
        { id: `shadow-${letter}`, transform: 'translate(0 5)', class: 'shadow-layers' },
        [1, 5, 9, 13].map((width) => el('path', { d, 'stroke-width': width })),
      ),
    ),
    ...army('black', SHAPES.down, -1, ['C', 'S', 'P']),
    ...army('white', SHAPES.up, 1, ['c', 's', 'p']),
  ];
}

/** @type {Game} */
export const fibonacci = {
  art: 'fibonacci',
  grid,
  parse: (text) => readBoard(text, grid.rows, lettersOf),
  labels: grid.labelLines,
  sideOf: (letter) => pieceOf(letter).side,
  // Centres do not move by themselves (RULES 1.10); touching one asks about it.
  isCentre: (letter) => pieceOf(letter).kind === 'C',
  name: (letter, t) => t(`board.fibonacci.${pieceOf(letter).side}.${pieceOf(letter).kind}`),
  pictures,
  build(el, letter) {
    const parts = [el('use', { href: `#piece-${letter}` })];
    // The k-th petal points towards neighbour k. Each is an element of its own, for it can turn red.
    const petals =
      pieceOf(letter).kind === 'C'
        ? DIRECTIONS.map((_, k) =>
            el('path', { d: SHAPES.petal, transform: `rotate(${k * 60})`, class: 'petal' }),
          )
        : [];
    const colour = letter === letter.toUpperCase() ? 'black' : 'white';
    return { colour, shadow: el('use', { href: `#shadow-${letter}` }), parts, petals };
  },
  lift: (letter) => ['', letter],
  land: (_, letter) => letter,
  man: () => '',
};
