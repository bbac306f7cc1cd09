// Bots: their mark beside a name, and the choice of a level.

import { html, nothing } from '../vendor/lit-html@3.3.3/lit-html.js';
import { recall, remember, t } from './page.js';

/** @import { Player } from '../protocol.js' */

const LEVELS = [1, 2, 3, 4, 5, 6, 7, 8];
/** Levels that have a name besides their number.
 * @type {Record<number, string>}
 */
const NAMED_LEVELS = { 1: 'bot.weakest', 8: 'bot.strongest' };

/** The sign that stands beside the name of a bot; nothing for a person, whatever the name.
 * @param {Player | undefined} player
 */
export const botMark = (player) =>
  player?.bot === undefined
    ? nothing
    : html` <span class="bot-mark"><span aria-hidden="true">${t('bot.mark')}</span><span class="sr">${t('bot.long', { n: player.bot })}</span></span>`;

/** The field with the level of a bot, at first with the level of last time. */
export function levelField() {
  const chosen = recall('level') ?? '2';
  return html`<label class="filter">${t('bot.level')}
    <select name="level">
      ${LEVELS.map(
        (level) =>
          html`<option value=${level} ?selected=${String(level) === chosen}>${t(NAMED_LEVELS[level] ?? 'bot.plain', { n: level })}</option>`,
      )}
    </select>
  </label>`;
}

/** The level that is chosen in a form. The device keeps it for the next time.
 * @param {HTMLFormElement} form
 */
export function levelIn(form) {
  const level = Number(new FormData(form).get('level'));
  remember('level', String(level));
  return level;
}
