// Finished games that were replayed on this device: the browser keeps the last of them, which open without a network.

import { serverTime } from './server-time.js';

/** @import { GameDocument } from '../protocol.js' */

/** Maximum number of kept games; the one that was opened first goes first. */
const MAX_GAMES = 20;

const GAMES = 'games';
const TIME = 'opened';

/** @template Result
 * @param {IDBRequest<Result>} request
 * @returns {Promise<Result>}
 */
const answered = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/** Works on the kept games. Without storage there are none.
 * @template Result
 * @param {IDBTransactionMode} mode
 * @param {(games: IDBObjectStore) => Promise<Result>} work
 * @returns {Promise<Result | null>}
 */
async function withGames(mode, work) {
  try {
    const opening = indexedDB.open('kept games');
    opening.onupgradeneeded = () =>
      opening.result.createObjectStore(GAMES, { keyPath: 'id' }).createIndex(TIME, TIME);
    const database = await answered(opening);
    try {
      return await work(database.transaction(GAMES, mode).objectStore(GAMES));
    } finally {
      database.close();
    }
  } catch (error) {
    console.info(error);
    return null;
  }
}

/** Keeps a game, and forgets the oldest ones.
 * @param {string} id
 * @param {GameDocument} document
 */
export const keepGame = (id, document) =>
  withGames('readwrite', async (games) => {
    games.put({ id, [TIME]: serverTime.now(), document });
    const ids = await answered(games.index(TIME).getAllKeys());
    for (const old of ids.slice(0, Math.max(0, ids.length - MAX_GAMES))) games.delete(old);
  });

/** A game as it was kept; null if it was not.
 * @param {string} id
 * @returns {Promise<GameDocument | null>}
 */
export const keptGame = (id) =>
  withGames('readonly', async (games) => (await answered(games.get(id)))?.document ?? null);

/** @param {string} id */
export const forgetGame = (id) => withGames('readwrite', (games) => answered(games.delete(id)));
