// The dialog of the preferences, its button in the header, and the way out of the view with nothing but the board.

import { html, render, svg } from '../vendor/lit-html@3.3.3/lit-html.js';
import { openDialog } from './dialog.js';
import { announce, byId, icon, picture, t } from './page.js';
import { NAMES, PREFERENCES } from './preference-values.js';
import { followPreferences, prefer, preferred } from './preferences.js';

/** @import { Name } from './preference-values.js' */

const SLIDERS = svg`<path d="M4 7h9M17 7h3M4 17h3M11 17h9"/><circle cx="15" cy="7" r="2.2"/><circle cx="9" cy="17" r="2.2"/>`;

/** Shows the preferences. Each is kept and applied as soon as it is chosen. */
export function showPreferences() {
  const now = preferred();
  openDialog(
    t('preferences.title'),
    html`<p>${t('preferences.lead')}</p>
      <div class="preferences">${NAMES.map((name) => choice(name, now[name]))}</div>
      <p class="hint">${t('preferences.confirm_hint')}</p>
      <p class="hint">${t('preferences.keys_hint')}</p>`,
  );
}

/** @param {Name} name
 * @param {string} chosen */
const choice = (name, chosen) => html`<label class="field">${t(`preferences.${name}`)}
    <select name=${name} @change=${(/** @type {Event} */ event) => prefer(name, /** @type {HTMLSelectElement} */ (event.target).value)}>
      ${PREFERENCES[name].map((value) => html`<option value=${value} ?selected=${value === chosen}>${t(`preferences.${name}_${value}`)}</option>`)}
    </select>
  </label>`;

/** Hides all but the board, its players and the turn, or shows it again. */
export function toggleZen() {
  const isZen = preferred().zen === 'on';
  prefer('zen', isZen ? 'off' : 'on');
  announce(t(isZen ? 'preferences.zen_left' : 'preferences.zen_entered'));
}

/** Puts the button of the preferences into the header, and the one that leads out of zen where nothing hides it. */
export function offerPreferences() {
  const tools = document.createElement('span');
  tools.className = 'preferences-tool';
  byId('top').querySelector('.tools')?.prepend(tools);
  const label = t('preferences.title');
  render(
    html`<button class="quiet icon" title=${label} aria-label=${label} @click=${showPreferences}>${picture(SLIDERS)}</button>`,
    tools,
  );
  const exit = document.createElement('div');
  exit.className = 'zen-exit';
  byId('main').append(exit);
  const leave = t('preferences.zen_leave');
  const drawExit = () =>
    render(
      preferred().zen === 'on'
        ? html`<button class="quiet icon" title=${leave} aria-label=${leave} @click=${toggleZen}>${icon('close')}</button>`
        : html``,
      exit,
    );
  followPreferences(drawExit);
  drawExit();
}
