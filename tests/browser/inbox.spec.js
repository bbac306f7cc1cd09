// The inbox: what happened to a visitor's challenges and account, the mark for what is new, and how the mark goes.

import { PASSWORD, account, expect, isAccessible, test } from './towers.js';

const TERMS = {
  clock: { kind: 'correspondence', days: 3 },
  watching: 'everybody',
  drafts: 'shown',
  delay: 0,
};

/** The player of a page, whose browser knows its visitor from then on. */
async function enter(page) {
  await page.goto('/');
  await expect.poll(() => page.evaluate(() => localStorage.getItem('name'))).toBeTruthy();
  const answer = await page.request.post('/api/v1/session');
  return (await answer.json()).player;
}

/** Has a player challenge another one, and returns the id of the room. */
async function challenge(maker, { id }) {
  const data = { ruleset: 'fenix', seat: 'first', visibility: 'link', for: id, terms: TERMS };
  const made = await maker.request.post('/api/v1/rooms', { data });
  expect(made.ok(), await made.text()).toBe(true);
  return (await made.json()).id;
}

const rows = (page) => page.locator('#notices').getByRole('listitem');
const marks = (page) => page.locator('#notices').getByText(/^(New|Nouveau)$/);
const dot = (page) => page.locator('#news');
const you = (page) => page.locator('.top .visitor');

test('what happened is marked in the header and in the inbox, until it was shown', async ({ visitor }) => {
  const [me, other] = [await visitor(), await visitor()];
  const [myself, opponent] = [await enter(me), await enter(other)];
  const declined = await challenge(me, opponent);
  const open = await challenge(other, myself);
  const answer = await other.request.post(`/api/v1/rooms/${declined}/decline`);
  expect(answer.ok()).toBe(true);

  await me.goto('/learn');
  await expect(dot(me)).toBeVisible();
  await expect(you(me)).toHaveAccessibleName(/2 new notices/);
  await isAccessible(me, 'a page with the mark');
  await you(me).click();
  await me.getByRole('link', { name: 'Inbox (2 new)' }).press('Enter');
  await expect(me).toHaveURL(/\/inbox$/);
  await expect(rows(me)).toHaveCount(2);
  await expect(rows(me).nth(0)).toContainText(`${opponent.name} has declined your challenge.`);
  await expect(rows(me).nth(1)).toContainText(`${opponent.name} challenges you.`);
  await expect(rows(me).nth(1)).toContainText('Fenix');
  await expect(marks(me)).toHaveCount(2);
  await expect(dot(me)).toBeHidden();
  await isAccessible(me, 'the inbox with new notices');

  await me.reload();
  await expect(rows(me)).toHaveCount(2);
  await expect(marks(me)).toHaveCount(0);
  await expect(dot(me)).toBeHidden();
  await rows(me).nth(1).getByRole('link').press('Enter');
  await expect(me).toHaveURL(new RegExp(`/game/${open}$`));
});

test('a game that was sought is told to the player who waited for it', async ({ visitor }) => {
  const [me, other] = [await visitor(), await visitor()];
  const [, opponent] = [await enter(me), await enter(other)];
  const seek = { ruleset: 'fenix', clock: TERMS.clock, games: 1 };
  const posted = await (await me.request.post('/api/v1/seeks', { data: seek })).json();
  const accepted = await other.request.post(`/api/v1/seeks/${posted.seek.id}/accept`);
  const { id } = await accepted.json();
  await me.goto('/inbox');
  await expect(rows(me)).toHaveCount(1);
  await expect(rows(me)).toContainText(`${opponent.name} answered your search: your game has begun.`);
  await expect(rows(me)).toContainText(/Fenix.*3\sdays/s);
  await expect(rows(me).getByRole('link')).toHaveAttribute('href', `/game/${id}`);
});

test('a notice about the account leads to its settings, in French and on a narrow screen', async ({
  visitor,
}) => {
  const me = await visitor({ viewport: { width: 320, height: 640 }, locale: 'fr-FR' });
  await enter(me);
  await account(me, 'InboxOwner');
  const changed = await me.request.patch('/api/v1/account', { data: { password: `${PASSWORD} opal` } });
  expect(changed.ok(), await changed.text()).toBe(true);
  await me.goto('/learn');
  const tools = me.locator('.tools > *');
  const places = () => tools.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON()));
  const before = await places();
  await expect(dot(me)).toBeVisible();
  expect(await places(), 'nothing moves for the mark').toEqual(before);
  await me.goto('/inbox');
  await expect(rows(me)).toHaveCount(1);
  await expect(rows(me)).toContainText('Le mot de passe de votre compte a été changé.');
  const width = await me.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBeLessThanOrEqual(320);
  await isAccessible(me, 'the inbox on a narrow screen');
  await rows(me).getByRole('button', { name: 'Compte et vacances' }).press('Enter');
  await expect(me.getByRole('dialog')).toBeVisible();
});

test('older notices come by a button, and the focus goes on', async ({ visitor }) => {
  const me = await visitor();
  await enter(me);
  let older = 0;
  const notice = (n) => ({
    id: `00000000-0000-7000-8000-0000000000${n}`,
    at_ms: 1_700_000_000_000 + n,
    seen: true,
    kind: 'security',
    what: 'passkey_added',
  });
  await me.route(/\/api\/v1\/inbox(\?|$)/, (route) => {
    const isFirst = !route.request().url().includes('before=');
    older += isFirst ? 0 : 1;
    const json = isFirst
      ? { notices: [notice(30), notice(20)], unseen: 0, next: notice(20).id }
      : { notices: [notice(10)], unseen: 0, next: null };
    return route.fulfill({ json });
  });
  await me.goto('/inbox');
  await expect(rows(me)).toHaveCount(2);
  await me.getByRole('button', { name: 'Show older notices' }).evaluate((button) => {
    button.focus();
    for (const _ of 'ab') button.click();
  });
  await expect(me.locator('#notices')).toBeFocused();
  await expect.poll(() => older).toBe(2);
  await expect(rows(me), 'a page that is asked for twice is shown once').toHaveCount(3);
});

test('a visitor who was never here is asked nothing', async ({ visitor }) => {
  const me = await visitor();
  const asked = [];
  me.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await me.goto('/inbox');
  await expect(me.getByText('There is nothing here yet.')).toBeVisible();
  expect(asked.filter((path) => path.startsWith('/api/'))).toEqual([]);
});
