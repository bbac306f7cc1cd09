// Meaning of presses and gestures, and results of actions. Nothing here draws or knows a rule: the legal actions are a
// list.

/** @import { Barred, LegalAction, Side } from '../protocol.d.ts' */
/** @import { Point } from './geometry.js' */
/** @import { Game } from './looks.js' */
/** @import { Target } from './mark-layers.js' */

/** Stands for the reserve where a picked cell is meant. */
export const RESERVE = '*';

/**
 * The state that determines the meaning of a press.
 * @typedef {object} Scene
 * @property {string | null} picked the cell of the piece that is picked, or `RESERVE`
 * @property {readonly LegalAction[] | null} legal the legal actions, or null if it is not the player's move
 * @property {readonly Barred[]} barred actions that are illegal only because they were done before
 * @property {number | null} bestCapture the discs that a capture must take, null if nothing must be captured
 * @property {boolean} isKingDue whether a king must be made, and nothing else is legal
 * @property {number | null} count number of men to move, null for any
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
 *   | { type: 'explain', cell: string }
 *   | { type: 'refuse', cell: string, key: string, args: Args }} Effect
 */

/** The actions of the piece on a cell, or of the reserve.
 * @param {Scene} scene
 * @param {string} cell
 */
export const actionsFrom = ({ legal }, cell) =>
  legal?.filter(({ from, kind }) => (cell === RESERVE ? kind === 'drop' : from === cell)) ?? [];

/** The barred actions of the piece on a cell, or of the reserve.
 * @param {Scene} scene
 * @param {string} cell
 */
export const barredFrom = ({ barred }, cell) =>
  barred.filter(({ from }) => (cell === RESERVE ? from === null : from === cell));

/** The actions of the picked piece; if a number of men was chosen, only those with that number.
 * @param {Scene} scene
 */
export const pickedActions = (scene) =>
  scene.picked === null
    ? []
    : actionsFrom(scene, scene.picked).filter(({ count }) => scene.count === null || count === scene.count);

/**
 * A target of the picked piece, legal or barred.
 * @typedef {object} Aim
 * @property {string} cell
 * @property {Target['sign']} sign
 * @property {string | null} text the text on the sign
 * @property {LegalAction | null} action the action that a press plays, if there is only one
 */

/** The targets of the picked piece in one action, without captures, and the barred ones.
 * @param {Scene} scene
 * @returns {Aim[]}
 */
export function targetsOf(scene) {
  const { picked, pieces } = scene;
  const barred = picked === null ? [] : barredFrom(scene, picked);
  return [
    ...pickedActions(scene).flatMap((action) =>
      action.to === null || action.capture !== null
        ? []
        : [{ cell: action.to, ...signOf(action, pieces.has(action.to)), action }],
    ),
    ...barred.flatMap(({ to }) =>
      to === null ? [] : [{ cell: to, sign: /** @type {const} */ ('barred'), text: null, action: null }],
    ),
  ];
}

/** True if two pieces change places.
 * @param {LegalAction['kind']} kind
 */
export const isSwap = (kind) => kind === 'swap' || kind === 'switch';

/** @param {LegalAction} action
 * @param {boolean} isOccupied whether something stands where it goes
 * @returns {Pick<Aim, 'sign' | 'text'>}
 */
function signOf({ kind, count }, isOccupied) {
  if (kind === 'make') return { sign: 'make', text: null };
  if (isSwap(kind)) return { sign: 'swap', text: null };
  if (kind === 'drop') return isOccupied ? { sign: 'count', text: '+1' } : { sign: 'dot', text: null };
  return count === null ? { sign: 'dot', text: null } : { sign: 'count', text: String(count) };
}

/** The contents of the cells after an action.
 * @param {Game} game
 * @param {ReadonlyMap<string, string>} contents
 * @param {LegalAction} action
 * @param {Side} side the acting side
 */
export function contentsAfter(game, contents, { from, to, kind, count, overflow, capture }, side) {
  const next = new Map(contents);
  if (to === null) return next;
  const here = from === null ? game.man(side) : (contents.get(from) ?? '');
  const there = contents.get(to) ?? '';
  if (from !== null && isSwap(kind)) {
    next.set(from, there);
    next.set(to, here);
    return next;
  }
  const [stays, comes] = from === null || count === null ? ['', here] : game.lift(here, count);
  if (from !== null) next.delete(from);
  if (from !== null && stays !== '') next.set(from, stays);
  for (const { over } of capture?.jumps ?? []) next.delete(over);
  const lost = overflow === null ? 0 : overflow.reserved + overflow.captured;
  next.set(to, game.land(from === to ? '' : there, comes, lost));
  return next;
}

// ---- Presses

/** Pressing a cell: by a tap, a click, Enter or Space. Captures are handled elsewhere.
 * @param {Scene} scene
 * @param {string} cell
 * @returns {Effect}
 */
export function press(scene, cell) {
  const { picked, legal, mySide, pieces, sideOf, isCentre } = scene;
  /** @param {string} reason @param {Args} [args] @returns {Effect} */
  const refuse = (reason, args = {}) => ({
    type: 'refuse',
    cell,
    key: `board.why.${reason}`,
    args: { cell, ...args },
  });

  if (cell === picked) return { type: 'unpick' };
  if (picked !== null) {
    const action = pickedActions(scene).find(({ to, capture }) => to === cell && !capture);
    if (action) return { type: 'act', action };
    const barred = barredFrom(scene, picked).find(({ to }) => to === cell);
    if (barred) return refuse('barred', { turn: barred.turn });
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
  if (sideOf(content) !== mySide) return refuse('not_yours');
  return refuse(scene.isKingDue ? 'king_due' : 'cannot_move');
}

/** Distance that turns a press into a drag, in CSS pixels. A finger trembles more than a mouse. */
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
      // A press whose end was never received must not block all later ones.
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
