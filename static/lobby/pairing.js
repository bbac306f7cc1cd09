// The dialog that finds an opponent among all players: a grid of clocks for a ruleset, in which a press joins the pool and
// another press leaves it, and the ways to rooms.

import { amountText, clockLong, clockShort, lengthOf } from '../session/clock-text.js';
import { openDialog } from '../ui/dialog.js';
import { GAMES, RULESETS, language, rulesetName, t } from '../ui/page.js';
import { html, render } from '../vendor/lit-html@3.3.3/lit-html.js';
import { isMine } from './lists.js';
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

/**
 * Actions of the dialog.
 * @typedef {object} Search
 * @property {(pool: Pool, wanted: boolean) => void} seek
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
export function drawPairing(
  { sought, isHeard, news, pairing, lists, me },
  { seek, choose, create, showRooms },
) {
  const place = document.getElementById('pairing');
  if (place === null) return;
  const isOnline = isHeard && news === 'online';
  const clocks = clocksOf(pairing);
  const rooms = [...lists.rooms.values()].filter((room) => !isMine(room, me)).length;
  /** @param {() => void} go */
  const leaveFor = (go) => () => {
    place.closest('dialog')?.close();
    go();
  };
  /** @param {Event} event */
  const change = (event) => {
    const { value } = /** @type {HTMLSelectElement} */ (event.target);
    choose(RULESETS.find((name) => name === value) ?? pairing);
  };
  render(
    html`<label class="field">${t('create.ruleset')}
        <select .value=${pairing} @change=${change}>${rulesetOptions(pairing)}</select>
      </label>
      <div class="pools" role="group" aria-label=${t('pairing.title')}>
        ${clocks.map((clock) => poolButton({ ruleset: pairing, clock }, sought, isOnline, seek))}
      </div>
      <p class="sought">${news === 'offline' ? t('lobby.needs_line') : sought.length === 0 ? hint(clocks[0]) : soughtWords(sought, seek)}</p>
      <p><small>${t('pairing.stays')}</small></p>
      <p class="ways">
        <button @click=${leaveFor(() => create(pairing))}>${t('lobby.create')}</button>
        <button @click=${leaveFor(showRooms)}>${t('lobby.see_rooms', { n: rooms })}</button>
      </p>`,
    place,
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
