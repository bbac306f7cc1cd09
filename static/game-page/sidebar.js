// Everything beside a game's board: clocks, presence, offers and claims.

import { clockShort } from '../session/clock-text.js';
import { isOneTable, otherSide } from '../session/game-model.js';
import { announce, language, nameOf, picture, t } from '../ui/page.js';
import { html, nothing, svg } from '../vendor/lit-html@3.3.3/lit-html.js';
import {
  DAY_MS,
  HOUR_MS,
  changesInMs,
  freeSeconds,
  hasDays,
  readingsOf,
  roughText,
  timeText,
  warningOf,
  wholeText,
} from '../session/clock.js';
import { SETTLED_MS, claimInMs, claimOf, offersOf, takebackOf } from './offers.js';

/** @import { OfferKind, ServerMessage, Side } from '../protocol.js' */
/** @import { TemplateResult } from '../vendor/lit-html@3.3.3/lit-html.js' */
/** @import { Sound } from '../ui/tones.js' */
/** @import { Game } from '../session/game-model.js' */

/** @typedef {Extract<ServerMessage, { type: 'presence' }>} Presence */

/** Commands of a game besides turns, without the fields that every command has.
 * @typedef {{ type: 'offer', what: OfferKind }
 *   | { type: 'answer', what: OfferKind, accept: boolean }
 *   | { type: 'claim', what: 'win' | 'draw' }} OfferCommand */

/**
 * A game at a moment.
 * @typedef {object} GameSidebar
 * @property {Game} game
 * @property {Side | null} mine
 * @property {number} nowMs the server's time
 * @property {Presence | null} presence
 * @property {number} presenceMs since the presence was read
 */

/** True if the reader sees the game some turns late: then its clocks are of that time too.
 * @param {GameSidebar} sidebar
 */
const isLate = ({ game, mine }) => mine === null && game.terms.delay > 0;

/** @param {GameSidebar} sidebar
 * @param {Side} side */
const seatName = ({ game }, side) => (game.seats === null ? '' : nameOf(game.seats[side]));

// --- Clocks ---

/** Milliseconds since the server wrote the state of a game under way, however late it was read.
 * @param {GameSidebar} sidebar
 */
const sinceMs = ({ game: { present }, nowMs }) =>
  present.status === 'playing' ? Math.max(0, nowMs - present.at_ms) : 0;

/** End of the vacation of the player to move, in milliseconds since 1970; null if that player is not on vacation.
 * @param {GameSidebar} sidebar
 */
export function vacationMs({ game: { present }, nowMs }) {
  const untilMs = present.status === 'playing' ? present.vacation_until_ms : undefined;
  return untilMs !== undefined && untilMs > nowMs ? untilMs : null;
}

/** Time left to the player to move with that of a vacation, as lists have it; null if none is under way.
 * @param {GameSidebar} sidebar
 */
function stoppedMs(sidebar) {
  const untilMs = vacationMs(sidebar);
  const reading = readings(sidebar)?.[sidebar.game.present.turn.side];
  return untilMs === null || reading === undefined ? null : reading.leftMs + untilMs - sidebar.nowMs;
}

/** Both clocks; null where there are none.
 * @param {GameSidebar} sidebar
 */
function readings(sidebar) {
  const { present } = sidebar.game;
  if (present.status === 'playing' && present.clock !== null)
    return readingsOf(
      isLate(sidebar) || vacationMs(sidebar) !== null ? { ...present.clock, running: null } : present.clock,
      sinceMs(sidebar),
    );
  if (present.status !== 'finished' || present.time === null) return null;
  return readingsOf({ ...present.time, running: null, free_ms: 0 }, 0);
}

const HOURGLASS = svg`<path d="M7 3.5h10M7 20.500h10M8 3.500c0 5 3 6 4 8.500 1-2.500 4-3.500 4-8.500M8 20.500c0-5 3-6 4-8.500 1 2.500 4 3.500 4 8.500"/>`;

const PAUSE = svg`<path d="M8.500 5v14M15.500 5v14" stroke-width="3"/>`;

/** A side's clock. One of days shows the time as lists do, until the last hour.
 * @param {GameSidebar} sidebar
 * @param {Side} side
 */
