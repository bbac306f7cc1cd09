import assert from 'node:assert/strict';
import { test } from 'node:test';

import { PROTOCOL, SILENT, decide, replacedBy } from '../../static/connection/decide.js';
import { serverTime } from '../../static/connection/server-time.js';
import { openConnection } from '../../static/connection/socket.js';

const open = {
  state: 'open',
  greeted: true,
  attempt: 0,
  visible: true,
  openingMs: 0,
  silentMs: 0,
  pingedMs: 0,
  probeMs: null,
  games: new Map([['g', 7]]),
  lobby: false,
  leaving: false,
  waiting: [],
  chance: 0.5,
};
const closed = { ...open, state: 'closed' };
const turn = { type: 'turn', command: 't1', game: 'g', version: 7, actions: ['b7-c7'] };
const draft = { type: 'draft', command: 'd1', game: 'g', version: 7, actions: [] };
const line = { type: 'say', command: 's1', game: 'g', text: 'Good luck!' };
const nack = (code, more = {}) => ({
  type: 'message',
  message: { type: 'nack', command: 't1', game: 'g', code, ...more },
});
const fault = (code, more = {}) => ({ type: 'message', message: { type: 'error', code, ...more } });
const hello = {
  type: 'hello',
  protocol: PROTOCOL,
  games: [{ game: 'g', version: 7 }],
  lobby: false,
  turns: true,
};

