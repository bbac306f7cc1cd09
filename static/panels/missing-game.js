// A page about a game that cannot be shown: it says why, and nothing else.

import { announce, byId, t } from '../ui/page.js';
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
