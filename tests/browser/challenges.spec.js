// Challenges: the answers to one, the ways to one, and what their makers are told.

import { GAME, account, begin, expect, isAccessible, openTab, test, unfold } from './towers.js';

const button = (page, name) => page.getByRole('button', { name, exact: true });
const dialog = (page, name) => page.getByRole('dialog', { name });
const notice = (page, words) => page.locator('#notices .notice').filter({ hasText: words });
const TERMS = {
  clock: { kind: 'correspondence', days: 5 },
  watching: 'everybody',
  drafts: 'shown',
  delay: 0,
};

async function named(visitor, name) {
  const page = await visitor();
  await page.request.post('/api/v1/session');
  const { player } = await account(page, name);
  return { page, player };
}

/** Has a player challenge another one.
 * @returns {Promise<string>} the id of the challenge
 */
async function challenge(maker, { player }, more = {}) {
  const data = { ruleset: 'fenix', seat: 'first', visibility: 'link', terms: TERMS, for: player.id, ...more };
  const answer = await maker.page.request.post('/api/v1/rooms', { data });
  expect(answer.status(), await answer.text()).toBe(201);
  return (await answer.json()).id;
}

/** The row of the only challenge in a lobby. */
const row = (page) => page.locator('#rooms .row').filter({ hasText: 'Your challenge to' });

test('a challenge is answered by one by other terms, in one step', async ({ visitor }) => {
  const [ada, bo] = [await named(visitor, 'CounteredAda'), await named(visitor, 'CounteringBo')];
  const id = await challenge(ada, bo);
  await ada.page.goto('/');
  await expect(row(ada.page)).toContainText('CounteringBo');
  const { page } = bo;
  await page.goto(`/game/${id}`);
  await button(page, 'Make a counter-offer…').press('Enter');
  const form = dialog(page, 'Counter-offer to CounteredAda');
  await expect(form.getByRole('combobox', { name: 'Game', exact: true })).toBeFocused();
  await expect(form.getByRole('combobox', { name: 'Game', exact: true })).toHaveValue('fenix');
  await expect(form.getByRole('radio', { name: /Moves second/ })).toBeChecked();
  await expect(form.getByRole('spinbutton', { name: /^Days per turn/ })).toHaveValue('5');
  await expect(form.locator('details.extras')).not.toHaveAttribute('open');
  await isAccessible(page, 'the dialog of a counter-offer');
  await form.getByRole('spinbutton', { name: /^Days per turn/ }).fill('9');
  await button(page, 'Send the counter-offer').click();
  await expect(page.getByRole('heading', { name: 'Your challenge to CounteredAda' })).toBeVisible();
  await expect(page.getByText(/9 days/).first()).toBeVisible();
  const told = notice(ada.page, 'CounteringBo answered your challenge with other terms.');
  await expect(told.getByRole('link', { name: 'Answer' })).toHaveAttribute(
    'href',
    new URL(page.url()).pathname,
  );
  const received = ada.page.locator('#rooms .row').filter({ hasText: 'CounteringBo challenges you' });
  await received.getByRole('link', { name: 'Answer CounteringBo’s challenge' }).click();
  const chat = (one) => one.getByRole('tab', { name: /^Chat/ });
  const accept = button(ada.page, 'Accept CounteringBo’s challenge');
  await expect(accept).toBeVisible();
  for (const one of [ada.page, page]) await expect(chat(one), 'no line is taken before').toHaveCount(0);
  await accept.click();
  for (const one of [ada.page, page]) await expect(chat(one)).toBeVisible();
  for (const one of [ada.page, page]) await expect(one.getByRole('gridcell').first()).toBeVisible();
  await expect(page.locator('#bar-bottom')).toContainText('CounteringBo');
});

test('the page of a challenge that was answered by other terms leads to them, and the inbox tells of them once', async ({
  visitor,
}) => {
  const [ada, bo] = [await named(visitor, 'InboxAda'), await named(visitor, 'InboxBo')];
  const id = await challenge(ada, bo);
  const { page } = ada;
  await page.goto(`/game/${id}`);
  await expect(page.getByRole('heading', { name: 'Your challenge to InboxBo' })).toBeVisible();
  // The player who is asked is shown in the free seat, and the page counts no watchers.
  const bar = (one) => one.locator('.player').filter({ hasText: 'InboxBo' });
  await expect(bar(page)).toContainText('waiting for an answer');
  await bo.page.goto(`/game/${id}`);
  await expect(bar(bo.page)).toContainText('you');
  for (const one of [page, bo.page]) {
    await expect(one.getByText('Free seat')).toHaveCount(0);
    await expect(one.locator('#heading')).not.toContainText('watching');
  }
  const terms = { ...TERMS, clock: { kind: 'bank', base_days: 10, bonus_hours: 36 } };
  const answer = await challenge(bo, ada, { ruleset: 'focus', answers: id, terms });
  await expect(page.getByRole('heading', { name: 'InboxBo answered with other terms' })).toBeVisible();
  await isAccessible(page, 'a challenge that was answered by another one');
  await page.goto('/inbox');
  const rows = page.locator('#notices').getByRole('listitem');
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText('InboxBo answered your challenge with other terms');
  await expect(rows).toContainText(/Focus.*10\sd\s\+\s36\sh/s);
  await page.goto(`/game/${id}`);
  await page.getByRole('link', { name: 'Go to the counter-offer' }).click();
  await expect(page).toHaveURL(new RegExp(`/game/${answer}$`));
  await expect(page.getByRole('heading', { name: 'InboxBo challenges you' })).toBeVisible();
});

