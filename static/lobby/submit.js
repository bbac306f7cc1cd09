// A form in a dialog that submits once, and shows why it failed.

import { troubleOf } from '../ui/trouble.js';
import { nothing, render } from '../vendor/lit-html@3.3.3/lit-html.js';

/**
 * @param {HTMLFormElement} form with a button and an element of the class `error`
 * @param {() => Promise<void>} work
 */
export async function submitted(form, work) {
  const button = /** @type {HTMLButtonElement} */ (form.querySelector('button:not([type="button"])'));
  const error = /** @type {HTMLElement} */ (form.querySelector('.error[role="alert"]'));
  button.disabled = true;
  render(nothing, error);
  try {
    await work();
  } catch (cause) {
    render(troubleOf(cause), error);
    error.scrollIntoView({ block: 'nearest' });
  }
  button.disabled = false;
}
