// The passkeys of the account: each can be renamed and removed, and others are added.

import { addPasskey, listPasskeys, namePasskey, removePasskey } from '../connection/api.js';
import { dates, wordsOf } from '../ui/page.js';
import { plainLine } from '../ui/pasted.js';
import { html, nothing, render } from '../vendor/lit-html@3.3.3/lit-html.js';
import { labelField, sent } from './fields.js';
import { elsewhere, HAS_PASSKEYS, makePasskey } from './passkeys.js';
import { proofPlace, sentWithProof } from './proof.js';
import { say } from './visitor-words.js';

/** @import { OwnPasskey } from '../protocol.js' */

const day = dates({ dateStyle: 'medium', timeZone: 'UTC' });

/** Shows them.
 * @param {HTMLElement} element
 * @param {string} name the account's
 */
export async function showPasskeys(element, name) {
  /** @type {OwnPasskey[]} */
  let passkeys = [];
  /** @type {string | null} the passkey whose forms are shown */
  let open = null;
  let status = '';
  /** @type {string | null} */
  let trouble = null;
  draw();
  try {
    ({ passkeys } = await listPasskeys());
  } catch (error) {
    trouble = wordsOf(error);
  }
  draw();

  /** Shows what has changed. The forms, and with them the focus, go.
   * @param {OwnPasskey[]} now
   * @param {string} words
   */
  function changed(now, words) {
    [passkeys, status, open] = [now, words, null];
    draw();
    element.focus();
  }

  /** @param {SubmitEvent} event */
  function add(event) {
    return sentWithProof(event, {}, async () => {
      const passkey = await makePasskey({ purpose: 'add' });
      changed((await addPasskey({ passkey })).passkeys, say('passkey.added'));
    });
  }

  /** @param {string} id */
  const rename = (id) => (/** @type {SubmitEvent} */ event) =>
    sent(event, { invalid_body: ['label', say('passkey.label_wrong')] }, async (values) => {
      const { passkeys: now } = await namePasskey(id, { label: plainLine(values.label) });
      changed(now, say('passkey.renamed'));
    });

  /** @param {string} id */
  const remove = (id) => (/** @type {SubmitEvent} */ event) =>
    sentWithProof(event, {}, async () => {
      await removePasskey(id);
      changed(
        passkeys.filter((passkey) => passkey.id !== id),
        say('passkey.removed'),
      );
    });

  /** @param {string} id */
  function toggle(id) {
    open = open === id ? null : id;
    draw();
  }

  function draw() {
    const offer = html`<form @submit=${add}>
        ${proofPlace(name)}
        <p class="error" role="alert"></p>
        <button>${say('passkey.add')}</button>
      </form>`;
    render(
      html`<h3 id="passkeys-title">${say('passkey.title')}</h3>
        <p>${say('passkey.lead')}</p>
        <p role="status">${status}</p>
        ${passkeys.length === 0 ? nothing : html`<ul>${passkeys.map(row)}</ul>`}
        <p class="error" role="alert">${trouble}</p>
        ${HAS_PASSKEYS ? offer : elsewhere()}`,
      element,
    );
  }

  /** @param {OwnPasskey} passkey */
  function row({ id, label, created_ms, used_ms }) {
    const called = label ?? say('passkey.unnamed');
    const days = { made: day.format(created_ms), used: day.format(used_ms) };
    return html`<li>
      <span><bdi>${called}</bdi> <small>${say('passkey.days', days)}</small></span>
      <button aria-expanded=${open === id} aria-label=${say('passkey.change_named', { label: called })} @click=${() => toggle(id)}>${say('passkey.change')}</button>
      ${open === id ? forms(id, called) : nothing}
    </li>`;
  }

  /** @param {string} id
   * @param {string} label
   */
  const forms = (id, label) =>
    html`<form @submit=${rename(id)}>
        ${labelField(say('passkey.label'), label)}
        <p class="error" role="alert"></p>
        <button>${say('rename.submit')}</button>
      </form>
      <form @submit=${remove(id)}>
        <p>${say('passkey.remove_lead')}</p>
        ${proofPlace(name)}
        <p class="error" role="alert"></p>
        <button>${say('passkey.remove')}</button>
      </form>`;
}
