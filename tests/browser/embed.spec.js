import { once } from 'node:events';
import { createServer } from 'node:http';
import { GAME, PHONE, begin, expect, isAccessible, test as base, unfold } from './towers.js';

const test = base.extend({
  // Opens a page of another site that shows an address in a frame, sandboxed as strictly as a page with scripts can be.
  framed: async ({ server }, use) => {
    const sites = [];
    await use(async (page, path) => {
      const site = createServer((_, answer) => {
        answer.setHeader('content-type', 'text/html; charset=utf-8');
        answer.end(`<!doctype html><html lang="en"><head><title>Another site</title><link rel="icon" href="data:,">
          </head><body><iframe sandbox="allow-scripts" title="A game" width="480" height="560"
          src="${server}${path}"></iframe></body></html>`);
      }).listen(0, '127.0.0.1');
      await once(site, 'listening');
      sites.push(site);
      await page.goto(`http://127.0.0.1:${site.address().port}/`);
      return page.frameLocator('iframe');
    });
    for (const site of sites) site.close();
  },
});

async function finished(visitor) {
  const [black, white] = [await visitor(), await visitor()];
  return begin(black, white, { turns: GAME.turns.length });
}

test('the page for frames shows a game without a session or a cookie', async ({ visitor }) => {
  const id = await finished(visitor);
  const page = await visitor();
  const asked = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.goto(`/embed/${id}`);
  await expect(page.getByRole('grid')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Open on Towers' })).toHaveAttribute('href', `/replay/${id}`);
  await page.getByRole('button', { name: 'Go to start' }).click();
  await expect(page.getByText('Start position')).toBeVisible();
  await page.getByRole('button', { name: 'Next move' }).click();
  await expect(page.getByText('Turn 1, Black')).toBeVisible();
  expect(asked).not.toContain('/api/v1/session');
  expect(await page.context().cookies()).toEqual([]);
});

test('a sandboxed frame on a page of another site shows its board and its turns', async ({
  visitor,
  framed,
}) => {
  const id = await finished(visitor);
  const page = await visitor();
  const cookies = [];
  page.on('request', async (request) => cookies.push((await request.allHeaders()).cookie));
  const frame = await framed(page, `/embed/${id}`);
  await expect(frame.getByRole('grid')).toBeVisible();
  await frame.getByRole('button', { name: 'Go to start' }).click();
  await expect(frame.getByText('Start position')).toBeVisible();
  await frame.getByRole('button', { name: 'Next move' }).click();
  await expect(frame.getByText('Turn 1, Black')).toBeVisible();
  const loaded = () =>
    frame
      .locator('body')
      .evaluate(() => [...document.fonts].filter(({ status }) => status === 'loaded').length);
  await expect.poll(loaded, 'fonts').toBeGreaterThan(0);
  expect(cookies.filter((cookie) => cookie !== undefined)).toEqual([]);
});

test('a sandboxed frame tells a player no more of a hidden game than everybody', async ({
  visitor,
  framed,
}) => {
  const [black, white] = [await visitor(), await visitor()];
  const id = await begin(black, white, { turns: 1, terms: { watching: 'nobody' } });
  const frame = await framed(black, `/embed/${id}`);
  await expect(frame.getByRole('heading', { name: /is private/i })).toBeVisible();
});

for (const [colorScheme, locale] of [
  ['light', 'en-GB'],
  ['dark', 'fr-FR'],
]) {
  test(`the frame is accessible and fits its size: ${colorScheme}, ${locale}`, async ({ visitor }) => {
    const id = await finished(visitor);
    const page = await visitor({ colorScheme, locale, viewport: PHONE, reducedMotion: 'reduce' });
    await page.goto(`/embed/${id}`);
    await expect(page.getByRole('grid')).toBeVisible();
    await isAccessible(page, 'the frame');
    for (const [width, height] of [
      [320, 400],
      [480, 560],
      [800, 500],
    ]) {
      await page.setViewportSize({ width, height });
      const [over, below] = await page.evaluate(() => [
        document.documentElement.scrollWidth - innerWidth,
        document.documentElement.scrollHeight - innerHeight,
      ]);
      expect([over <= 0, below <= 0], `${width} × ${height}`).toEqual([true, true]);
    }
  });
}

test('the frame of a missing game says so', async ({ visitor }) => {
  const page = await visitor();
  for (const id of ['01890a5d-ac96-774b-bcce-b302099a8057', 'not-an-id']) {
    await page.goto(`/embed/${id}`);
    await expect(page.getByRole('heading', { name: /no such game/i }), id).toBeVisible();
  }
});

test('a replay offers a picture of the turn that is shown, an animation, and the code of a frame', async ({
  visitor,
}) => {
  const id = await finished(visitor);
  const page = await visitor({ permissions: ['clipboard-read', 'clipboard-write'] });
  await page.goto(`/replay/${id}#3.${GAME.turns[2].length}`);
  await unfold(page);
  const picture = page.getByRole('link', { name: 'Picture' });
  await expect(picture).toHaveAttribute('href', `/api/v1/games/${id}/picture.png?turn=3`);
  const drawn = await page.request.get(await picture.getAttribute('href'));
  expect(drawn.headers()['content-type']).toBe('image/png');
  await expect(page.getByRole('link', { name: 'Animation' })).toHaveAttribute(
    'href',
    `/api/v1/games/${id}/animation.gif`,
  );
  await page.getByRole('button', { name: 'Copy embed code' }).click();
  await expect(page.getByText('Embed code copied.').first()).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(`/embed/${id}"`);
});
