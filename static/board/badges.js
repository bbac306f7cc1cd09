// The badges of a board: short texts beside its places.

import { el, set } from './elements.js';

/** Shows texts beside places, and reuses their elements.
 * @param {Element} host
 * @param {readonly { x: number, y: number, text: string, kind: string }[]} list
 * @param {number} [scale]
 */
export function setBadges(host, list, scale = 1) {
  while (host.children.length < list.length)
    host.append(el('g', {}, [el('circle', { r: 12.5 }), el('text', { y: 6 })]));
  [...host.children].forEach((badge, index) => {
    const item = list[index];
    set(badge, 'display', item ? null : 'none');
    if (!item) return;
    set(badge, 'transform', `translate(${item.x.toFixed(1)} ${item.y.toFixed(1)}) scale(${scale})`);
    set(badge, 'class', item.kind);
    const [circle, text] = badge.children;
    set(circle, 'r', item.text.length > 2 ? '17' : '12.5');
    text.textContent = item.text;
  });
}
