// The pictures of pieces, which boards show by reference.

import { el } from './elements.js';

/** @import { Game } from './looks.js' */

/** The games whose pictures are in the page already, each by its `pictures` function.
 * @type {Set<Game['pictures']>}
 */
const pictured = new Set();

/** The pictures of the pieces, once in a page however many boards it has.
 * @param {Game} game
 */
export function ensurePictures(game) {
  if (pictured.has(game.pictures)) return;
  pictured.add(game.pictures);
  const pictures = game.pictures(el);
  // Scripts of one page that are bundled separately each have a copy of this module.
  if (document.getElementById(pictures[0].id) !== null) return;
  document.body.append(el('svg', { class: 'board-pictures', 'aria-hidden': 'true' }, pictures));
}
