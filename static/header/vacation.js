// The visitor's vacation: the days that are left, its beginning and its end, and whether a day is used when time runs out.

import { beginVacation, endVacation, getVacation, setVacation } from '../connection/api.js';
import { serverTime } from '../connection/server-time.js';
import { announce, momentOf, wordsOf } from '../ui/page.js';
import { html, nothing, render } from '../vendor/lit-html@3.3.3/lit-html.js';
import { say } from './visitor-words.js';

/** @import { Vacation } from '../protocol.js' */

const DAY_MS = 24 * 3_600_000;

/** Shows the vacation in a section.
 * @param {HTMLElement} element */
export async function showVacation(element) {
  /** @type {Vacation | null} */
  let vacation = null;
  /** The days that the visitor has chosen, and has not confirmed yet.
   * @type {number | null} */
  let chosen = null;
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

  /** Asks whether the vacation is meant: its days are gone once they have begun.
   * @param {SubmitEvent} event */
  function choose(event) {
    event.preventDefault();
    const { days } = Object.fromEntries(new FormData(/** @type {HTMLFormElement} */ (event.target)));
    chosen = Number(days);
    draw();
    element.querySelector('button')?.focus();
  }

  /** @param {number} days */
  const begin = (days) =>
    change(async () => {
      const begun = await beginVacation({ days });
      chosen = null;
      return begun;
    });

  /** Sets whether a day is used when time runs out. The box shows what was kept, also after a failure.
   * @param {Event} event */
  async function setAutomatic(event) {
    const box = /** @type {HTMLInputElement} */ (event.target);
    await attempt(() => setVacation({ automatic: box.checked }));
    if (vacation !== null) box.checked = vacation.automatic;
  }

  function keep() {
    chosen = null;
    draw();
    element.querySelector('input')?.focus();
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
      ${present !== null ? end : chosen === null ? beginForm(days_left) : question(chosen, days_left)}
      <label class="check"><input type="checkbox" .checked=${automatic} aria-describedby="vacation-hint" @change=${setAutomatic} />
        <span>${say('vacation.automatic')}</span></label>
      <small id="vacation-hint">${say('vacation.automatic_hint')}</small>`;
  }

  /** The question before a vacation of some days.
   * @param {number} days
   * @param {number} left those that there are
   */
  const question = (days, left) =>
    html`<div class="sure" role="group" aria-labelledby="vacation-sure" aria-describedby="vacation-sure-words">
      <p id="vacation-sure"><strong>${say('vacation.sure', { n: days })}</strong></p>
      <p id="vacation-sure-words">${say('vacation.sure_words', { n: left - days, when: momentOf(serverTime.now() + days * DAY_MS) })}</p>
      <p class="buttons"><button type="button" class="primary" @click=${() => begin(days)}>${say('vacation.yes')}</button>
        <button type="button" class="quiet" @click=${keep}>${say('vacation.no')}</button></p>
    </div>`;

  /** @param {number} left */
  function beginForm(left) {
    if (left === 0) return nothing;
    return html`<form class="vacation" @submit=${choose}>
      <label>${say('vacation.days')}
        <input type="number" name="days" inputmode="numeric" required min="1" max=${left} step="1" value="1" />
      </label>
      <button>${say('vacation.begin')}</button>
    </form>`;
  }
}
