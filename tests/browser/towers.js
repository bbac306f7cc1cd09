// What the tests share: a server of their own, people with browsers of their own, and a game to play.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test as base, expect } from '@playwright/test';

export { expect };

/** A whole game of `fibonacci`, from the engine's tests. */
export const GAME = JSON.parse(
  readFileSync(new URL('../../engine/tests/games/fibonacci.json', import.meta.url), 'utf8'),
);

export const DESKTOP = { width: 1280, height: 800 };
export const PHONE = { width: 360, height: 640 };

export const test = base.extend({
  // A server on a free port and an empty database, for all tests of a worker.
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from this pattern.
    async ({}, use) => {
      const directory = mkdtempSync(join(tmpdir(), 'towers-browser-'));
      const options = [
        '--listen',
        '127.0.0.1:0',
        '--database-url',
        `sqlite://${join(directory, 'towers.db')}`,
      ];
      const server = spawn(process.env.TOWERS_BIN, options, { stdio: ['ignore', 'pipe', 'ignore'] });
      const [line] = await once(createInterface(server.stdout), 'line');
      await use(line.replace('Towers is at ', ''));
      server.kill('SIGTERM');
      await once(server, 'exit');
      rmSync(directory, { recursive: true });
    },
    { scope: 'worker' },
  ],

  // Somebody with a browser of their own. What their pages complain of fails the test.
  visitor: async ({ browser, server }, use) => {
    const complaints = [];
    await use(async (options = {}) => {
      const context = await browser.newContext({
        baseURL: server,
        viewport: DESKTOP,
        locale: 'en-GB',
        ...options,
      });
      const page = await context.newPage();
      page.on('pageerror', (error) => complaints.push(`${page.url()}: ${error.stack}`));
      page.on('console', (message) => {
        // What the server refuses it tells who asked; the browser complains of it all the same.
        const isRefusal = /status of 4\d\d/.test(message.text()) && message.location().url.includes('/api/');
        if (['error', 'warning'].includes(message.type()) && !isRefusal)
          complaints.push(`${page.url()}: ${message.text()}`);
      });
      await page.addInitScript(() => {
        addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) =>
          console.error(`policy: ${violatedDirective} ${blockedURI} ${sample}`),
        );
      });
      return page;
    });
    expect(complaints, 'no error, no warning, no report of the policy').toEqual([]);
  },
});

/** A game between two pages without the way through the lobby; the first page plays Black.
 * @returns {Promise<string>} its id
 */
export async function begin(first, second, { ruleset = 'fibonacci', turns = 0 } = {}) {
  const made = await post(first, '/api/rooms', { ruleset, seat: 'first', visibility: 'public' });
  const { id } = await made.json();
  await post(second, `/api/rooms/${id}/join`);
  for (const [index, actions] of GAME.turns.slice(0, turns).entries()) {
    await playUnseen(index % 2 === 0 ? first : second, id, actions);
  }
  return id;
}

async function post(page, path, data) {
  await page.request.post('/api/session');
  const response = await page.request.post(path, { data });
  expect(response.ok(), await response.text()).toBe(true);
  return response;
}

/** Plays a turn over a socket of its own, as another tab of the player would. */
async function playUnseen(page, game, actions) {
  if (page.url() === 'about:blank') await page.goto('/rules/fibonacci');
  const answer = await page.evaluate(
    ([game, actions]) =>
      new Promise((resolve) => {
        const socket = new WebSocket(`ws://${location.host}/ws`);
        const send = (message) => socket.send(JSON.stringify(message));
        socket.onopen = () => send({ type: 'watch', game, version: 0 });
        socket.onmessage = ({ data }) => {
          const message = JSON.parse(data);
          if (message.type === 'snapshot') {
            send({
              type: 'turn',
              command: crypto.randomUUID(),
              game,
              version: message.present.version,
              actions,
            });
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

export const cell = (page, name) => page.getByRole('gridcell', { name: new RegExp(`^${name}\\b`) });

/** Chooses a piece. While the server has not said what is legal, a press only says so: press again. */
export async function pick(page, from) {
  const piece = cell(page, from);
  await expect(async () => {
    if ((await piece.getAttribute('aria-selected')) !== 'true') await piece.click();
    await expect(piece).toHaveAttribute('aria-selected', 'true', { timeout: 1_000 });
  }).toPass();
}

/** Makes some moves of a turn by clicks, without confirming it. */
export async function move(page, actions) {
  for (const action of actions) {
    const [from, to] = action.split('-');
    await pick(page, from);
    await cell(page, to).click();
    await expect(cell(page, from)).not.toHaveAttribute('aria-selected', 'true');
  }
}

/** Confirms the turn, or ends it early. A press right after a move counts as a slip: press again. */
export async function confirm(page, name = /^(Confirm turn|End turn|Valider le tour|Finir le tour)/) {
  const button = page.getByRole('button', { name });
  await expect(async () => {
    await button.click({ timeout: 1_000 });
    await expect(page.getByRole('heading', { name: YOUR_TURN })).toBeHidden({ timeout: 1_000 });
  }).toPass();
}

export const YOUR_TURN = /^(Your turn|À vous de jouer)$/;

/** Waits for the turn of the player of a page, and plays it by clicks. */
export async function play(page, actions) {
  await expect(page.getByRole('heading', { name: YOUR_TURN })).toBeVisible();
  await move(
    page,
    actions.filter((action) => action !== 'end'),
  );
  await confirm(page);
}
