// Passkeys: a guest registers with one, signs in elsewhere without a name, proves the account by it, and removes it.

import { account, expect, isAccessible, PASSWORD, PHONE, test as base } from './towers.js';

const test = base.extend({
  // A visitor at the host that passkeys are made for. The device of a test chooses a passkey as soon as one is offered in a
  // field, so there are offers only in tests of theirs.
  person: async ({ visitor, server }, use) => {
    await use(async ({ isOffered = false, ...options } = {}) => {
      const page = await visitor({ baseURL: server.replace('127.0.0.1', 'localhost'), ...options });
      await page.addInitScript((isOffered) => {
        PublicKeyCredential.isConditionalMediationAvailable = async () => isOffered;
      }, isOffered);
      return page;
    });
  },
});

const me = (page) => page.locator('#top[data-begun] .visitor');
const dialog = (page) => page.getByRole('dialog');
const button = (page, name) => dialog(page).getByRole('button', { name, exact: true });
const field = (page, name) => dialog(page).getByLabel(name, { exact: true });

/** Opens the visitor's dialog, and presses one of its buttons. */
async function open(page, name) {
  await me(page).click();
  await button(page, name).click();
}

/** The device of a page, which verifies its user. */
async function device(page) {
  const client = await page.context().newCDPSession(page);
  await client.send('WebAuthn.enable');
  const { authenticatorId } = await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    passkeys: async () => (await client.send('WebAuthn.getCredentials', { authenticatorId })).credentials,
    take: (credential) => client.send('WebAuthn.addCredential', { authenticatorId, credential }),
    lose: () => client.send('WebAuthn.clearCredentials', { authenticatorId }),
  };
}

/** Registers the guest of a page with a passkey. */
async function register(page, name, { title, label, submit, kept } = ENGLISH) {
  await page.goto('/');
  await open(page, title);
  await isAccessible(page, 'register');
  await field(page, label).fill(name);
  await button(page, submit).click();
  await expect(page.locator('.recovery-code')).toBeVisible();
  await button(page, kept).click();
}

const ENGLISH = {
  title: 'Register',
  label: 'Name',
  submit: 'Register with a passkey',
  kept: 'I have saved it',
};
const FRENCH = {
  title: 'Créer un compte',
  label: 'Nom',
  submit: 'Créer le compte avec une clé d’accès',
  kept: 'Je l’ai noté',
};

/** Has the next changes of a kind wait for a proof, as ten minutes later. */
async function forgetProof(page, method, path) {
  let isProved = false;
  await page.route('**/session/prove', async (route) => {
    const response = await route.fetch();
    isProved ||= response.ok();
    await route.fulfill({ response });
  });
  await page.route(path, (route) =>
    isProved || route.request().method() !== method
      ? route.continue()
      : route.fulfill({
          status: 403,
          contentType: 'application/problem+json',
          body: JSON.stringify({ status: 403, code: 'prove_again', title: '', detail: '' }),
        }),
  );
}

test('a guest registers with a passkey on a phone, and signs in at a desk without a name', async ({
  person,
}) => {
  const [phone, desk] = [await person({ viewport: PHONE, hasTouch: true }), await person()];
  const [pocket, table] = [await device(phone), await device(desk)];
  await phone.goto('/');
  await open(phone, 'Register');
  await button(phone, 'Register with a passkey').click();
  await expect(field(phone, 'Name'), 'without a name').toHaveAttribute('aria-invalid', 'true');
  await phone.keyboard.press('Escape');
  await register(phone, 'Ada Passkey');
  await expect(me(phone)).toHaveAccessibleName('You: Ada Passkey');
  const [passkey] = await pocket.passkeys();
  expect(passkey).toMatchObject({ isResidentCredential: true, rpId: 'localhost', userName: 'Ada Passkey' });

  await table.take(passkey);
  await desk.goto('/');
  await open(desk, 'Sign in');
  await isAccessible(desk, 'sign in');
  await button(desk, 'Sign in with a passkey').click();
  await expect(me(desk)).toHaveAccessibleName('You: Ada Passkey');
});

