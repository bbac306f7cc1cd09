// The games that wait for a visitor: their number on every page, their list, and the way from one to the next.

import {
  GAME,
  YOUR_TURN,
  begin,
  confirm,
  expect,
  isAccessible,
  move,
  offerDraw,
  playUnseen,
  recordShifts,
  shiftOf,
  test,
} from './towers.js';

const days = (n) => ({ visibility: 'link', terms: { clock: { kind: 'correspondence', days: n } } });

/** Two players, of whom the first is to move in a game for each number of days.
 * @returns {Promise<{ me: import('@playwright/test').Page, other: import('@playwright/test').Page, ids: string[] }>}
 */
async function waiting(visitor, clocks, options = {}) {
  const [me, other] = [await visitor(options), await visitor()];
  const ids = [];
  for (const n of clocks) ids.push(await begin(me, other, days(n)));
  // The browser knows its visitor from then on.
  await me.goto('/');
  await expect(count(me)).toHaveText(`${clocks.length}`);
  return { me, other, ids };
}

const count = (page) => page.locator('#waiting');
const rows = (page) => page.locator('#games').getByRole('listitem');
const next = (page) => page.getByRole('link', { name: /^(Next|Suivante) \(\d+\)$/ });

/** The games of the list, in its order. */
const listed = async (page) =>
  await rows(page)
    .getByRole('link')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href')));
const addresses = (ids) => ids.map((id) => `/game/${id}`);

/** What the icon of a page's tab shows. */
const icon = async (page) => decodeURIComponent(await page.locator('#favicon').getAttribute('href'));

/** Comes back to a page after looking at another tab. */
const lookAgain = (page) => page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));

/** The times of a page's requests for the list. */
function requestsOf(page) {
  const times = [];
  page.context().on('request', (request) => {
    if (new URL(request.url()).pathname === '/api/v1/turns') times.push(Date.now());
  });
  return times;
}

test('the games that wait are counted in the header, the title and the icon of each page', async ({
  visitor,
}) => {
  const { me, other, ids } = await waiting(visitor, [3, 1]);
  // The lobby would go to the game whose clock runs.
  await me.goto('/learn');
  const live = { kind: 'real_time', base_s: 3600, bonus_s: 30, bonus: 'per_turn' };
  await begin(me, other, { terms: { clock: live } });
  await begin(other, me, days(1));
  for (const address of ['/', '/rules/fibonacci', '/games', '/puzzles', '/no/such/page']) {
    await me.goto(address);
    await expect(count(me)).toHaveText('2');
    await expect(count(me)).toHaveAccessibleName('Your turn in 2 games');
    await expect(me).toHaveTitle(/^\(2\) \S/);
    // In the lobby the clock that runs is more pressing.
    if (address === '/') await expect.poll(() => icon(me)).not.toContain('<text');
    else await expect.poll(() => icon(me)).toContain('>2<');
  }
  // The page of one of the games counts it too.
  await me.goto(`/game/${ids[0]}`);
  await expect(me.getByRole('heading', { name: YOUR_TURN })).toBeVisible();
  await expect(next(me)).toHaveText('Next (1)');
  await expect(count(me)).toHaveAccessibleName('Your turn in 2 games');
  await expect(me).toHaveTitle(/^\(2\) Fibonacci: /);

  await me.goto('/learn');
  for (const [index, id] of ids.entries()) {
    const played = me.context().newPage();
    await playUnseen(await played, id, GAME.turns[0]);
    await (await played).close();
    await lookAgain(me);
    await expect(count(me)).toHaveText(index === 0 ? '1' : '');
  }
  await expect(count(me)).not.toBeVisible();
  await expect(me).toHaveTitle(/^Learn/);
  expect(await icon(me)).not.toContain('<text');
});

