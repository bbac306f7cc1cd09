// The tree of an analysis: whole turns, each with its continuations, and what a person noted on them. Pure.

/** @import { Outcome, Side, Step } from '../protocol.js' */
/** @import { Arrow } from '../board/arrows.js' */
/** @import { MatchState } from '../engine/engine.js' */

/** The signs of a turn's worth, as players write them. */
export const GLYPHS = /** @type {const} */ (['!!', '!', '!?', '?!', '?', '??']);
/** @typedef {(typeof GLYPHS)[number]} Glyph */

/** Maximum number of characters of a comment. */
export const MAX_COMMENT = 2000;

/**
 * Notes of a person on the position after a turn, and on the turn.
 * @typedef {object} Notes
 * @property {string} comment
 * @property {Glyph | null} glyph
 * @property {readonly Arrow[]} marks arrows and circles
 */

/**
 * A turn that was played.
 * @typedef {object} Move
 * @property {number} number
 * @property {Side} side
 * @property {number | null} card
 * @property {Step[]} steps
 * @property {string} position the text of the position after it
 * @property {Outcome | null} outcome
 */

/**
 * A turn with its continuations, the main one first; the root is the start position and has no turn.
 * @typedef {Notes & { parent: Node | null, move: Move | null, children: Node[] }} Node
 */

/** @returns {Notes} */
export const noNotes = () => ({ comment: '', glyph: null, marks: [] });

/** @returns {Node} */
export const newRoot = () => ({ ...noNotes(), parent: null, move: null, children: [] });

/** The turn between two states of a match.
 * @param {MatchState} before
 * @param {MatchState} after
 * @returns {Move}
 */
export const moveOf = ({ turn: { number, side, cards } }, { turn: { position }, steps, outcome }) => ({
  number,
  side,
  steps,
  position,
  outcome,
  card: cards?.card ?? null,
});

/** The actions of a turn.
 * @param {Node} node
 */
export const actionsOf = ({ move }) => move?.steps.map(({ action }) => action) ?? [];

/** The turns that lead to a node, its own last.
 * @param {Node} node
 * @returns {Node[]}
 */
export function pathTo(node) {
  const path = [];
  for (let at = node; at.parent !== null; at = at.parent) path.push(at);
  return path.reverse();
}

/** The turns of the main line after a node.
 * @param {Node} node
 * @returns {Node[]}
 */
export function lineFrom(node) {
  const line = [];
  for (let [at] = node.children; at !== undefined; [at] = at.children) line.push(at);
  return line;
}

/** Whether a node lies on the main line.
 * @param {Node} node
 */
export const isMain = (node) => pathTo(node).every((at) => at.parent?.children[0] === at);

/** The continuation of a node by a turn; a new one, unless the turn is there already.
 * @param {Node} parent
 * @param {Move} move
 * @returns {Node}
 */
export function withMove(parent, move) {
  const text = (/** @type {Move} */ { card, steps }) =>
    `${card ?? ''} ${steps.map(({ action }) => action).join(' ')}`;
  const known = parent.children.find((child) => child.move !== null && text(child.move) === text(move));
  if (known !== undefined) return known;
  const child = { ...noNotes(), parent, move, children: [] };
  parent.children.push(child);
  return child;
}

/** Removes a turn with all its continuations. Returns the node before it.
 * @param {Node} node
 * @returns {Node}
 */
export function removed(node) {
  const { parent } = node;
  if (parent === null) return node;
  parent.children = parent.children.filter((child) => child !== node);
  return parent;
}

/** Promotes a line one step: it becomes the main one at the nearest fork where it is not.
 * @param {Node} node
 */
export function promote(node) {
  const fork = pathTo(node).findLast((at) => at.parent?.children[0] !== at);
  if (fork === undefined || fork.parent === null) return;
  const { parent } = fork;
  parent.children = [fork, ...parent.children.filter((child) => child !== fork)];
}

/** The node to which a key leads; null if it leads nowhere.
 * @param {Node} node
 * @param {string} key
 * @returns {Node | null}
 */
export function nodeByKey(node, key) {
  const siblings = node.parent?.children ?? [node];
  /** @param {number} by */
  const sibling = (by) => siblings[(siblings.indexOf(node) + by + siblings.length) % siblings.length];
  switch (key) {
    case 'ArrowLeft':
      return node.parent ?? node;
    case 'ArrowRight':
      return node.children[0] ?? node;
    case 'ArrowUp':
      return sibling(-1);
    case 'ArrowDown':
      return sibling(1);
    case 'Home':
      return pathTo(node)[0]?.parent ?? node;
    case 'End':
      return lineFrom(node).at(-1) ?? node;
    default:
      return null;
  }
}

/** All nodes below a node and itself, each before its continuations.
 * @param {Node} node
 * @returns {Node[]}
 */
export function allFrom(node) {
  const all = [];
  const rest = [node];
  for (let at = rest.pop(); at !== undefined; at = rest.pop()) {
    all.push(at);
    rest.push(...at.children.toReversed());
  }
  return all;
}
