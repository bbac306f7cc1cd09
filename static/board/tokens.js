// The pieces and stacks on a drawn board. Their elements are made once and then only patched.

import { el, set } from './elements.js';
import { mayMove } from '../ui/motion.js';

/** @import { Game } from './looks.js' */
/** @import { Point } from './geometry.js' */

/**
 * A piece or a stack on the board.
 * @typedef {object} Token
 * @property {string} content
 * @property {number} place where it stands, also while it is still seen on its way
 * @property {Element} element
 * @property {Element} body
 * @property {Element[]} parts
 * @property {Element[]} petals
 */

const FADE_MS = 140;

/**
 * The tokens of a board, in a layer of their own.
 *
 * @param {Game} game
 * @param {readonly Point[]} points the middles of the cells, by place
 */
export function createTokens(game, points) {
  const layer = el('g', { class: 'board-pieces', 'aria-hidden': 'true' });
  /** @type {Set<Token>} */
  const tokens = new Set();

  /** @param {Token} token @param {Point} point */
  const draw = ({ element }, { x, y }) =>
    set(element, 'transform', `translate(${x.toFixed(1)} ${y.toFixed(1)})`);

  /** Draws a token's content.
   * @param {Token} token
   * @param {string} content
   */
  function fill(token, content) {
    const { colour, shadow, parts, petals, badge } = game.build(el, content);
    token.content = content;
    token.parts = parts;
    token.petals = petals;
    set(token.body, 'class', `piece-${colour}`);
    token.body.replaceChildren(...parts, ...petals, ...(badge ? [badge] : []));
    token.element.replaceChildren(shadow, token.body);
  }

  /** @param {string} content @param {number} place @returns {Token} */
  function create(content, place) {
    const element = el('g', { class: 'piece' });
    /** @type {Token} */
    const token = { content, place, element, body: el('g'), parts: [], petals: [] };
    fill(token, content);
    draw(token, points[place]);
    tokens.add(token);
    layer.append(element);
    return token;
  }

  return {
    layer,
    tokens,
    draw,
    create,
    fill,

    /** @param {number} place */
    tokenAt: (place) => [...tokens].find((token) => token.place === place),

    /** Puts the right contents on the board and returns those that must still be drawn where they now stand.
     * @param {ReadonlyMap<number, string>} position place → content
     * @returns {Token[]}
     */
    arrange(position) {
      const vacant = new Map(position);
      const loose = [...tokens].filter(({ place, content }) => {
        if (vacant.get(place) !== content) return true;
        vacant.delete(place);
        return false;
      });
      /** @type {Token[]} */
      const moved = [];
      /** @param {(token: Token, place: number, content: string) => boolean} fits */
      const reuse = (fits) => {
        for (const [place, content] of [...vacant]) {
          const index = loose.findIndex((token) => fits(token, place, content));
          if (index < 0) continue;
          const [token] = loose.splice(index, 1);
          if (token.place !== place) moved.push(token);
          if (token.content !== content) fill(token, content);
          token.place = place;
          vacant.delete(place);
        }
      };
      reuse((token, _, content) => token.content === content);
      reuse((token, place) => token.place === place);
      for (const token of loose) {
        tokens.delete(token);
        const { element } = token;
        // Captured pieces fade; a piece that joined a stack is seen there.
        if (position.has(token.place) || !mayMove()) element.remove();
        else element.animate({ opacity: [1, 0] }, FADE_MS).addEventListener('finish', () => element.remove());
      }
      for (const [place, content] of vacant) create(content, place);
      return moved;
    },

    /** Draws each piece where it stands. */
    settle() {
      for (const token of tokens) draw(token, points[token.place]);
    },

    /** Puts a piece above all others while it moves.
     * @param {Token} token
     */
    raise: ({ element }) => layer.append(element),

    /** Lifts the topmost parts of a token, or none.
     * @param {Token} token
     * @param {number} count
     */
    lift({ parts, body }, count) {
      for (const [index, part] of parts.entries())
        part.classList.toggle('part-lifted', index >= parts.length - count);
      body.lastElementChild?.classList.toggle('part-lifted', count > 0 && parts.length > 1);
    },
  };
}
