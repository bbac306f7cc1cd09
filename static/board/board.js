// A board to play on, to watch and to replay on. It shows what it is given and says what the player wants; it knows
// neither where positions come from nor what is legal.
//
// What is seen is drawn as soon as the game's own module is there. What the player does, and what a screen reader hears
// of the cells, is the business of `hands.js`, which comes after it.

import { createView, el, gameOf, mayMove, movedBy, numbers, set, trail } from './view.js';

/** @import { Barred, LegalAction, Ruleset, Side, Step, Turn } from '../protocol.d.ts' */
/** @import { Hands } from './hands.js' */
/** @import { Point } from './grid.js' */
/** @import { Args } from './input.js' */
/** @import { Game, Token, View } from './view.js' */

/**
 * @typedef {object} BoardOptions
 * @property {Ruleset} ruleset
 * @property {(key: string, args?: Args) => string} t the board's keys begin with `board.`
 * @property {(text: string) => void} announce says a text to a screen reader
 * @property {(action: LegalAction) => void} onAction the player chose an action; the board has moved the piece already,
 *   takes no further action, and waits for the next `show`, which has the last word. A capture of several jumps is one
 *   action, chosen when there is nothing left to choose
 * @property {() => void} onUndo a key that is the page's to answer, as the next two
 * @property {() => void} onRestart
 * @property {() => void} onHelp
 * @property {(key: string, args: Args) => void} onExplain a sentence for the status line, as why a press did nothing
 * @property {(held: Held) => void} [onHold] what the player has in hand has changed
 */

/** What a player has in hand: a man of the reserve or not, and how many jumps of a capture are made.
 * @typedef {{ reserve: boolean, jumps: number }} Held
 */

/**
 * @typedef {object} Shown
 * @property {Turn} turn the turn whose position is shown, the draft's steps taken
 * @property {Side | null} mySide null for a spectator
 * @property {readonly LegalAction[] | null} legal null if it is not my move
 * @property {readonly (readonly string[])[]} groups the groups of the movable pieces
 * @property {readonly Barred[]} [barred] what is not legal only because the side did the same before
 * @property {number | null} [bestCapture] the discs that a capture must take, if one must be made
 * @property {readonly Step[]} lastSteps the last whole turn
 * @property {readonly Step[]} draftSteps the turn under way so far
 * @property {readonly Step[]} animate the steps that lead from the position shown before to this one
 */

/**
 * @param {HTMLElement} host an element of its own; its width decides the size
 * @param {BoardOptions} options
 */
export function createBoard(host, options) {
  host.classList.add('board');
  /** @type {Table | null} */
  let table = null;
  /** @type {Hands | null} */
  let hands = null;
  /** @type {Shown | null} */
  let latest = null;
  let flipped = false;
  const coming = import('./hands.js');

  async function begin() {
    table = layTable(host, options, await gameOf(options.ruleset));
    table.setFlipped(flipped);
    if (latest) table.show(latest);
    const { createHands } = await coming;
    hands = createHands(table);
    table.hands = hands;
    table.draw();
  }

  return {
    /** Settled when the board can be used. Until then only the next two have an effect. */
    ready: begin(),
    /** @param {Shown} shown */
    show(shown) {
      latest = shown;
      table?.show(shown);
    },
    /** @param {boolean} turned by 180° */
    setFlipped(turned) {
      flipped = turned;
      table?.setFlipped(turned);
    },
    /** As if a piece had been pressed; with null what is picked is put back.
     * @param {string | null} cell
     */
    pick: (cell) => hands?.pick(cell),
    /** The next cell gets a man of the reserve, or no longer.
     * @param {boolean} picked
     */
    pickReserve: (picked) => hands?.pickReserve(picked),
    /** Takes back the last jump of a capture on its way; whether there was one. */
    back: () => hands?.back() ?? false,
    /** Shows the next of the best captures, whole, without making it. */
    showCapture: () => hands?.showCapture(),
  };
}

// ---- What stands there and how it moves

const STEP_MS = 180;
const LONGEST_STEP_MS = 320;
const LONGEST_REPLAY_MS = 1200;
const FLASH_MS = 600;

