// Calls to a player, and their form. Pure.

import { isSlow } from '../session/clock.js';
import { isOneTable, sideOf } from '../session/game-model.js';

/** @import { Player, Side } from '../protocol.js' */
/** @import { Game } from '../session/game-model.js' */

/** The reason for a call: the game has begun, the turn or the answer is theirs, the game is over.
 * @typedef {'start' | 'turn' | 'offer' | 'end'} Call */

/**
 * The call that a player gets between two states of a game; null for none. Spectators get none, nor do players at one
 * table, who sit at the screen. A game that is seen for the first time calls only to a turn.
 *
 * @param {Game | null} before
 * @param {Game} now
 * @param {Player | null} me
 * @returns {Call | null}
 */
export function callBetween(before, now, me) {
  const mine = sideOf(now, me);
  if (mine === null || isOneTable(now)) return null;
  const isPlaying = now.present.status === 'playing';
  if (before === null) return isPlaying && now.present.turn.side === mine ? 'turn' : null;
  if (before.present.status === 'playing' && !isPlaying) return 'end';
  if (isPlaying && now.since !== before.since) {
    if (now.present.turn.side === mine) return 'turn';
    return before.seats === null ? 'start' : null;
  }
  const theirs = offersTo(now, mine);
  const known = offersTo(before, mine);
  return theirs.some((what) => !known.includes(what)) ? 'offer' : null;
}

/** The offers of the other side.
 * @param {Game} game
 * @param {Side} mine
 */
function offersTo({ present }, mine) {
  if (!('offers' in present)) return [];
  return present.offers.filter(({ side }) => side !== mine).map(({ what }) => what);
}

/** How a player is called who looks elsewhere: only by an open tab of the game, or by the server even if no page is open. It
 * tells of turns in slow games, after some minutes.
 * @typedef {'here' | 'anywhere'} Reach */

/** @param {Game} game
 * @param {boolean} isPushed whether the browser takes messages of the server
 * @returns {Reach}
 */
export const reachIn = (game, isPushed) => (isPushed && isSlow(game.terms.clock) ? 'anywhere' : 'here');

/**
 * True if a call becomes a notification: the player wants them, sees no tab of this game, and of several tabs only one
 * calls.
 *
 * @param {object} state
 * @param {Call | null} state.call
 * @param {boolean} state.isWanted
 * @param {boolean} state.isSeen whether any tab of the game is seen
 * @param {boolean} state.isCaller whether this is the tab that calls
 */
export const notifies = ({ call, isWanted, isSeen, isCaller }) =>
  call !== null && isWanted && !isSeen && isCaller;
