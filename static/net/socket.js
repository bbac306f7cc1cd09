// One WebSocket that outlives its connections. Games and the lobby are followed by name and version, commands
// have ids of their own, and after a cut both are said again: the server answers with exactly what is missing.
//
// `decide` is pure and says what follows from anything that happens to the line; `openLine` carries it out.

/** @import { ClientMessage, ServerMessage } from '../protocol.js' */

/** The version of the protocol that this client speaks. */
export const PROTOCOL = 1;

const PING_MS = 5_000;
/** A line that has been silent for so long while the page is seen is dead. */
const SILENCE_MS = 9_000;
/** How long a line that is in doubt (the device says it is offline, or the page was hidden) has to answer. */
const PROBE_MS = 2_000;
const OPENING_MS = 8_000;
const FIRST_WAIT_MS = 400;
const LONGEST_WAIT_MS = 15_000;
/** To come back at once after a misuse would be another. */
const MISUSE_WAIT_MS = 30_000;
const BUSY_WAIT_MS = 500;
const READ_WAIT_MS = 2_000;

const TOO_SLOW = 4001;
const MISUSE = 4003;
const LEFT = 4005;

/** @typedef {Extract<ClientMessage, { command: string }>} Command */
/** @typedef {Extract<ServerMessage, { type: 'ack' | 'nack' | 'options' }>} Answer */
/** What is said once, and not again after a cut.
 * @typedef {Extract<ClientMessage, { type: 'seek' | 'stop_seeking' }>} Wish */

/**
 * What is known of the line.
 * @typedef {object} Line
 * @property {'closed' | 'opening' | 'open' | 'stopped'} state
 * @property {boolean} greeted whether this connection was welcomed
 * @property {number} attempt tries to connect since the last welcome
 * @property {boolean} visible whether the page is seen
 * @property {number} openingMs since the try to connect began
 * @property {number} silentMs since the server was last heard
 * @property {number} pingedMs since the last ping
 * @property {number | null} probeMs since a probe began, or null without one
 * @property {Map<string, number>} games the games followed, and the version known of each
 * @property {boolean} lobby whether the lobby is followed
 * @property {Command[]} waiting commands without an answer, oldest first; of questions only the latest of a game
 * @property {number} chance in [0, 1), so that a thousand clients do not come back in one moment
 */

/**
 * What has happened to the line.
 * @typedef {{ type: 'opened' }
 *   | { type: 'closed', code: number }
 *   | { type: 'message', message: ServerMessage }
 *   | { type: 'woken' }
 *   | { type: 'doubted' }
 *   | { type: 'tick' }} Happening
 */

/**
 * What to do.
 * @typedef {{ do: 'connect', inMs: number, renewSession: boolean }
 *   | { do: 'send', message: ClientMessage }
 *   | { do: 'send-later', message: ClientMessage, inMs: number }
 *   | { do: 'greet-later', inMs: number }
 *   | { do: 'probe' }
 *   | { do: 'drop' }
 *   | { do: 'stop' }
 *   | { do: 'settle', answer: Answer }
 *   | { do: 'tell', news: News }} Effect
 */

/** What the page is told of the line: it works, is cut, was closed for misuse, the page is too old; or the
 * server cannot take what was asked now and it will be said again.
 * @typedef {'online' | 'offline' | 'misuse' | 'reload' | 'busy' | 'unavailable'} News */

/**
 * Decides what follows from a happening.
 *
 * @param {Happening} happening
 * @param {Line} line
 * @returns {Effect[]}
 */
export function decide(happening, line) {
  if (line.state === 'stopped') return [];
  switch (happening.type) {
    case 'opened':
      return greeting(line).map((message) => ({ do: 'send', message }));
    case 'closed':
      return afterClose(happening.code, line);
    case 'message':
      return afterMessage(happening.message, line);
    case 'woken':
      if (line.state === 'closed') return [{ do: 'connect', inMs: 0, renewSession: !line.greeted }];
      return line.state === 'open' ? [{ do: 'probe' }, { do: 'send', message: { type: 'ping' } }] : [];
    case 'doubted':
      return line.state === 'open' ? [{ do: 'probe' }, { do: 'send', message: { type: 'ping' } }] : [];
    case 'tick':
      return afterTick(line);
  }
}

/** `hello`, then every command that has no answer: an id that the server knows has its old answer again.
 * @param {Line} line
 * @returns {ClientMessage[]}
 */
function greeting(line) {
  const games = [...line.games].map(([game, version]) => ({ game, version }));
  return [{ type: 'hello', protocol: PROTOCOL, games, lobby: line.lobby }, ...line.waiting];
}

/**
 * @param {number} code
 * @param {Line} line
 * @returns {Effect[]}
 */
function afterClose(code, line) {
  if (code === MISUSE) {
    return [
      { do: 'tell', news: 'misuse' },
      { do: 'connect', inMs: MISUSE_WAIT_MS, renewSession: false },
    ];
  }
  if (code === LEFT) return [{ do: 'tell', news: 'reload' }, { do: 'stop' }];
  const longest = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** line.attempt);
  const inMs = code === TOO_SLOW ? 0 : Math.round((longest * (1 + line.chance)) / 2);
  // A connection that was never welcomed may have been refused for want of a session.
  return [
    { do: 'tell', news: 'offline' },
    { do: 'connect', inMs, renewSession: !line.greeted },
  ];
}

