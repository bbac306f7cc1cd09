// The dialog that finds an opponent among all players: the clocks for a ruleset, and the ways to rooms. A press on a live
// clock joins its pool and another one leaves it; a press on a slow one posts a seek, and another one withdraws it.

import { amountText, clockLong, clockShort, lengthOf } from '../session/clock-text.js';
import { openDialog } from '../ui/dialog.js';
import { GAMES, RULESETS, language, rulesetName, t } from '../ui/page.js';
import { html, render } from '../vendor/lit-html@3.3.3/lit-html.js';
import { ownSeeks, rowsOf } from './lists.js';
import { clocksOf, isRealTime, isSamePool } from './pools.js';

/** @import { ClockRule, Pool, Ruleset, Seek } from '../protocol.js' */
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

/**
 * Actions of the dialog.
 * @typedef {object} Search
 * @property {(pool: Pool, wanted: boolean) => void} seek
 * @property {(pool: Pool, games: number) => void} post
 * @property {(seeks: Seek[]) => void} withdraw
 * @property {(ruleset: Ruleset) => void} choose
 * @property {(ruleset: Ruleset) => void} create opens the dialog of a room that others can join
 * @property {() => void} showRooms shows the rooms that others have opened
 */

/** Opens the dialog, which `drawPairing` fills. */
export const openPairing = () =>
  openDialog(t('lobby.anyone'), html`<section id="pairing" class="pairing"></section>`);

/** Draws the dialog, if it is open.
 * @param {State} state
 * @param {Search} search
 */
export function drawPairing(state, search) {
  const place = document.getElementById('pairing');
  if (place === null) return;
  const { news, pairing, lists, me, trouble } = state;
  const n = rowsOf('rooms', lists, me, () => true).length;
  /** @param {() => void} go */
  const leaveFor = (go) => () => {
    place.closest('dialog')?.close();
    go();
  };
  /** @param {Event} event */
  const change = (event) => {
    const { value } = /** @type {HTMLSelectElement} */ (event.target);
    search.choose(RULESETS.find((name) => name === value) ?? pairing);
  };
  render(
    html`<label class="field">${t('create.ruleset')}
        <select .value=${pairing} @change=${change}>${rulesetOptions(pairing)}</select>
      </label>
      ${livePart(state, search)}
      ${slowPart(state, search)}
      <p class="error">${news === 'offline' ? t('lobby.needs_line') : trouble}</p>
      <p class="ways">
        <button @click=${leaveFor(() => search.create(pairing))}>${t('lobby.create')}</button>
        <button @click=${leaveFor(search.showRooms)}>${t('lobby.see_rooms', { n })}</button>
      </p>`,
    place,
  );
}

/** The pools of a ruleset, with live clocks or with slow ones.
 * @param {Ruleset} ruleset
 * @param {boolean} isLive
 */
const poolsOf = (ruleset, isLive) =>
  clocksOf(ruleset)
    .map((clock) => ({ ruleset, clock }))
    .filter((pool) => isRealTime(pool) === isLive);

/** @param {State} state */
const isOnline = ({ isHeard, news }) => isHeard && news === 'online';

/** The games that begin while both players are here.
 * @param {State} state
 * @param {Search} search
 */
function livePart(state, { seek }) {
  const { pairing, sought } = state;
  const pools = poolsOf(pairing, true);
  /** @param {Pool} pool */
  const button = (pool) => {
    const isSought = sought.some((other) => isSamePool(other, pool));
    return poolButton(pool, isSought, isOnline(state), () => seek(pool, !isSought));
  };
  return html`<section aria-labelledby="live-title">
    <h3 id="live-title">${t('pairing.now')}</h3>
    <div class="pools" role="group" aria-labelledby="live-title">${pools.map(button)}</div>
    <p class="sought">${sought.length === 0 ? hint(pools[0].clock) : soughtWords(sought, seek)}</p>
  </section>`;
}

/** The games for which a search stays when its player goes.
 * @param {State} state
 * @param {Search} search
 */
function slowPart(state, { post, withdraw }) {
  const { pairing, lists, me } = state;
  const own = ownSeeks(lists, me);
  /** @param {Pool} pool
   * @param {Event} event */
  const press = (pool, { currentTarget }) => {
    const posted = own.filter((seek) => isSamePool(seek, pool));
    if (posted.length > 0) return withdraw(posted);
    const section = /** @type {HTMLElement} */ (currentTarget).closest('section');
    post(pool, Number(section?.querySelector('select')?.value));
  };
  /** @param {Pool} pool */
  const button = (pool) => {
    const isSought = own.some((seek) => isSamePool(seek, pool));
    return poolButton(pool, isSought, isOnline(state), (event) => press(pool, event));
  };
  return html`<section aria-labelledby="slow-title">
    <div class="pairing-head">
      <h3 id="slow-title">${t('seek.title')} <small>${t('seek.kind')}</small></h3>
      <label class="filter">${t('seek.number')}
        <select>${COUNTS.map((n) => html`<option value=${n}>${n}</option>`)}</select>
      </label>
    </div>
    <div class="pools" role="group" aria-labelledby="slow-title">${poolsOf(pairing, false).map(button)}</div>
    <p class="stays">${t('seek.stays')}</p>
  </section>`;
}

/** The numbers of games that a seek may want. */
const COUNTS = [1, 2, 3, 4, 5];

/** The hint: the effect of a press, and the meaning of a clock's name.
 * @param {ClockRule} clock
 */
const hint = (clock) =>
  html`${t('pairing.hint')} ${t('pairing.means', { clock: clockShort(t, clock), words: clockLong(t, language, clock) })}`;

/**
 * @param {Pool} pool
 * @param {boolean} isSought
 * @param {boolean} isOnline
 * @param {(event: Event) => void} press
 */
function poolButton(pool, isSought, isOnline, press) {
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
    title=${clockLong(t, language, pool.clock)} @click=${(/** @type {Event} */ event) => isOnline && press(event)}>
    <strong>${clockShort(t, pool.clock)}</strong>
    <span>${plainWords(pool.clock)}</span>
    <small>${isSought ? t('pairing.looking') : words}</small>
  </button>`;
}

/** A clock in a few plain words, for players who do not know the short form.
 * @param {ClockRule} clock
 */
function plainWords(clock) {
  if (clock.kind === 'none' || clock.kind === 'correspondence') return t(`pairing.plain_${clock.kind}`);
  const [base, bonus] =
    clock.kind === 'bank'
      ? [
          amountText(language, clock.base_days, 'day', 'short'),
          amountText(language, clock.bonus_hours, 'hour', 'short'),
        ]
      : [
          amountText(language, clock.base_s / 60, 'minute', 'short'),
          amountText(language, clock.bonus_s, 'second', 'short'),
        ];
  return t('pairing.plain_bonus', { base, bonus });
}

/**
 * @param {Pool[]} sought
 * @param {(pool: Pool, wanted: boolean) => void} seek
 */
const soughtWords = (sought, seek) =>
  html`${t('pairing.sought', { pools: sought.map(poolName).join(t('page.comma')) })}
    <button class="quiet" @click=${() => sought.map((pool) => seek(pool, false))}>${t('pairing.stop')}</button>`;