test('on a phone a challenge shows both players', async ({ visitor }) => {
  const [ada, bo] = [await named(visitor, 'PhoneAda'), await named(visitor, 'PhoneBo')];
  const { page } = bo;
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/game/${await challenge(ada, bo)}`);
  await expect(page.locator('#bar-top .player')).toContainText('PhoneAda');
  await expect(page.locator('#bar-bottom .player')).toContainText('PhoneBo');
  const [bar, tabs] = [
    await page.locator('#bar-bottom').boundingBox(),
    await page.locator('#tabs').boundingBox(),
  ];
  expect(bar.y + bar.height).toBeLessThanOrEqual(tabs.y + 1);
});

test('the maker of a challenge is told in the lobby that it was accepted', async ({ visitor }) => {
  const [ada, bo] = [await named(visitor, 'AcceptedAda'), await named(visitor, 'AcceptingBo')];
  const id = await challenge(ada, bo);
  await ada.page.goto('/');
  await expect(row(ada.page)).toBeVisible();
  await bo.page.request.post(`/api/v1/rooms/${id}/join`);
  const told = notice(ada.page, 'Your challenge was accepted: AcceptedAda – AcceptingBo.');
  await expect(told.getByRole('link', { name: 'Go to game' })).toHaveAttribute('href', `/game/${id}`);
});

test('a challenge that its maker withdraws in another tab is not said to be declined', async ({
  visitor,
}) => {
  const [ada, bo] = [await named(visitor, 'WithdrawingAda'), await named(visitor, 'UnaskedBo')];
  const [first, second] = [await challenge(ada, bo), await challenge(ada, bo, { ruleset: 'focus' })];
  await ada.page.goto('/');
  await expect(row(ada.page)).toHaveCount(2);
  await ada.page.request.delete(`/api/v1/rooms/${first}`);
  await expect(row(ada.page)).toHaveCount(1);
  await bo.page.request.post(`/api/v1/rooms/${second}/decline`);
  await expect(notice(ada.page, 'UnaskedBo declined your challenge.')).toHaveCount(1);
  await expect(ada.page.locator('#notices .notice')).toHaveCount(1);
});

test('after a game an opponent who has left is challenged again, by the same terms and with other colours', async ({
  visitor,
}) => {
  const [ada, bo] = [await named(visitor, 'AgainAda'), await named(visitor, 'AgainBo')];
  const id = await begin(ada.page, bo.page, { terms: TERMS, turns: GAME.turns.length });
  await bo.page.goto(`/game/${id}`);
  await ada.page.goto(`/game/${id}`);
  await expect(button(ada.page, 'Rematch, sides swapped')).toBeVisible();
  await bo.page.goto('/learn');
  await button(ada.page, 'Challenge again, sides swapped').click();
  await expect(ada.page.getByRole('heading', { name: 'Your challenge to AgainBo' })).toBeVisible();
  const { sent } = await (await ada.page.request.get('/api/v1/challenges')).json();
  expect(sent).toHaveLength(1);
  expect(sent[0]).toMatchObject({
    ruleset: 'fibonacci',
    seat: 'second',
    clock: TERMS.clock,
    custom_start: false,
  });
});

test('an opponent and a writer in the chat are challenged from the tools and from the menu of their name', async ({
  visitor,
}) => {
  const [ada, bo] = [await named(visitor, 'MenuAda'), await named(visitor, 'MenuBo')];
  const id = await begin(ada.page, bo.page, { terms: TERMS, turns: 2 });
  const { page } = ada;
  await Promise.all([page, bo.page].map((one) => one.goto(`/game/${id}`)));
  await unfold(page);
  await button(page, 'Challenge your opponent').click();
  await expect(dialog(page, 'Challenge MenuBo').getByRole('radio', { name: /Moves second/ })).toBeChecked();
  await page.keyboard.press('Escape');
  await expect(button(page, 'Challenge your opponent')).toBeFocused();
  await openTab(bo.page, /^Chat/);
  await bo.page.locator('#chat-text').fill('Another one?');
  await bo.page.locator('#chat-text').press('Enter');
  await openTab(page, /^Chat/);
  await page.locator('#chat').getByText('Another one?').hover();
  await page.locator('#chat summary').click();
  await button(page, 'Challenge MenuBo').click();
  await expect(dialog(page, 'Challenge MenuBo')).toBeVisible();
  await button(page, 'Send the challenge').click();
  await expect(page.getByRole('heading', { name: 'Your challenge to MenuBo' })).toBeVisible();
});
