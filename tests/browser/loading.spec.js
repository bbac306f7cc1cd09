// Pages on a bad connection: before the script runs, and when a part does not load.

import { GAME, YOUR_TURN, begin, expect, isAccessible, movable, openRoom, test } from './towers.js';

const contexts = [];

/** A page of a visitor of its own. Its browser complains of the failures that the test makes. */
async function newcomer(browser, server, options = {}) {
  const context = await browser.newContext({ baseURL: server, locale: 'en-GB', ...options });
  contexts.push(context);
  return context.newPage();
}

test.afterEach(async () => {
  await Promise.all(contexts.splice(0).map((context) => context.close()));
});

/** A running game, in which it is the turn of the first page's visitor, and one that is over. */
async function games(browser, server) {
  const [black, white] = [await newcomer(browser, server), await newcomer(browser, server)];
  const finished = await begin(black, white, { turns: GAME.turns.length });
  const running = await begin(black, white, { turns: 2 });
  return { black, running, finished };
}

/** Every page: where it is, and when it is whole. */
const PAGES = {
  lobby: [
    () => '/',
    async (page) => {
      await expect(page.getByRole('tab', { name: /^Open rooms \d/ })).toBeVisible();
      await expect(page.locator('#try').getByRole('gridcell').first()).toBeVisible();
    },
  ],
  game: [({ running }) => `/game/${running}`, canBePlayed],
  replay: [
    ({ finished }) => `/replay/${finished}`,
    async (page) => {
      await page.getByRole('button', { name: 'Go to end' }).click();
      await expect(page.getByRole('heading', { name: /won$/ })).toBeVisible();
    },
  ],
  shuffles: [
    ({ finished }) => `/shuffles/${finished}`,
    (page) => expect(page.getByText('There are no cards in this game.').first()).toBeVisible(),
  ],
  puzzles: [
    () => '/puzzles',
    async (page) => {
      await expect(page.getByRole('heading', { name: 'Puzzle of the day' })).toBeVisible();
      await expect(page.getByRole('gridcell').first()).toBeVisible();
    },
  ],
  learn: [() => '/learn', (page) => expect(page.locator('.small-board svg').first()).toBeVisible()],
  lesson: [() => '/learn/focus', (page) => expect(movable(page).first()).toBeVisible()],
  games: [() => '/games', (page) => expect(page.locator('#games li').first()).toBeVisible()],
  import: [() => '/import', (page) => expect(page.getByRole('button', { name: 'Replay' })).toBeVisible()],
  table: [
    () => '/table',
    (page) => expect(page.getByRole('button', { name: 'Start the game' })).toBeVisible(),
  ],
  analysis: [() => '/analysis', (page) => expect(movable(page).first()).toBeVisible()],
  interface: [() => '/api', (page) => expect(page.locator('#create_room')).toBeVisible()],
  // Without a role there is nothing on it but a refusal.
  moderation: [
    () => '/moderation',
    (page) => expect(page.getByText('Only moderators can do this.').first()).toBeVisible(),
  ],
  missing: [
    () => '/no/such/page',
    async (page) => {
      await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
      await expect(page.locator('.top').getByRole('link', { name: 'Play' })).toBeVisible();
    },
  ],
  rules: [() => '/rules/fenix', (page) => expect(page.locator('figure svg').first()).toBeVisible()],
};

/** The board shows the player's pieces, and responds to keys. */
async function canBePlayed(page) {
  await expect(page.getByRole('heading', { name: YOUR_TURN })).toBeVisible();
  const piece = movable(page).first();
  await piece.focus();
  await expect(async () => {
    if ((await piece.getAttribute('aria-selected')) !== 'true') await page.keyboard.press('Enter');
    await expect(piece).toHaveAttribute('aria-selected', 'true', { timeout: 1000 });
  }).toPass();
}

const pathOf = (request) => new URL(request.url()).pathname;
const unloaded = (page) => page.locator('#unloaded');