/**
 * @param {ServerMessage} message
 * @param {Line} line
 * @returns {Effect[]}
 */
function afterMessage(message, line) {
  switch (message.type) {
    case 'welcome':
      return message.protocol === PROTOCOL
        ? [{ do: 'tell', news: 'online' }]
        : [{ do: 'tell', news: 'reload' }, { do: 'stop' }];
    case 'ack':
    case 'options':
      return [{ do: 'settle', answer: message }];
    case 'nack':
      return afterNack(message, line);
    case 'error':
      return afterFault(message, line);
    default:
      // News for the page, or something that a later server says.
      return [];
  }
}

/** A refusal that time can heal is met by saying the same again; any other is the answer.
 * @param {Extract<ServerMessage, { type: 'nack' }>} nack
 * @param {Line} line
 * @returns {Effect[]}
 */
function afterNack(nack, line) {
  const command = line.waiting.find((waiting) => waiting.command === nack.command);
  if (command === undefined) return [];
  switch (nack.code) {
    case 'too_fast':
      // Who talks too much is told so; everything else was done too fast by this page.
      if (command.type === 'say') return [{ do: 'settle', answer: nack }];
      return [{ do: 'send-later', message: command, inMs: nack.retry_ms }];
    case 'busy':
    case 'unavailable':
      return [
        { do: 'tell', news: nack.code },
        { do: 'send-later', message: command, inMs: Math.round(BUSY_WAIT_MS * (1 + line.chance)) },
      ];
    default:
      return [{ do: 'settle', answer: nack }];
  }
}

/**
 * @param {Extract<ServerMessage, { type: 'error' }>} fault
 * @param {Line} line
 * @returns {Effect[]}
 */
function afterFault(fault, line) {
  switch (fault.code) {
    case 'wrong_protocol':
      return [{ do: 'tell', news: 'reload' }, { do: 'stop' }];
    case 'too_fast':
      // The fault does not name what was lost, so all is said again; nothing of it can have two effects.
      return [{ do: 'greet-later', inMs: fault.retry_ms }];
    case 'no_more_watchers':
    case 'unavailable': {
      const version = line.games.get(fault.game);
      if (version === undefined) return [];
      return [
        { do: 'tell', news: 'busy' },
        { do: 'send-later', message: { type: 'watch', game: fault.game, version }, inMs: READ_WAIT_MS },
      ];
    }
    case 'lobby_unavailable':
      return line.lobby ? [{ do: 'send-later', message: { type: 'watch_lobby' }, inMs: READ_WAIT_MS }] : [];
    default:
      return [];
  }
}

/**
 * @param {Line} line
 * @returns {Effect[]}
 */
function afterTick(line) {
  if (line.state === 'opening') return line.openingMs > OPENING_MS ? [{ do: 'drop' }] : [];
  if (line.state !== 'open') return [];
  if (line.probeMs !== null && line.probeMs >= PROBE_MS) return [{ do: 'drop' }];
  if (!line.visible) return [];
  if (line.silentMs > SILENCE_MS) return [{ do: 'drop' }];
  return line.pingedMs >= PING_MS ? [{ do: 'send', message: { type: 'ping' } }] : [];
}

/**
 * The unanswered commands whose place a new one takes: what may follow is asked for the latest actions alone.
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

/** A new command id. (`randomUUID` is not to be had on a page that came by plain HTTP over a network.)
 * @returns {string}
 */
export const commandId = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );

/**
 * Opens the line and keeps it open for as long as the page lives.
 *
 * @param {object} options
 * @param {(message: ServerMessage) => void} options.onMessage all but answers to commands
 * @param {(news: News) => void} options.onNews
 * @param {() => Promise<unknown>} options.renewSession
 * @param {Promise<unknown>} options.ready what to wait for before the first try
 */
