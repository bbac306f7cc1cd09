import { PHONE, act, cell, expect, isAccessible, movable, move, test } from './towers.js';

const toTry = (page) => page.locator('#try');
const startToTry = (page) => toTry(page).getByRole('button', { name: 'Try it: play both sides' }).click();

test('the rules begin with a board, on which the reader plays both sides', async ({ visitor }) => {
  const page = await visitor({ viewport: PHONE });
  const asked = [];
  page.on('request', (request) => {
    if (/\/api\/|engine/.test(request.url())) asked.push(request.url());
  });
  await page.goto('/rules/fibonacci');
  await expect(toTry(page).getByRole('img')).toBeVisible();
  expect(asked, 'nothing is loaded before it is asked for').toEqual([]);
  await startToTry(page);
  await expect(movable(page).first()).toBeVisible();
  await expect(toTry(page)).toContainText('Black to move');
  await move(page, ['b6-f7']);
  await expect(cell(page, 'f7')).toHaveAccessibleName(/black strike piece/);
  // A press right after a move counts as a slip: press again.
  await expect(async () => {
    await toTry(page)
      .getByRole('button', { name: /^End turn/ })
      .click({ timeout: 1000 });
    await expect(toTry(page)).toContainText('White to move', { timeout: 1000 });
  }).toPass();
  await toTry(page).getByRole('button', { name: 'Undo' }).click();
  await expect(toTry(page)).toContainText('Black to move');
  await expect(cell(page, 'b6')).toHaveAccessibleName(/black strike piece/);
  await isAccessible(page, 'the board to try');
});

test('a turn of one action on the board to try is played at once, and a press that is wrong is explained', async ({
  visitor,
}) => {
  const page = await visitor();
  await page.goto('/rules/crossfire');
  await toTry(page).getByRole('img').click();
  await expect(movable(page).first()).toBeVisible();
  await cell(page, 'a5').click();
  await cell(page, 'g9').click();
  await toTry(page).getByRole('link', { name: 'Rule 3.4' }).click();
  await expect(page.locator('[id="3.4"]')).toBeInViewport();
  await act(page, ['c3-m3']);
  await expect(toTry(page)).toContainText('Black to move');
  await expect(toTry(page)).toContainText('Reserve 2');
});

test('a link to a clause unfolds the small print around it', async ({ visitor }) => {
  const page = await visitor();
  const clause = (number) => page.locator(`[id="${number}"]`);
  await page.goto('/rules/fenix#2.13');
  await expect(clause('2.13')).toBeInViewport();
  await page.goto('/rules/fenix');
  await expect(clause('2.13')).toBeHidden();
  await page.locator('.fine-print > summary').click();
  await clause('0.9').getByRole('link').click();
  await expect(page).toHaveURL(/#0\.9$/);
  await page.goto('/rules/fenix#2.2');
  await expect(clause('2.2').getByText('A position can be written as one line')).toBeInViewport();
});
