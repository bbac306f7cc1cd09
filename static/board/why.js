// Reasons that the picked piece cannot go to a cell, as far as the legal actions show them: by its group, and by how
// far and in which lines the legal actions go. A reason is only given if every legal action agrees with it. Pure.

import { actionsFrom } from './input.js';

/** @import { LegalAction } from '../protocol.d.ts' */
/** @import { Grid } from './grid.js' */
/** @import { Args, Scene } from './input.js' */

/**
 * @typedef {object} Why
 * @property {string} key of a sentence
 * @property {Args} args
 * @property {readonly string[]} lit cells that the sentence speaks of
 * @property {readonly string[]} missing cells, one of which would need a piece
 */

/**
 * @param {Grid} grid
 * @param {Scene} scene
 * @param {readonly string[]} group of the piece that is picked; empty in a game without groups
 * @param {string} cell
 * @returns {Why}
 */
export function whyNot(grid, scene, group, cell) {
  const from = scene.picked ?? '';
  const actions = actionsFrom(scene, from);
  const reason =
    (scene.isKingDue ? { name: 'king_due', lit: goalsOf(actions) } : null) ??
    (group.length > 0 ? byGroup(grid, actions, group, cell) : null) ??
    byCount(grid, scene, actions, cell) ??
    byReach(grid, scene, actions, cell) ??
    'no_target';
  const said = typeof reason === 'string' ? { name: reason } : reason;
  const args = { cell, from, n: 0, ...said.args };
  return { key: `board.why.${said.name}`, args, lit: said.lit ?? [], missing: said.missing ?? [] };
}

/** @typedef {{ name: string, args?: Args, lit?: readonly string[], missing?: readonly string[] }} Reason */

/** The cells next to a cell, over its sides.
 * @param {Grid} grid
 * @param {string} cell
 */
const besides = ({ lattice, cells, neighbour, placeOf }, cell) =>
  lattice.sides.flatMap((k) => {
    const place = neighbour(placeOf(cell, false), k);
    return place === null ? [] : [cells[place]];
  });

/** @param {LegalAction[]} actions */
const goalsOf = (actions) => actions.flatMap(({ to }) => (to === null ? [] : [to]));

/** The reason that the group does not reach the cell, or holds it.
 * @param {Grid} grid
 * @param {LegalAction[]} actions
 * @param {readonly string[]} group
 * @param {string} cell
 * @returns {Reason | null}
 */
function byGroup(grid, actions, group, cell) {
  const touches = (/** @type {string} */ goal) => besides(grid, goal).some((near) => group.includes(near));
  const goals = goalsOf(actions);
  if (group.includes(cell) && !goals.some((goal) => group.includes(goal)))
    return { name: 'same_group', lit: group };
  if (touches(cell) || !goals.every(touches)) return null;
  return { name: 'apart', args: { n: group.length }, lit: group, missing: besides(grid, cell) };
}

/** Distance of a cell in a straight line over the sides; null if it lies in none.
 * @param {Grid} grid
 * @param {string} from
 * @param {string} cell
 */
function straight({ lattice, cells, neighbour, placeOf }, from, cell) {
  for (const k of lattice.sides) {
    let place = neighbour(placeOf(from, false), k);
    for (let steps = 1; place !== null; steps += 1) {
      if (cells[place] === cell) return steps;
      place = neighbour(place, k);
    }
  }
  return null;
}

/** The reason that the number of men does not match the distance.
 * @param {Grid} grid
 * @param {Scene} scene
 * @param {LegalAction[]} actions
 * @param {string} cell
 * @returns {Reason | null}
 */
function byCount(grid, scene, actions, cell) {
  const from = scene.picked ?? '';
  const moves = actions.filter(({ kind }) => kind === 'move');
  const isPlain = (/** @type {LegalAction} */ { to, count }) =>
    to !== null && count !== null && straight(grid, from, to) === count;
  if (moves.length === 0 || !moves.every(isPlain)) return null;
  const away = straight(grid, from, cell);
  if (away === null) return { name: 'no_line', lit: goalsOf(moves) };
  const most = Math.max(...moves.map(({ count }) => count ?? 0));
  if (away > most) return { name: 'too_far', args: { n: away, most }, lit: goalsOf(moves) };
  const isChosen = scene.count !== null && scene.count !== away;
  return isChosen && moves.some(({ to }) => to === cell)
    ? { name: 'other_count', args: { n: away, count: scene.count ?? 0 } }
    : null;
}

/** The reason that the cell is occupied, or further away than every legal target.
 * @param {Grid} grid
 * @param {Scene} scene
 * @param {LegalAction[]} actions
 * @param {string} cell
 * @returns {Reason | null}
 */
function byReach({ placeOf, distance }, scene, actions, cell) {
  const goals = goalsOf(actions);
  if (goals.length === 0 || actions.some(({ capture }) => capture !== null)) return null;
  const isTaken = (/** @type {string} */ goal) => scene.pieces.has(goal);
  if (isTaken(cell) && !goals.some(isTaken)) return { name: 'occupied', lit: goals };
  if (!isTaken(cell) && goals.every(isTaken)) return { name: 'onto_own', lit: goals };
  const away = (/** @type {string} */ goal) =>
    distance(placeOf(scene.picked ?? '', false), placeOf(goal, false));
  const isNext = goals.every((goal) => away(goal) === 1);
  return isNext && away(cell) > 1 ? { name: 'not_next', args: { n: away(cell) }, lit: goals } : null;
}
