// Dialogs that follow one another.

import { openDialog } from '../ui/dialog.js';

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
