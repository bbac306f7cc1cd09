// The table of a board: the state it was given last, and the animation from the one before.

import { mayMove } from '../ui/motion.js';
import { set } from './elements.js';
import { createStage } from './stage.js';
import { movedBy, numbers, trail } from './steps.js';
import { createView } from './view.js';

/** @import { Side, Step } from '../protocol.d.ts' */
/** @import { BoardOptions, Shown } from './board.js' */
/** @import { Game } from './looks.js' */
/** @import { Hands } from './hands.js' */
/** @import { Stage } from './stage.js' */
/** @import { View } from './view.js' */

/** Duration of each step of a replayed turn. */
const SLOW_MS = 700;

/**
 * The state that a board and the player's hands share.
 * @typedef {object} BoardState
 * @property {HTMLElement} host
 * @property {BoardOptions} options
 * @property {Game} game
 * @property {View} view
 * @property {Stage} stage
 * @property {Hands | null} hands
 * @property {Shown | null} shown
 * @property {boolean} waiting whether an action has been chosen that no `show` has answered yet
 * @property {string | null} goal the text of the position that a replay under way leads to
 * @property {number} ahead number of steps that a replay under way has not begun
 * @property {readonly string[]} named the cells that a text beside the board names
 * @property {() => void} draw
 * @property {() => void} settle ends all movements
 * @property {(next: Shown) => void} show
 * @property {(position: string, steps: readonly Step[]) => void} playAgain
 * @property {(turned: boolean) => void} setFlipped
 * @property {(cells: readonly string[]) => void} setNamed
 */

/**
 * @param {HTMLElement} host
 * @param {BoardOptions} options
 * @param {Game} game
 * @returns {BoardState}
 */
export function createBoardState(host, options, game) {
  const view = createView(host, game, true);
  const stage = createStage(view, game, (step, left) => {
    boardState.ahead = left;
    drawTurns();
    options.onStep?.(step);
    options.onReplay?.(step);
  });
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
    const threats = boardState.shown?.turn.threats;
    const centre = [...view.tokens].find(
      ({ content }) => game.isCentre(content) && game.sideOf(content) === side,
    );
    if (!centre || !threats) return [];
    // While an action waits for its answer, these may be out of date: those of a centre that has just moved.
    const attackers = threats[side].map(placeOf).filter((place) => grid.distance(place, centre.place) === 1);
    return [{ centre: centre.place, attackers }];
  }

  /** Draws everything that does not depend on the player's input. */
  function drawTurns() {
    const { shown, waiting, goal, ahead } = boardState;
    const drafts = shown?.draftSteps ?? [];
    const played = shown?.lastSteps ?? [];
    const last = drafts.length > 0 ? [] : played.slice(0, Math.max(0, played.length - ahead));
    drawSteps('last', last);
    view.mark('last-taken', view.paths.crosses(last.flatMap(({ taken }) => taken).map(placeOf)));
    drawSteps('draft', drafts);
    const decisive = goal !== null ? [] : (shown?.decisive ?? []).map(placeOf);
    view.double('decisive', view.paths.cells(decisive, 43));
    const numbered = drafts.length > 0 || last.length > 1 ? [...numbers(drafts), ...numbers(last)] : [];
    const badges = numbered.map(([cell, text]) => ({ place: placeOf(cell), text }));
    view.number('steps', badges);
    view.threaten(waiting || goal !== null ? [] : [...attacked('first'), ...attacked('second')]);
    const ghosts = shown?.legal === null && shown.turn.side !== shown.mySide ? movedBy(drafts) : new Set();
    for (const { element, place } of view.tokens)
      element.classList.toggle('piece-ghost', ghosts.has(cellAt(place)));
    set(host, 'data-waiting', waiting ? '' : null);
  }

  const drawNamed = () => view.ring(boardState.named.map((cell) => ({ place: placeOf(cell), cell })));

  /** The state of a new `show`, once every piece is in its place. */
  function arrived() {
    boardState.goal = null;
    boardState.ahead = 0;
    options.onReplay?.(null);
    boardState.waiting = false;
    boardState.hands?.refresh();
    boardState.draw();
  }

  /** @type {BoardState} */
  const boardState = {
    host,
    options,
    game,
    view,
    stage,
    hands: null,
    shown: null,
    waiting: false,
    goal: null,
    ahead: 0,
    named: [],

    draw() {
      drawTurns();
      drawNamed();
      boardState.hands?.draw();
    },

    settle() {
      stage.settle();
      boardState.goal = null;
    },

    show(next) {
      const { shown, hands } = boardState;
      const isSame = shown?.turn.position === next.turn.position;
      if (shown?.turn.number !== next.turn.number) hands?.setArrows([]);
      boardState.shown = next;
      // The animation to this position is running: other news must not cut it short.
      if (boardState.goal === next.turn.position) return hands?.drawCells();
      // A capture that the player is in the middle of stays as long as it is legal.
      if (isSame && !boardState.waiting && hands?.keepsCapture()) return boardState.draw();
      const position = game.parse(next.turn.position);
      const stands =
        position.size === stage.contents.size &&
        [...stage.contents].every(([cell, content]) => position.get(cell) === content);
      if (stands && boardState.goal === null && shown !== null) return arrived();
      hands?.drop();
      boardState.settle();
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
        options.onStep?.(steps[steps.length - 1]);
        return stage.flash(steps.flatMap(({ route }) => [route[0], route[route.length - 1]]));
      }
      boardState.goal = next.turn.position;
      boardState.ahead = steps.length;
      boardState.waiting = false;
      drawTurns();
      hands?.drawAims();
      stage.replay(steps, arrive);
    },

    /** The steps that lead from a position to the one that is shown, once more and slowly. */
    playAgain(from, steps) {
      const { shown, hands } = boardState;
      if (shown === null || steps.length === 0 || !mayMove()) return;
      hands?.drop();
      boardState.settle();
      hands?.letGo();
      stage.contents = game.parse(from);
      stage.arrange();
      view.settle();
      boardState.goal = shown.turn.position;
      boardState.ahead = steps.length;
      boardState.draw();
      const arrive = () => {
        if (boardState.shown !== null) stage.contents = game.parse(boardState.shown.turn.position);
        stage.gather();
        arrived();
      };
      stage.replay(steps, arrive, SLOW_MS);
    },

    setFlipped(turned) {
      if (turned === stage.flipped) return;
      const { hands } = boardState;
      hands?.drop();
      boardState.settle();
      stage.flipped = turned;
      for (const token of view.tokens) token.place = grid.cells.length - 1 - token.place;
      view.settle();
      view.name(turned);
      view.mark('flash', '');
      hands?.turn();
      boardState.draw();
    },

    setNamed(cells) {
      boardState.named = cells.filter((cell) => grid.cells.includes(cell));
      drawNamed();
    },
  };

  view.name(false);
  return boardState;
}
