// Names of players wherever they stand: guests are marked, and a player of whom no name is left is called so.

import { GAME, account, begin, expect, isAccessible, openTab, playUnseen, test } from './towers.js';

const NARROW = { width: 320, height: 640 };

/** Gives the guest of a page a name. */
async function rename(page, name) {
  await page.request.post('/api/v1/session');
  const renamed = await page.request.patch('/api/v1/session', { data: { name } });
  expect(renamed.ok(), await renamed.text()).toBe(true);
}

/** Asserts that each mark stands in the line in which its name ends, and that no word of the names is broken. */
async function standsWell(page, where) {
  await expect(page.locator(`${where} .guest-mark`).first()).toBeVisible();
  const faults = await page.locator(`${where} .guest-mark`).evaluateAll((marks) =>
    marks.flatMap((mark) => {
      const name = mark.previousElementSibling;
      const text = [...name.childNodes].find(({ nodeType, data }) => nodeType === Node.TEXT_NODE && data);
      const lines = (from, to) => {
        const range = document.createRange();
        range.setStart(text, from);
        range.setEnd(text, to);
        return [...range.getClientRects()];
      };
      const words = [...text.data.matchAll(/\S+/g)].filter(
        ({ index, 0: word }) => lines(index, index + word.length).length > 1,
      );
      const last = lines(text.data.length - 1, text.data.length).at(-1);
      const own = mark.getBoundingClientRect();
      const isBeside = own.top < last.bottom && own.bottom > last.top;
      return [...words.map(([word]) => `${word} is broken`), ...(isBeside ? [] : [`${text.data}: own line`])];
    }),
  );
  expect(faults, where).toEqual([]);
  const overflow = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth - clientWidth;
  });
  expect(overflow, `nothing of ${where} is wider than the page`).toBeLessThanOrEqual(0);
}

test('guests are marked beside their names on every page, and accounts and new guests are not', async ({
  visitor,
}) => {
  const [guest, owner, reader] = [await visitor(), await visitor(), await visitor({ viewport: NARROW })];
  const long = 'Wilhelmina Constantin Bo';
  await rename(guest, long);
  await account(owner, 'Ada Marked');
  await guest.goto('/');
  await guest.request.post('/api/v1/rooms', {
    data: { ruleset: 'fibonacci', seat: 'first', visibility: 'public' },
  });
  await reader.goto('/');
  const row = reader.getByRole('listitem').filter({ hasText: long });
  await expect(row.locator('strong')).toHaveText(`${long}\u00a0(guest)`);
  await standsWell(reader, '.row:has-text("Wilhelmina") strong');

  const id = await begin(guest, owner, { turns: 4 });
  await reader.goto(`/game/${id}`);
  await expect(reader.locator('.player .name')).toHaveText([`${long}\u00a0(guest)`, 'Ada Marked']);
  await standsWell(reader, '.player .name');
  await isAccessible(reader, 'a game');
  await Promise.all([guest, owner].map((page) => page.goto(`/game/${id}`)));
  for (const page of [guest, owner]) {
    await openTab(page, /^Chat/);
    await page.locator('#chat-text').fill(page === guest ? 'Hello!' : 'Good luck!');
    await page.locator('#chat-text').press('Enter');
    // The line is there before the other player writes.
    await expect(owner.locator('#chat li')).toHaveCount(page === guest ? 1 : 2);
  }
  await expect(owner.locator('#chat li strong')).toHaveText([`${long}\u00a0(guest)`, 'Ada Marked']);
  await owner.setViewportSize(NARROW);
  await standsWell(owner, '#chat li strong');
  await owner.locator('#chat summary').click();
  await owner.getByRole('button', { name: `Block ${long}`, exact: true }).click();
  await owner.locator('#top .visitor').click();
  await standsWell(owner, '.list li');
  await isAccessible(owner, 'blocked players');
  await owner.keyboard.press('Escape');

  for (const [index, actions] of GAME.turns.slice(4).entries())
    await playUnseen(index % 2 === 0 ? guest : owner, id, actions);
  await expect(reader.getByRole('heading', { name: `${long} (guest) won` })).toBeVisible();
  await standsWell(reader, '.result h2');
  await reader.goto(`/replay/${id}`);
  await expect(reader.locator('.player .name')).toHaveText([`${long}\u00a0(guest)`, 'Ada Marked']);
  await standsWell(reader, '.player .name');
  await reader.goto('/games?player=Ada+Marked');
  await expect(reader.locator('.row strong')).toHaveText(`${long}\u00a0(guest) – Ada Marked`);
  await standsWell(reader, '.row:has-text("Wilhelmina") strong');
  await owner.goto('/games?list=mine');
  await expect(owner.locator('.row strong')).toHaveText(`Against ${long}\u00a0(guest)`);

  const other = await begin(await visitor(), owner, { turns: 2 });
  await reader.goto(`/game/${other}`);
  await expect(reader.locator('.player .name')).toHaveText([/^Guest \d+$/, 'Ada Marked']);
});

