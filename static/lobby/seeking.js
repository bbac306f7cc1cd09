// The visitor's search for an opponent in a live game, the same on every page. The server ends it with the player's last connection, as
// between two pages, so the browser keeps it and the next page takes it up.

import { serverTime } from '../connection/server-time.js';
import { recall, remember } from '../ui/storage.js';
import { hasBot, sideIn } from './lists.js';
import { afterReturn, isRealTime, isSamePool } from './pools.js';

/** @import { GameSummary, Player, Pool, ServerMessage } from '../protocol.js' */
/** @import { OneShot } from '../connection/decide.js' */
/** @import { KeptSearch } from './pools.js' */

/** Where the browser keeps it; `ui/header.js` looks whether it does. */
const KEY = 'search';

/** @type {KeptSearch} */
const NONE = { pools: [], sinceMs: 0, heardMs: 0 };

/** @returns {KeptSearch} */
function keptSearch() {
  try {
    const { pools, sinceMs, heardMs } = JSON.parse(recall(KEY) || 'null') ?? NONE;
    // Earlier releases searched for slow games too.
    return Array.isArray(pools) ? { pools: pools.filter(isRealTime), sinceMs, heardMs } : NONE;
  } catch {
    // It was written by hand.
    return NONE;
  }
}

/** @param {KeptSearch} search */
const keep = (search) => remember(KEY, search.pools.length === 0 ? '' : JSON.stringify(search));

/** Whether there is anything to take up.
 * @returns {boolean}
 */
export function isSearchKept() {
  const search = keptSearch();
  const follows = afterReturn(search, [], serverTime.now());
  const isKept = 'seek' in follows && follows.seek.length > 0;
  if (!isKept) keep(NONE);
  return isKept;
}

/**
 * @param {object} page
 * @param {(message: OneShot) => void} page.send
 * @param {(search: KeptSearch) => void} page.show
 * @param {(game: string) => void} page.found leads to a game that has begun, whose clock may be running
 */
export function createSearch({ send, show, found }) {
  let search = keptSearch();
  /** The search before the connection was lost. */
  let lost = search;
  /** The pools that the server is to put the player into again.
   * @type {Pool[]} */
  let returning = [];
  /** @type {Player | null} */
  let me = null;

  /** @param {Pool[]} pools */
  function set(pools) {
    const now = serverTime.now();
    const isNew = pools.some((pool) => !search.pools.some((other) => isSamePool(pool, other)));
    search = { pools, sinceMs: isNew ? now : search.sinceMs, heardMs: now };
    keep(search);
    show(search);
  }

  /** @param {string} game */
  function end(game) {
    returning = [];
    set([]);
    found(game);
  }

  /** @param {GameSummary[]} mine */
  function takeUp(mine) {
    const follows = afterReturn(lost, mine, serverTime.now());
    if ('paired' in follows) return end(follows.paired);
    returning = follows.seek;
    if (returning.length < lost.pools.length) set(returning);
    for (const pool of returning) send({ type: 'seek', pool });
  }

  /** When a live game has begun, no other is sought.
   * @param {GameSummary[]} games
   */
  function leavePools(games) {
    const isBusy = games.some(
      (game) =>
        game.status === 'playing' && isRealTime(game) && !hasBot(game.seats) && sideIn(game, me) !== null,
    );
    if (isBusy) for (const pool of search.pools) seek(pool, false);
  }

  /** @param {Pool} pool
   * @param {boolean} wanted */
  function seek(pool, wanted) {
    returning = [];
    send({ type: wanted ? 'seek' : 'stop_seeking', pool });
  }

  /** @param {ServerMessage} message */
  function hear(message) {
    switch (message.type) {
      case 'welcome':
        me = message.player;
        lost = search;
        break;
      case 'lobby':
        takeUp(message.mine);
        break;
      case 'lobby_changed':
        leavePools(message.games);
        break;
      case 'seeking': {
        // Until the server has all of a search that goes on, what it has is not shown.
        const isWhole = returning.every((pool) => message.pools.some((other) => isSamePool(pool, other)));
        if (!isWhole) return;
        returning = [];
        if (message.pools.length > 0 || search.pools.length > 0) set(message.pools);
        break;
      }
      case 'paired':
        end(message.game);
        break;
      case 'error':
        if ('pool' in message && message.code !== 'pool_unavailable') refused(message.pool);
        break;
    }
    search = { ...search, heardMs: serverTime.now() };
  }

  /** Gives up what could not be taken up.
   * @param {Pool | undefined} pool
   */
  function refused(pool) {
    /** @param {Pool} other */
    const isOther = (other) => pool !== undefined && !isSamePool(other, pool);
    if (returning.length === 0) return;
    returning = returning.filter(isOther);
    set(search.pools.filter(isOther));
  }

  window.addEventListener('pagehide', () => {
    // Another tab may have ended it.
    if (recall(KEY)) keep({ ...search, heardMs: serverTime.now() });
  });

  return {
    hear,
    seek,
    /** Ends the search. */
    stop: () => search.pools.map((pool) => seek(pool, false)),
  };
}
