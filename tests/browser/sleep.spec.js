// Devices that sleep and clocks that are wrong: a page shows the server's time all the same.

import { startRelay } from './relay.js';
import { GAME, YOUR_TURN, begin, expect, playUnseen, test } from './towers.js';

const CLOCK = { kind: 'real_time', base_s: 600, bonus_s: 0, bonus: 'per_turn' };
const TERMS = { clock: CLOCK, watching: 'everybody', drafts: 'shown', delay: 0 };

const yourTurn = (page) => page.getByRole('heading', { name: YOUR_TURN });

/** A game with a clock after its first turns, which the page of Black shows. */
async function shown(black, white, turns) {
  const id = await begin(black, white, { visibility: 'link', terms: TERMS, turns });
  await black.goto(`/game/${id}`);
  await hasClocks(black, id);
  return id;
}

/** The time left to each side as the server has it, in seconds. */
async function leftOf(page, id) {
  const answer = await page.request.get(`/api/v1/games/${id}`);
  const { first_ms, second_ms } = (await answer.json()).present.clock;
  return { black: first_ms / 1_000, white: second_ms / 1_000 };
}

/** The time left to each side as a page of Black shows it, in seconds. */
async function shownLeft(page) {
  const [white, black] = await page.locator('.clock .time').allInnerTexts();
  const seconds = (text) => text.split(':').reduce((sum, part) => 60 * sum + Number(part), 0);
  return { black: seconds(black), white: seconds(white) };
}

/** Asserts that a page shows both clocks as the server has them. */
const hasClocks = (page, id, timeout = 60_000) =>
  expect(async () => {
    const [here, there] = [await shownLeft(page), await leftOf(page, id)];
    for (const side of ['black', 'white'])
      expect(Math.abs(here[side] - there[side]), `${side}, in seconds`).toBeLessThan(1.6);
  }).toPass({ timeout, intervals: [100] });

/** Has the steady clock of a page's browser stand still as long as `frozen` is set. */
const withStandingClock = (page) =>
  page.addInitScript(() => {
    const real = performance.now.bind(performance);
    window.lostMs = 0;
    performance.now = () => real() - window.lostMs;
  });

/** Puts a page to sleep: none of its tasks runs.
 * @returns its way back, with the milliseconds for which its steady clock is to have stood still
 */
async function asleep(page) {
  const client = await page.context().newCDPSession(page);
  await client.send('Debugger.enable');
  const paused = new Promise((resolve) => client.once('Debugger.paused', resolve));
  await client.send('Debugger.pause');
  const [{ callFrameId }] = (await paused).callFrames;
  return async (lostMs = 0) => {
    await client.send('Debugger.evaluateOnCallFrame', {
      callFrameId,
      expression: `globalThis.lostMs = ${lostMs}`,
    });
    await client.send('Debugger.resume');
    await client.send('Debugger.disable');
  };
}

/** Waits until the time of Black has run for some seconds more, by the server's clock. */
async function blackThinks(page, id, seconds) {
  const { black } = await leftOf(page, id);
  await expect
    .poll(async () => black - (await leftOf(page, id)).black, { timeout: 30_000 })
    .toBeGreaterThan(seconds);
}

for (const [how, lostMs] of [
  ['with its steady clock going on', 0],
  ['with its steady clock standing still', 5_000],
]) {
  test(`a page that was frozen ${how} shows board and clocks right when it runs again`, async ({
    visitor,
  }) => {
    const [black, white] = [await visitor(), await visitor()];
    await withStandingClock(black);
    const id = await shown(black, white, 3);
    const awake = await asleep(black);
    await playUnseen(white, id, GAME.turns[3]);
    await blackThinks(white, id, 5);
    await awake(lostMs);
    // A second, and two for a busy machine.
    await hasClocks(black, id, 3_000);
    await expect(yourTurn(black)).toBeVisible();
    await expect(black.locator('#turns')).toContainText(GAME.turns[3][0]);
  });
}

test('a page whose line died while it was frozen has the turn and the clocks within seconds', async ({
  visitor,
  server,
}) => {
  const relay = await startRelay(server);
  const [black, white] = [await visitor({ baseURL: relay.address }), await visitor()];
  const id = await shown(black, white, 3);
  const awake = await asleep(black);
  relay.swallow();
  await playUnseen(white, id, GAME.turns[3]);
  await blackThinks(white, id, 3);
  await awake();
  // Three seconds, and two for a busy machine; the silence of a line is borne for nine.
  await expect(yourTurn(black)).toBeVisible({ timeout: 5_000 });
  await hasClocks(black, id);
  // Its page would go on connecting.
  await black.close();
  relay.stop();
});

/** A visitor whose device's clock is wrong. */
async function wrong(visitor, minutes) {
  const page = await visitor();
  await page.addInitScript((ms) => {
    const real = Date.now;
    Date.now = () => real() + ms;
  }, minutes * 60_000);
  return page;
}

for (const minutes of [-5, 5]) {
  const how = minutes < 0 ? 'slow' : 'fast';
  test(`a device that is five minutes ${how} tells when a turn is due, and both clocks`, async ({
    visitor,
  }) => {
    const [black, white] = [await wrong(visitor, minutes), await visitor()];
    await shown(black, white, 2);
    await black.goto('/');
    await black.getByRole('tab', { name: /^My games/ }).click();
    const row = black.getByRole('tabpanel').getByRole('listitem');
    await expect(row).toContainText(/9\smins?\sleft/);
  });
}

test('the puzzle of the day is that of the server’s day', async ({ visitor }) => {
  const [early, right] = [await wrong(visitor, -24 * 60), await visitor()];
  const cellsOf = async (page) => {
    await page.goto('/puzzles');
    await expect(page.getByRole('heading', { level: 1, name: 'Puzzle of the day' })).toBeVisible();
    await expect(page.getByRole('grid')).toBeVisible();
    return page
      .getByRole('gridcell')
      .evaluateAll((cells) => cells.map((one) => one.getAttribute('aria-label')));
  };
  expect(await cellsOf(early)).toEqual(await cellsOf(right));
});
