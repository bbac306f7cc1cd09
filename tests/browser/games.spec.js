import { readFileSync } from 'node:fs';
import { GAME, PHONE, begin, expect, isAccessible, test } from './towers.js';

/** Two players with names, whose games are found by them. */
async function players(visitor, ...names) {
  const pages = [];
  for (const name of names) {
    const page = await visitor();
    await page.request.post('/api/v1/session');
    const renamed = await page.request.patch('/api/v1/session', { data: { name } });
    expect(renamed.ok(), await renamed.text()).toBe(true);
    pages.push(page);
  }
  return pages;
}

const finished = { turns: GAME.turns.length };
const rows = (page) => page.getByRole('listitem');

test('saved games are found by the filters in the address, and the address has the filters of the form', async ({
  visitor,
}) => {
  const [black, white] = await players(visitor, 'Saved Black', 'Saved White');
  const id = await begin(black, white, finished);
  const page = await visitor();
  await page.goto('/games');
  await page.getByRole('searchbox', { name: 'Player' }).fill('saved black');
  await page.getByRole('combobox', { name: 'Result' }).selectOption('First player won');
  await page.getByRole('combobox', { name: 'Ended by' }).selectOption('centre surrounded');
  await page.getByRole('searchbox', { name: 'Player' }).press('Enter');
  await expect(page).toHaveURL('/games?player=saved+black&result=first&reason=surround');
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText('Saved Black won');
  await expect(rows(page)).toContainText(`${GAME.turns.length} turns`);
  await expect(rows(page).locator('.small-board [class^="piece-"]')).toHaveCount(26);

  await page.getByRole('combobox', { name: 'Result' }).selectOption('Draw');
  await page.getByRole('button', { name: 'Search' }).click();
  await expect(page.getByText('No finished games match.')).toBeVisible();
  await page.goBack();
  await expect(rows(page)).toHaveCount(1);
  await expect(page.getByRole('combobox', { name: 'Result' })).toHaveValue('first');
  await page.reload();
  await expect(rows(page)).toHaveCount(1);
  await expect(page.getByRole('searchbox', { name: 'Player' })).toHaveValue('saved black');

  const download = page.waitForEvent('download');
  await rows(page).getByRole('link', { name: 'Download the record of Saved Black – Saved White' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe(`towers-${id}.txt`);
  expect(readFileSync(await file.path(), 'utf8')).toContain('Saved Black');
  await rows(page)
    .getByRole('link', { name: /^Saved Black \(guest\) – Saved White \(guest\)/ })
    .click();
  await expect(page).toHaveURL(new RegExp(`/replay/${id}`));
});

test('where no game has ended, no filter is said to match none', async ({ visitor }) => {
  const page = await visitor();
  await page.route('**/api/v1/games?*', (route) => route.fulfill({ json: { games: [], next: null } }));
  await page.goto('/games');
  await expect(page.getByText('No public game has ended yet.')).toBeVisible();
  await page.getByRole('combobox', { name: 'Game', exact: true }).selectOption('Fenix');
  await page.getByRole('button', { name: 'Search' }).click();
  await expect(page.getByText('No finished games match.')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(page).toHaveURL('/games');
  await expect(page.getByText('No public game has ended yet.')).toBeVisible();
});

test('days bound what is found', async ({ visitor }) => {
  const [black, white] = await players(visitor, 'Dated Black', 'Dated White');
  await begin(black, white, finished);
  const page = await visitor();
  const count = async (query) => {
    await page.goto(`/games?player=Dated+White&${query}`);
    await expect(page.getByText(/^\d+ games? shown\./)).toHaveCount(1);
    return rows(page).count();
  };
  const day = (offset) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
  expect(await count(`since=${day(-1)}&until=${day(1)}`)).toBe(1);
  expect(await count(`since=${day(2)}`)).toBe(0);
  expect(await count(`until=${day(-2)}`)).toBe(0);
});

test('a long list comes page by page, each game once', async ({ visitor }) => {
  const [black, white] = await players(visitor, 'Paged Black', 'Paged White');
  const ids = [];
  for (let made = 0; made < 3; made += 1) ids.unshift(await begin(black, white, finished));
  const page = await visitor();
  await page.route('**/api/v1/games?*', (route) =>
    route.continue({ url: `${route.request().url()}&limit=2` }),
  );
  await page.goto('/games?player=Paged+White');
  await expect(rows(page)).toHaveCount(2);
  await page.getByRole('button', { name: 'Show more' }).click();
  await expect(rows(page)).toHaveCount(3);
  await expect(page.getByRole('button', { name: 'Show more' })).toHaveCount(0);
  const links = rows(page).getByRole('link', { name: /^Paged/ });
  const found = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')));
  expect(found).toEqual(ids.map((id) => `/replay/${id}`));
});

test('a failure to load the saved games is reported, and the request is repeated by itself', async ({
  visitor,
}) => {
  const page = await visitor();
  let isAway = true;
  await page.route('**/api/v1/games?*', (route) =>
    isAway ? route.fulfill({ body: 'no answer of ours' }) : route.continue(),
  );
  await page.goto('/games');
  await expect(page.locator('#games .notice')).toHaveText(/invalid response/);
  isAway = false;
  await expect(page.getByText(/ shown\.$/)).toHaveCount(1);
  await expect(page.locator('#games .notice')).toHaveCount(0);
});

test('a refused request for saved games can be repeated', async ({ visitor }) => {
  const page = await visitor();
  const problem = { status: 400, json: { status: 400, code: 'invalid_query', title: '', detail: '' } };
  await page.route('**/api/v1/games?*', (route) => route.fulfill(problem), { times: 1 });
  await page.goto('/games');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText(/ shown\.$/)).toHaveCount(1);
});

test('a player on a phone finds a finished game in two presses from the lobby, and nobody else finds it there', async ({
  visitor,
}) => {
  const [black, white] = await players(visitor, 'Own Black', 'Own White');
  const private_ = { visibility: 'link', terms: { watching: 'nobody' } };
  const over = [];
  for (let made = 0; made < 2; made += 1)
    over.unshift(await begin(black, white, { ...finished, ...private_ }));
  const going = await begin(black, white, { turns: 1, ...private_ });
  await black.setViewportSize(PHONE);
  await black.route('**/api/v1/games?list=played*', (route) =>
    route.continue({ url: `${route.request().url()}&limit=1` }),
  );
  await black.goto('/');
  await black.getByRole('tab', { name: /^My games/ }).click();
  await black.getByRole('link', { name: 'My finished games' }).click();
  await expect(black).toHaveURL('/games?list=mine');
  await expect(black.getByRole('heading', { level: 1 })).toHaveText('My games');
  await expect(black.locator('#views [aria-current]')).toHaveText('My games');
  await expect(black.getByRole('search')).toHaveCount(0);
  await expect(rows(black)).toHaveCount(2);
  await black.getByRole('button', { name: 'Show more' }).click();
  await expect(rows(black)).toHaveCount(3);
  await expect(black.getByRole('button', { name: 'Show more' })).toHaveCount(0);
  const links = rows(black).getByRole('link', { name: /^Against Own White/ });
  const found = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')));
  expect(found).toEqual([`/game/${going}`, ...over.map((id) => `/replay/${id}?side=first`)]);
  await expect(rows(black).nth(1)).toContainText('You won: Own White’s centre is surrounded.');
  await expect(rows(black).nth(1)).toContainText(`${GAME.turns.length} turns`);
  await isAccessible(black);
  await links.nth(1).click();
  await expect(black.locator('#bar-bottom')).toContainText('Own Black');

  await white.goto('/games?list=mine');
  await expect(rows(white).nth(1)).toContainText('You lost');
  const other = await visitor();
  await other.goto('/games?list=mine');
  await expect(other.getByText('You have no finished games yet.')).toBeVisible();
  await other.getByRole('link', { name: 'Public games' }).click();
  await expect(other).toHaveURL('/games');
  await expect(other.locator(`a[href^="/replay/${over[0]}"]`)).toHaveCount(0);
});

test('where one’s own games under way were listed, the finished ones follow at a second attempt', async ({
  visitor,
}) => {
  const [black, white] = await players(visitor, 'Again Black', 'Again White');
  await begin(black, white, finished);
  await begin(black, white);
  const problem = { status: 400, json: { status: 400, code: 'invalid_query', title: '', detail: '' } };
  await black.route('**/api/v1/games?list=played*', (route) => route.fulfill(problem), { times: 1 });
  await black.goto('/games?list=mine');
  await expect(rows(black)).toHaveCount(1);
  await black.getByRole('button', { name: 'Try again' }).click();
  await expect(rows(black)).toHaveCount(2);
});
