// Hints in words.

import { t } from '../ui/page.js';

/** @import { LegalAction } from '../protocol.js' */

/** An action as a hint.
 * @param {Pick<LegalAction, 'from' | 'to'>} action
 */
export function hintOf({ from, to }) {
  if (to === null) return t('learn.hint_end');
  return from === null ? t('learn.hint_drop', { to }) : t('learn.hint_move', { from, to });
}
