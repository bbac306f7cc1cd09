// The cards of a game on this device. Each is drawn from the rest of its pack when it is turned over, so nobody, the
// search included, can know a card before that.

import { PACK } from './packs.js';

/** @import { Pack } from '../protocol.js' */

/** The values that may come next out of a pack, each as often as the pack has it. A pack of which every card is gone is
 * followed by a whole one.
 * @param {Pack} pack
 * @returns {number[]}
 */
export function restOf({ left, unseen }) {
  const rest = left.flatMap((n, index) => Array.from({ length: n }, () => index + 1));
  return rest.length > unseen ? rest : [...PACK];
}

/** Draws one of some values.
 * @param {number[]} values
 */
export function drawn(values) {
  const [bits] = crypto.getRandomValues(new Uint32Array(1));
  return values[bits % values.length];
}
