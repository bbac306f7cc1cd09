// The keys of a board and their commands.

import { answerTo, ray } from './speech.js';
import { trail } from './steps.js';

/** @import { BoardState } from './board-state.js' */
/** @import { Caret } from './controls.js' */
/** @import { Grid } from './grid.js' */
/** @import { Hands } from './hands.js' */

/** A question that a key asks a board. @typedef {'group' | 'targets' | 'threats' | 'last' | 'cell'} Question */

/**
 * @typedef {{ type: 'neighbour', direction: number }
 *   | { type: 'row', by: 1 | -1 }
 *   | { type: 'edge', end: 'row-start' | 'row-end' | 'first' | 'last' }
 *   | { type: 'cycle', by: 1 | -1 }
 *   | { type: 'say', what: Question }
 *   | { type: 'scan', by: 1 | -1 }
 *   | { type: 'digit', number: number }
 *   | { type: 'press' | 'undo' | 'restart' | 'unpick' | 'reserve' | 'inspect' }
 *   | { type: 'ask', what: 'help' | 'preferences' | 'zen' }} Command
 */

/** Keys by their position, whatever is printed on them: the six around KeyS point as six neighbours do.
 * @type {Record<string, number>}
 */
const AROUND = { KeyD: 0, KeyC: 1, KeyZ: 2, KeyA: 3, KeyQ: 4, KeyE: 5 };

/** @type {Record<string, Command>} */
const KEYS = {
  ArrowRight: { type: 'neighbour', direction: 0 },
  ArrowLeft: { type: 'neighbour', direction: 3 },
  ArrowUp: { type: 'row', by: -1 },
  ArrowDown: { type: 'row', by: 1 },
  Home: { type: 'edge', end: 'row-start' },
  End: { type: 'edge', end: 'row-end' },
  Enter: { type: 'press' },
  ' ': { type: 'press' },
  Backspace: { type: 'undo' },
  Escape: { type: 'unpick' },
  '?': { type: 'ask', what: 'help' },
  p: { type: 'ask', what: 'preferences' },
  f: { type: 'ask', what: 'zen' },
  n: { type: 'cycle', by: 1 },
  g: { type: 'say', what: 'group' },
  m: { type: 'say', what: 'targets' },
  t: { type: 'say', what: 'threats' },
  l: { type: 'say', what: 'last' },
  o: { type: 'say', what: 'cell' },
  x: { type: 'scan', by: 1 },
  r: { type: 'reserve' },
  v: { type: 'inspect' },
};

/** @type {Record<string, Command>} */
const SHIFTED = {
  Backspace: { type: 'restart' },
  n: { type: 'cycle', by: -1 },
  x: { type: 'scan', by: -1 },
  '?': { type: 'ask', what: 'help' },
};

/** @type {Record<string, Command>} */
const WITH_CONTROL = {
  Home: { type: 'edge', end: 'first' },
  End: { type: 'edge', end: 'last' },
  z: { type: 'undo' },
};

/** The command of a key; null if it is none of the board's keys.
 * @param {{ key: string, code: string, shiftKey: boolean, ctrlKey: boolean, metaKey: boolean, altKey: boolean }} event
 * @param {boolean} hasLetters whether keys that write something mean anything
 * @returns {Command | null}
 */
export function command({ key, code, shiftKey, ctrlKey, metaKey, altKey }, hasLetters) {
  if (altKey) return null;
  if (!hasLetters && !ctrlKey && !metaKey && key.length === 1 && key !== ' ') return null;
  // The keys of the upper row write digits only with Shift on some layouts.
  const digit = /^(?:Digit|Numpad)([1-9])$/.exec(code);
  if (digit && !ctrlKey && !metaKey) return { type: 'digit', number: Number(digit[1]) };
  const name = key.length === 1 ? key.toLowerCase() : key;
  if (ctrlKey || metaKey) return shiftKey ? null : (WITH_CONTROL[name] ?? null);
  if (shiftKey) return SHIFTED[name] ?? null;
  const direction = AROUND[code];
  return direction === undefined ? (KEYS[name] ?? null) : { type: 'neighbour', direction };
}

/**
 * Moves the focus. Going up and down keeps to the column where the run began, as a text caret does.
 *
 * @param {Caret} caret
 * @param {Command} move
 * @param {Grid} grid
 * @returns {Caret}
 */