test('a visitor for whom nothing ever waited is not asked about, and the number moves nothing when it comes', async ({
  visitor,
}) => {
  const [me, other] = [await visitor(), await visitor()];
  const times = requestsOf(me);
  await me.goto('/rules/fenix');
  await me.waitForLoadState('networkidle');
  expect(times).toEqual([]);
  await me.goto('/');
  await expect(me.getByRole('tab', { name: /^Open rooms \d/ })).toBeVisible();
  await begin(me, other, days(2));
  await recordShifts(me);
  for (const width of [320, 390, 1366]) {
    await me.setViewportSize({ width, height: 700 });
    await me.evaluate(() => localStorage.setItem('turns', ''));
    await me.goto('/rules/fenix');
    await expect(count(me)).toHaveText('1');
    const { score, moved } = await shiftOf(me);
    expect(score, `${width}: ${moved}`).toBe(0);
  }
});

test('the list has the most urgent game on top, with its opponent, its turn and the time left', async ({
  visitor,
}) => {
  const { me, ids } = await waiting(visitor, [7, 1, 3]);
  await count(me).click();
  await expect(me).toHaveURL(/\/turns$/);
  await expect(rows(me)).toHaveCount(3);
  const [week, day, three] = ids;
  expect(await listed(me)).toEqual(addresses([day, three, week]));
  await expect(rows(me).first()).toContainText(/Against Guest \d+\s+Fibonacci/);
  await expect(rows(me).first()).toContainText('Turn 1');
  await expect(rows(me).first()).toContainText(/(1\sday|23\shrs?\s5\d\smins?)\sleft/);
  await expect(rows(me).nth(1)).toContainText(/2\sdays\s23\shrs?\sleft/);
  await expect(rows(me).locator('.small-board [class^="piece-"]').first()).toBeVisible();
  await expect(me.locator('.pressing')).toHaveCount(0);
  await isAccessible(me, 'the list of games that wait');

  // Less than six hours, or less than a tenth of the days, is pressing.
  await me.route('**/api/v1/turns', async (route) => {
    const response = await route.fetch();
    const { games } = await response.json();
    const hour = 3_600_000;
    for (const game of games)
      game.deadline_ms = Date.now() + (game.id === week ? 16 : game.id === day ? 5 : 8) * hour;
    await route.fulfill({ response, json: { games } });
  });
  await lookAgain(me);
  const pressing = rows(me).filter({ has: me.locator('.pressing') });
  await expect(pressing).toHaveCount(2);
  await expect(rows(me).filter({ has: me.locator(`a[href="/game/${three}"]`) })).toContainText(/[78]\shr/);
  await expect(pressing.filter({ has: me.locator(`a[href="/game/${three}"]`) })).toHaveCount(0);
  await isAccessible(me, 'games that are pressing');
});

test('the list follows the server, asks no more than once in two seconds, and in one of several tabs', async ({
  visitor,
}) => {
  const { me, ids } = await waiting(visitor, [1, 2, 3]);
  const tab = await me.context().newPage();
  for (const page of [me, tab]) {
    await page.goto('/turns');
    await expect(rows(page)).toHaveCount(3);
    await page.waitForLoadState('networkidle');
  }
  const elsewhere = await me.context().newPage();
  await elsewhere.goto('/rules/fibonacci');
  await elsewhere.waitForLoadState('networkidle');
  const times = requestsOf(me);
  await playUnseen(elsewhere, ids[0], GAME.turns[0]);
  for (const page of [me, tab]) {
    await expect(rows(page)).toHaveCount(2);
    await expect(page.locator('#polite')).toHaveText('Your turn in 2 games');
    await expect(count(page)).toHaveText('2');
  }
  await expect(count(elsewhere), 'a page without a connection').toHaveText('2');
  expect(times, 'one request of three tabs').toHaveLength(1);
  for (const page of [me, tab])
    await page.evaluate(() => {
      for (let told = 0; told < 5; told += 1) dispatchEvent(new Event('turnschanged'));
    });
  await playUnseen(elsewhere, ids[1], GAME.turns[0]);
  for (const page of [me, tab]) await expect(rows(page)).toHaveCount(1);
  for (const [index, time] of times.entries())
    if (index > 0) expect(time - times[index - 1]).toBeGreaterThan(1_900);
});

