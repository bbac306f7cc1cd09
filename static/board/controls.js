// Input of a board: pointer and keys.

import { createArrows } from './arrows.js';
import { createGestures } from './input.js';
import { createKeys } from './keys.js';
import { set } from './elements.js';

/** @import { BoardState } from './board-state.js' */
/** @import { Hands } from './hands.js' */

/** The focused place, and the x that a run up or down keeps to. @typedef {{ place: number, x: number }} Caret */

const LONG_PRESS_MS = 500;
const RIGHT_BUTTON = 2;

/**
 * @param {BoardState} boardState
 * @param {Hands} hands
 */
export function createControls(boardState, hands) {
  const pointers = listenToPointers(boardState, hands, (place) => keys.caretTo(place));
  const keys = listenToKeys(boardState, hands);
  return {
    cancel: pointers.cancel,
    setArrows: pointers.setArrows,
    rest: keys.rest,
    focus: keys.focus,
    press: keys.press,

    /** The board was turned. */
    turn() {
      pointers.turn();
      keys.turn();
    },
  };
}

/**
 * @param {BoardState} boardState
 * @param {Hands} hands
 * @param {(place: number) => void} onTap
 */
function listenToPointers(boardState, hands, onTap) {
  const { game, view, stage } = boardState;
  const { svg } = view;
  const gestures = createGestures();
  let pressTimer = 0;
  /** The first cell of the arrow that is being drawn.
   * @type {string | null}
   */
  let arrowFrom = null;
  const arrows = createArrows(boardState);

  /** @param {PointerEvent} event */
  const pointOf = (event) =>
    new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM()?.inverse());
  /** @param {PointerEvent} event */
  const placeUnder = (event) => game.grid.placeAt(pointOf(event));

  function cancel() {
    clearTimeout(pressTimer);
    gestures.cancel();
  }

  /** @param {PointerEvent} event */
  function arrowTo(event) {
    const place = placeUnder(event);
    const to = place === null ? null : stage.cellAt(place);
    return arrowFrom === null || to === null ? null : { from: arrowFrom, to, isOther: event.altKey };
  }

  /** The pointer is on a place, or on none any more.
   * @param {PointerEvent} event
   * @param {number | null} place
   */
  const aim = (event, place) => hands.aim(place, event.pointerType !== 'mouse');

  svg.addEventListener('pointerdown', (event) => {
    const place = placeUnder(event);
    if (place === null || boardState.shown === null) return;
    if (event.button === RIGHT_BUTTON) {
      arrowFrom = stage.cellAt(place);
      svg.setPointerCapture(event.pointerId);
    }
    if (event.button !== 0) return;
    if (boardState.goal !== null) boardState.settle();
    clearTimeout(pressTimer);
    pressTimer = setTimeout(() => {
      // Inspecting a cell is not a press of it.
      if (hands.look(place)) gestures.cancel();
    }, LONG_PRESS_MS);
    const point = { x: event.clientX, y: event.clientY };
    const draggable = hands.canDrag(place);
    gestures.down({ id: event.pointerId, kind: event.pointerType, point, place, draggable });
    svg.setPointerCapture(event.pointerId);
    aim(event, place);
  });

  svg.addEventListener('pointermove', (event) => {
    const arrow = arrowTo(event);
    if (arrow) arrows.preview(arrow);
    const gesture = gestures.move(event.pointerId, { x: event.clientX, y: event.clientY });
    if (gesture?.type === 'drag') {
      clearTimeout(pressTimer);
      hands.drag(gesture.from, pointOf(event));
    }
    if (gesture || event.pointerType === 'mouse') aim(event, placeUnder(event));
  });

  svg.addEventListener('pointerup', (event) => {
    const arrow = arrowTo(event);
    if (arrow) arrows.add(arrow);
    arrowFrom = null;
    const place = placeUnder(event);
    const gesture = gestures.up(event.pointerId, place);
    clearTimeout(pressTimer);
    if (event.pointerType !== 'mouse') aim(event, null);
    if (gesture?.type === 'tap') {
      onTap(gesture.place);
      hands.press(gesture.place);
    } else if (gesture?.type === 'drop') {
      hands.fall(place, gesture.from);
    }
  });

  svg.addEventListener('pointercancel', (event) => {
    if (!gestures.follows(event.pointerId)) return;
    hands.drop();
    aim(event, null);
    boardState.draw();
  });

  svg.addEventListener('pointerleave', (event) => aim(event, null));
  svg.addEventListener('contextmenu', (event) => {
    // A menu opened by a key does not interfere with drawing an arrow.
    if (event.button === RIGHT_BUTTON) event.preventDefault();
  });

  return {
    /** Forgets the press under way. */
    cancel,
    setArrows: arrows.set,
    turn: arrows.turn,
  };
}

/**
 * The board's focus, and the effect of its keys.
 *
 * @param {BoardState} boardState
 * @param {Hands} hands
 */
function listenToKeys(boardState, hands) {
  const { game, view } = boardState;
  const { svg, cells, paths } = view;
  const { grid } = game;
  const caret = {
    /** @type {Caret} */
    at: { place: grid.cells.length >> 1, x: 0 },

    /** @param {Caret} next */
    moveTo(next) {
      caret.at = next;
      for (const [place, element] of cells.entries())
        set(element, 'tabindex', place === next.place ? '0' : '-1');
      const ring = paths.cells([next.place], 45);
      view.mark('focus-halo', ring);
      view.mark('focus', ring);
    },

    /** @param {number} place */
    goTo: (place) => caret.moveTo({ place, x: grid.pointOf(place).x }),

    focus: () => /** @type {SVGElement} */ (cells[caret.at.place]).focus({ preventScroll: true }),
  };
  /** Whether the focus has been in the board. */
  let isUsed = false;

  const keys = createKeys(boardState, hands, caret);
  svg.addEventListener('keydown', keys.press);

  // Not on the SVG itself: with listeners for focus it would become a stop of its own for the Tab key.
  view.stack.addEventListener('focusin', (event) => {
    const place = cells.indexOf(/** @type {Element} */ (event.target));
    if (place < 0) return;
    isUsed = true;
    if (place !== caret.at.place) caret.goTo(place);
    if (cells[place].matches(':focus-visible')) hands.aim(place);
  });
  view.stack.addEventListener('focusout', () => hands.aim(null));

  caret.moveTo(caret.at);
  return {
    /** A place was pressed.
     * @param {number} place
     */
    caretTo(place) {
      isUsed = true;
      caret.goTo(place);
    },
    focus: caret.focus,
    press: keys.press,

    /** As long as the focus has not been in the board, it will enter where it is of use. */
    rest() {
      const place = isUsed ? null : keys.firstStop();
      if (place !== null && place !== caret.at.place) caret.goTo(place);
    },

    /** The board was turned: the caret stays on its cell. */
    turn() {
      const hadFocus = svg.contains(document.activeElement);
      caret.goTo(cells.length - 1 - caret.at.place);
      if (hadFocus) caret.focus();
    },
  };
}
