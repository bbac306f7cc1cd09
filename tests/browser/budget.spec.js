// Bytes and requests of pages, as Chromium counts them, and layout shifts while they load.

import { GAME, begin, expect, movable, pagesWith, recordShifts, shiftOf, test } from './towers.js';

const KB = 1024;

/** Records the requests of a page. The bytes are those of the wire, headers included. */
async function traffic(page) {
  const client = await page.context().newCDPSession(page);
  await client.send('Network.enable');
  const requests = new Map();
  client.on('Network.requestWillBeSent', ({ requestId, request, type, initiator }) =>
    requests.set(requestId, {
      path: new URL(request.url).pathname,
      type,
      initiator: initiator.type,
      bytes: 0,
    }),
  );
  client.on('Network.requestServedFromCache', ({ requestId }) => requests.delete(requestId));
  client.on('Network.responseReceived', ({ requestId, response }) => {
    if (response.fromDiskCache) requests.delete(requestId);
  });
  client.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const request = requests.get(requestId);
    if (request !== undefined) request.bytes = encodedDataLength;
  });
  client.on('Network.loadingFailed', ({ requestId }) => requests.delete(requestId));
  client.on('Network.webSocketCreated', ({ requestId }) =>
    requests.set(requestId, { path: '/ws', type: 'WebSocket', initiator: 'script', bytes: 0 }),
  );
  return {
    client,
    all: () => [...requests.values()].filter(({ path }) => path !== 'image/svg+xml'),
    clear: () => requests.clear(),
  };
}

const sum = (requests) => requests.reduce((bytes, request) => bytes + request.bytes, 0);
const listed = (requests) => requests.map(({ path, type, bytes }) => `${type} ${path} ${bytes}`).join('\n');

/** The script of the search, of whose end only its worker hears. */
const WORKER = /^\/assets\/worker-\w+\.js$/;

/** Waits until a page has loaded everything. */
async function isQuiet(page, seen) {
  const isComing = ({ bytes, type, path }) => bytes === 0 && type !== 'WebSocket' && !WORKER.test(path);
  await page.evaluate(() => document.fonts.ready);
  await page.waitForLoadState('networkidle');
  await expect.poll(() => listed(seen.all().filter(isComing))).toBe('');
}

async function runningGame(visitor) {
  const [black, white] = [await visitor(), await visitor()];
  return { id: await begin(black, white, { turns: 2 }), black };
}

/** The script with the board of the lobby, which is loaded after the first paint and has a budget of its own. */
const LATER = /^\/assets\/board-\w+\.js$/;
const LATER_KB = 17;

/** The engine, which has a budget of its own: in a game of one's own it comes after the first paint, elsewhere when it is
 * needed. */
const ENGINE = /^\/assets\/(engine-\w+\.wasm|(later|try-engine)-\w+\.js)$/;
const ENGINE_KB = 90;

for (const [name, scripts, requests] of [
  // One of them asks for the seeks.
  ['lobby', 35, 13],
  ['game', 60, 12],
]) {
  test(`a first visit of the ${name} makes at most ${requests} requests and stays in its budget`, async ({
    visitor,
  }) => {
    const page = await visitor();
    const address = name === 'lobby' ? '/' : `/game/${await begin(await visitor(), page)}`;
    const seen = await traffic(page);
    await page.goto(address);
    await expect(page.getByRole('gridcell').first()).toBeVisible();
    await isQuiet(page, seen);
    const ofEngine = () => seen.all().filter(({ path }) => ENGINE.test(path));
    if (name === 'lobby') {
      expect(ofEngine()).toEqual([]);
      await page.locator('#try-board').hover();
      await expect.poll(() => ofEngine().length).toBe(2);
      await isQuiet(page, seen);
    }
    const engine = ofEngine();
    const all = seen.all().filter((request) => !engine.includes(request));
    console.log(`${name}: ${all.length} requests, ${sum(all)} bytes\n${listed([...all, ...engine])}`);
    expect(engine.length).toBe(2);
    expect(sum(engine)).toBeLessThanOrEqual(ENGINE_KB * KB);
    const later = all.filter(({ path }) => LATER.test(path));
    const first = all.filter((request) => request.type === 'Script' && !later.includes(request));
    expect(later.length, listed(all)).toBe(name === 'lobby' ? 1 : 0);
    expect(sum(later), listed(all)).toBeLessThanOrEqual(LATER_KB * KB);
    expect(sum(first), listed(all)).toBeLessThanOrEqual(scripts * KB);
    expect(all.length, listed(all)).toBeLessThanOrEqual(requests);
    expect(sum(all), listed(all)).toBeLessThanOrEqual(150 * KB);
  });
}

