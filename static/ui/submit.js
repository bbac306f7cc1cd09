// A form that submits once, and shows why it failed.

import { nothing, render } from '../vendor/lit-html@3.3.3/lit-html.js';
import { troubleOf } from './trouble.js';

/** Works on what a form asks for, unless it does so already. The button keeps the focus.
 * @param {HTMLFormElement} form with a button and an element of the class `error`
 * @param {() => Promise<void>} work
 * @param {string} [text] what a refusal is about
 */
export async function submitted(form, work, text) {
  const button = /** @type {HTMLButtonElement} */ (form.querySelector('button:not([type="button"])'));
  const error = /** @type {HTMLElement} */ (form.querySelector('.error[role="alert"]'));
  if (button.hasAttribute('aria-disabled')) return;
  button.setAttribute('aria-disabled', 'true');
  render(nothing, error);
  try {
    await work();
  } catch (cause) {
    render(troubleOf(cause, text), error);
    error.scrollIntoView({ block: 'nearest' });
  }
  button.removeAttribute('aria-disabled');
}