test('the rows of the list keep their places under a pointer or a focus', async ({ visitor }) => {
  const { me, ids } = await waiting(visitor, [1, 3]);
  await me.goto('/turns');
  await rows(me).last().getByRole('link').focus();
  await playUnseen(await me.context().newPage(), ids[0], GAME.turns[0]);
  await expect(rows(me).first()).toContainText('No longer waiting');
  await expect(rows(me)).toHaveCount(2);
  await expect(me.locator(':focus')).toHaveAttribute('href', `/game/${ids[1]}`);
  await me.locator(':focus').evaluate((link) => link.blur());
  await expect(rows(me)).toHaveCount(1);
});

for (const [locale, words] of [
  ['en-GB', ['Games waiting for you', 'No game is waiting for you.', 'Play the computer', /days\s.*\sleft/]],
  [
    'fr-FR',
    [
      'Parties qui vous attendent',
      'Aucune partie ne vous attend.',
      'Jouer contre l’ordinateur',
      /encore\s.*\sj/,
    ],
  ],
]) {
  test(`an empty list has ways to go on, and the page fits a narrow screen (${locale})`, async ({
    visitor,
  }) => {
    const [title, none, computer, left] = words;
    const look = { locale, viewport: { width: 320, height: 640 } };
    const stranger = await visitor(look);
    await stranger.goto('/turns');
    await expect(stranger.getByRole('heading', { name: title })).toBeVisible();
    await expect(stranger.getByText(none)).toBeVisible();
    expect((await stranger.context().cookies()).filter(({ name }) => name.includes('session'))).toEqual([]);
    await isAccessible(stranger, 'the empty list');
    const { me } = await waiting(visitor, [3], look);
    await me.goto('/turns');
    await expect(rows(me)).toContainText(left);
    await isAccessible(me, 'the list on a narrow screen');
    for (const page of [stranger, me])
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
    await stranger.getByRole('link', { name: computer }).click();
    await expect(stranger.getByRole('dialog')).toBeVisible();
  });
}

test('a game in which the opponent offers something says so in the list', async ({ visitor }) => {
  const { me, other } = await waiting(visitor, [1], { locale: 'fr-FR' });
  const id = await begin(me, other, { ...days(3), turns: 2 });
  await me.goto('/turns');
  await expect(rows(me)).toHaveCount(2);
  await expect(me.locator('.offered')).toHaveCount(0);
  await other.goto(`/game/${id}`);
  await offerDraw(other);
  await expect(rows(me).nth(1)).toContainText('Nulle proposée');
  await expect(me.locator('.offered')).toHaveCount(1);
  await isAccessible(me, 'the list with an offer');
});

test('who has made all turns is told how many games wait for the opponents, and reaches them from there and from Games', async ({
  visitor,
}) => {
  const { me, other, ids } = await waiting(visitor, [3, 1]);
  for (const id of ids) await playUnseen(await me.context().newPage(), id, GAME.turns[0]);
  await me.goto('/turns');
  const place = me.locator('#games');
  await expect(place).toContainText('No game is waiting for you. 2 games are waiting for your opponents.');
  await expect(place).not.toContainText('To start one');
  await isAccessible(me, 'the list when all turns are made');
  const games = me.locator('#pages').getByRole('link', { name: 'Games' });
  await expect(games).toHaveAttribute('href', '/games?list=mine');
  await place.getByRole('link', { name: 'My games' }).click();
  await expect(me.getByRole('heading', { level: 1, name: 'My games' })).toBeVisible();
  // The time left has one form in all lists.
  await expect(rows(me).first()).toContainText(/(1\sday|23\shrs?\s5\d\smins?)\sleft/);
  await playUnseen(other, ids[1], GAME.turns[1]);
  await me.goto('/turns');
  await expect(rows(me)).toHaveCount(1);

  const stranger = await visitor();
  await stranger.goto('/turns');
  await expect(stranger.locator('#games')).toContainText('To start one');
  await expect(stranger.locator('#pages').getByRole('link', { name: 'Games' })).toHaveAttribute(
    'href',
    '/games',
  );
});

