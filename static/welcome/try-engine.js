// The position of the board to try on an engine, a part of the lobby that is loaded when a visitor turns to the board.

import { engineOfPage } from '../engine/engine.js';
import { openDraft } from '../engine/match-draft.js';
import { matchSource } from '../session/match-source.js';

/** Loads the engine, and opens a position of Fibonacci on it.
 * @param {string} position
 */
export async function openPosition(position) {
  const local = openDraft(await engineOfPage(), 'fibonacci', position);
  return {
    source: matchSource('fibonacci', local, { confirm() {} }),
    outcome: () => local.outcome,
  };
}
