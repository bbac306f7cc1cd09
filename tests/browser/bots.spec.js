// Games against bots: from the lobby, from a room, and the mark of a bot beside its name.

import {
  begin,
  DESKTOP,
  expect,
  GAME,
  isAccessible,
  movable,
  move,
  PHONE,
  send,
  test,
  YOUR_TURN,
} from './towers.js';

const starter = (page) => page.getByRole('form', { name: 'Play the computer' });
const mark = (scope, level) => scope.locator('.bot-mark').filter({ hasText: `bot, level ${level}` });

test('a newcomer plays a bot in two clicks, and it answers', async ({ visitor }) => {
  const page = await visitor();
  await page.goto('/');
  await starter(page).getByRole('button', { name: 'Play the computer' }).click();
  await expect(page).toHaveURL(/\/game\//);
  await expect(mark(page, 2)).toBeVisible();
  await expect(movable(page)).not.toHaveCount(0);
  await move(page, GAME.turns[0]);
  await send(page);
  // The bot's turn is over, perhaps before the page shows that it is to move.
  await expect(page.getByRole('heading', { name: YOUR_TURN })).toBeVisible({
    timeout: 30_000,
  });
  await expect(page.locator('#heading, header, main').getByText('Turn 3').first()).toBeVisible();

  await page.goto('/');
  const row = page.getByRole('tabpanel').getByRole('listitem').filter({ hasText: 'Against Bot 2' });
  await expect(mark(row, 2)).toBeVisible();
});

test('the page says that a bot thinks, and after the game the review comes first', async ({ visitor }) => {
  const [black, white] = [await visitor(), await visitor()];
  // White stands for a bot that does not answer.
  await black.route('**/events', async (route) => {
    const answer = await (await route.fetch()).json();
    for (const event of answer.events) if (event.type === 'started') event.seats.second.bot = 3;
    await route.fulfill({ json: answer });
  });
  await black.goto(`/game/${await begin(black, white, { turns: 3 })}`);
  await expect(black.locator('#status')).toContainText(' is thinking…');
  await black.goto(`/game/${await begin(black, white, { turns: GAME.turns.length })}`);
  await expect(black.locator('.result .buttons > *').first()).toHaveText('Review');
});

test('the rules and the level are chosen by keys, and the level is remembered', async ({ visitor }) => {
  const page = await visitor();
  await page.goto('/');
  const form = starter(page);
  await form.getByRole('combobox', { name: 'Rules' }).selectOption('Crossfire');
  await form.getByRole('combobox', { name: 'Level' }).selectOption('1 – beginner');
  // Quick pairing shows the same rules.
  await expect(page.locator('#pairing').getByRole('combobox')).toHaveValue('crossfire');
  await form.getByRole('button').press('Enter');
  await expect(page.getByRole('heading', { name: 'Crossfire' })).toBeVisible();
  await expect(mark(page, 1)).toBeVisible();
  await page.goto('/');
  await expect(form.getByRole('combobox', { name: 'Level' })).toHaveValue('1');
});

test('a bot takes the free seat of a room', async ({ visitor }) => {
  const page = await visitor({ viewport: PHONE });
  await page.request.post('/api/v1/session');
  const room = { ruleset: 'fibonacci', seat: 'first', visibility: 'link' };
  const { id } = await (await page.request.post('/api/v1/rooms', { data: room })).json();
  await page.goto(`/game/${id}`);
  const form = page.getByRole('form', { name: 'Play against a bot instead' });
  await expect(form).toBeVisible();
  await isAccessible(page, 'a room');
  await form.getByRole('combobox', { name: 'Level' }).selectOption('3');
  await form.getByRole('button', { name: 'Start' }).click();
  await expect(page.getByRole('heading', { name: YOUR_TURN })).toBeVisible();
  await expect(mark(page, 3)).toBeVisible();
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
  await starter(page).getByRole('button').click();
  await expect(starter(page).getByRole('alert')).not.toBeEmpty();
  await expect(starter(page).getByRole('button')).toBeEnabled();
  await expect(page.getByText('Your room', { exact: true })).toHaveCount(0);
});

for (const [size, viewport] of Object.entries({
  desktop: DESKTOP,
  phone: PHONE,
})) {
  test(`the ways to begin fit and are accessible: ${size}`, async ({ visitor }) => {
    const page = await visitor({ viewport, locale: 'fr-FR' });
    await page.goto('/');
    await expect(page.getByRole('button', { name: 'Jouer contre l’ordinateur' })).toBeVisible();
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(wide).toBeLessThanOrEqual(0);
    await isAccessible(page, 'the lobby');
  });
}
