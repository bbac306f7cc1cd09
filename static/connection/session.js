// The visitor's session, of which the browser keeps a cookie. A browser that keeps nothing for this site has none: each
// request for one would make another guest.

import { ApiError, listBlocks, requestSession } from './api.js';

/** @import { Player } from '../protocol.js' */

const IS_SECURE = location.protocol === 'https:';

/** Cookie that marks a browser whose session cookie did not come back. It has the port in its name, as no cookie has in
 * its scope. Over HTTPS no other host of the domain can plant it. */
const MARK = `${IS_SECURE ? '__Host-' : ''}nothing-kept-${location.port}`;

/** A later page tries again: the visitor may have changed the settings. */
const MARK_AGE_S = 3600;

/** @param {number} ageS */
function mark(ageS) {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser yet.
  document.cookie = `${MARK}=1; path=/; max-age=${ageS}; samesite=lax${IS_SECURE ? '; secure' : ''}`;
}

const isMarked = () => document.cookie.split('; ').includes(`${MARK}=1`);

/** Whether the browser keeps cookies of scripts, and is not marked. */
function keepsCookies() {
  try {
    if (!navigator.cookieEnabled || isMarked()) return false;
    mark(MARK_AGE_S);
    const isKept = isMarked();
    mark(0);
    return isKept;
  } catch {
    // The page is in a frame that has no storage at all.
    return false;
  }
}

/** @type {boolean | null} null as long as it is not known */
let keeps = null;

/** Whether the browser is known to keep nothing for this site. */
export const keepsNothing = () => keeps === false;

const nothingKept = () => new ApiError('nothing_kept', 'the browser keeps nothing for this site');

/** Whether this page has opened a session, and whether the session has been of use since. */
let isOpened = false;
let hasWorked = false;

/** Notes that the session's cookie came back to the server. */
export function sessionWorks() {
  hasWorked = true;
}

/** The visitor; a new guest without a session. Rejected with `nothing_kept` where another guest would be lost like the
 * first. */
export async function openSession() {
  keeps ??= keepsCookies();
  if (!keeps) throw nothingKept();
  if (isOpened && !hasWorked) await confirmKept();
  const session = await requestSession();
  isOpened = true;
  tellVisitor(session.player);
  return session;
}

/** Whether the page is leaving its session for another one, so that the end of the session is no news. Dialogs, which have
 * this module for themselves, tell it by an event. */
let leaves = false;

addEventListener('leaving', (event) => {
  leaves = /** @type {CustomEvent<boolean>} */ (event).detail;
});

export const leavesSession = () => leaves;

/** Does what ends the page's session, if it succeeds.
 * @template T
 * @param {() => Promise<T>} work
 */
export async function leaveSession(work) {
  dispatchEvent(new CustomEvent('leaving', { detail: true }));
  try {
    return await work();
  } catch (error) {
    dispatchEvent(new CustomEvent('leaving', { detail: false }));
    throw error;
  }
}

/** Tells all parts of the page who the visitor is, by an event.
 * @param {Player} player
 */
export function tellVisitor(player) {
  dispatchEvent(new CustomEvent('visitor', { detail: player }));
}

/** Makes sure that the session's cookie comes back, by a request that needs it. */
async function confirmKept() {
  try {
    await listBlocks();
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'no_session')) return;
    keeps = false;
    mark(MARK_AGE_S);
    throw nothingKept();
  }
}

/** Loads the page again, to ask for a session once more. */
export function tryAgain() {
  try {
    mark(0);
  } catch {
    // There is no mark.
  }
  location.reload();
}
