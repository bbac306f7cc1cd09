// Conditional turns: lines on the analysis board after the present position of a slow game, which the server plays.

import {
  GAME,
  account,
  begin,
  cell,
  expect,
  isAccessible,
  move,
  movable,
  openTab,
  playUnseen,
  test,
} from './towers.js';

const DAYS = { terms: { clock: { kind: 'correspondence', days: 3 } } };

/** The turns of the game after the first two: what Black plays, how White answers, and so on. */
const [BLACK, WHITE, BLACK_AGAIN, WHITE_AGAIN] = GAME.turns.slice(2);
/** Another turn of Black's in place of `BLACK`. */
const OTHER = ['e10-d6', 'end'];
/** What Black plays after it, and how White answers. */
const [BLACK_THEN, WHITE_THEN] = [
  ['c8-c7', 'end'],
  ['h9-j9', 'end'],
];

/** What is said after `OTHER` was played in place of `BLACK`. */
const MOVED = /The game has moved on\. Turn 3: .+ 1 answer no longer applies/;

// A part of the page that is a region in a wide window, and else a tab.
const lines = (page) => page.locator('#opinion');
const items = (page) => lines(page).getByRole('listitem');
const turns = (page) => page.locator('#turns .turn-button');
const link = (page) => page.getByRole('link', { name: /^Conditional turns/ });
const saveButton = (page) => lines(page).getByRole('button', { name: 'Save', exact: true });
const written = (actions) => new RegExp(actions.join('\\s+').replaceAll('-', '[-↔]'));

/** A game of days after a turn of each side. The first page plays Black, who is to move. */
const slowGame = (black, white, turns = 2) => begin(black, white, { turns, ...DAYS });

/** The conditional turns that the server has for a player. */
async function stored(page, id) {
  const answer = await page.request.get(`/api/v1/games/${id}/conditional`);
  expect(answer.ok(), await answer.text()).toBe(true);
  return (await answer.json()).turns;
}

async function openBoard(page, id) {
  await page.goto(`/analysis?game=${id}`);
  await expect(page.getByRole('heading', { level: 1, name: 'Conditional turns' })).toBeVisible();
  await expect(movable(page).first()).toBeVisible();
}

/** Ends a turn that was drawn up, if moves are left. */
async function finish(page, actions) {
  if (actions.at(-1) === 'end') await page.getByRole('button', { name: /^End turn/ }).click();
}

/** Plays a turn on the analysis board by pointer. */
async function drawn(page, actions) {
  const before = await turns(page).count();
  await move(
    page,
    actions.filter((action) => action !== 'end'),
  );
  await finish(page, actions);
  await expect(turns(page)).toHaveCount(before + 1);
}

/** Plays a turn on the analysis board by the keyboard alone. */
async function typed(page, actions) {
  const before = await turns(page).count();
  for (const action of actions.filter((action) => action !== 'end')) {
    await page.getByLabel('Type a move').focus();
    await page.keyboard.type(action);
    await page.keyboard.press('Enter');
  }
  if (actions.at(-1) === 'end') {
    await page.getByRole('button', { name: /^End turn/ }).focus();
    await page.keyboard.press('Enter');
  }
  await expect(turns(page)).toHaveCount(before + 1);
}

/** Goes back to the present position of the game. */
const toPresent = (page) => turns(page).nth(1).click();

async function save(page) {
  await saveButton(page).click();
  await expect(lines(page).getByText(/^Saved: /)).toBeVisible();
}

test('a board that is left before its lines came complains about nothing', async ({ visitor }) => {
  const [black, white] = [await visitor(), await visitor()];
  const id = await slowGame(black, white);
  await white.route(`**/api/v1/games/${id}/conditional`, () => {});
  const asked = white.waitForRequest(`**/api/v1/games/${id}/conditional`);
  await white.goto(`/analysis?game=${id}`);
  await asked;
  // A page that throws as it is left fails the test.
  await white.goto('/');
  await expect(white.getByRole('heading', { level: 1 })).toBeVisible();
});

