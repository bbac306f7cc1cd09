// What presses, gestures and keys mean. Nothing here draws, and nothing here knows a rule: what is legal is a list.

/** @import { Barred, Jump, LegalAction, Side } from '../protocol.d.ts' */
/** @import { Grid, Point } from './grid.js' */

/** Stands for the reserve where a picked cell is meant. */
export const RESERVE = '*';

/**
 * What a press is judged by.
 * @typedef {object} Scene
 * @property {string | null} picked the cell of the piece that is picked, or `RESERVE`
 * @property {readonly LegalAction[] | null} legal what may be played, or null if it is not the player's move
 * @property {readonly Barred[]} barred what is only not legal because it was done before
 * @property {number | null} bestCapture the discs that a capture must take, null if nothing must be captured
 * @property {readonly Jump[]} jumps the jumps of the picked piece so far
 * @property {readonly (readonly Jump[])[]} choices the ways on that are to be chosen from
 * @property {number | null} count how many men are to go, null for any
 * @property {Side | null} mySide null for a spectator
 * @property {ReadonlyMap<string, string>} pieces cell → content
 * @property {(content: string) => Side} sideOf
 * @property {(content: string) => boolean} isCentre
 */

/** @typedef {Record<string, string | number>} Args */
/**
 * @typedef {{ type: 'pick', cell: string }
 *   | { type: 'unpick' }
 *   | { type: 'act', action: LegalAction }
 *   | { type: 'jump', jumps: readonly Jump[] }
 *   | { type: 'choose', choices: readonly (readonly Jump[])[] }
 *   | { type: 'back' }
 *   | { type: 'explain', cell: string }
 *   | { type: 'refuse', cell: string, key: string, args: Args }} Effect
 */

/** The actions of what is on a cell, or of the reserve.
 * @param {Scene} scene
 * @param {string} cell
 */
export const actionsFrom = ({ legal }, cell) =>
  legal?.filter(({ from, kind }) => (cell === RESERVE ? kind === 'drop' : from === cell)) ?? [];

/** What is barred of what is on a cell, or of the reserve.
 * @param {Scene} scene
 * @param {string} cell
 */
export const barredFrom = ({ barred }, cell) =>
  barred.filter(({ from }) => (cell === RESERVE ? from === null : from === cell));

/** What can be done with what is picked: the whole list, less what has other counts than the one asked for.
 * @param {Scene} scene
 */
export const pickedActions = (scene) =>
  scene.picked === null
    ? []
    : actionsFrom(scene, scene.picked).filter(({ count }) => scene.count === null || count === scene.count);

// ---- Captures, jump by jump

/** The captures that begin with some jumps.
 * @param {readonly LegalAction[]} actions of one piece
 * @param {readonly Jump[]} jumps
 */
export const linesAfter = (actions, jumps) =>
  actions.filter(({ capture }) => capture && jumps.every(({ to }, n) => capture.jumps[n]?.to === to));

/** @param {readonly Jump[]} jumps */
const victims = (jumps) =>
  jumps
    .map(({ over }) => over)
    .sort()
    .join();

/** @param {LegalAction} line */
const jumpsOf = ({ capture }) => capture?.jumps ?? [];

/** How a capture goes on by itself: as far as there is nothing to choose. Lines that take the same pieces and end on
 * the same cell are the same to the player.
 * @param {readonly LegalAction[]} lines at least one
 * @param {readonly Jump[]} jumps those made already
 * @returns {{ jumps: readonly Jump[], action: LegalAction | null }}
 */
export function follow(lines, jumps) {
  const [line] = lines;
  const all = jumpsOf(line);
  if (lines.every((other) => other.to === line.to && victims(jumpsOf(other)) === victims(all)))
    return { jumps: all, action: line };
  let length = jumps.length;
  while (length < all.length && lines.every((other) => jumpsOf(other)[length]?.to === all[length].to))
    length++;
  return { jumps: all.slice(0, length), action: null };
}

