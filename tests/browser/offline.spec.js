// Pages without a network, by the service worker.

import { GAME, act, begin, expect, openComputer, playUnseen, test } from './towers.js';

/** A visitor whose browser keeps pages, and complains of a network that is not there. */
const KEEPS = { serviceWorkers: 'allow', forgives: /ERR_INTERNET_DISCONNECTED/ };

/** Pages that open after a visit to any one of them. */
const SHELL = [
  ...['/', '/learn', '/learn/fibonacci', '/learn/crossfire', '/table', '/analysis'],
  ...['/puzzles', '/puzzles/fenix', '/rules/fibonacci', '/rules/crossfire'],
];

/** Waits until the service worker has kept its first pages. */
const isKept = (page) => page.evaluate(async () => (await navigator.serviceWorker.ready).active !== null);

test('the first pages open without a network after one visit, and nothing of the interface is kept', async ({
  visitor,
}) => {
  const page = await visitor(KEEPS);
  await page.goto('/');
  await isKept(page);
  await page.context().setOffline(true);
  for (const path of SHELL) {
    await page.goto(path);
    await expect(page.locator('#top')).not.toBeEmpty();
    await expect(page.locator('#unloaded')).toBeHidden();
  }
  // Nobody redirects to the address of a page without slashes too many.
  await page.goto('/learn//fenix/');
  await expect(page.getByRole('heading', { name: 'Lesson: Fenix' })).toBeVisible();
  const kept = await page.evaluate(async () => {
    const requests = await (await caches.open('client')).keys();
    return requests.map(({ url }) => new URL(url).pathname);
  });
  expect(kept.filter((path) => path.startsWith('/api'))).toEqual([]);
  expect(kept).toEqual(expect.arrayContaining(['/', '/learn', '/table', '/analysis', '/puzzles']));
});

test('without a network a game against the computer begins on the device', async ({ visitor }) => {
  const page = await visitor(KEEPS);
  await page.goto('/');
  await isKept(page);
  await page.context().setOffline(true);
  await page.goto('/');
  /** Begins a game of Fenix from the lobby. */
  const start = async (level, side) => {
    await page.goto('/');
    await openComputer(page);
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'Game', exact: true }).selectOption('fenix');
    await dialog.getByRole('combobox', { name: 'Level' }).selectOption(level);
    await dialog.getByRole('radio', { name: side }).check();
    await dialog.getByRole('button', { name: 'Start' }).click();
  };
  await start('3', /^Red/);
  await expect(page.getByRole('heading', { name: 'Your turn' })).toBeVisible();
  await expect(page.locator('#bar-top')).toContainText('level 3');
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Your turn' })).toBeVisible();

  // The game that is under way is replaced only by a press.
  await start('1', /^Blue/);
  await expect(page.locator('select[name="first"]')).toHaveValue('1');
  await page.getByRole('button', { name: 'Back to the game' }).click();
  await expect(page.locator('#bar-top')).toContainText('level 3');
});

test('a page comes from the network while there is one', async ({ visitor }) => {
  const page = await visitor(KEEPS);
  await page.goto('/');
  await isKept(page);
  await page.goto('/?lang=fr');
  await expect(page.locator('html')).toHaveAttribute('lang', 'fr');
  const answer = await page.goto('/no/such/page');
  expect(answer?.status()).toBe(404);
});

test('puzzles of every kind of task open and are judged without a network', async ({ visitor }) => {
  const page = await visitor(KEEPS);
  await page.goto('/puzzles');
  await isKept(page);
  const json = async (path) => (await page.request.get(`/api/v1/puzzles${path}`)).json();
  const puzzles = [];
  for (const ruleset of ['fibonacci', 'fenix', 'focus']) {
    const [{ id }] = (await json(`?ruleset=${ruleset}`)).puzzles;
    puzzles.push({ id, turns: (await json(`/${id}/solution`)).turns });
  }
  const { id: today } = await json('/today');
  await page.reload();
  await page.context().setOffline(true);
  await page.goto('/puzzles');
  await expect(page.getByRole('heading', { name: 'Puzzle of the day' })).toBeVisible();
  for (const { id, turns } of puzzles) {
    await page.goto(`/puzzles#${id}`);
    await page.reload();
    const own = turns.length === 3 ? [turns[0], turns[2]] : [turns[0]];
    for (const { steps } of own) {
      await act(
        page,
        steps.map(({ action }) => action),
      );
    }
    await expect(page.getByRole('heading', { name: 'Solved!' })).toBeVisible();
  }
  await page.goto(`/puzzles#${today}`);
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: 'Puzzle of the day' })).toBeVisible();
});

