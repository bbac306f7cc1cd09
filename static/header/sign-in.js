// The dialogs by which a visitor signs in: with a password, or with a recovery code.

import { ApiError, recover, renewCode, signIn } from '../connection/api.js';
import { tellVisitor } from '../connection/session.js';
import { reload } from '../ui/leaving.js';
import { rulesetName, t } from '../ui/page.js';
import { plainLine } from '../ui/pasted.js';
import { html } from '../vendor/lit-html@3.3.3/lit-html.js';
import { codeField, nameField, passwordField, sent } from './fields.js';
import { nextDialog } from './next-dialog.js';
import { showRecoveryCode } from './recovery-code.js';
import { say } from './visitor-words.js';

/** @import { GameSummary } from '../protocol.js' */

/** Shows the form with name and password. */
export function showSignIn() {
  const dialog = nextDialog(
    say('signin.title'),
    html`<form @submit=${submit}>
      ${nameField(say('signin.name'), '', 'username')}
      ${passwordField('password', say('password.label'), 'current-password')}
      <p class="error" role="alert"></p>
      <p class="ways">
        <button class="primary">${say('signin.submit')}</button>
        <button type="button" class="quiet" @click=${lose}>${say('signin.lost')}</button>
      </p>
    </form>`,
  );
  dialog.querySelector('input')?.focus();

  /** @param {SubmitEvent} event */
  function submit(event) {
    return sent(event, { wrong_credentials: ['password'] }, ({ name, password }) =>
      unlessGames(async (leave_guest) => {
        const { player } = await signIn({ name: plainLine(name), password, leave_guest });
        tellVisitor(player);
        await reload();
      }),
    );
  }

  function lose() {
    const { value } = /** @type {HTMLInputElement} */ (dialog.querySelector('input'));
    showRecovery(value);
  }
}

/** Shows the form by which a recovery code sets a new password.
 * @param {string} name
 */
function showRecovery(name) {
  const dialog = nextDialog(
    say('recovery.title'),
    html`<form @submit=${submit}>
      <p>${say('recovery.lead')}</p>
      ${nameField(say('signin.name'), name, 'username')}
      ${codeField(say('recovery.code'))}
      ${passwordField('password', say('password.new'), 'new-password')}
      <p class="error" role="alert"></p>
      <button class="primary">${say('recovery.submit')}</button>
    </form>`,
  );
  /** @type {HTMLElement | null} */ (dialog.querySelector(name === '' ? 'input' : '[name="code"]'))?.focus();

  /** @param {SubmitEvent} event */
  function submit(event) {
    const wrong = /** @type {[string, string]} */ (['code', say('recovery.wrong')]);
    return sent(
      event,
      { wrong_credentials: wrong, invalid_body: wrong, weak_password: ['password'] },
      ({ name, code, password }) =>
        unlessGames(async (leave_guest) => {
          const secrets = { code: plainLine(code), password };
          const { player } = await recover({ name: plainLine(name), ...secrets, leave_guest });
          tellVisitor(player);
          showRecoveryCode(await renewCode(), say('recovery.why_next'), reload);
        }),
    );
  }
}

/** Signs in. A guest with games under way is asked before leaving them.
 * @param {(leavesGuest: boolean) => Promise<void>} enter
 */
async function unlessGames(enter) {
  try {
    await enter(false);
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'guest_has_games')) throw error;
    askToLeave(error.games, () => enter(true));
  }
}

/** Asks a guest about leaving games under way.
 * @param {GameSummary[]} games
 * @param {() => Promise<void>} enter
 */
function askToLeave(games, enter) {
  const dialog = nextDialog(
    say('signin.leave_title'),
    html`<form @submit=${(/** @type {SubmitEvent} */ event) => sent(event, {}, enter)}>
      <p>${say('signin.leave')}</p>
      <ul class="links">${games.map((game) => html`<li><a href=${`/game/${game.id}`}>${gameWords(game)}</a></li>`)}</ul>
      <p class="error" role="alert"></p>
      <p class="ways">
        <button class="danger">${say('signin.leave_submit')}</button>
        <button type="button" @click=${() => dialog.close()}>${say('signin.stay')}</button>
      </p>
    </form>`,
  );
}

/** @param {GameSummary} game */
function gameWords({ ruleset, seats }) {
  const pair =
    seats === null
      ? t('lobby.your_room')
      : t('game.pair', { first: seats.first.name, second: seats.second.name });
  return `${rulesetName(ruleset)}${t('page.colon')}${pair}`;
}
