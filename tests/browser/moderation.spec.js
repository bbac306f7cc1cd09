// Reports of players, and what moderators do about them.

import { PASSWORD, PHONE, account, begin, expect, isAccessible, test } from './towers.js';

const dialog = (page) => page.getByRole('dialog');

/** A game of the account of this name and a guest, who has been rude. The pages show it. */
async function rudeGame(visitor, name) {
  const [first, second] = [await visitor(), await visitor()];
  await account(first, name);
  const id = await begin(first, second, { turns: 2 });
  await Promise.all([first, second].map((page) => page.goto(`/game/${id}`)));
  await openChat(second);
  await write(second, 'You play like a fool');
  await expect(second.locator('#chat').getByText('sending…')).toHaveCount(0);
  await openChat(first);
  await expect(first.locator('#chat .text')).toHaveText('You play like a fool');
  return { id, first, second };
}

async function openChat(page) {
  const tab = page.getByRole('tab', { name: /^Chat/ });
  if ((await tab.getAttribute('aria-selected')) !== 'true') await tab.click();
  await expect(page.locator('#chat-text')).toBeVisible();
}

async function write(page, text) {
  await page.locator('#chat-text').fill(text);
  await page.locator('#chat-text').press('Enter');
}

/** Reports the author of the first line of the chat. */
async function report(page, text) {
  await page.locator('#chat summary').first().click();
  await page.getByRole('button', { name: /^Report Guest/ }).click();
  await expect(dialog(page).getByRole('heading', { name: /^Report Guest/ })).toBeVisible();
  await isAccessible(page, 'the dialog that reports a player');
  await dialog(page).getByLabel('Messages in the chat').check();
  await dialog(page).getByLabel('What the moderator should know (optional)').fill(text);
  await dialog(page).getByRole('button', { name: 'Send the report' }).click();
  await expect(dialog(page).getByText('Thank you: a moderator will look at it.')).toBeFocused();
  await isAccessible(page, 'the dialog that thanks for a report');
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toHaveCount(0);
}

/** Decides about a report that is unfolded. */
async function decide(page, report, decision) {
  await report.getByLabel(decision).check();
  await report.getByRole('button', { name: 'Confirm' }).press('Enter');
  await expect(page.locator('#moderation > [role="status"]')).toHaveText(`Done: “${decision}”.`);
}

test('a report leads to a mute, which the muted player is told of', async ({ visitor, started }) => {
  const { first, second } = await rudeGame(visitor, 'Bob Reports');
  await report(first, 'See the first line');

  const moderator = await visitor();
  await account(moderator, 'Ada Judges');
  started.run('role', 'Ada Judges', 'admin');
  await moderator.goto('/');
  await moderator.locator('#top[data-begun] .visitor').click();
  await dialog(moderator).getByRole('link', { name: 'Moderation' }).click();
  await expect(moderator.getByRole('heading', { name: 'Reports' })).toBeVisible();
  await isAccessible(moderator, 'the reports');
  const mine = moderator.locator('.report', { hasText: 'Guest' }).filter({ hasText: 'open' }).last();
  await mine.locator('summary').press('Enter');
  await expect(mine.locator('blockquote')).toHaveText('See the first line');
  await expect(mine.locator('.lines')).toContainText('You play like a fool');
  await isAccessible(moderator, 'a report');
  await decide(moderator, mine, 'Mute for a day');
  await expect(moderator.getByRole('heading', { name: 'Reports' })).toBeFocused();
  await expect(moderator.locator('.report small').filter({ hasText: 'answered on' })).not.toHaveCount(0);
  await expect(moderator.locator('.acts li').first()).toContainText('muted in chats until');
  await expect(moderator.locator('.acts li').first()).toContainText('by Ada Judges');

  await write(second, 'And again');
  await expect(second.locator('#chat .error')).toContainText('A moderator has muted you until');
  await expect(second.locator('#chat-text')).toHaveValue('And again');
  await isAccessible(second, 'the chat of a muted player');
});

test('an act needs a recent proof, and its target finds it under the security of the account', async ({
  visitor,
  started,
}) => {
  const [moderator, rude] = [await visitor({ viewport: { width: 320, height: 640 } }), await visitor()];
  await account(moderator, 'Moderator of Proofs');
  await account(rude, 'Rude and Loud');
  started.run('role', 'Moderator of Proofs', 'moderator');
  const id = await begin(rude, moderator, { turns: 2 });
  const { player } = await (await rude.request.post('/api/v1/session')).json();
  const data = { player: player.id, kind: 'name', game: id };
  expect((await moderator.request.post('/api/v1/reports', { data })).ok()).toBe(true);

  // As if the session had been proved long ago.
  let isProved = false;
  await moderator.route('**/api/v1/session/prove', (route) => {
    isProved = true;
    return route.continue();
  });
  await moderator.route('**/api/v1/moderation/acts', (route) =>
    isProved
      ? route.continue()
      : route.fulfill({
          status: 403,
          contentType: 'application/problem+json',
          json: { status: 403, code: 'prove_again', title: 'Forbidden', detail: 'prove it' },
        }),
  );
  await moderator.goto('/moderation');
  const mine = moderator.locator('.report', { hasText: 'Rude and Loud' });
  await mine.locator('summary').click();
  await mine.getByLabel('Hide the name').check();
  await mine.getByRole('button', { name: 'Confirm' }).click();
  await moderator.getByLabel('Current password').fill(PASSWORD);
  await isAccessible(moderator, 'an act that needs a proof');
  expect(await moderator.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  await mine.getByRole('button', { name: 'Confirm' }).click();
  await expect(moderator.locator('#moderation > [role="status"]')).toHaveText('Done: “Hide the name”.');
  await expect(moderator.locator('.acts')).toHaveCount(0);

  await rude.goto('/');
  await expect(rude.locator('#top[data-begun] .visitor')).toHaveAccessibleName(/^You: Anon \d{6}$/);
  await rude.locator('.visitor').click();
  await expect(dialog(rude).getByRole('link', { name: 'Moderation' })).toHaveCount(0);
  await dialog(rude).getByRole('button', { name: 'Account and security' }).click();
  await expect(dialog(rude).getByText('name hidden: Rude and Loud')).toBeVisible();
  await isAccessible(rude, 'the acts on an account');
  await rude.goto('/moderation');
  await expect(rude.getByRole('alert').filter({ hasText: 'Only moderators can do this.' })).toBeVisible();
});

test('a guest who wants to report is led to an account, and a silent opponent can be reported', async ({
  visitor,
}) => {
  const [guest, other] = [await visitor({ viewport: PHONE, hasTouch: true }), await visitor()];
  const id = await begin(guest, other, { turns: 2 });
  await guest.goto(`/game/${id}`);
  await guest.getByRole('tab', { name: 'More' }).click();
  await guest.getByRole('button', { name: 'Report your opponent' }).click();
  await expect(dialog(guest).getByText('To report a player you need an account.')).toBeVisible();
  await isAccessible(guest, 'the dialog of a guest who reports');
  await dialog(guest).getByRole('button', { name: 'Register' }).click();
  await expect(dialog(guest).getByLabel('Password', { exact: true })).toBeVisible();
});
