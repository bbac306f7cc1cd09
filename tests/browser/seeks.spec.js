// Seeks: wishes for slow games, which stay when their players go.

import { PHONE, expect, isAccessible, openPools, test } from './towers.js';

const dialog = (page) => page.getByRole('dialog');
const clock = (page, name) => dialog(page).getByRole('button', { name });
const rows = (page) => page.locator('#rooms .row');

/** The hours of the last clock: seeks with one clock find each other. */
let hours = 36;

/** A visitor with a session, of whose name the start is free. */
async function guest(visitor, name, options) {
  const page = await visitor(options);
  await page.request.post('/api/v1/session');
  await page.request.patch('/api/v1/session', { data: { name } });
  return page;
}

/** Posts a seek without the way through the lobby, by default one that no other answers. */
async function post(page, more = {}) {
  hours += 1;
  const data = {
    ruleset: 'fenix',
    clock: { kind: 'bank', base_days: 10, bonus_hours: hours },
    games: 1,
    ...more,
  };
  const answer = await page.request.post('/api/v1/seeks', { data });
  expect(answer.status()).toBe(201);
  return (await answer.json()).seek;
}

/** The tab with the open rooms of a lobby that has just come up. */
async function openRooms(page) {
  await page.goto('/');
  await page.getByRole('tab', { name: /^Open rooms \d/ }).click();
}

test('a slow clock posts a search, which stays, is listed with its number of games and can be withdrawn', async ({
  visitor,
}) => {
  const page = await guest(visitor, 'Patient Ada');
  await page.goto('/');
  await openPools(page);
  await dialog(page).getByRole('combobox', { name: 'Game', exact: true }).selectOption('crossfire');
  await dialog(page).getByRole('combobox', { name: 'Number of games' }).selectOption('3');
  await expect(clock(page, /^no clock/), 'only the search stays').toContainText('30 min away: you may lose');
  await clock(page, /^3 days/).click();
  await expect(clock(page, /^3 days/)).toHaveAttribute('aria-pressed', 'true');
  await expect(page.locator('#polite')).toHaveText('Your search is listed: Crossfire 3 days.');
  await isAccessible(page, 'the dialog with a search');
  await page.goto('/learn');
  await expect(page.locator('.search-chip')).toHaveCount(0);
  await openRooms(page);
  const own = rows(page).filter({ hasText: 'Your search' });
  await expect(own).toContainText('Crossfire');
  await expect(own).toContainText('3 games');
  await isAccessible(page, 'a row of a search');
  await own.getByRole('button', { name: 'Withdraw your search: Crossfire 3 days' }).press('Enter');
  await expect(own).toHaveCount(0);
  await expect(page.locator('#rooms')).toBeFocused();
  await openPools(page);
  await expect(clock(page, /^3 days/)).toHaveAttribute('aria-pressed', 'false');
});

test('a search is withdrawn by a second press on its clock', async ({ visitor }) => {
  const page = await guest(visitor, 'Hasty Ada');
  await post(page, { ruleset: 'focus', clock: { kind: 'correspondence', days: 3 } });
  await page.goto('/');
  await openPools(page);
  await dialog(page).getByRole('combobox', { name: 'Game', exact: true }).selectOption('focus');
  await expect(clock(page, /^3 days/)).toHaveAttribute('aria-pressed', 'true');
  await clock(page, /^3 days/).click();
  await expect(clock(page, /^3 days/)).toHaveAttribute('aria-pressed', 'false');
  const { own } = await (await page.request.get('/api/v1/seeks')).json();
  expect(own).toEqual([]);
});

