// The next thing to do in a turn, in words.

import { RESERVE } from '../board/input.js';
import { t } from '../ui/page.js';
import { otherSide } from './game-model.js';

/** @import { TurnDraft } from '../engine/turn-draft.js' */
/** @import { SessionState } from './session-state.js' */

/** The next thing to do with what is in the player's hand; null if it is empty.
 * @param {Pick<SessionState, 'turnDraft' | 'held'>} state
 */
export function handWords({ turnDraft, held: { picked, jumps } }) {
  if (turnDraft === null || picked === null) return null;
  if (jumps > 0) return t('status.to_next');
  if (picked === RESERVE) return t('status.to_drop');
  if (turnDraft.turn.reserves !== null) return t('status.to_pile');
  // Only in Fibonacci pieces swap, and there are centres to attack.
  if (turnDraft.turn.threats === null) return t('status.to');
  const swaps = turnDraft.legal?.some(({ from, kind }) => from === picked && kind === 'swap');
  return t(swaps ? 'status.to_swap' : 'status.to_dot');
}

/** True if the last step brought another attacker to the centre of the other side.
 * @param {Pick<TurnDraft, 'start' | 'steps'>} turnDraft
 */
function hasAttacked({ start, steps }) {
  const [before, now] = [start, ...steps]
    .slice(-2)
    .map(({ threats }) => threats?.[otherSide(start.side)] ?? []);
  return now !== undefined && now.length > before.length;
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
  if (hasAttacked(turnDraft)) return t(turn.cards === null ? 'status.touches' : 'status.touches_cards');
  return t(`status.${steps.length > 0 ? 'go_on' : wasSkipped ? 'again' : 'begin'}`);
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
