// The pieces of a board and the results of actions, in words.

/** @import { Overflow } from '../protocol.d.ts' */
/** @import { Game, Translate } from './looks.js' */

/**
 * @param {Game} game
 * @param {Translate} t
 */
export function wordsFor(game, t) {
  /** @param {readonly (string | false | null | undefined)[]} items empty ones are left out */
  const list = (items) => items.filter((item) => item).join(', ');
  return {
    list,

    /** @param {readonly string[]} cells */
    counted: (cells) => ({ n: cells.length, cells: list(cells) }),

    /** @param {string} content */
    piece: (content) => game.name(content, t),

    /** The result of men landing on a stack.
     * @param {number} total number of men on the stack afterwards
     * @param {Overflow | null} lost
     */
    result(total, lost) {
      const { reserved = 0, captured = 0 } = lost ?? {};
      const key = reserved > 0 ? (captured > 0 ? 'both' : 'reserved') : captured > 0 ? 'captured' : 'plain';
      return t(`board.result.${key}`, { total, reserved, captured });
    },

    /** The men of a stack; null for contents without layers.
     * @param {string | undefined} content
     */
    layers(content) {
      const men = content === undefined ? [] : (game.menOf?.(content) ?? []);
      return men.length === 0
        ? null
        : t('board.layers', { men: list(men.map((side) => t(`board.colour.${side}`))) });
    },
  };
}
