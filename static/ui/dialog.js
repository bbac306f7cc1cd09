// Dialogs.

import { html, nothing, render } from '../vendor/lit-html@3.3.3/lit-html.js';
import { icon, t } from './page.js';

/** @import { TemplateResult } from '../vendor/lit-html@3.3.3/lit-html.js' */

/** @type {HTMLDialogElement | null} */
let last = null;

/**
 * Opens a dialog that is removed when it is closed. The focus comes back to where it was.
 *
 * @param {string} title
 * @param {TemplateResult} content
 * @param {{ isHeld: boolean }} [manner] whether only the content's own controls close the dialog
 * @returns {HTMLDialogElement | null} null if a dialog is open: there is one at a time, and the first stays
 */
export function openDialog(title, content, { isHeld } = { isHeld: false }) {
  if (last?.open) return null;
  last?.remove();
  const dialog = document.createElement('dialog');
  dialog.setAttribute('aria-labelledby', 'dialog-title');
  render(
    html`<header class="dialog-head">
        <h2 id="dialog-title">${title}</h2>
        ${isHeld ? nothing : html`<button class="quiet icon" aria-label=${t('page.close')} @click=${() => dialog.close()}>${icon('close')}</button>`}
      </header>
      ${content}`,
    dialog,
  );
  // A press on the backdrop has the dialog itself as its target. The dialog has no padding, so no other press does.
  dialog.addEventListener('click', (event) => event.target === dialog && !isHeld && dialog.close());
  dialog.addEventListener('close', () => dialog.remove());
  if (isHeld) {
    dialog.setAttribute('closedby', 'none');
    // For browsers without that attribute.
    dialog.addEventListener('cancel', (event) => event.preventDefault());
  }
  last = dialog;
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}
