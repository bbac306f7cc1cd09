// The choice of a bot's level.

import { html } from '../vendor/lit-html@3.3.3/lit-html.js';
import { recall, remember, t } from './page.js';

const LEVELS = [1, 2, 3, 4, 5, 6, 7, 8];
export const HIGHEST = LEVELS.length;

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
