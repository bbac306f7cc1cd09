// The dialog about what protects an account, and its end: its password, its passkeys, its mail address, its recovery code, and the
// browsers that are signed in.

import {
  ApiError,
  changeAccount,
  endSession,
  getAccount,
  getExport,
  listOwnActs,
  listSessions,
  renewCode,
} from '../connection/api.js';
import { saveText } from '../ui/file.js';
import { dates, momentOf, wordsOf } from '../ui/page.js';
import { html, nothing, render } from '../vendor/lit-html@3.3.3/lit-html.js';
import { actWords } from './act-words.js';
import { passwordField } from './fields.js';
import { mailForms } from './mail.js';
import { nextDialog } from './next-dialog.js';
import { showPasskeys } from './own-passkeys.js';
import { proofPlace, sentWithProof } from './proof.js';
import { showRecoveryCode } from './recovery-code.js';
import { signOut } from './sign-out.js';
import { turnMailsForm } from './turn-mails.js';
import { say } from './visitor-words.js';

/** @import { Account, OwnAct, OwnSession } from '../protocol.js' */

/** Days are those of the server, in UTC. */
const day = dates({ dateStyle: 'medium', timeZone: 'UTC' });

/** Shows the dialog.
 * @param {Account} account
 * @param {boolean} hasMail whether the server sends mail
 */
