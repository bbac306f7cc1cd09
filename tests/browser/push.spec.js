// Notifications while no page is open: what the service worker shows, and how a page subscribes.

import { GAME, YOUR_TURN, begin, expect, playUnseen, test, unfold } from './towers.js';

const CLOCK = { kind: 'correspondence', days: 3 };

const button = (page, name) => page.getByRole('button', { name, exact: true });

/** A page with a service worker, and a function that delivers a message to it. */
async function deliverer(visitor, server, options) {
  const page = await visitor({ serviceWorkers: 'allow', permissions: ['notifications'], ...options });
  const session = await page.context().newCDPSession(page);
  const registered = new Promise((resolve) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      if (registrations.length > 0) resolve(registrations[0].registrationId);
    });
  });
  await session.send('ServiceWorker.enable');
  await page.goto('/');
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => {}));
  const registrationId = await registered;
  const deliver = (data) =>
    session.send('ServiceWorker.deliverPushMessage', { origin: server, registrationId, data });
  const [worker] = page.context().serviceWorkers();
  // Browsers without a screen show no notifications.
  await worker.evaluate(() => {
    let shown = [];
    self.registration.showNotification = async (title, options) => {
      const close = () => {
        shown = shown.filter(({ tag }) => tag !== options.tag);
      };
      close();
      shown.push({ title, ...options, close });
    };
    self.registration.getNotifications = async () => shown;
  });
  const shown = () =>
    worker.evaluate(async () => {
      const shown = await self.registration.getNotifications();
      return shown.map(({ title, body, tag, data }) => ({ title, body, tag, data }));
    });
  return { page, deliver, shown };
}

const PUSHED = {
  purpose: 'turns',
  waiting: 1,
  game: '019a9f3e-0000-7000-8000-000000000001',
  ruleset: 'fibonacci-cards',
  opponent: 'Ada',
  deadline_ms: Date.UTC(2026, 10, 27, 14, 5),
  tag: 'abc',
};

test('every message is shown in the language of the pages, and a repetition once', async ({
  visitor,
  server,
}) => {
  for (const [locale, one, many, deadline] of [
    [
      'en-GB',
      'Your turn: Fibonacci against Ada',
      '3 games wait for you',
      /^Fibonacci against Ada, until Friday/,
    ],
    [
      'fr-FR',
      'À vous de jouer: Fibonacci contre Ada',
      '3 parties vous attendent',
      /^Fibonacci contre Ada, jusqu’à vendredi/,
    ],
  ]) {
    const { deliver, shown } = await deliverer(visitor, server, { locale, timezoneId: 'UTC' });
    const words = async () => (await shown()).map(({ title, body }) => `${title}: ${body}`);
    await deliver(JSON.stringify(PUSHED));
    await expect.poll(words).toEqual([one]);
    expect((await shown())[0].data).toBe(`/game/${PUSHED.game}`);
    await deliver(JSON.stringify({ ...PUSHED, waiting: 3, tag: 'def' }));
    await expect.poll(async () => (await shown()).map(({ title }) => title)).toEqual([many]);
    expect((await shown())[0].data).toBe('/turns');
    await deliver(JSON.stringify({ ...PUSHED, purpose: 'deadline', tag: 'later' }));
    await expect
      .poll(async () => (await shown()).find(({ tag }) => tag === 'deadline later')?.body)
      .toMatch(deadline);
    for (const [n, wrong] of ['', 'no JSON', '{}', '[]', 'null'].entries()) {
      await deliver(wrong);
      await expect.poll(async () => (await shown()).map(({ tag }) => tag), `${n}`).toContain('unknown');
    }
    const tags = (await shown()).map(({ tag }) => tag);
    expect(tags, 'a later one takes the place of an earlier one').toEqual([
      'turns def',
      'deadline later',
      'unknown',
    ]);
  }
});

/** Stands in for the push service of the browser, which tests have none of. */
async function withPushService(page, behaviour = 'works') {
  await page.addInitScript((behaviour) => {
    window.Notification = { permission: 'granted', requestPermission: async () => 'granted' };
    window.heard = [];
    ServiceWorkerRegistration.prototype.showNotification = async (title) => {
      window.heard.push(title);
    };
    const text = (bytes) =>
      btoa(String.fromCharCode(...new Uint8Array(bytes)))
        .replaceAll('+', '-')
        .replaceAll('/', '_')
        .replace(/=+$/, '');
    const kept = () => JSON.parse(localStorage.getItem('subscribed') ?? 'null');
    const subscription = () => {
      const { key, p256dh } = kept() ?? {};
      return key === undefined
        ? null
        : {
            options: { applicationServerKey: Uint8Array.from(key).buffer },
            toJSON: () => ({
              endpoint: 'https://updates.push.services.mozilla.com/wpush/v2/x',
              expirationTime: null,
              keys: { p256dh, auth: 'AAAAAAAAAAAAAAAAAAAAAA' },
            }),
            unsubscribe: async () => localStorage.removeItem('subscribed'),
          };
    };
    PushManager.prototype.getSubscription = async () => subscription();
    PushManager.prototype.subscribe = async ({ userVisibleOnly, applicationServerKey }) => {
      if (behaviour !== 'works' || !userVisibleOnly) throw new DOMException('no push service', 'AbortError');
      const pair = await crypto.subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, true, [
        'deriveBits',
      ]);
      const p256dh = text(await crypto.subtle.exportKey('raw', pair.publicKey));
      localStorage.setItem('subscribed', JSON.stringify({ key: [...applicationServerKey], p256dh }));
      return subscription();
    };
  }, behaviour);
}