/** Pressing a cell while a piece can capture: a cell to land on or a piece to jump over next, or one further on.
 * @param {readonly LegalAction[]} lines
 * @param {readonly Jump[]} jumps those made already
 * @param {string} cell
 * @returns {Effect | null} null if no line comes there
 */
function pressLine(lines, jumps, cell) {
  const at = jumps.length;
  const next = new Map(lines.map((line) => [jumpsOf(line)[at]?.to, jumpsOf(line)[at]]));
  const jump = next.get(cell);
  if (jump) return { type: 'jump', jumps: [...jumps, jump] };
  const over = [...next.values()].filter((known) => known?.over === cell);
  if (over.length === 1) return { type: 'jump', jumps: [...jumps, over[0]] };
  const through = lines.filter((line) => jumpsOf(line).some(({ to }, n) => n > at && to === cell));
  if (through.length === 0) return null;
  const { action } = follow(through, jumps);
  if (action) return { type: 'jump', jumps: jumpsOf(action) };
  /** @type {Map<string, readonly Jump[]>} */
  const ways = new Map();
  for (const line of through) {
    const all = jumpsOf(line);
    const way = all.slice(0, all.findIndex(({ to }, n) => n > at && to === cell) + 1);
    if (!ways.has(victims(way))) ways.set(victims(way), way);
  }
  const choices = [...ways.values()];
  return choices.length === 1 ? { type: 'jump', jumps: choices[0] } : { type: 'choose', choices };
}

/** The only one of some ways that a cell lies on, before its end.
 * @param {readonly (readonly Jump[])[]} choices
 * @param {string} cell
 */
function choiceAt(choices, cell) {
  const found = choices.filter((way) =>
    way.some(({ over, to }, n) => over === cell || (to === cell && n < way.length - 1)),
  );
  return found.length === 1 ? found[0] : null;
}

// ---- Presses

/** Pressing a cell: by a tap, a click, Enter or Space.
 * @param {Scene} scene
 * @param {string} cell
 * @returns {Effect}
 */
export function press(scene, cell) {
  const { picked, legal, jumps, mySide, pieces, sideOf, isCentre } = scene;
  /** @param {string} reason @param {Args} [args] @returns {Effect} */
  const refuse = (reason, args = {}) => ({
    type: 'refuse',
    cell,
    key: `board.why.${reason}`,
    args: { cell, ...args },
  });

  if (jumps.length > 0 && cell === jumps[jumps.length - 1].to) return { type: 'back' };
  if (cell === picked && jumps.length === 0) return { type: 'unpick' };
  if (picked !== null) {
    const actions = pickedActions(scene);
    const chosen = choiceAt(scene.choices, cell);
    if (chosen) return { type: 'jump', jumps: chosen };
    const line = pressLine(linesAfter(actions, jumps), jumps, cell);
    if (line) return line;
    const action = actions.find(({ to, capture }) => to === cell && !capture);
    if (action && jumps.length === 0) return { type: 'act', action };
    const barred = barredFrom(scene, picked).find(({ to }) => to === cell);
    if (barred) return refuse('barred', { turn: barred.turn });
    if (jumps.length > 0) return refuse('jumping', { from: jumps[jumps.length - 1].to });
  }
  const content = pieces.get(cell);
  if (content !== undefined && isCentre(content)) return { type: 'explain', cell };
  if (mySide === null) return refuse('watching');
  if (legal === null) return refuse('not_your_move');
  if (actionsFrom(scene, cell).length > 0 || barredFrom(scene, cell).length > 0)
    return { type: 'pick', cell };
  const best = scene.bestCapture;
  if (best !== null && (picked !== null || (content !== undefined && sideOf(content) === mySide)))
    return refuse('must_capture', { n: best });
  if (picked === RESERVE) return refuse('no_drop');
  if (picked !== null) return refuse('no_target', { from: picked });
  if (legal.length > 0 && legal.every(({ kind }) => kind === 'drop')) return refuse('only_reserve');
  if (!legal.some(({ from }) => from !== null)) return refuse('no_moves_left');
  if (content === undefined) return refuse('empty');
  return refuse(sideOf(content) === mySide ? 'cannot_move' : 'not_yours');
}

