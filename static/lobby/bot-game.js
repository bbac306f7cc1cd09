// A game against a bot.

import { ApiError, cancelRoom, createRoom, inviteBot } from '../connection/api.js';
import { leaveFor } from '../ui/leaving.js';

/** @import { ClockRule, Ruleset, SeatChoice } from '../protocol.js' */

/** A game against a bot that is to begin; the seat is the visitor's.
 * @typedef {{ ruleset: Ruleset, level: number, seat: SeatChoice, clock: ClockRule }} BotWish */

/** A newcomer's game: the lowest level, the first move, all the time in the world.
 * @param {Ruleset} ruleset
 * @returns {BotWish}
 */
export const firstGame = (ruleset) => ({ ruleset, level: 1, seat: 'first', clock: { kind: 'none' } });

/**
 * Begins the game and leads to it. Without a network it leads to the same game on this device, if that page is kept; and
 * so it does in a browser that keeps no session.
 *
 * @param {() => Promise<unknown>} visitor opens the visitor's session
 * @param {BotWish} wish
 */
export async function beginWithBot(visitor, wish) {
  try {
    await visitor();
    const game = await beginOnline(wish);
    await leaveFor(`/game/${game}`);
  } catch (error) {
    const code = error instanceof ApiError ? error.code : null;
    const isKept = navigator.serviceWorker?.controller != null;
    if (!(code === 'nothing_kept' || code === 'no_session' || (code === 'offline' && isKept))) throw error;
    const { ruleset, level, seat } = wish;
    const side = seat === 'random' ? (Math.random() < 0.5 ? 'first' : 'second') : seat;
    await leaveFor(`/table?ruleset=${ruleset}&level=${level}&side=${side}`);
  }
}

/** Begins the game on the server.
 * @param {BotWish} wish
 * @returns {Promise<string>} its id
 */
async function beginOnline({ ruleset, level, seat, clock }) {
  const terms = /** @type {const} */ ({ clock, watching: 'everybody', drafts: 'shown', delay: 0 });
  const { id } = await createRoom({ ruleset, seat, visibility: 'link', terms });
  try {
    await inviteBot(id, { level });
  } catch (error) {
    // Nobody has the link of the room. If it cannot be closed, it is in the list of the visitor's rooms.
    await cancelRoom(id).catch(() => {});
    throw error;
  }
  return id;
}
