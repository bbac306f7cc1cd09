// Notices over the lobby: a lost connection, a failure, a game that another player has begun, a challenge that was declined.

import { tryAgain } from '../connection/session.js';
import { byId, icon, nameOf, t } from '../ui/page.js';
import { html, nothing, render } from '../vendor/lit-html@3.3.3/lit-html.js';
import { pairOf } from './rows.js';

/** @import { Begun, Declined, State } from './lobby-state.js' */

/** @param {Begun} begun */
export const begunWords = ({ game, how }) => t(`lobby.begun_${how}`, { games: pairOf(game) });

/** @param {Declined} declined */
export const declinedWords = ({ challenge: { for: challenged }, counter }) =>
  t(counter === null ? 'lobby.challenge_declined' : 'lobby.challenge_countered', {
    name: challenged === undefined ? '' : nameOf(challenged),
  });

/** @param {State} state
 * @param {() => void} forget removes the notices that have been read */
export function drawNotices({ news, trouble, begun, declined }, forget) {
  const line = news === 'online' ? null : news;
  const works = html`<a class="button" href="/offline">${t('lobby.offline')}</a>`;
  const again = html`<button @click=${tryAgain}>${t('line.try_again')}</button>`;
  const reload = html`<button @click=${() => location.reload()}>${t('line.reload_button')}</button>`;
  const close = html`<button class="quiet icon" aria-label=${t('page.close')} @click=${forget}>${icon('close')}</button>`;
  render(
    html`${line === null ? nothing : html`<p class="notice">${t(`line.${line}`)} ${line === 'offline' ? works : line === 'reload' || line === 'signed_out' ? reload : line === 'nothing_kept' ? again : nothing}</p>`}
      ${trouble === null ? nothing : html`<p class="notice">${trouble} ${close}</p>`}
      ${
        begun === null
          ? nothing
          : html`<p class="notice">${begunWords(begun)}
              <a class="button primary" href=${`/game/${begun.game.id}`}>${t('lobby.to_game')}</a> ${close}</p>`
      }
      ${declined === null ? nothing : html`<p class="notice">${declinedWords(declined)} ${declined.counter === null ? nothing : html`<a class="button primary" href=${`/game/${declined.counter}`}>${t('lobby.answer')}</a>`} ${close}</p>`}`,
    byId('notices'),
  );
}
