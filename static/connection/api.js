// The HTTP side of the server: JSON in, JSON out, and every failure as one kind of error that has words.

import { serverTime } from './server-time.js';

/** @import { Account, AccountChange, Audit, Blocks, LinkRecovery, MailConfirmation, MailRecovery, NewAccount, NewAct, NewReport, OwnActs, Reports, NewMail, NewPasskey, PasskeyChange, PasskeyOptions, PasskeyPurpose, Passkeys, Proof, Recovery, Session, Sessions, SignIn, SignInByPasskey, Rename, Vacation, NewVacation, VacationSettings, NewRoom, GameSummary, GamePage, Inbox, GameDocument, ConditionalTurn, ConditionalTurns, GameEvents, BotLevel, Problem, ProblemCode, Review, ReviewProgress, WaitingTurns, Player, Seeks, NewSeek, PostedSeek } from '../protocol.js' */

/** @typedef {'passkey_not_made' | 'passkey_not_used' | 'passkey_there' | 'passkey_unable' | 'passkey_unknown' | 'passkey_elsewhere'} PasskeyFailure
 * what the browser, the device or its user did not do */

/** @typedef {ProblemCode | PasskeyFailure | 'offline' | 'unreadable' | 'nothing_kept' | 'link_damaged'} Failure a problem's code;
 * or `offline` if no answer came at all, `unreadable` if the answer was not one of ours, `nothing_kept` if the browser keeps no
 * session, or `link_damaged` if a part of a link is missing */

/** A failed request. `flaw` is the error in a text that a person wrote; in a record, `line` and `turn` locate it. `games` are
 * those that a guest would leave, after `retryS` seconds the same request may succeed, and from `untilMs` on it is allowed. */
export class ApiError extends Error {
  /**
   * @param {Failure} code
   * @param {string} detail
   * @param {Partial<Problem> & { retryS?: number }} [why]
   */
  constructor(code, detail, { line, turn, flaw, games, until_ms, retryS } = {}) {
    super(`${code}: ${detail}`);
    this.name = 'ApiError';
    this.code = code;
    this.detail = detail;
    this.line = line ?? null;
    this.turn = turn ?? null;
    this.flaw = flaw ?? null;
    this.games = games ?? [];
    this.untilMs = until_ms ?? null;
    this.retryS = retryS ?? 0;
  }

  /** Parts of a page that are loaded later have a copy of this class: its errors are known by their name.
   * @param {unknown} error
   */
  static [Symbol.hasInstance](error) {
    return error instanceof Error && error.name === 'ApiError';
  }
}

/** The type of a text of which each line is JSON. */
const LINES = 'application/x-ndjson';

/**
 * @param {string} method
 * @param {string} path
 * @param {object | string} [body] an object that is sent as JSON, or a text that is sent unchanged
 * @returns {Promise<unknown>}
 */
export async function request(method, path, body) {
  // A request without headers of its own uses the answer that the page has preloaded from the same address.
  /** @type {RequestInit} */
  const init = { method, signal: AbortSignal.timeout(10_000) };
  if (body !== undefined) {
    const isText = typeof body === 'string';
    init.body = isText ? body : JSON.stringify(body);
    const type = isText && !body.trimStart().startsWith('{') ? 'text/plain' : 'application/json';
    init.headers = { 'content-type': type };
  }
  let answer;
  let text;
  try {
    answer = await fetch(path, init);
    learnTime(answer);
    text = await answer.text();
  } catch (cause) {
    throw new ApiError('offline', String(cause));
  }
  if (answer.ok && text === '') return undefined;
  if (answer.ok && answer.headers.get('content-type') === LINES) return text;
  let content;
  try {
    content = JSON.parse(text);
  } catch (cause) {
    throw new ApiError('unreadable', `${answer.status} ${String(cause)}`);
  }
  if (answer.ok) return content;
  const problem = /** @type {Partial<Problem>} */ (content);
  const retryS = Number(answer.headers.get('retry-after'));
  throw new ApiError(problem.code ?? 'unreadable', problem.detail ?? String(answer.status), {
    ...problem,
    retryS,
  });
}

/** Learns the server's time from an answer, unless that may have been kept somewhere.
 * @param {Response} answer
 */
function learnTime({ headers }) {
  const writtenMs = Date.parse(headers.get('date') ?? '');
  if (headers.get('cache-control')?.includes('no-store') && !Number.isNaN(writtenMs))
    serverTime.learn(writtenMs);
}

const LONGEST_QUESTION_MS = 1_000;

/** Asks for the server's time, on a page that needs nothing else of it. Without an answer in time, what the page knows
 * has to do. */
