// Actions of a player at a board: picks, moves and puts back pieces, and explains refused presses.

import { RESERVE, actionsFrom, isSwap, press } from './input.js';
import { mayMove } from '../ui/motion.js';
import { whyNot } from './why.js';

/** @import { LegalAction } from '../protocol.d.ts' */
/** @import { createAims } from './aims.js' */
/** @import { createBubble } from './bubble.js' */
/** @import { RideEffect } from './captures.js' */
/** @import { Choices, Hold } from './choices.js' */
/** @import { Args, Effect } from './input.js' */
/** @import { BoardState } from './board-state.js' */
/** @import { wordsFor } from './board-texts.js' */

/**
 * @param {BoardState} boardState
 * @param {Hold} hold
 * @param {Choices} choices
 * @param {ReturnType<typeof wordsFor>} words
 * @param {ReturnType<typeof createBubble>} bubble
 * @param {ReturnType<typeof createAims>} aims
 */
export function createActs(boardState, hold, choices, words, bubble, { drawAims }) {
  const { options, game, view, stage } = boardState;
  const { grid } = game;
  const { t, announce } = options;
  const { placeOf, cellAt } = stage;
  const { cells } = view;
  const { after, attackersOf, canPick, groupOf, scene, targets } = choices;

  /** @param {string} key @param {Args} [args] */
  const say = (key, args) => announce(t(key, args));
  const explain = options.onExplain;

  /** @param {string} cell */
  function explainCentre(cell) {
    const content = stage.contents.get(cell) ?? '';
    const attackers = attackersOf(content);
    stage.flash([cell, ...attackers]);
    const key = attackers.length > 0 ? 'board.explain.centre_attacked' : 'board.explain.centre';
    explain(key, { cell, piece: words.piece(content), cells: words.list(attackers) });
  }

  /** @param {string} cell */
  function shake(cell) {
    if (!mayMove()) return stage.flash([cell]);
    const shaken = view.tokenAt(placeOf(cell))?.body ?? cells[placeOf(cell)];
    const transform = [0, -4, 4, -2, 0].map((x) => `translateX(${x}px)`);
    shaken.animate({ transform }, { duration: 220, easing: 'ease-out' });
  }

  /** Drops the pick and all that was done with it; the caller draws the piece back. */
  function letGo() {
    hold.picked = null;
    hold.count = null;
    hold.aimed = null;
    hold.missing = [];
    if (hold.ride?.clear() && boardState.shown) stage.contents = game.parse(boardState.shown.turn.position);
  }

  /** Drops the pick; a piece that has jumped stands on its start again. */
  function putBack() {
    const hadJumps = (hold.ride?.jumps.length ?? 0) > 0;
    letGo();
    if (!hadJumps) return;
    boardState.settle();
    stage.arrange();
    view.settle();
  }

  /** Ends the drag. The piece stays where it is.
   * @returns {boolean} whether one was
   */
  function letDown() {
    const was = hold.dragged !== null;
    hold.dragged = null;
    hold.aimed = null;
    return was;
  }

  /** Plays an action; the board shows only its result.
   * @param {Map<string, string>} next the contents after it
   */
  function commit(next) {
    letGo();
    boardState.waiting = true;
    stage.contents = next;
    boardState.draw();
  }

  /** @param {LegalAction} action */
  function act(action) {
    const { from, to, kind } = action;
    if (to === null) return;
    const swap = isSwap(kind);
    const next = after(action);
    const group = from === null ? [] : groupOf(from).map(placeOf);
    const way =
      from === null || swap
        ? [from, to].filter((cell) => cell !== null).map(placeOf)
        : grid.wayThrough(placeOf(from), placeOf(to), group);
    const step = { route: way.map(cellAt), swap, count: from === null ? null : action.count };
    const wasDragged = letDown();
    boardState.settle();
    if (wasDragged || !mayMove()) {
      stage.moveAlong(step, next, 1, () => {})();
      if (!wasDragged && !swap) stage.flash([from ?? to, to]);
    } else {
      stage.begin((done) => stage.moveAlong(step, next, stage.timeFor(way.length), done));
    }
    commit(next);
    if (swap) say('board.say.swapped', { from: from ?? '', to });
    else if (from === null) say('board.say.dropped', { to });
    else say('board.say.moved', { from, to });
    options.onAction(action);
  }

  /** @param {string} cell or the reserve */
  function take(cell) {
    putBack();
    hold.picked = cell;
    boardState.settle();
    boardState.draw();
    const n = targets().filter(({ sign }) => sign !== 'barred').length;
    const content = stage.contents.get(cell);
    if (cell === RESERVE) say('board.say.reserve', { n });
    else say('board.say.picked', { cell, piece: content === undefined ? '' : words.piece(content), n });
  }

  function unpick() {
    if (hold.picked === null) return;
    const cell = hold.picked;
    putBack();
    say(cell === RESERVE ? 'board.say.reserve_left' : 'board.say.unpicked', { cell });
    boardState.draw();
  }

  /** @param {Effect | RideEffect} effect */
  function apply(effect) {
    switch (effect.type) {
      case 'pick':
        return take(effect.cell);
      case 'unpick':
        return unpick();
      case 'act':
        return act(effect.action);
      case 'explain':
        return explainCentre(effect.cell);
      case 'refuse':
        shake(effect.cell);
        return refuse(effect);
      default:
        hold.ride?.apply(effect);
    }
  }

  /** Explains a refused press, and marks on the board the cells of the reason.
   * @param {Extract<Effect, { type: 'refuse' }>} effect
   */
  function refuse({ cell, key, args }) {
    const { picked } = hold;
    if (key !== 'board.why.no_target' || picked === null) return explain(key, args);
    const why = whyNot(grid, scene(), groupOf(picked), cell);
    hold.missing = why.missing;
    if (why.lit.length > 0) stage.flash(why.lit);
    drawAims();
    explain(why.key, why.args);
  }

  /** The effect of pressing a place.
   * @param {number} place
   */
  function effectAt(place) {
    const cell = cellAt(place);
    return hold.ride?.press(scene(), cell) ?? press(scene(), cell);
  }

  /** @param {number} place */
  function pressAt(place) {
    if (boardState.shown === null || boardState.waiting) return;
    if (boardState.goal !== null) boardState.settle();
    bubble.hide();
    hold.missing = [];
    apply(effectAt(place));
  }

  /** @param {boolean} wanted */
  function pickReserve(wanted) {
    if (!wanted) {
      if (hold.picked === RESERVE) unpick();
      return;
    }
    if (hold.picked === RESERVE) return;
    if (canPick(RESERVE)) take(RESERVE);
    else if (boardState.shown?.mySide !== null && boardState.shown?.legal)
      explain('board.why.no_reserve', {});
  }

  /** A digit chooses a path, or the number of men.
   * @param {number} number
   */
  function choose(number) {
    if (hold.ride?.chooseBy(number) || hold.picked === null || hold.picked === RESERVE) return;
    const counts = new Set(actionsFrom(scene(), hold.picked).map((action) => action.count));
    if (!counts.has(number)) return;
    hold.count = hold.count === number ? null : number;
    boardState.draw();
    const all = targets().flatMap(({ cell, sign }) => (sign === 'barred' ? [] : [cell]));
    say('board.say.targets', words.counted(all));
  }

  /** @param {number | null} place
   * @param {boolean} [covered] whether a finger is on it */
  function aim(place, covered = false) {
    if (hold.aimed === place && hold.isCovered === covered) return;
    hold.aimed = place;
    hold.isCovered = covered;
    view.point(place, place === null ? '' : cellAt(place));
    if (hold.picked !== null) drawAims();
  }

  /** Shows a stack from the side, its men numbered from the bottom.
   * @param {number} place
   * @returns {boolean} whether there is one to show
   */
  function inspect(place) {
    const content = stage.contents.get(cellAt(place));
    const men = content === undefined ? [] : (game.menOf?.(content) ?? []);
    if (men.length === 0) return false;
    const layers = men.map((side, index) => {
      const layer = document.createElement('div');
      layer.className = `board-layer board-layer-${side}`;
      layer.textContent = String(index + 1);
      return layer;
    });
    bubble.show(grid.pointOf(place), layers.reverse(), false);
    announce(words.list([cellAt(place), words.layers(content)]));
    return true;
  }

  return {
    say,
    explain,
    letGo,
    putBack,
    letDown,
    commit,
    take,
    unpick,
    apply,
    effectAt,
    pressAt,
    pickReserve,
    choose,
    aim,
    inspect,
  };
}
