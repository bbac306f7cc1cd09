// Forms that change what protects an account. A session that is not proved gets a field for the present password in them, and a
// button for passkeys, as soon as the server asks for a proof, and then goes on.

import { ApiError, getAccount, listPasskeys, prove } from '../connection/api.js';
import { submitted } from '../ui/submit.js';
import { html, nothing, render } from '../vendor/lit-html@3.3.3/lit-html.js';
import { passwordField, sent } from './fields.js';
import { HAS_PASSKEYS, provedByPasskey, usePasskey } from './passkeys.js';
import { say } from './visitor-words.js';

/** @import { Causes } from './fields.js' */

/** The place in a form for these, and the name that the password belongs to, for password managers.
 * @param {string} name
 */
export const proofPlace = (
  name,
) => html`<input name="username" autocomplete="username" value=${name} hidden />
  <div class="proof"></div>`;

/** Works on what a form asks for, with a proof if it needs one.
 * @param {SubmitEvent} event
 * @param {Causes} causes
 * @param {(values: Record<string, string>) => Promise<void>} work
 */
export const sentWithProof = (event, causes, work) =>
  sent(event, { ...causes, wrong_credentials: ['proof', say('password.wrong')] }, async (values) => {
    if (values.proof !== undefined) await prove({ password: values.proof });
    try {
      await work(values);
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'prove_again')) throw error;
      await askIn(/** @type {HTMLFormElement} */ (event.target));
      return;
    }
    removeFields();
  });

/** Proves the account by a passkey, and then sends the form again.
 * @param {HTMLFormElement} form
 */
async function proveByPasskey(form) {
  let isProved = false;
  await submitted(form, async () => {
    const passkey = await usePasskey({ purpose: 'prove' });
    await provedByPasskey(() => prove({ passkey }));
    isProved = true;
  });
  if (!isProved) return;
  removeFields();
  form.requestSubmit();
}

function removeFields() {
  for (const place of document.querySelectorAll('.proof'))
    render(nothing, /** @type {HTMLElement} */ (place));
}

/** @param {HTMLFormElement} form */
async function askIn(form) {
  const [{ has_password }, { passkeys }] = await Promise.all([getAccount(), listPasskeys()]);
  removeFields();
  const place = /** @type {HTMLElement} */ (form.querySelector('.proof'));
  render(
    html`${has_password ? passwordField('proof', say('password.current'), 'current-password', say('password.prove')) : html`<p>${say('password.prove')}</p>`}
      ${HAS_PASSKEYS && passkeys.length > 0 ? html`<button type="button" @click=${() => proveByPasskey(form)}>${say('passkey.prove')}</button>` : nothing}`,
    place,
  );
  /** @type {HTMLElement | null} */ (place.querySelector('input, button'))?.focus();
}
