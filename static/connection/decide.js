// Effects of each event on the line to the server. Pure; `openConnection` carries them out.

/** @import { ClientMessage, ServerMessage } from '../protocol.js' */

/** The version of the protocol that this client speaks. */
export const PROTOCOL = 1;

const PING_MS = 5_000;
/** A line that has been silent for this long while the page is visible is dead. */
const SILENCE_MS = 9_000;
/** A line that has been silent for this long while the page is hidden is doubtful: nobody sees it, but a call may be due. */
const HIDDEN_SILENCE_MS = 30_000;
/** Time for a doubtful line to answer (the device slept or says it is offline, or the page was hidden). */
export const PROBE_MS = 2_000;
const OPENING_MS = 8_000;
const FIRST_WAIT_MS = 400;
const LONGEST_WAIT_MS = 15_000;
/** Reconnecting at once after a misuse would be another one. */
const MISUSE_WAIT_MS = 30_000;
const BUSY_WAIT_MS = 500;
const READ_WAIT_MS = 2_000;

const TOO_SLOW = 4001;
const MISUSE = 4003;
const SIGNED_OUT = 4005;
const DISPLACED = 4006;
/** Stands for the code of a line that was dropped because it was silent; no server sends it. */
export const SILENT = 0;

/** @typedef {Extract<ClientMessage, { command: string }>} Command */
/** @typedef {Extract<ServerMessage, { type: 'ack' | 'nack' | 'options' }>} Answer */
/** @typedef {Extract<ServerMessage, { type: 'error' }>} Fault */
/** A message that is sent once, and not again after a cut.
 * @typedef {Extract<ClientMessage, { type: 'seek' | 'stop_seeking' }>} OneShot */

/**
 * State of the line.
 * @typedef {object} Connection
 * @property {'closed' | 'opening' | 'open' | 'stopped'} state
 * @property {boolean} greeted whether this connection was welcomed
 * @property {number} attempt tries to connect since the last welcome
 * @property {boolean} visible whether the page is seen
 * @property {number} openingMs since the try to connect began
 * @property {number} silentMs since the last message from the server
 * @property {number} pingedMs since the last ping
 * @property {number | null} probeMs since a probe began, or null without one
 * @property {Map<string, number>} games the games followed, and the version known of each
 * @property {boolean} lobby whether the lobby is followed
 * @property {boolean} leaving whether the page is leaving its session
 * @property {Command[]} waiting commands without an answer, oldest first; of the questions about a game only the latest
 * @property {number} chance in [0, 1), so that a thousand clients do not reconnect at the same moment
 */

/**
 * An event of the line.
 * @typedef {{ type: 'opened' }
 *   | { type: 'closed', code: number }
 *   | { type: 'message', message: ServerMessage }
 *   | { type: 'woken' }
 *   | { type: 'slept' }
 *   | { type: 'doubted' }
 *   | { type: 'tick' }} ConnectionEvent
 */

/**
 * An effect to carry out.
 * @typedef {{ do: 'connect', inMs: number, renewSession: boolean }
 *   | { do: 'send', message: ClientMessage }
 *   | { do: 'send-later', message: ClientMessage, inMs: number }
 *   | { do: 'greet-later', inMs: number }
 *   | { do: 'probe' }
 *   | { do: 'drop' }
 *   | { do: 'stop' }
 *   | { do: 'settle', answer: Answer }
 *   | { do: 'report', news: News }} Effect
 */

/** News of the line for the page: it works, is cut, was closed for misuse, the page is too old, the session has ended, the
 * browser keeps no session; or the server cannot process a command now and it will be sent again.
 * @typedef {'nothing_kept' | 'online' | 'offline' | 'misuse' | 'reload' | 'signed_out' | 'busy' | 'unavailable'} News */

/** @type {Effect[]} */
const PROBE = [{ do: 'probe' }, { do: 'send', message: { type: 'ping' } }];

