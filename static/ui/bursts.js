// Sounds that come in a burst, as when a page that was frozen reads all that it missed: of each only the first is heard.
// Pure.

/** @import { Sound } from './tones.js' */

/** Sounds so soon after the same one belong to one burst. */
const BURST_MS = 60;
/** Sounds that call somebody say nothing more a moment later. */
const CALL_MS = 1_000;

/** @type {readonly Sound[]} */
const CALLS = ['turn', 'end', 'low'];

/** @returns {(sound: Sound, atMs: number) => boolean} true if a sound is heard; it counts for the next one anyway */
export function createBursts() {
  /** @type {Map<Sound, number>} */
  const lastMs = new Map();
  return (sound, atMs) => {
    const sinceMs = atMs - (lastMs.get(sound) ?? -Infinity);
    lastMs.set(sound, atMs);
    return sinceMs > (CALLS.includes(sound) ? CALL_MS : BURST_MS);
  };
}
