// The form that begins a game on this device: its rules, and a person or a level of the computer for each side.

import { bareWord } from '../connection/links.js';
import { RULESETS, disc, rulesetName, sideName, t } from '../ui/page.js';
import { html, nothing } from '../vendor/lit-html@3.3.3/lit-html.js';

/** @import { Ruleset, Side } from '../protocol.js' */
/** @import { Players } from './match.js' */

const LEVELS = [1, 2, 3, 4, 5, 6, 7, 8];

/** A game that is about to begin.
 * @typedef {{ ruleset: Ruleset, players: Players }} Wish */

/** The name of the player of a side in a list of choices.
 * @param {number | null} level
 */
export const playerWords = (level) =>
  level === null ? t('local.person') : t('local.computer', { n: level });

/** The game that an address asks for, against a level of the computer and with the person's side; null if it asks for none.
 * @param {URLSearchParams} address
 * @returns {Wish | null}
 */
export function wishIn(address) {
  const ruleset = RULESETS.find((name) => name === bareWord(address.get('ruleset') ?? ''));
  const level = LEVELS.find((level) => String(level) === bareWord(address.get('level') ?? ''));
  if (ruleset === undefined || level === undefined) return null;
  const isSecond = bareWord(address.get('side') ?? '') === 'second';
  return { ruleset, players: isSecond ? { first: level, second: null } : { first: null, second: level } };
}

/**
 * @param {object} form
 * @param {Wish} form.wish
 * @param {(wish: Wish) => void} form.change
 * @param {() => void} form.begin
 * @param {(() => void) | null} form.back leads to the game that is kept; null if there is none
 */
export function setupForm({ wish, change, begin, back }) {
  const { ruleset, players } = wish;
  /** @param {SubmitEvent} event */
  const submit = (event) => {
    event.preventDefault();
    begin();
  };
  /** @param {Event} event */
  const chooseRuleset = ({ target }) => {
    const { value } = /** @type {HTMLSelectElement} */ (target);
    change({ ...wish, ruleset: RULESETS.find((name) => name === value) ?? ruleset });
  };
  /** @param {Side} side
   * @param {Event} event */
  const choosePlayer = (side, { target }) => {
    const level = Number(/** @type {HTMLSelectElement} */ (target).value);
    change({ ...wish, players: { ...players, [side]: level === 0 ? null : level } });
  };
  /** @param {Side} side
   * @param {string} key */
  const playerField = (side, key) => html`<label class="field">
      <span>${disc(ruleset, side)} ${t(key, { side: sideName(ruleset, side) })}</span>
      <select name=${side} @change=${(/** @type {Event} */ event) => choosePlayer(side, event)}>
        ${[null, ...LEVELS].map((level) => html`<option value=${level ?? 0} ?selected=${players[side] === level}>${playerWords(level)}</option>`)}
      </select>
    </label>`;
  return html`<form @submit=${submit}>
      <label class="field">${t('local.game')}
        <select name="ruleset" @change=${chooseRuleset}>
          ${RULESETS.map((name) => html`<option value=${name} ?selected=${name === ruleset}>${rulesetName(name)}</option>`)}
        </select>
      </label>
      ${playerField('first', 'local.begins')} ${playerField('second', 'local.follows')}
      <p class="buttons">
        <button class="primary">${t('local.begin')}</button>
        ${back === null ? nothing : html`<button type="button" class="quiet" @click=${back}>${t('local.back')}</button>`}
      </p>
      ${back === null ? nothing : html`<p class="hint">${t('local.replaces')}</p>`}
    </form>`;
}
