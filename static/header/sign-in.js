// The dialogs by which a visitor signs in: with a password, a passkey, a recovery code, or a link.

import { ApiError, recover, recoverByLink, renewCode, signIn, signInByPasskey } from '../connection/api.js';
import { leaveSession, openSession, tellVisitor } from '../connection/session.js';
import { reload } from '../ui/leaving.js';
import { rulesetName, t } from '../ui/page.js';
import { plainLine } from '../ui/pasted.js';
import { withNames } from '../ui/player-name.js';
import { html, nothing, render } from '../vendor/lit-html@3.3.3/lit-html.js';
import { codeField, isByPasskey, nameField, passwordField, sent } from './fields.js';
import { withLink } from './link-secret.js';
import { showMailRecovery } from './mail.js';
import { nextDialog } from './next-dialog.js';
import { chosenPasskey, elsewhere, HAS_PASSKEYS, provedByPasskey, usePasskey } from './passkeys.js';
import { showRecoveryCode } from './recovery-code.js';
import { say } from './visitor-words.js';

/** @import { Account, GameSummary, PasskeyAnswer } from '../protocol.js' */
/** @import { TemplateResult } from '../vendor/lit-html@3.3.3/lit-html.js' */
/** @import { Causes } from './fields.js' */

/** Shows the form with name and password, and a button for passkeys, which need neither. The browser may offer passkeys in the
 * field of the name too.
 * @param {string} name
 */
export function showSignIn(name) {
  /** @type {PasskeyAnswer | null} the one by which the form was sent last */
  let answer = null;
  /** @type {PasskeyAnswer | null} the one chosen in the field of the name, until the form is sent by it */
  let chosen = null;
  const offer = new AbortController();
  const dialog = nextDialog(
    say('signin.title'),
    html`<form @submit=${submit}>
      ${nameField(say('signin.name'), name, 'username webauthn')}
      ${passwordField('password', say('password.label'), 'current-password')}
      <p class="error" role="alert"></p>
      <p class="ways">
        <button class="primary">${say('signin.submit')}</button>
        <button type="button" class="quiet" @click=${lose}>${say('signin.lost')}</button>
      </p>
      ${HAS_PASSKEYS ? html`<button name="passkey" formnovalidate>${say('passkey.signin')}</button>` : elsewhere()}
      ${questionPlace()}
    </form>`,
  );
  /** @type {HTMLElement | null} */ (
    dialog.querySelector(name === '' ? 'input' : '[name="password"]')
  )?.focus();
  dialog.addEventListener('close', () => offer.abort());
  offerPasskeys();

  async function offerPasskeys() {
    chosen = await chosenPasskey(offer.signal);
    if (chosen === null || !dialog.open) return;
    dialog.querySelector('form')?.requestSubmit(dialog.querySelector('[name="passkey"]'));
  }

  /** @param {SubmitEvent} event */
  function submit(event) {
    const isUsedUp = () => answer !== null;
    const send = async (/** @type {Record<string, string>} */ values, /** @type {Consents} */ consents) => {
      answer = await answerFor(event, consents);
      const passkey = answer;
      const name = plainLine(values.name);
      const { player } = await leaveSession(() =>
        passkey === null
          ? signIn({ name, password: values.password, ...consents })
          : provedByPasskey(() => signInByPasskey({ passkey, ...consents })),
      );
      tellVisitor(player);
      await reload();
    };
    return sentUnlessAsked(event, { wrong_credentials: ['password'] }, send, isUsedUp);
  }

  /** The answer by which the form is sent; null if it is sent by a password.
   * @param {SubmitEvent} event
   * @param {Consents} consents
   */
  async function answerFor(event, consents) {
    const now = isByPasskey(event) ? chosen : null;
    chosen = null;
    if (now !== null) return now;
    // An answer counts once, unless a guest is asked first.
    const isRepeated = answer !== null && consents.reopen;
    if (!isByPasskey(event) && !isRepeated) return isAgreed(event) ? answer : null;
    offer.abort();
    return usePasskey({ purpose: 'sign_in' });
  }

  async function lose() {
    const { value } = /** @type {HTMLInputElement} */ (dialog.querySelector('input'));
    showRecovery(value, await hasMail());
  }
}

/** Whether the server sends mail. Without an answer the form for a recovery code is of use all the same. */
async function hasMail() {
  try {
    return (await openSession()).mail;
  } catch {
    return false;
  }
}

/** Shows the form by which a recovery code sets a new password.
 * @param {string} name
 * @param {boolean} hasMail whether there is another way, by mail
 */
