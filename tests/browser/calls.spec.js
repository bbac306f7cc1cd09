// Calls to a player: the tab, a notification, a sound, the time that runs out, an absent opponent. Also presses and
// typed text while an answer is awaited.

import { GAME, YOUR_TURN, begin, expect, offerDraw, playUnseen, test, unfold } from './towers.js';

/** A clock long enough for any slow machine. */
const CLOCK = { kind: 'correspondence', days: 3 };

const button = (page, name) => page.getByRole('button', { name, exact: true });
const chat = (page) => page.locator('#chat');

/** A game of two pages, both of them on it, with a turn of each played.
 * @returns {Promise<string>} its id
 */
async function started(first, second, clock = CLOCK) {
  const id = await begin(first, second, { visibility: 'link', terms: { clock }, turns: 2 });
  await Promise.all([first, second].map((page) => page.goto(`/game/${id}`)));
  await expect(first.getByRole('heading', { name: YOUR_TURN })).toBeVisible();
  return id;
}

/**
 * Stands between a page and the server, before the page is opened.
 *
 * @param {import('@playwright/test').Page} page
 * @param {object} between
 * @param {(message: any, socket: import('@playwright/test').WebSocketRoute) => boolean | void} [between.said] receives
 * the page's messages; `false` withholds one from the server
 * @param {(message: any) => any} [between.heard] the message that the page receives instead
 */
async function standBetween(page, { said = () => true, heard = (message) => message }) {
  /** @type {import('@playwright/test').WebSocketRoute | null} */
  let server = null;
  await page.routeWebSocket(/\/ws$/, (socket) => {
    const upstream = socket.connectToServer();
    server = upstream;
    socket.onMessage((text) => {
      if (said(JSON.parse(text), socket) !== false) upstream.send(text);
    });
    upstream.onMessage((text) => socket.send(JSON.stringify(heard(JSON.parse(text)))));
  });
  return { pass: (message) => server.send(JSON.stringify(message)) };
}

/** Records the tones that all pages of a browser play.
 * @returns {Promise<number[]>} the tones so far, in Hertz
 */
async function listen(context) {
  /** @type {number[]} */
  const tones = [];
  await context.exposeFunction('heardTone', (frequency) => tones.push(frequency));
  await context.addInitScript(() => {
    const level = () => ({
      setValueAtTime() {},
      linearRampToValueAtTime() {},
      exponentialRampToValueAtTime() {},
    });
    const node = (more) => ({ connect: (to) => to, start() {}, stop() {}, ...more });
    window.AudioContext = class {
      currentTime = 0;
      destination = node();
      resume() {}
      createGain = () => node({ gain: level() });
      createOscillator = () =>
        node({ frequency: { setValueAtTime: (frequency) => window.heardTone(frequency) } });
    };
  });
  return tones;
}

const [MOVE, TURN, LOW] = [210, 523, 988];
const count = (tones, tone) => tones.filter((one) => one === tone).length;

/** Clicks on a page, which may play sounds from then on. */
async function touch(page, tones) {
  const before = count(tones, MOVE);
  for (const pressed of ['true', 'false']) {
    await button(page, 'Mute').click();
    await expect(button(page, 'Mute')).toHaveAttribute('aria-pressed', pressed);
  }
  await expect.poll(() => count(tones, MOVE)).toBe(before + 1);
}

/** Waits until all pages have played their pending sounds: locks are granted and scripts loaded in order. */
async function silence(pages) {
  for (const page of pages) {
    await page.evaluate(async () => {
      await navigator.locks.request(`silence ${Math.random()}`, () => {});
      await import(document.body.dataset.tones);
    });
  }
}

/** Makes a page believe that seconds have passed, so that a call is no part of the burst of the one before. */
const letSecondsPass = (page) =>
  page.evaluate(() => {
    const now = performance.now.bind(performance);
    performance.now = () => now() + 5_000;
  });

/** Makes a page believe that it is hidden. */
const lookAway = (page) =>
  page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => 'hidden' });
    Object.defineProperty(document, 'hasFocus', { configurable: true, value: () => false });
    document.dispatchEvent(new Event('visibilitychange'));
  });

test('a device that is touched, which shows no titles, is told to stay where an absence is claimed', async ({
  visitor,
}) => {
  const [ada, blaise] = [await visitor(), await visitor({ hasTouch: true, isMobile: true })];
  const quick = { kind: 'real_time', base_s: 300, bonus_s: 3, bonus: 'per_turn' };
  for (const [clock, words] of [
    [CLOCK, 'You can leave this page: the game stays under “My games”.'],
    [{ kind: 'none' }, 'Stay here: if you are away too long, your opponent may claim the win.'],
    [quick, 'Stay here: if you are away too long, your opponent may claim the win.'],
  ]) {
    const id = await begin(ada, blaise, { terms: { clock }, turns: 2 });
    await blaise.goto(`/game/${id}`);
    await expect(blaise.locator('#status')).toContainText(words);
  }
});

