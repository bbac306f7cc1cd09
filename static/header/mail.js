// The mail address of an account: the forms of the security dialog, and the dialogs of links and of a lost password.

import { allowMailRecovery, confirmMail, recoverByMail, removeMail, setMail } from '../connection/api.js';
import { plainLine } from '../ui/pasted.js';
import { html, nothing } from '../vendor/lit-html@3.3.3/lit-html.js';
import { mailField, nameField, sent } from './fields.js';
import { withLink } from './link-secret.js';
import { nextDialog, showDone } from './next-dialog.js';
import { proofPlace, sentWithProof } from './proof.js';
import { browserZone } from './turn-mails.js';
import { say } from './visitor-words.js';

/** @import { Account } from '../protocol.js' */
/** @import { Causes } from './fields.js' */
/** @import { TemplateResult } from '../vendor/lit-html@3.3.3/lit-html.js' */

/** @type {() => Causes} */
const causes = () => ({ invalid_body: ['address', say('mail.wrong')] });

/** The forms by which an account gets, changes or loses its address.
 * @param {Account} account
 * @param {TemplateResult} status what has just changed
 * @param {(status: string) => void} done called with the words about a change
 */
export function mailForms({ player: { name }, mail }, status, done) {
  /** @param {SubmitEvent} event */
  const set = (event) =>
    sentWithProof(event, causes(), async (values) => {
      const address = plainLine(values.address);
      await setMail({ address, zone: browserZone() });
      /** @type {HTMLFormElement} */ (event.target).reset();
      done(say('mail.sent', { address }));
    });
  return html`<form aria-labelledby="mail-title" @submit=${set}>
      <h3 id="mail-title">${say('mail.title')}</h3>
      <p>${mail === undefined ? say('mail.lead') : say('mail.current', { address: mail.address })}</p>
      ${mail?.refused === true ? html`<p class="error">${say('mail.refused')}</p>` : nothing}
      ${status}
      ${mailField(say(mail === undefined ? 'mail.label' : 'mail.new'))}
      ${proofPlace(name)}
      <p class="error" role="alert"></p>
      <button>${say('mail.submit')}</button>
    </form>
    ${mail === undefined ? nothing : [change(name, ...recovery(mail.recovers), done), change(name, removeMail, 'mail.remove', 'mail.removed', done)]}`;
}

/** What a press changes about recovering by mail.
 * @param {boolean} recovers whether it is allowed
 * @returns {[work: () => Promise<unknown>, label: string, words: string]}
 */
const recovery = (recovers) =>
  recovers
    ? [() => allowMailRecovery(false), 'mail.forbid', 'mail.forbidden']
    : [() => allowMailRecovery(true), 'mail.allow', 'mail.allowed'];

/** A button that changes something about the address.
 * @param {string} name the account's
 * @param {() => Promise<unknown>} work
 * @param {string} label
 * @param {string} words about the change
 * @param {(status: string) => void} done
 */
function change(name, work, label, words, done) {
  /** @param {SubmitEvent} event */
  const submit = (event) =>
    sentWithProof(event, {}, async () => {
      await work();
      done(say(words));
    });
  return html`<form aria-label=${say(label)} @submit=${submit}>
    ${proofPlace(name)}
    <p class="error" role="alert"></p>
    <button>${say(label)}</button>
  </form>`;
}

/** Shows the dialog of a link that confirms an address.
 * @param {string} link its secret
 */
export function showConfirmation(link) {
  nextDialog(
    say('mail.confirm_title'),
    html`<form @submit=${submit}>
      <p>${say('mail.confirm_lead')}</p>
      <p class="error" role="alert"></p>
      <button class="primary">${say('mail.confirm_submit')}</button>
    </form>`,
  );

  /** @param {SubmitEvent} event */
  function submit(event) {
    return sent(event, {}, async () => {
      await withLink(() => confirmMail({ link }));
      showDone(say('mail.confirm_title'), say('mail.confirmed'));
    });
  }
}

/** Shows the form that has a link sent for a new password.
 * @param {string} name
 */
export function showMailRecovery(name) {
  nextDialog(
    say('recovery.by_mail'),
    html`<form @submit=${submit}>
      <p>${say('recovery.mail_lead')}</p>
      ${nameField(say('signin.name'), name, 'username')}
      ${mailField(say('mail.label'))}
      <p class="error" role="alert"></p>
      <button class="primary">${say('recovery.mail_submit')}</button>
    </form>`,
  );

  /** @param {SubmitEvent} event */
  function submit(event) {
    return sent(event, causes(), async ({ name, address }) => {
      await recoverByMail({ name: plainLine(name), mail: plainLine(address) });
      showDone(say('recovery.by_mail'), say('recovery.mail_sent'));
    });
  }
}