test('a finished game that was replayed is kept, and replays without a network; others are not', async ({
  visitor,
}) => {
  const [black, white, page] = [await visitor(), await visitor(), await visitor(KEEPS)];
  const running = await begin(black, white, { turns: 2 });
  const finished = await begin(black, white, { turns: GAME.turns.length });
  const note = page.getByText('This is the copy on this device.');
  for (const id of [running, finished]) {
    await page.goto(`/replay/${id}`);
    await isKept(page);
    await expect(page.getByRole('gridcell').first()).toBeVisible();
  }
  await page.reload();
  await expect(note).toBeHidden();
  await page.context().setOffline(true);
  await page.reload();
  await expect(note).toBeVisible();
  await page.getByRole('button', { name: 'Go to end' }).click();
  await expect(page.getByRole('heading', { name: /won$/ })).toBeVisible();
  await page.context().setOffline(false);
  await expect(note).toBeHidden();
  await expect(page.getByRole('heading', { name: /won$/ })).toBeVisible();
  await page.context().setOffline(true);
  await page.goto(`/replay/${running}`);
  await expect(page.locator('#status')).toContainText('The server does not answer');
});

/** Has the server seem newer than a page, once its line has been cut.
 * @returns cuts the line
 */
async function updates(page, path) {
  const lines = [];
  await page.routeWebSocket(/\/ws$/, (line) => {
    line.connectToServer();
    lines.push(line);
  });
  await page.route(
    (url) => url.pathname === path,
    (route) =>
      route.request().isNavigationRequest()
        ? route.fallback()
        : route.fulfill({ body: '<script type="module" src="/assets/newer-000000000000.js"></script>' }),
  );
  return () => lines.at(-1).close({ code: 1012 });
}

const newer = (page) => page.getByText('There is a newer version of this page.');

test('an older lobby loads anew by itself, but never twice from the same release', async ({ visitor }) => {
  const page = await visitor();
  const cut = await updates(page, '/');
  await page.goto('/');
  await expect(page.getByRole('tab', { name: /^Open rooms \d/ })).toBeVisible();
  const isLoadedAnew = page.waitForEvent('load');
  await cut();
  await isLoadedAnew;
  await expect(page.getByRole('tab', { name: /^Open rooms \d/ })).toBeVisible();
  await expect(newer(page)).toBeHidden();
  await page.evaluate(() => {
    window.isSame = true;
  });
  await cut();
  await expect(newer(page)).toBeVisible();
  expect(await page.evaluate(() => window.isSame)).toBe(true);
});

test('an older page of a game says so to a player, and loads anew for a spectator', async ({ visitor }) => {
  const [black, white, spectator] = [await visitor(), await visitor(), await visitor()];
  const id = await begin(black, white, { turns: 3 });
  const path = `/game/${id}`;
  const [cutPlayer, cutSpectator] = [await updates(black, path), await updates(spectator, path)];
  for (const page of [black, spectator]) {
    await page.goto(path);
    await expect(page.locator('#turns')).toContainText(GAME.turns[2][0]);
  }
  await playUnseen(white, id, GAME.turns[3]);
  for (const page of [black, spectator])
    await page.waitForFunction(() => performance.getEntriesByName('engine').length > 0);
  await black.evaluate(() => {
    window.isSame = true;
  });
  await cutPlayer();
  await expect(newer(black)).toBeVisible();
  expect(await black.evaluate(() => window.isSame)).toBe(true);
  await black.getByRole('button', { name: 'Preferences' }).click();
  await expect(black.getByRole('dialog')).toBeVisible();
  await expect(newer(black), 'it stays when a part of the page comes').toBeVisible();
  const isLoadedAnew = spectator.waitForEvent('load');
  await cutSpectator();
  await isLoadedAnew;
  await expect(newer(spectator)).toBeHidden();
});

test('without a network, an address that is not kept leads to a page that tells what works', async ({
  visitor,
}) => {
  const page = await visitor(KEEPS);
  await page.goto('/');
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  await page.context().setOffline(true);
  for (const path of ['/no/such/page', '/game/0193f2a4-7c1b-7d3e-9a52-4b8e6f0c1d2a']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { name: 'You are offline' }), path).toBeVisible();
  }
  await page.getByRole('link', { name: 'All lessons' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Learn to play' })).toBeVisible();
  for (const path of ['/games', '/import', '/rules/focus-classic']) {
    await page.goto(path);
    await expect(page.locator('#top .visitor'), path).toBeVisible();
  }
});