function showRecovery(name, hasMail) {
  const dialog = nextDialog(
    say('recovery.title'),
    html`<form @submit=${submit}>
      <p>${say('recovery.lead')}</p>
      ${nameField(say('signin.name'), name, 'username')}
      ${codeField(say('recovery.code'))}
      ${passwordField('password', say('password.new'), 'new-password')}
      <p class="error" role="alert"></p>
      <p class="ways">
        <button class="primary">${say('recovery.submit')}</button>
        ${hasMail ? html`<button type="button" class="quiet" @click=${writeTo}>${say('recovery.by_mail')}</button>` : nothing}
      </p>
      ${questionPlace()}
    </form>`,
  );
  /** @type {HTMLElement | null} */ (dialog.querySelector(name === '' ? 'input' : '[name="code"]'))?.focus();

  function writeTo() {
    showMailRecovery(/** @type {HTMLInputElement} */ (dialog.querySelector('input')).value);
  }

  /** @param {SubmitEvent} event */
  function submit(event) {
    /** @type {[string, string]} */
    const wrong = ['code', say('recovery.wrong')];
    /** @type {Causes} */
    const causes = { wrong_credentials: wrong, invalid_body: wrong, weak_password: ['password'] };
    return sentUnlessAsked(event, causes, async ({ name, code, password }, consents) => {
      const secrets = { code: plainLine(code), password };
      await enter(() => recover({ name: plainLine(name), ...secrets, ...consents }));
    });
  }
}

/** Shows the form by which a link sets a new password.
 * @param {string} link its secret
 */
export function showLinkRecovery(link) {
  const dialog = nextDialog(
    say('recovery.link_title'),
    html`<form @submit=${submit}>
      <p>${say('recovery.link_lead')}</p>
      ${passwordField('password', say('password.new'), 'new-password')}
      <p class="error" role="alert"></p>
      <button class="primary">${say('recovery.submit')}</button>
      ${questionPlace()}
    </form>`,
  );
  dialog.querySelector('input')?.focus();

  /** @param {SubmitEvent} event */
  function submit(event) {
    return sentUnlessAsked(event, { weak_password: ['password'] }, ({ password }, consents) =>
      enter(() => withLink(() => recoverByLink({ link, password, ...consents }))),
    );
  }
}

/** Signs in with a new password, and shows a new recovery code.
 * @param {() => Promise<Account>} work
 */
async function enter(work) {
  const { player, mail } = await leaveSession(work);
  tellVisitor(player);
  const why = [say('recovery.why_next')];
  if (mail !== undefined && !mail.recovers) why.push(say('recovery.mail_off', { address: mail.address }));
  showRecoveryCode(await renewCode(), why.join(' '), reload);
}

/** What a visitor who signs in has agreed to, each when the server asked for it.
 * @typedef {{ leave_guest: boolean, reopen: boolean }} Consents */

/** @type {Readonly<Consents>} */
const NOTHING = { leave_guest: false, reopen: false };

/** What the button of the question in a form agrees to.
 * @type {WeakMap<Element, Consents>} */
const asked = new WeakMap();

/** Works on what a form asks for. A guest with games under way is asked in the form before leaving them, and the owner of a
 * closed account before it is opened again.
 * @param {SubmitEvent} event
 * @param {Causes} causes
 * @param {(values: Record<string, string>, consents: Consents) => Promise<void>} work
 * @param {() => boolean} [isUsedUp] whether the device has to be asked again before a closed account is opened
 */
const sentUnlessAsked = (event, causes, work, isUsedUp = () => false) =>
  sent(event, causes, async (values) => {
    const form = /** @type {HTMLFormElement} */ (event.target);
    const place = /** @type {HTMLElement} */ (form.querySelector('.question'));
    const consents = (isAgreed(event) && asked.get(place)) || NOTHING;
    try {
      await work(values, consents);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const { code, games } = error;
      if (code === 'guest_has_games') ask(place, { ...consents, leave_guest: true }, leaving(games));
      else if (code === 'account_closed') ask(place, { ...consents, reopen: true }, reopening(isUsedUp()));
      else throw error;
    }
  });

/** @param {SubmitEvent} event */
const isAgreed = ({ submitter }) => submitter?.getAttribute('name') === 'agree';

/**
 * @param {HTMLElement} place
 * @param {Consents} consents
 * @param {TemplateResult} question
 */
function ask(place, consents, question) {
  asked.set(place, consents);
  render(question, place);
  place.focus();
}

/** The place in a form for a question. */
const questionPlace = () =>
  html`<section class="question" aria-labelledby="question-title" tabindex="-1"></section>`;

/** @param {GameSummary[]} games */
const leaving = (games) =>
  html`<h3 id="question-title">${say('signin.leave_title')}</h3>
    <p>${say('signin.leave')}</p>
    <ul>${games.map((game) => html`<li><a href=${`/game/${game.id}`}>${gameWords(game)}</a></li>`)}</ul>
    <button class="danger" name="agree" formnovalidate>${say('signin.leave_submit')}</button>`;

/** @param {boolean} isByPasskey whether a passkey has to be used again */
const reopening = (isByPasskey) =>
  html`<h3 id="question-title">${say('signin.closed_title')}</h3>
    <p>${say('signin.closed')}</p>
    ${isByPasskey ? html`<p>${say('signin.closed_passkey')}</p>` : nothing}
    <button class="primary" name="agree" formnovalidate>${say('signin.closed_submit')}</button>`;

/** @param {GameSummary} game */
function gameWords({ ruleset, seats }) {
  const pair = seats === null ? t('lobby.your_room') : withNames('game.pair', seats);
  return [rulesetName(ruleset), t('page.colon'), pair];
}