export function showSecurity(account, hasMail) {
  const { name } = account.player;
  /** @type {OwnSession[]} */
  let sessions = [];
  /** @type {OwnAct[]} */
  let acts = [];
  let hasPassword = true;
  /** The words about the last change, and the part of the dialog that they belong to.
   * @type {{ part: 'password' | 'mail' | 'turn-mails' | 'sessions', words: string } | null} */
  let changed = null;
  /** @type {string | null} */
  let trouble = null;
  const dialog = nextDialog(say('security.title'), html`<div></div>`);
  const place = /** @type {HTMLElement} */ (dialog.querySelector('div'));

  /** @param {() => Promise<unknown>} [work] what changes the sessions */
  async function attempt(work) {
    trouble = null;
    draw();
    try {
      await work?.();
      [{ sessions }, { has_password: hasPassword }, { acts }] = await Promise.all([
        listSessions(),
        getAccount(),
        listOwnActs(),
      ]);
    } catch (error) {
      trouble = wordsOf(error);
    }
    draw();
  }

  /** @param {OwnSession[]} ended */
  const end = (ended) =>
    attempt(async () => {
      for (const { id } of ended) await endUnlessGone(id);
      changed = { part: 'sessions', words: say('sessions.ended', { n: ended.length }) };
      // The button goes.
      /** @type {HTMLElement} */ (place.querySelector('.sessions')).focus();
    });

  /** @param {SubmitEvent} event */
  const changePassword = (event) =>
    sentWithProof(event, { weak_password: ['password'] }, async ({ password }) => {
      await changeAccount({ password });
      /** @type {HTMLFormElement} */ (event.target).reset();
      changed = { part: 'password', words: say('password.done') };
      attempt();
    });

  /** Shows what changed about the mail address, or about the mails.
   * @param {'mail' | 'turn-mails'} part
   * @returns {(words: string) => void}
   */
  const changeMail = (part) => (words) => {
    changed = { part, words };
    attempt(async () => {
      account = await getAccount();
    });
  };

  /** @param {SubmitEvent} event */
  const changeCode = (event) =>
    sentWithProof(event, {}, async () =>
      showRecoveryCode(await renewCode(), say('recovery.why'), () => showSecurity(account, hasMail)),
    );

  /** @param {SubmitEvent} event */
  const takeData = (event) =>
    sentWithProof(event, {}, async () => saveText('towers.ndjson', await getExport()));

  /** @param {SubmitEvent} event */
  const close = (event) => sentWithProof(event, {}, () => signOut('account'));

  /** @param {'password' | 'mail' | 'turn-mails' | 'sessions'} part */
  const status = (part) => html`<p role="status">${changed?.part === part ? changed.words : ''}</p>`;

  function draw() {
    const others = sessions.filter(({ is_current }) => !is_current);
    render(
      html`<form aria-labelledby="password-title" @submit=${changePassword}>
          <h3 id="password-title">${say(hasPassword ? 'password.title' : 'password.title_first')}</h3>
          ${status('password')}
          ${passwordField('password', say('password.new'), 'new-password')}
          ${proofPlace(name)}
          <p class="error" role="alert"></p>
          <button class="primary">${say('password.submit')}</button>
        </form>
        <section class="list passkeys" aria-labelledby="passkeys-title" tabindex="-1"></section>
        ${hasMail ? mailForms(account, status('mail'), changeMail('mail')) : nothing}
        ${turnMailsForm(account, hasMail && account.mail !== undefined, status('turn-mails'), changeMail('turn-mails'))}
        <section class="list sessions" aria-labelledby="sessions-title" tabindex="-1">
          <h3 id="sessions-title">${say('sessions.title')}</h3>
          ${status('sessions')}
          <ul>${sessions.map(row)}</ul>
          <p class="error" role="alert">${trouble}</p>
          <p class="ways">
            ${others.length === 0 ? nothing : html`<button @click=${() => end(others)}>${say('sessions.end_others')}</button>`}
            <button @click=${() => attempt(() => signOut('sessions'))}>${say('sessions.end_all')}</button>
          </p>
        </section>
        <form aria-labelledby="code-title" @submit=${changeCode}>
          <h3 id="code-title">${say('recovery.code')}</h3>
          <p>${say('recovery.renew_lead')}</p>
          ${proofPlace(name)}
          <p class="error" role="alert"></p>
          <button>${say('recovery.renew')}</button>
        </form>
        <form aria-labelledby="data-title" @submit=${takeData}>
          <h3 id="data-title">${say('data.title')}</h3>
          <p>${say('data.lead')}</p>
          ${proofPlace(name)}
          <p class="error" role="alert"></p>
          <button>${say('data.submit')}</button>
        </form>
        ${acts.length === 0 ? nothing : ofModerators(acts)}
        <form aria-labelledby="close-title" @submit=${close}>
          <h3 id="close-title">${say('close.title')}</h3>
          <p>${say('close.lead')}</p>
          <label class="sure"><input type="checkbox" required /> ${say('close.sure')}</label>
          ${proofPlace(name)}
          <p class="error" role="alert"></p>
          <button class="danger">${say('close.submit')}</button>
        </form>`,
      place,
    );
  }

  attempt();
  showPasskeys(/** @type {HTMLElement} */ (place.querySelector('.passkeys')), name);

  /** @param {OwnSession} session */
  function row(session) {
    const label = session.label ?? say('sessions.unknown');
    return html`<li>
      <span>${label} <small>${say('sessions.used', { day: day.format(session.used_ms) })}</small></span>
      ${
        session.is_current
          ? html`<strong>${say('sessions.this')}</strong>`
          : html`<button aria-label=${say('sessions.end_named', { label })} @click=${() => end([session])}>${say('sessions.end')}</button>`
      }
    </li>`;
  }
}

/** What moderators have done.
 * @param {OwnAct[]} acts
 */
const ofModerators = (acts) => html`<section class="list" aria-labelledby="acts-title">
  <h3 id="acts-title">${say('acts.title')}</h3>
  <p>${say('acts.lead')}</p>
  <ul>${acts.map((act) => html`<li><span>${actWords(act)} <small>${momentOf(act.at_ms)}</small></span></li>`)}</ul>
</section>`;

/** Ends a session, which may have ended meanwhile.
 * @param {string} id
 */
async function endUnlessGone(id) {
  try {
    await endSession(id);
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'no_such_resource')) throw error;
  }
}
