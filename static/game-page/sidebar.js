// Everything beside a game's board: clocks, presence, offers and claims.

import { clockShort } from '../session/clock-text.js';
import { isOneTable, otherSide } from '../session/game-model.js';
import { announce, language, picture, t } from '../ui/page.js';
import { html, nothing, svg } from '../vendor/lit-html@3.3.3/lit-html.js';
import { changesInMs, freeSeconds, readingsOf, timeText, warningOf, wholeText } from '../session/clock.js';
import { SETTLED_MS, claimInMs, claimOf, dealingsOf } from './offers.js';

/** @import { OfferKind, ServerMessage, Side } from '../protocol.js' */
/** @import { TemplateResult } from '../vendor/lit-html@3.3.3/lit-html.js' */
/** @import { Sound } from '../ui/tones.js' */
/** @import { Game } from '../session/game-model.js' */

/** @typedef {Extract<ServerMessage, { type: 'presence' }>} Presence */

/** Commands of a game besides turns, without the fields that every command has.
 * @typedef {{ type: 'offer', what: OfferKind }
 *   | { type: 'answer', what: OfferKind, accept: boolean }
 *   | { type: 'claim', what: 'win' | 'draw' }} Deal */

/**
 * A game at a moment.
 * @typedef {object} Table
 * @property {Game} game
 * @property {Side | null} mine
 * @property {number} nowMs the server's time
 * @property {Presence | null} presence
 * @property {number} presenceMs since the presence was read
 */

const DAY_MS = 24 * 60 * 60 * 1_000;

/** True if I see the game some turns late: then its clocks are of that time too.
 * @param {Table} table
 */
const isLate = ({ game, mine }) => mine === null && game.terms.delay > 0;

/** @param {Table} table
 * @param {Side} side */
const nameOf = ({ game }, side) => game.seats?.[side].name ?? '';

// --- Clocks ---

/** Milliseconds since the server wrote the state of a game under way, however late it was read.
 * @param {Table} table
 */
const sinceMs = ({ game: { present }, nowMs }) =>
  present.status === 'playing' ? Math.max(0, nowMs - present.at_ms) : 0;

/** Both clocks; null where there are none.
 * @param {Table} table
 */
function readings(table) {
  const { present } = table.game;
  if (present.status === 'playing' && present.clock !== null)
    return readingsOf(isLate(table) ? { ...present.clock, running: null } : present.clock, sinceMs(table));
  if (present.status !== 'finished' || present.time === null) return null;
  return readingsOf({ ...present.time, running: null, free_ms: 0 }, 0);
}

const HOURGLASS = svg`<path d="M7 3.5h10M7 20.500h10M8 3.500c0 5 3 6 4 8.500 1-2.500 4-3.500 4-8.500M8 20.500c0-5 3-6 4-8.500 1 2.500 4 3.500 4 8.500"/>`;

/** A side's clock.
 * @param {Table} table
 * @param {Side} side
 */
export function clockOf(table, side) {
  const reading = readings(table)?.[side];
  if (reading === undefined) return nothing;
  const { leftMs, freeMs, isRunning } = reading;
  const isLow = isRunning && leftMs < 20_000;
  const look = [isRunning && 'running', isLow && 'low', leftMs >= DAY_MS && 'days'].filter(Boolean);
  return html`<span class=${['clock', ...look].join(' ')} role="timer" aria-live="off">
    ${isRunning ? picture(HOURGLASS) : nothing}
    <span class="sr">${t(isRunning ? 'clock.runs' : 'clock.stands')}</span>
    ${freeMs > 0 ? html`<span class="free" translate="no" title=${t('clock.free')}>+${freeSeconds(freeMs)}</span>` : nothing}
    <span class="time" translate="no">${timeText(language, leftMs)}</span>
  </span>`;
}

/** Time left for the first turn, if that is short; null if there is nothing to say.
 * @param {Table} table
 */
function firstTurnMs(table) {
  const { present, terms } = table.game;
  if (present.status !== 'playing' || present.first_turn_ms === null || isLate(table)) return null;
  const leftMs = Math.max(0, present.first_turn_ms - sinceMs(table));
  return terms.clock.kind === 'none' && leftMs > DAY_MS ? null : leftMs;
}

// --- Presence ---

/** Presence of a player.
 * @param {Table} table
 * @param {Side} side
 */
export function presenceOf({ game, presence }, side) {
  if (presence === null || game.seats === null || isOneTable(game)) return nothing;
  return presence[side]
    ? html`<span class="presence" title=${t('presence.here')}><span class="sr">${t('presence.here')}</span></span>`
    : html`<span class="presence gone">${t('presence.gone')}</span>`;
}

/** The line beside the game's name: its clock and the number of spectators.
 * @param {Table} table
 */
export const leadWords = ({ game, presence }) => [
  isOneTable(game) ? t('table.lead') : clockShort(t, game.terms.clock),
  ...((presence?.watchers ?? 0) > 0 ? [t('presence.watchers', { n: presence?.watchers ?? 0 })] : []),
];