/** @typedef {{ path: string, draw: (point: Point) => void }} Mover */

/**
 * The pieces of a board, where they are seen, and their movements.
 *
 * @param {View} view
 * @param {Game} game
 */
function createStage(view, game) {
  const { grid } = game;
  const { paths } = view;
  /** Ends what moves, at once.
   * @type {(() => void) | null}
   */
  let finish = null;
  let flashTimer = 0;

  /** @param {Token} token @param {string} path
   * @returns {Mover} */
  const mover = (token, path) => ({ path, draw: (point) => view.draw(token, point) });

  const stage = {
    flipped: false,
    /** The cells with what stands on them: as shown, and what the player has begun.
     * @type {Map<string, string>}
     */
    contents: new Map(),
    mover,

    placeOf: (/** @type {string} */ cell) => grid.placeOf(cell, stage.flipped),
    cellAt: (/** @type {number} */ place) => grid.cellAt(place, stage.flipped),

    /** Ends what moves, with all that this sets off. */
    settle() {
      while (finish !== null) {
        const end = finish;
        finish = null;
        end();
      }
    },

    /** Begins a movement, after what moved before has ended.
     * @param {(done: () => void) => () => void} start begins it; calls `done` at its end; returns what ends it at once
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

    /** Puts on the board what stands there, and returns what has to be drawn elsewhere for it. */
    arrange: () =>
      view.arrange(new Map([...stage.contents].map(([cell, content]) => [stage.placeOf(cell), content]))),

    /** Puts on the board what stands there; what stands elsewhere than it is seen goes there. */
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

    /** Moves a piece or the top of a stack, and the piece that it changes places with, as a step has it. What else the
     * step does is seen when it has arrived.
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
      return travel([mover(token, paths.way(way))], duration, arrive);
    },

    /** How long a step takes on its own.
     * @param {number} length how many cells its route has
     */
    timeFor: (length) => Math.min(LONGEST_STEP_MS, STEP_MS + 28 * Math.max(0, length - 2)),

    /** Moves a piece over cells without a change of anything else.
     * @param {Token} token which belongs on the last of them already
     * @param {readonly string[]} way
     * @param {() => void} arrive
     */
    hop(token, way, arrive) {
      const duration = Math.min(STEP_MS * (way.length - 1), LONGEST_REPLAY_MS);
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
     */
    replay(steps, arrive) {
      const duration =
        steps.length > 1
          ? Math.min(STEP_MS, LONGEST_REPLAY_MS / steps.length)
          : stage.timeFor(steps[0].route.length);
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
 * @returns {() => void} ends it at once
 */
function travel(movers, duration, done) {
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
    const part = (performance.now() - start) / duration;
    if (part >= 1) return finish();
    const eased = 1 - (1 - part) ** 2;
    for (const { track, length, draw } of tracks) draw(track.getPointAtLength(length * eased));
    frame = requestAnimationFrame(step);
  };
  step();
  return finish;
}

/** @typedef {ReturnType<typeof createStage>} Stage */

// ---- What is shown

/**
 * What a board and the player's hands share.
 * @typedef {object} Table
 * @property {HTMLElement} host
 * @property {BoardOptions} options
 * @property {Game} game
 * @property {View} view
 * @property {Stage} stage
 * @property {Hands | null} hands
 * @property {Shown | null} shown
 * @property {boolean} waiting whether an action has been chosen that no `show` has answered yet
 * @property {string | null} goal the text of the position that a replay under way leads to
 * @property {() => void} draw
 * @property {() => void} settle ends what moves
 * @property {(next: Shown) => void} show
 * @property {(turned: boolean) => void} setFlipped
 */

/**
 * @param {HTMLElement} host
 * @param {BoardOptions} options
 * @param {Game} game
 * @returns {Table}
 */
function layTable(host, options, game) {
  const view = createView(host, game, true);
  const stage = createStage(view, game);
  const { grid } = game;
  const { placeOf, cellAt } = stage;

  /** The marks of a turn.
   * @param {'last' | 'draft'} name
   * @param {readonly Step[]} steps
   */
  function drawSteps(name, steps) {
    const { from, to, routes } = trail(steps);
    const line = routes.map((route) => view.paths.line(route.map(placeOf))).join('');
    view.mark(`${name}-from`, view.paths.cells(from.map(placeOf), 40));
    view.mark(`${name}-to`, view.paths.cells(to.map(placeOf), 41.5));
    view.mark(`${name}-halo`, line);
    view.mark(`${name}-line`, line);
  }

  /** The centre of a side with the places of its attackers.
   * @param {Side} side
   */
  function attacked(side) {
    const threats = table.shown?.turn.threats;
    const centre = [...view.tokens].find(
      ({ content }) => game.isCentre(content) && game.sideOf(content) === side,
    );
    if (!centre || !threats) return [];
    // While an action waits for its answer these may still be those before it, of a centre that has just moved.
    const attackers = threats[side].map(placeOf).filter((place) => grid.distance(place, centre.place) === 1);
    return [{ centre: centre.place, attackers }];
  }

  /** Draws all that does not depend on what the player does. */
  function drawTurns() {
    const { shown, waiting, goal } = table;
    const drafts = shown?.draftSteps ?? [];
    const last = goal !== null || drafts.length > 0 ? [] : (shown?.lastSteps ?? []);
    drawSteps('last', last);
    view.mark('last-taken', view.paths.crosses(last.flatMap(({ taken }) => taken).map(placeOf)));
    drawSteps('draft', drafts);
    const badges = [...numbers(drafts)].map(([cell, text]) => ({ place: placeOf(cell), text }));
    view.number('steps', badges);
    view.threaten(waiting || goal !== null ? [] : [...attacked('first'), ...attacked('second')]);
    const ghosts = shown?.legal === null && shown.turn.side !== shown.mySide ? movedBy(drafts) : new Set();
    for (const { element, place } of view.tokens)
      element.classList.toggle('piece-ghost', ghosts.has(cellAt(place)));
    set(host, 'data-waiting', waiting ? '' : null);
  }

  /** The state of a new `show`, once all stands where it has it. */
  function arrived() {
    table.goal = null;
    table.waiting = false;
    table.hands?.refresh();
    table.draw();
  }

  /** @type {Table} */
  const table = {
    ...{ host, options, game, view, stage, hands: null, shown: null, waiting: false, goal: null },

    draw() {
      drawTurns();
      table.hands?.draw();
    },

    settle() {
      stage.settle();
      table.goal = null;
    },

    show(next) {
      const { shown, hands } = table;
      const isSame = shown?.turn.position === next.turn.position;
      if (shown?.turn.number !== next.turn.number) hands?.newTurn();
      table.shown = next;
      // On its way there already: what moves must not be cut short by news of something else.
      if (table.goal === next.turn.position) return hands?.drawCells();
      // A capture that the player is in the middle of stays as long as it is legal.
      if (isSame && !table.waiting && hands?.keepsCapture()) return table.draw();
      const position = game.parse(next.turn.position);
      const stands =
        position.size === stage.contents.size &&
        [...stage.contents].every(([cell, content]) => position.get(cell) === content);
      if (stands && table.goal === null && shown !== null) return arrived();
      hands?.drop();
      table.settle();
      const steps = shown === null ? [] : next.animate.filter(({ route }) => route.length > 0);
      const arrive = () => {
        stage.contents = position;
        if (shown === null) {
          stage.arrange();
          view.settle();
        } else {
          stage.gather();
        }
        arrived();
      };
      if (steps.length === 0) return arrive();
      hands?.letGo();
      if (!mayMove()) {
        arrive();
        return stage.flash(steps.flatMap(({ route }) => [route[0], route[route.length - 1]]));
      }
      table.goal = next.turn.position;
      table.waiting = false;
      drawTurns();
      hands?.drawAims();
      stage.replay(steps, arrive);
    },

    setFlipped(turned) {
      if (turned === stage.flipped) return;
      const { hands } = table;
      hands?.drop();
      table.settle();
      stage.flipped = turned;
      for (const token of view.tokens) token.place = grid.cells.length - 1 - token.place;
      view.settle();
      view.name(turned);
      view.mark('flash', '');
      hands?.turn();
      table.draw();
    },
  };

  view.name(false);
  return table;
}
