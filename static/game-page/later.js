// Parts of the page of a game that are loaded once it has been drawn. They share no module with the page, which hands
// them what they need.

export { shadowOfPage } from '../engine/shadow.js';
export { compareWithServer } from '../ui/newer.js';
export { followConditional } from './conditional-count.js';
export { openOnward } from './onward.js';
export { openPreparing } from './preparing.js';
export { handedOn } from '../session/share-sheet.js';

/** @import { State } from './game-state.js' */

/** Polling interval of a page without a connection. */
const POLL_EVERY_MS = 5_000;

/**
 * Reads a game again and again in a browser that keeps no session and so has no connection, until it is over.
 *
 * @param {object} page
 * @param {Readonly<State>} page.state
 * @param {() => Promise<void>} page.read rejected with the reason for which it could not be read
 * @param {(values: Partial<State>) => void} page.update
 */
export async function pollGame({ state, read, update }) {
  while (state.missing === null && ['open', 'playing'].includes(state.game?.present.status ?? 'open')) {
    await new Promise((resolve) => setTimeout(resolve, POLL_EVERY_MS));
    if (document.hidden) continue;
    await read().catch(({ code }) => {
      if (code === 'unknown_game' || code === 'private')
        update({ missing: code === 'private' ? 'private' : 'unknown' });
    });
  }
}
