import {
  GAME,
  PHONE,
  YOUR_TURN,
  begin,
  cell,
  confirm,
  expect,
  movable,
  move,
  openRoom,
  openTab,
  pick,
  play,
  playUnseen,
  test,
} from './towers.js';

test('two players and a spectator go from the lobby to the result by clicks', async ({ visitor }) => {
  const [black, white, watcher] = [await visitor(), await visitor({ locale: 'fr-FR' }), await visitor()];
  await Promise.all([black, white, watcher].map((page) => page.goto('/')));
  await rename(black, 'Léonard');
  await openRoom(black);
  await black
    .getByRole('dialog')
    .getByRole('combobox', { name: 'Game', exact: true })
    .selectOption('Fibonacci');
  await black.getByRole('radio', { name: /^Black/ }).check();
  await black.getByRole('button', { name: 'Create', exact: true }).click();
  await expect(black.getByRole('heading', { name: 'Waiting for an opponent' })).toBeVisible();

  await white.getByRole('button', { name: /Léonard/ }).click();
  await expect(black.getByRole('heading', { name: YOUR_TURN })).toBeVisible();
  await watcher.getByRole('tab', { name: /^Live now/ }).click();
  await watcher.getByRole('link', { name: /^Léonard \(guest\)/ }).click();
  await expect(watcher.getByText('You are watching.')).toBeVisible();

  const players = [black, white];
  for (const [index, actions] of GAME.turns.slice(0, 3).entries()) await play(players[index % 2], actions);
  await white.getByRole('button', { name: 'Abandonner' }).click();
  await white.getByRole('button', { name: 'Oui, abandonner' }).click();
  await expect(black.getByRole('heading', { name: 'You won' })).toBeVisible();
  await expect(white.getByRole('heading', { name: 'Vous avez perdu' })).toBeVisible();
  await expect(watcher.getByRole('heading', { name: 'Léonard (guest) won' })).toBeVisible();

  await watcher.getByRole('link', { name: 'Replay', exact: true }).click();
  await expect(watcher).toHaveURL(/\/replay\//);
  await expect(watcher.getByRole('heading', { name: /^Turn 1/ })).toBeVisible();
});

async function rename(page, name) {
  await page.locator('.visitor').click();
  await page.getByRole('textbox', { name: 'Your name' }).fill(name);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.locator('.visitor bdi')).toHaveText(name);
}

test('a reload in the middle of a turn keeps the draft', async ({ visitor }) => {
  const [black, white] = [await visitor(), await visitor()];
  const id = await begin(black, white, { turns: 2 });
  await black.goto(`/game/${id}`);
  await move(black, GAME.turns[2].slice(0, 2));
  const [, to] = GAME.turns[2][1].split('-');
  await expect(cell(black, to)).toHaveAccessibleName(/move 2 of this turn/);
  await black.reload();
  await expect(cell(black, to)).toHaveAccessibleName(/move 2 of this turn/);
  await move(black, GAME.turns[2].slice(2));
  await confirm(black);
  await white.goto(`/game/${id}`);
  await expect(white.getByRole('heading', { name: YOUR_TURN })).toBeVisible();
});

test('the other side and spectators see an unfinished turn', async ({ visitor }) => {
  const [black, white, watcher] = [await visitor(), await visitor(), await visitor({ viewport: PHONE })];
  const id = await begin(black, white, { turns: 2 });
  await Promise.all([black, white, watcher].map((page) => page.goto(`/game/${id}`)));
  await move(black, GAME.turns[2].slice(0, 1));
  const [, to] = GAME.turns[2][0].split('-');
  for (const page of [white, watcher])
    await expect(cell(page, to)).toHaveAccessibleName(/move 1 of this turn/);
  await black.getByRole('button', { name: 'Undo' }).click();
  for (const page of [white, watcher]) await expect(cell(page, to)).not.toHaveAccessibleName(/of this turn/);
});

test('a socket cut in the middle of a turn comes back, and the turn is played once', async ({ visitor }) => {
  const [black, white] = [await visitor(), await visitor()];
  const id = await begin(black, white, { turns: 2 });
  const line = { open: true, sockets: [] };
  await black.routeWebSocket(/\/ws$/, (socket) => {
    if (!line.open) return socket.close();
    socket.connectToServer();
    line.sockets.push(socket);
  });
  await Promise.all([black, white].map((page) => page.goto(`/game/${id}`)));
  await move(black, GAME.turns[2].slice(0, 1));
  line.open = false;
  await Promise.all(line.sockets.map((socket) => socket.close()));
  await expect(black.getByText(/^Offline/).first()).toBeVisible();
  line.open = true;
  await expect(black.getByText(/^Offline/)).toHaveCount(0);
  await move(black, GAME.turns[2].slice(1));
  await confirm(black);
  await play(white, GAME.turns[3]);
  const game = await (await black.request.get(`/api/v1/games/${id}`)).json();
  const turns = game.events.filter(({ type }) => type === 'turn_played');
  expect(turns.map(({ steps }) => steps.map(({ action }) => action))).toEqual(GAME.turns.slice(0, 4));
});

