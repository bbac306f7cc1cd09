// Bots: their mark beside a name, and the choice of a level.

import { html, nothing } from '../vendor/lit-html@3.3.3/lit-html.js';
import { recall, remember, t } from './page.js';

/** @import { Player } from '../protocol.js' */

const LEVELS = [1, 2, 3, 4, 5, 6, 7, 8];
export const HIGHEST = LEVELS.length;

/** The sign that stands beside the name of a bot; nothing for a person, whatever the name.
 * @param {Player | undefined} player
 */
export const botMark = (player) =>
  player?.bot === undefined
    ? nothing
    : html` <span class="bot-mark"><span aria-hidden="true">${t('bot.mark')}</span><span class="sr">${t('bot.long', { n: player.bot })}</span></span>`;

/** The level of last time; the lowest before the first game. */
export const keptLevel = () => LEVELS.find((level) => String(level) === recall('level')) ?? 1;

/** @param {number} level */
export const keepLevel = (level) => remember('level', String(level));

/** @param {number} chosen */
export const levelOptions = (chosen) =>
  LEVELS.map(
    (level) => html`<option value=${level} ?selected=${level === chosen}>${t(`bot.level_${level}`)}</option>`,
  );

/** The field with the level of a bot. */
export const levelField = () =>
  html`<label class="filter">${t('bot.level')} <select name="level">${levelOptions(keptLevel())}</select></label>`;

/** The level that is chosen in a form. The device keeps it for the next time.
 * @param {HTMLFormElement} form
 */
export function levelIn(form) {
  const level = Number(new FormData(form).get('level'));
  keepLevel(level);
  return level;
}
