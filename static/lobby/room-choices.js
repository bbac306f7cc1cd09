// The choices for a new room: as a form has them, as the browser keeps them, as the server wants them. Pure.

import { plainLine } from '../ui/pasted.js';

/** @import { Bonus, ClockRule, Drafts, NewRoom, Ruleset, SeatChoice, Visibility, Watching } from '../protocol.js' */

/**
 * Values of the form. Numbers are the texts of their fields, since these may hold anything.
 * @typedef {object} Choices
 * @property {Ruleset} ruleset
 * @property {SeatChoice} seat
 * @property {Visibility} visibility
 * @property {'none' | 'real_time' | 'correspondence'} clock
 * @property {string} base minutes
 * @property {string} bonus seconds
 * @property {Bonus} kind of the bonus
 * @property {'bank' | 'days'} pace of a game by correspondence
 * @property {string} bank days
 * @property {string} hours
 * @property {string} days
 * @property {Watching} watching
 * @property {Drafts} drafts
 * @property {string} delay turns
 * @property {string} start
 */
/** The fields that can be wrong, and how; a fault is a part of a key of the words.
 * @typedef {Partial<Record<'base' | 'bonus' | 'bank' | 'hours' | 'days' | 'delay', 'base' | 'bonus' | 'no_time' | 'bank' | 'hours' | 'days' | 'delay'>>} Faults
 */

export const SEATS = /** @type {const} */ (['random', 'first', 'second']);
export const CLOCKS = /** @type {const} */ (['none', 'real_time', 'correspondence']);
/** Clocks of games by correspondence: a bank of days with hours for each turn, or days for each turn. */
export const PACES = /** @type {const} */ (['bank', 'days']);
export const BONUSES = /** @type {const} */ (['per_turn', 'per_action', 'delay', 'bronstein']);
export const WATCHINGS = /** @type {const} */ (['everybody', 'nobody']);
export const DRAFTS = /** @type {const} */ (['shown', 'hidden']);

/** The default choices, before the first room.
 * @type {Choices}
 */
export const FIRST_CHOICES = {
  ruleset: 'fibonacci',
  seat: 'random',
  visibility: 'public',
  clock: 'none',
  base: '10',
  bonus: '30',
  kind: 'per_turn',
  pace: 'bank',
  bank: '10',
  hours: '36',
  days: '3',
  watching: 'everybody',
  drafts: 'shown',
  delay: '0',
  start: '',
};

/**
 * The choices in a text. Missing and invalid values keep the previous choice.
 *
 * @param {Record<string, unknown>} given
 * @param {Choices} before
 * @param {readonly Ruleset[]} rulesets
 * @returns {Choices}
 */
export function choose(given, before, rulesets) {
  /**
   * @template {keyof Choices} Key
   * @param {Key} key
   * @param {readonly Choices[Key][]} values
   */
  const among = (key, values) => values.find((value) => value === given[key]) ?? before[key];
  /** @param {keyof Choices} key */
  const text = (key) => (typeof given[key] === 'string' ? given[key] : before[key]);
  return {
    ruleset: among('ruleset', rulesets),
    seat: among('seat', SEATS),
    visibility: before.visibility,
    clock: among('clock', CLOCKS),
    base: text('base'),
    bonus: text('bonus'),
    kind: among('kind', BONUSES),
    pace: among('pace', PACES),
    bank: text('bank'),
    hours: text('hours'),
    days: text('days'),
    watching: among('watching', WATCHINGS),
    drafts: among('drafts', DRAFTS),
    delay: text('delay'),
    start: text('start'),
  };
}

/** The choices of last time, as stored by the browser.
 * @param {string | null} kept
 * @param {readonly Ruleset[]} rulesets
 * @returns {Choices}
 */
export function choicesFrom(kept, rulesets) {
  try {
    return choose(Object(JSON.parse(kept ?? '')), FIRST_CHOICES, rulesets);
  } catch {
    return FIRST_CHOICES;
  }
}

/** The choices that the browser keeps: a start position is for one game only, and the way to the form decides who may join.
 * @param {Choices} choices
 */
export const textOf = ({ start: _, visibility: __, ...choices }) => JSON.stringify(choices);

/** The choices by which a room was made, as the form has them.
 * @param {NewRoom & Required<Pick<NewRoom, 'terms'>>} room
 * @returns {Choices}
 */
