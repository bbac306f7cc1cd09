// Vacations: a guest begins and ends one, by the keyboard too, and the opponent sees it.

import { PHONE, YOUR_TURN, begin, expect, isAccessible, test } from './towers.js';

const me = (page) => page.locator('#top[data-begun] .visitor');
const dialog = (page) => page.getByRole('dialog');
const fold = (page, name) => dialog(page).locator('summary', { hasText: name });
const bank = { kind: 'bank', base_days: 10, bonus_hours: 36 };

test('a vacation stops the clock for both players until it is ended', async ({ visitor }) => {
  const [black, white] = [await visitor(), await visitor()];
  const id = await begin(black, white, { terms: { clock: bank }, turns: 2 });
  await Promise.all([black, white].map((page) => page.goto(`/game/${id}`)));
  await expect(black.getByRole('heading', { name: YOUR_TURN })).toBeVisible();
  const bar = (page) => page.locator('.player.to-move');
  await expect(bar(white).getByRole('timer')).toContainText('9 days 23 hr');
  await expect(bar(white).locator('.clock.running')).toBeVisible();

  await me(black).click();
  await fold(black, 'Vacation').press('Enter');
  await expect(dialog(black).getByText('10 days left')).toBeVisible();
  await dialog(black).getByRole('spinbutton', { name: 'Days' }).fill('3');
  await black.keyboard.press('Enter');
  // It is asked once, and what stops is said.
  const sure = dialog(black).getByRole('group', { name: 'Go on vacation for 3 days?' });
  await expect(sure).toContainText('No time runs in your correspondence games until');
  await expect(sure).toContainText('Then 7 days are left.');
  await isAccessible(black, 'the question before a vacation');
  await sure.getByRole('button', { name: 'Cancel' }).press('Enter');
  await expect(dialog(black).getByText('10 days left')).toBeVisible();
  await expect(dialog(black).getByRole('spinbutton', { name: 'Days' })).toBeFocused();
  await dialog(black).getByRole('spinbutton', { name: 'Days' }).fill('3');
  await black.keyboard.press('Enter');
  await expect(dialog(black).getByRole('button', { name: 'Yes, go on vacation' })).toBeFocused();
  await black.keyboard.press('Enter');
  await expect(dialog(black).getByText(/^You are on vacation until /)).toBeVisible();
  const note = bar(white).locator('.below');
  await expect(note).toHaveText(/^on vacation until \d+ \w+$/);
  expect((await note.boundingBox()).height, 'one line').toBeLessThan(25);
  await expect(bar(white).locator('.clock.running')).toHaveCount(0);
  await expect(bar(white).getByRole('timer')).toContainText('Clock, stopped during the vacation');
  // Lists have the same time.
  const left = /12 days 23 hr left/;
  await expect(white.locator('.remarks')).toHaveText(
    /^Clock stopped by the vacation: 12 days 23 hr left in all\.$/,
  );
  const list = await black.context().newPage();
  await list.goto('/turns');
  await expect(list.locator('#games').getByRole('listitem')).toContainText(left);
  await list.close();

  await dialog(black).getByRole('button', { name: 'End the vacation' }).press('Enter');
  await expect(dialog(black).getByText('9 days left')).toBeVisible();
  await expect(bar(white)).not.toContainText('on vacation');
  await expect(bar(white).locator('.clock.running')).toBeVisible();
});

test('the list of the games that wait tells of the vacation, and ends it', async ({ visitor }) => {
  const look = { viewport: PHONE, locale: 'fr-FR' };
  const [page, other] = [await visitor({ ...look, forgives: /ERR_FAILED/ }), await visitor()];
  await page.goto('/');
  // The session of the page has been opened: a second request at once would make another guest.
  await expect(me(page)).toHaveAccessibleName(/Invité \d+$/);
  await begin(page, other, { terms: { clock: bank } });
  const begun = await page.request.put('/api/v1/vacation', { data: { days: 2 } });
  expect(begun.ok(), await begun.text()).toBe(true);
  // A line that fails for a moment does not keep it from being told.
  await page.route('**/api/v1/vacation', (route) => route.abort(), { times: 1 });
  await page.goto('/turns');
  const line = page.locator('#games .notice');
  await expect(line).toContainText(/^\s*Vous êtes en vacances jusqu’au \d+ /);
  await isAccessible(page, 'the list during a vacation');
  await line.getByRole('button', { name: 'Mettre fin aux vacances' }).press('Enter');
  await expect(line).toHaveCount(0);
  await expect(page.locator('#games')).toBeFocused();
  const { present } = await (await page.request.get('/api/v1/vacation')).json();
  expect(present).toBeNull();
});

test('the choice that no day is used by itself stays, on a phone and in French too', async ({ visitor }) => {
  const page = await visitor({ viewport: PHONE, locale: 'fr-FR' });
  await page.goto('/');
  await me(page).click();
  await fold(page, 'Vacances').click();
  const choice = dialog(page).getByRole('checkbox', { name: 'Prendre un jour quand mon temps est épuisé' });
  await expect(choice).toBeChecked();
  await isAccessible(page, 'the dialog of the visitor');
  const stored = page.waitForResponse((answer) => answer.url().endsWith('/api/v1/vacation'));
  await choice.press('Space');
  await stored;
  await page.reload();
  await me(page).click();
  await fold(page, 'Vacances').click();
  await expect(choice).not.toBeChecked();
});

test('what the server did not take is not shown as taken, and the focus stays on the button', async ({
  visitor,
}) => {
  const page = await visitor();
  await page.goto('/');
  await page.route('**/api/v1/vacation', (route) =>
    route.request().method() === 'GET' ? route.continue() : route.fulfill({ status: 400 }),
  );
  await me(page).click();
  await fold(page, 'Vacation').click();
  const choice = dialog(page).locator('[aria-describedby="vacation-hint"]');
  await expect(choice).toBeChecked();
  await choice.press('Space');
  const trouble = dialog(page).getByRole('alert').filter({ hasText: /./ });
  await expect(trouble).toBeVisible();
  await expect(choice).toBeChecked();

  await dialog(page).getByRole('spinbutton', { name: 'Days' }).press('Enter');
  await expect(trouble).toHaveCount(1);
  const sure = dialog(page).getByRole('button', { name: 'Yes, go on vacation' });
  const refused = page.waitForResponse((answer) => answer.status() === 400);
  await sure.press('Enter');
  await refused;
  await expect(trouble).toBeVisible();
  await expect(sure).toBeFocused();
});
