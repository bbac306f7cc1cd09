// The next thing to do in a turn of one action, in words.

import { t } from '../ui/page.js';

/** @import { TurnDraft } from '../engine/turn-draft.js' */

/**
 * @param {TurnDraft} turnDraft
 * @param {boolean} making
 */
export function oneActionWords({ turn, legal, bestCapture }, making) {
  if (turn.set_up !== null) return t('status.stack');
  if (turn.owed?.must) return t('status.make');
  if (making) return t('status.make_councillor');
  if (bestCapture !== null) return t('status.capture', { n: bestCapture });
  if (legal?.some(({ kind }) => kind === 'switch')) return t('status.switch', { i: turn.number });
  if (legal?.some(({ kind }) => kind === 'drop')) return t('status.pile_or_drop');
  return t(turn.reserves === null ? 'status.piece' : 'status.pile');
}
