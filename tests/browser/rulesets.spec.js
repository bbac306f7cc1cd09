// Every ruleset from the lobby to its replay, by clicks.

import { readFileSync } from 'node:fs';
import {
  YOUR_TURN,
  act,
  cell,
  confirm,
  expect,
  isAccessible,
  movable,
  namesOf,
  openRoom,
  pick,
  test,
  unfold,
} from './towers.js';

/** The games that are played from a written list of turns. */
const GAMES = [
  '../../engine/tests/games/fibonacci.json',
  '../../engine/tests/games/fibonacci-mixed.json',
  '../../engine/tests/games/fenix.json',
  'games/focus.json',
  'games/focus-classic.json',
  'games/crossfire.json',
];

const read = (path) => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));

for (const game of GAMES.map(read)) {
  test(`${game.ruleset} is made, played to its end and replayed`, async ({ visitor }) => {
    const players = [await visitor(), await visitor()];
    const id = await start(players, game.ruleset);
    const middle = Math.floor(game.turns.length / 2);
    for (const [index, actions] of game.turns.entries()) {
      await takeTurn(players[index % 2], actions, index === middle);
    }
    await ends(players, game.outcome);
    const turns = await isTold(players, id, game);
    await isReplayed(players, id, turns);
  });
}

/**
 * Both sides play First into the win, whatever their cards are: Second brings its centre to the edge, where First's
 * strike pieces stand by then, and the last of them surrounds it. A side that has to wait moves a piece to and fro.
 */
const CARDS = [
  { way: ['b6-g11', 'b7-h11', 'c8-h10', 'd9-i10'], wait: ['c1-b1', 'b1-c1'] },
  { way: ['j5-i6', 'i6-k6', 'g8-i7', 'i11-i6'], wait: ['f1-f2', 'f2-f1'] },
];

test('fibonacci-cards is made, played to its end by the cards that come, replayed and checked', async ({
  visitor,
}) => {
  const players = [await visitor(), await visitor()];
  const id = await start(players, 'fibonacci-cards');
  const [first, second] = CARDS.map(({ way, wait }) => ({ way: [...way], wait: [...wait] }));
  const game = { turns: [], outcome: { winner: 'first', reason: 'surround' } };
  const cards = [];
  while (first.way.length > 0) {
    const index = game.turns.length;
    const page = players[index % 2];
    const plan = [first, second][index % 2];
    await expect(page.getByRole('heading', { name: YOUR_TURN })).toBeVisible();
    const card = await cardOf(page);
    cards.push(card);
    const isReady = plan === second || second.way.length === 0;
    const actions = plan.way.splice(0, Math.min(card, plan.way.length - (isReady ? 0 : 1)));
    if (actions.length === 0) {
      actions.push(plan.wait[0]);
      plan.wait.reverse();
    }
    game.turns.push(actions);
    await takeTurn(page, actions, index === 1);
  }
  await ends(players, game.outcome);
  const turns = await isTold(players, id, game);
  expect(turns.map(({ card }) => card)).toEqual(cards);
  await hasFairShuffles(players[1], turns);
  await isReplayed(players, id, turns);
});

test('a king that was taken rises again, and nothing else may be done', async ({ visitor }) => {
  const players = [await visitor(), await visitor()];
  const [red, blue] = players;
  const game = read('games/fenix-king.json');
  const id = await start(players, game.ruleset, game.start);
  const [taking, rising, last] = game.turns;

  await takeTurn(red, taking);
  await expect(blue.getByText(/^Your king must rise again/)).toBeVisible();
  await expect(blue.getByText(/nothing else is allowed now/)).toBeVisible();
  await expect(red.getByText('Blue must make a new king.')).toBeVisible();
  await expect.poll(() => namesOf(movable(blue))).toEqual(['g2', 'h1']);
  for (const soldier of ['g2', 'h1']) {
    await pick(blue, soldier);
    expect(await namesOf(blue.locator('[role="gridcell"][data-target]'))).toEqual(['h2']);
  }
  // It could jump over d4, if no king were due.
  await cell(blue, 'c4').click();
  await expect(blue.getByText(/^A new king comes first/).first()).toBeVisible();
  await expect(blue.getByRole('link', { name: 'Rule 2.9' })).toBeVisible();

  await takeTurn(blue, rising, true);
  await expect(cell(red, 'h2')).toHaveAccessibleName(/blue king/);
  await expect(red.getByText('Blue must make a new king.')).toBeHidden();
  await takeTurn(red, last);
  await ends(players, game.outcome);
  const turns = await isTold(players, id, game);
  await isReplayed(players, id, turns);
});

