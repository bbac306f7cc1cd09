// Games on one device, without a server: against the computer, and two at one table.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import {
  PHONE,
  YOUR_TURN,
  cell,
  expect,
  isAccessible,
  movable,
  move,
  openTab,
  pick,
  send,
  test,
} from './towers.js';

/** A program that finds good turns, so that the games of these tests are short. */
const SEARCH = fileURLToPath(new URL('../../engine/search/wasm/tests/answers.mjs', import.meta.url));

/** The address of the search. */
const SEARCH_FILE = /\/search[\w-]*\.wasm$/;

const thinking = (page) => page.getByText('The computer is thinking…');
const result = (page) => page.getByRole('heading', { name: /^(You|Black|White) (won|lost)$|^Draw$/ });

/** Begins a game on the device: the players are `A person` or the computer. */
async function begin(page, ruleset, first, second) {
  await page.goto('/table');
  await setUp(page, ruleset, first, second);
}

async function setUp(page, ruleset, first, second) {
  await page.getByRole('combobox', { name: 'Game', exact: true }).selectOption(ruleset);
  await page.getByRole('combobox', { name: /who goes first$/ }).selectOption(first);
  await page.locator('select[name="second"]').selectOption(second);
  await page.getByRole('button', { name: 'Start the game' }).click();
  await expect(page.locator('#setup form')).toBeHidden();
}

/** The game as the device has kept it. */
const kept = (page) => page.evaluate(() => JSON.parse(localStorage.getItem('local game')));

/** A turn for the side to move. */
async function goodTurn(page) {
  const { ruleset, turns } = await kept(page);
  const played = turns.map((actions) => ({ card: null, actions }));
  const question = { ruleset, start: null, turns: played, card: null, level: 8, seed: 1, lines: 1 };
  const input = JSON.stringify({ name: 'search', question: { ...question, nodes: 3000 } });
  const { turn } = JSON.parse(execFileSync('node', [SEARCH], { input }).toString());
  return turn.filter((action) => action !== 'end');
}

/** Makes the moves of a turn, each of which the board offers, and plays it. */
async function playTurn(page, actions) {
  for (const action of actions) {
    const offered = page.locator(`#legal option[value="${action}"]`);
    await expect(offered, `${action} is legal`).toHaveCount(1);
    await move(page, [action]);
  }
  await send(page);
}

test('a whole game is played against the computer while there is no connection', async ({ visitor }) => {
  test.slow();
  const page = await visitor();
  await begin(page, 'fibonacci-mixed', 'A person', 'The computer, level 1');
  // The search is loaded with the computer's first turn.
  await playTurn(page, await goodTurn(page));
  await expect(page.getByRole('heading', { name: YOUR_TURN })).toBeVisible();
  await page.context().setOffline(true);
  const isOver = async () => (await result(page).count()) > 0;
  while (!(await isOver())) {
    await playTurn(page, await goodTurn(page));
    await expect(page.getByRole('heading', { name: YOUR_TURN }).or(result(page))).toBeVisible();
  }
  await expect(page.getByRole('heading', { name: 'You won' })).toBeVisible();
  await expect(page.getByText('White’s centre is surrounded.', { exact: true })).toBeVisible();

  // The record is one that the server accepts.
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download the record' }).first().click(),
  ]);
  const record = readFileSync(await download.path(), 'utf8');
  expect(record).toContain('second: The computer, level 1\n');
  await page.context().setOffline(false);
  const answer = await page.request.post('/api/v1/records/check', {
    headers: { 'content-type': 'text/plain' },
    data: record,
  });
  expect(answer.ok(), await answer.text()).toBe(true);

  // The turns are explained on the analysis board.
  await page.getByRole('button', { name: 'Analyse' }).click();
  await openTab(page, 'Review');
  await page.getByRole('button', { name: 'Evaluate all turns' }).click();
  await expect(page.getByText('All turns are evaluated.')).toBeVisible();
});

test('frames are drawn while the computer thinks', async ({ visitor }) => {
  const page = await visitor();
  await page.addInitScript(() => {
    const order = [];
    window.order = order;
    const { postMessage } = Worker.prototype;
    Worker.prototype.postMessage = function (message, ports) {
      postMessage.call(this, message, ports);
      if (typeof message === 'string') return;
      order.push('asked');
      const draw = () => {
        if (order.at(-1) === 'answered') return;
        order.push('frame');
        requestAnimationFrame(draw);
      };
      requestAnimationFrame(draw);
    };
    // The answer comes through the port that the page has kept.
    window.MessageChannel = class extends MessageChannel {
      constructor() {
        super();
        this.port1.addEventListener('message', () => order.push('answered'), { once: true });
      }
    };
  });
  await begin(page, 'crossfire', 'A person', 'The computer, level 8');
  await playTurn(page, ['a5-b4']);
  await page.waitForFunction(() => window.order.includes('answered'));
  const order = await page.evaluate(() => window.order);
  expect(order[0]).toBe('asked');
  expect(order.indexOf('answered'), 'frames between the question and the answer').toBeGreaterThan(3);
  await expect(page.getByRole('heading', { name: YOUR_TURN })).toBeVisible();
  expect((await kept(page)).turns).toHaveLength(2);
});