test('three games fit on a small screen', async ({ visitor }) => {
  for (const locale of ['en-GB', 'fr-FR']) {
    const { me } = await waiting(visitor, [1, 3, 7, 9], { viewport: { width: 320, height: 640 }, locale });
    await me.goto('/turns');
    await expect(rows(me)).toHaveCount(4);
    const third = await rows(me).nth(2).boundingBox();
    const bar = await me.locator('#pages').boundingBox();
    expect(third.y + third.height).toBeLessThanOrEqual(bar.y);
  }
});

test('Next leads to the less urgent game and wraps around, and a game that was skipped does not come back at once', async ({
  visitor,
}) => {
  const { me, ids } = await waiting(visitor, [1, 3, 7]);
  const at = (id) => expect(me).toHaveURL(new RegExp(`/game/${id}$`));
  await me.goto(`/game/${ids[0]}`);
  for (const id of [ids[1], ids[2], ids[0], ids[1]]) {
    await expect(next(me)).toHaveText('Next (2)');
    await next(me).click();
    await at(id);
  }
  await expect(me.getByRole('heading', { name: YOUR_TURN })).toBeVisible();
  await isAccessible(me, 'a turn, with the way to the next game');
  await move(me, GAME.turns[0]);
  await confirm(me);
  // The page stays, and the way on takes the place of the turn's button.
  await expect(count(me)).toHaveText('2');
  await expect(me.locator('#actions .primary')).toHaveText('Next (2)');
  await expect(me.getByRole('button', { name: 'Confirm turn' })).toHaveCount(0);
  await isAccessible(me, 'a turn that was played, with the way to the next game');
  await next(me).click();
  await at(ids[2]);
  for (const [id, after] of [
    [ids[2], ids[0]],
    [ids[0], null],
  ]) {
    await at(id);
    await expect(me.getByRole('heading', { name: YOUR_TURN })).toBeVisible();
    await move(me, GAME.turns[0]);
    await confirm(me);
    if (after !== null) await next(me).click();
  }
});

test('what is left when the last game is done, and after the end of a game', async ({ visitor }) => {
  const { me, ids } = await waiting(visitor, [1, 3]);
  await me.goto(`/game/${ids[0]}`);
  await expect(next(me)).toHaveText('Next (1)');
  await move(me, GAME.turns[0]);
  await confirm(me);
  await expect(next(me)).toBeVisible();
  await playUnseen(await me.context().newPage(), ids[1], GAME.turns[0]);
  const done = me.getByRole('link', { name: 'No more games waiting' });
  await expect(done).toBeVisible();
  await done.click();
  await expect(me.getByText('No game is waiting for you.')).toBeVisible();

  const { me: winner, other, ids: games } = await waiting(visitor, [1, 3]);
  await winner.goto(`/game/${games[0]}`);
  await other.goto(`/game/${games[0]}`);
  await expect(next(winner)).toBeVisible();
  await playUnseen(await winner.context().newPage(), games[0], GAME.turns[0]);
  await playUnseen(await other.context().newPage(), games[0], GAME.turns[1]);
  await other.getByRole('button', { name: 'Resign' }).click();
  await other.getByRole('button', { name: 'Yes, resign' }).click();
  await expect(winner.getByRole('heading', { name: 'You won' })).toBeVisible();
  await next(winner).click();
  await expect(winner).toHaveURL(new RegExp(`/game/${games[1]}$`));
});

test('a player who prefers it goes to the next game after each turn', async ({ visitor }) => {
  const { me, ids } = await waiting(visitor, [1, 3]);
  await me.goto(`/game/${ids[0]}`);
  await expect(me.getByRole('heading', { name: YOUR_TURN })).toBeVisible();
  await me.getByRole('button', { name: 'Preferences' }).click();
  await me
    .getByRole('combobox', { name: 'After a turn in a correspondence game' })
    .selectOption('go to the next game');
  await me.keyboard.press('Escape');
  await move(me, GAME.turns[0]);
  await me.getByRole('button', { name: 'Confirm turn' }).click({ delay: 300 });
  await expect(me).toHaveURL(new RegExp(`/game/${ids[1]}$`));
  await expect(me.getByRole('heading', { name: YOUR_TURN })).toBeVisible();
  const told = /^Turn played in Fibonacci against Guest \d+\./;
  await expect(me.locator('#status .notice')).toHaveText(told);
  await expect(me.locator('#polite')).toHaveText(told);
  await move(me, GAME.turns[0]);
  await confirm(me);
  await expect(me, 'nothing else waits').toHaveURL(new RegExp(`/game/${ids[1]}$`));
});

