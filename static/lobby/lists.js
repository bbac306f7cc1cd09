// The lists of the lobby as the fold of the server's messages, and the order of their rows. Pure.

import { isSlow } from '../session/clock.js';
import { isOneTable } from '../session/game-model.js';
import { byUrgency } from './urgency.js';

/** @import { GameSummary, Player, Ruleset, Seats, Seek, Seeks, ServerMessage, Side } from '../protocol.js' */

/**
 * @typedef {object} Lists
 * @property {Map<string, GameSummary>} rooms open public rooms whose makers are here
 * @property {Map<string, GameSummary>} live public games under way
 * @property {GameSummary[]} finished public games that ended recently, latest first
 * @property {Map<string, GameSummary>} mine the reader's own rooms and games that are not over
 * @property {Seek[]} seeks those of the reader, and those of others that the reader may accept
 * @property {Map<string, number>} watchers number of spectators of a game, by its id
 * @property {number | null} players number of connected players; null until known
 */
/** @typedef {Extract<ServerMessage, { type: 'lobby' | 'lobby_changed' | 'lobby_counts' }>} LobbyMessage */
/** @typedef {typeof TABS[number]} Tab */

export const TABS = /** @type {const} */ (['rooms', 'mine', 'live', 'finished']);
/** Finished games that are kept on a page that stays open. */
const MOST_FINISHED = 30;

/** @returns {Lists} */
export const emptyLists = () => ({
  rooms: new Map(),
  live: new Map(),
  finished: [],
  mine: new Map(),
  seeks: [],
  watchers: new Map(),
  players: null,
});

/** @param {GameSummary[]} games */
const byIds = (games) => new Map(games.map((game) => [game.id, game]));

/**
 * The lists after a message.
 *
 * @param {Lists} lists
 * @param {LobbyMessage} message
 * @param {Player | null} me
 * @returns {Lists}
 */
export function heard(lists, message, me) {
  switch (message.type) {
    case 'lobby':
      return {
        ...emptyLists(),
        rooms: byIds(message.rooms),
        live: byIds(message.live),
        finished: message.finished,
        mine: byIds(message.mine),
        seeks: lists.seeks,
        players: lists.players,
      };
    case 'lobby_changed':
      return gone(
        message.games.reduce((known, game) => changed(known, game, me), lists),
        message.gone,
      );
    case 'lobby_counts': {
      const news = message.watchers.map(({ game, watchers }) => /** @type {const} */ ([game, watchers]));
      return { ...lists, players: message.players, watchers: new Map([...lists.watchers, ...news]) };
    }
  }
}

/** The lists after the server has told which seeks there are.
 * @param {Lists} lists
 * @param {Seeks} seeks
 * @returns {Lists}
 */
export const withSeeks = (lists, { own, open }) => ({ ...lists, seeks: [...own, ...open] });

/** Removes games that the lobby no longer shows.
 * @param {Lists} lists
 * @param {string[]} ids
 * @returns {Lists}
 */
const gone = (lists, ids) => ({
  ...lists,
  rooms: ids.reduce(without, lists.rooms),
  live: ids.reduce(without, lists.live),
});

/** Moves a game to the list where it belongs now.
 * @param {Lists} lists
 * @param {GameSummary} game
 * @param {Player | null} me
 * @returns {Lists}
 */
function changed(lists, game, me) {
  const isPublic = game.visibility === 'public';
  // A public room can be joined though nobody may watch its game.
  const isSeen = isPublic && game.watching === 'everybody';
  const isGoing = game.status === 'open' || game.status === 'playing';
  const others = lists.finished.filter(({ id }) => id !== game.id);
  return {
    ...lists,
    rooms: placed(lists.rooms, game, isPublic && game.status === 'open'),
    live: placed(lists.live, game, isSeen && game.status === 'playing'),
    mine: placed(lists.mine, game, isGoing && (isMine(game, me) || isChallengeTo(game, me))),
    finished:
      isSeen && game.status === 'finished'
        ? [game, ...others].sort((a, b) => b.updated_ms - a.updated_ms).slice(0, MOST_FINISHED)
        : lists.finished,
  };
}

/**
 * @param {Map<string, GameSummary>} games
 * @param {GameSummary} game
 * @param {boolean} isHere
 */
const placed = (games, game, isHere) =>
  isHere ? new Map(games).set(game.id, game) : without(games, game.id);

/**
 * @param {Map<string, GameSummary>} games
 * @param {string} id
 */
function without(games, id) {
  const rest = new Map(games);
  rest.delete(id);
  return rest;
}

/** The side of a player in a game that has begun.
 * @param {GameSummary} game
 * @param {Player | null} me
 * @returns {Side | null}
 */
export function sideIn({ seats }, me) {
  if (seats === null || me === null) return null;
  if (seats.first.id === me.id) return 'first';
  return seats.second.id === me.id ? 'second' : null;
}

