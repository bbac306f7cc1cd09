// The dialog by which a player is reported to the moderators.

import { reportPlayer } from '../connection/api.js';
import { nameOf, recall } from '../ui/page.js';
import { plainLine } from '../ui/pasted.js';
import { html } from '../vendor/lit-html@3.3.3/lit-html.js';
import { sent } from './fields.js';
import { nextDialog, showDone } from './next-dialog.js';
import { showRegister } from './register.js';
import { showSignIn } from './sign-in.js';
import { say } from './visitor-words.js';

/** @import { Player, ReportKind } from '../protocol.js' */

const MAX_CHARS = 500;

/** @type {ReportKind[]} */
const KINDS = ['chat', 'name', 'play'];

/** Shows the dialog.
 * @param {Player} player
 * @param {string} game the id of the game in which they met
 */
export function showReport(player, game) {
  const title = say('report.title', { name: nameOf(player) });
  if (!recall('account')) {
    nextDialog(title, ofGuest);
    return;
  }
  /** @param {SubmitEvent} event */
  const submit = (event) =>
    sent(event, {}, async ({ kind, text }) => {
      const line = plainLine(text);
      const more = line === '' ? {} : { text: line };
      await reportPlayer({ player: player.id, kind: /** @type {ReportKind} */ (kind), game, ...more });
      showDone(title, say('report.done'));
    });
  nextDialog(
    title,
    html`<form @submit=${submit}>
      <p>${say('report.lead')}</p>
      <fieldset>
        <legend>${say('report.what')}</legend>
        ${KINDS.map(
          (kind) =>
            html`<label class="choice"><input type="radio" name="kind" value=${kind} required /> <span>${say(`report.${kind}`)}</span></label>`,
        )}
      </fieldset>
      <div class="field">
        <label for="report-text">${say('report.text')}</label>
        <textarea id="report-text" name="text" rows="3" maxlength=${MAX_CHARS}></textarea>
      </div>
      <p class="error" role="alert"></p>
      <button class="primary">${say('report.submit')}</button>
    </form>`,
  );
}

const ofGuest = html`<div>
  <p>${say('report.guest')}</p>
  <p class="ways">
    <button class="primary" @click=${() => showRegister('')}>${say('register.title')}</button>
    <button @click=${() => showSignIn('')}>${say('signin.title')}</button>
  </p>
</div>`;
