// Draws a board: the grid of cells, the pieces, the marks. Elements are made once and then only patched, so that focus
// and screen readers keep what they hold.

import { RADIUS, arcPath, circlePath, linePath, rayPath, shortened, smoothPath } from './grid.js';

/** @import { Ruleset, Side, Step } from '../protocol.d.ts' */
/** @import { Grid, Label, Point } from './grid.js' */
/** @import { createRide } from './captures.js' */
/** @import { Args } from './input.js' */

/** @typedef {(name: string, attributes?: Record<string, string | number>, children?: Element[]) => Element} Build */
/** @typedef {(key: string, args?: Args) => string} Translate */

/**
 * What a board is drawn from. The *content* of a cell is a piece or a stack of them, as a position's text writes it.
 * @typedef {object} Game
 * @property {'fibonacci' | 'fenix' | 'focus' | 'crossfire'} art which wood it is drawn on
 * @property {Grid} grid
 * @property {(text: string) => Map<string, string>} parse a position's text → cell → content, occupied cells only
 * @property {(flipped: boolean) => Label[]} labels
 * @property {(content: string) => Side} sideOf
 * @property {(content: string) => boolean} isCentre
 * @property {(content: string, t: Translate) => string} name
 * @property {(content: string) => Side[]} [menOf] the men of a stack from the bottom up, where there are stacks
 * @property {(el: Build) => Element[]} pictures what pieces are made of
 * @property {(el: Build, content: string) => Built} build
 * @property {(content: string, count: number) => [stays: string, goes: string]} lift
 * @property {(under: string, content: string, lost: number) => string} land what is there when a content has come onto
 *   another and so many men are lost from the bottom
 * @property {(side: Side) => string} man a man of the reserve
 * @property {(place: number) => number} [capacity] how many men a place holds, where places differ
 * @property {typeof createRide} [createRide] captures jump by jump, where there are any
 */

/**
 * How a content is drawn: `parts` from the bottom up, `petals` for a centre.
 * @typedef {{ colour: string, shadow: Element, parts: Element[], petals: Element[], badge?: Element }} Built
 */

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

/** Each game's own module is loaded when a board of it is drawn.
 * @type {Record<Ruleset, () => Promise<Game>>}
 */
const GAMES = {
  fibonacci: async () => (await import('./fibonacci.js')).fibonacci,
  'fibonacci-mixed': async () => (await import('./fibonacci.js')).fibonacci,
  'fibonacci-cards': async () => (await import('./fibonacci.js')).fibonacci,
  fenix: async () => (await import('./fenix.js')).fenix,
  focus: async () => (await import('./stacks.js')).focus,
  'focus-classic': async () => (await import('./stacks.js')).focus,
  crossfire: async () => (await import('./stacks.js')).crossfire,
};

/** How a ruleset's board looks.
 * @param {Ruleset} ruleset
 */
export const gameOf = (ruleset) => GAMES[ruleset]();

/** Marks under the pieces and over them, each layer from bottom to top. One path draws all marks of a kind. */
const UNDER = /** @type {const} */ ([
  'capacity',
  'group-tint',
  'group-halo',
  'group',
  'last-from',
  'last-to',
  'last-taken',
  'draft-from',
  'draft-to',
  'pick',
  'hollow',
  'last-halo',
  'last-line',
  'draft-halo',
  'draft-line',
  'route-halo',
  'route',
  'dots-rim',
  'dots',
  'far-rim',
  'far',
]);
const OVER = /** @type {const} */ ([
  'threat-halo',
  'threat',
  'must',
  'victim-hatch',
  'victim-halo',
  'victim',
  'prey-halo',
  'prey',
  'makes-halo',
  'makes',
  'barred-halo',
  'barred',
  'lines-halo',
  'lines',
  'flash',
  'focus-halo',
  'focus',
  'aim',
  'swaps-halo',
  'swaps',
]);
/** @typedef {(typeof UNDER)[number] | (typeof OVER)[number]} Mark */

const SVG = 'http://www.w3.org/2000/svg';
const FADE_MS = 140;

/** Makes an SVG element.
 * @param {string} name
 * @param {Record<string, string | number>} [attributes]
 * @param {Element[]} [children]
 */
export function el(name, attributes = {}, children = []) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}

/** Sets an attribute, or takes it away with null; does nothing if that changes nothing.
 * @param {Element} element
 * @param {string} name
 * @param {string | null} value
 */
export function set(element, name, value) {
  if (element.getAttribute(name) === value) return;
  if (value === null) element.removeAttribute(name);
  else element.setAttribute(name, value);
}

/** The games whose pictures are in the page already, each by what draws them.
 * @type {Set<Game['pictures']>}
 */
const pictured = new Set();

/** The pictures of the pieces, once in a page however many boards it has.
 * @param {Game} game
 */
export function ensurePictures(game) {
  if (pictured.has(game.pictures)) return;
  pictured.add(game.pictures);
  document.body.append(el('svg', { class: 'board-pictures', 'aria-hidden': 'true' }, game.pictures(el)));
}

/** The path of two arrows that chase each other around a point.
 * @param {Point} point
 */