/** The side at the bottom of a player's board; null for a game of others, and for one at one table, which is not turned.
 * @param {GameSummary} game
 * @param {Player | null} me
 */
export const bottomIn = (game, me) => (isOneTable(game) ? null : sideIn(game, me));

/** A bot has a seat only because the maker of the room gave it one.
 * @param {Seats | null} seats
 */
export const hasBot = (seats) => seats?.first.bot !== undefined || seats?.second.bot !== undefined;

/** @param {GameSummary} game
 * @param {Player | null} me */
export const isMine = (game, me) => game.creator.id === me?.id || sideIn(game, me) !== null;

/** True if a room challenges a player.
 * @param {GameSummary} game
 * @param {Player | null} me */
export const isChallengeTo = (game, me) =>
  game.status === 'open' && game.for !== undefined && game.for.id === me?.id;

/** True if a game waits for a player. A game at one table waits for nobody elsewhere.
 * @param {GameSummary} game
 * @param {Player | null} me */
export const isTurnOf = (game, me) =>
  game.status === 'playing' &&
  game.to_move !== null &&
  game.to_move === sideIn(game, me) &&
  !isOneTable(game);

/** Number of games that wait for a player.
 * @param {Lists} lists
 * @param {Player | null} me
 */
export const turnsOf = ({ mine }, me) => [...mine.values()].filter((game) => isTurnOf(game, me)).length;

/** The games to which a player has to come back, most urgent first, as the server lists them: a clock for all turns has its
 * players present.
 * @param {Lists} lists
 * @param {Player | null} me
 */
export const waitingFor = ({ mine }, me) =>
  [...mine.values()].filter((game) => isSlow(game.clock) && isTurnOf(game, me)).sort(byUrgency);

/** Number of the games to which a player has to come back once the opponents have played.
 * @param {Lists} lists
 * @param {Player | null} me
 */
export const theirsOf = ({ mine }, me) =>
  [...mine.values()].filter(
    (game) =>
      game.status === 'playing' &&
      isSlow(game.clock) &&
      !isOneTable(game) &&
      sideIn(game, me) !== null &&
      !isTurnOf(game, me),
  ).length;

/**
 * The games of a tab in the order of their rows. Among the rooms are the seeks; those of others come last, since nobody waits
 * beside them.
 *
 * @param {Tab} tab
 * @param {Lists} lists
 * @param {Player | null} me
 * @param {(ruleset: Ruleset) => boolean} isWanted whether games of a ruleset are shown; one's own rooms and seeks always are
 * @returns {(GameSummary | Seek)[]}
 */
export function rowsOf(tab, lists, me, isWanted) {
  switch (tab) {
    case 'rooms': {
      const seeks = ownSeeks(lists, me);
      const own = [...[...lists.mine.values()].filter(({ status }) => status === 'open'), ...seeks];
      const rooms = [...lists.rooms.values()].filter((room) => !isMine(room, me) && isWanted(room.ruleset));
      const others = lists.seeks.filter((seek) => !seeks.includes(seek) && isWanted(seek.ruleset));
      return [own, rooms, others].flatMap((part) => part.sort(newestFirst));
    }
    case 'mine':
      return gamesOf(lists, me).filter(({ ruleset }) => isWanted(ruleset));
    case 'live':
      return [...lists.live.values()]
        .filter((game) => !isMine(game, me) && isWanted(game.ruleset))
        .sort((a, b) => b.updated_ms - a.updated_ms);
    case 'finished':
      return lists.finished.filter(({ ruleset }) => isWanted(ruleset));
  }
}

/** The seeks of a player.
 * @param {Lists} lists
 * @param {Player | null} me
 */
export const ownSeeks = ({ seeks }, me) => seeks.filter(({ player }) => player.id === me?.id);

/** A player's games under way, in the order of their rows.
 * @param {Lists} lists
 * @param {Player | null} me
 */
export const gamesOf = ({ mine }, me) =>
  [...mine.values()].filter(({ status }) => status === 'playing').sort((a, b) => mostPressing(a, b, me));

/** @param {Pick<GameSummary, 'created_ms'>} a
 * @param {Pick<GameSummary, 'created_ms'>} b */
const newestFirst = (a, b) => b.created_ms - a.created_ms;

/** Games that wait for me first, by their deadlines; then the others, latest move first.
 * @param {GameSummary} a
 * @param {GameSummary} b
 * @param {Player | null} me
 */
function mostPressing(a, b, me) {
  const [mineA, mineB] = [isTurnOf(a, me), isTurnOf(b, me)];
  if (mineA !== mineB) return Number(mineB) - Number(mineA);
  return mineA ? byUrgency(a, b) : b.updated_ms - a.updated_ms;
}
