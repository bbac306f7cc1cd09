// Accounts: a guest registers and plays on elsewhere, signs in, and keeps the account.

import { readFile } from 'node:fs/promises';

import {
  DESKTOP,
  GAME,
  PASSWORD,
  PHONE,
  YOUR_TURN,
  account,
  begin,
  expect,
  isAccessible,
  play,
  test,
} from './towers.js';

const ANOTHER = 'marmalade violin quartz';

/** The visitor's name in the header, once the page's script has begun. */
const me = (page) => page.locator('#top[data-begun] .visitor');
const dialog = (page) => page.getByRole('dialog');
const button = (page, name) => dialog(page).getByRole('button', { name, exact: true });
/** What says that a session has ended. */
const ended = (page) => page.locator('.ended');
const field = (page, name) => dialog(page).getByLabel(name, { exact: true });

/** Opens the visitor's dialog, and presses one of its buttons. */
async function open(page, name) {
  await me(page).click();
  await button(page, name).click();
}

/** Fills in fields by their labels, and presses a button. */
async function send(page, values, name) {
  for (const [label, value] of Object.entries(values)) await field(page, label).fill(value);
  await button(page, name).click();
}

async function signIn(page, name, password = PASSWORD) {
  await open(page, 'Sign in');
  await send(page, { Name: name, Password: password }, 'Sign in');
}

/** Asserts that a field has the focus and an error, which is its description. */
async function isRefused(page, label, words) {
  await expect(field(page, label)).toBeFocused();
  await expect(field(page, label)).toHaveAttribute('aria-invalid', 'true');
  await expect(field(page, label)).toHaveAccessibleDescription(words);
}

test('a guest registers on a phone in the middle of a game, and plays on at a desk', async ({ visitor }) => {
  const [phone, opponent, desk] = [
    await visitor({ viewport: PHONE, hasTouch: true }),
    await visitor(),
    await visitor({ viewport: DESKTOP }),
  ];
  const id = await begin(phone, opponent, { turns: 2 });
  await Promise.all([phone, opponent].map((page) => page.goto(`/game/${id}`)));
  await expect(me(phone)).toHaveAccessibleName(/^You: Guest \d+$/);
  await open(phone, 'Register');
  await expect(field(phone, 'Name'), 'the name of a new guest is no name').toHaveValue('');
  await expect(field(phone, 'Name')).toHaveAttribute('autocomplete', 'username');
  await expect(field(phone, 'Password')).toHaveAttribute('autocomplete', 'new-password');
  await isAccessible(phone, 'register');
  await send(phone, { Name: 'Ada Phone', Password: 'password1' }, 'Register');
  await isRefused(phone, 'Password', /too easy to guess/);
  await field(phone, 'Password').fill(PASSWORD);
  await button(phone, 'Show the password').click();
  await expect(field(phone, 'Password')).toHaveAttribute('type', 'text');
  await button(phone, 'Register').click();

  await expect(phone.locator('.recovery-code')).toHaveText(/^([\dA-Z]{5} ){4}$/);
  await isAccessible(phone, 'the recovery code');
  await phone.keyboard.press('Escape');
  await phone.keyboard.press('Escape');
  await phone.mouse.click(2, 2);
  await expect(phone.locator('.recovery-code'), 'it is left on purpose alone').toBeVisible();
  const download = phone.waitForEvent('download');
  await button(phone, 'Download').click();
  expect((await download).suggestedFilename()).toBe('towers-recovery-code.txt');
  await button(phone, 'I have saved it').click();
  await expect(me(phone)).toHaveAccessibleName('You: Ada Phone');
  await play(phone, GAME.turns[2]);

  await desk.goto('/');
  await signIn(desk, 'ada phone');
  await expect(me(desk)).toHaveAccessibleName('You: Ada Phone');
  await desk.getByRole('tab', { name: /^My games/ }).click();
  await desk.getByRole('tabpanel').getByRole('link').first().click();
  await expect(desk).toHaveURL(`/game/${id}`);
  await play(opponent, GAME.turns[3]);
  await expect(desk.getByRole('heading', { name: YOUR_TURN })).toBeVisible();
  await play(desk, GAME.turns[4]);
});

test('the visitor’s dialog stays where it is when the way out is unfolded', async ({ visitor }) => {
  const page = await visitor({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    reducedMotion: 'reduce',
  });
  await page.goto('/learn');
  await me(page).click();
  const out = dialog(page).locator('summary', { hasText: 'Leave this device' });
  await expect(out).toBeVisible();
  const before = await out.boundingBox();
  await out.click();
  await expect(button(page, 'Forget me here')).toBeInViewport({ ratio: 1 });
  expect(await out.boundingBox()).toEqual(before);
});

