// The way from a game to the next one that waits for the player. Pure.

import { byUrgency } from '../lobby/urgency.js';
import { isSlow } from '../session/clock.js';
import { isOneTable } from '../session/game-model.js';

/** @import { GameSummary } from '../protocol.js' */
/** @import { Game } from '../session/game-model.js' */
/** @import { Place } from '../lobby/urgency.js' */

/**
 * The games that wait for the player besides that of the page.
 * @typedef {object} Queue
 * @property {number} n their number
 * @property {string | null} next the id of the next one
 * @property {boolean} isDone whether there were some, or the game of the page was one, and none is left
 * @property {Place | null} place where the page's own game stands among them, or stood last
 */

/** @type {Queue} */
export const NO_QUEUE = { n: 0, next: null, isDone: false, place: null };

/**
 * The queue after the list of waiting games has changed. The next game is less urgent than that of the page, and after the
 * least urgent one comes the most urgent one: a game that was skipped does not come back at once.
 *
 * @param {Queue} before
 * @param {GameSummary[]} games sorted by urgency
 * @param {string} id of the page's game
 * @returns {Queue}
 */
export function queueAfter(before, games, id) {
  const place = games.find((game) => game.id === id) ?? before.place;
  const others = games.filter((game) => game.id !== id);
  const next = others.find((game) => place !== null && byUrgency(game, place) > 0) ?? others.at(0);
  return {
    n: others.length,
    next: next?.id ?? null,
    isDone: games.length === 0 && (place !== null || before.next !== null || before.isDone),
    place,
  };
}

/** True if players of a game come back to it: it is slow, and each side has its player.
 * @param {Game} game
 */
export const isSlowGame = (game) => game.seats !== null && isSlow(game.terms.clock) && !isOneTable(game);
