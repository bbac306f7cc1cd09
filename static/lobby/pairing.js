// Quick pairing: a grid of clocks for a ruleset. A press joins the pool, another press leaves it.

import { amountText, clockLong, clockShort, lengthOf } from '../session/clock-text.js';
import { GAMES, RULESETS, byId, language, rulesetName, t } from '../ui/page.js';
import { html, nothing, render } from '../vendor/lit-html@3.3.3/lit-html.js';
import { clocksOf, isSamePool } from './pools.js';

/** @import { ClockRule, Pool, Ruleset } from '../protocol.js' */
/** @import { State } from './lobby-state.js' */

/** @param {Pool} pool */
export const poolName = ({ ruleset, clock }) =>
  t('pairing.pool', { game: rulesetName(ruleset), clock: clockShort(t, clock) });

/** Options for every ruleset, by games.
 * @param {string} chosen
 */
export const rulesetOptions = (chosen) =>
  GAMES.map(
    ({ game, rulesets }) =>
      html`<optgroup label=${t(`family.${game}`)}>
        ${rulesets.map((name) => html`<option value=${name} ?selected=${name === chosen}>${rulesetName(name)}</option>`)}
      </optgroup>`,
  );

/** The choice of the ruleset of the ways to begin.
 * @param {Ruleset} chosen
 * @param {(ruleset: Ruleset) => void} choose
 * @param {string | undefined} [label] its name, unless a label stands around it
 */
export function rulesetSelect(chosen, choose, label) {
  /** @param {Event} event */
  function change(event) {
    const { value } = /** @type {HTMLSelectElement} */ (event.target);
    choose(RULESETS.find((name) => name === value) ?? chosen);
  }
  return html`<select aria-label=${label ?? nothing} .value=${chosen} @change=${change}>${rulesetOptions(chosen)}</select>`;
}

/**
 * Actions of quick pairing.
 * @typedef {object} Search
 * @property {(pool: Pool, wanted: boolean) => void} seek
 * @property {(ruleset: Ruleset) => void} choose
 */

/** @param {State} state
 * @param {Search} search */
export function drawPairing({ sought, isHeard, news, pairing }, { seek, choose }) {
  const isOnline = isHeard && news === 'online';
  const clocks = clocksOf(pairing);
  render(
    html`<h2 id="pairing-title">${t('pairing.title')}</h2>
      <label class="filter">${t('create.ruleset')}
        ${rulesetSelect(pairing, choose)}
      </label>
      <div class="pools" role="group" aria-labelledby="pairing-title">
        ${clocks.map((clock) => poolButton({ ruleset: pairing, clock }, sought, isOnline, seek))}
      </div>
      <p class="seeking">${sought.length === 0 ? hint(clocks[0]) : soughtWords(sought, seek)}</p>`,
    byId('pairing'),
  );
}

/** The hint: the effect of a press, and the meaning of a clock's name.
 * @param {ClockRule} clock
 */
const hint = (clock) =>
  html`${t('pairing.hint')} ${t('pairing.means', { clock: clockShort(t, clock), words: clockLong(t, language, clock) })}`;

/**
 * @param {Pool} pool
 * @param {Pool[]} sought
 * @param {boolean} isOnline
 * @param {(pool: Pool, wanted: boolean) => void} seek
 */
function poolButton(pool, sought, isOnline, seek) {
  const isSought = sought.some((other) => isSamePool(other, pool));
  const length = lengthOf(pool.ruleset, pool.clock);
  const words =
    length === null
      ? t('pairing.unlimited')
      : t('pairing.length', {
          length: amountText(
            language,
            length.n,
            length.unit,
            ['week', 'month'].includes(length.unit) ? 'long' : 'short',
          ),
        });
  return html`<button class="pool" aria-pressed=${isSought ? 'true' : 'false'} aria-disabled=${isOnline ? 'false' : 'true'}
    title=${clockLong(t, language, pool.clock)} @click=${() => isOnline && seek(pool, !isSought)}>
    <strong>${clockShort(t, pool.clock)}</strong>
    <span>${plainWords(pool.clock)}</span>
    <small>${isSought ? t('pairing.looking') : words}</small>
  </button>`;
}

/** A clock in a few plain words, for players who do not know the short form.
 * @param {ClockRule} clock
 */
function plainWords(clock) {
  if (clock.kind !== 'real_time') return t(`pairing.plain_${clock.kind}`);
  const base = amountText(language, clock.base_s / 60, 'minute', 'short');
  return t('pairing.plain_real_time', {
    base,
    bonus: amountText(language, clock.bonus_s, 'second', 'short'),
  });
}

/**
 * @param {Pool[]} sought
 * @param {(pool: Pool, wanted: boolean) => void} seek
 */
const soughtWords = (sought, seek) =>
  html`${t('pairing.sought', { pools: sought.map(poolName).join(t('page.comma')) })}
    <button class="quiet" @click=${() => sought.map((pool) => seek(pool, false))}>${t('pairing.stop')}</button>`;
