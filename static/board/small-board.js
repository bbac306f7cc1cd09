// A small board to look at: the field and the pieces, without signs. It is hidden from screen readers; the text beside
// it describes it.

import { el } from './elements.js';
import { gameOf } from './looks.js';
import { ensurePictures } from './pictures.js';

/** @import { Ruleset } from '../protocol.js' */
/** @import { Game } from './looks.js' */

/** The field of a game, once in a page however many small boards show it.
 * @param {Game} game
 */
function ensureField({ art, grid }) {
  if (document.getElementById(`field-${art}`) !== null) return;
  const { ground, tones } = grid.flatField();
  const field = el('g', { id: `field-${art}` }, [
    el('path', { d: ground, class: 'board-ground' }),
    ...tones.map((d, tone) => el('path', { d, class: `board-tone board-tone-${tone}` })),
  ]);
  document.body.append(el('svg', { class: 'board-pictures', 'aria-hidden': 'true' }, [field]));
}

/**
 * @param {Ruleset} ruleset
 * @returns {{ element: Element, show: (position: string | null, flipped?: boolean) => void }} `show` draws a position by
 *   its text, an empty field without one; the first side is below on a board that is flipped
 */
export function createSmallBoard(ruleset) {
  const game = gameOf(ruleset);
  const { grid } = game;
  ensurePictures(game);
  ensureField(game);
  const pieces = el('g');
  const element = document.createElement('span');
  element.className = 'board small-board';
  element.setAttribute('aria-hidden', 'true');
  element.append(
    el('svg', { viewBox: grid.fieldBox, focusable: 'false' }, [
      el('use', { href: `#field-${game.art}` }),
      pieces,
    ]),
  );
  let shown = '';

  return {
    element,
    show(position, flipped = false) {
      const wanted = `${position} ${flipped}`;
      if (wanted === shown) return;
      shown = wanted;
      const contents = position === null ? [] : [...game.parse(position)];
      pieces.replaceChildren(
        ...contents.map(([cell, content]) => {
          const { x, y } = grid.pointOf(grid.placeOf(cell, flipped));
          const { colour, parts, petals } = game.build(el, content);
          const transform = `translate(${x.toFixed(1)} ${y.toFixed(1)})`;
          return el('g', { transform, class: `piece-${colour}` }, [...parts, ...petals]);
        }),
      );
    },
  };
}
