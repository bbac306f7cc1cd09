// Ways through the moments of a replay besides its buttons: the wheel over the board, and keys.

import { isOfPage } from '../panels/board-tools.js';
import { goalOf } from '../session/moments.js';
import { wheelSteps } from './wheel.js';

/** @import { Cursor } from '../session/cursor.js' */
/** @import { Moment } from '../session/moments.js' */

/** Lets the wheel over an element move a cursor.
 * @param {HTMLElement} element
 * @param {Cursor} cursor
 */
export function followWheel(element, cursor) {
  let turned = 0;
  element.addEventListener(
    'wheel',
    (event) => {
      // With Control the wheel zooms the page.
      if (event.ctrlKey) return;
      event.preventDefault();
      const { steps, rest } = wheelSteps(turned, event);
      turned = rest;
      if (steps > 0) cursor.forward();
      else if (steps < 0) cursor.go(cursor.index - 1);
    },
    { passive: false },
  );
}

/** Lets keys outside the board move a cursor.
 * @param {Moment[]} all
 * @param {Cursor} cursor
 */
export function followReplayKeys(all, cursor) {
  document.addEventListener('keydown', (event) => {
    if (!isOfPage(event)) return;
    const to = goalOf(`${event.shiftKey ? 'Shift+' : ''}${event.key}`, all, cursor.index);
    if (to === null) return;
    event.preventDefault();
    if (event.key === 'ArrowRight' && !event.shiftKey) cursor.forward();
    else cursor.go(to);
  });
}