/** Event, state of the line, effects: one row for each event of a connection. */
const table = [
  // A new connection reports the known versions and repeats the unanswered commands, with the same ids.
  ['opened', { type: 'opened' }, open, [{ do: 'send', message: hello }]],
  [
    'opened with commands unanswered',
    { type: 'opened' },
    { ...open, waiting: [turn, draft] },
    [
      { do: 'send', message: hello },
      { do: 'send', message: turn },
      { do: 'send', message: draft },
    ],
  ],
  [
    'opened on the lobby',
    { type: 'opened' },
    { ...open, games: new Map(), lobby: true },
    [{ do: 'send', message: { ...hello, games: [], lobby: true } }],
  ],
  [
    'welcomed',
    { type: 'message', message: { type: 'welcome', protocol: PROTOCOL, player: {} } },
    open,
    [{ do: 'report', news: 'online' }],
  ],
  [
    'welcomed by another protocol',
    { type: 'message', message: { type: 'welcome', protocol: PROTOCOL + 1, player: {} } },
    open,
    [{ do: 'report', news: 'reload' }, { do: 'stop' }],
  ],
  [
    'refused for the protocol',
    fault('wrong_protocol', { protocol: 2 }),
    open,
    [{ do: 'report', news: 'reload' }, { do: 'stop' }],
  ],
  [
    'closed since its session has ended',
    { type: 'closed', code: 4005 },
    closed,
    [{ do: 'report', news: 'signed_out' }, { do: 'stop' }],
  ],
  [
    'closed since the page leaves its session',
    { type: 'closed', code: 4005 },
    { ...closed, leaving: true },
    [{ do: 'stop' }],
  ],
  ['closed after a stop', { type: 'closed', code: 1000 }, { ...open, state: 'stopped' }, []],
  ['woken after a stop', { type: 'woken' }, { ...open, state: 'stopped' }, []],

  // Closed: the wait doubles, is spread by chance and is bounded.
  [
    'cut',
    { type: 'closed', code: 1006 },
    closed,
    [
      { do: 'report', news: 'offline' },
      { do: 'connect', inMs: 300, renewSession: false },
    ],
  ],
  [
    'dropped since it was silent',
    { type: 'closed', code: SILENT },
    closed,
    [
      { do: 'report', news: 'offline' },
      { do: 'connect', inMs: 0, renewSession: false },
    ],
  ],
  [
    'dropped since it did not open',
    { type: 'closed', code: SILENT },
    { ...closed, greeted: false, attempt: 1 },
    [
      { do: 'report', news: 'offline' },
      { do: 'connect', inMs: 600, renewSession: true },
    ],
  ],
  [
    'server goes down',
    { type: 'closed', code: 4002 },
    { ...closed, attempt: 3, chance: 0 },
    [
      { do: 'report', news: 'offline' },
      { do: 'connect', inMs: 1600, renewSession: false },
    ],
  ],
  [
    'cut for the tenth time',
    { type: 'closed', code: 1006 },
    { ...closed, attempt: 10, chance: 0.999 },
    [
      { do: 'report', news: 'offline' },
      { do: 'connect', inMs: 14993, renewSession: false },
    ],
  ],
  [
    'never welcomed, perhaps because there is no session',
    { type: 'closed', code: 1006 },
    { ...closed, greeted: false },
    [
      { do: 'report', news: 'offline' },
      { do: 'connect', inMs: 300, renewSession: true },
    ],
  ],
  [
    'too slow',
    { type: 'closed', code: 4001 },
    closed,
    [
      { do: 'report', news: 'offline' },
      { do: 'connect', inMs: 0, renewSession: false },
    ],
  ],
  [
    'displaced, since its address holds most connections',
    { type: 'closed', code: 4006 },
    closed,
    [
      { do: 'report', news: 'offline' },
      { do: 'connect', inMs: 11250, renewSession: false },
    ],
  ],
  [
    'misuse',
    { type: 'closed', code: 4003 },
    closed,
    [
      { do: 'report', news: 'misuse' },
      { do: 'connect', inMs: 30000, renewSession: false },
    ],
  ],

  // Awake again, or in doubt.
  ['woken while closed', { type: 'woken' }, closed, [{ do: 'connect', inMs: 0, renewSession: false }]],
  ['woken while open', { type: 'woken' }, open, [{ do: 'probe' }, { do: 'send', message: { type: 'ping' } }]],
  ['woken while opening', { type: 'woken' }, { ...open, state: 'opening' }, []],
  ['slept while closed', { type: 'slept' }, closed, [{ do: 'connect', inMs: 0, renewSession: false }]],
  ['slept while open', { type: 'slept' }, open, [{ do: 'probe' }, { do: 'send', message: { type: 'ping' } }]],
  ['slept while opening', { type: 'slept' }, { ...open, state: 'opening' }, [{ do: 'drop' }]],
  ['slept after a stop', { type: 'slept' }, { ...open, state: 'stopped' }, []],
  ['in doubt', { type: 'doubted' }, open, [{ do: 'probe' }, { do: 'send', message: { type: 'ping' } }]],
  ['in doubt while closed', { type: 'doubted' }, closed, []],

  // Time passes.
  ['nothing to do', { type: 'tick' }, { ...open, pingedMs: 4999 }, []],
  [
    'time for a ping',
    { type: 'tick' },
    { ...open, pingedMs: 5000 },
    [{ do: 'send', message: { type: 'ping' } }],
  ],
  [
    'no ping while hidden',
    { type: 'tick' },
    { ...open, pingedMs: 30000, silentMs: 30000, visible: false },
    [],
  ],
  [
    'silent while hidden',
    { type: 'tick' },
    { ...open, pingedMs: 30001, silentMs: 30001, visible: false },
    [{ do: 'probe' }, { do: 'send', message: { type: 'ping' } }],
  ],
  ['silent for too long', { type: 'tick' }, { ...open, silentMs: 9001 }, [{ do: 'drop' }]],
  ['a probe is waited for', { type: 'tick' }, { ...open, probeMs: 1999 }, []],
  ['a probe went unanswered', { type: 'tick' }, { ...open, probeMs: 2000, visible: false }, [{ do: 'drop' }]],
  [
    'opening takes too long',
    { type: 'tick' },
    { ...open, state: 'opening', openingMs: 8001 },
    [{ do: 'drop' }],
  ],

  // Answers. Temporary refusals are retried with the same id; the rest is final.
  [
    'ack',
    { type: 'message', message: { type: 'ack', command: 't1', game: 'g', version: 8 } },
    open,
    [{ do: 'settle', answer: { type: 'ack', command: 't1', game: 'g', version: 8 } }],
  ],
  [
    'stale is final',
    nack('stale', { version: 9 }),
    { ...open, waiting: [turn] },
    [{ do: 'settle', answer: nack('stale', { version: 9 }).message }],
  ],
  [
    'illegal is final',
    nack('illegal', { index: 0, rule: '1.12' }),
    { ...open, waiting: [turn] },
    [{ do: 'settle', answer: nack('illegal', { index: 0, rule: '1.12' }).message }],
  ],
  [
    'too fast',
    nack('too_fast', { retry_ms: 120 }),
    { ...open, waiting: [turn] },
    [{ do: 'send-later', message: turn, inMs: 120 }],
  ],
  [
    'said too fast',
    { type: 'message', message: { type: 'nack', command: 's1', game: 'g', code: 'too_fast', retry_ms: 120 } },
    { ...open, waiting: [turn, line] },
    [
      {
        do: 'settle',
        answer: { type: 'nack', command: 's1', game: 'g', code: 'too_fast', retry_ms: 120 },
      },
    ],
  ],
  [
    'busy',
    nack('busy'),
    { ...open, waiting: [turn] },
    [
      { do: 'report', news: 'busy' },
      { do: 'send-later', message: turn, inMs: 750 },
    ],
  ],
  [
    'not known whether it was stored',
    nack('unavailable'),
    { ...open, waiting: [turn] },
    [
      { do: 'report', news: 'unavailable' },
      { do: 'send-later', message: turn, inMs: 750 },
    ],
  ],
  ['a nack of what nobody waits for', nack('busy'), open, []],

  // Faults.
  ['messages too fast', fault('too_fast', { retry_ms: 200 }), open, [{ do: 'greet-later', inMs: 200 }]],
  [
    'greeted too fast',
    fault('too_fast', { retry_ms: 200, of: 'hello', game: 'g' }),
    open,
    [{ do: 'greet-later', inMs: 200 }],
  ],
  [
    'a game watched too fast',
    fault('too_fast', { retry_ms: 200, of: 'watch', game: 'g' }),
    open,
    [{ do: 'send-later', message: { type: 'watch', game: 'g', version: 7 }, inMs: 200 }],
  ],
  [
    'a game watched too fast that is not followed any more',
    fault('too_fast', { retry_ms: 200, of: 'watch', game: 'h' }),
    open,
    [],
  ],
  [
    'the lobby watched too fast',
    fault('too_fast', { retry_ms: 200, of: 'watch_lobby' }),
    { ...open, lobby: true },
    [{ do: 'send-later', message: { type: 'watch_lobby' }, inMs: 200 }],
  ],
  [
    'searched too fast, of which the page tells',
    fault('too_fast', { retry_ms: 200, of: 'seek', pool: {} }),
    open,
    [],
  ],
  [
    'a command refused by an error',
    fault('invalid_message', { detail: 'why', of: 'turn', command: 't1' }),
    { ...open, waiting: [draft, turn] },
    [
      {
        do: 'settle',
        answer: { type: 'nack', command: 't1', game: 'g', code: 'invalid', detail: 'why' },
      },
    ],
  ],
  [
    'a command sent too fast whose game could not be read',
    fault('too_fast', { retry_ms: 200, of: 'turn', command: 't1' }),
    { ...open, waiting: [turn] },
    [{ do: 'send-later', message: turn, inMs: 200 }],
  ],
  [
    'a refused command of an earlier page',
    fault('invalid_message', { detail: 'why', command: 't0' }),
    { ...open, waiting: [turn] },
    [],
  ],
  [
    'a game that cannot be read',
    fault('unavailable', { game: 'g' }),
    open,
    [
      { do: 'report', news: 'busy' },
      { do: 'send-later', message: { type: 'watch', game: 'g', version: 7 }, inMs: 2000 },
    ],
  ],
  [
    'a game that nobody more may watch',
    fault('no_more_watchers', { game: 'g' }),
    open,
    [
      { do: 'report', news: 'busy' },
      { do: 'send-later', message: { type: 'watch', game: 'g', version: 7 }, inMs: 2000 },
    ],
  ],
  [
    'the lobby cannot be read just now',
    fault('lobby_unavailable'),
    { ...open, lobby: true },
    [{ do: 'send-later', message: { type: 'watch_lobby' }, inMs: 2_000 }],
  ],
  ['a lobby that is not followed', fault('lobby_unavailable'), open, []],
  ['a game that is not followed', fault('unavailable', { game: 'h' }), open, []],
  ['no such game', fault('unknown_game', { game: 'g' }), open, []],
];