/** What waits for the visitor is counted once the page has been drawn. */
const COUNT = /^\/assets\/count-turns-\w+\.js$|^\/api\/v1\/turns$/;

test('a second visit asks for the page, the session, the seeks and the socket alone', async ({ visitor }) => {
  const page = await visitor();
  const seen = await traffic(page);
  const isThere = () => expect(page.getByRole('tab', { name: /^Open rooms \d/ })).toBeVisible();
  await page.goto('/');
  await isThere();
  await isQuiet(page, seen);
  await page.goto('about:blank');
  seen.clear();
  await page.goto('/');
  await isThere();
  await isQuiet(page, seen);
  expect(
    seen
      .all()
      .map(({ path }) => path)
      .filter((path) => !COUNT.test(path))
      .toSorted(),
  ).toEqual(['/', '/api/v1/seeks', '/api/v1/session', '/ws']);
});

test('a second visit to a game requests its events too, before any answer has arrived', async ({
  visitor,
}) => {
  const { id, black } = await runningGame(visitor);
  const page = await black.context().newPage();
  const seen = await traffic(page);
  const isThere = () => expect(movable(page)).not.toHaveCount(0);
  await page.goto(`/game/${id}`);
  await isThere();
  await isQuiet(page, seen);
  await page.goto('about:blank');
  seen.clear();
  await page.goto(`/game/${id}`);
  await isThere();
  await isQuiet(page, seen);
  const all = seen.all().map(({ path }) => path);
  const paths = all.filter((path) => !COUNT.test(path));
  expect(paths.toSorted()).toEqual([`/api/v1/games/${id}/events`, '/api/v1/session', `/game/${id}`, '/ws']);
  const events = all.indexOf(`/api/v1/games/${id}/events`);
  const counted = all.findIndex((path) => COUNT.test(path));
  expect(counted, 'the number of games that wait comes after the game').toBeGreaterThan(events);
  expect(paths.slice(0, 2)).toEqual([`/game/${id}`, `/api/v1/games/${id}/events`]);
});

/**
 * Opens a page round by round. Its requests are held back until it has made all requests of the round, and are then
 * answered together. Later requests belong to the next round. After the last round nothing is answered any more, and
 * the socket stays silent.
 */
async function openInRounds(page, address, rounds) {
  let held = [];
  const pathOf = (route) => new URL(route.request().url()).pathname;
  await page.route('**', (route) => {
    if (pathOf(route) === address) return route.continue();
    held.push(route);
  });
  await page.routeWebSocket(/\/ws$/, () => {});
  await page.goto(address, { waitUntil: 'commit' });
  for (const named of rounds) {
    await expect
      .poll(() => named.filter((pattern) => !held.some((route) => pattern.test(pathOf(route)))))
      .toEqual([]);
    const round = held;
    held = [];
    await Promise.all(round.map((route) => route.continue()));
  }
}

const partsOf = (page) => [new RegExp(`/${page}-\\w+\\.js$`), /\.css$/, /\.json$/];

