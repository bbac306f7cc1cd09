// Seeks: wishes for slow games, which stay when their players go. The server tells nobody of those of others, so the lobby asks
// for them when it is looked at, and after each act of the visitor's.

import { acceptSeek, listSeeks, postSeek, withdrawSeek } from '../connection/api.js';
import { leaveFor } from '../ui/leaving.js';
import { announce, t } from '../ui/page.js';
import { withSeeks } from './lists.js';
import { poolName } from './pairing.js';

/** @import { Pool, Seek } from '../protocol.js' */
/** @import { Store } from '../session/store.js' */
/** @import { State } from './lobby-state.js' */

/** What is no older than this is not asked for again only because the visitor looks at it. */
const FRESH_MS = 10_000;

/** @param {Store<State>} store */
export function createSeeks(store) {
  // The page asks once it has its session.
  let askedMs = performance.now();
  let asked = 0;
  let answered = 0;

  /** Asks for the seeks as they are now. An answer that is overtaken by a later one is dropped. */
  async function ask() {
    askedMs = performance.now();
    asked += 1;
    const number = asked;
    try {
      const seeks = await listSeeks();
      if (number < answered) return;
      answered = number;
      store.update({ lists: withSeeks(store.state.lists, seeks) });
    } catch (error) {
      // The lists go without them until the next time.
      console.info(error);
    }
  }

  return {
    ask,

    /** Asks, unless what is known is fresh. */
    look() {
      if (!document.hidden && performance.now() - askedMs > FRESH_MS) ask();
    },

    /** Posts a seek, and leads to the game if another player wants the same.
     * @param {Pool} pool
     * @param {number} games
     */
    async post(pool, games) {
      const [begun] = (await postSeek({ ...pool, games })).games;
      if (begun !== undefined) return leaveFor(`/game/${begun.id}`);
      announce(t('seek.posted', { pool: poolName(pool) }));
      await ask();
    },

    /** @param {Seek} seek */
    async accept({ id }) {
      try {
        const game = await acceptSeek(id);
        await leaveFor(`/game/${game.id}`);
      } catch (error) {
        // It may be gone.
        ask();
        throw error;
      }
    },

    /** @param {Seek} seek */
    async withdraw({ id }) {
      try {
        await withdrawSeek(id);
        announce(t('seek.withdrawn'));
      } finally {
        await ask();
      }
    },
  };
}
