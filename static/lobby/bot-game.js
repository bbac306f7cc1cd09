// A game against a bot, with the first move for the visitor.

import { ApiError, cancelRoom, createRoom, inviteBot } from '../connection/api.js';
import { leaveFor } from '../ui/leaving.js';

/** @import { Ruleset } from '../protocol.js' */

/**
 * Begins the game and leads to it. Without a network it leads to the same game on this device, if that page is kept; and
 * so it does in a browser that keeps no session.
 *
 * @param {() => Promise<unknown>} visitor opens the visitor's session
 * @param {Ruleset} ruleset
 * @param {number} level
 */
export async function beginWithBot(visitor, ruleset, level) {
  try {
    await visitor();
    const game = await beginOnline(ruleset, level);
    await leaveFor(`/game/${game}`);
  } catch (error) {
    const code = error instanceof ApiError ? error.code : null;
    const isKept = navigator.serviceWorker?.controller != null;
    if (!(code === 'nothing_kept' || code === 'no_session' || (code === 'offline' && isKept))) throw error;
    await leaveFor(`/table?ruleset=${ruleset}&level=${level}`);
  }
}

/** Begins the game on the server.
 * @param {Ruleset} ruleset
 * @param {number} level
 * @returns {Promise<string>} its id
 */
async function beginOnline(ruleset, level) {
  const { id } = await createRoom({ ruleset, seat: 'first', visibility: 'link' });
  try {
    await inviteBot(id, { level });
  } catch (error) {
    // Nobody has the link of the room. If it cannot be closed, it is in the list of the visitor's rooms.
    await cancelRoom(id).catch(() => {});
    throw error;
  }
  return id;
}
