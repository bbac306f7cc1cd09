// The review of a finished game, on the page of its replay.

import { DESKTOP, GAME, PHONE, begin, expect, isAccessible, test, openTab } from './towers.js';

const LAST = GAME.turns.length;

async function finished(visitor) {
  const [black, white] = [await visitor(), await visitor()];
  return begin(black, white, { turns: LAST });
}

const panel = (page) => page.locator('#review');
const button = (page) => panel(page).getByRole('button', { name: 'Review this game' });
const graph = (page) => panel(page).getByRole('slider');

test('a finished game is reviewed, and its review is read by keys', async ({ visitor }) => {
  const id = await finished(visitor);
  const page = await visitor();
  await page.goto(`/replay/${id}`);
  await openTab(page, /^(Review|Bilan)$/);
  await button(page).press('Enter');
  await expect(panel(page).getByRole('heading', { name: 'Game review' })).toBeFocused();
  await expect(graph(page)).toHaveAttribute('aria-valuetext', 'Start position');
  await page.keyboard.press('Tab');
  await expect(graph(page)).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(page).toHaveURL(/#1\.1$/);
  await expect(graph(page)).toHaveAttribute('aria-valuetext', /^Turn 1, Black, (Black|White) \d+%/);
  await page.keyboard.press('End');
  await expect(graph(page)).toHaveAttribute('aria-valuetext', `Turn ${LAST}, Black, Black 100%`);
  await expect(page).toHaveURL(new RegExp(`#${LAST}\\.`));
  await page.keyboard.press('Home');
  await expect(graph(page)).toHaveAttribute('aria-valuenow', '0');

  await panel(page).getByText('All turns in a table').click();
  await expect(panel(page).getByRole('row')).toHaveCount(LAST + 1);

  // It is stored now, and the page of the game has its graph.
  // High enough for the whole list of turns.
  await page.setViewportSize({ width: 1800, height: 1100 });
  await page.goto(`/game/${id}`);
  const chances = page.getByRole('link', { name: 'Winning chances, turn by turn' });
  await expect(chances).toBeVisible();
  await isAccessible(page, 'a result with its winning chances');
  await page.setViewportSize(DESKTOP);
  await chances.click();
  await expect(graph(page)).toBeVisible();

  await page.goto(`/replay/${id}`);
  await openTab(page, 'Review');
  await button(page).click();
  await expect(graph(page)).toBeVisible();
});

test('a press on the graph shows the turn there', async ({ visitor }) => {
  const id = await finished(visitor);
  const page = await visitor();
  await page.goto(`/replay/${id}`);
  await openTab(page, /^(Review|Bilan)$/);
  await button(page).click();
  await expect(graph(page)).toBeVisible();
  const { width, height } = await graph(page).boundingBox();
  await graph(page).click({ position: { x: (2.5 / LAST) * width, y: height / 2 } });
  await expect(page.getByRole('heading', { name: 'Turn 3, Black' })).toBeVisible();
});

test('a game under way and an example have no review', async ({ visitor }) => {
  const [black, white] = [await visitor(), await visitor()];
  const id = await begin(black, white, { turns: 2 });
  const page = await visitor();
  for (const path of [`/replay/${id}`, '/example/fenix']) {
    await page.goto(path);
    await expect(page.getByRole('button', { name: 'Next move' })).toBeVisible();
    await expect(page.getByRole('tab', { name: 'Turns' })).toBeVisible();
    await expect(page.getByRole('tab', { name: 'Review' })).toHaveCount(0);
  }
});

test('a player comes from the end of a game to its review, and learns from the mistakes without another evaluation', async ({
  visitor,
}) => {
  const [black, white] = [await visitor(), await visitor()];
  const id = await begin(black, white, { turns: LAST });
  const turns = GAME.turns.map(() => ({ score: 0.5, better: null }));
  turns[2] = { score: 0.2, better: { actions: ['e10-d6'], score: 0.6 } };
  await black.route('**/review', (route) => route.fulfill({ json: { turns } }));
  await black.goto(`/game/${id}`);
  await black.getByRole('link', { name: 'Review' }).click();
  await expect(graph(black)).toBeVisible();
  await expect(black.locator('#bar-bottom'), 'the own side is below').toContainText('Black');
  await black.getByRole('link', { name: 'Learn from my mistakes' }).click();
  await expect(black.getByRole('heading', { name: 'Mistake 1 of 1' })).toBeVisible();
  await expect(black.locator('#status')).toContainText('Turn 3: Black played');
  await expect(black.locator('#bar-bottom')).toContainText('Black');
  await expect(black.getByRole('button', { name: 'Evaluate all turns' })).toHaveCount(0);
});

test('a review that a server has lost is asked for again, and a failure is reported', async ({ visitor }) => {
  const id = await finished(visitor);
  const page = await visitor();
  const turns = GAME.turns.map(() => ({ score: 0.5, better: null }));
  turns[3] = { score: 0.7, better: { actions: ['i11-i7', 'end'], score: 0.2 } };
  const asked = [];
  await page.route('**/review', (route) => {
    const method = route.request().method();
    asked.push(method);
    const posts = asked.filter((one) => one === 'POST').length;
    if (posts === 1 && method === 'POST')
      return route.fulfill({ status: 429, json: { code: 'too_many_reviews', detail: 'a test' } });
    if (method === 'POST') return route.fulfill({ status: 202, json: { done: posts, of: LAST } });
    return asked.filter((one) => one === 'GET').length === 1
      ? route.fulfill({ status: 404, json: { code: 'no_review', detail: 'a test' } })
      : route.fulfill({ json: { turns } });
  });
  await page.goto(`/replay/${id}`);
  await openTab(page, /^(Review|Bilan)$/);
  await button(page).click();
  await expect(
    panel(page).getByText('A review for your network is in progress: wait until it is ready.'),
  ).toBeVisible();
  await panel(page).getByRole('button', { name: 'Try again' }).click();
  await expect(panel(page).getByRole('progressbar')).toBeVisible();
  await expect(graph(page)).toBeVisible();
  expect(asked).toEqual(['POST', 'POST', 'GET', 'POST', 'GET']);

  await panel(page)
    .getByRole('listitem')
    .getByRole('link', { name: 'Turn 4, White: −50%, better i11-i7, end' })
    .click();
  await expect(page).toHaveURL(/#4\.\d$/);
  await expect(panel(page).getByText('Better: i11-i7, end')).toBeVisible();
  await expect(panel(page).getByText('White: 80% instead of 30%,')).toBeVisible();
  await expect(graph(page)).toHaveAttribute(
    'aria-valuetext',
    'Turn 4, White, Black 70%, winning chances down 50 points',
  );
});

for (const [size, viewport] of Object.entries({ desktop: DESKTOP, phone: PHONE })) {
  test(`a review fits and is accessible: ${size}`, async ({ visitor }) => {
    const id = await finished(visitor);
    const page = await visitor({ viewport, locale: 'fr-FR' });
    await page.goto(`/replay/${id}#4`);
    await openTab(page, /^(Review|Bilan)$/);
    await isAccessible(page, 'before');
    await panel(page).getByRole('button', { name: 'Faire le bilan de la partie' }).click();
    await expect(graph(page)).toBeVisible();
    await panel(page).getByText('Tableau de tous les tours').click();
    await isAccessible(page, 'a review');
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(wide).toBeLessThanOrEqual(0);
  });
}
