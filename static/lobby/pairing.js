// Quick pairing: a grid of clocks for a ruleset. A press seeks whoever wants the same, another press stops it.

import { amountText, clockLong, clockShort, lengthOf } from '../play/clock-text.js';
import { GAMES, RULESETS, language, recall, remember, rulesetName, t } from '../ui/page.js';
import { html, nothing } from '../vendor/lit-html@3.3.3/lit-html.js';
import { clocksOf, isSamePool } from './pools.js';

/** @import { Pool, Ruleset } from '../protocol.js' */

/** @type {Ruleset} */
let ruleset = RULESETS.find((name) => name === recall('pairing')) ?? 'fibonacci';

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

/**
 * @param {Pool[]} sought what is looked for, in all tabs
 * @param {boolean} isOnline
 * @param {(pool: Pool, wanted: boolean) => void} seek
 * @param {() => void} changed
 */
export function pairingPanel(sought, isOnline, seek, changed) {
  /** @param {Event} event */
  function choose(event) {
    const { value } = /** @type {HTMLSelectElement} */ (event.target);
    ruleset = RULESETS.find((name) => name === value) ?? ruleset;
    remember('pairing', ruleset);
    changed();
  }
  return html`<h2 id="pairing-title">${t('pairing.title')}</h2>
    <label class="filter">${t('create.ruleset')}
      <select @change=${choose}>${rulesetOptions(ruleset)}</select>
    </label>
    <div class="pools" role="group" aria-labelledby="pairing-title">
      ${clocksOf(ruleset).map((clock) => poolButton({ ruleset, clock }, sought, isOnline, seek))}
    </div>
    <p class="seeking">${sought.length === 0 ? t('pairing.hint') : soughtWords(sought, seek)}</p>`;
}

/**
 * @param {Pool} pool
 * @param {Pool[]} sought
 * @param {boolean} isOnline
 * @param {(pool: Pool, wanted: boolean) => void} seek
 */
function poolButton(pool, sought, isOnline, seek) {
  const isSought = sought.some((other) => isSamePool(other, pool));
  const length = lengthOf(pool.ruleset, pool.clock);
  const hint =
    length === null
      ? t('pairing.unlimited')
      : t('pairing.length', {
          length: amountText(language, length.n, length.unit, length.unit === 'month' ? 'long' : 'short'),
        });
  return html`<button class="pool" aria-pressed=${isSought ? 'true' : 'false'} aria-disabled=${isOnline ? nothing : 'true'}
    title=${clockLong(t, language, pool.clock)} @click=${() => isOnline && seek(pool, !isSought)}>
    <strong>${clockShort(t, pool.clock)}</strong>
    <small>${isSought ? t('pairing.looking') : hint}</small>
  </button>`;
}

/**
 * @param {Pool[]} sought
 * @param {(pool: Pool, wanted: boolean) => void} seek
 */
const soughtWords = (sought, seek) =>
  html`${t('pairing.sought', { pools: sought.map(poolName).join(t('page.comma')) })}
    <button class="quiet" @click=${() => sought.map((pool) => seek(pool, false))}>${t('pairing.stop')}</button>`;