/** A slow game of two pages with two turns, in which the second player may be called, with the requests about pushes. */
async function started(visitor, behaviour) {
  const [ada, blaise] = [await visitor(), await visitor({ serviceWorkers: 'allow' })];
  await withPushService(blaise, behaviour);
  const requests = [];
  blaise.context().on('request', (request) => {
    if (request.url().endsWith('/api/v1/push')) requests.push(request.method());
  });
  const id = await begin(ada, blaise, { visibility: 'link', terms: { clock: CLOCK }, turns: 3 });
  await blaise.goto(`/game/${id}`);
  await blaise.evaluate(() => navigator.serviceWorker.ready.then(() => {}));
  await expect(blaise.getByRole('heading', { name: YOUR_TURN })).toBeVisible();
  await unfold(blaise);
  return { ada, blaise, id, requests };
}

/** Makes a page believe that it is hidden. */
const lookAway = (page) =>
  page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => 'hidden' });
    Object.defineProperty(document, 'hasFocus', { configurable: true, value: () => false });
    document.dispatchEvent(new Event('visibilitychange'));
  });

/** Lets a turn of each be played, the last one by Ada, while Blaise looks away. */
async function playWhileAway({ ada, blaise, id }) {
  await lookAway(blaise);
  await playUnseen(blaise, id, GAME.turns[3]);
  await playUnseen(ada, id, GAME.turns[4]);
  await expect(blaise).toHaveTitle(/▶ Your turn · Towers$/);
}

test('a press subscribes the browser, each visit renews it, and its own page calls no turn twice', async ({
  visitor,
}) => {
  const game = await started(visitor);
  const { blaise, requests } = game;
  expect(requests, 'nothing is asked for without a press').toEqual([]);
  await button(blaise, 'Notify me').click();
  await expect(blaise.locator('#polite')).toContainText('even if no page is open');
  expect(requests).toEqual(['GET', 'PUT']);
  await blaise.reload();
  await expect.poll(() => requests).toEqual(['GET', 'PUT', 'PUT']);
  // The server has another key: as after its database was lost.
  await blaise.evaluate(() => {
    const kept = JSON.parse(localStorage.getItem('subscribed'));
    localStorage.setItem('subscribed', JSON.stringify({ ...kept, key: kept.key.toReversed() }));
  });
  await blaise.reload();
  await expect.poll(() => requests.length).toBe(5);
  await playWhileAway(game);
  expect(await blaise.evaluate(() => window.heard)).toEqual([]);

  await blaise.reload();
  await unfold(blaise);
  await expect(button(blaise, 'Notify me')).toHaveAttribute('aria-pressed', 'true');
  await button(blaise, 'Notify me').click();
  await expect.poll(() => requests.at(-1)).toBe('DELETE');
  await expect.poll(() => blaise.evaluate(() => localStorage.getItem('subscribed'))).toBeNull();
  const before = requests.length;
  await blaise.reload();
  await expect(blaise.locator('#status')).not.toBeEmpty();
  expect(requests.length).toBe(before);
});

test('without a push service the page says what it can do, and calls by itself', async ({ visitor }) => {
  const game = await started(visitor, 'fails');
  const { blaise } = game;
  await button(blaise, 'Notify me').click();
  await expect(blaise.locator('#polite')).toContainText('as long as a tab of it is open');
  await playWhileAway(game);
  await expect.poll(() => blaise.evaluate(() => window.heard)).toEqual(['Your turn']);
});

test('a device that notifies only from its home screen says so', async ({ visitor }) => {
  const [ada, blaise] = [await visitor(), await visitor()];
  await blaise.addInitScript(() => {
    delete window.Notification;
    Object.defineProperty(navigator, 'standalone', { value: false });
  });
  const id = await begin(ada, blaise, { turns: 2 });
  await blaise.goto(`/game/${id}`);
  await unfold(blaise);
  await expect(blaise.getByText('add Towers to the home screen of this device')).toBeVisible();
  await expect(button(blaise, 'Notify me')).toHaveCount(0);
});
