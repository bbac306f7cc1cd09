// The clocks of a game as they show at a moment. They only count down the time that the server sent: at zero they wait
// for its decision. Pure; time and language come from outside.

import { amountText } from './clock-text.js';

/** @import { Clock, ClockRule, Side } from '../protocol.js' */
/** @import { Language } from '../i18n.js' */

/**
 * Reading of a side's clock.
 * @typedef {object} Reading
 * @property {number} leftMs
 * @property {number} freeMs how long it still stands before it runs, of a delay
 * @property {boolean} isRunning whether it runs, or will when the delay is over
 */

/** True for the clock of a slow game, whose players come back for each turn: any but one for all turns.
 * @param {ClockRule} clock
 */
export const isSlow = ({ kind }) => kind !== 'real_time';

/** True for a clock of days, whose players need not stay.
 * @param {ClockRule} clock
 */
export const hasDays = ({ kind }) => kind === 'correspondence' || kind === 'bank';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
/** Below this a clock shows tenths. */
const TENTHS_BELOW_MS = 10 * SECOND_MS;

/**
 * Both clocks some time after the server's last message.
 *
 * @param {Clock} clock
 * @param {number} sinceMs
 * @returns {Record<Side, Reading>}
 */
export function readingsOf(clock, sinceMs) {
  const freeMs = Math.max(0, clock.free_ms - sinceMs);
  const goneMs = Math.max(0, sinceMs - clock.free_ms);
  /** @param {Side} side */
  const reading = (side) => {
    const leftMs = clock[`${side}_ms`];
    if (side !== clock.running) return { leftMs, freeMs: 0, isRunning: false };
    return { leftMs: Math.max(0, leftMs - goneMs), freeMs, isRunning: true };
  };
  return { first: reading('first'), second: reading('second') };
}

/** The mark between a second and its tenths. */
const POINT = { en: '.', fr: ',' };

/** @param {number} n */
const two = (n) => String(n).padStart(2, '0');

/**
 * A time as a clock shows it: days and hours, `h:mm:ss`, `m:ss`, or with tenths when little is left.
 *
 * @param {Language} language
 * @param {number} ms
 * @param {boolean} [hasTenths]
 * @returns {string}
 */
export function timeText(language, ms, hasTenths = true) {
  const [days, hours] = [Math.floor(ms / DAY_MS), Math.floor((ms % DAY_MS) / HOUR_MS)];
  const seconds = two(Math.floor((ms % MINUTE_MS) / SECOND_MS));
  const minutes = Math.floor((ms % HOUR_MS) / MINUTE_MS);
  if (days > 0) {
    const rest = hours === 0 ? [] : [amountText(language, hours, 'hour', 'short')];
    return [amountText(language, days, 'day', 'short'), ...rest].join(' ');
  }
  if (hours > 0) return `${hours}:${two(minutes)}:${seconds}`;
  if (ms >= TENTHS_BELOW_MS || !hasTenths) return `${minutes}:${seconds}`;
  return `0:${seconds}${POINT[language]}${Math.floor((ms % SECOND_MS) / 100)}`;
}

/** A time in its two largest units from days to minutes, as `2 days 3 hr` or `12 min`.
 * @param {Language} language
 * @param {number} ms
 */
export function roughText(language, ms) {
  const minutes = Math.floor(ms / MINUTE_MS);
  const [days, hours] = [Math.floor(ms / DAY_MS), Math.floor((ms % DAY_MS) / HOUR_MS)];
  /** @type {[n: number, unit: string][]} */
  const units = [
    [days, 'day'],
    [hours, 'hour'],
    [minutes % 60, 'minute'],
  ];
  const first = units.findIndex(([n]) => n > 0);
  return units
    .slice(first, first + 2)
    .filter(([n]) => n > 0)
    .map(([n, unit]) => amountText(language, n, unit, 'short'))
    .join(' ');
}

/** A time in whole seconds, one that has begun counted as whole.
 * @param {Language} language
 * @param {number} ms
 */
export const wholeText = (language, ms) => timeText(language, Math.ceil(ms / SECOND_MS) * SECOND_MS, false);

/** The seconds that a delay still lasts, as they are shown.
 * @param {number} freeMs
 */
export const freeSeconds = (freeMs) => Math.ceil(freeMs / SECOND_MS);

/**
 * Milliseconds until a reading changes; null if it stays as it is.
 *
 * @param {Reading} reading
 * @returns {number | null}
 */
export function changesInMs({ leftMs, freeMs, isRunning }) {
  if (!isRunning || leftMs === 0) return null;
  if (freeMs > 0) return freeMs % SECOND_MS || SECOND_MS;
  // A second ends when less than it is left.
  return (leftMs % (leftMs < TENTHS_BELOW_MS ? 100 : SECOND_MS)) + 1;
}

/** Remaining seconds at which a player is warned. */
const WARNED_AT_S = [20, 10];
/** Factor of the warning time above which the warning may come again. */
const FORGOTTEN_AT = 3;

/**
 * True if the player is due a warning now. Each warning comes once, and again only after the player has gained much
 * time in between.
 *
 * @param {number[]} warned the warnings that have come, by their seconds
 * @param {number} beforeMs time left before
 * @param {number} leftMs
 * @returns {{ warned: number[], isDue: boolean }}
 */
export function warningOf(warned, beforeMs, leftMs) {
  const kept = warned.filter((seconds) => leftMs < FORGOTTEN_AT * seconds * SECOND_MS);
  const due = WARNED_AT_S.filter((seconds) => {
    const ms = seconds * SECOND_MS;
    return beforeMs > ms && leftMs <= ms && !kept.includes(seconds);
  });
  return { warned: [...kept, ...due], isDue: due.length > 0 };
}
