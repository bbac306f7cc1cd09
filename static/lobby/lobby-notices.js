// Notices over the lobby: a lost connection, a failure, a room that somebody has joined.

import { tryAgain } from '../connection/session.js';
import { byId, icon, t } from '../ui/page.js';
import { html, nothing, render } from '../vendor/lit-html@3.3.3/lit-html.js';
import { pairOf } from './rows.js';

/** @import { State } from './lobby-state.js' */

/** @param {State} state
 * @param {() => void} forget removes the notices that have been read */
export function drawNotices({ news, trouble, joined }, forget) {
  const line = news === 'online' ? null : news;
  const works = html`<a class="button" href="/offline">${t('lobby.offline')}</a>`;
  const again = html`<button @click=${tryAgain}>${t('line.try_again')}</button>`;
  const reload = html`<button @click=${() => location.reload()}>${t('line.reload_button')}</button>`;
  const close = html`<button class="quiet icon" aria-label=${t('page.close')} @click=${forget}>${icon('close')}</button>`;
  render(
    html`${line === null ? nothing : html`<p class="notice">${t(`line.${line}`)} ${line === 'offline' ? works : line === 'reload' || line === 'signed_out' ? reload : line === 'nothing_kept' ? again : nothing}</p>`}
      ${trouble === null ? nothing : html`<p class="notice">${trouble} ${close}</p>`}
      ${
        joined === null
          ? nothing
          : html`<p class="notice">${t('lobby.somebody_joined', { games: pairOf(joined) })}
              <a class="button primary" href=${`/game/${joined.id}`}>${t('lobby.to_game')}</a> ${close}</p>`
      }`,
    byId('notices'),
  );
}
