// An automatic replay: the choice of its speed, and the players' times.

import { timeText, wholeText } from '../session/clock.js';
import { language, recall, remember, t } from '../ui/page.js';
import { html, nothing } from '../vendor/lit-html@3.3.3/lit-html.js';
import { LONGEST_MS, PACES, isCut, readingMs, waitMs } from './paces.js';

/** @import { Side } from '../protocol.js' */
/** @import { Moment } from '../session/moments.js' */

let pace = PACES.find((name) => name === recall('pace')) ?? 'even';

/** Time from the previous moment to this one, in milliseconds.
 * @param {Moment} next
 * @param {string} text what is read before it
 */
export const waitFor = (next, text) => Math.max(waitMs(pace, next), readingMs(pace, text));

/** The choice of the pace.
 * @param {() => void} changed
 */
export const paceChoice = (changed) => html`<label class="pace">${t('replay.pace')}
    <select @change=${(/** @type {Event} */ event) => choose(/** @type {HTMLSelectElement} */ (event.target).value, changed)}>
      ${PACES.map((name) => html`<option value=${name} ?selected=${name === pace}>${t(`replay.pace_${name}`)}</option>`)}
    </select>
  </label>`;

/** @param {string} value
 * @param {() => void} changed */
function choose(value, changed) {
  pace = PACES.find((name) => name === value) ?? pace;
  remember('pace', pace);
  changed();
}

/** Thinking time of a moment's turn, where it is known.
 * @param {Moment} moment
 */
export function thoughtWords({ action, tookMs }) {
  if (action === 0 || tookMs === 0) return '';
  const time = wholeText(language, tookMs);
  if (pace !== 'original' || !isCut(tookMs)) return t('replay.took', { time });
  return t('replay.took_cut', { time, shown: wholeText(language, LONGEST_MS) });
}

/** Remaining time of a side, where it is known.
 * @param {Moment} moment
 * @param {Side} side
 */
export const clockAt = ({ time }, side) =>
  time === null
    ? nothing
    : html`<span class="clock"><span class="sr">${t('clock.stands')}</span>
        <span class="time">${timeText(language, time[`${side}_ms`])}</span></span>`;