test('a wrong password and a taken name are told at their fields, and haste with the time to wait', async ({
  visitor,
}) => {
  const [ada, page] = [await visitor(), await visitor()];
  await account(ada, 'Ida Mark');
  await page.goto('/learn');
  await open(page, 'Register');
  await send(page, { Name: 'lda rnark', Password: PASSWORD }, 'Register');
  await isRefused(page, 'Name', /not available/);
  await isAccessible(page, 'a taken name');
  await page.keyboard.press('Escape');
  await me(page).click();
  await send(page, { 'Your name': 'IDA MARK' }, 'Save');
  await isRefused(page, 'Your name', /not available/);
  await page.keyboard.press('Escape');

  await signIn(page, 'Ida Mark', 'wrong');
  await isRefused(page, 'Password', 'Wrong name or password.');
  await isAccessible(page, 'a wrong password');
  await page.route('**/session/password', (route) =>
    route.fulfill({
      status: 429,
      headers: { 'retry-after': '345' },
      contentType: 'application/problem+json',
      body: JSON.stringify({ status: 429, code: 'too_fast', title: '', detail: '' }),
    }),
  );
  await button(page, 'Sign in').click();
  await expect(dialog(page).getByText('Too many attempts. Try again in 6 minutes.')).toBeVisible();
  await page.unroute('**/session/password');
  await field(page, 'Password').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await expect(me(page)).toHaveAccessibleName('You: Ida Mark');
  await expect(dialog(page)).toHaveCount(0);
});

test('a guest is asked before games are left, and other tabs follow', async ({ visitor }) => {
  const [ada, guest] = [await visitor(), await visitor()];
  await account(ada, 'Ada Asked');
  await guest.goto('/');
  await expect(me(guest)).toHaveAccessibleName(/^You: Guest \d+$/);
  const made = await guest.request.post('/api/v1/rooms', {
    data: { ruleset: 'crossfire', seat: 'first', visibility: 'link' },
  });
  const { id } = await made.json();
  const rules = await guest.context().newPage();
  await rules.goto('/rules/crossfire');
  await signIn(rules, 'Ada Asked');
  const question = dialog(rules).getByRole('region', { name: 'Leave your guest games?' });
  await expect(question).toBeFocused();
  await expect(question.getByRole('link')).toHaveAttribute('href', `/game/${id}`);
  await isAccessible(rules, 'games are left');
  await field(rules, 'Password').fill('wrong');
  await button(rules, 'Sign in and leave them').click();
  await isRefused(rules, 'Password', 'Wrong name or password.');
  await expect(me(rules)).toHaveAccessibleName(/^You: Guest \d/);
  await field(rules, 'Password').fill(PASSWORD);
  await button(rules, 'Sign in and leave them').click();
  for (const page of [rules, guest]) await expect(me(page)).toHaveAccessibleName('You: Ada Asked');
  await expect(guest.getByText('Your room')).toHaveCount(0);

  await me(guest).click();
  await button(guest, 'Sign out').click();
  for (const page of [guest, rules]) await expect(me(page)).toHaveAccessibleName(/^You: Guest \d/);
});

test('a new password takes a proof, and ends all other sessions, whose pages say so', async ({ visitor }) => {
  const [ada, other] = [await visitor(), await visitor()];
  await account(ada, 'Ada Proof');
  await ada.goto('/');
  await other.goto('/');
  await signIn(other, 'Ada Proof');
  await expect(me(other)).toHaveAccessibleName('You: Ada Proof');
  // Ten minutes later.
  let isProved = false;
  await ada.route('**/session/prove', async (route) => {
    const response = await route.fetch();
    isProved ||= response.ok();
    await route.fulfill({ response });
  });
  await ada.route('**/api/v1/account', (route) =>
    isProved || route.request().method() === 'GET'
      ? route.continue()
      : route.fulfill({
          status: 403,
          contentType: 'application/problem+json',
          body: JSON.stringify({ status: 403, code: 'prove_again', title: '', detail: '' }),
        }),
  );
  await open(ada, 'Account and security');
  await expect(dialog(ada).getByRole('listitem')).toHaveCount(2);
  await isAccessible(ada, 'security');
  await send(ada, { 'New password': ANOTHER }, 'Save the password');
  await expect(field(ada, 'Current password')).toBeFocused();
  await send(ada, { 'Current password': 'wrong' }, 'Save the password');
  await isRefused(ada, 'Current password', /This password is wrong\.$/);
  await send(ada, { 'Current password': PASSWORD }, 'Save the password');
  await expect(dialog(ada).getByText(/^Your password is saved/)).toBeInViewport();
  await expect(field(ada, 'Current password')).toHaveCount(0);
  await expect(dialog(ada).getByRole('listitem')).toHaveText([/This browser/]);
  await expect(other.locator('#notices').getByText('You were signed out here.')).toBeVisible();
  await other.getByRole('button', { name: 'Reload' }).click();
  await expect(me(other)).toHaveAccessibleName(/^You: Guest \d/);
  await expect(ended(other)).toContainText('Your session here has ended');
  await isAccessible(other, 'a session that ended elsewhere');
  await ended(other).getByRole('button', { name: 'Sign in' }).click();
  await expect(field(other, 'Name')).toHaveValue('Ada Proof');
  await send(other, { Password: ANOTHER }, 'Sign in');
  await expect(me(other)).toHaveAccessibleName('You: Ada Proof 1 new notice');
});

