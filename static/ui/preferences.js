// Preferences of a visitor on this device. Looks are attributes of the page's root, for styles and boards to follow; the
// rest is asked for when it matters.

import { recall, remember } from './page.js';
import { NAMES, PREFERENCES, preferencesFrom } from './preference-values.js';

/** @import { Name, Preferences } from './preference-values.js' */

/** Visible preferences: each is an attribute `data-NAME` of the root unless it has its default. */
const SEEN = /** @type {const} */ (['theme', 'board', 'pieces', 'coordinates', 'motion', 'keys', 'zen']);

const keyOf = (/** @type {Name} */ name) => `preference ${name}`;

let preferences = preferencesFrom((name) => recall(keyOf(name)));
/** @type {Set<(now: Preferences) => void>} */
const followers = new Set();

function apply() {
  const { dataset } = document.documentElement;
  for (const name of SEEN) {
    if (preferences[name] === PREFERENCES[name][0]) delete dataset[name];
    else dataset[name] = preferences[name];
  }
}

export const preferred = () => preferences;

/** Sets a preference, keeps it, and applies it at once.
 * @param {Name} name
 * @param {string} value
 */
export function prefer(name, value) {
  dispatchEvent(new CustomEvent('preference', { detail: { name, value } }));
  remember(keyOf(name), preferences[name]);
}

/** Calls back on every change, also on one made in another tab.
 * @param {(now: Preferences) => void} follow
 */
export function followPreferences(follow) {
  followers.add(follow);
}

/** @param {(name: Name) => string | null} values */
function change(values) {
  preferences = preferencesFrom(values);
  apply();
  for (const follow of followers) follow(preferences);
}

// The dialog is a script of its own, with a copy of this module: all copies hear of a change.
addEventListener('preference', (event) => {
  const { name, value } = /** @type {CustomEvent<{ name: Name, value: string }>} */ (event).detail;
  change((other) => (other === name ? value : preferences[other]));
});
addEventListener('storage', ({ key }) => {
  if (NAMES.some((name) => keyOf(name) === key)) change((name) => recall(keyOf(name)));
});
apply();
