// The dialog of the preferences. Each is kept and applied as soon as it is chosen, here and on a small board.

import { createSmallBoard } from '../board/small-board.js';
import { openDialog } from '../ui/dialog.js';
import { switchLanguage } from '../ui/header.js';
import { icon, language, t } from '../ui/page.js';
import { PREFERENCES } from '../ui/preference-values.js';
import { prefer, preferred } from '../ui/preferences.js';
import { html, nothing } from '../vendor/lit-html@3.3.3/lit-html.js';

/** @import { Name } from '../ui/preference-values.js' */

/** The groups of preferences, in the order in which they are shown.
 * @type {[group: string, names: Name[]][]}
 */
const GROUPS = [
  ['looks', ['theme', 'board', 'pieces', 'coordinates', 'motion', 'zen']],
  ['play', ['confirm', 'after', 'keys']],
  ['sound', ['volume', 'haptics']],
];

/** Preferences with a hint. */
const HINTED = ['confirm', 'keys'];

const LANGUAGES = [
  ['en', 'English'],
  ['fr', 'Français'],
];

/** A position of the middle game. */
const PREVIEW = 'CSSSS1/1S5/8/8p/2P3ppp1/3P2Sp3/1PPP3p2/P8/8/5s1/sssssc 1 3 3/3';

/** Shows the preferences.
 * @param {(() => void) | null} install has the browser install the site; null where it does not offer that
 */
export function show(install) {
  const preview = createSmallBoard('fibonacci');
  preview.show(PREVIEW);
  const dialog = openDialog(
    t('preferences.title'),
    html`<p>${t('preferences.lead')}</p>
      <div class="preferences">
        <div>
          <div class="preview">${preview.element}</div>
          ${GROUPS.slice(1).map(group)}
        </div>
        <div>
          ${group(GROUPS[0])}
          ${install === null ? nothing : html`<button class="quiet" @click=${take}>${icon('download')} ${t('preferences.install')}</button>`}
        </div>
      </div>`,
  );

  function take() {
    dialog?.close();
    install?.();
  }
}

/** @param {(typeof GROUPS)[number]} group */
const group = ([name, names]) => html`<fieldset>
    <legend>${t(`preferences.group_${name}`)}</legend>
    ${names.map(field)}
    ${name === 'looks' ? languageField() : nothing}
  </fieldset>`;

/** A preference: a switch if it is on or off, else a list.
 * @param {Name} name
 */
function field(name) {
  const hint = HINTED.includes(name)
    ? html`<small id=${`hint-${name}`}>${t(`preferences.${name}_hint`)}</small>`
    : nothing;
  const describedBy = HINTED.includes(name) ? `hint-${name}` : nothing;
  const values = /** @type {readonly string[]} */ (PREFERENCES[name]);
  const now = preferred()[name];
  if (values.includes('on'))
    return html`<label class="switch">
        <span>${t(`preferences.${name}`)}</span>
        <input type="checkbox" role="switch" name=${name} aria-describedby=${describedBy} .checked=${now === 'on'}
          @change=${(/** @type {Event} */ event) => prefer(name, /** @type {HTMLInputElement} */ (event.target).checked ? 'on' : 'off')} />
      </label>${hint}`;
  return html`<label class="field">${t(`preferences.${name}`)}
      <select name=${name} aria-describedby=${describedBy}
        @change=${(/** @type {Event} */ event) => prefer(name, /** @type {HTMLSelectElement} */ (event.target).value)}>
        ${values.map((value) => html`<option value=${value} ?selected=${value === now}>${t(`preferences.${name}_${value}`)}</option>`)}
      </select>
    </label>${hint}`;
}

const languageField = () => html`<label class="field">${t('preferences.language')}
    <select name="language" @change=${(/** @type {Event} */ event) => switchLanguage(/** @type {HTMLSelectElement} */ (event.target).value)}>
      ${LANGUAGES.map(([code, name]) => html`<option value=${code} lang=${code} ?selected=${code === language}>${name}</option>`)}
    </select>
  </label>`;
