// The puzzles that were solved on this device.

import { recall, remember } from '../ui/page.js';

/** Maximum number of solved puzzles that are remembered, more than there are. */
const MOST = 2000;
const KEY = 'solved puzzles';

/** The ids of the puzzles that were solved on this device.
 * @returns {Set<string>}
 */
export function solvedHere() {
  return new Set((recall(KEY) ?? '').split(' ').filter((id) => /^[0-9a-f]{8}$/.test(id)));
}

/** @param {string} id */
export function rememberSolved(id) {
  const ids = solvedHere();
  ids.delete(id);
  remember(KEY, [...ids, id].slice(-MOST).join(' '));
}