test('a guest with games is asked before a passkey signs in', async ({ person }) => {
  const [ada, guest] = [await person(), await person()];
  const [own, another] = [await device(ada), await device(guest)];
  await register(ada, 'Ada Leaving');
  const [passkey] = await own.passkeys();
  await another.take(passkey);
  await guest.goto('/');
  // Without a number it is the name on a page that has no session yet.
  await expect(me(guest)).toHaveAccessibleName(/^You: Guest \d+$/);
  const room = await guest.request.post('/api/v1/rooms', {
    data: { ruleset: 'crossfire', seat: 'first', visibility: 'link' },
  });
  expect(room.ok(), await room.text()).toBe(true);
  await open(guest, 'Sign in');
  await button(guest, 'Sign in with a passkey').click();
  await expect(dialog(guest).getByRole('region', { name: 'Leave your guest games?' })).toBeFocused();
  await button(guest, 'Sign in and leave them').click();
  await expect(me(guest)).toHaveAccessibleName('You: Ada Leaving');
});

/** The ceremonies that a page begins from now on. */
function ceremonies(page) {
  const begun = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/passkeys/options')) begun.push(request.postDataJSON().purpose);
  });
  return begun;
}

test('a passkey that is chosen in the field of the name signs in', async ({ person }) => {
  const [phone, desk] = [await person(), await person({ isOffered: true })];
  const [pocket, table] = [await device(phone), await device(desk)];
  await register(phone, 'Ada Chooses');
  const [passkey] = await pocket.passkeys();
  await table.take(passkey);
  await desk.goto('/');
  const begun = ceremonies(desk);
  await open(desk, 'Sign in');
  await expect(me(desk)).toHaveAccessibleName('You: Ada Chooses');
  expect(begun).toEqual(['sign_in']);
});

test('passkeys are offered in the field of the name once, until the dialog or the button ends it', async ({
  person,
}) => {
  const page = await person({ isOffered: true });
  await device(page);
  await page.addInitScript(() => {
    const get = navigator.credentials.get.bind(navigator.credentials);
    window.asked = [];
    navigator.credentials.get = (options) => {
      const { mediation = 'button', signal } = options;
      window.asked.push(mediation);
      signal?.addEventListener('abort', () => window.asked.push('aborted'));
      return get(options);
    };
  });
  const asked = () => page.evaluate(() => window.asked.splice(0));
  const isAsked = (...all) => expect.poll(() => page.evaluate(() => window.asked)).toEqual(all);
  await page.goto('/');
  const begun = ceremonies(page);
  await me(page).click();
  await expect(button(page, 'Sign in')).toBeVisible();
  expect(begun, 'nothing is begun before the form is there').toEqual([]);
  await button(page, 'Sign in').click();
  await expect(field(page, 'Name')).toHaveAttribute('autocomplete', 'username webauthn');
  await isAsked('conditional');
  await page.keyboard.press('Escape');
  await isAsked('conditional', 'aborted');
  await asked();

  await open(page, 'Sign in');
  await isAsked('conditional');
  await button(page, 'Sign in with a passkey').click();
  await expect(dialog(page).getByText(/^No passkey was used\./)).toBeVisible();
  expect(await asked()).toEqual(['conditional', 'aborted', 'button']);
  expect(begun).toEqual(['sign_in', 'sign_in', 'sign_in']);
});

test('whoever opens a closed account by a passkey is told why it is asked for twice', async ({ person }) => {
  const page = await person();
  await device(page);
  await register(page, 'Ada Opens');
  const closed = await page.request.delete('/api/v1/account');
  expect(closed.ok(), await closed.text()).toBe(true);
  await page.goto('/');
  await open(page, 'Sign in');
  await button(page, 'Sign in with a passkey').click();
  const question = dialog(page).getByRole('region', { name: 'Open your account again?' });
  await expect(question).toBeFocused();
  await expect(question).toContainText('Your device will ask for your passkey again');
  await button(page, 'Sign in and open it again').click();
  await expect(me(page)).toHaveAccessibleName('You: Ada Opens');
});

