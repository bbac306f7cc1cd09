// A moment of these weeks in words, as `5 December at 14:00`.

import { dates } from './page.js';

const MOMENT = dates({ day: 'numeric', month: 'long', hour: '2-digit', minute: '2-digit' });

/** @param {number} ms since 1970 */
export const momentText = (ms) => MOMENT.format(ms);
