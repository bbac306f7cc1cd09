// Messages of the server to the lobby, and their effects besides the state: a call, the way to a game.

import { playOnce } from '../ui/sound.js';
import { GAMES, announce, recall, remember, t } from '../ui/page.js';
import { rowsOf, isTurnOf, turnsOf } from './lists.js';
import { poolName } from './pairing.js';
import { pairOf } from './rows.js';
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
    const joined = now.joined !== before.joined ? now.joined : null;
    if (joined !== null) {
      // A real-time clock is already running.
      if (joined.clock.kind === 'real_time') location.assign(`/game/${joined.id}`);
      ring(t('lobby.somebody_joined', { games: pairOf(joined) }), joined);
    }
    if (before.isHeard && turns > turnsOf(before.lists, before.me)) {
      const [first] = rowsOf('mine', now.lists, now.me, () => true);
      const news = message.type === 'lobby_changed' ? message.games : [];
      ring(t('status.your_turn'), news.find((game) => isTurnOf(game, now.me)) ?? first);
    }
  }
}

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
