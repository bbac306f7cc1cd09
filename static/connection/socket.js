// One WebSocket that outlives its connections. Games are followed by id and version, and commands have ids of their
// own. After a disconnection both are sent again, and the server answers with exactly the missing events.

import { ApiError } from './api.js';
import { PROBE_MS, SILENT, decide, greeting, replacedBy } from './decide.js';
import { createGaps, serverTime } from './server-time.js';

/** @import { ClientMessage, ServerMessage } from '../protocol.js' */
/** @import { Effect, ConnectionEvent, Connection } from './decide.js' */
/** @typedef {import('./decide.js').Answer} Answer */
/** @typedef {import('./decide.js').Command} Command */
/** @typedef {import('./decide.js').News} News */
/** @typedef {import('./decide.js').OneShot} OneShot */

/** How long the messages that waited while the page slept take to be read. */
const BURST_MS = 500;

/** A new command id. (`randomUUID` is not available on a plain HTTP page from a network.)
 * @returns {string}
 */
export const commandId = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );

/** Whether the browser keeps no session.
 * @param {unknown} error
 */
const isLost = (error) => error instanceof ApiError && error.code === 'nothing_kept';

/**
 * Opens the line and keeps it open for as long as the page lives.
 *
 * @param {object} options
 * @param {(message: ServerMessage) => void} options.onMessage all but answers to commands
 * @param {(news: News) => void} options.onNews
 * @param {() => Promise<unknown>} options.renewSession
 * @param {() => boolean} options.leavesSession whether the page is leaving its session
 * @param {Promise<unknown>} options.ready awaited before the first attempt to connect
 */