export function moveCaret(caret, move, { rows, pointOf, neighbour, lattice }) {
  const starts = rows.map((_, row) => rows.slice(0, row).flat().length);
  const row = starts.findLastIndex((start) => start <= caret.place);
  const total = rows.flat().length;
  const go = (/** @type {number} */ place) => ({ place, x: pointOf(place).x });
  switch (move.type) {
    case 'neighbour':
      return go(neighbour(caret.place, lattice.around[move.direction]) ?? caret.place);
    case 'row': {
      const next = row + move.by;
      if (next < 0 || next >= rows.length) return caret;
      const places = rows[next].map((_, column) => starts[next] + column);
      const off = (/** @type {number} */ place) => Math.abs(pointOf(place).x - caret.x);
      // A tie goes to the left, so that a run up and down again ends where it began.
      return { place: places.reduce((a, b) => (off(b) < off(a) - 0.5 ? b : a)), x: caret.x };
    }
    case 'edge':
      if (move.end === 'first') return go(0);
      if (move.end === 'last') return go(total - 1);
      return go(move.end === 'row-start' ? starts[row] : starts[row] + rows[row].length - 1);
    default:
      return caret;
  }
}

/**
 * @param {BoardState} boardState
 * @param {Hands} hands
 * @param {{ at: Caret, moveTo: (next: Caret) => void, goTo: (place: number) => void, focus: () => void }} caret
 */
export function createKeys(boardState, hands, caret) {
  const { options, stage } = boardState;
  const { grid } = boardState.game;
  /** The place and the direction that were scanned last. */
  let scanned = { from: -1, direction: 0 };

  /** The places that N goes through: targets, nearest first, once a piece is picked; else the pieces that can move. */
  function stops() {
    const stand = hands.standing();
    const wanted =
      stand === null
        ? (hands.legal() ?? []).map(({ from }) => from)
        : hands.targets().map(({ cell }) => cell);
    const places = [...new Set(wanted)].flatMap((cell) => (cell === null ? [] : [stage.placeOf(cell)]));
    if (stand === null) return places.sort((a, b) => a - b);
    const from = grid.cells.includes(stand) ? stage.placeOf(stand) : caret.at.place;
    return places.sort((a, b) => grid.distance(from, a) - grid.distance(from, b) || a - b);
  }

  /** The first piece that can move, or else the last target of the turn before; null if there is neither. */
  function firstStop() {
    const target = trail(boardState.shown?.lastSteps ?? []).to.at(-1);
    return stops()[0] ?? (target === undefined ? null : stage.placeOf(target));
  }

  /** @param {1 | -1} by */
  function goOn(by) {
    const list = stops();
    if (list.length === 0) return;
    const index = list.indexOf(caret.at.place);
    const start = by > 0 ? 0 : list.length - 1;
    caret.goTo(list[index < 0 ? start : (index + by + list.length) % list.length]);
    caret.focus();
  }

  /** Announces the cells in one direction, and the next time in the next.
   * @param {1 | -1} by
   */
  function scan(by) {
    const { length } = grid.lattice.directions;
    const from = caret.at.place;
    const direction = scanned.from === from ? (scanned.direction + by + length) % length : 0;
    scanned = { from, direction };
    options.announce(ray(from, direction, boardState, hands));
  }

  /** @param {Question} what */
  function answer(what) {
    const cell = stage.cellAt(caret.at.place);
    options.announce(answerTo(what, cell, boardState, hands));
  }

  function takeBack() {
    if (boardState.goal !== null) return boardState.settle();
    if (hands.isDragging()) hands.drop();
    hands.closeBubble();
    if (!hands.back()) hands.unpick();
  }

  /** @param {Command} asked
   * @param {boolean} isRepeated whether the key is being held */
  function carryOut(asked, isRepeated) {
    switch (asked.type) {
      case 'neighbour':
      case 'row':
      case 'edge':
        caret.moveTo(moveCaret(caret.at, asked, grid));
        return caret.focus();
      case 'cycle':
        return goOn(asked.by);
      case 'press':
        if (!isRepeated) hands.press(caret.at.place);
        return;
      case 'unpick':
        return takeBack();
      case 'undo':
        return options.onUndo();
      case 'restart':
        return options.onRestart();
      case 'reserve':
        return hands.toggleReserve();
      case 'digit':
        return hands.choose(asked.number);
      case 'inspect':
        hands.inspect(caret.at.place);
        return;
      case 'ask':
        return options.onAsk(asked.what);
      case 'say':
        return answer(asked.what);
      case 'scan':
        return scan(asked.by);
    }
  }

  return {
    firstStop,

    /** @param {KeyboardEvent} event */
    press(event) {
      const asked = command(event, document.documentElement.dataset.keys !== 'off');
      if (asked === null) return;
      event.preventDefault();
      carryOut(asked, event.repeat);
    },
  };
}
