// A sentence with its key words in bold.

import { html } from '../vendor/lit-html@3.3.3/lit-html.js';

/**
 * @param {string} text
 * @param {RegExp} key with one group, which is set in bold
 */
export const stressed = (text, key) =>
  text.split(key).map((part, index) => (index % 2 === 1 ? html`<strong>${part}</strong>` : part));