/**
 * Decides the effects of an event.
 *
 * @param {ConnectionEvent} event
 * @param {Connection} connection
 * @returns {Effect[]}
 */
export function decide(event, connection) {
  if (connection.state === 'stopped') return [];
  switch (event.type) {
    case 'opened':
      return greeting(connection).map((message) => ({ do: 'send', message }));
    case 'closed':
      return afterClose(event.code, connection);
    case 'message':
      return afterMessage(event.message, connection);
    case 'woken':
      if (connection.state === 'closed')
        return [{ do: 'connect', inMs: 0, renewSession: !connection.greeted }];
      return connection.state === 'open' ? PROBE : [];
    case 'slept':
      if (connection.state === 'closed')
        return [{ do: 'connect', inMs: 0, renewSession: !connection.greeted }];
      // An attempt from before the sleep may never end.
      return connection.state === 'open' ? PROBE : [{ do: 'drop' }];
    case 'doubted':
      return connection.state === 'open' ? PROBE : [];
    case 'tick':
      return afterTick(connection);
  }
}

/** `hello`, then every command that has no answer: the server repeats its answer to an id that it knows.
 * @param {Connection} connection
 * @returns {ClientMessage[]}
 */
export function greeting(connection) {
  const games = [...connection.games].map(([game, version]) => ({ game, version }));
  const { lobby, waiting } = connection;
  return [{ type: 'hello', protocol: PROTOCOL, games, lobby, turns: true }, ...waiting];
}

/**
 * @param {number} code
 * @param {Connection} connection
 * @returns {Effect[]}
 */
function afterClose(code, connection) {
  if (code === MISUSE) {
    return [
      { do: 'report', news: 'misuse' },
      { do: 'connect', inMs: MISUSE_WAIT_MS, renewSession: false },
    ];
  }
  if (code === SIGNED_OUT)
    return connection.leaving ? [{ do: 'stop' }] : [{ do: 'report', news: 'signed_out' }, { do: 'stop' }];
  // A client that comes back at once where places are scarce is displaced again.
  const longest =
    code === DISPLACED ? LONGEST_WAIT_MS : Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** connection.attempt);
  // A line that was dropped because it was silent has been without news for long enough.
  const isLate = code === TOO_SLOW || (code === SILENT && connection.greeted);
  const inMs = isLate ? 0 : Math.round((longest * (1 + connection.chance)) / 2);
  // A connection that was never welcomed may have been refused for want of a session.
  return [
    { do: 'report', news: 'offline' },
    { do: 'connect', inMs, renewSession: !connection.greeted },
  ];
}

/**
 * @param {ServerMessage} message
 * @param {Connection} connection
 * @returns {Effect[]}
 */
function afterMessage(message, connection) {
  switch (message.type) {
    case 'welcome':
      return message.protocol === PROTOCOL
        ? [{ do: 'report', news: 'online' }]
        : [{ do: 'report', news: 'reload' }, { do: 'stop' }];
    case 'ack':
    case 'options':
      return [{ do: 'settle', answer: message }];
    case 'nack':
      return afterNack(message, connection);
    case 'error':
      return afterFault(message, connection);
    default:
      // News for the page, or a message of a later server.
      return [];
  }
}

/** A temporary refusal is retried; any other is the answer.
 * @param {Extract<ServerMessage, { type: 'nack' }>} nack
 * @param {Connection} connection
 * @returns {Effect[]}
 */
function afterNack(nack, connection) {
  const command = connection.waiting.find((waiting) => waiting.command === nack.command);
  if (command === undefined) return [];
  switch (nack.code) {
    case 'too_fast':
      // A rate-limited chat line is reported to its author; everything else was this page's own haste.
      if (command.type === 'say') return [{ do: 'settle', answer: nack }];
      return [{ do: 'send-later', message: command, inMs: nack.retry_ms }];
    case 'busy':
    case 'unavailable':
      return [
        { do: 'report', news: nack.code },
        { do: 'send-later', message: command, inMs: Math.round(BUSY_WAIT_MS * (1 + connection.chance)) },
      ];
    default:
      return [{ do: 'settle', answer: nack }];
  }
}

