// How a page was reached: by a key that was pressed on the page before, or otherwise.

import { recallHere, rememberHere } from './storage.js';

const KEY = 'by key';

/** Keys that lead to another page. */
const LEADING = ['Enter', ' ', 'j', 'J'];

/** True if a key of the page before led here. */
export const cameByKey = recallHere(KEY) !== '';

/** Tells the next page of this tab whether a key led to it. */
export function tellNextPage() {
  rememberHere(KEY, '');
  let isByKey = false;
  addEventListener('keydown', ({ key }) => (isByKey = LEADING.includes(key)), { capture: true });
  addEventListener('pointerdown', () => (isByKey = false), { capture: true });
  addEventListener('pagehide', () => rememberHere(KEY, isByKey ? 'yes' : ''));
}