export const askTime = () =>
  fetch('/healthz', { method: 'HEAD', signal: AbortSignal.timeout(LONGEST_QUESTION_MS) }).then(
    learnTime,
    () => {},
  );

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 15_000;

/** @type {Failure[]} temporary failures: the same request may succeed later */
const PASSING = ['offline', 'unreadable', 'going_down', 'unavailable', 'busy', 'overloaded', 'too_fast'];

/**
 * Repeats a request until it is answered.
 *
 * @template Answer
 * @param {() => Promise<Answer>} ask
 * @param {(error: ApiError) => void} tell called with each failure after which the request is repeated
 * @returns {Promise<Answer>} rejected with a permanent failure
 */
export async function untilAnswered(ask, tell) {
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS)) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof ApiError && PASSING.includes(error.code))) throw error;
      tell(error);
    }
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
}

/** The visitor; a new guest without a session. Pages ask by `session.js`. */
export const requestSession = () => /** @type {Promise<Session>} */ (request('POST', '/api/v1/session'));

/** @param {Rename} rename */
export const rename = (rename) =>
  /** @type {Promise<Session>} */ (request('PATCH', '/api/v1/session', rename));

/** Makes an account of the guest.
 * @param {NewAccount} account
 */
export const register = (account) =>
  /** @type {Promise<Account>} */ (request('POST', '/api/v1/account', account));

export const getAccount = () => /** @type {Promise<Account>} */ (request('GET', '/api/v1/account'));

/** @param {AccountChange} change */
export const changeAccount = (change) =>
  /** @type {Promise<Account>} */ (request('PATCH', '/api/v1/account', change));

/** @param {SignIn} credentials */
export const signIn = (credentials) =>
  /** @type {Promise<Session>} */ (request('POST', '/api/v1/session/password', credentials));

/** Asks how a passkey is to be made or used.
 * @param {PasskeyPurpose} purpose
 */
export const beginPasskey = (purpose) =>
  /** @type {Promise<PasskeyOptions>} */ (request('POST', '/api/v1/passkeys/options', purpose));

/** @param {SignInByPasskey} answer */
export const signInByPasskey = (answer) =>
  /** @type {Promise<Session>} */ (request('POST', '/api/v1/session/passkey', answer));

/** The passkeys of the account, the first made one first. */
export const listPasskeys = () => /** @type {Promise<Passkeys>} */ (request('GET', '/api/v1/passkeys'));

/** @param {NewPasskey} passkey */
export const addPasskey = (passkey) =>
  /** @type {Promise<Passkeys>} */ (request('POST', '/api/v1/passkeys', passkey));

/** @param {string} id
 * @param {PasskeyChange} change
 */
export const namePasskey = (id, change) =>
  /** @type {Promise<Passkeys>} */ (request('PATCH', `/api/v1/passkeys/${encodeURIComponent(id)}`, change));

/** @param {string} id */
export const removePasskey = (id) =>
  /** @type {Promise<void>} */ (request('DELETE', `/api/v1/passkeys/${encodeURIComponent(id)}`));

/** Signs in by the recovery code, and sets a new password.
 * @param {Recovery} recovery
 */
export const recover = (recovery) =>
  /** @type {Promise<Account>} */ (request('POST', '/api/v1/account/recover', recovery));

/** Signs in by a link, and sets a new password.
 * @param {LinkRecovery} recovery
 */
export const recoverByLink = (recovery) =>
  /** @type {Promise<Account>} */ (request('POST', '/api/v1/account/recover/link', recovery));

/** Has a link sent that sets a new password, if the account of the name has the address.
 * @param {MailRecovery} recovery
 */
export const recoverByMail = (recovery) =>
  /** @type {Promise<void>} */ (request('POST', '/api/v1/account/recover/mail', recovery));

/** Has a link sent that gives the account a mail address.
 * @param {NewMail} mail
 */
export const setMail = (mail) => /** @type {Promise<void>} */ (request('PUT', '/api/v1/account/mail', mail));

/** Stops the mails about turns to an account.
 * @param {string} link the secret of a link in such a mail
 */
export const stopTurnMails = (link) =>
  /** @type {Promise<void>} */ (request('POST', `/unsubscribe?link=${encodeURIComponent(link)}`));

/** @param {boolean} recovers whether a link that is sent to the account's address may set its password */
export const allowMailRecovery = (recovers) =>
  /** @type {Promise<Account>} */ (request('PATCH', '/api/v1/account/mail', { recovers }));

export const removeMail = () => /** @type {Promise<Account>} */ (request('DELETE', '/api/v1/account/mail'));