test('a turn is taken back while the computer thinks, and its search is stopped', async ({ visitor }) => {
  const page = await visitor();
  // A search that has not been loaded thinks for as long as the test needs.
  let isHeld = true;
  await page.route(SEARCH_FILE, (route) => (isHeld ? undefined : route.continue()));
  await begin(page, 'crossfire', 'A person', 'The computer, level 1');
  await page.evaluate(() => {
    window.stopped = 0;
    const { terminate } = Worker.prototype;
    Worker.prototype.terminate = function () {
      window.stopped += 1;
      terminate.call(this);
    };
  });
  await playTurn(page, ['a5-b4']);
  await expect(thinking(page)).toBeVisible();
  const before = await cell(page, 'a5').boundingBox();
  await page.getByRole('button', { name: 'Flip board' }).click();
  expect(await cell(page, 'a5').boundingBox(), 'the page goes on').not.toEqual(before);
  await page.getByRole('button', { name: 'Take the last turn back' }).click();
  await expect(page.getByRole('heading', { name: YOUR_TURN })).toBeVisible();
  expect((await kept(page)).turns).toEqual([]);
  expect(await page.evaluate(() => window.stopped)).toBe(1);
  isHeld = false;
  await playTurn(page, ['a5-b6']);
  await expect(page.getByRole('heading', { name: YOUR_TURN })).toBeVisible();
  expect((await kept(page)).turns).toHaveLength(2);
});

test('two at one table move both sides, take a turn back, and go on after a reload', async ({ visitor }) => {
  const page = await visitor();
  await begin(page, 'fibonacci', 'A person', 'A person');
  const toMove = (side) => expect(page.getByRole('heading', { name: `${side} to move` })).toBeVisible();
  await toMove('Black');
  await isAccessible(page, 'a game on this device');
  await playTurn(page, ['b7-c7']);
  await toMove('White');
  await move(page, ['j5-i5']);
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect(cell(page, 'j5')).toHaveAttribute('aria-selected');
  await move(page, ['j5-i5']);
  await page.getByRole('button', { name: 'Restart', exact: true }).click();
  await playTurn(page, ['j5-i5', 'i5-h5']);
  await toMove('Black');
  await page.getByRole('button', { name: 'Take the last turn back' }).click();
  await toMove('White');
  await expect(page.locator('#turns')).not.toContainText('i5-h5');
  await playTurn(page, ['j5-i5', 'i5-j5']);
  await toMove('Black');

  await page.reload();
  await toMove('Black');
  await expect(page.locator('#turns')).toContainText('i5-j5');
  await expect(movable(page)).not.toHaveCount(0);
  await page.getByRole('link', { name: 'b7-c7' }).click();
  await expect(page.getByRole('heading', { name: 'Earlier position' })).toBeVisible();
  await page.getByRole('button', { name: 'Back to now' }).click();
  await toMove('Black');

  await page.getByRole('button', { name: 'Resign' }).click();
  await expect(page.getByText('Resign for Black?')).toBeVisible();
  await page.getByRole('button', { name: 'Yes, resign' }).click();
  await expect(page.getByRole('heading', { name: 'White won' })).toBeVisible();
  await page.getByRole('button', { name: 'New game' }).first().click();
  await page.getByRole('button', { name: 'Back to the game' }).click();
  await expect(page.getByRole('heading', { name: 'White won' })).toBeVisible();
});

test('the cards of a game are drawn on the device, and stay the same after a reload', async ({ visitor }) => {
  const page = await visitor();
  await begin(page, 'fibonacci-cards', 'The computer, level 2', 'A person');
  await expect(page.getByRole('heading', { name: YOUR_TURN })).toBeVisible();
  const { cards, turns } = await kept(page);
  expect(cards).toHaveLength(2);
  expect(turns).toHaveLength(1);
  const card = page.locator('#strip').getByRole('img');
  await expect(card).toHaveAccessibleName(`Card ${cards[1][1]}`);
  await page.reload();
  await expect(card).toHaveAccessibleName(`Card ${cards[1][1]}`);
  expect((await kept(page)).cards).toEqual(cards);
});

test('without the search the game waits, and goes on when it is there', async ({ visitor }) => {
  const page = await visitor();
  let isCut = true;
  const broken = { contentType: 'application/wasm', body: 'not there' };
  await page.route(SEARCH_FILE, (route) => (isCut ? route.fulfill(broken) : route.continue()));
  await page.goto('/table');
  await page.evaluate(() => {
    console.warn = () => {};
  });
  await setUp(page, 'crossfire', 'A person', 'The computer, level 1');
  await playTurn(page, ['a5-b4']);
  await expect(page.getByText('The computer could not be loaded.').first()).toBeVisible();
  isCut = false;
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { name: YOUR_TURN })).toBeVisible();
});

for (const [locale, colorScheme] of [
  ['en-GB', 'dark'],
  ['fr-FR', 'light'],
]) {
  test(`the page is reached from the lobby and accessible on a phone (${locale})`, async ({ visitor }) => {
    const page = await visitor({ locale, colorScheme, viewport: PHONE, reducedMotion: 'reduce' });
    await page.goto('/');
    await page.locator('a[href="/table"]').click();
    await expect(page.locator('#setup select').first()).toBeVisible();
    await isAccessible(page, 'the form of a game on this device');
    await page.locator('#setup .primary').click();
    await pick(page, 'b7');
    await isAccessible(page, 'a piece picked');
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  });
}

test('the form of a game loads no engine before a visitor turns to it', async ({ visitor }) => {
  const page = await visitor();
  const asked = [];
  page.on('request', (request) => /\/engine[\w-]*\.wasm$/.test(request.url()) && asked.push(request.url()));
  await page.goto('/table');
  const start = page.getByRole('button', { name: 'Start the game' });
  await expect(start).toBeVisible();
  await page.waitForLoadState('networkidle');
  expect(asked).toEqual([]);
  await start.press('Enter');
  await expect(page.getByRole('heading', { name: YOUR_TURN })).toBeVisible();
  expect(asked).toHaveLength(1);
  // The game that is kept comes with its engine, and the form is not shown first.
  await page.reload();
  await expect(page.getByRole('heading', { name: YOUR_TURN })).toBeVisible();
});
