// The last game of this device: where the browser keeps it, and what lists show of it.

import { RULESETS, recall } from '../ui/page.js';

/** @import { Ruleset, Side } from '../protocol.js' */
/** @import { Players } from './match.js' */

export const KEPT = 'local game';

/** What lists show of a game that is not over.
 * @typedef {{ position: string, number: number, side: Side }} Now */
/** @typedef {Now & { ruleset: Ruleset, players: Players }} KeptGame */

/** The game of this device that is not over; null if there is none.
 * @returns {KeptGame | null}
 */
export function keptGame() {
  try {
    const { ruleset, players, now } = JSON.parse(recall(KEPT) ?? '{}');
    return RULESETS.includes(ruleset) && now ? { ruleset, players, ...now } : null;
  } catch {
    // It was written by another release, or by hand.
    return null;
  }
}