test('lines by pointer and by keyboard are stored, and the answer is played at once', async ({ visitor }) => {
  const [black, white] = [await visitor(), await visitor()];
  await white.goto('/rules/fibonacci');
  await account(white, 'Answering');
  const id = await slowGame(black, white);
  await black.goto(`/game/${id}`);
  await white.goto(`/game/${id}`);
  await expect(link(white)).toHaveText('Conditional turns: 0');
  await link(white).click();
  await expect(lines(white).getByText('No lines yet.')).toBeVisible();
  await expect(lines(white)).toContainText('Only you can see these lines.');
  await expect(white.getByText('The computer’s opinion')).toHaveCount(0);

  await drawn(white, BLACK);
  await expect(items(white)).toHaveText(/^\s*If .*Not saved: your answer is missing/s);
  await drawn(white, WHITE);
  await toPresent(white);
  await drawn(white, OTHER);
  await drawn(white, WHITE);
  await items(white).first().getByRole('button', { name: /^If/ }).click();
  await typed(white, BLACK_AGAIN);
  await typed(white, WHITE_AGAIN);
  await expect(items(white)).toHaveCount(3);
  await expect(lines(white)).toContainText('Your changes are not saved.');
  expect(await stored(white, id)).toEqual([]);
  await saveButton(white).focus();
  await white.keyboard.press('Enter');
  await expect(lines(white).getByText('Saved: 3 answers are ready.')).toBeVisible();
  expect((await stored(white, id)).map(({ actions }) => actions)).toEqual([WHITE, WHITE_AGAIN, WHITE]);
  await isAccessible(white, 'the conditional turns');

  // The other side sees nothing of it.
  await expect(link(black)).toHaveText('Conditional turns: 0');
  expect(await stored(black, id)).toEqual([]);
  await white.goto(`/game/${id}`);
  await expect(link(white)).toHaveText('Conditional turns: 3');

  await playUnseen(black, id, BLACK);
  for (const page of [black, white]) {
    await expect(page.locator('#turns')).toContainText(written(WHITE));
    await expect(page.locator('#turns')).toContainText(written(BLACK));
  }
  await expect(white.locator('#status')).toContainText('your answer was played at once');
  await expect(link(white), 'the other line has lapsed').toHaveText('Conditional turns: 1');
  await playUnseen(black, id, BLACK_AGAIN);
  await expect(black.locator('#turns')).toContainText(written(WHITE_AGAIN));
});

test('on a phone the board itself tells that answers are not saved, and saves them', async ({ visitor }) => {
  const [black, white] = [await visitor(), await visitor({ viewport: { width: 390, height: 844 } })];
  const id = await slowGame(black, white);
  await openBoard(white, id);
  const undo = white.getByRole('button', { name: 'Undo', exact: true });
  const here = white.locator('#actions').getByRole('button', { name: 'Save', exact: true });
  await expect(undo, 'the turns of the game are not taken back').toHaveAttribute('aria-disabled', 'true');
  await expect(here).toHaveAttribute('aria-disabled', 'true');
  await movable(white).first().press('Backspace');
  await expect(white.locator('#status')).toContainText('might play');
  const tab = white.getByRole('tab', { name: /^Lines/ });
  await expect(tab).toHaveText('Lines');
  const rest = (actions) => actions.filter((action) => action !== 'end');
  for (const actions of [BLACK, WHITE]) {
    await move(white, rest(actions));
    await finish(white, actions);
  }
  await expect(white.locator('#status')).toContainText('Your answers are not saved yet.');
  await expect(tab).toHaveAccessibleName('Lines Your answers are not saved yet.');
  await isAccessible(white, 'conditional turns that are not saved, on a phone');
  await here.click();
  await expect(here).toHaveAttribute('aria-disabled', 'true');
  await expect(white.locator('#status')).not.toContainText('not saved');
  await expect(tab).toHaveText('Lines');
  expect((await stored(white, id)).map(({ actions }) => actions)).toEqual([WHITE]);
  await tab.click();
  await expect(lines(white)).toContainText('Answers: 1 (at most 64). All saved.');
  await expect(here).toBeHidden();
});

test('before the first turns of both, the board says that conditional turns come after them', async ({
  visitor,
}) => {
  const [black, white] = [await visitor({ viewport: { width: 390, height: 844 } }), await visitor()];
  const id = await slowGame(black, white, 1);
  await black.goto(`/analysis?game=${id}`);
  await expect(
    black.getByRole('heading', { name: 'Conditional turns come after the first turns' }),
  ).toBeVisible();
  await expect(black.getByText('once both players have made their first turn')).toBeVisible();
  await expect(black.locator('.desk')).toBeHidden();
  await isAccessible(black, 'conditional turns before the first turns');
});

