// The rules pages are texts; this draws their boards, each from the position that stands in the page.

import { drawDiagram } from '../board/diagram.js';
import { showHeader, t } from '../ui/page.js';

/** @import { Ruleset } from '../protocol.js' */

/** @param {string | undefined} cells
 * @returns {string[]} */
const names = (cells) => (cells ?? '').split(' ').filter((cell) => cell !== '');

showHeader('rules');
for (const figure of document.querySelectorAll('figure[data-position]')) {
  const { ruleset, position, picked, group, targets, swaps, makes, route, threatsFirst, threatsSecond } =
    /** @type {HTMLElement} */ (figure).dataset;
  drawDiagram(/** @type {HTMLElement} */ (figure.firstElementChild), {
    ruleset: /** @type {Ruleset} */ (ruleset),
    position: position ?? '',
    t,
    marks: {
      picked,
      group: names(group),
      targets: names(targets),
      swaps: names(swaps),
      makes: names(makes),
      routes: route === undefined ? [] : [names(route)],
      threats: { first: names(threatsFirst), second: names(threatsSecond) },
    },
  });
}
