// Browsers that keep nothing for this site: cookies blocked or lost on the way, storage that throws.

import { GAME, begin, expect, openComputer, playUnseen, test } from './towers.js';

/** Names of the session's cookies. */
const SESSION = /towers_session/;

const NOTICE = /keeps nothing for this site/;

/** Counts the guests that a page asks for, and takes the cookies out of the answers, as a proxy may. */
async function loseCookies(page) {
  const guests = [];
  await page.route('**/api/v1/session', async (route) => {
    guests.push(page.url());
    const response = await route.fetch();
    // The test's own request has put the cookie into the browser.
    await page.context().clearCookies({ name: SESSION });
    const { 'set-cookie': _, ...headers } = response.headers();
    await route.fulfill({ response, headers });
  });
  return guests;
}

test('a browser whose cookies are lost is told so once, asks for one guest, and follows a game all the same', async ({
  visitor,
}) => {
  const [page, first, second] = [
    await visitor({ forgives: /WebSocket connection/ }),
    await visitor(),
    await visitor(),
  ];
  const guests = await loseCookies(page);
  await page.goto('/');
  const notice = page.locator('#notices .notice');
  await expect(notice).toHaveText(NOTICE);
  await expect(notice).toHaveCount(1);
  const id = await begin(first, second);
  await page.goto(`/game/${id}`);
  await expect(page.locator('#line')).toContainText(NOTICE);
  await playUnseen(first, id, GAME.turns[0]);
  // The board follows without a line.
  await expect(page.locator('#heading')).toContainText('Turn 2');
  await page.locator('#line').getByRole('button', { name: 'Close' }).click();
  await playUnseen(second, id, GAME.turns[1]);
  await expect(page.locator('#heading')).toContainText('Turn 3');
  await expect(page.locator('#line'), 'closed, it does not lie over the board again').toBeEmpty();
  await page.goto('/');
  await expect(notice).toHaveText(NOTICE);
  expect(guests, 'one guest is asked for, on the first page').toHaveLength(1);
  await page.locator('#notices').getByRole('button', { name: 'Try again' }).click();
  await expect(notice).toHaveText(NOTICE);
  expect(guests, 'the visitor asked for another try').toHaveLength(2);
});

test('a browser without cookies and storage asks for no guest, and its preferences hold on the page', async ({
  visitor,
}) => {
  const page = await visitor({ locale: 'fr-FR' });
  const asked = [];
  page.on('request', (request) => request.method() === 'POST' && asked.push(request.url()));
  await page.addInitScript(() => {
    const refuse = () => {
      throw new DOMException('denied', 'SecurityError');
    };
    for (const name of ['getItem', 'setItem', 'removeItem']) Storage.prototype[name] = refuse;
    Object.defineProperty(document, 'cookie', { get: () => '', set: () => {} });
    Object.defineProperty(navigator, 'cookieEnabled', { value: false });
    Object.defineProperty(window, 'indexedDB', { value: undefined });
    navigator.locks.request = refuse;
    navigator.locks.query = refuse;
  });
  await page.goto('/');
  await expect(page.locator('#notices .notice')).toHaveText(/ne garde rien pour ce site/);
  await page.getByRole('button', { name: 'Préférences' }).click();
  await page.getByLabel('Thème').selectOption('sombre');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await page.keyboard.press('Escape');
  for (const path of ['/games', '/puzzles', '/learn/fibonacci', '/analysis', '/replay/x', '/import']) {
    await page.goto(path);
    await expect(page.locator('#top a').first()).toBeVisible();
  }
  await page.goto('/');
  await openComputer(page);
  await page.getByRole('button', { name: 'Commencer', exact: true }).click();
  await expect(page).toHaveURL(/\/table/);
  await expect(page.locator('#status h2')).toBeVisible();
  expect(asked).toEqual([]);
});

test('a guest whose cookie comes back stays, and costs one request a page', async ({ visitor }) => {
  const page = await visitor();
  const asked = [];
  page.on(
    'request',
    (request) => /api\/v1\/(session|blocks)$/.test(request.url()) && asked.push(request.method()),
  );
  await page.goto('/');
  const name = page.locator('.visitor bdi');
  await expect(name).toHaveText(/^Guest \d/);
  const before = await name.textContent();
  await page.reload();
  await expect(name).toHaveText(before);
  await expect(page.getByRole('tab', { name: /^Open rooms \d/ })).toBeVisible();
  expect(asked).toEqual(['POST', 'POST']);
});
