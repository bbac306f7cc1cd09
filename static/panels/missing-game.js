// A page about something that cannot be shown: it says why, and nothing else.

import { announce, byId, t, wordsOf } from '../ui/page.js';
import { html, render } from '../vendor/lit-html@3.3.3/lit-html.js';

/** @typedef {'unknown' | 'unreadable' | 'private'} Missing why there is no game */

/** Shows why there is no game, or makes room for the game.
 * @param {Missing | null} missing
 */
export function showMissing(missing) {
  document.body.classList.toggle('missing', missing !== null);
  if (missing === null) return;
  const words = t(`missing.${missing}`);
  document.title = t('page.title', { page: words });
  announce(words, 'assertive');
  render(
    html`<h1>${words}</h1>
      <p class="lead">${t(`missing.${missing}_hint`)}</p>
      <p><a class="button" href="/">${t('page.to_lobby')}</a></p>`,
    byId('status'),
  );
}

/** Shows that a request failed, with a way on.
 * @param {unknown} error
 * @param {string} [address]
 * @param {string} [way] the address in words
 */
export function showFailure(error, address = '/', way = t('page.to_lobby')) {
  const words = wordsOf(error);
  render(html`<h2>${words}</h2> <p><a class="button" href=${address}>${way}</a></p>`, byId('status'));
  announce(words, 'assertive');
}
