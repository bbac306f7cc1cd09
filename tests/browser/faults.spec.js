// Regressions: two tabs of one player, addresses that lead nowhere, a lobby whose first request failed.

import { GAME, YOUR_TURN, begin, cell, expect, move, openRoom, pick, test } from './towers.js';

test('a second tab shows the draft of the first and sends none', async ({ visitor }) => {
  const [black, white] = [await visitor(), await visitor()];
  const id = await begin(black, white, { turns: 2 });
  const other = await black.context().newPage();
  const sent = [];
  other.on('websocket', (ws) => ws.on('framesent', ({ payload }) => sent.push(JSON.parse(payload))));
  await Promise.all([black, other].map((page) => page.goto(`/game/${id}`)));
  await move(black, GAME.turns[2].slice(0, 1));
  const to = GAME.turns[2][0].split('-')[1];
  await expect(cell(other, to)).toHaveAccessibleName(/move 1 of this turn/);
  await move(black, GAME.turns[2].slice(1, 2));
  const to2 = GAME.turns[2][1].split('-')[1];
  await expect(cell(other, to2)).toHaveAccessibleName(/move 2 of this turn/);
  await isAnswered(other);
  expect(sent.filter(({ type }) => type === 'draft')).toEqual([]);
  // The page asks for legal actions only until its engine has loaded, but it always says hello.
  expect(sent.map(({ type }) => type)).toContain('hello');
  await other.getByRole('button', { name: 'Undo' }).click();
  await expect(cell(black, to2)).not.toHaveAccessibleName(/of this turn/);
  await expect(cell(black, to)).toHaveAccessibleName(/move 1 of this turn/);
});

test('drafts that cross end the same in both tabs', async ({ visitor }) => {
  const [black, white] = [await visitor(), await visitor()];
  const id = await begin(black, white, { turns: 2 });
  const other = await black.context().newPage();
  const areStored = [black, other].map(draftsOf);
  await Promise.all([black, other].map((page) => page.goto(`/game/${id}`)));
  await move(black, GAME.turns[2].slice(0, 2));
  const tos = GAME.turns[2].slice(0, 2).map((a) => a.split('-')[1]);
  await expect(cell(other, tos[1])).toHaveAccessibleName(/move 2 of this turn/);
  await isAnswered(other);
  for (let i = 0; i < 3; i += 1) {
    await Promise.all([
      black.getByRole('button', { name: 'Undo' }).evaluate((b) => b.click()),
      other.getByRole('button', { name: 'Restart' }).evaluate((b) => b.click()),
    ]);
    await Promise.all(areStored.map((isStored) => isStored()));
    await areEqual(black, other);
    // The server has the final draft. A reloaded page shows the beginning of the turn until it has heard it.
    await black.reload();
    const count = await areEqual(black, other);
    await move(black, GAME.turns[2].slice(/^move 1 /i.test(count) ? 0 : 1, 2));
    await expect(cell(other, tos[1])).toHaveAccessibleName(/move 2 of this turn/);
    await Promise.all(areStored.map((isStored) => isStored()));
  }
});

/** A function that waits until the server has answered every draft that a page has sent. */
function draftsOf(page) {
  const unanswered = new Set();
  page.on('websocket', (socket) => {
    socket.on('framesent', ({ payload }) => {
      const { type, command } = JSON.parse(payload);
      if (type === 'draft') unanswered.add(command);
    });
    socket.on('framereceived', ({ payload }) => unanswered.delete(JSON.parse(payload).command));
  });
  return () => expect.poll(() => unanswered.size).toBe(0);
}

/** Waits until two tabs have as many moves of the turn, and returns their words for it. */
async function areEqual(...pages) {
  const counts = () => Promise.all(pages.map((page) => page.locator('.count').innerText()));
  await expect(async () => expect(new Set(await counts()).size).toBe(1)).toPass();
  return (await counts())[0];
}

/** Waits until every request of a page is answered. */
const isAnswered = (page) => expect(page.locator('#strip')).not.toHaveClass(/waiting/);

test('bad ids and capitals', async ({ visitor, browser, server }) => {
  const [black, white] = [await visitor(), await visitor()];
  const id = await begin(black, white);
  await black.goto(`/game/${id.toUpperCase()}`);
  await expect(black.getByRole('heading', { name: YOUR_TURN })).toBeVisible();
  const context = await browser.newContext({ baseURL: server });
  const page = await context.newPage();
  for (const path of [
    '/game/not-an-id',
    '/replay/not-an-id',
    '/replay/01890a5d-ac96-774b-bcce-b302099a8057',
  ]) {
    await page.goto(path);
    await expect(page.getByRole('heading', { name: /There is no such game/ })).toBeVisible();
  }
  await context.close();
});

test('lobby after a first session that failed', async ({ browser, server }) => {
  const context = await browser.newContext({ baseURL: server });
  const page = await context.newPage();
  let failed = 0;
  await page.route('**/api/v1/session', (route) => (failed++ === 0 ? route.abort() : route.continue()));
  await page.goto('/');
  await expect.poll(() => failed).toBeGreaterThan(1);
  await expect(page.getByRole('tab', { name: /^Open rooms/ })).toBeVisible();
  await expect(page.locator('#notices .notice')).toHaveCount(0);
  await context.close();
});

test('a press that ends outside the board', async ({ visitor }) => {
  const [black, white] = [await visitor(), await visitor()];
  const id = await begin(black, white);
  await black.goto(`/game/${id}`);
  await pick(black, 'b7');
  await black.keyboard.press('Escape');
  const box = await cell(black, 'f6').boundingBox();
  await black.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await black.mouse.down();
  await black.mouse.move(3, 3);
  await black.mouse.up();
  await pick(black, 'b7');
});

for (const [device, way, options] of [
  ['with keys', 'Ctrl+C', {}],
  ['on a touch screen', 'hold it', { hasTouch: true, isMobile: true }],
])
  test(`copying without a clipboard, ${device}`, async ({ visitor }) => {
    const black = await visitor(options);
    await black.addInitScript(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
    await black.goto('/');
    await openRoom(black);
    await black.getByRole('button', { name: 'Create', exact: true }).click();
    await black.getByRole('button', { name: 'Copy link' }).click();
    const words = black.getByText(/^The link is selected/).first();
    await expect(words).toContainText(way);
    const field = black.getByLabel('Link to this game');
    expect(await field.evaluate((input) => [document.activeElement === input, input.selectionEnd])).toEqual([
      true,
      (await field.inputValue()).length,
    ]);
  });
