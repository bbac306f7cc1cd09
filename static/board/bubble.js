// A small sheet beside a place of a board.

/** @import { Point } from './geometry.js' */

const HALF_CELL = 46;
/** Distance above the finger, in CSS pixels; the style has the same. */
const LOUPE_RISE = 64;

/** A small sheet beside a place, or above the finger that covers it.
 * @param {HTMLElement} host
 * @param {SVGSVGElement} svg
 */
export function createBubble(host, svg) {
  const element = document.createElement('div');
  element.className = 'board-bubble';
  element.setAttribute('aria-hidden', 'true');
  element.hidden = true;
  host.append(element);
  return {
    /** @param {Point} point @param {readonly (string | Node)[]} what @param {boolean} isCovered */
    show({ x, y }, what, isCovered) {
      element.hidden = false;
      element.replaceChildren(...what);
      const isBelow = y < 0 && !isCovered;
      element.classList.toggle('board-loupe', isCovered);
      element.classList.toggle('board-bubble-below', isBelow);
      const edge = isCovered ? 0 : isBelow ? HALF_CELL : -HALF_CELL;
      const spot = new DOMPoint(x, y + edge).matrixTransform(svg.getScreenCTM() ?? undefined);
      const box = host.getBoundingClientRect();
      const half = element.offsetWidth / 2;
      const top = isCovered ? Math.max(spot.y, LOUPE_RISE + element.offsetHeight) : spot.y;
      element.style.left = `${Math.min(Math.max(spot.x - box.left, half), box.width - half)}px`;
      element.style.top = `${top - box.top}px`;
    },

    hide() {
      element.hidden = true;
    },
  };
}
