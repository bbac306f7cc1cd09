// Draws a board: the grid of cells, the pieces, the marks. Elements are made once and then only patched, so that focus
// and screen readers keep their element.

import { setBadges } from './badges.js';
import { el, set } from './elements.js';
import { RADIUS } from './boards.js';
import { circlePath, linePath, rayPath, shortened, smoothPath, arcPath } from './geometry.js';
import { OVER, UNDER, chasingArrows, noEntry, stackUp } from './marks.js';
import { mayMove } from '../ui/motion.js';
import { ensurePictures } from './pictures.js';

/** @import { Game } from './looks.js' */
/** @import { Point } from './geometry.js' */
/** @import { Mark } from './marks.js' */

/**
 * A piece or a stack on the board.
 * @typedef {object} Token
 * @property {string} content
 * @property {number} place where it stands, also while it is still seen on its way
 * @property {Element} element
 * @property {Element} body
 * @property {Element[]} parts
 * @property {Element[]} petals
 */

const FADE_MS = 140;

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

  /** @type {Map<Mark, Element>} */
  const marks = new Map();
  const layer = (/** @type {readonly Mark[]} */ names) =>
    names.map((name) => {
      const mark = el('path', { class: `mark mark-${name}` });
      marks.set(name, mark);
      return mark;
    });
  const pieces = el('g', { class: 'board-pieces', 'aria-hidden': 'true' });
  /** Numbers beside places: of men that move, of steps by their ends, and of jumps made. */
  const badges = {
    counts: el('g', { class: 'board-counts', 'aria-hidden': 'true' }),
    steps: el('g', { class: 'board-badges', 'aria-hidden': 'true' }),
    jumps: el('g', { class: 'board-badges', 'aria-hidden': 'true' }),
  };
  const svg = el('svg', { class: 'board-live', translate: 'no', viewBox: grid.viewBox }, [
    field,
    el('g', { class: 'board-labels', 'aria-hidden': 'true' }, [ticks, ...labels]),
    ...rows,
    el('g', { class: 'board-marks', 'aria-hidden': 'true' }, layer(UNDER)),
    pieces,
    el('g', { class: 'board-marks', 'aria-hidden': 'true' }, layer(OVER)),
    ...Object.values(badges),
  ]);
  const { capacity } = game;
  if (capacity) {
    const notches = places.flatMap((place) =>
      grid.lattice.sides
        .filter((k) => grid.neighbour(place, k) !== null)
        .map((k) => rayPath(points[place], grid.degreesOf(k), 31, 33.5)),
    );
    set(/** @type {Element} */ (marks.get('capacity')), 'd', notches.join(''));
  }

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

  /** @type {Set<Token>} */
  const tokens = new Set();

  /** @param {Token} token @param {Point} point */
  const draw = ({ element }, { x, y }) =>
    set(element, 'transform', `translate(${x.toFixed(1)} ${y.toFixed(1)})`);

  /** Draws a token's content.
   * @param {Token} token
   * @param {string} content
   */
  function fill(token, content) {
    const { colour, shadow, parts, petals, badge } = game.build(el, content);
    token.content = content;
    token.parts = parts;
    token.petals = petals;
    set(token.body, 'class', `piece-${colour}`);
    token.body.replaceChildren(...parts, ...petals, ...(badge ? [badge] : []));
    token.element.replaceChildren(shadow, token.body);
  }

  /** @param {string} content @param {number} place @returns {Token} */
  function create(content, place) {
    const element = el('g', { class: 'piece' });
    /** @type {Token} */
    const token = { content, place, element, body: el('g'), parts: [], petals: [] };
    fill(token, content);
    draw(token, points[place]);
    tokens.add(token);
    pieces.append(element);
    return token;
  }

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
    /** @type {SVGSVGElement} */ svg: /** @type {any} */ (svg),
    stack,
    /** The grid's cells by place; none if it has no grid. */
    cells,
    tokens,
    draw,

    create,
    fill,

    /** @param {number} place */
    tokenAt: (place) => [...tokens].find((token) => token.place === place),

    /** Puts the right contents on the board and returns those that must still be drawn where they now stand.
     * @param {ReadonlyMap<number, string>} position place → content
     * @returns {Token[]}
     */
    arrange(position) {
      const vacant = new Map(position);
      const loose = [...tokens].filter(({ place, content }) => {
        if (vacant.get(place) !== content) return true;
        vacant.delete(place);
        return false;
      });
      /** @type {Token[]} */
      const moved = [];
      /** @param {(token: Token, place: number, content: string) => boolean} fits */
      const reuse = (fits) => {
        for (const [place, content] of [...vacant]) {
          const index = loose.findIndex((token) => fits(token, place, content));
          if (index < 0) continue;
          const [token] = loose.splice(index, 1);
          if (token.place !== place) moved.push(token);
          if (token.content !== content) fill(token, content);
          token.place = place;
          vacant.delete(place);
        }
      };
      reuse((token, _, content) => token.content === content);
      reuse((token, place) => token.place === place);
      for (const token of loose) {
        tokens.delete(token);
        const { element } = token;
        // Captured pieces fade; a piece that joined a stack is seen there.
        if (position.has(token.place) || !mayMove()) element.remove();
        else element.animate({ opacity: [1, 0] }, FADE_MS).addEventListener('finish', () => element.remove());
      }
      for (const [place, content] of vacant) create(content, place);
      return moved;
    },

    /** Draws each piece where it stands. */
    settle() {
      for (const token of tokens) draw(token, points[token.place]);
    },

    /** Puts a piece above all others while it moves.
     * @param {Token} token
     */
    raise: ({ element }) => pieces.append(element),

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
     * @param {'swaps' | 'makes' | 'barred' | 'prey' | 'victim' | 'lines' | 'missing' | 'decisive'} mark
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

    /** Lifts the topmost parts of a token, or none.
     * @param {Token} token
     * @param {number} count
     */
    lift({ parts, body }, count) {
      for (const [index, part] of parts.entries())
        part.classList.toggle('part-lifted', index >= parts.length - count);
      body.lastElementChild?.classList.toggle('part-lifted', count > 0 && parts.length > 1);
    },

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

    /** Brings out the labels of a cell's lines.
     * @param {string | null} cell
     */
    point(cell) {
      for (const label of labels) {
        const text = label.textContent ?? '';
        label.classList.toggle(
          'board-label-on',
          cell !== null && (text === cell[0] || text === cell.slice(1)),
        );
      }
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

    paths: {
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
    },
  };
}

/**
 * A place that a picked piece can go to, or one that is barred.
 * @typedef {object} Target
 * @property {number} place
 * @property {'dot' | 'far' | 'swap' | 'make' | 'count' | 'barred' | 'choice'} sign
 * @property {string | null} text
 * @property {boolean} isOccupied
 */

/** @typedef {ReturnType<typeof createView>} View */
