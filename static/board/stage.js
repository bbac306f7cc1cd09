// The pieces of a board, where they are seen, and their movements.

import { el } from './elements.js';
import { atSpeed, mayMove } from '../ui/motion.js';

/** @import { Step } from '../protocol.d.ts' */
/** @import { Game } from './looks.js' */
/** @import { Point } from './geometry.js' */
/** @import { Token } from './tokens.js' */
/** @import { View } from './view.js' */

const STEP_MS = 180;
const LONGEST_STEP_MS = 320;
/** Duration of each of several steps: the eye follows one after the other. */
const FOLLOWED_MS = 400;
const LONGEST_HOP_MS = 1200;
const FLASH_MS = 600;

/** @typedef {{ path: string, draw: (point: Point) => void }} Mover */

/**
 * The pieces of a board, where they are seen, and their movements.
 *
 * @param {View} view
 * @param {Game} game
 * @param {(step: Step, left: number) => void} onStep a step of a replay begins; `left` follow it
 */
export function createStage(view, game, onStep) {
  const { grid } = game;
  const { paths } = view;
  /** Ends all movements at once.
   * @type {(() => void) | null}
   */
  let finish = null;
  let flashTimer = 0;

  /** @param {Token} token @param {string} path
   * @returns {Mover} */
  const mover = (token, path) => ({ path, draw: (point) => view.draw(token, point) });

  const stage = {
    flipped: false,
    /** The contents of the cells: as shown, and with the player's unfinished action.
     * @type {Map<string, string>}
     */
    contents: new Map(),
    mover,

    placeOf: (/** @type {string} */ cell) => grid.placeOf(cell, stage.flipped),
    cellAt: (/** @type {number} */ place) => grid.cellAt(place, stage.flipped),

    /** Ends all movements, and those that they start. */
    settle() {
      while (finish !== null) {
        const end = finish;
        finish = null;
        end();
      }
    },

    /** Begins a movement, after the previous one has ended.
     * @param {(done: () => void) => () => void} start begins it; calls `done` at its end; returns a function that ends
     * it at once
     */
    begin(start) {
      stage.settle();
      let isOver = false;
      const end = start(() => {
        isOver = true;
        finish = null;
      });
      if (!isOver) finish = end;
    },

    /** Puts the contents on the board, and returns the tokens to draw elsewhere. */
    arrange: () =>
      view.arrange(new Map([...stage.contents].map(([cell, content]) => [stage.placeOf(cell), content]))),

    /** Puts the contents on the board; a token seen elsewhere moves to its place. */
    gather() {
      const from = new Map([...view.tokens].map((token) => [token, token.element.getAttribute('transform')]));
      const moved = stage.arrange();
      if (moved.length === 0 || !mayMove()) return view.settle();
      const movers = moved.map((token) => {
        const { x, y } = grid.pointOf(token.place);
        const start = from.get(token)?.replace(/[^-\d. ]/g, '');
        return mover(token, `M${start}L${x.toFixed(1)} ${y.toFixed(1)}`);
      });
      stage.begin((done) => travel(movers, STEP_MS, done));
    },

    /** Moves a piece or the top of a stack, and the piece that it changes places with, as a step has it. Other
     * effects of the step are shown when it has arrived.
     * @param {Pick<Step, 'route' | 'swap' | 'count'>} step
     * @param {ReadonlyMap<string, string>} next the contents after it
     * @param {number} duration milliseconds
     * @param {() => void} done
     * @returns {() => void} ends it at once
     */
    moveAlong({ route, swap, count }, next, duration, done) {
      const way = route.map(stage.placeOf);
      const to = way[way.length - 1];
      const source = way.length > 1 ? view.tokenAt(way[0]) : undefined;
      stage.contents = new Map(next);
      const arrive = () => {
        stage.arrange();
        view.settle();
        done();
      };
      if (way.length === 1) {
        // A man of the reserve comes down from above.
        const [, top] = game.lift(next.get(route[0]) ?? '', 1);
        const man = view.create(top, to);
        const { x, y } = grid.pointOf(to);
        return travel([mover(man, `M${x} ${y - 60}L${x} ${y}`)], duration, arrive);
      }
      if (!source) return travel([], duration, arrive);
      const other = swap ? view.tokenAt(to) : undefined;
      if (other) {
        source.place = to;
        other.place = way[0];
        view.raise(source);
        stage.flash([route[0], route[route.length - 1]]);
        const both = [mover(source, paths.arc(way[0], to)), mover(other, paths.arc(to, way[0]))];
        return travel(both, duration, arrive);
      }
      let token = source;
      const [stays, comes] = count === null ? ['', source.content] : game.lift(source.content, count);
      if (stays !== '') {
        view.fill(source, stays);
        token = view.create(comes, way[0]);
      }
      token.place = to;
      view.raise(token);
      // A piece that goes along its group keeps its speed.
      return travel([mover(token, paths.way(way))], duration, arrive, way.length > 2);
    },

    /** Duration of a single step.
     * @param {number} length number of cells of its route
     */
    timeFor: (length) => Math.min(LONGEST_STEP_MS, STEP_MS + 28 * Math.max(0, length - 2)),

    /** Moves a piece over cells without a change of anything else.
     * @param {Token} token which belongs on the last of them already
     * @param {readonly string[]} way
     * @param {() => void} arrive
     */
    hop(token, way, arrive) {
      const duration = Math.min(STEP_MS * (way.length - 1), LONGEST_HOP_MS);
      const movers = [mover(token, paths.way(way.map(stage.placeOf)))];
      stage.begin((done) =>
        travel(movers, duration, () => {
          done();
          arrive();
        }),
      );
    },

    /** Plays steps one after another.
     * @param {readonly Step[]} steps
     * @param {() => void} arrive
     * @param {number} [pace] milliseconds for each of them, if not as usual
     */
    replay(steps, arrive, pace) {
      const usual = steps.length > 1 ? FOLLOWED_MS : stage.timeFor(steps[0].route.length);
      const duration = pace ?? usual;
      stage.begin((done) => {
        let isOver = false;
        let stop = () => {};
        const end = () => {
          isOver = true;
          stop();
          done();
          arrive();
        };
        /** @param {number} index */
        const next = (index) => {
          if (isOver) return;
          if (index === steps.length) return end();
          onStep(steps[index], steps.length - index - 1);
          stop = stage.moveAlong(steps[index], game.parse(steps[index].position), duration, () =>
            next(index + 1),
          );
        };
        next(0);
        return end;
      });
    },

    /** @param {readonly string[]} cells to light up for a moment */
    flash(cells) {
      clearTimeout(flashTimer);
      view.mark('flash', paths.cells(cells.map(stage.placeOf), 42));
      flashTimer = setTimeout(() => view.mark('flash', ''), FLASH_MS);
    },
  };
  return stage;
}

/**
 * Moves things along paths, all at once.
 *
 * @param {readonly Mover[]} movers
 * @param {number} duration milliseconds
 * @param {() => void} done called once, at the end or by the returned function
 * @param {boolean} [isSteady] whether they keep their speed instead of slowing down
 * @returns {() => void} ends it at once
 */
function travel(movers, duration, done, isSteady = false) {
  const tracks = movers.map(({ path, draw }) => {
    const track = /** @type {SVGPathElement} */ (el('path', { d: path }));
    return { track, length: track.getTotalLength(), draw };
  });
  const start = performance.now();
  let frame = 0;
  let over = false;
  const finish = () => {
    if (over) return;
    over = true;
    cancelAnimationFrame(frame);
    for (const { track, length, draw } of tracks) draw(track.getPointAtLength(length));
    done();
  };
  const step = () => {
    const part = (performance.now() - start) / atSpeed(duration);
    if (part >= 1) return finish();
    const eased = isSteady ? part : 1 - (1 - part) ** 2;
    for (const { track, length, draw } of tracks) draw(track.getPointAtLength(length * eased));
    frame = requestAnimationFrame(step);
  };
  step();
  return finish;
}

/** @typedef {ReturnType<typeof createStage>} Stage */