test('a player whose account is closed is called so, in English and in French', async ({ visitor }) => {
  const [gone, other] = [await visitor(), await visitor()];
  await account(gone, 'Ada Gone');
  await rename(other, 'Staying');
  const id = await begin(gone, other, { turns: GAME.turns.length });
  await gone.goto(`/game/${id}`);
  await openTab(gone, /^Chat/);
  await gone.locator('#chat-text').fill('Farewell');
  await gone.locator('#chat-text').press('Enter');
  await expect(gone.locator('#chat li')).toContainText('Ada Gone');
  await gone.goto('/rules/fibonacci');
  const closed = await gone.request.delete('/api/v1/account');
  expect(closed.ok(), await closed.text()).toBe(true);
  for (const [locale, name, won] of [
    ['en-GB', 'Deleted player', 'Deleted player won'],
    ['fr-FR', 'Joueur supprimé', 'Joueur supprimé a gagné'],
  ]) {
    const reader = await visitor({ locale });
    await reader.goto(`/game/${id}`);
    await expect(reader.getByRole('heading', { name: won })).toBeVisible();
    await expect(reader.locator('.player .name bdi')).toHaveText([name, 'Staying']);
    await expect(reader).toHaveTitle(new RegExp(`${name} – Staying`));
    await reader.goto(`/replay/${id}`);
    await expect(reader.locator('.player .name bdi')).toHaveText([name, 'Staying']);
    await expect(reader).toHaveTitle(new RegExp(`${name} – Staying`));
    await reader.goto('/games?player=Staying');
    await expect(reader.locator('.row strong')).toContainText(`${name} – Staying`);
    await expect(reader.locator('.row')).toContainText(won);
    await expect(reader.locator('body')).not.toContainText('—');
  }
  await other.goto(`/game/${id}`);
  await openTab(other, /^Chat/);
  await expect(other.locator('#chat li')).toContainText('Deleted player Farewell');
  await expect(other.locator('#chat .menu'), 'nobody is left to be muted or blocked').toHaveCount(0);
  await expect(other.getByRole('button', { name: 'New opponent' })).toBeVisible();
  await expect(other.getByRole('button', { name: /^Rematch/ }), 'nobody could accept it').toHaveCount(0);
});

test('a player who is renamed is shown under the new name where a game is over, and in the lobby', async ({
  visitor,
}) => {
  const [black, white, reader, lobby] = [await visitor(), await visitor(), await visitor(), await visitor()];
  await rename(black, 'Former Name');
  const id = await begin(black, white, { turns: GAME.turns.length });
  await reader.goto(`/game/${id}`);
  await lobby.goto('/');
  await lobby.getByRole('tab', { name: /^(Finished|Recent)/ }).click();
  await expect(reader.getByRole('heading', { name: 'Former Name (guest) won' })).toBeVisible();
  await expect(lobby.getByText('Former Name')).not.toHaveCount(0);
  await rename(black, 'Present Name');
  await expect(reader.getByRole('heading', { name: 'Present Name (guest) won' })).toBeVisible();
  await expect(reader.locator('.player .name bdi').first()).toHaveText('Present Name');
  await expect(reader).toHaveTitle(/Present Name/);
  await expect(reader.getByText('Former Name')).toHaveCount(0);
  await expect(lobby.getByText('Former Name')).toHaveCount(0);
});

test('a muted player who is renamed is called by the new name in the chat', async ({ visitor }) => {
  const [ada, other] = [await visitor(), await visitor()];
  await rename(other, 'Former Voice');
  const id = await begin(ada, other, { turns: 2 });
  await Promise.all([ada, other].map((page) => page.goto(`/game/${id}`)));
  await Promise.all([ada, other].map((page) => openTab(page, /^Chat/)));
  await other.locator('#chat-text').fill('Hello!');
  await other.locator('#chat-text').press('Enter');
  await ada.locator('#chat summary').click();
  await ada.getByRole('button', { name: 'Mute Former Voice here' }).click();
  await expect(ada.locator('#chat .absent')).toContainText('Messages from Former Voice are hidden.');
  await rename(other, 'Present Voice');
  await expect(ada.locator('#chat .absent')).toContainText('Messages from Present Voice are hidden.');
});
