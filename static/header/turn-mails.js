// The messages about turns: the form that sets when an account gets them, and the dialog of the link that stops them.

import { ApiError, changeAccount, stopTurnMails } from '../connection/api.js';
import { html, nothing } from '../vendor/lit-html@3.3.3/lit-html.js';
import { sent } from './fields.js';
import { nextDialog, showDone } from './next-dialog.js';
import { say } from './visitor-words.js';

/** @import { Account, TurnMails } from '../protocol.js' */
/** @import { TemplateResult } from '../vendor/lit-html@3.3.3/lit-html.js' */

/** @type {TurnMails[]} */
const WHEN = ['daily', 'soon', 'off'];
const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

/** The zone of this browser. */
export const browserZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** @param {number} hour */
const clock = (hour) => `${String(hour).padStart(2, '0')}:00`;

/** A field to choose an hour of the day.
 * @param {string} name
 * @param {number} chosen
 */
const hourField = (name, chosen) => html`<div class="field">
    <label for=${`${name}-field`}>${say(`notices.${name}`)}</label>
    <select id=${`${name}-field`} name=${name}>
      ${HOURS.map((hour) => html`<option value=${hour} ?selected=${hour === chosen}>${clock(hour)}</option>`)}
    </select>
  </div>`;

/** The form that sets when an account is mailed about turns, if a mail reaches it, and when nothing is sent.
 * @param {Account} account
 * @param {boolean} isMailed
 * @param {TemplateResult} status what has just changed
 * @param {(status: string) => void} done called with the words about a change
 */
export function turnMailsForm({ notices }, isMailed, status, done) {
  /** @param {SubmitEvent} event */
  const set = (event) =>
    sent(event, {}, async ({ turn_mails = notices.turn_mails, hour: daily = notices.hour, ...quiet }) => {
      const [hour, quiet_from, quiet_to] = [daily, quiet.quiet_from, quiet.quiet_to].map(Number);
      await changeAccount({
        notices: {
          turn_mails: /** @type {TurnMails} */ (turn_mails),
          hour,
          quiet_from,
          quiet_to,
          zone: browserZone(),
        },
      });
      done(say('notices.saved'));
    });
  return html`<form aria-labelledby="turn-mails-title" @submit=${set}>
    <h3 id="turn-mails-title">${say(isMailed ? 'notices.title' : 'notices.quiet_title')}</h3>
    <p>${say(isMailed ? 'notices.lead' : 'notices.quiet_lead')}</p>
    ${status}
    ${
      isMailed
        ? html`<div class="field">
              <label for="turn_mails-field">${say('notices.when')}</label>
              <select id="turn_mails-field" name="turn_mails">
                ${WHEN.map((when) => html`<option value=${when} ?selected=${when === notices.turn_mails}>${say(`notices.${when}`)}</option>`)}
              </select>
            </div>
            ${hourField('hour', notices.hour)}`
        : nothing
    }
    ${hourField('quiet_from', notices.quiet_from)}
    ${hourField('quiet_to', notices.quiet_to)}
    <p><small>${say('notices.zone', { zone: notices.zone })}
      ${notices.zone === browserZone() ? nothing : say('notices.other_zone', { zone: browserZone() })}</small></p>
    <p class="error" role="alert"></p>
    <button>${say('notices.submit')}</button>
  </form>`;
}

/** Whether the link has no account any more. There is no other one to be asked for, as there is for a new password.
 * @param {unknown} error
 */
function isVoidLink(error) {
  if (error instanceof ApiError && error.code === 'link_void') return true;
  throw error;
}

/** Shows the dialog of a link that stops the mails about turns.
 * @param {string} link its secret
 */
export function showUnsubscription(link) {
  nextDialog(
    say('notices.stop_title'),
    html`<form @submit=${submit}>
      <p>${say('notices.stop_lead')}</p>
      <p class="error" role="alert"></p>
      <button class="primary">${say('notices.stop')}</button>
    </form>`,
  );

  /** @param {SubmitEvent} event */
  function submit(event) {
    return sent(event, {}, async () => {
      const isVoid = await stopTurnMails(link).then(() => false, isVoidLink);
      showDone(say('notices.stop_title'), say(isVoid ? 'notices.stop_void' : 'notices.stopped'));
    });
  }
}