test('the search of another is accepted in one press, and its player in the lobby is told', async ({
  visitor,
}) => {
  const [ada, bo] = [await guest(visitor, 'Seeking Ada'), await guest(visitor, 'Willing Bo')];
  await post(ada, { games: 2 });
  await openRooms(ada);
  await expect(rows(ada).filter({ hasText: 'Your search' })).toContainText('2 games');
  await openRooms(bo);
  await rows(bo).filter({ hasText: 'Seeking Ada' }).getByRole('button', { name: 'Play Seeking Ada' }).click();
  await expect(bo).toHaveURL(/\/game\//);
  const notice = ada.locator('.notice').filter({ hasText: 'Someone answered your search:' });
  await expect(notice).toContainText('Willing Bo');
  await expect(rows(ada).filter({ hasText: 'Your search' })).not.toContainText('games');
  await notice.getByRole('link', { name: 'Go to game' }).click();
  await expect(ada).toHaveURL(bo.url());
});

test('two who want the same play each other at once', async ({ visitor }) => {
  const [ada, bo] = [await guest(visitor, 'Same Ada'), await guest(visitor, 'Same Bo')];
  await post(ada, { ruleset: 'focus-classic', clock: { kind: 'none' } });
  await bo.goto('/');
  await openPools(bo);
  await dialog(bo).getByRole('combobox', { name: 'Game', exact: true }).selectOption('focus-classic');
  await clock(bo, /^no clock/).click();
  await expect(bo).toHaveURL(/\/game\//);
  await expect(bo.getByText('Same Ada').first()).toBeVisible();
});

test('a search that is gone, or whose player has blocked the visitor, is refused in words', async ({
  visitor,
}) => {
  const [ada, bo] = [await guest(visitor, 'Fickle Ada'), await guest(visitor, 'Unlucky Bo')];
  const gone = await post(ada);
  await post(ada, { ruleset: 'fibonacci-cards' });
  await openRooms(bo);
  const of = (game) => rows(bo).filter({ hasText: 'Fickle Ada' }).filter({ hasText: game });
  const notice = bo.locator('#notices .notice');
  await expect(of('Fenix')).toBeVisible();
  await ada.request.delete(`/api/v1/seeks/${gone.id}`);
  await of('Fenix').getByRole('button').click();
  await expect(notice).toContainText('Someone else was faster, or the search was withdrawn.');
  await expect(of('Fenix').getByRole('button')).toHaveText('Gone');
  const bos = await (await bo.request.post('/api/v1/session')).json();
  await ada.request.put(`/api/v1/blocks/${bos.player.id}`);
  await of('Fibonacci').getByRole('button').click();
  await expect(notice).toContainText('One of you has blocked the other.');
});

test('what is wrong with a search is said in the dialog', async ({ visitor }) => {
  const page = await guest(visitor, 'Busy Ada');
  for (let days = 4; days < 14; days += 1) await post(page, { clock: { kind: 'correspondence', days } });
  await page.goto('/');
  await openPools(page);
  await clock(page, /^3 days/).click();
  await expect(dialog(page).getByText('You already have ten searches: withdraw one first.')).toBeVisible();
});

test('searches that come while the lobby is out of sight are there when it is seen again', async ({
  visitor,
}) => {
  const [ada, bo] = [await guest(visitor, 'Later Ada'), await guest(visitor, 'Watching Bo')];
  await bo.addInitScript(() => {
    const now = performance.now.bind(performance);
    let more = 0;
    performance.now = () => now() + more;
    window.letTimePass = () => {
      more += 60_000;
      document.dispatchEvent(new Event('visibilitychange'));
    };
  });
  await openRooms(bo);
  await post(ada, { ruleset: 'crossfire' });
  await bo.mouse.move(0, 0);
  await bo.evaluate(() => window.letTimePass());
  await bo.getByRole('heading', { level: 1 }).click();
  await expect(rows(bo).filter({ hasText: 'Later Ada' })).toBeVisible();
});

test('on a narrow phone the dialog has all its clocks, and nothing is cut', async ({ visitor }) => {
  const page = await guest(visitor, 'Narrow Ada', { viewport: { ...PHONE, width: 320 } });
  await page.goto('/');
  await openPools(page);
  await expect(dialog(page).locator('.pool')).toHaveCount(6);
  const wide = await dialog(page).evaluate((place) => place.scrollWidth - place.clientWidth);
  expect(wide).toBe(0);
});
