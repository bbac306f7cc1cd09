// Choice between sending a turn as soon as it is complete and waiting for its player's confirmation. Pure.

import { hasDays } from './clock.js';

/** @import { ClockRule, Turn } from '../protocol.js' */
/** @import { Preferences } from '../ui/preference-values.js' */

/**
 * `always` and `never` apply to all turns. With `several`, a turn of several moves is confirmed, and in a
 * correspondence game, of days for each turn or of a bank of days, every turn.
 *
 * @param {Preferences['confirm']} preference
 * @param {ClockRule} clock
 * @param {Turn} turn
 */
export function isSentAtOnce(preference, clock, { allowance }) {
  if (preference !== 'several') return preference === 'never';
  return !hasDays(clock) && (allowance === null || allowance.allowance === 1);
}