for (const [name, happening, line, effects] of table) {
  test(`the line: ${name}`, () => assert.deepEqual(decide(happening, line), effects));
}

test('a question takes the place of the unanswered question about the same game, and of nothing else', () => {
  const options = { ...draft, type: 'options', command: 'o1' };
  const waiting = [turn, draft, { ...draft, command: 'd2', game: 'h' }];
  assert.deepEqual(replacedBy({ ...draft, command: 'd3' }, waiting), [draft]);
  assert.deepEqual(replacedBy(options, waiting), [draft]);
  assert.deepEqual(replacedBy(draft, [turn, options]), [options]);
  assert.deepEqual(replacedBy({ ...turn, command: 't2' }, [...waiting, options]), []);
});

/** A line with sockets, clock and session of the test, after the first attempt to connect was refused. */
async function refusedLine(t) {
  const at = { ms: 0 };
  const sockets = [];
  const sessions = [];
  class Socket extends EventTarget {
    constructor() {
      super();
      sockets.push(this);
    }
    close() {}
  }
  const page = new EventTarget();
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
  t.mock.method(performance, 'now', () => at.ms);
  t.mock.method(Math, 'random', () => 0);
  Object.assign(page, { setTimeout, setInterval, visibilityState: 'visible' });
  Object.assign(globalThis, {
    window: page,
    document: page,
    location: new URL('http://towers.test/'),
    WebSocket: Socket,
  });
  openConnection({
    onMessage() {},
    onNews() {},
    renewSession: () => new Promise((resolve) => sessions.push(resolve)),
    leavesSession: () => false,
    ready: Promise.resolve(),
  });
  await new Promise(setImmediate);
  sockets[0].dispatchEvent(Object.assign(new Event('close'), { code: 1006 }));
  const pass = (ms) => {
    at.ms += ms;
    t.mock.timers.tick(ms);
  };
  return { sockets, sessions, pass };
}