test('stored lines are lines again when the page is opened later, and are removed', async ({ visitor }) => {
  const [black, white] = [await visitor(), await visitor()];
  const id = await slowGame(black, white);
  await openBoard(white, id);
  for (const actions of [BLACK, WHITE, BLACK_AGAIN, WHITE_AGAIN]) await typed(white, actions);
  await toPresent(white);
  for (const actions of [OTHER, WHITE]) await typed(white, actions);
  await save(white);

  const later = await white.context().newPage();
  await openBoard(later, id);
  await expect(items(later)).toHaveCount(3);
  await expect(items(later).first()).toContainText(/^\s*If .+, then /s);
  await expect(items(later).first().getByRole('listitem'), 'what follows stands below').toHaveCount(1);
  await expect(lines(later)).toContainText('Answers: 3 (at most 64). All saved.');
  await expect(turns(later)).toHaveCount(8);
  await items(later)
    .first()
    .getByRole('button', { name: /^Delete: If/ })
    .first()
    .press('Enter');
  await expect(items(later)).toHaveCount(1);
  await expect(later.locator('#status')).toBeFocused();
  await save(later);
  expect(await stored(white, id)).toHaveLength(1);
  await items(later)
    .first()
    .getByRole('button', { name: /^Delete: If/ })
    .click();
  await saveButton(later).click();
  await expect(lines(later).getByText('Saved: no answers are left.')).toBeVisible();
  expect(await stored(white, id)).toEqual([]);
});

test('a second answer to a position is not stored, until it is made the main line', async ({ visitor }) => {
  const [black, white] = [await visitor(), await visitor()];
  const id = await slowGame(black, white);
  await openBoard(white, id);
  await typed(white, BLACK);
  await typed(white, WHITE);
  await turns(white).nth(2).click();
  const other = ['i11-i7', 'end'];
  await typed(white, other);
  await expect(items(white).nth(1)).toContainText('a line above already answers this position');
  await white.getByRole('button', { name: 'Make this the main line' }).click();
  await save(white);
  expect((await stored(white, id)).map(({ actions }) => actions)).toEqual([other]);
});

test('a refusal stands beside the line that it is about', async ({ visitor }) => {
  const [black, white] = [await visitor(), await visitor()];
  const id = await slowGame(black, white);
  await openBoard(white, id);
  await typed(white, BLACK);
  await typed(white, WHITE);
  const flaw = { code: 'illegal', index: 0, rule: '1.12' };
  const problem = {
    type: 'about:blank',
    title: '',
    status: 422,
    code: 'illegal_action',
    detail: '',
    turn: 0,
    flaw,
  };
  const path = `**/api/v1/games/${id}/conditional`;
  await white.route(path, (route) =>
    route.request().method() === 'PUT'
      ? route.fulfill({ status: 422, contentType: 'application/problem+json', json: problem })
      : route.fallback(),
  );
  await saveButton(white).click();
  await expect(items(white).first()).toContainText('Move 1 breaks rule 1.12.');
  await expect(lines(white)).toContainText('Your changes are not saved.');
  await white.unroute(path);
  await save(white);
  await expect(items(white).first()).not.toContainText('breaks rule');
});

test('a game that moves on is followed, and the lines and the turn that are being drawn up stay', async ({
  visitor,
}) => {
  const [black, white] = [await visitor(), await visitor()];
  const id = await slowGame(black, white);
  await openBoard(white, id);
  for (const actions of [BLACK, WHITE]) await typed(white, actions);
  await toPresent(white);
  for (const actions of [OTHER, WHITE, BLACK_THEN]) await typed(white, actions);
  await move(white, ['h9-j9']);
  await playUnseen(black, id, OTHER);
  await expect(lines(white)).toContainText(MOVED);
  await expect(white.locator('#status')).toContainText(/Turn 6\b.*The game has changed/s);
  await expect(cell(white, 'j9')).toHaveAttribute('aria-label', /white/i);
  await finish(white, WHITE_THEN);
  await expect(items(white).first()).toContainText(/^\s*After your /);
  await save(white);
  expect((await stored(white, id)).map(({ actions }) => actions)).toEqual([WHITE_THEN]);
  await playUnseen(white, id, WHITE);
  await expect(lines(white)).toContainText('The game has moved on. Turn 4: ');
  await playUnseen(black, id, BLACK_THEN);
  await expect(lines(white)).toContainText(/Turn 6: .*h9.*j9/);
  await expect(lines(white)).toContainText('No lines yet.');
});