export function clockOf(sidebar, side) {
  const reading = readings(sidebar)?.[side];
  if (reading === undefined) return nothing;
  const { leftMs, freeMs, isRunning } = reading;
  const isLow = isRunning && leftMs < 20_000;
  const isRough = leftMs >= DAY_MS || (leftMs >= HOUR_MS && hasDays(sidebar.game.terms.clock));
  const isStopped = vacationMs(sidebar) !== null && sidebar.game.present.turn.side === side;
  const look = [isRunning && 'running', isLow && 'low', isRough && 'days'].filter(Boolean);
  const words = isRunning ? 'clock.runs' : isStopped ? 'clock.stopped' : 'clock.stands';
  return html`<span class=${['clock', ...look].join(' ')} role="timer" aria-live="off">
    ${isRunning || isStopped ? picture(isRunning ? HOURGLASS : PAUSE) : nothing}
    <span class="sr">${t(words)}</span>
    ${freeMs > 0 ? html`<span class="free" translate="no" title=${t('clock.free')}>+${freeSeconds(freeMs)}</span>` : nothing}
    <span class="time" translate="no">${isRough ? roughText(language, leftMs) : timeText(language, leftMs)}</span>
  </span>`;
}

/** Time left for the first turn, if that is short; null if there is nothing to say.
 * @param {GameSidebar} sidebar
 */
function firstTurnMs(sidebar) {
  const { present, terms } = sidebar.game;
  if (present.status !== 'playing' || present.first_turn_ms === null || isLate(sidebar)) return null;
  const leftMs = Math.max(0, present.first_turn_ms - sinceMs(sidebar));
  return terms.clock.kind === 'none' && leftMs > DAY_MS ? null : leftMs;
}

// --- Presence ---

/** Presence of a player.
 * @param {GameSidebar} sidebar
 * @param {Side} side
 */
export function presenceOf({ game, presence }, side) {
  if (presence === null || game.seats === null || isOneTable(game)) return nothing;
  if (presence[side])
    return html`<span class="presence" title=${t('presence.here')}><span class="sr">${t('presence.here')}</span></span>`;
  // In a game of days players are seldom here at the same time.
  return hasDays(game.terms.clock) ? nothing : html`<span class="presence gone">${t('presence.gone')}</span>`;
}

/** The line beside the game's name: its clock, and the number of spectators once it has begun. Who looks at a room waits for it.
 * @param {GameSidebar} sidebar
 */
export const leadWords = ({ game, presence }) => [
  isOneTable(game) ? t('table.lead') : clockShort(t, game.terms.clock),
  ...(game.seats !== null && (presence?.watchers ?? 0) > 0
    ? [t('presence.watchers', { n: presence?.watchers ?? 0 })]
    : []),
];

/** Remarks besides whose turn it is.
 * @param {GameSidebar} sidebar
 * @returns {string[]}
 */
export function remarks(sidebar) {
  const { game, mine } = sidebar;
  if (game.present.status !== 'playing') return [];
  const firstMs = firstTurnMs(sidebar);
  const withVacationMs = stoppedMs(sidebar);
  return [
    ...(withVacationMs === null ? [] : [t('clock.vacation', { time: roughText(language, withVacationMs) })]),
    ...(firstMs === null ? [] : [t('clock.first_turn', { time: wholeText(language, firstMs) })]),
    ...(mine === null && game.visibility === 'link' && !isOneTable(game) ? [t('room.taken_watch')] : []),
    ...(isLate(sidebar) ? [t('status.behind', { n: game.terms.delay })] : []),
  ];
}

// --- Offers and ends ---

/**
 * Pending offers and claims.
 *
 * @param {GameSidebar} sidebar
 * @param {(sendOffer: OfferCommand) => void} sendOffer
 */
export function offersPanel(sidebar, sendOffer) {
  const { theirs, own } = offersOf(sidebar.game, sidebar.mine);
  const name = sidebar.mine === null ? '' : seatName(sidebar, otherSide(sidebar.mine));
  return [
    ...theirs.map((what) =>
      offer(offerWords(sidebar, what, false, name), [
        button(t('offer.accept'), 'primary', () => sendOffer({ type: 'answer', what, accept: true })),
        button(t('offer.decline'), '', () => sendOffer({ type: 'answer', what, accept: false })),
      ]),
    ),
    ...own.map((what) =>
      offer(offerWords(sidebar, what, true, name), [
        button(t('offer.withdraw'), '', () => sendOffer({ type: 'answer', what, accept: false })),
      ]),
    ),
    claimPanel(sidebar, name, sendOffer),
  ];
}

