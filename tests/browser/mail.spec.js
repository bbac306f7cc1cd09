// Mail: an address is confirmed by a link, recovers an account, is changed and removed.

import { createServer } from 'node:net';
import { PHONE, account, test as base, expect, isAccessible } from './towers.js';
import { startServer } from './server.js';

const ANOTHER = 'marmalade violin quartz';

/** Starts an SMTP server on a free port of this machine, which takes every mail. */
async function startMailServer() {
  const mails = [];
  const waiting = [];
  const server = createServer((socket) => {
    let text = null;
    let received = '';
    socket.write('220 localhost\r\n');
    socket.on('error', () => {});
    socket.on('data', (data) => {
      received += data;
      for (let end = received.indexOf('\r\n'); end >= 0; end = received.indexOf('\r\n')) {
        const line = received.slice(0, end);
        received = received.slice(end + 2);
        if (text === null) {
          if (/^DATA/i.test(line)) text = '';
          socket.write(text === '' ? '354 go on\r\n' : /^QUIT/i.test(line) ? '221 bye\r\n' : '250 ok\r\n');
        } else if (line === '.') {
          mails.push(text);
          text = null;
          for (const wake of waiting.splice(0)) wake();
          socket.write('250 ok\r\n');
        } else text += `${line}\n`;
      }
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: server.address().port,
    /** Waits for the next mail. */
    async next() {
      if (mails.length === 0) await new Promise((resolve) => waiting.push(resolve));
      return mails.shift();
    },
    stop: () => new Promise((resolve) => server.close(resolve)),
  };
}

/** A port that is free now. The links in mails begin with the server's address, so it is known before the start. */
async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const test = base.extend({
  mails: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from this pattern.
    async ({}, use) => {
      const mails = await startMailServer();
      await use(mails);
      await mails.stop();
    },
    { scope: 'worker' },
  ],
  started: [
    async ({ mails }, use) => {
      const port = await freePort();
      const started = await startServer(`127.0.0.1:${port}`, [
        '--origin',
        `http://127.0.0.1:${port}`,
        '--smtp-url',
        `smtp://127.0.0.1:${mails.port}`,
        '--mail-from',
        'towers@towers.example',
      ]);
      await use(started);
      await started.stop();
    },
    { scope: 'worker' },
  ],
});

const me = (page) => page.locator('#top[data-begun] .visitor');
const dialog = (page) => page.getByRole('dialog');
const button = (page, name) => dialog(page).getByRole('button', { name, exact: true });
const field = (page, name) => dialog(page).getByLabel(name, { exact: true });

/** The link in the next mail. */
async function link(mails) {
  const text = (await mails.next()).replaceAll('=\n', '').replaceAll('=3D', '=');
  const found = /^http:\/\/\S+#\S+$/m.exec(text);
  expect(found, text).not.toBeNull();
  return found[0];
}

test('an address is confirmed by a link, forbidden to recover, changed and removed', async ({
  visitor,
  mails,
}) => {
  const [ada, other] = [await visitor({ viewport: PHONE }), await visitor()];
  await account(ada, 'Ada Mail');
  await ada.goto('/');
  await me(ada).click();
  await button(ada, 'Account and security').click();
  await dialog(ada).getByRole('textbox', { name: 'Mail address' }).fill('ada@nowhere');
  await button(ada, 'Send a link to confirm it').click();
  await expect(dialog(ada).getByRole('textbox', { name: 'Mail address' })).toHaveAccessibleDescription(
    'This is not a mail address.',
  );
  await dialog(ada).getByRole('textbox', { name: 'Mail address' }).fill('ada@mail.example');
  await button(ada, 'Send a link to confirm it').click();
  await expect(dialog(ada).getByText(/^A link is on its way to ada@mail\.example/)).toBeVisible();
  await isAccessible(ada, 'mail');

  // The mail may be opened in another browser.
  const whole = await link(mails);
  await other.goto(whole);
  await expect(other.getByRole('dialog', { name: 'Confirm your mail address' })).toBeVisible();
  await expect(other, 'no history keeps the secret').toHaveURL('/');
  await isAccessible(other, 'a confirmation');
  await other.evaluate(() => location.assign('#confirm=abc123'));
  await button(other, 'Confirm').click();
  await expect(dialog(other).getByText(/^This link is incomplete\./)).toBeVisible();
  await other.goto(whole);
  await button(other, 'Confirm').click();
  await expect(dialog(other).getByText('Your mail address is confirmed.')).toBeFocused();

  await ada.reload();
  await me(ada).click();
  await button(ada, 'Account and security').click();
  await expect(dialog(ada).getByText(/^Your account has the address ada@mail\.example/)).toBeVisible();
  await isAccessible(ada, 'mail of an account');
  await button(ada, 'Forbid new passwords by mail').click();
  await expect(button(ada, 'Allow new passwords by mail')).toBeVisible();
  await button(ada, 'Allow new passwords by mail').click();
  await expect(dialog(ada).getByText('Links for a new password are sent again.')).toBeInViewport();
  await button(ada, 'Remove the address').click();
  await expect(dialog(ada).getByText('Your account no longer has a mail address.')).toBeInViewport();
  await expect(button(ada, 'Remove the address')).toHaveCount(0);
  expect(await mails.next()).toContain('The address of the account Ada Mail has changed');
});

test('in French a lost password is replaced by a link', async ({ visitor, mails }) => {
  const [ada, page] = [await visitor(), await visitor({ locale: 'fr-FR', viewport: PHONE })];
  await account(ada, 'Ada Perdue');
  await ada.request.put('/api/v1/account/mail', { data: { address: 'perdue@mail.example' } });
  const [, secret] = (await link(mails)).split('=');
  await ada.request.post('/api/v1/account/mail/confirm', { data: { link: secret } });
  await page.goto('/');
  await me(page).click();
  await button(page, 'Se connecter').click();
  await field(page, 'Nom').fill('Ada Perdue');
  await button(page, 'Mot de passe perdu\u202f?').click();
  await button(page, 'Recevoir un lien par e-mail').click();
  await expect(field(page, 'Nom')).toHaveValue('Ada Perdue');
  await field(page, 'Adresse e-mail').fill('perdue@mail.example');
  await isAccessible(page, 'a link for a password');
  await button(page, 'Envoyer le lien').click();
  await expect(dialog(page).getByText(/^Si le nom et l’adresse correspondent/)).toBeFocused();
  await page.goto(await link(mails));
  await expect(page.getByRole('dialog', { name: 'Choisir un nouveau mot de passe' })).toBeVisible();
  await field(page, 'Nouveau mot de passe').fill(ANOTHER);
  await button(page, 'Enregistrer et se connecter').click();
  await expect(page.locator('.recovery-code')).toBeVisible();
});

test('a link to stop mails that is of no account any more says so, and where they are stopped', async ({
  visitor,
}) => {
  const page = await visitor({ forgives: /status of 410/ });
  await page.goto(`/unsubscribe?link=${'0123456789ABCDEF'.repeat(2)}`);
  await button(page, 'Stop these mails').click();
  await expect(dialog(page).getByText(/^This link no longer works\./)).toBeFocused();
  await expect(button(page, 'Stop these mails')).toHaveCount(0);
});
