// Choices of a player: the pieces that can be picked and their targets. The legal actions are a list.

import { actionsFrom, barredFrom, contentsAfter, targetsOf } from './input.js';

/** @import { LegalAction, Side } from '../protocol.d.ts' */
/** @import { CaptureInput } from './captures.js' */
/** @import { Aim, Scene } from './input.js' */
/** @import { BoardState } from './board-state.js' */
/** @import { Target } from './mark-layers.js' */
/** @import { Token } from './tokens.js' */

/** @typedef {Target & Aim} CellTarget */

/**
 * The piece in the player's hand and the place pointed at.
 * @typedef {object} Hold
 * @property {string | null} picked the cell of the piece that is picked, or the reserve
 * @property {number | null} count number of men to move, if the player has chosen one
 * @property {number | null} aimed the place that is pointed at, pressed or focused
 * @property {boolean} isCovered whether a finger covers it
 * @property {Token | null} dragged the piece that is being dragged
 * @property {readonly string[]} missing cells, one of which would need a piece to make the refused move legal
 * @property {CaptureInput | null} ride the capture on its way, in a game that has captures
 */

/** @returns {Hold} with nothing in hand */
export const emptyHold = () => ({
  picked: null,
  count: null,
  aimed: null,
  isCovered: false,
  dragged: null,
  missing: [],
  ride: null,
});

/**
 * @param {BoardState} boardState
 * @param {Hold} hold
 */
export function createChoices(boardState, hold) {
  const { game, stage } = boardState;
  const { placeOf } = stage;

  const legal = () => (boardState.waiting ? [] : (boardState.shown?.legal ?? null));
  /** @returns {Scene} */
  const scene = () => ({
    picked: hold.picked,
    legal: legal(),
    barred: boardState.waiting ? [] : (boardState.shown?.barred ?? []),
    bestCapture: boardState.waiting ? null : (boardState.shown?.bestCapture ?? null),
    isKingDue: boardState.shown?.turn.owed?.must ?? false,
    count: hold.count,
    mySide: boardState.shown?.mySide ?? null,
    pieces: stage.contents,
    sideOf: game.sideOf,
    isCentre: game.isCentre,
  });
  const groupOf = (/** @type {string} */ cell) =>
    boardState.shown?.groups.find((group) => group.includes(cell)) ?? [];
  /** True if a press of the cell has an effect or an explanation. */
  const canPick = (/** @type {string} */ cell) =>
    actionsFrom(scene(), cell).length > 0 || barredFrom(scene(), cell).length > 0;
  /** The cell of the picked piece, after its jumps if it has made any. */
  const standing = () => hold.ride?.standing() ?? hold.picked;

  /** The targets of the picked piece.
   * @returns {CellTarget[]}
   */
  function targets() {
    if (hold.picked === null) return [];
    /** @type {Map<string, CellTarget>} */
    const found = new Map();
    /** @param {Aim} aim */
    const add = (aim) => {
      const { cell } = aim;
      if (!found.has(cell))
        found.set(cell, { ...aim, place: placeOf(cell), isOccupied: stage.contents.has(cell) });
    };
    hold.ride?.targets(add);
    if (!hold.ride?.standing()) for (const aim of targetsOf(scene())) add(aim);
    return [...found.values()];
  }

  /** The contents of the cells after an action.
   * @param {LegalAction} action
   */
  const after = (action) => {
    const { position = '', side = /** @type {Side} */ ('first') } = boardState.shown?.turn ?? {};
    return contentsAfter(game, game.parse(position), action, side);
  };

  /** The cells that attack a centre.
   * @param {string} content of the centre
   */
  const attackersOf = (content) => boardState.shown?.turn.threats?.[game.sideOf(content)] ?? [];

  return { legal, scene, groupOf, canPick, standing, targets, after, attackersOf };
}

/** @typedef {ReturnType<typeof createChoices>} Choices */