test('sessions are ended one by one, and all at once', async ({ visitor }) => {
  const [ada, other] = [await visitor(), await visitor()];
  await account(ada, 'Ada Ends');
  const id = await begin(ada, await visitor(), { turns: 2 });
  await other.goto('/');
  const reloaded = other.waitForEvent('load');
  await signIn(other, 'Ada Ends');
  await reloaded;
  await expect(me(other)).toHaveAccessibleName('You: Ada Ends');
  await other.goto(`/game/${id}`);
  await expect(other.getByRole('heading', { name: YOUR_TURN })).toBeVisible();
  await ada.goto('/');
  await open(ada, 'Account and security');
  const mine = dialog(ada).getByRole('listitem');
  await mine.getByRole('button', { name: /^Sign out / }).click();
  await expect(mine).toHaveText([/This browser/]);
  await expect(dialog(ada).getByText('1 browser signed out.')).toBeInViewport();
  await expect(other.locator('#line').getByText('You were signed out here.')).toBeVisible();
  await other.reload();
  await expect(other.getByRole('heading', { name: YOUR_TURN })).toBeHidden();
  await expect(ended(other)).toBeVisible();
  await ended(other).getByRole('button', { name: 'Close' }).click();
  await expect(ended(other)).toHaveCount(0);
  await other.reload();
  await expect(me(other)).toHaveAccessibleName(/^You: Guest \d/);
  await expect(other.getByText('You are watching.')).toBeVisible();
  await expect(ended(other), 'it is said once').toHaveCount(0);
  await button(ada, 'Sign out everywhere').click();
  await expect(me(ada)).toHaveAccessibleName(/^You: Guest \d/);
  await expect(ended(ada), 'what one did oneself is no news').toHaveCount(0);
});

test('an account is renamed, and keeps the former name', async ({ visitor }) => {
  const page = await visitor();
  await account(page, 'Ada Before');
  await page.goto('/');
  await me(page).click();
  await isAccessible(page, 'the account');
  await send(page, { 'Your name': 'Ada After' }, 'Save');
  await expect(me(page)).toHaveAccessibleName('You: Ada After');
  await me(page).click();
  await expect(field(page, 'Your name')).toHaveAccessibleDescription(/So far: Ada Before\./);
});

test('in French a lost password is replaced by the recovery code, which is renewed', async ({ visitor }) => {
  const [ada, page] = [await visitor(), await visitor({ locale: 'fr-FR', viewport: PHONE })];
  const { recovery_code: code } = await account(ada, 'Ada Perdue');
  await page.goto('/');
  await open(page, 'Se connecter');
  await field(page, 'Nom').fill('Ada Perdue');
  await button(page, 'Mot de passe perdu\u202f?').click();
  await expect(field(page, 'Nom')).toHaveValue('Ada Perdue');
  await isAccessible(page, 'the recovery');
  const submit = 'Enregistrer et se connecter';
  await send(page, { 'Code de secours': 'x', 'Nouveau mot de passe': ANOTHER }, submit);
  await isRefused(page, 'Code de secours', 'Nom ou code de secours incorrect.');
  await send(page, { 'Code de secours': code.toLowerCase().replaceAll('-', ' ') }, submit);
  await expect(page.locator('.recovery-code')).toBeVisible();
  await expect(page.locator('.recovery-code')).not.toHaveText(code.replaceAll('-', ' '));
  await expect(
    page.getByText('Vous avez été déconnecté ici.'),
    'the page leaves its session itself',
  ).toHaveCount(0);
  await isAccessible(page, 'the next code');
  await button(page, 'Je l’ai noté').click();
  // The inbox has a notice of it.
  await expect(me(page)).toHaveAccessibleName('Vous\u00a0: Ada Perdue 1 nouveauté');
  await open(page, 'Compte et sécurité');
  await button(page, 'Nouveau code de secours').click();
  await expect(page.locator('.recovery-code')).toBeVisible();
});