export function choicesOf({ ruleset, seat, visibility, terms, start = '' }) {
  const { watching, drafts } = terms;
  const rest = { ruleset, seat, visibility, watching, drafts, delay: String(terms.delay), start };
  return { ...FIRST_CHOICES, ...rest, ...clockChoices(terms.clock) };
}

/** @param {ClockRule} clock
 * @returns {Partial<Choices>} */
function clockChoices(clock) {
  switch (clock.kind) {
    case 'none':
      return { clock: 'none' };
    case 'correspondence':
      return { clock: 'correspondence', pace: 'days', days: String(clock.days) };
    case 'bank': {
      const [bank, hours] = [String(clock.base_days), String(clock.bonus_hours)];
      return { clock: 'correspondence', pace: 'bank', bank, hours };
    }
    case 'real_time': {
      const [base, bonus] = [String(clock.base_s / 60), String(clock.bonus_s)];
      return { clock: 'real_time', base, bonus, kind: clock.bonus };
    }
  }
}

/** A number in a field, or null if there is none between these bounds.
 * @param {string} text
 * @param {number} least
 * @param {number} most
 */
function numberIn(text, least, most) {
  const number = text.trim() === '' ? Number.NaN : Number(text.replace(',', '.'));
  return number >= least && number <= most ? number : null;
}

/**
 * @param {string} text
 * @param {number} least
 * @param {number} most
 */
function wholeIn(text, least, most) {
  const number = numberIn(text, least, most);
  return Number.isInteger(number) ? number : null;
}

/** @param {Choices} choices
 * @returns {ReturnType<typeof clockOf>} */
function bankOf({ bank, hours }) {
  const base_days = wholeIn(bank, 1, 30);
  const bonus_hours = wholeIn(hours, 0, 168);
  if (base_days !== null && bonus_hours !== null) return { clock: { kind: 'bank', base_days, bonus_hours } };
  return {
    faults: {
      ...(base_days === null ? { bank: 'bank' } : {}),
      ...(bonus_hours === null ? { hours: 'hours' } : {}),
    },
  };
}

/** @param {Choices} choices
 * @returns {ReturnType<typeof clockOf>} */
function daysOf({ days: text }) {
  const days = wholeIn(text, 1, 14);
  return days === null ? { faults: { days: 'days' } } : { clock: { kind: 'correspondence', days } };
}

/** The chosen clock, or its faults.
 * @param {Choices} choices
 * @returns {{ clock: ClockRule } | { faults: Faults }}
 */
export function clockOf(choices) {
  switch (choices.clock) {
    case 'none':
      return { clock: { kind: 'none' } };
    case 'correspondence':
      return choices.pace === 'bank' ? bankOf(choices) : daysOf(choices);
    case 'real_time': {
      const minutes = numberIn(choices.base, 0, 180);
      const bonus_s = wholeIn(choices.bonus, 0, 180);
      if (minutes === null || bonus_s === null)
        return {
          faults: {
            ...(minutes === null ? { base: 'base' } : {}),
            ...(bonus_s === null ? { bonus: 'bonus' } : {}),
          },
        };
      const base_s = Math.round(minutes * 60);
      if (base_s + bonus_s === 0) return { faults: { base: 'no_time' } };
      return { clock: { kind: 'real_time', base_s, bonus_s, bonus: choices.kind } };
    }
  }
}

/** The chosen room, or its faults.
 * @param {Choices} choices
 * @returns {{ room: NewRoom } | { faults: Faults }}
 */
export function roomOf(choices) {
  const { ruleset, seat, visibility, watching, drafts } = choices;
  const chosen = clockOf(choices);
  // Without spectators there is no delay, whatever the field holds.
  const delay = watching === 'nobody' ? 0 : wholeIn(choices.delay, 0, 20);
  if ('faults' in chosen || delay === null) {
    const faults = 'faults' in chosen ? chosen.faults : {};
    return { faults: delay === null ? { ...faults, delay: 'delay' } : faults };
  }
  const terms = { clock: chosen.clock, watching, drafts, delay };
  const start = plainLine(choices.start);
  return { room: { ruleset, seat, visibility, terms, ...(start === '' ? {} : { start }) } };
}
