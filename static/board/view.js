// Draws a board: the grid of cells, the pieces, the marks. Elements are made once and then only patched, so that focus
// and screen readers keep their element.

import { el, set } from './elements.js';
import { RADIUS } from './boards.js';
import { arcPath, linePath, rayPath, shortened, smoothPath } from './geometry.js';
import { createMarkLayers } from './mark-layers.js';
import { ensurePictures } from './pictures.js';
import { createTokens } from './tokens.js';

/** @import { Game } from './looks.js' */
/** @import { Point } from './geometry.js' */

/** From the middle of a cell to its name. */
const NAME_DROP = 34;

/**
 * A board drawn into `host`.
 *
 * @param {HTMLElement} host
 * @param {Game} game
 * @param {boolean} withGrid whether its cells can be focused and read one by one
 */
export function createView(host, game, withGrid) {
  ensurePictures(game);
  const { grid } = game;
  const places = grid.cells.map((_, place) => place);
  const points = places.map((place) => grid.pointOf(place));
  host.dataset.board = game.art;

  const flat = grid.flatField();
  const field = el('g', { class: 'board-flat', 'aria-hidden': 'true' }, [
    el('path', { d: flat.ground, class: 'board-ground' }),
    ...flat.tones.map((d, tone) => el('path', { d, class: `board-tone board-tone-${tone}` })),
  ]);
  const labels = game.labels(false).map(() => el('text'));
  const ticks = el('path', { class: 'board-ticks' });
  const cellName = el('text', { class: 'board-name', 'aria-hidden': 'true' });
  const names = el('g', { 'aria-hidden': 'true' });
  /** @type {Element[]} */
  const cells = [];
  const rows = withGrid
    ? grid.rows.map((row, index) =>
        el(
          'g',
          { role: 'row', 'aria-rowindex': index + 1 },
          row.map((_, column) => {
            const shape = el('path', { d: grid.cellPath(cells.length, RADIUS, 3), class: 'board-tile' });
            const cell = el(
              'g',
              { role: 'gridcell', 'aria-colindex': column + 1, tabindex: -1, class: 'board-cell' },
              [shape],
            );
            cells.push(cell);
            return cell;
          }),
        ),
      )
    : [];

  const { layer, ...pieces } = createTokens(game, points);
  const { tokens } = pieces;
  const paths = pathsOn(grid, points);
  const { below, above, ...marks } = createMarkLayers(game, points);
  const svg = el('svg', { class: 'board-live', translate: 'no', viewBox: grid.viewBox }, [
    field,
    el('g', { class: 'board-labels', 'aria-hidden': 'true' }, [ticks, ...labels]),
    ...rows,
    below,
    layer,
    ...above,
    names,
    cellName,
  ]);
  const stack = document.createElement('div');
  stack.className = 'board-stack';
  if (withGrid) {
    const art = document.createElement('div');
    art.className = 'board-art';
    stack.append(art);
  } else {
    svg.setAttribute('viewBox', grid.fieldBox);
  }
  stack.append(svg);
  host.append(stack);

  /** Puts the name of a cell at the lower edge of its place.
   * @param {Element} name
   * @param {number} place
   */
  function putName(name, place) {
    set(name, 'x', points[place].x.toFixed(1));
    set(name, 'y', (points[place].y + NAME_DROP).toFixed(1));
  }

  return {
    /** @type {SVGSVGElement} */ svg: /** @type {any} */ (svg),
    stack,
    /** The grid's cells by place; none if it has no grid. */
    cells,
    ...pieces,
    ...marks,
    paths,

    /** Names the lines for a board that is turned or not.
     * @param {boolean} flipped
     */
    name(flipped) {
      const lines = game.labels(flipped);
      lines.forEach(({ text, x, y }, index) => {
        const label = labels[index];
        label.textContent = text;
        set(label, 'x', x.toFixed(1));
        set(label, 'y', y.toFixed(1));
      });
      set(ticks, 'd', lines.map(({ tick }) => tick).join(''));
    },

    /** Brings out the labels of a cell's lines, and its name.
     * @param {number | null} place
     * @param {string} cell empty for no cell
     */
    point(place, cell) {
      for (const label of labels)
        label.classList.toggle(
          'board-label-on',
          [cell[0], cell.slice(1)].includes(/** @type {string} */ (label.textContent)),
        );
      cellName.textContent = cell;
      if (place !== null) putName(cellName, place);
    },

    /** Rings around the cells that a text names. Each has its name in it where the rim has no coordinates.
     * @param {readonly { place: number, cell: string }[]} list
     */
    ring(list) {
      this.double(
        'named',
        paths.cells(
          list.map(({ place }) => place),
          40,
        ),
      );
      names.replaceChildren(
        ...list.map(({ place, cell }) => {
          const name = el('text', { class: 'board-name' });
          name.textContent = cell;
          putName(name, place);
          return name;
        }),
      );
    },

    /** The petals that turn red, and the strokes from there towards the attackers.
     * @param {readonly { centre: number, attackers: readonly number[] }[]} threats
     */
    threaten(threats) {
      let strokes = '';
      const red = new Set();
      for (const { centre, attackers } of threats) {
        const token = [...tokens].find(({ place, petals }) => place === centre && petals.length > 0);
        for (const attacker of attackers) {
          const direction = grid.directionOf(centre, attacker);
          red.add(token?.petals[direction]);
          strokes += rayPath(points[centre], grid.degreesOf(direction), 31, 48);
        }
      }
      for (const petal of [...tokens].flatMap((token) => token.petals))
        petal.classList.toggle('petal-red', red.has(petal));
      this.mark('threat-halo', strokes);
      this.mark('threat', strokes);
    },
  };
}

/** The paths of marks that follow cells of a board.
 * @param {Game['grid']} grid
 * @param {readonly Point[]} points
 */
function pathsOn(grid, points) {
  /** A way from cell to cell: smooth where it goes from neighbour to neighbour, with corners where it jumps.
   * @param {readonly number[]} way
   * @param {number} back distance from the last point at which it ends
   */
  function route(way, back) {
    const walks = way.every((place, n) => n === 0 || grid.distance(way[n - 1], place) === 1);
    const list = shortened(
      way.map((place) => points[place]),
      back,
    );
    return walks ? smoothPath(list) : linePath(list);
  }

  return {
    /** @param {readonly number[]} list @param {number} radius */
    cells: (list, radius) => list.map((place) => grid.cellPath(place, radius, 9)).join(''),
    /** @param {readonly number[]} way */
    way: (way) => (way.length > 1 ? route(way, 0) : ''),
    /** A way as a line that ends at the edge of the piece that went it.
     * @param {readonly number[]} way
     */
    line: (way) => route(way, 24),
    /** @param {readonly number[]} list */
    crosses: (list) =>
      list
        .map((place) => points[place])
        .map(({ x, y }) => `M${(x - 10).toFixed(1)} ${(y - 10).toFixed(1)}l20 20m-20 0l20 -20`)
        .join(''),
    /** @param {number} from @param {number} to */
    arc: (from, to) => arcPath(points[from], points[to]),
  };
}

/** @typedef {ReturnType<typeof createView>} View */