/** Gives an account the mail address that a link confirms.
 * @param {MailConfirmation} confirmation
 */
export const confirmMail = (confirmation) =>
  /** @type {Promise<void>} */ (request('POST', '/api/v1/account/mail/confirm', confirmation));

/** Replaces the recovery code. */
export const renewCode = () => /** @type {Promise<Account>} */ (request('POST', '/api/v1/account/code'));

/** Proves that the visitor knows the password of the account, or has one of its passkeys.
 * @param {Proof} proof
 */
export const prove = (proof) =>
  /** @type {Promise<Session>} */ (request('POST', '/api/v1/session/prove', proof));

/** All that is stored about the visitor: a line of JSON for each thing. Of an account it needs a proof. */
export const getExport = () => /** @type {Promise<string>} */ (request('GET', '/api/v1/session/export'));

/** The sessions of the account, the last used first. */
export const listSessions = () => /** @type {Promise<Sessions>} */ (request('GET', '/api/v1/sessions'));

/** @param {string} id */
export const endSession = (id) =>
  /** @type {Promise<void>} */ (request('DELETE', `/api/v1/sessions/${encodeURIComponent(id)}`));

/** @param {NewRoom} room */
export const createRoom = (room) =>
  /** @type {Promise<GameSummary>} */ (request('POST', '/api/v1/rooms', room));

/** The account of a name.
 * @param {string} name
 */
export const findPlayer = (name) =>
  /** @type {Promise<Player>} */ (request('GET', `/api/v1/players?name=${encodeURIComponent(name)}`));

/** The visitor's seeks, and those of others that the visitor may accept. */
export const listSeeks = () => /** @type {Promise<Seeks>} */ (request('GET', '/api/v1/seeks'));

/** @param {NewSeek} seek */
export const postSeek = (seek) => /** @type {Promise<PostedSeek>} */ (request('POST', '/api/v1/seeks', seek));

/** Begins a game that the seek of another player wants.
 * @param {string} id
 */
export const acceptSeek = (id) =>
  /** @type {Promise<GameSummary>} */ (request('POST', `/api/v1/seeks/${encodeURIComponent(id)}/accept`));

/** @param {string} id */
export const withdrawSeek = (id) =>
  /** @type {Promise<void>} */ (request('DELETE', `/api/v1/seeks/${encodeURIComponent(id)}`));

/** @param {string} id */
export const declineChallenge = (id) =>
  /** @type {Promise<void>} */ (request('POST', `/api/v1/rooms/${encodeURIComponent(id)}/decline`));

/** @param {string} id */
export const joinRoom = (id) =>
  /** @type {Promise<GameSummary>} */ (request('POST', `/api/v1/rooms/${encodeURIComponent(id)}/join`));

/** Seats a bot in a room of the visitor's, whose game begins at once.
 * @param {string} id
 * @param {{ level: BotLevel }} bot
 */
export const inviteBot = (id, bot) =>
  /** @type {Promise<GameSummary>} */ (request('POST', `/api/v1/rooms/${encodeURIComponent(id)}/bot`, bot));

/** @param {string} id */
export const cancelRoom = (id) =>
  /** @type {Promise<void>} */ (request('DELETE', `/api/v1/rooms/${encodeURIComponent(id)}`));

/**
 * A page of a list, last first: of the public games that are over, or of the visitor's own, those under way (`mine`) or
 * those that are over (`played`).
 *
 * @param {'finished' | 'mine' | 'played'} list
 * @param {URLSearchParams} parameters `limit`; for public games also `player`, `ruleset`, `result`, `reason`, `since`, `until`
 * @param {string | null} before the `next` of the page before, or null for the first
 */
export function listGames(list, parameters, before) {
  const query = new URLSearchParams([['list', list], ...parameters]);
  if (before !== null) query.set('before', before);
  return /** @type {Promise<GamePage>} */ (request('GET', `/api/v1/games?${query}`));
}

/** The games that wait for a turn of the visitor, most urgent first. */
export const listTurns = () => /** @type {Promise<WaitingTurns>} */ (request('GET', '/api/v1/turns'));

/** @param {string | null} before the `next` of the page before
 * @returns {Promise<Inbox>}
 */
export const readInbox = (before) =>
  /** @type {Promise<Inbox>} */ (
    request('GET', `/api/v1/inbox${before === null ? '' : `?${new URLSearchParams({ before })}`}`)
  );

/** Marks notices as seen.
 * @param {string} upTo the id of the last one
 */
export const seeNotices = (upTo) => request('POST', '/api/v1/inbox/seen', { up_to: upTo });

