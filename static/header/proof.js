// Forms that change what protects an account. A session that is not proved gets a field for the present password in them as
// soon as the server asks for it, and then goes on.

import { ApiError, prove } from '../connection/api.js';
import { html, nothing, render } from '../vendor/lit-html@3.3.3/lit-html.js';
import { passwordField, sent } from './fields.js';
import { say } from './visitor-words.js';

/** @import { Causes } from './fields.js' */

/** The place in a form for that field, and the name that the password belongs to, for password managers.
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
      askIn(/** @type {HTMLFormElement} */ (event.target));
      return;
    }
    removeFields();
  });

function removeFields() {
  for (const place of document.querySelectorAll('.proof'))
    render(nothing, /** @type {HTMLElement} */ (place));
}

/** @param {HTMLFormElement} form */
function askIn(form) {
  removeFields();
  const place = /** @type {HTMLElement} */ (form.querySelector('.proof'));
  render(passwordField('proof', say('password.current'), 'current-password', say('password.prove')), place);
  place.querySelector('input')?.focus();
}
