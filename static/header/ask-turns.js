// Asks for the games that wait for the visitor's turn: at most once in two seconds, and in one tab for all.

import { ApiError, listTurns } from '../connection/api.js';
import { keepTurns, keepUnseen, keptTurns } from '../ui/waiting-games.js';

/** Minimum interval between two requests of a browser. */
const EVERY_MS = 2_000;

/** How long a request waits for more news: what happens once is told to each tab. */
const TOGETHER_MS = 200;

/** Time of the last wish for a list that is not older. */
let wantedMs = 0;
/** @type {Promise<void> | null} */
let asking = null;

/** Brings the list up to date. Resolves once it is no older than this call, and rejects if it cannot be had.
 * @returns {Promise<void>}
 */
export function askTurns() {
  wantedMs = Date.now();
  asking ??= untilNew();
  return asking;
}

async function untilNew() {
  try {
    do {
      const restMs = Math.max(TOGETHER_MS, keptTurns().askedMs + EVERY_MS - Date.now());
      await new Promise((resolve) => setTimeout(resolve, restMs));
      await oneAtATime(askOnce);
    } while (keptTurns().askedMs < wantedMs);
  } finally {
    asking = null;
  }
}

/** Runs one request in all tabs of the browser. Without locks, as on a plain HTTP page, each tab asks for itself.
 * @param {() => Promise<void>} work
 */
const oneAtATime = (work) => ('locks' in navigator ? navigator.locks.request('turns', work) : work());

/** Asks, unless another tab has just done so. */
async function askOnce() {
  const { askedMs } = keptTurns();
  const nowMs = Date.now();
  if (askedMs >= wantedMs || nowMs < askedMs + EVERY_MS) return;
  const { games, theirs, unseen } = await turnsNow();
  keepTurns(nowMs, games, theirs);
  keepUnseen(unseen);
}

/** What the server says; nothing for a visitor whose session has ended. */
async function turnsNow() {
  try {
    return await listTurns();
  } catch (error) {
    if (error instanceof ApiError && error.code === 'no_session') return { games: [], theirs: 0, unseen: 0 };
    throw error;
  }
}

/** Calls back when the list may have changed, and when the page is seen again.
 * @param {() => void} ask
 */
export function whenTurnsChange(ask) {
  addEventListener('turnschanged', ask);
  document.addEventListener('visibilitychange', () => document.hidden || ask());
}