for (const [name, [path, isWhole]] of Object.entries(PAGES)) {
  test(`any request of the page "${name}" may fail once`, async ({ browser, server }) => {
    const all = await games(browser, server);
    const address = path(all);
    // A visitor with games sees them, and not the board to try.
    const open = () => (name === 'lobby' ? newcomer(browser, server) : all.black.context().newPage());
    const first = await open();
    const asked = new Set();
    first.on('request', (request) => asked.add(pathOf(request)));
    await first.goto(address);
    await isWhole(first);
    await first.close();
    asked.delete(address);
    expect(asked.size).toBeGreaterThan(4);
    for (const failing of asked) {
      const page = await open();
      let failures = 0;
      await page.route(
        ({ pathname }) => pathname === failing,
        (route) => (failures++ === 0 ? route.abort() : route.continue()),
      );
      const failed = page.waitForEvent('requestfailed', (request) => pathOf(request) === failing);
      await page.goto(address);
      await failed;
      await test.step(failing, async () => {
        await isWhole(page);
        await expect(unloaded(page)).toBeHidden();
      });
      await page.close();
    }
  });
}

test('heading and lead are there before the script', async ({ browser, server }) => {
  const page = await newcomer(browser, server, { locale: 'fr-FR' });
  let release;
  const held = new Promise((resolve) => {
    release = resolve;
  });
  await page.route(/\/(lobby|replay|game|puzzles|local|analysis)(-\w+)?\.js$/, async (route) => {
    await held;
    await route.continue();
  });
  for (const [address, heading] of [
    ['/', 'Quatre jeux'],
    ['/import', 'Importer'],
    ['/puzzles', 'Problèmes'],
    ['/table', 'Jouer sur cet appareil'],
    ['/analysis', 'Analyse'],
    ['/game/01890a5d-ac96-774b-bcce-b302099a8057', 'Partie'],
  ]) {
    await page.goto(address, { waitUntil: 'commit' });
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(new RegExp(heading));
    await expect(page.locator('.opening .lead, .hero .lead')).toBeVisible();
    await expect(unloaded(page)).toBeHidden();
  }
  release();
  await expect(page.getByRole('heading', { name: 'Cette partie n’existe pas' })).toBeVisible();
  await expect(page.locator('.opening:visible')).toHaveCount(0);
});

for (const [part, pattern] of [
  ['script', /\/lobby(-\w+)?\.js(\?again)?$/],
  ['stylesheet', /\.css$/],
  ['words', /fr(-\w+)?\.json$/],
]) {
  test(`a ${part} that does not load is reported, and loaded as soon as possible`, async ({
    browser,
    server,
  }) => {
    const page = await newcomer(browser, server, { locale: 'fr-FR' });
    let isAway = true;
    await page.route(pattern, (route) => (isAway ? route.abort() : route.continue()));
    await page.goto('/', { waitUntil: 'commit' });
    await expect(unloaded(page)).toBeVisible();
    await expect(unloaded(page)).toContainText('Cette page n’est pas entièrement chargée');
    await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
    if (part !== 'stylesheet') await isAccessible(page, part);
    isAway = false;
    await expect(page.getByRole('tab', { name: /^Parties ouvertes/ })).toBeVisible();
    await expect(unloaded(page)).toBeHidden();
  });
}

test('a board to try that does not load is reported, and the rest of the page works', async ({
  browser,
  server,
}) => {
  const page = await newcomer(browser, server);
  let isAway = true;
  let failures = 0;
  await page.route(/\/board(-\w+)?\.js/, (route) => {
    if (isAway) failures += 1;
    return isAway ? route.abort() : route.continue();
  });
  await page.goto('/');
  await expect(unloaded(page)).toContainText('Part of this page did not load');
  await expect.poll(() => failures).toBeGreaterThan(1);
  await expect(page.getByRole('tab', { name: /^Open rooms \d/ })).toBeVisible();
  await openRoom(page);
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  isAway = false;
  await expect(page.locator('#try').getByRole('gridcell').first()).toBeVisible();
  await expect(unloaded(page)).toBeHidden();
});

test('a page that has not loaded can be reloaded', async ({ browser, server }) => {
  const page = await newcomer(browser, server);
  let n_loaded = 0;
  page.on('request', (request) => {
    if (request.isNavigationRequest()) n_loaded += 1;
  });
  await page.route(/\/lobby(-\w+)?\.js/, (route) => route.fulfill({ status: 404 }));
  await page.goto('/');
  await page.getByRole('button', { name: 'Reload' }).click();
  await expect.poll(() => n_loaded).toBe(2);
});
