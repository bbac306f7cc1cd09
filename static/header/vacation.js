// The visitor's vacation: the days that are left, its beginning and its end, and whether a day is used when time runs out.

import { beginVacation, endVacation, getVacation, setVacation } from '../connection/api.js';
import { announce, momentOf, wordsOf } from '../ui/page.js';
import { html, nothing, render } from '../vendor/lit-html@3.3.3/lit-html.js';
import { say } from './visitor-words.js';

/** @import { Vacation } from '../protocol.js' */

/** Shows the vacation in a section.
 * @param {HTMLElement} element */
export async function showVacation(element) {
  /** @type {Vacation | null} */
  let vacation = null;
  /** @type {string | null} */
  let trouble = null;
  await attempt(getVacation);

  /** @param {() => Promise<Vacation>} work */
  async function attempt(work) {
    trouble = null;
    try {
      vacation = await work();
    } catch (error) {
      trouble = wordsOf(error);
    }
    draw();
  }

  /** Begins or ends the vacation, whose words then have the focus.
   * @param {() => Promise<Vacation>} work
   */
  async function change(work) {
    await attempt(work);
    if (trouble !== null) return;
    announce(stateWords());
    element.focus();
  }

  /** @param {SubmitEvent} event */
  function begin(event) {
    event.preventDefault();
    const { days } = Object.fromEntries(new FormData(/** @type {HTMLFormElement} */ (event.target)));
    return change(() => beginVacation({ days: Number(days) }));
  }

  function stateWords() {
    if (vacation === null) return '';
    const { present, days_left: n } = vacation;
    return present === null
      ? say('vacation.left', { n })
      : say('vacation.until', { when: momentOf(present.until_ms) });
  }

  function draw() {
    render(
      html`<details>
        <summary><h3 id="vacation-title">${say('vacation.title')}</h3></summary>
        <p>${say('vacation.lead')}</p>
        ${vacation === null ? nothing : body(vacation)}
        <p class="error" role="alert">${trouble}</p>
      </details>`,
      element,
    );
  }

  /** @param {Vacation} vacation */
  function body({ present, days_left, automatic }) {
    const end = html`<p><button type="button" @click=${() => change(endVacation)}>${say('vacation.end')}</button></p>`;
    return html`<p><strong>${stateWords()}</strong></p>
      ${present === null ? beginForm(days_left) : end}
      <label class="check"><input type="checkbox" .checked=${automatic} aria-describedby="vacation-hint"
          @change=${(/** @type {Event} */ event) => attempt(() => setVacation({ automatic: /** @type {HTMLInputElement} */ (event.target).checked }))} />
        <span>${say('vacation.automatic')}</span></label>
      <small id="vacation-hint">${say('vacation.automatic_hint')}</small>`;
  }

  /** @param {number} left */
  function beginForm(left) {
    if (left === 0) return nothing;
    return html`<form class="vacation" @submit=${begin}>
      <label>${say('vacation.days')}
        <input type="number" name="days" inputmode="numeric" required min="1" max=${left} step="1" value="1" />
      </label>
      <button>${say('vacation.begin')}</button>
    </form>`;
  }
}
