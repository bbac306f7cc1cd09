// The form for a record that a reader brings; nothing of it is kept anywhere.

import { checkRecord } from '../connection/api.js';
import { linkedGame } from '../connection/links.js';
import { leaveFor } from '../ui/leaving.js';
import { byId, t } from '../ui/page.js';
import { preparedRecord } from '../ui/pasted.js';
import { submitted } from '../ui/submit.js';
import { html, render } from '../vendor/lit-html@3.3.3/lit-html.js';

/** @typedef {Awaited<ReturnType<typeof checkRecord>>} Checked */

/** Shows the form.
 * @param {(game: Checked) => void} open shows the game of a record
 */
export function askForRecord(open) {
  document.title = t('page.title', { page: t('import.title') });
  render(
    html`<h1>${t('import.title')}</h1>
      <p class="lead">${t('import.lead')}</p>`,
    byId('heading'),
  );
  render(
    html`<form @submit=${(/** @type {SubmitEvent} */ event) => bring(event, open)}>
      <label class="field">${t('import.file')} <input type="file" accept=".txt,.json,text/plain,application/json" @change=${read} /></label>
      <label class="field">${t('import.paste')}
        <textarea id="record" name="record" rows="10" required spellcheck="false" autocapitalize="off"></textarea>
      </label>
      <p class="error" role="alert" id="trouble"></p>
      <button class="primary big">${t('import.show')}</button>
    </form>`,
    byId('import'),
  );
}

/** Puts a chosen file into the field for pasted records, so that its text is seen before it is sent.
 * @param {Event} event
 */
async function read(event) {
  const file = /** @type {HTMLInputElement} */ (event.target).files?.[0];
  if (file !== undefined) /** @type {HTMLTextAreaElement} */ (byId('record')).value = await file.text();
}

/** @param {SubmitEvent} event
 * @param {(game: Checked) => void} open */
function bring(event, open) {
  event.preventDefault();
  const form = /** @type {HTMLFormElement} */ (event.target);
  const field = /** @type {HTMLTextAreaElement} */ (byId('record'));
  const linked = linkedGame(field.value);
  const record = preparedRecord(field.value);
  // A refusal names lines of the text that it is about.
  if (linked === null) field.value = record;
  const work = async () => {
    if (linked !== null) return leaveFor(`/replay/${linked}`);
    const game = await checkRecord(record);
    document.body.classList.remove('importing');
    open(game);
    byId('status').focus();
  };
  submitted(form, work, record);
}
