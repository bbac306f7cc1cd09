// Sounds, and what a phone lets be felt of them.

import { mayMove } from './motion.js';
import { createBursts } from './bursts.js';
import { preferred } from './preferences.js';

/** @import { Sound } from './tones.js' */

/** Milliseconds for which a phone vibrates, with pauses between; 10 for the other sounds.
 * @type {Partial<Record<Sound, number[]>>}
 */
const PULSES = { swap: [10, 50, 10], capture: [25], turn: [30, 60, 30], low: [30, 60, 30], end: [60] };

const isHeard = createBursts();

/** Browsers allow sounds once the visitor has interacted with the page. */
const mayPlay = () => navigator.userActivation.hasBeenActive;

/** Never settles: a lock that waits for it is held until the page is closed.
 * @type {Promise<void>} */
const untilClosed = new Promise(() => {});

/**
 * Plays a sound that all tabs have a reason to play, in the first of them only.
 *
 * @param {Sound} sound
 * @param {string} occasion
 * @param {boolean} [isMuted] whether it is only felt
 */
export function playOnce(sound, occasion, isMuted) {
  if (!mayPlay()) return;
  // There are no locks on a page that came by plain HTTP.
  if (!('locks' in navigator)) {
    play(sound, isMuted);
    return;
  }
  // Another tab sees a lock at once, but a change of the local storage late.
  navigator.locks
    .request(`sounded ${occasion}`, { ifAvailable: true }, (lock) => {
      if (lock === null) return;
      play(sound, isMuted);
      return untilClosed;
    })
    // A browser that keeps nothing for this site refuses locks.
    .catch(() => play(sound, isMuted));
}

/** Plays a sound, once the visitor has interacted with the page: browsers allow none before.
 * @param {Sound} sound
 * @param {boolean} [isMuted] whether it is only felt
 */
export async function play(sound, isMuted = false) {
  if (!mayPlay() || !isHeard(sound, performance.now())) return;
  // Less motion means no vibration either.
  if (preferred().haptics === 'on' && mayMove()) navigator.vibrate?.(PULSES[sound] ?? [10]);
  if (isMuted) return;
  // A page that cannot load them is silent.
  const tones = await import(document.body.dataset.tones ?? '').catch(() => null);
  tones?.sounded(sound, preferred().volume);
}
