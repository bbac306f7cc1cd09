// Messages of the server to the lobby, and their effects besides the state: a call, the way to a game.

import { playOnce } from '../ui/sound.js';
import { GAMES, announce, recall, remember, t } from '../ui/page.js';
import { getEvents } from '../connection/api.js';
import { isSlow } from '../session/clock.js';
import { gamesOf, isTurnOf, turnsOf } from './lists.js';
import { poolName } from './pairing.js';
import { begunWords, declinedWords } from './lobby-notices.js';
import { withLists } from './lobby-state.js';

/** @import { GameSummary, Pool, ServerMessage } from '../protocol.js' */
/** @import { LobbyMessage } from './lists.js' */
/** @import { State } from './lobby-state.js' */
/** @import { Store } from '../session/store.js' */

/**
 * @param {Store<State>} store
 * @returns {(message: ServerMessage) => void}
 */
export function createLobbyMessages(store) {
  return function hear(message) {
    switch (message.type) {
      case 'lobby':
      case 'lobby_changed':
      case 'lobby_counts':
        hearLobby(message);
        break;
      case 'error': {
        const trouble = faultWords(message);
        if (trouble === null) break;
        announce(trouble, 'assertive');
        store.update({ trouble });
        break;
      }
      case 'welcome':
        store.update({ me: message.player, trouble: null });
        break;
    }
  };

  /** Tells of a challenge that was declined: its events say whether that was so, or the visitor withdrew it in another tab.
   * @param {GameSummary} game
   */
  async function tellDeclined(game) {
    const { events } = await getEvents(game.id);
    const closed = events.find((event) => 'declined' in event && event.declined === true);
    if (closed === undefined) return;
    const declined = { challenge: game, counter: 'counter' in closed ? (closed.counter ?? null) : null };
    announce(declinedWords(declined), 'assertive');
    store.update({ declined });
  }

  /** @param {LobbyMessage} message */
  function hearLobby(message) {
    const before = { ...store.state };
    const now = withLists(before, message, GAMES);
    const turns = turnsOf(now.lists, now.me);
    // On arrival, the tab with games that wait for me is opened.
    const tab = !before.isHeard && turns > 0 ? 'mine' : now.tab;
    store.update({ ...now, tab });
    // A player with games needs no board to try.
    if (now.lists.mine.size > 0) remember('tried', 'yes');
    const begun = now.begun !== before.begun ? now.begun : null;
    if (begun !== null) {
      // A live clock is already running.
      if (!isSlow(begun.game.clock)) location.assign(`/game/${begun.game.id}`);
      ring(begunWords(begun), begun.game);
    }
    if (message.type === 'lobby_changed')
      for (const game of message.games) if (isAnswered(before, game)) tellDeclined(game).catch(console.info);
    if (before.isHeard && turns > turnsOf(before.lists, before.me)) {
      const [first] = gamesOf(now.lists, now.me);
      const news = message.type === 'lobby_changed' ? message.games : [];
      ring(t('status.your_turn'), news.find((game) => isTurnOf(game, now.me)) ?? first);
    }
  }
}

/** True if a challenge of the visitor's is closed that was open.
 * @param {State} before
 * @param {GameSummary} game
 */
const isAnswered = ({ lists, me }, { id, status, creator, for: challenged }) =>
  status === 'cancelled' &&
  challenged !== undefined &&
  creator.id === me?.id &&
  lists.mine.get(id)?.status === 'open';

/** @param {Pool[]} before
 * @param {Pool[]} now */
export function tellSought(before, now) {
  if (now.length > before.length)
    announce(t('pairing.sought', { pools: now.map(poolName).join(t('page.comma')) }));
  else if (now.length === 0 && before.length > 0) announce(t('pairing.stopped'));
}

/** The text of a fault; null for those handled elsewhere.
 * @param {Extract<ServerMessage, { type: 'error' }>} fault
 */
function faultWords(fault) {
  switch (fault.code) {
    case 'too_many_pools':
      return t('pairing.too_many', { n: fault.limit });
    case 'pool_unavailable':
      return t('pairing.unavailable');
    case 'pool_too_fast':
      return t('pairing.too_fast', { n: Math.ceil(fault.retry_ms / 1000) });
    case 'too_many_under_way':
    case 'overloaded':
      return t(`refusal.${fault.code}`);
    case 'too_fast':
      return fault.pool === undefined ? null : t('refusal.too_fast');
    default:
      return null;
  }
}

/** Calls a visitor who may be looking elsewhere. A tab of the game would call with the same sound.
 * @param {string} words
 * @param {GameSummary} game
 */
function ring(words, game) {
  announce(words, 'assertive');
  if (recall('sound') !== 'off') playOnce('turn', `${game.id} ${game.turn} `);
}