export function openConnection({ onMessage, onNews, renewSession, leavesSession, ready }) {
  /** @type {WebSocket | null} */
  let socket = null;
  /** @type {Connection['state']} */
  let state = 'closed';
  let greeted = false;
  let attempt = 0;
  /** Numbers the attempts to connect: an abandoned one must not continue beside the next. */
  let generation = 0;
  let openingAt = 0;
  let receivedAt = 0;
  let pingedAt = 0;
  /** Times of the pings of this connection that have no answer yet; the answers come in the same order.
   * @type {number[]} */
  let asked = [];
  /** @type {number | null} */
  let probedAt = null;
  let lobby = false;
  /** @type {Map<string, number>} */
  const games = new Map();
  /** @type {Map<string, { command: Command, settle: (answer: Answer | null) => void }>} */
  const waiting = new Map();
  let connectTimer = 0;

  /** @returns {Connection} */
  function connection() {
    const now = performance.now();
    return {
      state,
      greeted,
      attempt,
      visible: document.visibilityState === 'visible',
      openingMs: now - openingAt,
      silentMs: now - receivedAt,
      pingedMs: now - pingedAt,
      probeMs: probedAt === null ? null : now - probedAt,
      games,
      lobby,
      leaving: leavesSession(),
      waiting: [...waiting.values()].map(({ command }) => command),
      chance: Math.random(),
    };
  }

  const hasSlept = createGaps();

  /** Notices that the page did not run for a while. What was measured before says nothing about the line. */
  function notice() {
    if (!hasSlept()) return;
    receivedAt = pingedAt = performance.now();
    probedAt = null;
    happen({ type: 'slept' });
  }

  /** @param {ConnectionEvent} event */
  function happen(event) {
    // The first attempt waits for the session.
    if (generation === 0) return;
    for (const effect of decide(event, connection())) carryOut(effect);
  }

  /** @param {Effect} effect */
  function carryOut(effect) {
    switch (effect.do) {
      case 'connect':
        clearTimeout(connectTimer);
        connectTimer = window.setTimeout(connect, effect.inMs, effect.renewSession);
        break;
      case 'send':
        send(effect.message);
        break;
      case 'send-later':
        window.setTimeout(resend, effect.inMs, effect.message);
        break;
      case 'greet-later':
        window.setTimeout(greet, effect.inMs);
        break;
      case 'probe':
        probedAt ??= performance.now();
        window.setTimeout(() => happen({ type: 'tick' }), PROBE_MS);
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
      case 'report':
        onNews(effect.news);
        break;
    }
  }

  /** Begins the exchange, also again. */
  function greet() {
    greeting(connection()).forEach(send);
  }

  /** @param {ClientMessage} message */
  function send(message) {
    if (state !== 'open' || socket === null) return;
    if (message.type === 'ping') {
      pingedAt = performance.now();
      asked.push(pingedAt);
    }
    socket.send(JSON.stringify(message));
  }

  /** Sends a message again unless it was answered or replaced meanwhile.
   * @param {ClientMessage} message
   */
  function resend(message) {
    if (!('command' in message) || waiting.has(message.command)) send(message);
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

  /** Without a session there is no line. */
  function stop() {
    state = 'stopped';
    onNews('nothing_kept');
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
      } catch (error) {
        if (isLost(error)) return stop();
        // The server is down; the socket will fail as well and retry in time.
      }
    }
    if (state !== 'opening' || generation !== mine) return;
    const opened = new WebSocket(new URL('/ws', location.href.replace(/^http/, 'ws')));
    socket = opened;
    asked = [];
    opened.addEventListener('open', () => {
      if (socket !== opened) return;
      state = 'open';
      receivedAt = pingedAt = performance.now();
      probedAt = null;
      happen({ type: 'opened' });
    });
    opened.addEventListener('message', ({ data }) => {
      if (socket === opened) receive(data);
    });
    opened.addEventListener('close', ({ code }) => {
      if (socket === opened) closed(code);
    });
  }

  /** @param {string} data */
  function receive(data) {
    notice();
    receivedAt = performance.now();
    /** @type {ServerMessage} */
    const message = JSON.parse(data);
    measure(message);
    if (message.type === 'welcome') {
      greeted = true;
      attempt = 0;
    }
    if (message.type === 'events' && games.has(message.game)) games.set(message.game, message.version);
    // The header counts what waits for the visitor, whatever the page is about.
    if (message.type === 'turns') dispatchEvent(new Event('turnschanged'));
    if (!('command' in message)) onMessage(message);
    happen({ type: 'message', message });
  }

  /** Reads from a message that the line works, and the server's time.
   * @param {ServerMessage} message
   */
  function measure(message) {
    // Messages that waited while the page slept come at once, and answer nothing.
    const sinceProbe = receivedAt - (probedAt ?? 0);
    if (message.type === 'pong') {
      const askedAt = asked.shift();
      if (probedAt === null || askedAt === undefined || askedAt >= probedAt) probedAt = null;
      serverTime.learn(message.now_ms, askedAt);
    } else if (sinceProbe > BURST_MS) probedAt = null;
    // A ping that was refused has no other answer.
    if (message.type === 'error' && message.code === 'too_fast' && message.of === 'ping') {
      asked.shift();
      probedAt = null;
    }
    if (message.type === 'welcome') serverTime.learn(message.now_ms);
    if (message.type === 'events') {
      const { present, events } = message;
      const writtenMs = present?.status === 'playing' ? present.at_ms : events.at(-1)?.at_ms;
      if (writtenMs !== undefined) serverTime.learn(writtenMs);
    }
  }

  /** @param {number} code */
  function closed(code) {
    socket = null;
    if (state !== 'stopped') state = 'closed';
    happen({ type: 'closed', code });
  }

  /** Drops a dead connection without waiting for its closing handshake, which may never come. */
  function drop() {
    const dead = socket;
    socket = null;
    state = 'closed';
    dead?.close();
    happen({ type: 'closed', code: SILENT });
  }

  window.addEventListener('online', () => happen({ type: 'woken' }));
  window.addEventListener('offline', () => happen({ type: 'doubted' }));
  window.addEventListener('pageshow', (event) => event.persisted && happen({ type: 'woken' }));
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') happen({ type: 'woken' });
  });
  document.addEventListener('resume', notice);
  window.setInterval(() => {
    notice();
    happen({ type: 'tick' });
  }, 500);
  ready.then(
    () => connect(false),
    (error) => (isLost(error) ? stop() : connect(false)),
  );

  return {
    /** Follows a game from a version on; 0 asks for all of it.
     * @param {string} game
     * @param {number} version
     */
    follow(game, version) {
      games.set(game, version);
      send({ type: 'watch', game, version });
    },

    /** Follows the lobby. */
    followLobby() {
      lobby = true;
      send({ type: 'watch_lobby' });
    },

    /** @param {OneShot} oneShot */
    oneShot: (oneShot) => send(oneShot),

    /**
     * Sends a command, again after a cut, until it is answered. A `draft` or `options` takes the place of an
     * unanswered one of the same game, whose promise then resolves to null.
     *
     * @param {Command} command
     * @returns {Promise<Answer | null>}
     */
    command(command) {
      for (const replaced of replacedBy(command, connection().waiting)) settle(replaced.command, null);
      return new Promise((resolve) => {
        waiting.set(command.command, { command, settle: resolve });
        send(command);
      });
    },
  };
}
