// Names of the players of a game: their own, and at one table, where one player has both seats, their
// colours.

import { nameOf, resultWords, sideName, t } from '../ui/page.js';
import { withNames } from '../ui/player-name.js';
import { isOneTable } from './game-model.js';

/** @import { Outcome, Seats, Side } from '../protocol.js' */
/** @import { Game } from './game-model.js' */

/** The seats under the names by which their players are called; null as long as one is free.
 * @param {Pick<Game, 'ruleset' | 'seats'>} game
 * @returns {Seats | null}
 */
export function namedSeats({ ruleset, seats }) {
  if (seats === null || !isOneTable({ seats })) return seats;
  const { first, second } = seats;
  return {
    first: { id: first.id, name: sideName(ruleset, 'first') },
    second: { id: second.id, name: sideName(ruleset, 'second') },
  };
}

/** @param {Pick<Game, 'ruleset' | 'seats'>} game
 * @param {Side} side */
export function calledName(game, side) {
  const seats = namedSeats(game);
  return seats === null ? '' : nameOf(seats[side]);
}

/** The winner and the reason. At one table, no single player has won or lost.
 * @param {Pick<Game, 'ruleset'>} game
 * @param {Seats} seats
 * @param {Outcome} outcome
 * @param {Side | null} mine
 */
export const outcomeWords = ({ ruleset }, seats, outcome, mine) =>
  isOneTable({ seats })
    ? resultWords(ruleset, outcome, null, null)
    : resultWords(ruleset, outcome, seats, mine);

/** The title of a result, with the mark of a winner who is named.
 * @param {Pick<Game, 'ruleset'>} game
 * @param {Seats} seats
 * @param {Outcome} outcome
 * @param {Side | null} mine
 */
export const outcomeTitle = (game, seats, outcome, mine) =>
  mine === null && outcome.winner !== null && !isOneTable({ seats })
    ? withNames('result.won', { name: seats[outcome.winner] })
    : outcomeWords(game, seats, outcome, mine).title;

/** The side to move, by its player's name, or by its colour at one table.
 * @param {Game} game
 */
export function moverWords(game) {
  const { side } = game.present.turn;
  return isOneTable(game)
    ? t('status.side_to_move', { side: sideName(game.ruleset, side) })
    : t('status.to_move', { name: calledName(game, side) });
}

/** The names of both players as a pair; empty as long as a seat is free.
 * @param {Pick<Game, 'ruleset' | 'seats'>} game
 */
export function pairOf(game) {
  const seats = namedSeats(game);
  return seats === null ? '' : t('game.pair', { first: nameOf(seats.first), second: nameOf(seats.second) });
}