/** How far a pointer travels before a press is a drag, in CSS pixels. A finger trembles more than a mouse. */
const SLACK = { mouse: 3, touch: 8, pen: 8 };

/** @typedef {{ type: 'tap', place: number } | { type: 'drag', from: number } | { type: 'drop', from: number, place: number | null }} Gesture */

/**
 * One pointer at a time, the latest unless one is being dragged: presses become taps or drags. A tap counts when
 * the pointer goes up where it went down, so that leaving the cell takes it back.
 */
export function createGestures() {
  /** @type {{ id: number, place: number, start: Point, slack: number, draggable: boolean, dragging: boolean } | null} */
  let held = null;
  return {
    /** The pointer that is being followed, if it is this one.
     * @param {number} id
     */
    follows: (id) => held?.id === id,

    /** @param {{ id: number, kind: string, point: Point, place: number, draggable: boolean }} down */
    down({ id, kind, point, place, draggable }) {
      // A press whose end was never heard of must not swallow all that follow.
      if (held?.dragging) return;
      const slack = kind === 'mouse' ? SLACK.mouse : SLACK.touch;
      held = { id, place, start: point, slack, draggable, dragging: false };
    },

    /** A drag, from its first moment on.
     * @param {number} id
     * @param {Point} point
     * @returns {Gesture | null}
     */
    move(id, point) {
      if (held?.id !== id || !held.draggable) return null;
      held.dragging ||= Math.hypot(point.x - held.start.x, point.y - held.start.y) > held.slack;
      return held.dragging ? { type: 'drag', from: held.place } : null;
    },

    /**
     * @param {number} id
     * @param {number | null} place where the pointer went up, null outside the board
     * @returns {Gesture | null} null if that took the press back
     */
    up(id, place) {
      if (held?.id !== id) return null;
      const { place: from, dragging } = held;
      held = null;
      if (dragging) return { type: 'drop', from, place };
      return place === from ? { type: 'tap', place } : null;
    },

    cancel() {
      held = null;
    },
  };
}

/**
 * @typedef {{ type: 'neighbour', direction: number }
 *   | { type: 'row', by: 1 | -1 }
 *   | { type: 'edge', end: 'row-start' | 'row-end' | 'first' | 'last' }
 *   | { type: 'cycle', by: 1 | -1 }
 *   | { type: 'say', what: 'group' | 'targets' | 'threats' | 'last' | 'cell' }
 *   | { type: 'scan', by: 1 | -1 }
 *   | { type: 'digit', number: number }
 *   | { type: 'press' | 'undo' | 'restart' | 'unpick' | 'reserve' | 'inspect' | 'help' }} Command
 */

/** Where keys lie, whatever is printed on them: the six around KeyS point as six neighbours do.
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
  '?': { type: 'help' },
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
  '?': { type: 'help' },
};

/** @type {Record<string, Command>} */
const WITH_CONTROL = {
  Home: { type: 'edge', end: 'first' },
  End: { type: 'edge', end: 'last' },
  z: { type: 'undo' },
};

/** What a key asks the board for; null if it is none of the board's keys.
 * @param {{ key: string, code: string, shiftKey: boolean, ctrlKey: boolean, metaKey: boolean, altKey: boolean }} event
 * @returns {Command | null}
 */
export function command({ key, code, shiftKey, ctrlKey, metaKey, altKey }) {
  if (altKey) return null;
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
 * Where the focus goes. Going up and down keeps to the column where the run began, as a text caret does.
 *
 * @param {{ place: number, x: number }} caret the focused place and the remembered x
 * @param {Command} move
 * @param {Grid} grid
 * @returns {{ place: number, x: number }}
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