test('passkeys are added, renamed and removed, and prove the account', async ({ person }) => {
  const ada = await person();
  const own = await device(ada);
  await account(ada, 'Ada Adds');
  await ada.goto('/');
  await open(ada, 'Account and security');
  const passkeys = dialog(ada).getByRole('region', { name: 'Passkeys' });
  await button(ada, 'Add a passkey').click();
  await expect(passkeys.getByText(/^Passkey added/)).toBeVisible();
  await expect(passkeys.getByRole('listitem')).toHaveText([/^\s*Chrome, Linux/]);
  await button(ada, 'Add a passkey').click();
  await expect(passkeys.getByText('This device already has a passkey for your account.')).toBeVisible();

  await button(ada, 'Change Chrome, Linux').press('Enter');
  await isAccessible(ada, 'passkeys');
  await field(ada, 'What you call it').fill('Laptop');
  await field(ada, 'What you call it').press('Enter');
  await expect(passkeys.getByText('Passkey renamed.')).toBeVisible();
  await expect(passkeys.getByRole('listitem')).toHaveText([/^\s*Laptop/]);

  await forgetProof(ada, 'DELETE', '**/api/v1/passkeys/*');
  await button(ada, 'Change Laptop').click();
  await button(ada, 'Remove this passkey').click();
  await expect(field(ada, 'Current password')).toBeFocused();
  await isAccessible(ada, 'a proof');
  await button(ada, 'Confirm with a passkey').click();
  await expect(passkeys.getByText('Passkey removed.')).toBeVisible();
  await expect(passkeys).toBeFocused();
  await expect(passkeys.getByRole('listitem')).toHaveCount(0);

  await ada.keyboard.press('Escape');
  await me(ada).click();
  await button(ada, 'Sign out').click();
  await expect(me(ada)).toHaveAccessibleName(/^You: Guest/);
  await open(ada, 'Sign in');
  await button(ada, 'Sign in with a passkey').click();
  await expect(dialog(ada).getByText('No account has this passkey. It may have been removed.')).toBeVisible();
  await own.lose();
  await button(ada, 'Sign in with a passkey').click();
  await expect(dialog(ada).getByText(/^No passkey was used\./)).toBeVisible();
});

test('in French on a narrow phone the last passkey stays until there is a password', async ({ person }) => {
  const page = await person({ locale: 'fr-FR', viewport: { width: 320, height: 568 } });
  await device(page);
  await register(page, 'Ada Seule', FRENCH);
  await open(page, 'Compte et sécurité');
  await button(page, 'Modifier Chrome, Linux').click();
  await isAccessible(page, 'the only passkey');
  const { scroll, width } = await page.evaluate(() => {
    const element = document.querySelector('dialog');
    return { scroll: element.scrollWidth, width: element.clientWidth };
  });
  expect(scroll, 'nothing is wider than the dialog').toBeLessThanOrEqual(width);
  await button(page, 'Retirer cette clé d’accès').click();
  await expect(dialog(page).getByText(/votre seul moyen de vous connecter/)).toBeVisible();

  await expect(dialog(page).getByRole('heading', { name: 'Choisir un mot de passe' })).toBeVisible();
  await forgetProof(page, 'PATCH', '**/api/v1/account');
  await field(page, 'Nouveau mot de passe').fill(PASSWORD);
  await button(page, 'Enregistrer le mot de passe').click();
  await expect(button(page, 'Confirmer avec une clé d’accès')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialog(page).getByText(/^Votre mot de passe est enregistré/)).toBeVisible();
  await button(page, 'Retirer cette clé d’accès').click();
  await expect(dialog(page).getByText('Clé d’accès retirée.')).toBeVisible();
});

test('at an IP address the dialogs lead to the host that has passkeys', async ({ visitor, server }) => {
  const page = await visitor();
  await page.goto('/learn');
  await open(page, 'Register');
  await expect(button(page, 'Register with a passkey')).toHaveCount(0);
  const link = dialog(page).getByRole('link', {
    name: new URL(server).host.replace('127.0.0.1', 'localhost'),
  });
  await expect(link).toHaveAttribute('href', `${server.replace('127.0.0.1', 'localhost')}/learn`);
  await isAccessible(page, 'without passkeys');
});
