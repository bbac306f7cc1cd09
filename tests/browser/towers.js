// Fixtures of the tests: a server of their own, people with browsers of their own, and a game to play.

import AxeBuilder from '@axe-core/playwright';
import { test as base, expect } from '@playwright/test';
import { GAME } from './game.js';
import { startServer } from './server.js';

export { GAME, expect };

export const DESKTOP = { width: 1280, height: 800 };
export const PHONE = { width: 360, height: 640 };

export const test = base.extend({
  // A server on a free port and an empty database, for all tests of a worker.
  started: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from this pattern.
    async ({}, use) => {
      const started = await startServer();
      await use(started);
      await started.stop();
    },
    { scope: 'worker' },
  ],

  // Its address.
  server: [async ({ started }, use) => use(started.address), { scope: 'worker' }],

  // A visitor with a browser of their own. Complaints of their pages fail the test.
  visitor: async ({ browser, server }, use) => {
    const contexts = [];
    const complaints = [];
    await use(async ({ confirms = 'always', forgives = /(?!)/, ...options } = {}) => {
      const context = await browser.newContext({
        baseURL: server,
        viewport: DESKTOP,
        locale: 'en-GB',
        ...options,
      });
      contexts.push(context);
      // Tests confirm every turn, except those of turns that need no confirmation.
      // A sandboxed frame, whose origin is `null`, has no storage.
      await context.addInitScript((value) => {
        const mayStore = location.protocol === 'http:' && window.origin !== 'null';
        if (mayStore && localStorage.getItem('preference confirm') === null)
          localStorage.setItem('preference confirm', value);
      }, confirms);
      const page = await context.newPage();
      page.on('pageerror', (error) => complaints.push(`${page.url()}: ${error.stack}`));
      page.on('console', (message) => {
        // A refused request is an expected answer; the browser complains of it all the same.
        const { url } = message.location();
        const isRefusal =
          /status of 4\d\d/.test(message.text()) && (url.includes('/api/v1/') || url === page.url());
        // On a slow machine a preloaded font is used late, and an attempt to connect is abandoned and repeated.
        const isSlow = /preloaded using link preload but not used|closed before the connection is/.test(
          message.text(),
        );
        // Browsers of tests have no service workers, unless they are asked for, and no push service.
        const isMissing = /Service Worker registration blocked|support the Push API in incognito/.test(
          message.text(),
        );
        const isForgiven = isRefusal || isSlow || isMissing || forgives.test(message.text());
        if (['error', 'warning'].includes(message.type()) && !isForgiven)
          complaints.push(`${page.url()}: ${message.text()}`);
      });
      await page.addInitScript(() => {
        addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) =>
          console.error(`policy: ${violatedDirective} ${blockedURI} ${sample}`),
        );
      });
      return page;
    });
    // Pages that stay open listen to the lobby and slow down the tests that follow.
    await Promise.all(contexts.map(leave));
    expect(complaints, 'no error, no warning, no report of the policy').toEqual([]);
  },
});

/** Closes a browser; requests that its tests have changed may still be under way. */
async function leave(context) {
  for (const page of context.pages()) await page.unrouteAll({ behavior: 'ignoreErrors' });
  await context.unrouteAll({ behavior: 'ignoreErrors' });
  await context.close();
}

/** The password of the accounts that tests make. */
export const PASSWORD = 'quartz violin marmalade';

/** Makes an account of the visitor of a page without the way through the dialogs. */
export async function account(page, name) {
  const made = await post(page, '/api/v1/account', { name, password: PASSWORD });
  return made.json();
}

/** A game between two pages without the way through the lobby; the first page plays Black.
 * @returns {Promise<string>} its id
 */
export async function begin(first, second, { turns = 0, ...wish } = {}) {
  const room = { ruleset: 'fibonacci', seat: 'first', visibility: 'public', ...wish };
  if (turns > 0) await Promise.all([first, second].map(onAnyPage));
  const made = await post(first, '/api/v1/rooms', room);
  const { id } = await made.json();
  await post(second, `/api/v1/rooms/${id}/join`);
  for (const [index, actions] of GAME.turns.slice(0, turns).entries()) {
    await playUnseen(index % 2 === 0 ? first : second, id, actions);
  }
  return id;
}

/** Every page but that of a game under way, by a name: its address, and what is there once it has come up.
 * @param {string} over the id of a finished game
 */
