// Choice between sending a turn as soon as it is complete and waiting for its player's confirmation. Pure.

/** @import { ClockRule, Turn } from '../protocol.js' */
/** @import { Preferences } from '../ui/preference-values.js' */

/**
 * A turn of several moves is confirmed unless the player never wants to; a turn of one is only where the player always
 * wants to, and in games of days, where nothing is in haste.
 *
 * @param {Preferences['confirm']} preference
 * @param {ClockRule} clock
 * @param {Turn} turn
 */
export function isSentAtOnce(preference, clock, { allowance }) {
  if (preference !== 'several') return preference === 'never';
  return clock.kind !== 'correspondence' && (allowance === null || allowance.allowance === 1);
}
