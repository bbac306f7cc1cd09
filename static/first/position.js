// The position of the board to try on an engine, a part of the lobby that is loaded once the board is there.

import { engineOfPage } from '../engine/engine.js';

/** Loads the engine, and opens a position of Fibonacci on it.
 * @param {string} position
 */
export async function openPosition(position) {
  const engine = await engineOfPage();
  const { id } = engine.open('fibonacci', position);
  /** The actions that may follow the beginning of a turn.
   * @param {string[]} actions */
  return (actions) => engine.choices(id, actions);
}