export const pagesWith = (over) => ({
  lobby: ['/', '.opponent'],
  result: [`/game/${over}`, '.result'],
  replay: [`/replay/${over}#5.3`, '.controls button'],
  games: ['/games', '.row'],
  turns: ['/turns', '#games a'],
  inbox: ['/inbox', '#notices .empty'],
  import: ['/import', 'textarea'],
  table: ['/table', '#setup select'],
  analysis: ['/analysis', '.opinion'],
  puzzles: ['/puzzles', '[role="gridcell"]'],
  lessons: ['/learn', '.small-board svg'],
  lesson: ['/learn/crossfire#9', '[role="gridcell"]'],
  rules: ['/rules/crossfire', '.board-live'],
  missing: ['/no/such/page', '.top nav'],
});

/** Opens the dialog of a room that everybody can join. */
export async function openRoom(page) {
  await page.getByRole('button', { name: /^(Anyone|Un joueur en ligne)/ }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^(Create a room|Créer une partie)$/ })
    .click();
  await expect(page.getByRole('dialog').locator('select[name="ruleset"]')).toBeFocused();
}

/** Opens the dialog of a room for a friend, who gets a link. */
export const openFriend = (page) => page.getByRole('button', { name: /^(A friend|Un ami)/ }).click();

/** Opens the dialog of a game against the computer. */
export const openComputer = (page) =>
  page.getByRole('button', { name: /^(The computer|L’ordinateur)/ }).click();

/** Opens the dialog with the clocks that others can pick too. */
export const openPools = (page) => page.getByRole('button', { name: /^(Anyone|Un joueur en ligne)/ }).click();

async function post(page, path, data) {
  await page.request.post('/api/v1/session');
  const response = await page.request.post(path, { data });
  expect(response.ok(), await response.text()).toBe(true);
  return response;
}

const onAnyPage = (page) => page.url() === 'about:blank' && page.goto('/rules/fibonacci');

/** Plays a turn over a socket of its own, as another tab of the player would. */
export async function playUnseen(page, game, actions) {
  await onAnyPage(page);
  const answer = await page.evaluate(
    ([game, actions]) =>
      new Promise((resolve) => {
        const socket = new WebSocket(`ws://${location.host}/ws`);
        const send = (message) => socket.send(JSON.stringify(message));
        let isSent = false;
        socket.onopen = () => send({ type: 'watch', game, version: 0 });
        socket.onmessage = ({ data }) => {
          const message = JSON.parse(data);
          if (message.type === 'events' && !isSent) {
            isSent = true;
            const { version } = message;
            send({ type: 'turn', command: crypto.randomUUID(), game, version, actions });
          } else if (message.command) {
            socket.close();
            resolve(message);
          }
        };
      }),
    [game, actions],
  );
  expect(answer.type, JSON.stringify(answer)).toBe('ack');
}

/** Opens a part of a page with a board by its tab. */
export const openTab = (page, name) => page.getByRole('tab', { name }).click();

/** Unfolds the tools that stand behind a button in a wide window. */
export const unfold = (page) => page.locator('.unfold').click();

export const cell = (page, name) => page.getByRole('gridcell', { name: new RegExp(`^${name}\\b`) });

/** The cells of the pieces that can move now: none before the server has sent the legal actions. */
export const movable = (page) => page.locator('[role="gridcell"][aria-selected]');

const isPicked = async (piece) => (await piece.getAttribute('aria-selected')) === 'true';
const click = (element) => element.click();

/**
 * Chooses a piece as soon as it can move. On a busy machine a press may take so long that it counts as a long press. It
 * is then repeated, here and in every other press on a board.
 */
export async function pick(page, from, press = click) {
  const piece = cell(page, from);
  await expect(async () => {
    await expect(piece).toHaveAttribute('aria-selected');
    if (!(await isPicked(piece))) await press(piece);
    expect(await isPicked(piece)).toBe(true);
  }).toPass();
}

/** Makes some moves of a turn, without confirming it. */
export async function move(page, actions, press = click) {
  for (const action of actions) {
    const [from, to] = action.split(/[-+~]/);
    await pick(page, from, press);
    await expect(async () => {
      if (await isPicked(cell(page, from))) await press(cell(page, to));
      expect(await isPicked(cell(page, from))).toBe(false);
    }).toPass();
  }
}