test('a turn is played by keyboard alone', async ({ visitor }) => {
  const [black, white] = [await visitor(), await visitor()];
  const id = await begin(black, white);
  await black.goto(`/game/${id}`);
  await expect(black.getByRole('heading', { name: YOUR_TURN })).toBeVisible();
  await expect(movable(black)).not.toHaveCount(0);
  await tabTo(black, (name) => name.role === 'gridcell');
  // Black sits at the bottom, so a6 is the last cell, b7 to its left, and c7 up to the left of that.
  await black.keyboard.press('Control+End');
  await black.keyboard.press('ArrowLeft');
  await expect(cell(black, 'b7')).toBeFocused();
  await pick(black, 'b7', () => black.keyboard.press('Enter'));
  await black.keyboard.press('KeyQ');
  await expect(cell(black, 'c7')).toBeFocused();
  await black.keyboard.press('Enter');
  await expect(cell(black, 'c7')).toHaveAccessibleName(/black strike piece.*move 1 of this turn/);
  await tabTo(black, (name) => name.text === 'Confirm turn');
  await confirm(black, async (button) => {
    await expect(button).toBeFocused();
    await black.keyboard.press('Enter');
  });
});

/** Presses Tab until the wanted element has the focus. */
async function tabTo(page, wanted) {
  for (let count = 0; count < 40; count += 1) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(() => {
      const element = document.activeElement;
      return { role: element?.getAttribute('role'), text: element?.textContent?.trim() };
    });
    if (wanted(focused)) return;
  }
  throw new Error('Tab does not lead there');
}

test('a piece that cannot move says why, and a refused press changes nothing', async ({ visitor }) => {
  const [black, white] = [await visitor(), await visitor()];
  const id = await begin(black, white);
  await black.goto(`/game/${id}`);
  await expect(black.getByRole('heading', { name: YOUR_TURN })).toBeVisible();
  await pick(black, 'b7');
  await cell(black, 'k11').click();
  await expect(black.getByText(/^k11 touches no piece of the group of b7/).first()).toBeVisible();
  await expect(cell(black, 'b7')).toHaveAttribute('aria-selected', 'true');
});

test('a turn of the other side is played move by move before one’s own begins, which says what attackers cost', async ({
  visitor,
}) => {
  const [black, white] = [await visitor(), await visitor({ viewport: { width: 390, height: 844 } })];
  const id = await begin(black, white, { turns: 4 });
  await white.goto(`/game/${id}`);
  await expect(white.locator('#status h2')).toHaveText(/ to move$/);
  const [place, numbers] = [white.locator('#strip .pips'), white.locator('.board-badges text:visible')];
  const { y } = await place.boundingBox();
  await white.evaluate(() => {
    const status = document.getElementById('status');
    window.told = [];
    new MutationObserver(() => {
      const words = [...status.children].map(({ textContent }) => textContent).join(' | ');
      if (window.told.at(-1) !== words) window.told.push(words);
    }).observe(status, { subtree: true, childList: true, characterData: true });
  });
  await playUnseen(black, id, GAME.turns[4]);
  await expect(white.getByRole('heading', { name: YOUR_TURN })).toBeVisible();
  const told = await white.evaluate(() => window.told.filter((words) => !words.includes(' to move | ')));
  expect(told.map((words) => words.replace(/^Guest \d+/, 'Black'))).toEqual([
    ...['b6-f7', 'e6↔g8', 'c8-c7', 'c7-e7', 'c6-e5'].map(
      (move, index) => `Black plays | Move ${index + 1} of 5: ${move}`,
    ),
    'Your turn | Choose one of the outlined pieces.',
  ]);
  expect((await place.boundingBox()).y).toBe(y);
  await expect(numbers).toHaveText(['1', '2', '3', '4', '5']);
  await move(white, ['h9-j9']);
  await expect(numbers).toHaveText(['1']);
});

test('on a phone the goal of the game stands below its first turns, and with the tools later', async ({
  visitor,
}) => {
  const look = { viewport: { width: 390, height: 844 } };
  const [black, white] = [await visitor(look), await visitor()];
  const id = await begin(black, white, { turns: 0 });
  await black.goto(`/game/${id}`);
  const goal = black.getByText(/^Goal: six of your strike pieces/).and(black.locator(':visible'));
  await expect(goal).toHaveCount(1);
  const [words, desk] = [await goal.boundingBox(), await black.locator('.desk').boundingBox()];
  expect(words.y + words.height, 'it is in sight').toBeLessThanOrEqual(desk.y);
  await openTab(black, 'More');
  await expect(goal, 'once').toHaveCount(1);
  await openTab(black, 'Board');
  await play(black, GAME.turns[0]);
  await playUnseen(white, id, GAME.turns[1]);
  await expect(goal).toHaveCount(0);
  await openTab(black, 'More');
  await expect(goal, 'with the tools').toHaveCount(1);
});

test('on a phone the board and the buttons of a turn are there without scrolling', async ({ visitor }) => {
  const [black, white] = [
    await visitor({ viewport: PHONE, hasTouch: true, isMobile: true }),
    await visitor(),
  ];
  const id = await begin(black, white, { turns: 2 });
  await black.goto(`/game/${id}`);
  await expect(black.getByRole('heading', { name: YOUR_TURN })).toBeVisible();
  for (const name of ['a6', 'f11', 'a1', 'k11', 'f1', 'k6']) {
    await expect(cell(black, name)).toBeInViewport({ ratio: 1 });
  }
  for (const name of ['Undo', 'Restart', 'Confirm turn']) {
    await expect(black.getByRole('button', { name })).toBeInViewport({ ratio: 1 });
  }
  const widths = await black.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  expect(widths[0], 'no page is wider than the phone').toBeLessThanOrEqual(widths[1]);
  await move(black, GAME.turns[2].slice(0, 1), (place) => place.tap());
  const [, to] = GAME.turns[2][0].split('-');
  await expect(cell(black, to)).toHaveAccessibleName(/move 1 of this turn/);
});
