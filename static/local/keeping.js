// The last game of this device, kept by the browser.

import { RULESETS, recall, remember } from '../ui/page.js';
import { KEPT } from './kept-game.js';
import { openMatch } from './match.js';

/** @import { Engine } from '../engine/engine.js' */
/** @import { Kept, LocalMatch } from './match.js' */

/** @param {LocalMatch} match */
export const keep = (match) => remember(KEPT, JSON.stringify(match.kept()));

/** @param {Kept} kept */
const isWhole = ({ ruleset, players, date }) =>
  RULESETS.includes(ruleset) &&
  [players.first, players.second].every((level) => level === null || (level >= 1 && level <= 8)) &&
  /^\d{4}-\d\d-\d\d$/.test(date);

/** True if there is a game that was kept, even if it cannot be read. */
export const isKept = () => Boolean(recall(KEPT));

/** Opens the game that was kept; null if there is none, or it cannot be read.
 * @param {Engine} engine
 * @returns {LocalMatch | null}
 */
export function openKept(engine) {
  try {
    const kept = /** @type {Kept} */ (JSON.parse(recall(KEPT) ?? 'null'));
    return kept !== null && isWhole(kept) ? openMatch(engine, kept) : null;
  } catch {
    // It was written by another release, or by hand.
    return null;
  }
}
