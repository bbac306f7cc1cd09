// Announcements of a turn that is drawn up.

import { announce, t } from '../ui/page.js';

/** @import { Desk } from '../engine/turn-draft.js' */

/** Announces the moves that are left.
 * @param {Desk | null} desk
 */
export function sayLeft(desk) {
  const allowance = desk?.turn.allowance ?? null;
  if (allowance !== null) announce(t('say.left', { n: allowance.left }));
}

/** Announces that steps were taken back.
 * @param {Desk | null} desk
 */
export function sayUndone(desk) {
  const allowance = desk?.turn.allowance ?? null;
  announce(allowance === null ? t('say.undone_all') : t('say.undone', { n: allowance.left }));
}
