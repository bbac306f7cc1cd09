// Offers and claims between the sides of a game. Pure; whether one is allowed is
// decided by the server.

import { isOneTable, otherSide } from '../session/game-model.js';

/** @import { ClaimOffer, GameId, OfferKind, Player, SeatChoice, Side } from '../protocol.js' */
/** @import { Game } from '../session/game-model.js' */

/**
 * @typedef {object} Offers
 * @property {OfferKind[]} theirs offers of the other side that wait for an answer
 * @property {OfferKind[]} own offers of the player that wait for an answer
 * @property {OfferKind[]} open the offers that the player may make
 * @property {'abort' | 'resign' | null} leaving the way in which the player may end the game alone
 */

/**
 * @param {Game} game
 * @param {Side | null} mine
 * @returns {Offers}
 */
export function offersOf(game, mine) {
  const { present } = game;
  if (mine === null || (present.status !== 'playing' && present.status !== 'finished'))
    return { theirs: [], own: [], open: [], leaving: null };
  const isEarly = present.status === 'playing' && present.first_turn_ms !== null;
  const leaving = present.status === 'finished' ? null : isEarly ? 'abort' : 'resign';
  if (isOneTable(game)) return { theirs: [], own: [], open: openAtOneTable(game), leaving };
  const { offers } = present;
  /** @param {Side} side */
  const of = (side) => offers.filter((offer) => offer.side === side).map(({ what }) => what);
  const open = openTo(game, mine).filter((what) => !offers.some((offer) => offer.what === what));
  return { theirs: of(otherSide(mine)), own: of(mine), open, leaving };
}

/** The offers open to a side if none is pending.
 * @param {Game} game
 * @param {Side} mine
 * @returns {OfferKind[]}
 */
function openTo({ present, seats, turns, nTurns, seedHash }, mine) {
  const isLeft = seats?.[otherSide(mine)].kind === 'deleted';
  if (present.status === 'finished') return present.rematch === null && !isLeft ? ['rematch'] : [];
  if (present.status !== 'playing' || present.first_turn_ms !== null) return [];
  // With cards the next one is turned over as soon as a turn is played.
  const hasTurn = turns.length < nTurns || turns.some(({ side }) => side === mine);
  const canTakeBack = seedHash === null && hasTurn;
  return canTakeBack ? ['takeback', 'draw'] : ['draw'];
}

/** The offers that take effect at once where one player has both seats.
 * @param {Game} game
 * @returns {OfferKind[]}
 */
function openAtOneTable({ present, nTurns, seedHash }) {
  if (present.status === 'finished') return present.rematch === null ? ['rematch'] : [];
  if (nTurns === 0) return [];
  return seedHash === null ? ['takeback', 'draw'] : ['draw'];
}

/** The turns that a side's take-back removes, by their numbers: its own last one, and those of the other side since; null as
 * long as they are not known.
 * @param {Pick<Game, 'turns'>} game
 * @param {Side} side
 */
export function takebackOf({ turns }, side) {
  const at = turns.findLastIndex((turn) => turn.side === side);
  return at < 0 ? null : { again: turns[at].number, since: turns.slice(at + 1).map(({ number }) => number) };
}

/** A shorter absence may be a reload of the page. */
export const SETTLED_MS = 3_000;

/** The claim that the server announced, unless the game has ended since.
 * @param {Game} game
 * @param {ClaimOffer | null} told
 */
export const claimOf = ({ present }, told) => (present.status === 'playing' ? told : null);

/**
 * Milliseconds until the player may claim the game of an absent opponent; null if there is nothing to claim.
 *
 * @param {ClaimOffer | null} claim as it was told
 * @param {object} time
 * @param {number} time.nowMs the server's time
 * @param {number} time.presenceMs since the claim was told
 * @param {Side | null} mine
 * @returns {number | null}
 */
export function claimInMs(claim, { nowMs, presenceMs }, mine) {
  if (claim === null || mine === null || claim.against === mine) return null;
  const inMs = Math.max(0, claim.from_ms - nowMs);
  return inMs > 0 && presenceMs < SETTLED_MS ? null : inMs;
}

/**
 * The rematch of a game, if it was announced between two states of the game; null if not. Later visitors
 * find it as a link.
 *
 * @param {Game} before
 * @param {Game} now
 * @returns {GameId | null}
 */
export function rematchBetween(before, now) {
  const rematch = rematchOf(now);
  return rematchOf(before) === null ? rematch : null;
}

/** The rematch of a game; null if there is none.
 * @param {Game} game
 * @returns {GameId | null}
 */
export const rematchOf = ({ present }) => (present.status === 'finished' ? present.rematch : null);

/**
 * A room by link for another game like this one. A start whose first card is still to come is left out: it is the usual one,
 * and no text describes it.
 *
 * @param {Pick<Game, 'ruleset' | 'terms' | 'start'>} game
 * @param {SeatChoice} seat
 * @returns {Parameters<typeof import('../lobby/create.js').openChallenge>[1]}
 */
export const roomLike = ({ ruleset, terms, start }, seat) => ({
  ruleset,
  seat,
  visibility: 'link',
  terms,
  ...(start.endsWith(' 0/0') ? {} : { start }),
});

/**
 * The opponent whom a player of a finished game can challenge to another one because no offer of a rematch would reach them;
 * null if there is none.
 *
 * @param {Game} game
 * @param {Side | null} mine
 * @param {{ [side in Side]: boolean } | null} presence who is at the game; null as long as that is not known
 * @returns {Player | null}
 */
export function awayOpponent(game, mine, presence) {
  if (mine === null || game.seats === null || isOneTable(game) || rematchOf(game) !== null) return null;
  const other = otherSide(mine);
  const isAway = presence !== null && !presence[other];
  return isAway && isPerson(game.seats[other]) ? game.seats[other] : null;
}

/** Whether a player can be challenged or reported: no bot, and no closed account.
 * @param {Player} player
 */
export const isPerson = ({ kind }) => kind === 'guest' || kind === 'account';
