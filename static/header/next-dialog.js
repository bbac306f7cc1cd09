// Dialogs that follow one another.

import { openDialog } from '../ui/dialog.js';
import { html } from '../vendor/lit-html@3.3.3/lit-html.js';

/** @import { TemplateResult } from '../vendor/lit-html@3.3.3/lit-html.js' */

/** Opens a dialog in the place of the one that is open.
 * @param {string} title
 * @param {TemplateResult} content
 * @param {{ isHeld: boolean }} [manner]
 */
export function nextDialog(title, content, manner) {
  /** @type {HTMLDialogElement | null} */ (document.querySelector('dialog[open]'))?.close();
  return /** @type {HTMLDialogElement} */ (openDialog(title, content, manner));
}

/** Shows what came of a form.
 * @param {string} title
 * @param {string} words
 */
export function showDone(title, words) {
  const dialog = nextDialog(title, html`<p class="done" tabindex="-1">${words}</p>`);
  /** @type {HTMLElement} */ (dialog.querySelector('.done')).focus();
}
