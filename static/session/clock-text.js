// A clock rule in words: short for a row of a list, long for an exact sentence; and how long a game by it
// may take. Pure; the words come from outside.

/** @import { ClockRule, Ruleset } from '../protocol.js' */
/** @import { Language, Translate } from '../i18n.js' */
/** @typedef {{ n: number, unit: 'minute' | 'hour' | 'day' | 'week' | 'month' }} Length */

const QUARTERS = ['', '¼', '½', '¾'];

/** Seconds as players write minutes: `5`, `½`, `1½`, and `0:50` where it is no quarter of one.
 * @param {number} seconds
 */
export function minutesText(seconds) {
  const [whole, rest] = [Math.floor(seconds / 60), seconds % 60];
  if (rest % 15 !== 0) return `${whole}:${String(rest).padStart(2, '0')}`;
  return `${whole === 0 && rest > 0 ? '' : whole}${QUARTERS[rest / 15]}`;
}

/** A clock as `5+3`, `10 d + 36 h`, `3 days` or `no clock`.
 * @param {Translate} t
 * @param {ClockRule} clock
 * @returns {string}
 */
export function clockShort(t, clock) {
  if (clock.kind === 'none') return t('clock.none');
  if (clock.kind === 'correspondence') return t('clock.days', { n: clock.days });
  if (clock.kind === 'bank')
    return t('clock.short_bank', { base: String(clock.base_days), bonus: String(clock.bonus_hours) });
  const times = { base: minutesText(clock.base_s), bonus: String(clock.bonus_s) };
  return t(clock.bonus_s === 0 ? 'clock.short_per_turn' : `clock.short_${clock.bonus}`, times);
}

/** A clock in a sentence without its full stop.
 * @param {Translate} t
 * @param {Language} language
 * @param {ClockRule} clock
 * @returns {string}
 */
export function clockLong(t, language, clock) {
  if (clock.kind === 'none') return t('clock.long_none');
  if (clock.kind === 'correspondence') return t('clock.long_days', { n: clock.days });
  if (clock.kind === 'bank') {
    const base = amountText(language, clock.base_days, 'day');
    if (clock.bonus_hours === 0) return t('clock.long_plain', { base });
    return t('clock.long_bank', { base, bonus: amountText(language, clock.bonus_hours, 'hour') });
  }
  // Without a time to begin with, a side begins with one bonus.
  const base = durationText(language, clock.base_s === 0 ? clock.bonus_s : clock.base_s);
  if (clock.bonus_s === 0) return t('clock.long_plain', { base });
  return t(`clock.long_${clock.bonus}`, { base, bonus: durationText(language, clock.bonus_s) });
}

/** Seconds in words: below a minute and a half as seconds, else as minutes.
 * @param {Language} language
 * @param {number} seconds
 */
function durationText(language, seconds) {
  const isShort = seconds < 60 || (seconds < 90 && seconds % 60 !== 0);
  return isShort ? amountText(language, seconds, 'second') : amountText(language, seconds / 60, 'minute');
}

/** A number of units of time in words, as `2.5 hours`.
 * @param {Language} language
 * @param {number} n
 * @param {string} unit
 * @param {'long' | 'short'} [unitDisplay]
 */
export const amountText = (language, n, unit, unitDisplay = 'long') =>
  new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay, maximumFractionDigits: 1 }).format(n);

/** The turns of a side in a usual game, and the actions of a usual turn; both rough.
 * @type {Record<Ruleset, { turns: number, actions: number }>}
 */
const USUAL = {
  fibonacci: { turns: 15, actions: 5 },
  'fibonacci-mixed': { turns: 12, actions: 5 },
  'fibonacci-cards': { turns: 15, actions: 3.5 },
  fenix: { turns: 35, actions: 1 },
  focus: { turns: 25, actions: 1 },
  'focus-classic': { turns: 25, actions: 1 },
  crossfire: { turns: 30, actions: 1 },
};

/**
 * The time that a usual game takes if both sides use all of theirs; null without a clock.
 *
 * @param {Ruleset} ruleset
 * @param {ClockRule} clock
 * @returns {Length | null}
 */
export function lengthOf(ruleset, clock) {
  const { turns, actions } = USUAL[ruleset];
  switch (clock.kind) {
    case 'none':
      return null;
    case 'correspondence':
      return inDays(2 * turns * clock.days);
    case 'bank':
      return inDays(2 * (clock.base_days + (turns * clock.bonus_hours) / 24));
    case 'real_time': {
      const bonuses = clock.bonus === 'per_action' ? turns * actions : turns;
      return inMinutes((2 * (clock.base_s + clock.bonus_s * bonuses)) / 60);
    }
  }
}

/** @param {number} minutes
 * @returns {Length} */
function inMinutes(minutes) {
  if (minutes < 10) return { n: Math.max(1, Math.round(minutes)), unit: 'minute' };
  if (minutes < 57.5) return { n: 5 * Math.round(minutes / 5), unit: 'minute' };
  return { n: Math.round(minutes / 30) / 2, unit: 'hour' };
}

/** @param {number} days
 * @returns {Length} */
function inDays(days) {
  if (days < 14) return { n: Math.round(days), unit: 'day' };
  if (days < 60) return { n: Math.round(days / 7), unit: 'week' };
  return { n: Math.round(days / 30), unit: 'month' };
}
