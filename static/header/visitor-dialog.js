// The dialog about the visitor: the name, the ways to an account or into its security, the vacation, blocked players, and the way
// out of
// the session.

import { changeAccount, getAccount, rename } from '../connection/api.js';
import { openSession, tellVisitor } from '../connection/session.js';
import { openDialog } from '../ui/dialog.js';
import { announce, byId, icon, listed, recall, t, wordsOf } from '../ui/page.js';
import { plainLine } from '../ui/pasted.js';
import { isNewGuest } from '../ui/player-name.js';
import { keptTurns } from '../ui/waiting-games.js';
import { html, nothing, render } from '../vendor/lit-html@3.3.3/lit-html.js';
import { showBlocks } from './blocked-players.js';
import { nameField, sent } from './fields.js';
import { showConfirmation } from './mail.js';
import { showRegister } from './register.js';
import { showSecurity } from './security-dialog.js';
import { showLinkRecovery, showSignIn } from './sign-in.js';
import { signOut } from './sign-out.js';
import { showUnsubscription } from './turn-mails.js';
import { showVacation } from './vacation.js';
import { say } from './visitor-words.js';

/** @import { Account, Player } from '../protocol.js' */

export { showReport } from './report.js';

/** Shows the dialog. A visitor without a session gets one. */
export async function show() {
  const { unseen } = keptTurns();
  const dialog = openDialog(
    say('visitor.title'),
    html`<p class="ways"><a class="button" href="/inbox">${unseen > 0 ? say('visitor.inbox_new', { n: unseen }) : say('visitor.inbox')}</a></p>
      <div></div>
      <section class="list" aria-labelledby="vacation-title" tabindex="-1"></section>
      <section class="list" aria-labelledby="blocks-title" tabindex="-1"></section>
      <div></div>`,
  );
  if (dialog === null) return;
  const [own, vacation, blocks, out] = /** @type {HTMLElement[]} */ ([
    ...dialog.querySelectorAll('div, section'),
  ]);
  if (!recall('account')) render(ofGuest(dialog, recall('name') ?? ''), own);
  try {
    const { player, mail, role } = await openSession();
    const isGuest = player.kind !== 'account';
    render(
      isGuest
        ? ofGuest(dialog, player.name)
        : ofAccount(dialog, await getAccount(), mail, role !== undefined),
      own,
    );
    render(isGuest ? LEAVING : SIGNING_OUT, out);
    showVacation(vacation);
    showBlocks(blocks);
  } catch (error) {
    render(html`<p class="error" role="alert">${wordsOf(error)}</p>`, own);
  }
}

/** Shows, over the page, that the session of an account has ended, and the way back in.
 * @param {string} name that of the account
 */
export function showEnded(name) {
  const note = document.createElement('div');
  note.className = 'ended';
  render(
    html`<p>${say('ended.words')}</p>
      <button class="primary" @click=${() => showSignIn(name)}>${say('signin.title')}</button>
      <button class="quiet icon" aria-label=${t('page.close')} @click=${() => note.remove()}>${icon('close')}</button>`,
    note,
  );
  byId('top').append(note);
  announce(say('ended.words'));
}

/** Shows the dialog of a link that the owner of an account was given.
 * @param {'recover' | 'confirm' | 'unsubscribe'} purpose
 * @param {string} secret
 */
export function showLink(purpose, secret) {
  if (purpose === 'recover') showLinkRecovery(secret);
  else if (purpose === 'confirm') showConfirmation(secret);
  else showUnsubscription(secret);
}

/** @param {HTMLDialogElement} dialog
 * @param {string} name
 */
const ofGuest = (dialog, name) =>
  html`<p>${say('visitor.guest')}</p>
    <p class="ways">
      <button class="primary" @click=${() => showRegister(isNewGuest(name) ? '' : name)}>${say('register.title')}</button>
      <button @click=${() => showSignIn('')}>${say('signin.title')}</button>
    </p>
    ${renameForm(dialog, name, 'nickname', null, async (name) => (await rename({ name })).player)}`;

/** @param {HTMLDialogElement} dialog
 * @param {Account} account
 * @param {boolean} hasMail whether the server sends mail
 * @param {boolean} hasRole whether the visitor is a moderator
 */
const ofAccount = (dialog, account, hasMail, hasRole) =>
  html`<p>${say('visitor.account')}</p>
    <p class="ways">
      <button @click=${() => showSecurity(account, hasMail)}>${say('security.title')}</button>
      ${hasRole ? html`<a class="button" href="/moderation">${say('visitor.moderation')}</a>` : nothing}
    </p>
    ${renameForm(
      dialog,
      account.player.name,
      'username',
      [
        say('rename.hint'),
        ...(account.former_names.length === 0
          ? []
          : [say('rename.former', { names: listed(account.former_names) })]),
      ].join(' '),
      async (name) => (await changeAccount({ name })).player,
    )}`;

/**
 * @param {HTMLDialogElement} dialog
 * @param {string} name
 * @param {'nickname' | 'username'} autocomplete
 * @param {string | null} hint
 * @param {(name: string) => Promise<Player>} work renames the visitor
 */
function renameForm(dialog, name, autocomplete, hint, work) {
  /** @param {SubmitEvent} event */
  const submit = (event) =>
    sent(event, { name_taken: ['name'], invalid_body: ['name'] }, async ({ name }) => {
      const player = await work(plainLine(name));
      dialog.close();
      announce(say('rename.done', { name: player.name }));
      tellVisitor(player);
    });
  return html`<form @submit=${submit}>
    ${nameField(say('rename.label'), name, autocomplete, hint)}
    <p class="error" role="alert"></p>
    <button>${say('rename.submit')}</button>
  </form>`;
}

/** @param {SubmitEvent} event */
const leave = (event) => sent(event, {}, () => signOut('session'));

/** The way out for a guest, who cannot come back: no sign-out, from which people return. */
const LEAVING = html`<details class="leave">
  <summary>${say('leave.guest')}</summary>
  <form @submit=${leave}>
    <p>${say('leave.lead')}</p>
    <p class="error" role="alert"></p>
    <button class="danger">${say('leave.guest_submit')}</button>
  </form>
</details>`;

const SIGNING_OUT = html`<form class="leave" @submit=${leave}>
  <p class="error" role="alert"></p>
  <button>${say('leave.title')}</button>
</form>`;
