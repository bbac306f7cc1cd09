// Games against bots: from the lobby and from a room, and the name by which a bot is known.

import {
  begin,
  DESKTOP,
  expect,
  GAME,
  isAccessible,
  movable,
  move,
  openComputer,
  PHONE,
  send,
  test,
  YOUR_TURN,
} from './towers.js';

const dialog = (page) => page.getByRole('dialog', { name: 'Play the computer' });
const start = (page) => dialog(page).getByRole('button', { name: 'Start' }).click();
const level = (page) => dialog(page).getByRole('combobox', { name: 'Level' });
const named = (page, level) => page.locator('#bar-top .name').getByText(`Bot ${level}`, { exact: true });

test('a newcomer plays the lowest level in two clicks, and it answers', async ({ visitor }) => {
  const page = await visitor();
  await page.goto('/');
  await openComputer(page);
  await start(page);
  await expect(page).toHaveURL(/\/game\//);
  await expect(named(page, 1)).toBeVisible();
  await expect(movable(page)).not.toHaveCount(0);
  await expect(page.getByRole('tab', { name: 'Turns' })).toBeVisible();
  await expect(page.getByRole('tab', { name: 'Chat' }), 'nobody would read it').toHaveCount(0);
  await move(page, GAME.turns[0]);
  await send(page);
  // The bot's turn is over, perhaps before the page shows that it is to move.
  await expect(page.getByRole('heading', { name: YOUR_TURN })).toBeVisible({
    timeout: 30_000,
  });
  await expect(page.locator('#heading, header, main').getByText('Turn 3').first()).toBeVisible();

  await page.goto('/');
  const row = page.getByRole('tabpanel').getByRole('listitem').filter({ hasText: 'Against the computer' });
  await expect(row).toContainText('Against the computer, level 1');
  await expect(row).toContainText('Turn 3');
  for (const word of ['left', 'link', 'clock']) await expect(row).not.toContainText(word);
});

/** Has a page take the other player for a bot of level 3, which does not answer. */
async function meetBot(page, side) {
  await page.route(/\/api\/v1\/games\/[^/]+(\/events)?$/, async (route) => {
    const answer = await (await route.fetch()).json();
    for (const event of answer.events) if (event.type === 'started') event.seats[side].bot = 3;
    await route.fulfill({ json: answer });
  });
}

test('the page says that a bot thinks, and after a lost game the review comes first', async ({ visitor }) => {
  const [black, white] = [await visitor(), await visitor()];
  await meetBot(black, 'second');
  const over = await begin(black, white, { turns: GAME.turns.length });
  await black.goto(`/game/${await begin(black, white, { turns: 3 })}`);
  await expect(black.locator('#status')).toContainText(' is thinking…');
  // The socket, which would tell of no bot, stays silent.
  await white.routeWebSocket('**/ws', () => {});
  await meetBot(white, 'first');
  await white.goto(`/game/${over}`);
  await expect(white.locator('.result .buttons > *').first()).toHaveText('Review');
  await expect(white.getByRole('button', { name: 'Rematch, sides swapped' })).toHaveClass(/primary/);
});

for (const [locale, words] of [
  ['en-GB', ['Try level 4 – intermediate', 'Review', 'Rematch, sides swapped']],
  ['fr-FR', ['Essayer le niveau 4 – intermédiaire', 'Bilan de la partie', 'Revanche, camps inversés']],
])
  test(`after a win against a bot the next level comes first (${locale})`, async ({ visitor }) => {
    const viewport = { width: 1366, height: 768 };
    const [black, white] = [await visitor({ locale, viewport }), await visitor()];
    const clock = { kind: 'real_time', base_s: 600, bonus_s: 15, bonus: 'per_turn' };
    const terms = { clock, watching: 'everybody', drafts: 'shown', delay: 0 };
    const over = await begin(black, white, { turns: GAME.turns.length, terms });
    await meetBot(black, 'second');
    await black.routeWebSocket('**/ws', () => {});
    await black.goto(`/game/${over}`);
    const buttons = black.locator('.result .buttons > *');
    await expect(buttons.first()).toHaveText(words[0]);
    expect((await buttons.allInnerTexts()).slice(0, 3).map((text) => text.trim())).toEqual(words);
    await expect(black.locator('.result .primary')).toHaveCount(1);
    const turns = await black.locator('#turns').boundingBox();
    expect(turns.height, 'room for six turns').toBeGreaterThan(6 * 34);
    expect(await black.evaluate(() => document.documentElement.scrollHeight)).toBe(viewport.height);
    const asked = black.waitForRequest((request) => request.url().endsWith('/bot'));
    await buttons.first().click();
    expect((await asked).postDataJSON()).toEqual({ level: 4 });
    await black.waitForURL((url) => !url.href.includes(over));
    expect(await black.evaluate(() => localStorage.getItem('level'))).toBe('4');
  });

test('game, level, side and clock are chosen by keys, and remembered', async ({ visitor }) => {
  const page = await visitor();
  await page.goto('/');
  await page.getByRole('button', { name: /^The computer/ }).press('Enter');
  await dialog(page).getByRole('combobox', { name: 'Game', exact: true }).selectOption('Crossfire');
  const sentences = new Set();
  for (let number = 1; number <= 8; number += 1) {
    await level(page).selectOption(String(number));
    const ladder = /\. Each level scores about three points/;
    if (number > 1) await expect(level(page)).toHaveAccessibleDescription(ladder);
    else await expect(level(page), 'there is none below it').not.toHaveAccessibleDescription(ladder);
    sentences.add(await page.locator('#level-hint').textContent());
  }
  expect(sentences.size, 'each level has a sentence of its own').toBe(8);
  await level(page).selectOption('3 – casual');
  await dialog(page)
    .getByRole('radio', { name: /^Black/ })
    .check();
  await dialog(page)
    .getByRole('combobox', { name: 'Time control' })
    .selectOption('5 minutes each, plus 5 seconds per turn');
  const asked = page.waitForRequest((request) => request.url().endsWith('/api/v1/rooms'));
  await dialog(page).getByRole('button', { name: 'Start' }).press('Enter');
  expect((await asked).postDataJSON()).toMatchObject({
    ...{ ruleset: 'crossfire', seat: 'second', visibility: 'link' },
    terms: { clock: { kind: 'real_time', base_s: 300, bonus_s: 5, bonus: 'per_turn' } },
  });
  await expect(page.getByRole('heading', { name: 'Crossfire' })).toBeVisible();
  await expect(named(page, 3)).toBeVisible();
  await expect(page.locator('#bar-bottom')).toContainText('Black');
  await page.goto('/');
  await openComputer(page);
  await expect(level(page)).toHaveValue('3');
  await expect(dialog(page).locator('input[value="second"]')).toBeChecked();
  await expect(dialog(page).getByRole('combobox', { name: 'Time control' })).toHaveValue('2');
});

test('a game against a bot offers hints, whose search is loaded with the first, and one against a person none', async ({
  visitor,
}) => {
  const page = await visitor({ viewport: PHONE, hasTouch: true });
  const asked = [];
  page.on(
    'request',
    (request) => /search[\w-]*\.wasm|worker/.test(request.url()) && asked.push(request.url()),
  );
  await page.goto('/');
  await openComputer(page);
  await start(page);
  await expect(movable(page)).not.toHaveCount(0);
  const hint = page.getByRole('button', { name: 'Hint', exact: true });
  await expect(hint).toHaveAttribute('aria-disabled', 'false');
  await page.waitForLoadState('networkidle');
  expect(asked, 'nothing is loaded before it is asked for').toEqual([]);
  const status = page.locator('#status');
  await expect(status).toContainText('Choose one of the outlined pieces.');
  const held = movable(page).first();
  await held.tap();
  await hint.tap();
  await expect(status.locator('.notice')).toHaveText(/^Hint: \w+ (to \w+|and \w+ change places)\.\s*$/, {
    timeout: 60_000,
  });
  expect(asked, 'the first hint loads the search').not.toEqual([]);
  await expect(status.locator('.notice')).toBeInViewport({ ratio: 1 });
  await expect(status, 'the task stays').toContainText('Choose a dot to go there');
  await expect(page.locator('[role="gridcell"][aria-selected="true"]'), 'so does the piece').toHaveCount(1);
  await expect(page.locator('.mark-named')).toHaveAttribute('d', /M.*M/);

  const [black, white] = [await visitor(), await visitor()];
  await black.goto(`/game/${await begin(black, white)}`);
  await expect(movable(black)).not.toHaveCount(0);
  await expect(black.getByRole('button', { name: 'Hint', exact: true })).toHaveCount(0);
});

for (const [ruleset, words] of [
  ['fibonacci-cards', /^Hint: \w+ (to \w+|and \w+ change places)\.\s*$/],
  // The opening switch.
  ['focus', /^Hint: \w+ and \w+ change places\.\s*$/],
]) {
  test(`a hint is found in ${ruleset} from its first turn`, async ({ visitor }) => {
    const page = await visitor();
    await page.request.post('/api/v1/session');
    const room = { ruleset, seat: 'first', visibility: 'link' };
    const { id } = await (await page.request.post('/api/v1/rooms', { data: room })).json();
    await page.request.post(`/api/v1/rooms/${id}/bot`, { data: { level: 1 } });
    await page.goto(`/game/${id}`);
    await expect(movable(page)).not.toHaveCount(0);
    await page.getByRole('button', { name: 'Hint', exact: true }).click();
    await expect(page.locator('#status .notice')).toHaveText(words, { timeout: 60_000 });
  });
}

test('a bot takes the free seat of a room', async ({ visitor }) => {
  const page = await visitor({ viewport: PHONE });
  await page.request.post('/api/v1/session');
  const room = { ruleset: 'fibonacci', seat: 'first', visibility: 'link' };
  const { id } = await (await page.request.post('/api/v1/rooms', { data: room })).json();
  await page.goto(`/game/${id}`);
  const form = page.getByRole('form', { name: 'Play the computer instead' });
  await expect(form).toBeVisible();
  await isAccessible(page, 'a room');
  await form.getByRole('combobox', { name: 'Level' }).selectOption('3');
  await form.getByRole('button', { name: 'Start' }).click();
  await expect(page.getByRole('heading', { name: YOUR_TURN })).toBeVisible();
  await expect(named(page, 3)).toBeVisible();
  await isAccessible(page, 'a game against a bot');
});

test('a bot that cannot be seated is reported, and its room is closed', async ({ visitor }) => {
  const page = await visitor();
  await page.route('**/bot', (route) =>
    route.fulfill({
      status: 429,
      json: { code: 'too_fast', detail: 'too many requests' },
    }),
  );
  await page.goto('/');
  await openComputer(page);
  await start(page);
  await expect(dialog(page).getByRole('alert')).not.toBeEmpty();
  await expect(dialog(page).getByRole('button', { name: 'Start' })).toBeEnabled();
  await expect(page.getByText('Your room', { exact: true })).toHaveCount(0);
});

for (const [size, viewport] of Object.entries({
  desktop: DESKTOP,
  phone: PHONE,
})) {
  test(`the ways to begin fit and are accessible: ${size}`, async ({ visitor }) => {
    const page = await visitor({ viewport, locale: 'fr-FR' });
    await page.goto('/');
    await expect(page.getByRole('button', { name: /^L’ordinateur/ })).toBeVisible();
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(wide).toBeLessThanOrEqual(0);
    await isAccessible(page, 'the lobby');
  });
}
