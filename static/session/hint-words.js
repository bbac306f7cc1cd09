// Hints in words.

import { isSwap } from '../board/input.js';
import { t } from '../ui/page.js';

/** @import { LegalAction } from '../protocol.js' */

/** An action as a hint.
 * @param {Pick<LegalAction, 'from' | 'to' | 'kind'>} action
 */
export function hintOf({ from, to, kind }) {
  if (to === null) return t('learn.hint_end');
  if (from === null) return t('learn.hint_drop', { to });
  return t(isSwap(kind) ? 'learn.hint_swap' : 'learn.hint_move', { from, to });
}
