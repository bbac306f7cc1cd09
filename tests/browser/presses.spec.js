// A second press on a slow line, presses that open another tab, and names from right to left.

import { begin, expect, openComputer, openRoom, test } from './towers.js';

/**
 * Delays the answers to requests that change something, and the next page. Presses the focused element again and again
 * until the page is left.
 * @returns the requests, each with whether the focused button was busy
 */
async function pressOnASlowLine(page, button) {
  const posts = [];
  await page.route(
    (url) => /^\/api\/v1\/rooms/.test(url.pathname),
    async (route) => {
      const isBusy = await page.evaluate(
        () => document.activeElement.getAttribute('aria-disabled') === 'true',
      );
      posts.push({ path: new URL(route.request().url()).pathname, isBusy });
      await new Promise((resolve) => setTimeout(resolve, 300));
      await route.continue();
    },
  );
  await page.route(/\/game\//, async (route) => {
    if (route.request().isNavigationRequest()) await new Promise((resolve) => setTimeout(resolve, 1000));
    await route.continue();
  });
  await button.focus();
  await page.evaluate(() => setInterval(() => document.activeElement.click(), 20));
  await page.waitForURL(/\/game\//);
  return posts;
}

for (const [what, { prepare, button, requests }] of Object.entries({
  'the computer': {
    prepare: openComputer,
    button: (page) => page.getByRole('button', { name: 'Start', exact: true }),
    requests: [/rooms$/, /bot$/],
  },
  'a room': {
    prepare: openRoom,
    button: (page) => page.getByRole('button', { name: 'Create', exact: true }),
    requests: [/rooms$/],
  },
})) {
  test(`a second press on a slow line begins no second game: ${what}`, async ({ visitor }) => {
    const page = await visitor();
    await page.goto('/');
    await expect(page.locator('.visitor bdi')).toHaveText(/^Guest \d/);
    await prepare(page);
    const posts = await pressOnASlowLine(page, button(page));
    expect(posts).toEqual(requests.map((path) => ({ path: expect.stringMatching(path), isBusy: true })));
  });
}

test('a second press on Join takes one seat, and the busy button keeps the focus', async ({ visitor }) => {
  const [maker, guest] = [await visitor(), await visitor()];
  await maker.goto('/');
  await expect(maker.locator('.visitor bdi')).toHaveText(/^Guest \d/);
  const name = await maker.locator('.visitor bdi').textContent();
  await openRoom(maker);
  await maker.getByRole('button', { name: 'Create', exact: true }).click();
  await expect(maker).toHaveURL(/\/game\//);
  await guest.goto('/');
  await guest.getByRole('tab', { name: /^Open rooms/ }).click();
  const join = guest.getByRole('button', { name: `Join ${name}`, exact: true });
  await expect(join).toBeVisible();
  const posts = await pressOnASlowLine(guest, join);
  expect(posts).toEqual([{ path: expect.stringMatching(/join$/), isBusy: true }]);
});

test('a pressed button of a row is busy before the next frame', async ({ visitor }) => {
  const [maker, guest] = [await visitor(), await visitor()];
  await maker.request.post('/api/v1/session');
  const made = await maker.request.post('/api/v1/rooms', {
    data: { ruleset: 'fibonacci', seat: 'first', visibility: 'public' },
  });
  expect(made.status()).toBe(201);
  const { id, creator } = await made.json();
  await maker.goto(`/game/${id}`);
  await guest.goto('/');
  await guest.getByRole('tab', { name: /^Open rooms/ }).click();
  const join = guest.getByRole('button', { name: `Join ${creator.name}`, exact: true });
  await expect(join).toBeVisible();
  const isBusy = await join.evaluate((button) => {
    button.click();
    return button.getAttribute('aria-disabled');
  });
  expect(isBusy).toBe('true');
  await expect(guest).toHaveURL(/\/game\//);
});

test('a button is usable again after a failure, and in a page that comes back from the cache', async ({
  visitor,
}) => {
  const page = await visitor({ forgives: /status of 503/ });
  await page.goto('/');
  await expect(page.locator('.visitor bdi')).toHaveText(/^Guest \d/);
  await openComputer(page);
  const button = page.getByRole('button', { name: 'Start', exact: true });
  await page.route('**/api/v1/rooms', (route) => route.fulfill({ status: 503, json: { code: 'busy' } }), {
    times: 1,
  });
  await button.click();
  await expect(page.getByRole('dialog').getByRole('alert')).not.toBeEmpty();
  await expect(button).not.toHaveAttribute('aria-disabled');
  // The navigation goes nowhere, and the page is left and shown again as the cache does it.
  await page.route(/\/game\//, (route) => route.fulfill({ status: 204 }));
  const leaves = page.waitForRequest((request) => request.isNavigationRequest());
  await button.click();
  await leaves;
  await expect(button).toHaveAttribute('aria-disabled', 'true');
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true })));
  await expect(button).not.toHaveAttribute('aria-disabled');
});

test('a press with Ctrl or the middle button on the language opens another tab with the same address', async ({
  visitor,
  server,
}) => {
  const page = await visitor();
  await page.goto('/games?ruleset=fenix#x');
  const link = page.getByRole('link', { name: 'Français' });
  for (const press of [{ modifiers: ['Control'] }, { modifiers: ['Shift'] }, { button: 'middle' }]) {
    const opened = page.context().waitForEvent('page');
    await link.click(press);
    const other = await opened;
    await expect(other).toHaveURL(`${server}/games?ruleset=fenix&lang=fr#x`);
    await expect(other.locator('html')).toHaveAttribute('lang', 'fr');
    await expect(page.locator('html')).toHaveAttribute('lang', 'en');
    await other.close();
  }
  await link.click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'fr');
  await expect(page).toHaveURL(`${server}/games?ruleset=fenix#x`);
});

test('names from right to left move nothing around them, the own one either', async ({ visitor }) => {
  const [page, other] = [await visitor(), await visitor()];
  await page.goto('/');
  await page.locator('.visitor').click();
  await page.getByRole('textbox', { name: 'Your name' }).fill('דנה!');
  await page.getByRole('button', { name: 'Save' }).click();
  const isolated = (element) => getComputedStyle(element).unicodeBidi;
  const own = page.locator('.visitor bdi');
  await expect(own).toHaveText('דנה!');
  expect(await own.evaluate(isolated)).toBe('isolate');
  const id = await begin(page, other);
  await page.goto(`/game/${id}`);
  const bar = page.locator('#bar-bottom .name').getByText('דנה!');
  expect(await bar.evaluate(isolated)).toBe('isolate');
  await expect(page.locator('#heading .sr')).toContainText('\u2068דנה!\u2069 – ');
});