function chasingArrows({ x, y }) {
  const spot = (/** @type {number} */ dx, /** @type {number} */ dy) =>
    `${(x + dx).toFixed(1)} ${(y + dy).toFixed(1)}`;
  // There and back along the same arc, so that only the heads have an inside to fill.
  const arc = (/** @type {1 | -1} */ s) =>
    `M${spot(17.9 * s, -28.6 * s)}A33.7 33.7 0 0 1 ${spot(20.8 * s, 26.6 * s)}` +
    `A33.7 33.7 0 0 0 ${spot(17.9 * s, -28.6 * s)}` +
    `M${spot(14.2 * s, 31.3 * s)}L${spot(23.6 * s, 30.6 * s)}L${spot(17.2 * s, 22.4 * s)}Z`;
  return arc(1) + arc(-1);
}

/** The path of an arrowhead up above a bar: a piece comes on top.
 * @param {Point} point
 */
const stackUp = ({ x, y }) =>
  `M${(x - 13).toFixed(1)} ${(y + 9).toFixed(1)}h26M${(x - 13).toFixed(1)} ${(y + 1).toFixed(1)}l13 -13l13 13`;

/** A circle with a bar through it.
 * @param {Point} point
 */
const noEntry = (point) =>
  `${circlePath(point, 13)}M${(point.x - 9.2).toFixed(1)} ${(point.y + 9.2).toFixed(1)}l18.4 -18.4`;

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
  /** Numbers beside places: how many men go, which step ended where, how far a capture is. */
  const badges = {
    counts: el('g', { class: 'board-counts', 'aria-hidden': 'true' }),
    steps: el('g', { class: 'board-badges', 'aria-hidden': 'true' }),
    jumps: el('g', { class: 'board-badges', 'aria-hidden': 'true' }),
  };
  const svg = el('svg', { class: 'board-live', viewBox: grid.viewBox }, [
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

  /** Draws what a token stands for.
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

  /** Sets so many elements with a text each beside places, none of them made twice.
   * @param {Element} host
   * @param {readonly { x: number, y: number, text: string, kind: string }[]} list
   */
  function label(host, list) {
    while (host.children.length < list.length)
      host.append(el('g', {}, [el('circle', { r: 12.5 }), el('text', { y: 6 })]));
    [...host.children].forEach((badge, index) => {
      const item = list[index];
      set(badge, 'display', item ? null : 'none');
      if (!item) return;
      set(badge, 'transform', `translate(${item.x.toFixed(1)} ${item.y.toFixed(1)})`);
      set(badge, 'class', item.kind);
      const [circle, text] = badge.children;
      set(circle, 'r', item.text.length > 2 ? '17' : '12.5');
      text.textContent = item.text;
    });
  }

  /** A way from cell to cell: smooth where it goes from neighbour to neighbour, with corners where it jumps.
   * @param {readonly number[]} way
   * @param {number} back how far before the last point it ends
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
        // What is taken fades; what has become part of a stack is seen there.
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

    /** Puts a piece above all others, for the time that it is in the air.
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
      label(
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
     * @param {'swaps' | 'makes' | 'barred' | 'prey' | 'victim' | 'lines'} mark
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
      label(
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

/** Whether things may move: not if the visitor asked for less motion, nor if nobody looks. */
export const mayMove = () => !matchMedia('(prefers-reduced-motion: reduce)').matches && !document.hidden;

// ---- What steps have done

/** @param {readonly string[]} route */
const endOf = (route) => /** @type {string} */ (route.at(-1));

/** Where pieces came from, where they are now, and their ways. Of a piece that moved twice it is the first cell and
 * the last. A man of the reserve comes from nowhere.
 * @param {readonly Step[]} steps
 */
export function trail(steps) {
  const all = steps.map(({ route }) => route).filter((route) => route.length > 0);
  const from = all.map((route) => (route.length > 1 ? route[0] : ''));
  const to = all.map(endOf);
  return {
    from: from.filter((cell, index) => cell !== '' && !to.slice(0, index).includes(cell)),
    to: to.filter((cell, index) => !from.slice(index + 1).includes(cell)),
    routes: all.filter((route) => route.length > 1),
  };
}

/** Which steps ended on which cell, counted from 1, as text.
 * @param {readonly Step[]} steps
 * @returns {Map<string, string>}
 */
export function numbers(steps) {
  const all = new Map();
  steps.forEach(({ route }, index) => {
    if (route.length === 0) return;
    const cell = endOf(route);
    all.set(cell, all.has(cell) ? `${all.get(cell)}·${index + 1}` : String(index + 1));
  });
  return all;
}

/** The cells of the pieces that the steps have moved, those that were swapped away too.
 * @param {readonly Step[]} steps
 * @returns {Set<string>}
 */
export function movedBy(steps) {
  const moved = new Set();
  for (const { route, swap } of steps) {
    if (route.length === 0) continue;
    if (swap) moved.add(route[0]);
    else moved.delete(route[0]);
    moved.add(endOf(route));
  }
  return moved;
}

/** @typedef {ReturnType<typeof createView>} View */
