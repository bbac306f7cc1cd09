// The hands of a player at a board: the picked piece, the place pointed at, and the commands for both. The wishes of
// pointers and keys come from `controls.js`, the meaning of a press from `input.js`.

import { createRide } from './captures.js';
import { createActs } from './acts.js';
import { createAims } from './aims.js';
import { createBubble } from './bubble.js';
import { createChoices, emptyHold } from './choices.js';
import { createControls } from './controls.js';
import { RESERVE, actionsFrom, pickedActions } from './input.js';
import { wordsFor } from './board-texts.js';

/** @import { LegalAction } from '../protocol.d.ts' */
/** @import { Arrow } from './arrows.js' */
/** @import { Held } from './board.js' */
/** @import { Point } from './geometry.js' */
/** @import { Args } from './input.js' */
/** @import { BoardState } from './board-state.js' */

/** @param {BoardState} boardState */
export function createHands(boardState) {
  const { host, options, game, view, stage } = boardState;
  const { grid } = game;
  const { t } = options;
  const { cellAt } = stage;
  const { svg } = view;
  const hold = emptyHold();
  const words = wordsFor(game, t);
  const bubble = createBubble(host, svg);
  const choices = createChoices(boardState, hold);
  const aims = createAims(boardState, hold, choices, words, bubble);
  const acts = createActs(boardState, hold, choices, words, bubble, aims);
  const { canPick, scene, standing, targets } = choices;
  const { apply, effectAt, inspect, letGo, pickReserve, pressAt, putBack, take, unpick } = acts;
  /** @type {Held} */
  let held = { picked: null, jumps: 0 };

  if (game.hasCaptures)
    hold.ride = createRide(boardState, {
      picked: () => hold.picked,
      actions: () => pickedActions(scene()),
      after: choices.after,
      commit: acts.commit,
      letDown: acts.letDown,
      say: acts.say,
      explain: acts.explain,
    });

  function draw() {
    aims.drawAims();
    aims.drawCells();
    controls.rest();
    const now = { picked: hold.picked, jumps: hold.ride?.jumps.length ?? 0 };
    if (now.picked === held.picked && now.jumps === held.jumps) return;
    held = now;
    options.onHold?.(held);
  }

  const hands = {
    draw,
    words,
    ...aims,
    letGo,
    unpick,
    pickReserve,
    choose: acts.choose,
    aim: acts.aim,
    inspect,
    targets,
    standing,
    legal: choices.legal,
    groupOf: choices.groupOf,
    toggleReserve: () => pickReserve(hold.picked !== RESERVE),
    press: pressAt,
    closeBubble: bubble.hide,
    actionsFrom: (/** @type {string} */ cell) => actionsFrom(scene(), cell),
    back: () => hold.ride?.back() ?? false,
    showCapture: () => hold.ride?.showNext(choices.legal() ?? []),

    /** @param {string | null} cell */
    pick(cell) {
      if (cell === null) unpick();
      else if (cell !== hold.picked && canPick(cell)) take(cell);
    },

    /** Keeps the part of the player's unfinished action that is legal in a new state. */
    refresh() {
      if (hold.picked !== null && !canPick(hold.picked)) letGo();
    },

    /** True if a capture is under way and still legal. An illegal one is put back. */
    keepsCapture() {
      if (!hold.ride?.standing()) return false;
      if (hold.ride.isLegal()) return true;
      putBack();
      return false;
    },

    /** True if a piece, or the rest of its capture, can be dragged.
     * @param {number} place
     */
    canDrag: (place) => {
      const cell = cellAt(place);
      return hold.ride?.standing() ? cell === standing() : actionsFrom(scene(), cell).length > 0;
    },

    isDragging: () => hold.dragged !== null,

    /** Drags the piece of a place along.
     * @param {number} place
     * @param {Point} point
     */
    drag(place, point) {
      if (!hold.dragged) {
        if (standing() !== cellAt(place)) take(cellAt(place));
        hold.dragged = view.tokenAt(place) ?? null;
        if (hold.dragged) view.raise(hold.dragged);
      }
      if (hold.dragged) view.draw(hold.dragged, point);
    },

    /** Drops a dragged piece: on a target the action is played, elsewhere the piece goes back.
     * @param {number | null} place
     * @param {number} from
     */
    fall(place, from) {
      const isTarget = targets().some((target) => target.place === place && target.sign !== 'barred');
      if (place !== null && isTarget) return pressAt(place);
      hands.drop();
      if (place === null) unpick();
      else if (place !== from) pressAt(place);
      boardState.draw();
    },

    /** Puts the dragged piece down and forgets the press under way. */
    drop() {
      const token = hold.dragged;
      hold.dragged = null;
      controls.cancel();
      if (token) view.draw(token, grid.pointOf(token.place));
    },

    /** Inspects a place: shows its stack, or explains why nothing can be done with it.
     * @param {number} place
     * @returns {boolean} whether there was anything to be seen or said
     */
    look(place) {
      if (hold.dragged || boardState.shown === null || boardState.waiting) return false;
      if (inspect(place)) return true;
      const effect = effectAt(place);
      if (effect.type !== 'refuse' && effect.type !== 'explain') return false;
      apply(effect);
      return true;
    },

    focus: () => controls.focus(),
    /** @param {KeyboardEvent} event */
    key: (event) => controls.press(event),
    /** The board was turned. */
    turn: () => controls.turn(),
    /** @param {readonly Arrow[]} list */
    setArrows: (list) => controls.setArrows(list),
  };

  const controls = createControls(boardState, hands);

  svg.setAttribute('role', 'grid');
  svg.setAttribute('aria-rowcount', String(grid.rows.length));
  svg.setAttribute('aria-colcount', String(Math.max(...grid.rows.map((row) => row.length))));
  svg.setAttribute('aria-label', t('board.label', { game: t(`board.game.${options.ruleset}`) }));
  return hands;
}

/** @typedef {ReturnType<typeof createHands>} Hands */

/**
 * The part of a player's hands that captures use.
 * @typedef {object} Hand
 * @property {() => string | null} picked
 * @property {() => LegalAction[]} actions those of the picked piece or reserve
 * @property {(action: LegalAction) => Map<string, string>} after the contents of the cells after an action
 * @property {(next: Map<string, string>) => void} commit
 * @property {() => boolean} letDown
 * @property {(key: string, args?: Args) => void} say
 * @property {(key: string, args: Args) => void} explain
 */
