// A game against a bot, with the first move for the visitor.

import { cancelRoom, createRoom, inviteBot } from '../net/api.js';

/** @import { Ruleset } from '../protocol.js' */

/**
 * Begins the game and leads to it. The visitor has a session.
 *
 * @param {Ruleset} ruleset
 * @param {number} level
 */
export async function beginWithBot(ruleset, level) {
  const { id } = await createRoom({ ruleset, seat: 'first', visibility: 'link' });
  try {
    await inviteBot(id, { level });
  } catch (error) {
    // Nobody has the link of the room. If it cannot be closed, it is in the list of the visitor's rooms.
    await cancelRoom(id).catch(() => {});
    throw error;
  }
  location.assign(`/game/${id}`);
  // A second press on the way to the game must not begin another one.
  await new Promise((resolve) => addEventListener('pagehide', resolve, { once: true }));
}
