// The main journeys in Firefox: a game by link, two at one table, a replay, the board of the lobby, the other language.

import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { GAME } from '../game.js';
import { isAt, move, openFirefox, playTurn, press, see, seeCell } from './firefox.js';

/** @type {Awaited<ReturnType<typeof openFirefox>>} */
let firefox;

before(async () => {
  firefox = await openFirefox();
});
after(() => firefox?.close());
afterEach(() =>
  assert.deepEqual(firefox.complaints.splice(0), [], 'no error, no warning, no report of the policy'),
);

test('a room by link is made, joined and played in, one side resigns, and the game is replayed', async () => {
  const black = await firefox.visitor();
  await press(black, /^A friend/);
  await see(black, 'dialog', /Play a friend/);
  await press(black, /^Black/, 'dialog label');
  await press(black, /^Create$/, 'dialog button');
  await see(black, 'h2', /^Waiting for an opponent/);
  const link = new URL(await black.$eval('#link', ({ value }) => value));

  const white = await firefox.visitor(link.pathname);
  for (const [index, actions] of GAME.turns.slice(0, 3).entries())
    await playTurn([black, white][index % 2], /^Your turn/, actions);
  const [, to] = GAME.turns[2].at(-1).split('-');
  await seeCell(white, new RegExp(`^${to}\\b.*black`));
  await press(white, /^Resign/);
  await press(white, /^Yes, resign/);
  await see(white, 'h2', /^You lost/);
  await see(black, 'h2', /^You won/);

  await press(black, /^Review$/);
  await isAt(black, /^\/replay\//);
  await see(black, 'h1', /^Fibonacci/);
  await press(black, /^Go to start/);
  await see(black, '#status', /Start position/);
  await press(black, /^Next move/);
  await isAt(black, /#1\.1$/);
  await press(black, /^Go to end/);
  await isAt(black, new RegExp(`#3\\.${GAME.turns[2].length}$`));
});

test('two play at one table, take a turn back, and resign', async () => {
  const page = await firefox.visitor();
  await press(page, /^Two on one screen/);
  await isAt(page, /^\/table/);
  await page.select('select[name="second"]', '0');
  await press(page, /^Start the game/);
  await playTurn(page, /^Black to move/, GAME.turns[0]);
  await playTurn(page, /^White to move/, GAME.turns[1]);
  await see(page, 'h2', /^Black to move/);
  await press(page, /^Take the last turn back/);
  await playTurn(page, /^White to move/, GAME.turns[1]);
  await see(page, 'h2', /^Black to move/);
  await press(page, /^Resign/);
  await press(page, /^Yes, resign/);
  await see(page, 'h2', /^White won/);
});

test('an example game is watched, by buttons and by keys', async () => {
  const page = await firefox.visitor();
  await press(page, /^Example game: Focus/);
  await isAt(page, /^\/example\/focus/);
  await see(page, '#status', /Start position/);
  await page.keyboard.press('ArrowRight');
  await isAt(page, /#1\.1$/);
  await press(page, /^Go to end/);
  await see(page, 'h2', /won$|^Draw/);
});

test('the board of the lobby is won in three moves, in the visitor’s language', async () => {
  const page = await firefox.visitor();
  await move(page, ['e7-e6', 'h7-g6', 'f4-e5']);
  await see(page, 'h2', /^That is how Fibonacci is won/);
  await seeCell(page, /^f6\b.*attacked from/);
  await press(page, /^Français/);
  await see(page, 'html[lang="fr"] h1', /^Quatre jeux/);
  await press(page, /^Règles/, 'nav a');
  await isAt(page, /^\/rules\/fibonacci/);
  await see(page, 'html[lang="fr"] h1', /Fibonacci/);
});
