// The preferences, and how they are read back. Pure.

/** The preferences with their values, the usual one first. */
export const PREFERENCES = /** @type {const} */ ({
  theme: ['auto', 'light', 'dark'],
  confirm: ['several', 'always', 'never'],
  after: ['stay', 'next'],
  board: ['wood', 'slate', 'print'],
  pieces: ['usual', 'contrast'],
  coordinates: ['on', 'off'],
  motion: ['normal', 'fast', 'off'],
  volume: ['normal', 'quiet', 'loud'],
  haptics: ['on', 'off'],
  keys: ['on', 'off'],
  zen: ['off', 'on'],
});

/** @typedef {keyof typeof PREFERENCES} Name */
/** @typedef {{ readonly [Key in Name]: (typeof PREFERENCES)[Key][number] }} Preferences */

export const NAMES = /** @type {Name[]} */ (Object.keys(PREFERENCES));

/**
 * The stored preferences; invalid values become defaults.
 *
 * @param {(name: Name) => string | null} stored
 * @returns {Preferences}
 */
export function preferencesFrom(stored) {
  const all = NAMES.map((name) => {
    const value = stored(name);
    const known = /** @type {readonly (string | null)[]} */ (PREFERENCES[name]);
    return [name, known.includes(value) ? value : PREFERENCES[name][0]];
  });
  return /** @type {Preferences} */ (Object.fromEntries(all));
}
