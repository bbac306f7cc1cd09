// Effects of steps on the pieces of a board. Pure.

/** @import { Step } from '../protocol.d.ts' */

/** @param {readonly string[]} route */
const endOf = (route) => /** @type {string} */ (route.at(-1));

/** Origins, present cells and paths of pieces. Of a piece that moved twice it is the first cell and
 * the last. A man of the reserve comes from nowhere.
 * @param {readonly Step[]} steps
 */
export function trail(steps) {
  const all = steps.map(({ route }) => route).filter((route) => route.length > 0);
  const from = all.map((route) => (route.length > 1 ? route[0] : ''));
  const to = all.map(endOf);
  return {
    from: from.filter((cell, index) => cell !== '' && !to.slice(0, index).includes(cell)),
    to: to.filter((cell, index) => !from.slice(index + 1).includes(cell)),
    routes: all.filter((route) => route.length > 1),
  };
}

/** Numbers of the steps that ended on each cell, counted from 1, as text.
 * @param {readonly Step[]} steps
 * @returns {Map<string, string>}
 */
export function numbers(steps) {
  const all = new Map();
  steps.forEach(({ route }, index) => {
    if (route.length === 0) return;
    const cell = endOf(route);
    all.set(cell, all.has(cell) ? `${all.get(cell)}·${index + 1}` : String(index + 1));
  });
  return all;
}

/** The cells of the pieces that the steps have moved, those that were swapped away too.
 * @param {readonly Step[]} steps
 * @returns {Set<string>}
 */
export function movedBy(steps) {
  const moved = new Set();
  for (const { route, swap } of steps) {
    if (route.length === 0) continue;
    if (swap) moved.add(route[0]);
    else moved.delete(route[0]);
    moved.add(endOf(route));
  }
  return moved;
}
