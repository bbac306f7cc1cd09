// A search for an opponent, seen and kept on every page.

import { expect, openPools, test } from './towers.js';

const chip = (page) => page.locator('.search-chip');

/** Looks for an opponent from the lobby. */
async function seek(page, ruleset, clock) {
  await page.goto('/');
  await openPools(page);
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'Game', exact: true }).selectOption(ruleset);
  await dialog.getByRole('button', { name: clock }).click();
}

/** Looks for an opponent, whom nobody is yet. */
async function seekAlone(page, ruleset, clock) {
  await seek(page, ruleset, clock);
  await expect(chip(page)).toBeVisible();
}

/** Has the search of a browser begin, or be left, earlier by some time. */
const setBack = (page, key, ms) =>
  page.evaluate(
    ([key, ms]) => {
      const search = JSON.parse(localStorage.getItem('search'));
      localStorage.setItem('search', JSON.stringify({ ...search, [key]: search[key] - ms }));
    },
    [key, ms],
  );

test('a search goes on while one reads other pages, and one in real time leads to its game', async ({
  visitor,
}) => {
  const [ada, bo] = [await visitor(), await visitor()];
  await seekAlone(ada, 'fenix', /^3\+2/);
  for (const path of ['/learn', '/puzzles', '/rules/fenix', '/games', '/analysis', '/', '/learn/fenix']) {
    await ada.goto(path);
    await expect(chip(ada), path).toContainText('Looking: Fenix 3+2');
  }
  await seek(bo, 'fenix', /^3\+2/);
  for (const page of [ada, bo]) await expect(page).toHaveURL(/\/game\//);
  expect(ada.url()).toBe(bo.url());
  await ada.goto('/learn');
  await expect(ada.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(chip(ada)).toHaveCount(0);
});

test('a search is stopped on any page, for all of them', async ({ visitor }) => {
  const page = await visitor();
  await seekAlone(page, 'focus', /^5\+5/);
  const other = await page.context().newPage();
  await other.goto('/learn');
  await expect(chip(other)).toContainText('Looking: Focus 5+5');
  await chip(other).getByRole('button', { name: 'Stop' }).click();
  await expect(chip(page)).toHaveCount(0);
  await expect(chip(other)).toHaveCount(0);
  await other.goto('/puzzles');
  await expect(other.getByRole('gridcell').first()).toBeVisible();
  await expect(chip(other)).toHaveCount(0);
});

/** A visitor who also looks at a picture alone, which browsers show with styles of their own. */
const LEAVES = { forgives: /inline style|style-src-attr/ };

test('a search is taken up by the next page within a minute, and is over after it', async ({ visitor }) => {
  const page = await visitor(LEAVES);
  await seekAlone(page, 'crossfire', /^5\+5/);
  await page.reload();
  await expect(chip(page)).toContainText('Crossfire 5+5');
  // Closed for a while: a picture has no script, and writes nothing when it is left.
  await page.goto('/favicon.ico');
  await setBack(page, 'heardMs', 61_000);
  await page.goto('/');
  await openPools(page);
  const pool = page.getByRole('dialog').getByRole('button', { name: /^5\+5/ });
  await expect(pool).toHaveAttribute('aria-disabled', 'false');
  await expect(pool).toHaveAttribute('aria-pressed', 'false');
  await expect(chip(page)).toHaveCount(0);
});

test('a game that was found between two pages is not missed', async ({ visitor }) => {
  const [ada, bo] = [await visitor(LEAVES), await visitor()];
  await seekAlone(ada, 'focus', /^5\+5/);
  const search = await ada.evaluate(() => localStorage.getItem('search'));
  await seek(bo, 'focus', /^5\+5/);
  for (const page of [ada, bo]) await expect(page).toHaveURL(/\/game\//);
  await ada.goto('/favicon.ico');
  await ada.evaluate((search) => localStorage.setItem('search', search), search);
  await ada.goto('/learn');
  await expect(ada).toHaveURL(bo.url());
});

test('a long search offers a game with a bot, which is played while the search goes on', async ({
  visitor,
}) => {
  const page = await visitor(LEAVES);
  await seekAlone(page, 'crossfire', /^15\+10/);
  await expect(chip(page).getByRole('link')).toHaveCount(0);
  await page.goto('/favicon.ico');
  await setBack(page, 'sinceMs', 15_000);
  await page.goto('/puzzles');
  await chip(page).getByRole('link', { name: 'Play the computer while you wait' }).click();
  await expect(page.getByRole('dialog', { name: 'Play the computer' })).toBeVisible();
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await expect(page).toHaveURL(/\/game\//);
  await expect(chip(page)).toContainText('Looking: Crossfire 15+10');
});

test('a live game ends a search for another one', async ({ visitor }) => {
  const [ada, bo] = [await visitor(), await visitor()];
  await seekAlone(ada, 'fenix', /^5\+5/);
  await bo.request.post('/api/v1/session');
  const clock = { kind: 'real_time', base_s: 600, bonus_s: 30, bonus: 'per_turn' };
  const terms = { clock, watching: 'everybody', drafts: 'shown', delay: 0 };
  const data = { ruleset: 'focus', seat: 'first', visibility: 'link', terms };
  const { id } = await (await bo.request.post('/api/v1/rooms', { data })).json();
  await ada.goto(`/game/${id}`);
  await expect(ada.getByRole('gridcell').first()).toBeVisible();
  await expect(chip(ada)).toHaveCount(0);
});

test('without a search, no page asks for the part that keeps one', async ({ visitor }) => {
  const page = await visitor();
  const asked = [];
  page.on('request', (request) => /keep-search|\/ws$/.test(request.url()) && asked.push(request.url()));
  page.on('websocket', (socket) => asked.push(socket.url()));
  for (const path of ['/learn', '/games', '/rules/fenix', '/table']) {
    await page.goto(path);
    await expect(page.locator('#top a').first()).toBeVisible();
  }
  expect(asked).toEqual([]);
});