export function openLine({ onMessage, onNews, renewSession, ready }) {
  /** @type {WebSocket | null} */
  let socket = null;
  /** @type {Line['state']} */
  let state = 'closed';
  let greeted = false;
  let attempt = 0;
  /** Numbers the tries to connect: one that was given up must not go on beside the next. */
  let generation = 0;
  let openingAt = 0;
  let heardAt = 0;
  let pingedAt = 0;
  /** @type {number | null} */
  let probedAt = null;
  let lobby = false;
  /** @type {Map<string, number>} */
  const games = new Map();
  /** @type {Map<string, { command: Command, settle: (answer: Answer | null) => void }>} */
  const waiting = new Map();
  let connectTimer = 0;

  /** @returns {Line} */
  function line() {
    const now = performance.now();
    return {
      state,
      greeted,
      attempt,
      visible: document.visibilityState === 'visible',
      openingMs: now - openingAt,
      silentMs: now - heardAt,
      pingedMs: now - pingedAt,
      probeMs: probedAt === null ? null : now - probedAt,
      games,
      lobby,
      waiting: [...waiting.values()].map(({ command }) => command),
      chance: Math.random(),
    };
  }

  /** @param {Happening} happening */
  function happen(happening) {
    for (const effect of decide(happening, line())) carryOut(effect);
  }

  /** @param {Effect} effect */
  function carryOut(effect) {
    switch (effect.do) {
      case 'connect':
        clearTimeout(connectTimer);
        connectTimer = window.setTimeout(connect, effect.inMs, effect.renewSession);
        break;
      case 'send':
        say(effect.message);
        break;
      case 'send-later':
        window.setTimeout(sayAgain, effect.inMs, effect.message);
        break;
      case 'greet-later':
        window.setTimeout(() => state === 'open' && greeting(line()).forEach(say), effect.inMs);
        break;
      case 'probe':
        probedAt ??= performance.now();
        break;
      case 'drop':
        drop();
        break;
      case 'stop':
        state = 'stopped';
        socket?.close();
        break;
      case 'settle':
        settle(effect.answer.command, effect.answer);
        break;
      case 'tell':
        onNews(effect.news);
        break;
    }
  }

  /** @param {ClientMessage} message */
  function say(message) {
    if (state !== 'open' || socket === null) return;
    if (message.type === 'ping') pingedAt = performance.now();
    socket.send(JSON.stringify(message));
  }

  /** Says a message again unless it was answered or replaced in the meantime.
   * @param {ClientMessage} message
   */
  function sayAgain(message) {
    if (!('command' in message) || waiting.has(message.command)) say(message);
  }

  /**
   * @param {string} command
   * @param {Answer | null} answer null if a later question has taken the command's place
   */
  function settle(command, answer) {
    const entry = waiting.get(command);
    waiting.delete(command);
    entry?.settle(answer);
  }

  /** @param {boolean} renew */
  async function connect(renew) {
    if (state !== 'closed') return;
    state = 'opening';
    greeted = false;
    openingAt = performance.now();
    attempt += 1;
    generation += 1;
    const mine = generation;
    if (renew) {
      try {
        await renewSession();
      } catch {
        // The server is away; the socket will find the same and the next try comes in its time.
      }
    }
    if (state !== 'opening' || generation !== mine) return;
    const opened = new WebSocket(new URL('/ws', location.href.replace(/^http/, 'ws')));
    socket = opened;
    opened.addEventListener('open', () => {
      if (socket !== opened) return;
      state = 'open';
      heardAt = pingedAt = performance.now();
      probedAt = null;
      happen({ type: 'opened' });
    });
    opened.addEventListener('message', ({ data }) => {
      if (socket === opened) hear(data);
    });
    opened.addEventListener('close', ({ code }) => {
      if (socket === opened) closed(code);
    });
  }

  /** @param {string} data */
  function hear(data) {
    heardAt = performance.now();
    probedAt = null;
    /** @type {ServerMessage} */
    const message = JSON.parse(data);
    if (message.type === 'welcome') {
      greeted = true;
      attempt = 0;
    }
    if (message.type === 'snapshot' || message.type === 'events') {
      if (games.has(message.game)) games.set(message.game, message.present.version);
    }
    if (message.type !== 'ack' && message.type !== 'nack' && message.type !== 'options') onMessage(message);
    happen({ type: 'message', message });
  }

  /** @param {number} code */
  function closed(code) {
    socket = null;
    if (state !== 'stopped') state = 'closed';
    happen({ type: 'closed', code });
  }

  /** Gives a dead connection up without waiting for its closing handshake, which may never come. */
  function drop() {
    const dead = socket;
    socket = null;
    state = 'closed';
    dead?.close();
    happen({ type: 'closed', code: 1006 });
  }

  window.addEventListener('online', () => happen({ type: 'woken' }));
  window.addEventListener('offline', () => happen({ type: 'doubted' }));
  window.addEventListener('pageshow', (event) => event.persisted && happen({ type: 'woken' }));
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') happen({ type: 'woken' });
  });
  window.setInterval(() => happen({ type: 'tick' }), 500);
  const begin = () => connect(false);
  ready.then(begin, begin);

  return {
    /** Follows a game from a version on; 0 asks for all of it.
     * @param {string} game
     * @param {number} version
     */
    follow(game, version) {
      games.set(game, version);
      say({ type: 'watch', game, version });
    },

    /** Follows the lobby. */
    followLobby() {
      lobby = true;
      say({ type: 'watch_lobby' });
    },

    /** @param {Wish} wish */
    wish: (wish) => say(wish),

    /**
     * Says a command, again after a cut, until it is answered. A `draft` or `options` takes the place of an
     * unanswered one of the same game, whose promise then gives null.
     *
     * @param {Command} command
     * @returns {Promise<Answer | null>}
     */
    command(command) {
      for (const replaced of replacedBy(command, line().waiting)) settle(replaced.command, null);
      return new Promise((resolve) => {
        waiting.set(command.command, { command, settle: resolve });
        say(command);
      });
    },
  };
}
