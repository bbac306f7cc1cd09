// The boards in the texts of the rules pages, as their HTML describes them. Pure.

/** @import { Ruleset } from '../protocol.d.ts' */

/** @param {string | undefined} cells
 * @returns {string[]} */
const names = (cells) => (cells ?? '').split(' ').filter((cell) => cell !== '');

/** The place of a figure's board, and its content.
 * @param {HTMLElement} figure
 */
export function figureOf(figure) {
  const { ruleset, position, picked, group, targets, swaps, makes, route, threatsFirst, threatsSecond } =
    figure.dataset;
  return {
    host: /** @type {HTMLElement} */ (figure.firstElementChild),
    diagram: {
      ruleset: /** @type {Ruleset} */ (ruleset),
      position: position ?? '',
      marks: {
        picked,
        group: names(group),
        targets: names(targets),
        swaps: names(swaps),
        makes: names(makes),
        routes: route === undefined ? [] : [names(route)],
        threats: { first: names(threatsFirst), second: names(threatsSecond) },
      },
    },
  };
}

/** The turns that a figure names, which lead to its position from the start, as `b7-c7, j6-j7 j5-i5`.
 * @param {DOMStringMap} data
 * @returns {string[][]}
 */
export const turnsIn = ({ turns = '' }) =>
  turns === '' ? [] : turns.split(', ').map((turn) => turn.split(' '));
