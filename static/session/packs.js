// The packs of cards (RULES 1.17). Pure: the place of a turn's card in its pack, and the rest of a pack after some
// cards.

/** @import { Pack, Side } from '../protocol.js' */

/** A pack before it is shuffled. */
export const PACK = [1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6];

/** Position of a turn's card in its pack: sides alternate, and no turn is skipped where there are cards.
 * @param {number} turn
 * @returns {{ side: Side, round: number, index: number }}
 */
export function placeOf(turn) {
  const before = Math.ceil(turn / 2) - 1;
  const side = turn % 2 === 1 ? 'first' : 'second';
  return { side, round: Math.floor(before / PACK.length), index: before % PACK.length };
}

/**
 * The rest of a side's pack when the card of a turn lies face up. Of cards that went before the text that the game
 * started from, only the number is known.
 *
 * @param {ReadonlyMap<number, number>} cards the cards of turns, as far as they are known
 * @param {Side} side
 * @param {number} turn the last whose card is turned over, 0 before the first
 * @returns {Pack}
 */
export function packAt(cards, side, turn) {
  const last = placeOf(turn).side === side ? turn : turn - 1;
  /** @type {Pack['left']} */
  const left = [2, 2, 2, 2, 2, 2];
  if (last < 1) return { left, unseen: 0 };
  const { round, index } = placeOf(last);
  let unseen = index + 1;
  for (const [taken, card] of cards) {
    const place = placeOf(taken);
    if (place.side !== side || place.round !== round || taken > last) continue;
    // A record without its seed may tell of more cards of a value than a pack has.
    left[card - 1] = Math.max(0, left[card - 1] - 1);
    unseen -= 1;
  }
  return { left, unseen };
}
