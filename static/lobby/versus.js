// A game against a bot, with the first move for the visitor.

import { ApiError, cancelRoom, createRoom, inviteBot } from '../net/api.js';

/** @import { Ruleset } from '../protocol.js' */

/**
 * Begins the game and leads to it. Without a network it leads to the same game on this device, if that page is kept.
 *
 * @param {() => Promise<unknown>} visitor opens the visitor's session
 * @param {Ruleset} ruleset
 * @param {number} level
 */
export async function beginWithBot(visitor, ruleset, level) {
  try {
    await visitor();
    location.assign(`/game/${await beginOnline(ruleset, level)}`);
  } catch (error) {
    const isKept = navigator.serviceWorker?.controller != null;
    if (!(isKept && error instanceof ApiError && error.code === 'offline')) throw error;
    location.assign(`/table?ruleset=${ruleset}&level=${level}`);
  }
  // A second press on the way to the game must not begin another one.
  await new Promise((resolve) => addEventListener('pagehide', resolve, { once: true }));
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
