// The dialog that shows a link to be copied by hand.

import { openDialog } from '../ui/dialog.js';
import { usualHand, t } from '../ui/page.js';
import { html } from '../vendor/lit-html@3.3.3/lit-html.js';

/** @param {string} link */
export function showLink(link) {
  const dialog = openDialog(
    t('room.link'),
    html`<p><input readonly aria-label=${t('room.link')} value=${link} /> ${t(`room.copy_by_${usualHand()}`)}</p>`,
  );
  const field = dialog?.querySelector('input');
  field?.focus();
  field?.select();
}
