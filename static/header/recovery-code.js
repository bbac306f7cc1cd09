// The dialog with an account's recovery code, which is shown once and closed only on purpose.

import { saveText } from '../ui/file.js';
import { byId, usualHand, icon } from '../ui/page.js';
import { html } from '../vendor/lit-html@3.3.3/lit-html.js';
import { nextDialog } from './next-dialog.js';
import { say } from './visitor-words.js';

/** @import { Account } from '../protocol.js' */

/** Shows the code.
 * @param {Account} account
 * @param {string} why
 * @param {() => void} then what follows once the code is kept
 */
export function showRecoveryCode({ player, recovery_code: code = '' }, why, then) {
  const title = say('recovery.file', { name: player.name, host: location.host });
  const dialog = nextDialog(
    say('recovery.show_title'),
    html`<form @submit=${leave}>
      <p>${why}</p>
      <p class="recovery-code" id="recovery-code" tabindex="-1" translate="no">${code.split('-').map((group) => html`<span>${group}</span> `)}</p>
      <p><small>${title}</small></p>
      <p class="ways">
        <button type="button" @click=${copy}>${icon('copy')} ${say('recovery.copy')}</button>
        <button type="button" @click=${save}>${icon('download')} ${say('recovery.download')}</button>
        <button type="button" @click=${() => print()}>${say('recovery.print')}</button>
      </p>
      <p id="recovery-status" role="status"></p>
      <button class="primary">${say('recovery.kept')}</button>
    </form>`,
    { isHeld: true },
  );
  byId('recovery-code').focus();

  async function copy() {
    try {
      await navigator.clipboard.writeText(code);
      byId('recovery-status').textContent = say('recovery.copied');
    } catch {
      // There is no clipboard on a page that came by plain HTTP.
      getSelection()?.selectAllChildren(byId('recovery-code'));
      byId('recovery-status').textContent = say(`recovery.by_${usualHand()}`);
    }
  }

  function save() {
    saveText('towers-recovery-code.txt', `${title}\n\n${code}\n`);
  }

  /** @param {SubmitEvent} event */
  function leave(event) {
    event.preventDefault();
    dialog.close();
    then();
  }
}
