// Fields of the forms about accounts. Each shows its own errors.

import { ApiError } from '../connection/api.js';
import { byId, icon, wordsOf } from '../ui/page.js';
import { submitted } from '../ui/submit.js';
import { html, nothing } from '../vendor/lit-html@3.3.3/lit-html.js';
import { say } from './visitor-words.js';

/** @import { Failure } from '../connection/api.js' */
/** @import { TemplateResult } from '../vendor/lit-html@3.3.3/lit-html.js' */

/** The fields that cause problems, by the problem's code, and the words about it if they are others than everywhere.
 * @typedef {{ [code in Failure]?: [field: string, words?: string] }} Causes */

/**
 * @param {string} name
 * @param {string} label
 * @param {string | null} hint
 * @param {(id: string, described: string) => TemplateResult} input
 */
const field = (name, label, hint, input) => html`<div class="field">
    <label for=${`${name}-field`}>${label}</label>
    ${input(`${name}-field`, `${name}-hint ${name}-error`)}
    <small id=${`${name}-hint`}>${hint}</small>
    <p class="error" id=${`${name}-error`}></p>
  </div>`;

/** The name of a player.
 * @param {string} label
 * @param {string} value
 * @param {'username' | 'nickname' | 'username webauthn'} autocomplete
 * @param {string | null} [hint]
 */
export const nameField = (label, value, autocomplete, hint = null) =>
  field(
    'name',
    label,
    hint,
    (
      id,
      described,
    ) => html`<input id=${id} name="name" required maxlength="24" autocomplete=${autocomplete} autocapitalize="off"
      spellcheck="false" value=${value} aria-describedby=${described} />`,
  );

/** What a passkey is called.
 * @param {string} label
 * @param {string} value
 */
export const labelField = (label, value) =>
  field(
    'label',
    label,
    null,
    (
      id,
      described,
    ) => html`<input id=${id} name="label" required maxlength="40" autocomplete="off" value=${value}
      aria-describedby=${described} />`,
  );

/** @param {string} label */
export const codeField = (label) =>
  field(
    'code',
    label,
    null,
    (
      id,
      described,
    ) => html`<input id=${id} name="code" required maxlength="40" autocomplete="off" autocapitalize="characters"
      spellcheck="false" aria-describedby=${described} />`,
  );

/** @param {string} label */
export const mailField = (label) =>
  field(
    'address',
    label,
    null,
    (
      id,
      described,
    ) => html`<input id=${id} name="address" type="email" required maxlength="254" autocomplete="email"
      aria-describedby=${described} />`,
  );

/** A password, which can be shown.
 * @param {'password' | 'proof'} name
 * @param {string} label
 * @param {'current-password' | 'new-password'} autocomplete
 * @param {string | null} [hint]
 */
export const passwordField = (name, label, autocomplete, hint = null) => {
  const isNew = autocomplete === 'new-password';
  return field(
    name,
    label,
    isNew ? say('password.hint') : hint,
    (id, described) => html`<span class="secret">
      <input id=${id} name=${name} type="password" required minlength=${isNew ? 8 : nothing} maxlength="128"
        autocomplete=${autocomplete} aria-describedby=${described} />
      <button type="button" class="quiet icon" aria-pressed="false" title=${say('password.show')} aria-label=${say('password.show')}
        @click=${toggle}>${icon('eye')}</button>
    </span>`,
  );
};

/** Shows a password, or hides it again.
 * @param {Event} event
 */
function toggle(event) {
  const button = /** @type {HTMLElement} */ (event.currentTarget);
  const input = /** @type {HTMLInputElement} */ (button.previousElementSibling);
  const isShown = input.type === 'text';
  input.type = isShown ? 'password' : 'text';
  button.setAttribute('aria-pressed', String(!isShown));
}

/** Whether a form was sent by its button for passkeys.
 * @param {SubmitEvent} event
 */
export const isByPasskey = ({ submitter }) =>
  submitter instanceof HTMLButtonElement && submitter.name === 'passkey';

/** Works on what a form asks for. A problem that a field causes is shown there.
 * @param {SubmitEvent} event
 * @param {Causes} causes
 * @param {(values: Record<string, string>) => Promise<void>} work
 */
export async function sent(event, causes, work) {
  event.preventDefault();
  const form = /** @type {HTMLFormElement} */ (event.target);
  await submitted(form, async () => {
    for (const input of form.querySelectorAll('[aria-invalid]')) {
      input.removeAttribute('aria-invalid');
      byId(input.id.replace(/field$/, 'error')).textContent = '';
    }
    try {
      await work(/** @type {Record<string, string>} */ (Object.fromEntries(new FormData(form))));
    } catch (error) {
      const cause = error instanceof ApiError ? causes[error.code] : undefined;
      if (cause === undefined) throw error;
      const [name, words = wordsOf(error)] = cause;
      const input = byId(`${name}-field`);
      byId(`${name}-error`).textContent = words;
      input.setAttribute('aria-invalid', 'true');
      input.focus();
    }
  });
}