test('a game that has moved on is read before anything is saved, and what no longer applies is said', async ({
  visitor,
}) => {
  const [black, white] = [await visitor(), await visitor()];
  const id = await slowGame(black, white);
  const board = await white.context().newPage();
  // Nothing tells this page of the game.
  await board.routeWebSocket(/\/ws$/, () => {});
  await openBoard(board, id);
  for (const actions of [BLACK, WHITE]) await typed(board, actions);
  await toPresent(board);
  for (const actions of [OTHER, WHITE, BLACK_THEN, WHITE_THEN]) await typed(board, actions);
  await playUnseen(black, id, OTHER);
  await saveButton(board).click();
  await expect(lines(board)).toContainText(MOVED);
  expect(await stored(white, id)).toEqual([]);
  // In the own turn, nothing is played for it: the line begins with the turn that is played in the game.
  await expect(lines(board)).toContainText('It is your turn. Play it in the game');
  await expect(items(board).first()).toContainText(/^\s*After your /);
  await save(board);
  expect(await stored(white, id)).toHaveLength(1);
  await openBoard(white, id);
  await expect(items(white).first()).toContainText(/^\s*After your /);
  await playUnseen(white, id, WHITE);
  await playUnseen(black, id, BLACK_THEN);
  await black.goto(`/game/${id}`);
  await expect(black.locator('#turns')).toContainText(written(['h9-j9']));
});

test('turns of the game itself are looked at, and not changed', async ({ visitor }) => {
  const [black, white] = [await visitor(), await visitor()];
  const id = await slowGame(black, white);
  await openBoard(white, id);
  await turns(white).first().click();
  await expect(white.locator('#status')).toContainText('This turn has been played.');
  await expect(movable(white)).toHaveCount(0);
  await expect(white.getByRole('button', { name: 'Delete from here' })).toHaveAttribute(
    'aria-disabled',
    'true',
  );
  await expect(cell(white, 'a6')).toBeVisible();
});

test('a page with them fits its window, and a telephone shows all', async ({ visitor }) => {
  const [black, white] = [await visitor(), await visitor({ viewport: { width: 1366, height: 768 } })];
  const id = await slowGame(black, white);
  await openBoard(white, id);
  for (const actions of [BLACK, WHITE, BLACK_AGAIN, WHITE_AGAIN]) await typed(white, actions);
  const root = () =>
    white.evaluate(() => {
      const { scrollHeight, clientHeight, scrollWidth, clientWidth } = document.documentElement;
      return { down: scrollHeight - clientHeight, aside: scrollWidth - clientWidth };
    });
  expect(await root()).toEqual({ down: 0, aside: 0 });
  for (const [width, height] of [
    [320, 640],
    [390, 844],
  ]) {
    await white.setViewportSize({ width, height });
    await openTab(white, 'Lines');
    await expect(saveButton(white)).toBeVisible();
    expect((await root()).aside).toBe(0);
    await isAccessible(white, `${width} × ${height}`);
  }
});

test('turns that are taken back and the end of the game are said, and nothing more is saved', async ({
  visitor,
}) => {
  const [black, white] = [await visitor(), await visitor()];
  const id = await slowGame(black, white, 3);
  const board = await white.context().newPage();
  await openBoard(board, id);
  for (const actions of [WHITE, BLACK_AGAIN, WHITE_AGAIN]) await typed(board, actions);
  await white.goto(`/game/${id}`);
  await black.goto(`/game/${id}`);
  await black.getByRole('button', { name: 'Ask for a take-back' }).click();
  await white.getByRole('button', { name: 'Accept' }).click();
  await expect(black.getByRole('heading', { name: 'Your turn' })).toBeVisible();
  await expect(lines(board)).toContainText(
    'The game has changed: turns were taken back. 1 answer no longer applies and was deleted.',
  );
  await expect(lines(board)).toContainText('No lines yet.');
  for (const actions of [BLACK, WHITE]) await typed(board, actions);
  await black.getByRole('button', { name: 'Resign…', exact: true }).click();
  await black.getByRole('button', { name: 'Yes, resign' }).click();
  await expect(black.locator('.result')).toBeVisible();
  await expect(lines(board)).toContainText('Nothing can be saved: the game is over');
  await expect(saveButton(board)).toHaveAttribute('aria-disabled', 'true');
});
