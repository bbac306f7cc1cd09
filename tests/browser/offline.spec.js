// Pages without a network, by the service worker.

import { expect, test } from './towers.js';

/** A visitor whose browser keeps pages, and complains of a network that is not there. */
const KEEPS = { serviceWorkers: 'allow', forgives: /ERR_INTERNET_DISCONNECTED/ };

/** Waits until the service worker has kept its first pages. */
const isKept = (page) => page.evaluate(async () => (await navigator.serviceWorker.ready).active !== null);

test('the first pages open without a network after one visit, and nothing of the interface is kept', async ({
  visitor,
}) => {
  const page = await visitor(KEEPS);
  await page.goto('/');
  await isKept(page);
  await page.context().setOffline(true);
  for (const path of ['/', '/learn', '/table', '/analysis', '/puzzles']) {
    await page.goto(path);
    await expect(page.locator('#top')).not.toBeEmpty();
    await expect(page.locator('#unloaded')).toBeHidden();
  }
  const kept = await page.evaluate(async () => {
    const requests = await (await caches.open('client')).keys();
    return requests.map(({ url }) => new URL(url).pathname);
  });
  expect(kept.filter((path) => path.startsWith('/api'))).toEqual([]);
  expect(kept).toEqual(expect.arrayContaining(['/', '/learn', '/table', '/analysis', '/puzzles']));
});

test('a page comes from the network while there is one', async ({ visitor }) => {
  const page = await visitor(KEEPS);
  await page.goto('/');
  await isKept(page);
  await page.goto('/?lang=fr');
  await expect(page.locator('html')).toHaveAttribute('lang', 'fr');
  const answer = await page.goto('/no/such/page');
  expect(answer?.status()).toBe(404);
});