test('a player on another tab is called by the title, and by one notification if wanted', async ({
  visitor,
}) => {
  const [ada, blaise] = [await visitor(), await visitor({ serviceWorkers: 'allow' })];
  await blaise.context().grantPermissions(['notifications']);
  await blaise.context().addInitScript(() => {
    window.Notification = class {
      static permission = 'granted';
      static requestPermission = async () => 'granted';
      constructor() {
        throw new TypeError('phones show no notifications of a page');
      }
    };
    const { prototype } = ServiceWorkerRegistration;
    const { showNotification } = prototype;
    window.heard = [];
    prototype.showNotification = function (title, options) {
      window.heard.push(`${title}: ${options.body}`);
      return showNotification.call(this, title, options);
    };
  });
  const id = await started(ada, blaise);
  await playUnseen(ada, id, GAME.turns[2]);
  await playUnseen(blaise, id, GAME.turns[3]);
  const status = blaise.locator('#status');
  await expect(status).toContainText('You can leave this page: the game stays under “My games”.');
  const other = await blaise.context().newPage();
  await other.goto(`/game/${id}`);
  await unfold(blaise);
  await button(blaise, 'Notify me').click();
  await expect(button(blaise, 'Notify me')).toHaveAttribute('aria-pressed', 'true');
  await expect(status).toContainText(
    'You will be notified when it is your turn, as long as this tab is open.',
  );
  await other.reload();
  await unfold(other);
  await expect(button(other, 'Notify me')).toHaveAttribute('aria-pressed', 'true');
  await blaise.evaluate(() => navigator.serviceWorker.ready.then(() => {}));
  for (const page of [blaise, other]) await lookAway(page);
  await playUnseen(ada, id, GAME.turns[4]);
  for (const page of [blaise, other]) {
    // A page that has asked since has the number of such games before it.
    await expect(page).toHaveTitle(/^(\(1\) )?▶ Your turn · Towers$/);
    const favicon = page.locator('#favicon');
    await expect(favicon).toHaveAttribute('href', await favicon.getAttribute('data-turn'));
  }
  const heard = async () =>
    (await Promise.all([blaise, other].map((page) => page.evaluate(() => window.heard)))).flat();
  await expect.poll(heard).toEqual([expect.stringMatching(/^Your turn: Fibonacci: /)]);
});

test('a press on a notification shows its game: in its tab, or in a new one', async ({ visitor }) => {
  const page = await visitor({ serviceWorkers: 'allow' });
  await page.goto('/');
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => {}));
  const [worker] = page.context().serviceWorkers();
  /** Presses a notification of a game, and returns the address of the tab that is focused or opened. */
  const press = (data) =>
    worker.evaluate(async (data) => {
      let shown = '';
      WindowClient.prototype.focus = async function () {
        shown = `focused ${new URL(this.url).pathname}`;
      };
      self.clients.openWindow = async (address) => {
        shown = `opened ${address}`;
      };
      const notification = { data, close() {} };
      const event = Object.assign(new ExtendableEvent('notificationclick'), { notification });
      self.dispatchEvent(event);
      for (let turn = 0; shown === '' && turn < 100; turn += 1) await self.clients.matchAll();
      return shown;
    }, data);
  expect(await press('/')).toBe('focused /');
  expect(await press('/game/1')).toBe('opened /game/1');
});

test('only one of several tabs sounds when it is the player’s turn', async ({ visitor }) => {
  const [ada, blaise] = [await visitor(), await visitor()];
  const tones = await listen(blaise.context());
  const id = await started(ada, blaise);
  const other = await blaise.context().newPage();
  await other.goto(`/game/${id}`);
  for (const page of [blaise, other]) await touch(page, tones);
  await playUnseen(ada, id, GAME.turns[2]);
  for (const page of [blaise, other]) await expect(page.getByRole('alert')).toContainText('Your turn');
  await silence([blaise, other]);
  expect(count(tones, TURN)).toBe(1);
  for (const page of [blaise, other]) await letSecondsPass(page);
  const headings = [blaise, other].map((page) => page.getByRole('heading', { name: YOUR_TURN }));
  await playUnseen(blaise, id, GAME.turns[3]);
  for (const heading of headings) await expect(heading).toHaveCount(0);
  await playUnseen(ada, id, GAME.turns[4]);
  for (const heading of headings) await expect(heading).toBeVisible();
  await silence([blaise, other]);
  expect(count(tones, TURN), 'each turn sounds').toBe(2);
});

test('a player with little time left is warned by sight and sound', async ({ visitor }) => {
  const [ada, blaise] = [await visitor(), await visitor()];
  const tones = await listen(ada.context());
  let isShort = false;
  await standBetween(ada, {
    heard(message) {
      if (isShort && message.present?.clock) message.present.clock.first_ms = 15_000;
      return message;
    },
  });
  await started(ada, blaise);
  await touch(ada, tones);
  isShort = true;
  await offerDraw(blaise);
  await expect(ada.getByRole('alert')).toContainText(/seconds? left/);
  await expect(ada.locator('.clock.low')).toHaveCount(1);
  await expect.poll(() => count(tones, LOW), 'three short tones').toBeGreaterThanOrEqual(3);
});

