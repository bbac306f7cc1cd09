// The next thing to do in a turn, in words.

import { t } from '../ui/page.js';

/** @import { TurnDraft } from '../engine/turn-draft.js' */

/**
 * @param {TurnDraft} turnDraft
 * @param {object} turn
 * @param {boolean} turn.making
 * @param {boolean} [turn.isAsking] whether the legal actions are asked for
 * @param {boolean} [turn.wasSkipped] whether the other side had no turn
 */
export function nextWords(turnDraft, { making, isAsking = false, wasSkipped = false }) {
  const { turn, steps, complete, unlisted, legal } = turnDraft;
  if (turn.allowance === null && steps.length > 0) return t('status.confirm_one');
  if (complete) return t('status.confirm');
  if (unlisted) return t('refusal.too_many');
  if (legal === null && !isAsking) return t('status.asking');
  if (turn.allowance === null) return oneActionWords(turnDraft, making);
  const key = steps.length > 0 ? 'go_on' : wasSkipped ? 'again' : 'begin';
  return t(`status.${key}`, { n: turn.allowance.left });
}

/** The next thing to do in a turn of one action.
 * @param {TurnDraft} turnDraft
 * @param {boolean} making
 */
function oneActionWords({ turn, legal, bestCapture }, making) {
  if (turn.set_up !== null) return t('status.stack');
  if (turn.owed?.must) return t('status.make');
  if (making) return t('status.make_councillor');
  if (bestCapture !== null) return t('status.capture', { n: bestCapture });
  if (legal?.some(({ kind }) => kind === 'switch')) return t('status.switch', { i: turn.number });
  if (legal?.some(({ kind }) => kind === 'drop')) return t('status.pile_or_drop');
  return t(turn.reserves === null ? 'status.piece' : 'status.pile');
}
