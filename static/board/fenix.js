// The board and the pieces of Fenix (RULES 2.1-2.2).

import { BOARDS, SHAPES } from './boards.js';
import { createGrid } from './grid.js';
import { squares } from './lattice.js';
import { lettersOf, readBoard } from './position.js';

/** @import { Side } from '../protocol.d.ts' */
/** @import { Build, Game } from './looks.js' */

const grid = createGrid(BOARDS.fenix, squares(9));

const KINDS = ['S', 'C', 'K'];

/** @param {string} letter as in a position's text */
function pieceOf(letter) {
  const kind = letter.toUpperCase();
  if (!KINDS.includes(kind)) throw new RangeError(`no piece has the letter ${letter}`);
  /** @type {Side} */
  const side = letter === kind ? 'first' : 'second';
  return { side, kind };
}

/** Points around the middle, every other one further out.
 * @param {number} count
 * @param {number} outer
 * @param {number} inner
 */
const star = (count, outer, inner) =>
  `M${Array.from({ length: 2 * count }, (_, k) => {
    const angle = (k * Math.PI) / count - Math.PI / 2;
    const reach = k % 2 === 0 ? outer : inner;
    return `${(reach * Math.cos(angle)).toFixed(1)} ${(reach * Math.sin(angle)).toFixed(1)}`;
  }).join('L')}Z`;

/** A coin for a soldier, one with a collar for a councillor, a crown of three tiers for a king.
 * @param {Build} el
 */
function pictures(el) {
  /** @param {'red' | 'blue'} colour @param {string[]} letters @param {string} sign */
  const army = (colour, [soldier, councillor, king], sign) => {
    const fill = `url(#fenix-${colour}-body)`;
    const disc = (/** @type {number} */ r) => el('circle', { r, fill, class: 'piece-body' });
    const mark = (/** @type {number} */ size) =>
      el('path', { d: sign, transform: `scale(${size})`, class: `piece-sign-${colour}` });
    /** @param {string} letter @param {Element[]} children */
    const piece = (letter, children) =>
      el('g', { id: `fenix-${letter}`, class: `piece-${colour}` }, children);
    return [
      el('linearGradient', { id: `fenix-${colour}-body`, x1: 0.22, y1: 0, x2: 0.72, y2: 1 }, [
        el('stop', { offset: 0, class: `piece-${colour}-light` }),
        el('stop', { offset: 0.5, class: `piece-${colour}-middle` }),
        el('stop', { offset: 1, class: `piece-${colour}-dark` }),
      ]),
      piece(soldier, [disc(21.5), mark(1)]),
      piece(councillor, [
        disc(28.5),
        el('circle', { r: 24.6, class: 'piece-collar' }),
        disc(19.5),
        mark(0.95),
      ]),
      piece(king, [
        el('path', { d: star(8, 37, 28), fill, class: 'piece-body' }),
        disc(25),
        el('circle', { r: 21.4, class: 'piece-gold' }),
        disc(17),
        mark(0.95),
      ]),
    ];
  };
  return [
    el('radialGradient', { id: 'fenix-shadow-paint' }, [
      el('stop', { offset: 0.72, class: 'shadow-near' }),
      el('stop', { offset: 1, class: 'shadow-far' }),
    ]),
    ...[
      ['S', 28],
      ['C', 36],
      ['K', 42],
    ].map(([kind, r]) =>
      el('circle', { id: `fenix-shadow-${kind}`, cy: 5, r, fill: 'url(#fenix-shadow-paint)' }),
    ),
    ...army('red', ['S', 'C', 'K'], SHAPES.flame),
    ...army('blue', ['s', 'c', 'k'], SHAPES.waves),
  ];
}

/** @type {Game} */
export const fenix = {
  art: 'fenix',
  grid,
  parse: (text) => readBoard(text, grid.rows, lettersOf),
  labels: grid.labelLines,
  sideOf: (letter) => pieceOf(letter).side,
  isCentre: () => false,
  name: (letter, t) => t(`board.fenix.${pieceOf(letter).side}.${pieceOf(letter).kind}`),
  pictures,
  build: (el, letter) => ({
    colour: pieceOf(letter).side === 'first' ? 'red' : 'blue',
    shadow: el('use', { href: `#fenix-shadow-${letter.toUpperCase()}` }),
    parts: [el('use', { href: `#fenix-${letter}` })],
    petals: [],
  }),
  lift: (letter) => ['', letter],
  // A soldier on a soldier makes a councillor, one on a councillor a king (RULES 2.3).
  land(under, letter) {
    const kind = KINDS[KINDS.indexOf(under.toUpperCase()) + 1];
    return under === '' ? letter : letter === 'S' ? kind : kind.toLowerCase();
  },
  man: () => '',
  hasCaptures: true,
};
