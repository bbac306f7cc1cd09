// The subscription of this browser to notifications that come while no page is open. It is renewed on each visit: browsers
// change it by themselves, and the server forgets it with the session.

import { request } from '../connection/api.js';
import { remember } from './storage.js';

/** @import { PushKey } from '../protocol.js' */

const PATH = '/api/v1/push';

/** The text of bytes in base64url, as the server writes its key.
 * @param {ArrayBuffer | null} bytes
 */
const textOf = (bytes) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes ?? new ArrayBuffer(0))))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');

/** @param {string} text */
const bytesOf = (text) =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));

/** Sends a subscription to the server, and returns the key that it has to be made with.
 * @param {PushSubscription} subscription
 */
async function send(subscription) {
  const { endpoint, keys } = subscription.toJSON();
  const { key } = /** @type {PushKey} */ (await request('PUT', PATH, { endpoint, keys }));
  return key;
}

/** The push manager of the service worker, which is waited for; rejected if there is none. */
async function manager() {
  const registered = await navigator.serviceWorker.getRegistration();
  if (registered?.pushManager === undefined) throw new Error('no push');
  return (await navigator.serviceWorker.ready).pushManager;
}

async function subscribe() {
  const pushManager = await manager();
  const existing = await pushManager.getSubscription();
  const { key } = existing
    ? { key: await send(existing) }
    : /** @type {PushKey} */ (await request('GET', PATH));
  if (existing !== null) {
    if (textOf(existing.options.applicationServerKey) === key) return;
    // The server has another key than the one that the browser subscribed with.
    await existing.unsubscribe();
  }
  await send(await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytesOf(key) }));
}

/** Subscribes this browser, or renews its subscription. The player has allowed notifications. Returns whether they come.
 * @returns {Promise<boolean>}
 */
export async function keepPush() {
  const isKept = await subscribe().then(
    () => true,
    (error) => {
      console.info(error);
      return false;
    },
  );
  remember('push', isKept ? 'on' : 'off');
  return isKept;
}

/** Ends the subscription of this browser, if it has one. */
export async function endPush() {
  remember('push', 'off');
  await request('DELETE', PATH);
  const subscription = await (await manager()).getSubscription();
  await subscription?.unsubscribe();
}
