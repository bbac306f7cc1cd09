// The browser's part in making and using passkeys.

import { ApiError, beginPasskey } from '../connection/api.js';
import { html, nothing } from '../vendor/lit-html@3.3.3/lit-html.js';
import { say } from './visitor-words.js';

/** @import { Failure } from '../connection/api.js' */
/** @import { PasskeyAnswer, PasskeyPurpose } from '../protocol.js' */

const { hostname } = location;

/** Whether the page is at an IP address: browsers make no passkeys for one. */
const IS_ADDRESS = /^[\d.]+$|^\[/.test(hostname);

/** Whether this page can make and use passkeys: not without HTTPS, and not in browsers from before 2025. */
export const HAS_PASSKEYS =
  !IS_ADDRESS && 'parseCreationOptionsFromJSON' in (globalThis.PublicKeyCredential ?? {});

/** What is said instead of an offer: at this machine's own address, the address where there are passkeys. */
export const elsewhere = () => {
  if (!['127.0.0.1', '[::1]'].includes(hostname)) return nothing;
  const there = new URL(location.href);
  there.hostname = 'localhost';
  return html`<p><small>${say('passkey.elsewhere')} <a href=${there.href}>${there.host}</a></small></p>`;
};

/** Has the browser make a passkey.
 * @param {PasskeyPurpose} purpose
 */
export async function makePasskey(purpose) {
  const options = /** @type {PublicKeyCredentialCreationOptionsJSON} */ (await beginPasskey(purpose));
  return answered('passkey_not_made', options.rp.id, () =>
    navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) }),
  );
}

/** Has the browser use a passkey.
 * @param {PasskeyPurpose} purpose
 * @param {CredentialRequestOptions} [manner] how the browser asks for it
 */
export async function usePasskey(purpose, manner = {}) {
  const options = /** @type {PublicKeyCredentialRequestOptionsJSON} */ (await beginPasskey(purpose));
  return answered('passkey_not_used', options.rpId, () =>
    navigator.credentials.get({
      publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options),
      ...manner,
    }),
  );
}

/** Has the browser offer passkeys where a name is filled in, if it can. Null if none was chosen.
 * @param {AbortSignal} signal ends the offer
 */
export async function chosenPasskey(signal) {
  if (!HAS_PASSKEYS || !(await PublicKeyCredential.isConditionalMediationAvailable?.())) return null;
  try {
    return await usePasskey({ purpose: 'sign_in' }, { mediation: 'conditional', signal });
  } catch (error) {
    // The button for passkeys says what fails.
    if (error instanceof ApiError) return null;
    throw error;
  }
}

/** Asks the server what a passkey has proved: if it proved nothing, no field is wrong.
 * @template T
 * @param {() => Promise<T>} work
 */
export async function provedByPasskey(work) {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'wrong_credentials')) throw error;
    throw new ApiError('passkey_unknown', error.detail);
  }
}

/** Failures of browsers, by the names of their errors. Any other one is of a person who does not go on, or who has no such
 * passkey: browsers do not tell sites which.
 * @type {Record<string, Failure>}
 */
const FAILURES = {
  InvalidStateError: 'passkey_there',
  ConstraintError: 'passkey_unable',
  NotSupportedError: 'passkey_unable',
  SecurityError: 'passkey_elsewhere',
};

/**
 * @param {Failure} otherwise
 * @param {string | undefined} host the one that the passkey is for
 * @param {() => Promise<Credential | null>} ask
 */
async function answered(otherwise, host, ask) {
  if (host !== hostname) throw new ApiError('passkey_elsewhere', String(host));
  try {
    const credential = /** @type {PublicKeyCredential} */ (await ask());
    return /** @type {PasskeyAnswer} */ (credential.toJSON());
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    throw new ApiError(FAILURES[error.name] ?? otherwise, error.message);
  }
}