/** Makes some actions of any game, without confirming the turn. */
export async function act(page, actions) {
  for (const action of actions) {
    if (action.startsWith('*')) await drop(page, action.slice(1));
    else if (action.includes('x')) await capture(page, action.split('x'));
    else await move(page, [action]);
  }
}

async function drop(page, to) {
  // The reserve is a button as soon as one of its men may be dropped.
  const tray = page.getByRole('button', { name: /^Reserve/ });
  const picked = tray.and(page.locator('[aria-pressed="true"]'));
  await tray.click();
  await expect(picked).toBeVisible();
  await expect(async () => {
    if ((await picked.count()) === 1) await cell(page, to).click();
    expect(await picked.count()).toBe(0);
  }).toPass();
}

/** Jumps from landing square to landing square; the board goes on by itself where there is nothing to choose. */
async function capture(page, [from, ...landings]) {
  await pick(page, from);
  const standing = page.locator('[role="gridcell"][aria-selected="true"]');
  while ((await standing.count()) === 1) {
    const [at] = await namesOf(standing);
    await cell(page, landings[landings.indexOf(at) + 1]).click();
  }
}

/** The names of cells in alphabetical order. */
export const namesOf = async (cells) =>
  (await cells.evaluateAll((all) => all.map((one) => one.getAttribute('aria-label').split(',')[0]))).sort();

/** Confirms the turn, or ends it early, and waits for the turn of the other side. */
export async function confirm(page, press = click) {
  await send(page, press);
  await expect(page.getByRole('heading', { name: YOUR_TURN })).toBeHidden();
}

/** Presses the button that sends the turn. A press right after a move counts as a slip: press again. */
export async function send(page, press = click) {
  const button = page
    .getByRole('button', { name: /^(Confirm turn|End turn|Valider le tour|Finir le tour)/ })
    .and(page.locator('[aria-disabled="false"]'));
  await expect(async () => {
    await press(button);
    // Once it is taken the button can no longer be pressed, or is gone with the game.
    expect(await button.count()).toBe(0);
  }).toPass({ intervals: [100] });
}

export const YOUR_TURN = /^(Your turn|À vous de jouer)$/;

/** Offers a draw, and confirms it. */
export async function offerDraw(page) {
  await page.getByRole('button', { name: /^(Offer a draw|Proposer la nulle)…$/ }).click();
  await page.getByRole('button', { name: /^(Yes, offer|Oui, proposer)$/ }).click();
}

/** Waits for the turn of the player of a page, and plays it by clicks. */
export async function play(page, actions) {
  await expect(page.getByRole('heading', { name: YOUR_TURN })).toBeVisible();
  await move(
    page,
    actions.filter((action) => action !== 'end'),
  );
  await confirm(page);
}

/** Records what moves on each page loaded from now on: the element, where it was and where it is. */
export const recordShifts = (page) =>
  page.addInitScript(() => {
    window.shifts = [];
    const place = ({ x, y, width, height }) => `${x},${y} ${width}×${height}`;
    new PerformanceObserver((list) => {
      for (const { value, sources } of list.getEntries()) {
        const moved = sources.map(({ node, previousRect, currentRect }) => {
          const element = node instanceof Element ? node : node?.parentElement;
          return `${element?.outerHTML.slice(0, 60)} ${place(previousRect)} → ${place(currentRect)}`;
        });
        window.shifts.push({ value, moved });
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });

/** The layout shift of a page, as the browser scores it, and what moved. */
export async function shiftOf(page) {
  const shifts = await page.evaluate(() => window.shifts);
  return { score: shifts.reduce((sum, { value }) => sum + value, 0), moved: JSON.stringify(shifts) };
}

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Asserts that axe finds nothing on a page, doubts about target sizes included. */
export async function isAccessible(page, what) {
  // Without frames of other origins and without a list of passed checks, this takes a quarter of the time.
  const axe = new AxeBuilder({ page }).options({
    resultTypes: ['violations', 'incomplete'],
    // It would fetch imported stylesheets and write them into the page, against the page's policy.
    preload: false,
  });
  const { violations, incomplete } = await axe.withTags(TAGS).setLegacyMode(true).analyze();
  const doubts = incomplete.filter(({ id }) => id === 'target-size');
  const found = [...violations, ...doubts].map(({ id, nodes }) => ({
    id,
    nodes: nodes.map(({ html }) => html),
  }));
  expect(found, what).toEqual([]);
}
