// The names of players as pages show them: guests are marked, to be told apart from accounts. A bot's name is its mark, as
// *Bot 3*: no person can have one like it.

import { html, nothing } from '../vendor/lit-html@3.3.3/lit-html.js';
import { nameOf, t } from './page.js';

/** @import { Player } from '../protocol.js' */

/** Whether a name is that of a new guest, which says so. No account has such a name.
 * @param {string} name
 */
export const isNewGuest = (name) => /^(Guest|Invité) \d+$/.test(name);

/** Number of letters beside which a mark fits in the narrowest place of a name. */
const SHORT = 8;

/** A player's name, and its mark: a short last word keeps the mark in its line, and no mark breaks a long one.
 * @param {Player} player
 */
export function playerName(player) {
  const name = nameOf(player);
  const mark = markOf(player);
  if (mark === nothing) return html`<bdi>${name}</bdi>`;
  const isShort = name.length - name.lastIndexOf(' ') <= SHORT;
  return html`<bdi>${name}</bdi>${isShort ? '\u00a0' : ' '}${mark}`;
}

/** @param {Player} player */
function markOf({ name, kind }) {
  return kind === 'guest' && !isNewGuest(name)
    ? html`<span class="guest-mark">${t('page.guest_mark')}</span>`
    : nothing;
}

/** A text of the page with the names of players in it.
 * @param {string} key
 * @param {Record<string, Player>} players
 * @param {Record<string, string>} [args] what else the text has places for
 */
export function withNames(key, players, args) {
  const places = Object.keys(players).map((place) => [place, `{${place}}`]);
  const parts = t(key, { ...args, ...Object.fromEntries(places) }).split(/\{(\w+)\}/);
  return parts.map((part, index) => (index % 2 === 0 ? part : playerName(players[part])));
}