/**
 * @param {Fault} fault
 * @param {Connection} connection
 * @returns {Effect[]}
 */
function afterFault(fault, connection) {
  if ('command' in fault && fault.command !== undefined)
    return afterFaultOf(fault.command, fault, connection);
  switch (fault.code) {
    case 'wrong_protocol':
      return [{ do: 'report', news: 'reload' }, { do: 'stop' }];
    case 'too_fast':
      return afterHaste(fault, connection);
    case 'no_more_watchers':
    case 'unavailable': {
      const version = connection.games.get(fault.game);
      if (version === undefined) return [];
      return [
        { do: 'report', news: 'busy' },
        { do: 'send-later', message: { type: 'watch', game: fault.game, version }, inMs: READ_WAIT_MS },
      ];
    }
    case 'lobby_unavailable':
      return connection.lobby
        ? [{ do: 'send-later', message: { type: 'watch_lobby' }, inMs: READ_WAIT_MS }]
        : [];
    default:
      return [];
  }
}

/** A command whose game could not be read is refused by an error.
 * @param {string} id
 * @param {Fault} fault
 * @param {Connection} connection
 * @returns {Effect[]}
 */
function afterFaultOf(id, fault, connection) {
  const command = connection.waiting.find((waiting) => waiting.command === id);
  if (command === undefined) return [];
  if (fault.code === 'too_fast') return [{ do: 'send-later', message: command, inMs: fault.retry_ms }];
  const detail = 'detail' in fault ? fault.detail : fault.code;
  return [
    { do: 'settle', answer: { type: 'nack', command: id, game: command.game, code: 'invalid', detail } },
  ];
}

/** A command that was sent too fast is sent again. Searches for an opponent are not: the page says so.
 * @param {Extract<Fault, { code: 'too_fast' }>} fault
 * @param {Connection} connection
 * @returns {Effect[]}
 */
function afterHaste({ of, game, retry_ms: inMs }, connection) {
  const version = game === undefined ? undefined : connection.games.get(game);
  switch (of) {
    case 'watch':
      if (game === undefined || version === undefined) return [];
      return [{ do: 'send-later', message: { type: 'watch', game, version }, inMs }];
    case 'watch_lobby':
      return connection.lobby ? [{ do: 'send-later', message: { type: 'watch_lobby' }, inMs }] : [];
    case 'ping':
    case 'seek':
    case 'stop_seeking':
      return [];
    default:
      // Nothing that is sent again can take effect twice.
      return [{ do: 'greet-later', inMs }];
  }
}

/**
 * @param {Connection} connection
 * @returns {Effect[]}
 */
function afterTick(connection) {
  if (connection.state === 'opening') return connection.openingMs > OPENING_MS ? [{ do: 'drop' }] : [];
  if (connection.state !== 'open') return [];
  if (connection.probeMs !== null && connection.probeMs >= PROBE_MS) return [{ do: 'drop' }];
  if (!connection.visible)
    return connection.silentMs > HIDDEN_SILENCE_MS && connection.probeMs === null ? PROBE : [];
  if (connection.silentMs > SILENCE_MS) return [{ do: 'drop' }];
  return connection.pingedMs >= PING_MS ? [{ do: 'send', message: { type: 'ping' } }] : [];
}

/**
 * The unanswered commands that a new one replaces: legal continuations are requested only for the latest actions.
 *
 * @param {Command} command
 * @param {Command[]} waiting
 * @returns {Command[]}
 */
export function replacedBy(command, waiting) {
  /** @param {Command} asked */
  const isQuestion = ({ type, game }) => (type === 'draft' || type === 'options') && game === command.game;
  return isQuestion(command) ? waiting.filter(isQuestion) : [];
}
