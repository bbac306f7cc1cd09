// The form that brings a game, a position or a link to the analysis board.

import { linkedGame } from '../connection/links.js';
import { prepared } from '../ui/pasted.js';
import { RULESETS, byId, rulesetName, t } from '../ui/page.js';
import { html, nothing, render } from '../vendor/lit-html@3.3.3/lit-html.js';
import { faultWords } from './sources.js';

/** @import { Ruleset } from '../protocol.js' */

/**
 * @param {Ruleset} chosen the ruleset of a position
 * @param {(ruleset: Ruleset, text: string) => void} open shows the analysis of a text
 */
export const bringForm = (
  chosen,
  open,
) => html`<details class="bring"><summary>${t('analysis.bring')}</summary>
  <form @submit=${(/** @type {SubmitEvent} */ event) => bring(event, open)}>
    <label class="field">${t('analysis.bring_game')}
      <select name="ruleset">${RULESETS.map((name) => html`<option value=${name} ?selected=${name === chosen}>${rulesetName(name)}</option>`)}</select>
    </label>
    <label class="field">${t('analysis.bring_text')}
      <textarea name="text" rows="3" spellcheck="false" autocapitalize="off"></textarea>
    </label>
    <p class="error" role="alert" id="bring-trouble"></p>
    <button>${t('analysis.bring_show')}</button>
  </form></details>`;

/** @param {SubmitEvent} event
 * @param {(ruleset: Ruleset, text: string) => void} open */
function bring(event, open) {
  event.preventDefault();
  const form = /** @type {HTMLFormElement} */ (event.target);
  const field = /** @type {HTMLTextAreaElement} */ (form.elements.namedItem('text'));
  const data = new FormData(form);
  const ruleset = /** @type {Ruleset} */ (String(data.get('ruleset')));
  render(nothing, byId('bring-trouble'));
  const pasted = String(data.get('text'));
  const linked = linkedGame(pasted);
  if (linked !== null) return location.assign(`/analysis?game=${linked}`);
  const fragment = /#a=\S+/.exec(pasted);
  if (fragment !== null) return location.assign(`/analysis${fragment[0]}`);
  const text = prepared(pasted);
  // A refusal names lines of the text that it is about.
  field.value = text.trimEnd();
  try {
    open(ruleset, text);
  } catch (error) {
    render(faultWords(error, text), byId('bring-trouble'));
    return;
  }
  form.closest('details')?.removeAttribute('open');
  byId('status').focus();
}