/** Remarks besides whose turn it is.
 * @param {Table} table
 * @returns {string[]}
 */
export function remarks(table) {
  const { game, mine } = table;
  if (game.present.status !== 'playing') return [];
  const firstMs = firstTurnMs(table);
  return [
    ...(firstMs === null ? [] : [t('clock.first_turn', { time: wholeText(language, firstMs) })]),
    ...(mine === null && game.visibility === 'link' && !isOneTable(game) ? [t('room.taken_watch')] : []),
    ...(isLate(table) ? [t('status.behind', { n: game.terms.delay })] : []),
  ];
}

// --- Offers and ends ---

/**
 * Pending offers and claims.
 *
 * @param {Table} table
 * @param {(deal: Deal) => void} deal
 */
export function dealingsPanel(table, deal) {
  const { theirs, own } = dealingsOf(table.game, table.mine);
  const name = table.mine === null ? '' : nameOf(table, otherSide(table.mine));
  return [
    ...theirs.map((what) =>
      offer(t(`log.offered_${what}`, { name }), [
        button(t('offer.accept'), 'primary', () => deal({ type: 'answer', what, accept: true })),
        button(t('offer.decline'), '', () => deal({ type: 'answer', what, accept: false })),
      ]),
    ),
    ...own.map((what) =>
      offer(t(`offer.own_${what}`), [
        button(t('offer.withdraw'), '', () => deal({ type: 'answer', what, accept: false })),
      ]),
    ),
    claimPanel(table, name, deal),
  ];
}

/** @param {Table} table */
const claimIn = ({ game, presence }) => claimOf(game, presence?.claim ?? null);

/** @param {Table} table
 * @param {string} name
 * @param {(deal: Deal) => void} deal */
function claimPanel(table, name, deal) {
  const inMs = claimInMs(claimIn(table), table, table.mine);
  if (inMs === null) return nothing;
  if (inMs > 0) return offer(t('claim.wait', { name, time: wholeText(language, inMs) }), []);
  return offer(t('claim.now', { name }), [
    button(t('claim.win'), 'primary', () => deal({ type: 'claim', what: 'win' })),
    button(t('claim.draw'), '', () => deal({ type: 'claim', what: 'draw' })),
  ]);
}

/** @param {string} words
 * @param {TemplateResult[]} buttons */
const offer = (words, buttons) => html`<div class="offer" role="group" aria-label=${words}>
    <p>${words}</p> ${buttons}
  </div>`;

/** @param {string} words
 * @param {string} look
 * @param {() => void} press */
const button = (words, look, press) => html`<button class=${look} @click=${press}>${words}</button>`;

// --- As time goes by ---

/**
 * Handles changes that come with time alone, without a message from the server.
 *
 * @param {(name: Sound, what: string) => void} sound `what` distinguishes it from other sounds of the same turn
 */
export function attendant(sound) {
  /** @type {number[]} */
  let warned = [];
  /** My remaining time at the last check.
   * @type {number | null} */
  let beforeMs = null;
  /** @type {string | null} */
  let claimed = null;

  /** @param {Table} table */
  function watchMyClock(table) {
    const mine = table.mine === null ? undefined : readings(table)?.[table.mine];
    const leftMs = mine?.leftMs ?? null;
    if (leftMs !== null && table.game.present.status === 'playing') {
      const warning = warningOf(warned, beforeMs ?? leftMs, leftMs);
      warned = warning.warned;
      if (warning.isDue) {
        announce(t('clock.low', { n: Math.ceil(leftMs / 1_000) }), 'assertive');
        sound('low', `low ${Math.ceil(leftMs / 10_000)}`);
      }
    }
    beforeMs = leftMs;
  }

  /** @param {Table} table */
  function watchClaim(table) {
    const { mine } = table;
    const inMs = claimInMs(claimIn(table), table, mine);
    const state = inMs === null ? null : inMs > 0 ? 'wait' : 'now';
    if (state !== null && state !== claimed && mine !== null) {
      const time = wholeText(language, inMs ?? 0);
      announce(t(`claim.${state}`, { name: nameOf(table, otherSide(mine)), time }));
    }
    claimed = state;
  }

  /**
   * Announces what is due, and returns the milliseconds until the next change; null if there is none.
   *
   * @param {Table} table
   * @returns {number | null}
   */
  return (table) => {
    watchMyClock(table);
    watchClaim(table);
    const { presenceMs, mine } = table;
    const claim = claimIn(table);
    const counts = [firstTurnMs(table), claimInMs(claim, table, mine)];
    const changes = [
      ...Object.values(readings(table) ?? {}).map(changesInMs),
      ...counts.map((ms) => (ms === null || ms === 0 ? null : (ms % 1_000) + 1)),
      claim !== null && presenceMs < SETTLED_MS ? SETTLED_MS - presenceMs : null,
    ].filter((ms) => ms !== null);
    return changes.length === 0 ? null : Math.min(...changes);
  };
}