/** The players whom the visitor has blocked. */
export const listBlocks = () => /** @type {Promise<Blocks>} */ (request('GET', '/api/v1/blocks'));

/** @param {string} player an id */
export const block = (player) =>
  /** @type {Promise<void>} */ (request('PUT', `/api/v1/blocks/${encodeURIComponent(player)}`));

/** @param {string} player an id */
export const unblock = (player) =>
  /** @type {Promise<void>} */ (request('DELETE', `/api/v1/blocks/${encodeURIComponent(player)}`));

/** The visitor's vacation. */
export const getVacation = () => /** @type {Promise<Vacation>} */ (request('GET', '/api/v1/vacation'));

/** Begins a vacation.
 * @param {NewVacation} vacation
 */
export const beginVacation = (vacation) =>
  /** @type {Promise<Vacation>} */ (request('PUT', '/api/v1/vacation', vacation));

/** @param {VacationSettings} settings */
export const setVacation = (settings) =>
  /** @type {Promise<Vacation>} */ (request('PATCH', '/api/v1/vacation', settings));

/** Ends the vacation early. */
export const endVacation = () => /** @type {Promise<Vacation>} */ (request('DELETE', '/api/v1/vacation'));

/** Reports a player to the moderators.
 * @param {NewReport} report
 */
export const reportPlayer = (report) =>
  /** @type {Promise<void>} */ (request('POST', '/api/v1/reports', report));

/** What moderators have done to the visitor, the last act first. */
export const listOwnActs = () => /** @type {Promise<OwnActs>} */ (request('GET', '/api/v1/account/acts'));

/** A page of the reports, for moderators.
 * @param {string | null} after the `next` of the page before, or null for the first
 */
export const listReports = (after) =>
  /** @type {Promise<Reports>} */ (
    request('GET', `/api/v1/moderation/reports${after === null ? '' : `?after=${encodeURIComponent(after)}`}`)
  );

/** Acts on a player, as a moderator.
 * @param {NewAct} act
 */
export const takeAct = (act) =>
  /** @type {Promise<void>} */ (request('POST', '/api/v1/moderation/acts', act));

/** A page of all acts, for administrators.
 * @param {string | null} before the `next` of the page before, or null for the first
 */
export const readAudit = (before) =>
  /** @type {Promise<Audit>} */ (
    request(
      'GET',
      `/api/v1/moderation/audit${before === null ? '' : `?before=${encodeURIComponent(before)}`}`,
    )
  );

/** All of a game, with every step. The pages about one game have it preloaded, except the game's own.
 * @param {string} id */
export const getGame = (id) =>
  /** @type {Promise<GameDocument>} */ (request('GET', `/api/v1/games/${encodeURIComponent(id)}`));

/** The example game of a ruleset.
 * @param {string} ruleset
 */
export const getExample = (ruleset) =>
  /** @type {Promise<GameDocument>} */ (request('GET', `/api/v1/examples/${ruleset}`));

/** The visitor's conditional turns in a game.
 * @param {string} id */
export const getConditional = (id) =>
  /** @type {Promise<ConditionalTurns>} */ (
    request('GET', `/api/v1/games/${encodeURIComponent(id)}/conditional`)
  );

/** Replaces the visitor's conditional turns in a game.
 * @param {string} id
 * @param {ConditionalTurn[]} turns */
export const setConditional = (id, turns) =>
  /** @type {Promise<void>} */ (
    request('PUT', `/api/v1/games/${encodeURIComponent(id)}/conditional`, { turns })
  );

/** All events of a game as the socket sends them. The page of the game has them preloaded.
 * @param {string} id */
export const getEvents = (id) =>
  /** @type {Promise<GameEvents>} */ (request('GET', `/api/v1/games/${encodeURIComponent(id)}/events`));

/** Asks for the review of a finished game, or how far it is.
 * @param {string} id
 */
export const askReview = (id) => review('POST', id);

/** The review of a game that was asked for, or how far it is.
 * @param {string} id
 */
export const getReview = (id) => review('GET', id);

/** @param {'GET' | 'POST'} method
 * @param {string} id
 */
const review = (method, id) =>
  /** @type {Promise<Review | ReviewProgress>} */ (
    request(method, `/api/v1/games/${encodeURIComponent(id)}/review`)
  );

/** Has a record replayed by the rules. Nothing is stored.
 * @param {string} record
 */
export const checkRecord = (record) =>
  /** @type {Promise<Pick<GameDocument, 'events' | 'present'>>} */ (
    request('POST', '/api/v1/records/check', record)
  );
