// A turn that is prepared while the other side is to move: kept on the page, sent when the own turn begins, and dropped
// if any part of it is no longer legal then.

import {
  GAME,
  PHONE,
  YOUR_TURN,
  begin,
  cell,
  expect,
  isAccessible,
  movable,
  move,
  pick,
  playUnseen,
  send,
  test,
} from './towers.js';

const NAMES = {
  begin: /^(Prepare turn|Préparer le tour)$/,
  keep: /^(Keep for my turn|Garder pour mon tour)$/,
  drop: /^(Discard it|Effacer ce tour)$/,
};
const button = (page, what) => page.getByRole('button', { name: NAMES[what] });
const title = (page) => page.getByRole('heading', { name: /^(Prepared turn|Tour préparé)$/ });
const click = (element) => element.click();

/** A game after some turns, in which White may prepare the next one; `of` gives the frames of a type that White's page
 * has sent. */
async function watched(visitor, turns, options = {}) {
  const [black, white] = [await visitor(), await visitor(options)];
  const id = await begin(black, white, { turns });
  const sent = [];
  white.on('websocket', (socket) => socket.on('framesent', ({ payload }) => sent.push(JSON.parse(payload))));
  await Promise.all([black, white].map((page) => page.goto(`/game/${id}`)));
  return { id, black, white, of: (...types) => sent.filter(({ type }) => types.includes(type)) };
}

/** Draws up a turn in advance, and keeps it. A press right after a move counts as a slip: press again. */
async function prepare(page, actions, press = click) {
  await press(button(page, 'begin'));
  const moves = actions.filter((action) => action !== 'end');
  await move(page, moves, press);
  const ready = button(page, 'keep').and(page.locator('[aria-disabled="false"]'));
  await expect(async () => {
    await press(ready);
    expect(await ready.count()).toBe(0);
  }).toPass({ intervals: [100] });
}

for (const [means, options, press] of [
  ['the pointer', {}, click],
  ['keys', { locale: 'fr-FR' }, (element) => element.press('Enter')],
  ['touch', { viewport: PHONE, hasTouch: true }, (element) => element.tap()],
]) {
  test(`a turn prepared by ${means} is sent when the own turn begins, and nothing of it before`, async ({
    visitor,
  }) => {
    const { id, black, white, of } = await watched(visitor, 2, options);
    await prepare(white, GAME.turns[3], press);
    await expect(title(white)).toBeVisible();
    expect(of('draft', 'turn')).toEqual([]);
    // The heading "Your turn" may not be gone for long enough to be seen.
    await move(black, GAME.turns[2]);
    await send(black);
    await expect(black.locator('#turns li').nth(3)).toContainText(GAME.turns[3][0]);
    await expect(title(white)).toBeHidden();
    await expect(
      white.getByText(/^(Your prepared turn was played|Votre tour préparé a été joué)/).first(),
    ).toBeVisible();
    expect(of('turn').map(({ actions }) => actions)).toEqual([GAME.turns[3]]);
    expect(of('draft')).toEqual([]);
    await expect(white.locator('#status .notice')).toBeVisible();
    await playUnseen(black, id, GAME.turns[4]);
    await expect(white.getByRole('heading', { name: YOUR_TURN })).toBeVisible();
    await expect(white.locator('#status .notice'), 'a notice goes with its occasion').toHaveCount(0);
  });
}

/** Six moves that are legal before Black's third turn, which leaves White a single move (RULES 1.7). */
const TOO_MANY = ['f1-e1', 'e1-f1', 'f1-e1', 'e1-f1', 'f1-e1', 'e1-f1'];

test('a prepared turn of which a part is no longer legal is dropped with a notice that is announced', async ({
  visitor,
}) => {
  const { id, black, white, of } = await watched(visitor, 4);
  await prepare(white, TOO_MANY);
  await playUnseen(black, id, GAME.turns[4]);
  await expect(white.getByRole('heading', { name: YOUR_TURN })).toBeVisible();
  const notice = /^Your prepared turn was discarded: it is no longer legal\./;
  await expect(white.locator('#status .notice')).toHaveText(notice);
  await expect(white.locator('#polite')).toContainText(notice);
  await expect(white.locator('.count')).toHaveText('move 1 of 1');
  await expect(movable(white)).not.toHaveCount(0);
  expect(of('turn', 'draft')).toEqual([]);
});