test('a try to connect that was given up opens no socket beside the next one', async (t) => {
  const { sockets, sessions, pass } = await refusedLine(t);
  pass(500);
  assert.equal(sessions.length, 1, 'a session is asked for before the second try');
  pass(8500);
  pass(1000);
  assert.equal(sessions.length, 2, 'which took too long, so there is a third');
  for (const renewed of sessions) renewed();
  await new Promise(setImmediate);
  assert.equal(sockets.length, 2, 'the first one and that of the third try');
});

/** A line that was welcomed by its first socket, on a device whose clocks the test sets. */
async function openedLine(t) {
  const device = { steady: 0, wall: 1_790_000_000_000 };
  const sockets = [];
  class Socket extends EventTarget {
    said = [];
    constructor() {
      super();
      sockets.push(this);
    }
    send(text) {
      this.said.push(JSON.parse(text).type);
    }
    close() {}
    hear(message) {
      this.dispatchEvent(Object.assign(new Event('message'), { data: JSON.stringify(message) }));
    }
  }
  const page = new EventTarget();
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
  t.mock.method(performance, 'now', () => device.steady);
  t.mock.method(Date, 'now', () => device.wall);
  t.mock.method(Math, 'random', () => 0);
  Object.assign(page, { setTimeout, setInterval, visibilityState: 'visible' });
  Object.assign(globalThis, { window: page, document: page, WebSocket: Socket });
  Object.assign(globalThis, { location: new URL('http://towers.test/') });
  const options = {
    onMessage() {},
    onNews() {},
    renewSession: async () => {},
    leavesSession: () => false,
    ready: Promise.resolve(),
  };
  openConnection(options).follow('g', 7);
  await new Promise(setImmediate);
  const [socket] = sockets;
  socket.dispatchEvent(new Event('open'));
  socket.hear({ type: 'welcome', protocol: PROTOCOL, player: {}, now_ms: 0 });
  const pass = (ms) => {
    for (let left = ms; left > 0; left -= 100) {
      device.steady += 100;
      device.wall += 100;
      t.mock.timers.tick(100);
    }
  };
  pass(1_000);
  return { device, page, sockets, socket, pass };
}