test('the next game is reached by a key on the board and beside it, unless letters are switched off', async ({
  visitor,
}) => {
  const { me, ids } = await waiting(visitor, [1, 3]);
  await me.goto(`/game/${ids[0]}`);
  await expect(me.locator('[role="gridcell"][aria-selected]').first()).toBeVisible();
  await me.locator('[role="gridcell"][tabindex="0"]').focus();
  await me.keyboard.press('?');
  await expect(me.getByRole('dialog')).toContainText('go to the next game waiting for you');
  await me.keyboard.press('Escape');
  await me.locator('[role="gridcell"][tabindex="0"]').focus();
  await me.keyboard.press('j');
  await expect(me).toHaveURL(new RegExp(`/game/${ids[1]}$`));
  await expect(next(me)).toBeVisible();
  await next(me).focus();
  await me.keyboard.press('Enter');
  await expect(me).toHaveURL(new RegExp(`/game/${ids[0]}$`));

  await me.evaluate(() => localStorage.setItem('preference keys', 'off'));
  await me.reload();
  await expect(me.locator('[role="gridcell"][aria-selected]').first()).toBeVisible();
  await me.locator('[role="gridcell"][tabindex="0"]').focus();
  await me.keyboard.press('j');
  await me.keyboard.press('Enter');
  await expect(me).toHaveURL(new RegExp(`/game/${ids[0]}$`));
});

test('keys alone lead from game to game: the board has the focus, on a piece that can move', async ({
  visitor,
}) => {
  const { me, ids } = await waiting(visitor, [1, 3, 7]);
  const at = async (id) => {
    await expect(me).toHaveURL(new RegExp(`/game/${id}$`));
    await expect(me.locator('[role="gridcell"]:focus')).toHaveAttribute('aria-selected', 'false');
    await expect(next(me)).toBeVisible();
  };
  await me.goto(`/game/${ids[0]}`);
  await expect(next(me)).toBeVisible();
  await expect(me.locator('body'), 'nothing takes the focus of a visitor who came otherwise').toBeFocused();
  for (const id of [ids[1], ids[2], ids[0]]) {
    await me.keyboard.press('j');
    await at(id);
  }
  await me.keyboard.press('Enter');
  await expect(me.locator('[role="gridcell"]:focus')).toHaveAttribute('aria-selected', 'true');
  await me.keyboard.press('n');
  await me.keyboard.press('Enter');
  await expect(async () => {
    await me.keyboard.press('Enter');
    await expect(me.getByRole('heading', { name: YOUR_TURN })).toBeHidden({ timeout: 1_000 });
  }).toPass();
  await expect(next(me)).toHaveText('Next (2)');
  await me.keyboard.press('j');
  await at(ids[1]);

  // The keys work beside the board too, but write in a field.
  await me.getByRole('tab', { name: 'Turns' }).click();
  await me.keyboard.press('n');
  await expect(me.locator('[role="gridcell"]:focus')).toHaveCount(1);
  await me.getByRole('tab', { name: 'Turns' }).click();
  await me.keyboard.press('?');
  await expect(me.getByRole('dialog')).toContainText('anywhere on the page except in text fields');
  await me.keyboard.press('j');
  await me.keyboard.press('Escape');
  await me.locator('input[name="move"]').pressSequentially('jn?');
  await expect(me.locator('input[name="move"]')).toHaveValue('jn?');
  await expect(me).toHaveURL(new RegExp(`/game/${ids[1]}$`));
});

test('the list of one player is not shown to the next one', async ({ visitor }) => {
  const { me } = await waiting(visitor, [1]);
  await me.context().clearCookies();
  await me.goto('/learn');
  await expect(count(me)).toHaveText('');
});
