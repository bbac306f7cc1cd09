// Filters of the saved games, in the address and in a request. Pure.

/** @import { Reason, Ruleset, Side } from '../protocol.js' */

/**
 * An empty text filters nothing.
 * @typedef {object} Filters
 * @property {string} player a player's name
 * @property {Ruleset | ''} ruleset
 * @property {Side | 'draw' | ''} result the winner
 * @property {Reason | ''} reason
 * @property {string} since the first day, as `2026-11-21`
 * @property {string} until the last day
 */

import { plainLine } from '../ui/pasted.js';
import { bareWord } from '../connection/links.js';

export const RESULTS = /** @type {const} */ (['first', 'second', 'draw']);
/** @type {readonly Reason[]} */
export const REASONS = [
  'surround',
  'king',
  'blocked',
  'resign',
  'time',
  'abandon',
  'agreement',
  'repetition',
  'quiet',
  'turn-limit',
];

/** @type {Filters} */
export const NO_FILTERS = { player: '', ruleset: '', result: '', reason: '', since: '', until: '' };
const KEYS = /** @type {(keyof Filters)[]} */ (Object.keys(NO_FILTERS));
const LONGEST_NAME = 24;

/** @param {string} text */
function isDay(text) {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

/**
 * The filters of an address or of a form; invalid ones are ignored.
 *
 * @param {URLSearchParams} given
 * @param {readonly Ruleset[]} rulesets
 * @returns {Filters}
 */
export function filtersFrom(given, rulesets) {
  /** @param {keyof Filters} key */
  const text = (key) => plainLine(given.get(key) ?? '');
  /**
   * @template {string} Value
   * @param {keyof Filters} key
   * @param {readonly Value[]} values
   * @returns {Value | ''}
   */
  const among = (key, values) => values.find((value) => value === bareWord(text(key))) ?? '';
  /** @param {keyof Filters} key */
  const day = (key) => (isDay(bareWord(text(key))) ? bareWord(text(key)) : '');
  return {
    player: [...text('player')].slice(0, LONGEST_NAME).join(''),
    ruleset: among('ruleset', rulesets),
    result: among('result', RESULTS),
    reason: among('reason', REASONS),
    since: day('since'),
    until: day('until'),
  };
}

/** The filters as the parameters of an address, in one order and without those that filter nothing.
 * @param {Filters} filters
 */
export const parametersOf = (filters) =>
  new URLSearchParams(KEYS.filter((key) => filters[key] !== '').map((key) => [key, filters[key]]));