/** A pending offer. That of a take-back names the turns that go.
 * @param {GameSidebar} sidebar
 * @param {OfferKind} what
 * @param {boolean} isOwn
 * @param {string} name the other player's
 */
function offerWords({ game, mine }, what, isOwn, name) {
  const maker = mine !== null && !isOwn ? otherSide(mine) : mine;
  const back = what === 'takeback' && maker !== null ? takebackOf(game, maker) : null;
  if (back === null) return t(isOwn ? `offer.own_${what}` : `log.offered_${what}`, { name });
  const n = back.since.length;
  const whose = isOwn ? 'own_back' : 'back';
  const args = { name, turn: String(back.again), since: back.since.join(', '), n };
  return t(`offer.${whose}${n === 0 ? '' : '_since'}`, args);
}

/** @param {GameSidebar} sidebar */
const claimIn = ({ game, presence }) => claimOf(game, presence?.claim ?? null);

/** @param {GameSidebar} sidebar
 * @param {string} name
 * @param {(sendOffer: OfferCommand) => void} sendOffer */
function claimPanel(sidebar, name, sendOffer) {
  const inMs = claimInMs(claimIn(sidebar), sidebar, sidebar.mine);
  if (inMs === null) return nothing;
  if (inMs > 0) return offer(t('claim.wait', { name, time: wholeText(language, inMs) }), []);
  return offer(t('claim.now', { name }), [
    button(t('claim.win'), 'primary', () => sendOffer({ type: 'claim', what: 'win' })),
    button(t('claim.draw'), '', () => sendOffer({ type: 'claim', what: 'draw' })),
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
  /** The player's remaining time at the last check.
   * @type {number | null} */
  let beforeMs = null;
  /** @type {string | null} */
  let claimed = null;

  /** @param {GameSidebar} sidebar */
  function watchMyClock(sidebar) {
    const mine = sidebar.mine === null ? undefined : readings(sidebar)?.[sidebar.mine];
    const leftMs = mine?.leftMs ?? null;
    if (leftMs !== null && sidebar.game.present.status === 'playing') {
      const warning = warningOf(warned, beforeMs ?? leftMs, leftMs);
      warned = warning.warned;
      if (warning.isDue) {
        announce(t('clock.low', { n: Math.ceil(leftMs / 1_000) }), 'assertive');
        sound('low', `low ${Math.ceil(leftMs / 10_000)}`);
      }
    }
    beforeMs = leftMs;
  }

  /** @param {GameSidebar} sidebar */
  function watchClaim(sidebar) {
    const { mine } = sidebar;
    const inMs = claimInMs(claimIn(sidebar), sidebar, mine);
    const state = inMs === null ? null : inMs > 0 ? 'wait' : 'now';
    if (state !== null && state !== claimed && mine !== null) {
      const time = wholeText(language, inMs ?? 0);
      announce(t(`claim.${state}`, { name: seatName(sidebar, otherSide(mine)), time }));
    }
    claimed = state;
  }

  /**
   * Announces what is due, and returns the milliseconds until the next change; null if there is none.
   *
   * @param {GameSidebar} sidebar
   * @returns {number | null}
   */
  return (sidebar) => {
    watchMyClock(sidebar);
    watchClaim(sidebar);
    const { presenceMs, mine } = sidebar;
    const claim = claimIn(sidebar);
    const counts = [firstTurnMs(sidebar), claimInMs(claim, sidebar, mine), stoppedMs(sidebar)];
    const changes = [
      ...Object.values(readings(sidebar) ?? {}).map(changesInMs),
      ...counts.map((ms) => (ms === null || ms === 0 ? null : (ms % 1_000) + 1)),
      claim !== null && presenceMs < SETTLED_MS ? SETTLED_MS - presenceMs : null,
    ].filter((ms) => ms !== null);
    return changes.length === 0 ? null : Math.min(...changes);
  };
}