const old = { type: 'chat', game: 'g', lines: [] };

for (const [name, sleep] of [
  ['with both clocks going on', { steady: 600_000, wall: 600_000 }],
  ['with the steady clock standing still', { steady: 0, wall: 600_000 }],
  ['with the other clock set back', { steady: 600_000, wall: -600_000 }],
]) {
  test(`a page that slept ${name} asks at once, and replaces a line that is dead within three seconds`, async (t) => {
    const { device, sockets, socket, pass } = await openedLine(t);
    const nPings = () => socket.said.filter((type) => type === 'ping').length;
    const before = nPings();
    device.steady += sleep.steady;
    device.wall += sleep.wall;
    socket.hear(old);
    assert.equal(nPings(), before + 1, 'with the first message that waited, or the first tick');
    socket.hear(old);
    pass(2_900);
    assert.equal(sockets.length, 2, 'messages that waited are no answer');
  });

  test(`a page that slept ${name} keeps a line that answers`, async (t) => {
    const { device, sockets, socket, pass } = await openedLine(t);
    device.steady += sleep.steady;
    device.wall += sleep.wall;
    pass(600);
    socket.hear({ type: 'pong', now_ms: 0 });
    pass(4_000);
    assert.equal(sockets.length, 1);
  });
}

test('the answer to a question from before the sleep is none to the question after it', async (t) => {
  const { device, sockets, socket, pass } = await openedLine(t);
  pass(4_500);
  assert.equal(socket.said.at(-1), 'ping');
  device.steady += 600_000;
  device.wall += 600_000;
  socket.hear({ type: 'pong', now_ms: 0 });
  pass(2_900);
  assert.equal(sockets.length, 2);
});

test('a ping that was refused as too fast has its answer, and the next pong is not taken for it', async (t) => {
  const { device, sockets, socket, pass } = await openedLine(t);
  device.steady += 600_000;
  device.wall += 600_000;
  pass(600);
  socket.hear({ type: 'error', code: 'too_fast', of: 'ping', retry_ms: 50 });
  pass(4_000);
  assert.equal(sockets.length, 1, 'a server that refuses is there');
  pass(1_000);
  socket.hear({ type: 'pong', now_ms: device.wall });
  const offMs = serverTime.now() - device.wall;
  assert.ok(Math.abs(offMs) < 600, `${offMs}`);
});

test('a page that loads for long opens no line before its session', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
  const device = { ms: 0 };
  t.mock.method(performance, 'now', () => device.ms);
  const page = Object.assign(new EventTarget(), { setTimeout, setInterval, visibilityState: 'visible' });
  const sessions = [];
  Object.assign(globalThis, { window: page, document: page });
  const renewSession = () => new Promise((resolve) => sessions.push(resolve));
  openConnection({
    onMessage() {},
    onNews() {},
    renewSession,
    leavesSession: () => false,
    ready: new Promise(() => {}),
  });
  device.ms += 10_000;
  t.mock.timers.tick(500);
  page.dispatchEvent(new Event('visibilitychange'));
  t.mock.timers.tick(500);
  assert.equal(sessions.length, 0);
});
