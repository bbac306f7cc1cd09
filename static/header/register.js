// The dialog that makes an account of a guest.

import { register } from '../connection/api.js';
import { tellVisitor } from '../connection/session.js';
import { announce } from '../ui/page.js';
import { plainLine } from '../ui/pasted.js';
import { html } from '../vendor/lit-html@3.3.3/lit-html.js';
import { isByPasskey, nameField, passwordField, sent } from './fields.js';
import { nextDialog } from './next-dialog.js';
import { elsewhere, HAS_PASSKEYS, makePasskey } from './passkeys.js';
import { showRecoveryCode } from './recovery-code.js';
import { say } from './visitor-words.js';

/** Shows the form.
 * @param {string} name the guest's
 */
export function showRegister(name) {
  const dialog = nextDialog(
    say('register.title'),
    html`<form @submit=${submit}>
      <p>${say('register.lead')}</p>
      ${nameField(say('register.name'), name, 'username', say('register.name_hint'))}
      ${passwordField('password', say('password.label'), 'new-password')}
      <p class="error" role="alert"></p>
      <button class="primary">${say('register.submit')}</button>
      ${HAS_PASSKEYS ? byPasskey() : elsewhere()}
    </form>`,
  );
  dialog.querySelector('input')?.focus();
}

const byPasskey = () =>
  html`<p><small id="passkey-lead">${say('passkey.instead')}</small></p>
    <button name="passkey" formnovalidate aria-describedby="passkey-lead">${say('passkey.register')}</button>`;

/** @param {SubmitEvent} event */
const submit = (event) =>
  sent(
    event,
    { name_taken: ['name'], invalid_body: ['name'], weak_password: ['password'] },
    async (values) => {
      const name = plainLine(values.name);
      const credential = isByPasskey(event)
        ? { passkey: await makePasskey({ purpose: 'register', name }) }
        : { password: values.password };
      const account = await register({ name, ...credential });
      tellVisitor(account.player);
      showRecoveryCode(account, say('recovery.why'), () =>
        announce(say('register.done', { name: account.player.name })),
      );
    },
  );