test('a link of the operator sets a new password, once, and leaves the address at once', async ({
  visitor,
  started,
}) => {
  const [ada, page] = [await visitor(), await visitor({ viewport: PHONE })];
  await account(ada, 'Ada Linked');
  await ada.goto('/');
  await expect(me(ada)).toHaveAccessibleName('You: Ada Linked');
  const [, hash] = /(#recover=\w+)/.exec(started.run('account', 'recover', 'Ada Linked'));
  await page.goto(`/learn?lang=en${hash}`);
  await expect(page.getByRole('dialog', { name: 'Choose a new password' })).toBeVisible();
  await expect(page, 'no history keeps the secret').toHaveURL('/learn?lang=en');
  await expect(field(page, 'New password')).toBeFocused();
  await isAccessible(page, 'a link');
  await send(page, { 'New password': 'password1' }, 'Save and sign in');
  await isRefused(page, 'New password', /too easy to guess/);
  await send(page, { 'New password': ANOTHER }, 'Save and sign in');
  await expect(page.locator('.recovery-code')).toBeVisible();
  await button(page, 'I have saved it').click();
  await expect(me(page)).toHaveAccessibleName('You: Ada Linked 1 new notice');
  await expect(ada.locator('#notices').getByText('You were signed out here.')).toBeVisible();

  // In a page that is open already.
  await page.evaluate((hash) => location.assign(hash), hash);
  await send(page, { 'New password': PASSWORD }, 'Save and sign in');
  await expect(dialog(page).getByText(/^This link has been used already/)).toBeVisible();
});

test('a link that lost a part says so, and one that confirms an address is void without mail', async ({
  visitor,
  started,
}) => {
  const [ada, page] = [await visitor(), await visitor()];
  await account(ada, 'Ada Cut');
  const [, hash] = /(#recover=\w+)/.exec(started.run('account', 'recover', 'Ada Cut'));
  await page.goto(`/?lang=en${hash.slice(0, -3)}`);
  await send(page, { 'New password': ANOTHER }, 'Save and sign in');
  await expect(dialog(page).getByText(/^This link is incomplete\./)).toBeVisible();
  await expect(dialog(page).getByText(/^Names have/)).toHaveCount(0);
  await page.evaluate(() => location.assign('#confirm=abc123'));
  await button(page, 'Confirm').click();
  await expect(dialog(page).getByText(/^This link has been used already/)).toBeVisible();
});

test('all that is stored about an account is downloaded', async ({ visitor }) => {
  const page = await visitor({ viewport: PHONE });
  await account(page, 'Ada Data');
  await page.goto('/');
  await open(page, 'Account and security');
  const download = page.waitForEvent('download');
  await button(page, 'Download the data').click();
  const file = await download;
  expect(file.suggestedFilename()).toBe('towers.ndjson');
  const lines = (await readFile(await file.path(), 'utf8')).trim().split('\n');
  expect(lines.map((line) => JSON.parse(line).type)).toEqual([
    'player',
    'account',
    'session',
    'device',
    'vacations',
  ]);
});

test('an account is closed after a second thought, and opened again by signing in', async ({ visitor }) => {
  const page = await visitor({ viewport: PHONE });
  await account(page, 'Ada Closing');
  await page.goto('/');
  await open(page, 'Account and security');
  await expect(dialog(page).getByRole('heading', { name: 'Passkeys' })).toBeVisible();
  const parted = await dialog(page)
    .locator('h3')
    .evaluateAll((titles) =>
      titles.map(({ parentElement }) => getComputedStyle(parentElement).borderTopWidth),
    );
  expect(parted.slice(1), 'a line parts each part from the one before').toEqual(parted.slice(1).fill('1px'));
  const sure = dialog(page).getByLabel('I want to close my account');
  await button(page, 'Close the account').click();
  await expect(sure, 'the press alone does nothing').toBeFocused();
  await sure.check();
  await button(page, 'Close the account').click();
  await expect(me(page)).toHaveAccessibleName(/^You: Guest \d+$/);

  await signIn(page, 'Ada Closing');
  const question = dialog(page).getByRole('region', { name: 'Open your account again?' });
  await expect(question).toBeFocused();
  await expect(question, 'there is nothing to confirm again').not.toContainText('passkey');
  await isAccessible(page, 'the question');
  await button(page, 'Sign in and open it again').click();
  await expect(me(page)).toHaveAccessibleName('You: Ada Closing');
});
