// Why a request failed, where there is room to say all of it.

import { ApiError } from '../net/api.js';
import { html, nothing } from '../vendor/lit-html@3.3.3/lit-html.js';
import { t, wordsOf } from './page.js';

/** Problems whose detail is about what the person wrote. It is in English. */
const DETAILED = ['invalid_start', 'bad_record'];

/** What to tell about a failed request where there is room, the server's reason included.
 * @param {unknown} error
 */
export function troubleOf(error) {
  const words = wordsOf(error);
  if (!(error instanceof ApiError) || !DETAILED.includes(error.code)) return html`${words}`;
  const { line, turn, detail } = error;
  const where = [
    ...(line === null ? [] : [t('record.line', { n: line })]),
    ...(turn === null ? [] : [t('record.turn', { n: turn })]),
  ];
  return html`${words} ${where.length === 0 ? nothing : `${where.join(', ')}${t('page.colon')}`}<span lang="en">${detail}</span>`;
}
