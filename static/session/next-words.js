// The next thing to do in a turn, in words.

import { RESERVE } from '../board/input.js';
import { t } from '../ui/page.js';

/** @import { TurnDraft } from '../engine/turn-draft.js' */
/** @import { SessionState } from './session-state.js' */

/** The next thing to do with what is in the player's hand; null if it is empty.
 * @param {Pick<SessionState, 'turnDraft' | 'held'>} state
 */
export function handWords({ turnDraft, held: { picked, jumps } }) {
  if (turnDraft === null || picked === null) return null;
  if (jumps > 0) return t('status.to_next');
  if (picked === RESERVE) return t('status.to_drop');
  return t(turnDraft.turn.reserves === null ? 'status.to' : 'status.to_pile');
}

/**
 * @param {TurnDraft} turnDraft
 * @param {object} turn
 * @param {boolean} turn.making
 * @param {SessionState['held']} turn.held
 * @param {boolean} [turn.isAsking] whether the legal actions are asked for
 * @param {boolean} [turn.wasSkipped] whether the other side had no turn
 */
export function nextWords(turnDraft, { making, held, isAsking = false, wasSkipped = false }) {
  const { turn, steps, complete, unlisted, legal } = turnDraft;
  if (turn.allowance === null && steps.length > 0) return t('status.confirm_one');
  // Moves that are left over belong to a turn whose last move ended the game (RULES 1.14).
  const isLast = turn.allowance !== null && turn.allowance.used < turn.allowance.allowance;
  if (complete) return t(isLast ? 'status.confirm_last' : 'status.confirm');
  if (unlisted) return t('refusal.too_many');
  if (legal === null && !isAsking) return t('status.asking');
  const words = handWords({ turnDraft, held });
  if (words !== null) return words;
  if (turn.allowance === null) return oneActionWords(turnDraft, making);
  const { left: n, lost } = turn.allowance;
  const key = steps.length > 0 ? 'go_on' : wasSkipped ? 'again' : lost > 0 ? 'attacked' : 'begin';
  return t(`status.${key}`, { n, lost });
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