test('Escape puts a piece back, and then drops the prepared turn; so does its button', async ({
  visitor,
}) => {
  const { white, of } = await watched(visitor, 2);
  await prepare(white, GAME.turns[3].slice(0, 1));
  await pick(white, 'h3');
  await white.keyboard.press('Escape');
  await expect(white.locator('[role="gridcell"][aria-selected="true"]')).toHaveCount(0);
  await expect(title(white)).toBeVisible();
  await expect(cell(white, 'i7')).toHaveAccessibleName(/white support piece/);
  await white.keyboard.press('Escape');
  await expect(white.locator('#status .notice')).toHaveText('The prepared turn was discarded.');
  await expect(cell(white, 'i7')).not.toHaveAccessibleName(/white support piece/);
  await button(white, 'begin').click();
  await isAccessible(white, 'a turn is prepared');
  await button(white, 'drop').click();
  await expect(button(white, 'begin')).toBeVisible();
  expect(of('turn', 'draft')).toEqual([]);
});

test('a turn that is taken back, and the end of the game, drop a prepared turn', async ({ visitor }) => {
  const { black, white, of } = await watched(visitor, 5);
  // White is to move, so Black prepares.
  await prepare(black, GAME.turns[6].slice(0, 1));
  await white.getByRole('button', { name: 'Ask for a take-back' }).click();
  await black.getByRole('button', { name: /^Accept/ }).click();
  await expect(title(black)).toBeHidden();
  await expect(black.locator('#status .notice')).toHaveText(/^Your prepared turn was discarded/);
  await prepare(black, ['c8-c7']);
  await white.getByRole('button', { name: 'Resign' }).click();
  await white.getByRole('button', { name: 'Yes, resign' }).click();
  await expect(black.getByRole('heading', { name: 'You won' })).toBeVisible();
  await expect(title(black)).toBeHidden();
  expect(of('turn')).toEqual([]);
});

test('in a game of days the way to conditional turns stands where a turn would be prepared', async ({
  visitor,
}) => {
  const [black, white] = [await visitor(), await visitor()];
  const days = { terms: { clock: { kind: 'correspondence', days: 3 } } };
  const id = await begin(black, white, { ...days, turns: 2 });
  const other = await begin(black, white, days);
  await white.goto(`/game/${id}`);
  await white.waitForFunction(() => performance.getEntriesByName('engine').length > 0);
  const conditional = white.locator('#actions').getByRole('link', { name: 'Conditional turns: 0' });
  await expect(conditional).toBeVisible();
  await expect(button(white, 'begin')).toHaveCount(0);
  await expect(white.locator('#remarks a')).toHaveCount(0);
  await expect(white.locator('#status')).toContainText('You can leave this page: the game stays under');
  await expect(white.getByText('away', { exact: true })).toHaveCount(0);
  await conditional.click();
  await expect(white).toHaveURL(new RegExp(`/analysis\\?game=${id}$`));
  // Before both have moved there are none.
  await white.goto(`/game/${other}`);
  await white.waitForFunction(() => performance.getEntriesByName('engine').length > 0);
  await expect(button(white, 'begin')).toHaveCount(0);
  await expect(white.locator('#actions').getByRole('link')).toHaveCount(0);
});

test('nobody prepares a turn whose card is not known, nor a spectator one', async ({ visitor }) => {
  const [black, white, spectator] = [await visitor(), await visitor(), await visitor()];
  const id = await begin(black, white, { ruleset: 'fibonacci-cards' });
  const other = await begin(black, white);
  for (const [page, game] of [
    [white, id],
    [spectator, other],
  ]) {
    await page.goto(`/game/${game}`);
    await expect(page.getByRole('gridcell').first()).toBeVisible();
    // A spectator gets the engine with the first turn.
    if (page === spectator) await playUnseen(black, other, GAME.turns[0]);
    await page.waitForFunction(() => performance.getEntriesByName('engine').length > 0);
    await expect(button(page, 'begin')).toHaveCount(0);
  }
});