for (const [name, rounds] of [
  ['lobby', [partsOf('lobby'), partsOf('board').slice(0, 1)]],
  ['game', [[...partsOf('game'), /^\/api\/v1\/games\//], [/^\/api\/v1\/session$/]]],
  ['replay', [[...partsOf('replay'), /^\/api\/v1\/games\//]]],
  ['example', [[...partsOf('replay'), /^\/api\/v1\/examples\//]]],
]) {
  test(`round trips after the HTML until the board of the page "${name}" stands: ${rounds.length}`, async ({
    visitor,
  }) => {
    const { id, black } = await runningGame(visitor);
    const address = {
      lobby: '/',
      game: `/game/${id}`,
      replay: `/replay/${id}`,
      example: '/example/fibonacci',
    }[name];
    // A visitor with games gets no board to try.
    const page = name === 'lobby' ? await visitor() : await black.context().newPage();
    await openInRounds(page, address, rounds);
    await expect(page.getByRole('gridcell', { name: /black strike piece/ }).first()).toBeVisible();
  });
}

test('hashed files may be cached for ever, pages are revalidated', async ({ visitor }) => {
  const page = await visitor();
  const answers = [];
  page.on('response', (response) => answers.push(response));
  await page.goto('/rules/fenix');
  await expect(page.locator('figure svg').first()).toBeVisible();
  const kept = await Promise.all(
    answers.map(async (answer) => [
      new URL(answer.url()).pathname,
      await answer.headerValue('cache-control'),
    ]),
  );
  expect(kept.length).toBeGreaterThan(5);
  for (const [path, header] of kept) {
    const isHashed = /^\/assets\/[\w.-]+-[0-9a-f]{12}\.\w+$/.test(path);
    expect(isHashed, path).toBe(path !== '/rules/fenix');
    expect(header, path).toBe(isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
  }
  const again = await page.request.get('/rules/fenix', {
    headers: { 'if-none-match': await answers[0].headerValue('etag') },
  });
  expect(again.status()).toBe(304);
});

/** The largest sum of layout shifts of a page that comes up. */
const MOST_SHIFT = 0.01;

/** A connection on which the parts of a page arrive one after the other. */
const SLOW = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 100_000 };

test('nothing moves while a page comes up', async ({ visitor }) => {
  const { id, black } = await runningGame(visitor);
  const [first, second] = [await visitor(), await visitor()];
  const finished = await begin(first, second, { turns: GAME.turns.length });
  const cards = await begin(first, second, { ruleset: 'fibonacci-cards' });
  for (const [address, whole, player] of [
    // The second player of this game is not there, and loses the seat in half a minute.
    [`/game/${cards}`, '[role="gridcell"]', first],
    ...Object.values(pagesWith(finished)),
    [`/game/${id}`, '[role="gridcell"]', black],
    [`/game/${id}`, '[role="gridcell"]'],
    [`/game/${finished}`, '.result', first],
    ['/analysis', '.best li'],
    ['/example/fenix', '[role="gridcell"]'],
    [`/embed/${finished}`, '[role="gridcell"]'],
    [`/shuffles/${finished}`, '.notice'],
    ['/learn/fibonacci', '[role="gridcell"]'],
    ['/api', '#create_room'],
    ['/privacy', 'h2'],
    ['/offline', '.onward a'],
    ['/rules/fibonacci', 'figure svg'],
    ['/rules/fenix', 'figure svg'],
  ]) {
    const page = player === undefined ? await visitor() : await player.context().newPage();
    const seen = await traffic(page);
    await seen.client.send('Network.emulateNetworkConditions', SLOW);
    await recordShifts(page);
    await page.goto(address);
    await expect(page.locator(whole).first()).toBeVisible();
    await isQuiet(page, seen);
    const { score, moved } = await shiftOf(page);
    console.log(`${address}: ${score.toFixed(4)}`);
    expect.soft(score, `${address}: ${moved}`).toBeLessThan(MOST_SHIFT);
    await page.close();
  }
});
