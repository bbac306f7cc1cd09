// Explanations of refused presses: in words, on the board, and in the rules without leaving the game.

import { PHONE, YOUR_TURN, begin, cell, expect, isAccessible, movable, pick, test } from './towers.js';

test('a press on a cell that is no target shows the missing cells, and the clause beside the board', async ({
  visitor,
}) => {
  const [black, white] = [await visitor(), await visitor()];
  const id = await begin(black, white);
  await black.goto(`/game/${id}`);
  await pick(black, 'b7');
  await expect(black.locator('#status')).toContainText('A dot: go there. Two arrows: change places.');
  await cell(black, 'f6').click();
  const words = 'f6 touches no piece of the group of b7: one of them would have to be on a red cell.';
  await expect(black.locator('#status').getByText(words)).toBeVisible();
  await expect(black.locator('.mark-missing')).toHaveAttribute('d', /M.*M/);
  await expect(black.locator('.mark-named'), 'both cells of the sentence').toHaveAttribute(
    'd',
    /^[^M]*M[^M]*M[^M]*$/,
  );
  await expect(cell(black, 'b7'), 'the piece stays in hand').toHaveAttribute('aria-selected', 'true');
  await black.getByRole('link', { name: 'Rule 1.12' }).click();
  const clause = black.getByRole('complementary', { name: 'Rule 1.12' });
  await expect(clause).toContainText('The targets of a piece are all cells next to any piece of its group');
  await expect(clause.locator('figure svg.board-live')).toHaveCount(2);
  await expect(black).toHaveURL(new RegExp(`/game/${id}$`));
  await isAccessible(black, 'a clause beside the board');
  await clause.getByRole('button', { name: 'Close the rule' }).click();
  await expect(clause).toHaveCount(0);
  await expect(black.locator('#status')).toBeFocused();
  await cell(black, 'c7').click();
  for (const mark of ['missing', 'named'])
    await expect(black.locator(`.mark-${mark}`)).not.toHaveAttribute('d');
  await expect(black.getByText(words)).toHaveCount(0);
});

test('a clause that cannot be loaded is reported, and appears at the next attempt', async ({ visitor }) => {
  const [black, white] = [await visitor({ locale: 'fr-FR', viewport: PHONE }), await visitor()];
  const id = await begin(black, white);
  await black.goto(`/game/${id}`);
  await pick(black, 'b7');
  await cell(black, 'f6').click();
  let isDown = true;
  await black.route('**/rules/fibonacci', (route) =>
    isDown ? route.fulfill({ contentType: 'text/html', body: '<title>Later</title>' }) : route.continue(),
  );
  const link = black.getByRole('link', { name: 'Règle 1.12' });
  await link.click();
  const clause = black.getByRole('complementary');
  await expect(clause).toContainText('La règle n’a pas pu être chargée.');
  isDown = false;
  await link.click();
  await expect(clause.locator('figure svg.board-live')).toHaveCount(2);
  const widths = await black.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  expect(widths[0], 'no page is wider than the phone').toBeLessThanOrEqual(widths[1]);
});

test('being back online is announced, and an earlier refusal disappears', async ({ visitor }) => {
  const [black, white] = [await visitor(), await visitor()];
  const id = await begin(black, white);
  const sockets = [];
  let isOpen = true;
  await black.routeWebSocket(/\/ws$/, (socket) => {
    if (!isOpen) return socket.close();
    socket.connectToServer();
    sockets.push(socket);
  });
  await black.goto(`/game/${id}`);
  await expect(black.getByRole('heading', { name: YOUR_TURN })).toBeVisible();
  await expect(movable(black)).not.toHaveCount(0);
  isOpen = false;
  await Promise.all(sockets.map((socket) => socket.close()));
  await expect(black.locator('#line')).toContainText(/^\s*Offline/);
  const notice = black.locator('#status .notice');
  await cell(black, 'f6').click();
  await expect(notice).toBeVisible();
  isOpen = true;
  await expect(black.locator('#polite')).toHaveText('Back online.');
  await expect(notice).toBeHidden();
  await expect(black.locator('#assertive')).toHaveText('');
});