test('the game of a side that is gone may be claimed, until it comes back', async ({ visitor }) => {
  const [ada, blaise, carl] = [await visitor(), await visitor(), await visitor()];
  let inMs = 60_000;
  const claims = [];
  await standBetween(ada, {
    said(message) {
      if (message.type === 'claim') claims.push(message.what);
    },
    heard(message) {
      if (message.type === 'presence' && message.claim !== null) message.claim.from_ms = Date.now() + inMs;
      return message;
    },
  });
  const id = await started(ada, blaise, { kind: 'none' });
  await blaise.goto('/rules/fibonacci');
  const panel = ada.getByRole('group', { name: / has left\./ });
  await expect(panel).toContainText(/0:\d\d/);
  await expect(panel.getByRole('button')).toHaveCount(0);
  // The server decides when it is time, and sends this message then.
  inMs = 0;
  await carl.goto(`/game/${id}`);
  await button(ada, 'Claim the win').click();
  await expect(
    ada.getByText('Your opponent is here, or has not been away long enough.').first(),
  ).toBeVisible();
  await button(ada, 'Claim a draw').click();
  await expect.poll(() => claims).toEqual(['win', 'draw']);
  await blaise.goto(`/game/${id}`);
  await expect(panel).toHaveCount(0);
});

test('an offer that is made before another is answered is not lost, and none is made twice', async ({
  visitor,
}) => {
  const [ada, blaise] = [await visitor(), await visitor()];
  /** The offers by their commands: one without an answer is sent again to a line that begins anew. */
  const held = new Map();
  let isHeld = true;
  const line = await standBetween(blaise, {
    said(message) {
      if (message.type !== 'offer') return true;
      held.set(message.command, message);
      return !isHeld;
    },
  });
  await started(ada, blaise);
  await offerDraw(blaise);
  await button(blaise, 'Ask for a take-back').click();
  await offerDraw(blaise);
  expect([...held.values()].map(({ what }) => what)).toEqual(['draw', 'takeback']);
  isHeld = false;
  for (const message of held.values()) line.pass(message);
  await expect(button(ada, 'Accept')).toHaveCount(2);
});

test('lines written before an answer are sent in order; a refused one comes back', async ({ visitor }) => {
  const [ada, blaise] = [await visitor(), await visitor()];
  const held = [];
  let isHeld = true;
  const line = await standBetween(blaise, {
    said(message, socket) {
      if (message.type !== 'say') return true;
      if (message.text === 'too soon') {
        const { command, game } = message;
        socket.send(JSON.stringify({ type: 'nack', command, game, code: 'too_fast', retry_ms: 5_000 }));
        return false;
      }
      if (isHeld) held.push(message);
      return !isHeld;
    },
  });
  await started(ada, blaise);
  await blaise.getByRole('tab', { name: 'Chat' }).click();
  const text = blaise.locator('#chat-text');
  for (const words of ['one', 'two']) {
    await text.fill(words);
    await text.press('Enter');
    await expect(text).toHaveValue('');
  }
  await expect(chat(blaise).getByText('sending…').and(blaise.locator(':visible'))).toHaveCount(2);
  await text.fill('three');
  isHeld = false;
  for (const message of held.values()) line.pass(message);
  await expect(chat(blaise).getByText('sending…')).toHaveCount(0);
  await expect(text).toHaveValue('three');
  await ada.getByRole('tab', { name: /^Chat/ }).click();
  await expect(chat(ada).locator('.text')).toHaveText(['one', 'two']);

  await text.fill('too soon');
  await text.press('Enter');
  await expect(chat(blaise).getByText(/^Not so fast/)).toBeVisible();
  await expect(text).toHaveValue('too soon');
});

test('the moves of a turn are in sight, in their size, while the legal ones are not known yet', async ({
  visitor,
}) => {
  const [ada, blaise] = [await visitor(), await visitor()];
  const asked = [];
  const line = await standBetween(ada, {
    said(message) {
      const isQuestion = message.type === 'options';
      if (isQuestion) asked.push(message);
      return !isQuestion;
    },
  });
  // The page's engine, which would answer as well, does not come.
  await ada.route(/\/engine-\w+\.wasm$/, () => {});
  const id = await begin(ada, blaise, { ruleset: 'fibonacci-cards' });
  await ada.goto(`/game/${id}`);
  await expect.poll(() => asked.length).toBe(1);
  const strip = ada.locator('#strip');
  await expect(strip).toHaveClass(/waiting/);
  await expect(strip.locator('.pips')).toBeVisible();
  const { width, height } = await strip.locator('.card').boundingBox();
  line.pass(asked[0]);
  await expect(strip).not.toHaveClass(/waiting/);
  expect(await strip.locator('.card').boundingBox()).toMatchObject({ width, height });
});
