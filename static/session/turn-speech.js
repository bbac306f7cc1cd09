// Announcements of a turn that is drawn up.

import { announce, t } from '../ui/page.js';

/** @import { TurnDraft } from '../engine/turn-draft.js' */

/** Announces the moves that are left.
 * @param {TurnDraft | null} turnDraft
 */
export function sayLeft(turnDraft) {
  const allowance = turnDraft?.turn.allowance ?? null;
  if (allowance !== null) announce(t('say.left', { n: allowance.left }));
}

/** Announces that steps were taken back.
 * @param {TurnDraft | null} turnDraft
 */
export function sayUndone(turnDraft) {
  const allowance = turnDraft?.turn.allowance ?? null;
  announce(allowance === null ? t('say.undone_all') : t('say.undone', { n: allowance.left }));
}
