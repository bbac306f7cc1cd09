// The reasons of a failed request, in full where there is room.

import { ApiError } from '../connection/api.js';
import { html } from '../vendor/lit-html@3.3.3/lit-html.js';
import { t, wordsOf } from './page.js';

/** @import { Flaw } from '../protocol.js' */

/** Maximum number of characters of a line that is shown as the cause of a refusal. */
const MAX_FOUND = 80;

/** A text as a sentence.
 * @param {string} text
 */
export const sentence = (text) => `${text[0].toLocaleUpperCase()}${text.slice(1)}.`;

/** The content of a line of a text, in words; empty if there is none.
 * @param {string} text
 * @param {number} line its number
 */
export function foundIn(text, line) {
  const found = text.split('\n')[line - 1]?.trim() ?? '';
  if (found === '') return '';
  return t('record.found', { text: found.length > MAX_FOUND ? `${found.slice(0, MAX_FOUND)}…` : found });
}

/** The flaw of a text that a person wrote. Characters and actions count from 1 there.
 * @param {Flaw} flaw
 */
export function flawWords(flaw) {
  switch (flaw.code) {
    case 'expected': {
      const what = t(`flaw.what_${flaw.what}`);
      return flaw.field === null
        ? t('flaw.expected', { what })
        : t('flaw.expected_in', { field: flaw.field, what });
    }
    case 'position':
      return t('flaw.position', { n: flaw.at + 1, rule: flaw.rule });
    case 'illegal':
    case 'incomplete':
      return t(`flaw.${flaw.code}`, { n: flaw.index + 1, rule: flaw.rule });
    case 'game_over':
      return t('flaw.game_over', { n: flaw.index + 1 });
    case 'wrong_ending':
      return t('flaw.wrong_ending', { result: flaw.winner ?? 'draw', reason: flaw.reason });
    case 'newer_version':
      return t('flaw.newer_version', { version: String(flaw.version) });
    case 'wrong_number':
      return t('flaw.wrong_number', { expected: String(flaw.expected) });
    default:
      return t(`flaw.${flaw.code}`, flaw);
  }
}

/** The text about a failed request where there is room: with the flaw of what the person wrote, and its place.
 * @param {unknown} error
 * @param {string} [text] what the person wrote
 */
export function troubleOf(error, text = '') {
  const words = wordsOf(error);
  if (!(error instanceof ApiError) || error.flaw === null) return html`${words}`;
  const { line, turn, flaw } = error;
  const where = [
    ...(line === null ? [] : [t('record.line', { n: line })]),
    ...(turn === null ? [] : [t('record.turn', { n: turn })]),
  ].join(', ');
  const found = line === null ? '' : foundIn(text, line);
  return html`${words} ${sentence(`${where}${where === '' ? '' : t('page.colon')}${flawWords(flaw)}`)} ${found}`;
}
