import { GAME, begin, cell, expect, test } from './towers.js';

const LAST = GAME.turns.length;

async function finished(visitor) {
  const [black, white] = [await visitor(), await visitor()];
  return begin(black, white, { turns: LAST });
}

test('a replay goes by move and by turn, by keys and by buttons', async ({ visitor }) => {
  const id = await finished(visitor);
  const page = await visitor();
  await page.goto(`/replay/${id}`);
  await expect(page.getByText('Start position')).toBeVisible();
  await page.getByRole('button', { name: 'Next move' }).click();
  await expect(page).toHaveURL(/#1\.1$/);
  await page.keyboard.press('ArrowRight');
  await expect(page).toHaveURL(/#2\.1$/);
  await page.keyboard.press('ArrowLeft');
  await expect(page).toHaveURL(/#1\.1$/);
  await page.keyboard.press('End');
  await expect(page).toHaveURL(new RegExp(`#${LAST}\\.${GAME.turns[LAST - 1].length}$`));
  await expect(page.getByRole('heading', { name: /won$/ })).toBeVisible();
  await page.keyboard.press('Home');
  await expect(page.getByText('Start position')).toBeVisible();
  await page.getByRole('button', { name: 'Go to end' }).click();
  await expect(page.getByRole('heading', { name: /won$/ })).toBeVisible();
});

test('keys in a list of a dialog choose there, and move no replay', async ({ visitor }) => {
  const id = await finished(visitor);
  const page = await visitor();
  await page.goto(`/replay/${id}#3.2`);
  const heading = page.getByRole('heading', { name: 'Turn 3, Black' });
  await expect(heading).toBeVisible();
  await page.getByRole('button', { name: 'Preferences' }).click();
  const theme = page.getByRole('dialog').getByRole('combobox', { name: 'Theme' });
  await theme.press('End');
  await expect(theme).toHaveValue('dark');
  await page.keyboard.press('Escape');
  await expect(heading).toBeVisible();
  await expect(page).toHaveURL(/#3\.2$/);
});

test('a link leads to any step', async ({ visitor }) => {
  const id = await finished(visitor);
  const page = await visitor();
  await page.goto(`/replay/${id}#3.2`);
  await expect(page.getByRole('heading', { name: 'Turn 3, Black' })).toBeVisible();
  const [from, to] = GAME.turns[2][1].split('-');
  await expect(cell(page, to)).toHaveAccessibleName(/black/);
  await expect(page.locator('[aria-current="step"]')).toHaveText(new RegExp(`^${from}[-↔]${to}$`));
});

test('an example plays by itself, says what it is, and goes on to the analysis board', async ({
  visitor,
}) => {
  const page = await visitor();
  await page.goto('/example/fenix');
  await expect(page.locator('#heading')).toContainText('Example game');
  await expect(page.locator('.comment')).toContainText('In the first ten turns both sides only stack');
  // The comment is read before the first turn is played.
  await expect(page).toHaveURL(/#1\.1$/, { timeout: 15_000 });
  await expect(page.locator('.comment')).toContainText('A soldier steps onto the soldier beside it');
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.goto('/example/fenix#4.1');
  await expect(page.getByRole('heading', { name: /^Turn 4/ })).toBeVisible();
  await page.getByRole('link', { name: 'Try it from here' }).click();
  await expect(page.getByRole('heading', { name: 'Analysis' })).toBeVisible();
  await expect(page.locator('#turns [aria-current="step"] .no')).toHaveText('4');
  await expect(page.locator('#turns .turn-button').nth(10)).toBeAttached();
});
