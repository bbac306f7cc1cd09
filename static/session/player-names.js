// Names of the players of a game: their own, and at one table, where one player has both seats, their
// colours.

import { resultWords, sideName, t } from '../ui/page.js';
import { isOneTable } from './game-model.js';

/** @import { Outcome, Ruleset, Seats, Side } from '../protocol.js' */
/** @import { Game } from './game-model.js' */

/** The seats under the names by which their players are called; null as long as one is free.
 * @param {Pick<Game, 'ruleset' | 'seats'>} game
 * @returns {Seats | null}
 */
export function namedSeats({ ruleset, seats }) {
  if (seats === null || !isOneTable({ seats })) return seats;
  const { first, second } = seats;
  return {
    first: { ...first, name: sideName(ruleset, 'first') },
    second: { ...second, name: sideName(ruleset, 'second') },
  };
}

/** @param {Pick<Game, 'ruleset' | 'seats'>} game
 * @param {Side} side */
export const calledName = (game, side) => namedSeats(game)?.[side].name ?? '';

/** The winner and the reason. At one table, no single player has won or lost.
 * @param {Pick<Game, 'ruleset'>} game
 * @param {Seats} seats
 * @param {Outcome} outcome
 * @param {Side | null} mine
 */
export const outcomeWords = ({ ruleset }, seats, outcome, mine) =>
  resultWords(ruleset, outcome, namedSeats({ ruleset, seats }) ?? seats, isOneTable({ seats }) ? null : mine);

/** The winner and the reason, where the sides have the names of their colours, whoever played them.
 * @param {Ruleset} ruleset
 * @param {Outcome} outcome
 * @param {Side | null} mine
 */
export function sidesResult(ruleset, outcome, mine) {
  /** @param {Side} side */
  const seat = (side) => ({ id: side, name: sideName(ruleset, side) });
  return resultWords(ruleset, outcome, { first: seat('first'), second: seat('second') }, mine);
}

/** The names of both players as a pair; empty as long as a seat is free.
 * @param {Pick<Game, 'ruleset' | 'seats'>} game
 */
export function pairOf(game) {
  const seats = namedSeats(game);
  return seats === null ? '' : t('game.pair', { first: seats.first.name, second: seats.second.name });
}
