// The whole state of the lobby; every panel is drawn from it. Each message of the server leads from one state to
// the next. Pure.

import { emptyLists, hasBot, heard, isMine, ownSeeks } from './lists.js';
import { isSamePool } from './pools.js';

/** @import { GameSummary, Player, Pool, Ruleset } from '../protocol.js' */
/** @import { KeptGame } from '../local/kept-game.js' */
/** @import { Lists, LobbyMessage, Tab } from './lists.js' */
/** @import { News } from '../connection/socket.js' */

/**
 * @typedef {object} State
 * @property {Player | null} me
 * @property {Lists} lists
 * @property {boolean} isHeard nothing is shown of the lists before they are there
 * @property {Pool[]} sought the pools that the visitor is in, in all tabs
 * @property {boolean} busy whether a request is under way: one is made at a time
 * @property {string | null} trouble
 * @property {News | null} news
 * @property {Begun | null} begun the visitor's game that another player has just begun
 * @property {Declined | null} declined the visitor's challenge that was just declined
 * @property {Tab} tab
 * @property {Ruleset | null} only the only ruleset that the lists of others show, or null if they show all
 * @property {Ruleset | null} onlyMine the same for the visitor's games; not remembered, since a game that waits would be hidden
 * @property {Ruleset} pairing the ruleset whose clocks are offered
 * @property {KeptGame | null} kept the game that this device keeps
 * @property {boolean} isTrying whether the board to try is shown
 * @property {Faces} faces
 * @property {number} minute the minute of the server's time
 */
/** A challenge of the visitor's that was declined, and the id of the one with which it was answered, if there is one.
 * @typedef {{ challenge: GameSummary, counter: string | null }} Declined */

/** A game that another player has begun, by joining a room, accepting a challenge or answering a seek.
 * @typedef {{ game: GameSummary, how: 'room' | 'challenge' | 'seek' }} Begun */
/** The live game that the face of each game shows, by the game's name.
 * @typedef {Readonly<Record<string, string>>} Faces
 */

/**
 * @param {Pick<State, 'tab' | 'only' | 'pairing' | 'kept' | 'isTrying'>} kept the values stored by the browser
 * @returns {State}
 */
export const stateOf = (kept) => ({
  me: null,
  lists: emptyLists(),
  isHeard: false,
  sought: [],
  busy: false,
  trouble: null,
  news: null,
  begun: null,
  declined: null,
  onlyMine: null,
  faces: {},
  minute: 0,
  ...kept,
});

/** The rulesets that a tab shows.
 * @param {State} state
 * @param {Tab} tab
 */
export const wantedIn = (state, tab) => (tab === 'mine' ? state.onlyMine : state.only);

/** @param {State} state
 * @param {Tab} tab
 * @returns {(ruleset: Ruleset) => boolean} */
export function filterOf(state, tab) {
  const only = wantedIn(state, tab);
  return (ruleset) => only === null || only === ruleset;
}

/** The game of this device, if a tab shows it.
 * @param {State} state
 * @param {Tab} tab
 */
export const keptIn = (state, tab) =>
  tab === 'mine' && state.kept !== null && filterOf(state, tab)(state.kept.ruleset) ? state.kept : null;

/**
 * The state after the lists have changed.
 *
 * @param {State} state
 * @param {LobbyMessage} message
 * @param {readonly { game: string, rulesets: readonly Ruleset[] }[]} games
 * @returns {State}
 */
export function withLists(state, message, games) {
  const lists = heard(state.lists, message, state.me);
  const before = state.begun !== null && lists.mine.has(state.begun.game.id) ? state.begun : null;
  const now =
    message.type === 'lobby_changed'
      ? message.games.map((game) => begunIn(state, game)).find((begun) => begun !== null)
      : undefined;
  return {
    ...state,
    lists,
    begun: now ?? before,
    isHeard: true,
    faces: facesFrom(state.faces, lists, state.me, games),
  };
}

/** A game of the visitor's, if another player has begun it.
 * @param {State} state before the game changed
 * @param {GameSummary} game
 * @returns {Begun | null}
 */
function begunIn({ lists, me }, game) {
  if (game.status !== 'playing' || hasBot(game.seats) || !isMine(game, me)) return null;
  const before = lists.mine.get(game.id);
  if (before?.status === 'open') return { game, how: game.for === undefined ? 'room' : 'challenge' };
  const isSought = before === undefined && ownSeeks(lists, me).some((seek) => isSamePool(seek, game));
  return isSought ? { game, how: 'seek' } : null;
}

/**
 * A face shows one live game until it ends, and then the one with the latest move.
 *
 * @param {Faces} before
 * @param {Lists} lists
 * @param {Player | null} me
 * @param {readonly { game: string, rulesets: readonly Ruleset[] }[]} games
 * @returns {Faces}
 */
function facesFrom(before, { live }, me, games) {
  const shown = [...live.values()].filter((game) => game.position !== null && !isMine(game, me));
  /** @type {Record<string, string>} */
  const faces = {};
  for (const { game, rulesets } of games) {
    const own = shown.filter(({ ruleset }) => rulesets.includes(ruleset));
    const [latest] = own.toSorted((a, b) => b.updated_ms - a.updated_ms);
    const stays = own.find(({ id }) => id === before[game]) ?? latest;
    if (stays !== undefined) faces[game] = stays.id;
  }
  return faces;
}