/** Makes a room by the dialog, and joins it.
 * @returns {Promise<string>} the game's id
 */
async function start([first, second], ruleset, position) {
  await first.goto('/');
  await openRoom(first);
  await first.getByRole('dialog').getByRole('combobox', { name: 'Game', exact: true }).selectOption(ruleset);
  await first.locator('input[name="seat"][value="first"]').check();
  if (position !== undefined) {
    await first.getByText('Spectators, start position').click();
    await first.getByRole('textbox', { name: 'Position as text' }).fill(position);
  }
  await first.getByRole('button', { name: 'Create', exact: true }).click();
  await expect(first.getByRole('heading', { name: 'Waiting for an opponent' })).toBeVisible();
  await second.goto(first.url());
  await second.getByRole('button', { name: 'Join' }).click();
  return first.url().split('/').at(-1);
}

/** Waits for the turn of a page's player and plays it, by clicks on the board and on `Confirm turn` or `End turn`. */
async function takeTurn(page, actions, isLookedAt = false) {
  await expect(page.getByRole('heading', { name: YOUR_TURN })).toBeVisible();
  if (isLookedAt) await isAccessible(page, `the turn of ${actions}`);
  await act(
    page,
    actions.filter((action) => action !== 'end'),
  );
  await confirm(page);
}

/** The value of the card of the turn. */
async function cardOf(page) {
  const label = await page
    .locator('#strip')
    .getByRole('img', { name: /^Card \d$/ })
    .getAttribute('aria-label');
  return Number(label.at(-1));
}

async function ends(players, outcome) {
  const [winner, loser] = outcome.winner === 'first' ? players : players.toReversed();
  await expect(winner.getByRole('heading', { name: 'You won' })).toBeVisible();
  await expect(loser.getByRole('heading', { name: 'You lost' })).toBeVisible();
}

/** Asserts that the server's document has the game as it was played.
 * @returns the turns of its events
 */
async function isTold([player], id, game) {
  const { events } = await (await player.request.get(`/api/v1/games/${id}`)).json();
  const turns = events.filter(({ type }) => type === 'turn_played');
  const played = turns.map(({ steps }) => steps.map(({ action }) => action));
  expect(played.map(plain)).toEqual(game.turns.map(plain));
  expect(events.at(-1)).toMatchObject({ type: 'ended', outcome: game.outcome });
  if (game.final !== undefined) expect(turns.at(-1).steps.at(-1).position).toBe(game.final);
  return turns;
}

/** A turn without the `end` that the button adds. */
const plain = (actions) => actions.filter((action) => action !== 'end');

/** Goes through the replay action by action, and replays the record that it offers on the page for records. */
async function isReplayed([player, other], id, turns) {
  await player.goto(`/replay/${id}`);
  await expect(player.getByText('Start position')).toBeVisible();
  for (const { turn, steps } of turns) {
    for (const index of steps.keys()) {
      await player.getByRole('button', { name: 'Next move' }).click();
      await expect(player).toHaveURL(new RegExp(`#${turn}\\.${index + 1}$`));
    }
  }
  await expect(player.getByRole('heading', { name: /won/ })).toBeVisible();

  await other.goto(`/replay/${id}`);
  const download = other.waitForEvent('download');
  await unfold(other);
  await other.getByRole('link', { name: 'Download the record' }).click();
  const record = readFileSync(await (await download).path(), 'utf8');
  await other.goto('/import');
  await other.getByLabel('or its text').fill(record);
  await other.getByRole('button', { name: 'Replay', exact: true }).click();
  await expect(other.getByText('Start position')).toBeVisible();
  await other.getByRole('button', { name: 'Go to end' }).click();
  const { turn, steps } = turns.at(-1);
  await expect(other).toHaveURL(new RegExp(`#${turn}\\.${steps.length}$`));
  await expect(other.getByRole('heading', { name: /won/ })).toBeVisible();
}

/** The browser deals the cards of the finished game once more. */
async function hasFairShuffles(page, turns) {
  await page.getByRole('link', { name: 'Verify the cards' }).click();
  await expect(page.getByRole('heading', { name: 'Everything matches' })).toBeVisible();
  for (const { turn } of turns) {
    await expect(page.getByRole('row', { name: new RegExp(`^${turn} .*yes$`) })).toBeVisible();
  }
}
