// The elements that boards are made of.

const SVG = 'http://www.w3.org/2000/svg';

/** Makes an SVG element.
 * @param {string} name
 * @param {Record<string, string | number>} [attributes]
 * @param {Element[]} [children]
 */
export function el(name, attributes = {}, children = []) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}

/** Sets an attribute, or removes it with null; does nothing if it is unchanged.
 * @param {Element} element
 * @param {string} name
 * @param {string | null} value
 */
export function set(element, name, value) {
  if (element.getAttribute(name) === value) return;
  if (value === null) element.removeAttribute(name);
  else element.setAttribute(name, value);
}
