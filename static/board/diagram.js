// A small board to look at, for the rules pages.

import { set } from './elements.js';
import { gameOf } from './looks.js';
import { createView } from './view.js';

/** @import { Ruleset, Threats } from '../protocol.d.ts' */
/** @import { Game, Translate } from './looks.js' */
/** @import { Target } from './mark-layers.js' */

/** Marks that a diagram may show besides the pieces, by names of cells.
 * @typedef {object} Marks
 * @property {string} [picked]
 * @property {readonly string[]} [group]
 * @property {readonly string[]} [targets] empty cells
 * @property {readonly string[]} [swaps]
 * @property {readonly string[]} [makes] pieces that another can step onto
 * @property {readonly (readonly string[])[]} [routes]
 * @property {Threats} [threats]
 */

/** Draws it.
 * @param {HTMLElement} host
 * @param {object} diagram
 * @param {Ruleset} diagram.ruleset
 * @param {string} diagram.position a position's text
 * @param {(key: string, args?: Record<string, string | number>) => string} diagram.t
 * @param {string} [diagram.label] replaces the list of pieces for screen readers
 * @param {Marks} [diagram.marks]
 */
export function drawDiagram(host, { ruleset, position, t, label, marks = {} }) {
  host.classList.add('board', 'board-diagram');
  const game = gameOf(ruleset);
  const view = createView(host, game, false);
  const { svg, paths } = view;
  const place = (/** @type {string} */ cell) => game.grid.placeOf(cell, false);
  const places = (/** @type {readonly string[]} */ list = []) => list.map(place);
  const pieces = [...game.parse(position)];

  view.arrange(new Map(pieces.map(([cell, content]) => [place(cell), content])));
  view.name(false);
  view.surround(places(marks.group));
  /** @param {readonly string[] | undefined} list @param {Target['sign']} sign */
  const signs = (list, sign) =>
    places(list).map((at) => ({ place: at, sign, text: null, isOccupied: sign !== 'dot' }));
  view.target([...signs(marks.targets, 'dot'), ...signs(marks.swaps, 'swap'), ...signs(marks.makes, 'make')]);
  view.mark('pick', marks.picked ? paths.cells([place(marks.picked)], 42) : '');
  const routes = (marks.routes ?? []).map((route) => paths.way(places(route))).join('');
  view.mark('route-halo', routes);
  view.mark('route', routes);
  view.threaten(
    pieces
      .filter(([, content]) => game.isCentre(content))
      .map(([cell, content]) => ({
        centre: place(cell),
        attackers: places(marks.threats?.[game.sideOf(content)]),
      })),
  );

  set(svg, 'role', 'img');
  set(svg, 'aria-label', label ?? inventory(game, pieces, t));
}

/** All pieces of a position, kind by kind.
 * @param {Game} game
 * @param {readonly (readonly [cell: string, content: string])[]} pieces
 * @param {Translate} t
 */
function inventory(game, pieces, t) {
  /** @type {Map<string, string[]>} */
  const kinds = new Map();
  for (const [cell, content] of pieces) {
    const name = game.name(content, t);
    kinds.set(name, [...(kinds.get(name) ?? []), cell]);
  }
  return [...kinds]
    .map(([piece, cells]) => t('board.say.kind', { piece, cells: cells.join(', ') }))
    .join('; ');
}
