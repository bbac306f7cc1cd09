// The view with nothing but the board, its players and the turn, and the way out of it.

import { html, nothing, render } from '../vendor/lit-html@3.3.3/lit-html.js';
import { announce, byId, icon, t } from '../ui/page.js';
import { followPreferences, prefer, preferred } from '../ui/preferences.js';

/** Hides all but the board, its players and the turn, or shows it again. */
export function toggleZen() {
  const isZen = preferred().zen === 'on';
  prefer('zen', isZen ? 'off' : 'on');
  announce(t(isZen ? 'preferences.zen_left' : 'preferences.zen_entered'));
}

/** Puts the button that leads out of the view where nothing hides it. */
export function offerWayOutOfZen() {
  const exit = document.createElement('div');
  exit.className = 'zen-exit';
  byId('main').append(exit);
  const leave = t('preferences.zen_leave');
  const draw = () =>
    render(
      preferred().zen === 'on'
        ? html`<button class="quiet icon" title=${leave} aria-label=${leave} @click=${toggleZen}>${icon('close')}</button>`
        : nothing,
      exit,
    );
  followPreferences(draw);
  draw();
}
