// Conditional turns in the tree of an analysis: if the other side plays this, I play that. Pure.

import { actionsOf, removed } from './tree.js';

/** @import { ConditionalTurn, Side } from '../protocol.js' */
/** @import { Node } from './tree.js' */

/** Maximum number of conditional turns in a game, and of bytes of their JSON. */
export const MAX_TURNS = 64;
export const MAX_BYTES = 16 * 1024;

/**
 * What becomes of a line:
 * - `stored`: its answer is played at once;
 * - `second`: another line has an answer to the same position, and stands before it;
 * - `own`: a turn of the player that is under way in the game, and is played there;
 * - `open`: the answer is missing;
 * - `over`: the game is over before an answer.
 * @typedef {'stored' | 'second' | 'own' | 'open' | 'over'} Kind
 */

/**
 * A line of the tree.
 * @typedef {object} Line
 * @property {Kind} kind
 * @property {Node[]} ifs the turns of the other side that come before it
 * @property {Node | null} answer the player's turn; null if there is none
 * @property {Line[]} lines what follows it
 */

/** A conditional turn with its place in the tree.
 * @typedef {ConditionalTurn & { node: Node }} Placed */

/**
 * The lines after a node.
 *
 * @param {Node} base the present position of the game
 * @param {Side} mine
 * @param {string} start the text of the start position
 * @returns {Line[]}
 */
export function linesAfter(base, mine, start) {
  /** The answers to positions.
   * @type {Map<string, string>} */
  const known = new Map();

  /** @param {Node} node
   * @param {Node[]} ifs
   * @returns {Line[]} */
  const after = (node, ifs) =>
    node.children.flatMap((child) => {
      if (child.move?.side === mine) return [lineOf(node, child, ifs)];
      if (child.children.length > 0) return after(child, [...ifs, child]);
      const kind = child.move?.outcome == null ? 'open' : 'over';
      return [{ kind, ifs: [...ifs, child], answer: null, lines: [] }];
    });

  /** @param {Node} node
   * @param {Node} answer
   * @param {Node[]} ifs
   * @returns {Line} */
  function lineOf(node, answer, ifs) {
    if (node === base) return { kind: 'own', ifs, answer, lines: after(answer, []) };
    const position = node.move?.position ?? start;
    const actions = actionsOf(answer).join(' ');
    if ((known.get(position) ?? actions) !== actions) return { kind: 'second', ifs, answer, lines: [] };
    known.set(position, actions);
    return { kind: 'stored', ifs, answer, lines: after(answer, []) };
  }

  return after(base, []);
}

/** The conditional turns of some lines, one for each position.
 * @param {Line[]} lines
 * @returns {Placed[]}
 */
export function turnsOf(lines) {
  /** @type {Map<string, Placed>} */
  const turns = new Map();
  /** @param {Line} line */
  const add = ({ kind, answer, lines: next }) => {
    const position = answer?.parent?.move?.position;
    if (kind === 'stored' && answer !== null && position !== undefined && !turns.has(position))
      turns.set(position, { position, actions: actionsOf(answer), node: answer });
    next.forEach(add);
  };
  lines.forEach(add);
  return [...turns.values()];
}

/** Conditional turns as they are sent.
 * @param {ConditionalTurn[]} turns
 * @returns {ConditionalTurn[]}
 */
export const bare = (turns) => turns.map(({ position, actions }) => ({ position, actions }));

/** The number of a position's turn: the third word of its text in every game.
 * @param {string} position
 */
export const numberOf = (position) => Number(position.split(' ')[2]);

/**
 * The stored turns whose positions may still come. The server keeps all of them until a turn leads elsewhere. They are stored
 * as `turnsOf` lists them, each before those that follow it: what follows a turn whose position did not come is left out too.
 *
 * @param {ConditionalTurn[]} turns as they are stored
 * @param {string[]} positions those that the game has had
 * @param {number} present the number of the turn under way
 */
export function living(turns, positions, present) {
  /** The number of the turn whose position did not come, while what follows it is read. */
  let missed = Number.POSITIVE_INFINITY;
  return turns.filter(({ position }) => {
    const number = numberOf(position);
    if (number <= missed) missed = Number.POSITIVE_INFINITY;
    if (number < present && !positions.includes(position)) missed = Math.min(missed, number);
    return number > present && number <= missed;
  });
}

/** Whether two lists have the same turns, in whatever order.
 * @param {ConditionalTurn[]} turns
 * @param {ConditionalTurn[]} others
 */
export function areSame(turns, others) {
  const texts = [turns, others].map((list) =>
    bare(list)
      .map((turn) => JSON.stringify(turn))
      .toSorted(),
  );
  return texts[0].join() === texts[1].join();
}

/** The index of the first turn that the server has no room for; null if there is room for all.
 * @param {ConditionalTurn[]} turns
 */
export function firstTooMany(turns) {
  const index = turns.findIndex(
    (_, i) => i >= MAX_TURNS || JSON.stringify(bare(turns.slice(0, i + 1))).length > MAX_BYTES,
  );
  return index === -1 ? null : index;
}

/** Whether a node is a turn of the game itself, or its start.
 * @param {Node} base the present position of the game
 * @param {Node} node
 */
export function isPlayed(base, node) {
  for (let at = /** @type {Node | null} */ (base); at !== null; at = at.parent) if (at === node) return true;
  return false;
}

/** Removes a turn, and the turns of the other side that led to it alone. Returns the last turn that is left.
 * @param {Node} base the present position of the game
 * @param {Side} mine
 * @param {Node} node
 * @returns {Node}
 */
export function pruned(base, mine, node) {
  const before = removed(node);
  const isNeeded = before === base || before.children.length > 0 || before.move?.side === mine;
  return isNeeded ? before : pruned(base, mine, before);
}
