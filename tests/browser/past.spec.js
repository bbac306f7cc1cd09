// Looking back at earlier moments on the page of a game.

import {
  GAME,
  YOUR_TURN,
  begin,
  cell,
  confirm,
  expect,
  isAccessible,
  move,
  play,
  test,
  unfold,
} from './towers.js';

const button = (page, name) => page.getByRole('button', { name, exact: true });
const isBack = (page) => expect(page.getByRole('heading', { name: 'Earlier position' })).toBeVisible();
const isNow = (page) => expect(page.getByRole('heading', { name: 'Earlier position' })).toHaveCount(0);

/** The target of a turn's first action. */
const goal = (turn) => GAME.turns[turn - 1][0].split('-')[1];

test('nothing can be played while looking back, and the turn under way is kept', async ({ visitor }) => {
  const [black, white] = [await visitor(), await visitor()];
  const id = await begin(black, white, { turns: 2 });
  await black.goto(`/game/${id}`);
  await move(black, GAME.turns[2].slice(0, 1));
  await button(black, 'Previous move').click();
  await isBack(black);
  await expect(black.getByText('Turn 2, White').first()).toBeVisible();
  await expect(cell(black, goal(3)), 'the draft is of now').not.toHaveAccessibleName(/of this turn/);
  await expect(black.locator('[role="gridcell"][aria-selected]'), 'nothing can be moved').toHaveCount(0);
  await expect(black.getByRole('button', { name: /^End turn/ })).toHaveAttribute('aria-disabled', 'true');
  await isAccessible(black, 'an earlier moment');
  await expect(button(black, 'Go to start')).toHaveAttribute('aria-disabled', 'false');
  await button(black, 'Go to start').click();
  await expect(black.getByText('Start position').first()).toBeVisible();
  for (const [name, isOff] of [
    ['Go to start', 'true'],
    ['Previous move', 'true'],
    ['Next move', 'false'],
  ])
    await expect(button(black, name)).toHaveAttribute('aria-disabled', isOff);
  await expect(cell(black, goal(1))).toHaveAccessibleName(/empty/);
  await button(black, 'Back to now').click();
  await isNow(black);
  await expect(cell(black, goal(3))).toHaveAccessibleName(/move 1 of this turn/);
  await move(black, GAME.turns[2].slice(1));
  await confirm(black);
});

test('the text of the shown position can be copied, of a turn under way too', async ({ visitor }) => {
  const [black, white] = [await visitor(), await visitor()];
  const id = await begin(black, white, { turns: 2 });
  await black.goto(`/game/${id}`);
  await black.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const document = await black.evaluate(async (id) => (await fetch(`/api/v1/games/${id}`)).json(), id);
  await unfold(black);
  const copiedText = async () => {
    await button(black, 'Copy position').click();
    await expect(black.getByText('Position copied.').first()).toBeVisible();
    return black.evaluate(() => navigator.clipboard.readText());
  };
  const now = await copiedText();
  expect(now).toBe(document.present.turn.position);
  await move(black, GAME.turns[2].slice(0, 1));
  const drafted = await copiedText();
  expect(drafted, 'the first move of the turn is in it').not.toBe(now);
  await button(black, 'Go to start').click();
  await isBack(black);
  expect(await copiedText()).toBe(document.events[0].start);
});

test('news do not end looking back, and announce the reader’s turn', async ({ visitor }) => {
  const [black, white] = [await visitor(), await visitor()];
  const id = await begin(black, white, { turns: 2 });
  await Promise.all([black, white].map((page) => page.goto(`/game/${id}`)));
  await white.locator('#turns').getByRole('link').first().click();
  await isBack(white);
  await expect(white).toHaveURL(new RegExp(`/game/${id}$`));
  await expect(cell(white, goal(1))).toHaveAccessibleName(/black/);
  await play(black, GAME.turns[2]);
  await expect(white.locator('#status').getByText('Your turn')).toBeVisible();
  await expect(white.getByText('Turn 1, Black').first()).toBeVisible();
  await white.keyboard.press('ArrowRight');
  await expect(white.getByText('Turn 2, White').first()).toBeVisible();
  await white.keyboard.press('Home');
  await expect(white.getByText('Start position').first()).toBeVisible();
  await white.keyboard.press('End');
  await isNow(white);
  await expect(white.getByRole('heading', { name: YOUR_TURN })).toBeVisible();
  await play(white, GAME.turns[3]);
});
