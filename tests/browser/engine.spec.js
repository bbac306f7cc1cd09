// The engine in the page: legal actions at once, without the server.

import {
  GAME,
  YOUR_TURN,
  begin,
  cell,
  confirm,
  expect,
  movable,
  move,
  offerDraw,
  pick,
  playUnseen,
  send,
  test,
} from './towers.js';

/** Waits until the page has its engine. */
const hasEngine = (page) => page.waitForFunction(() => performance.getEntriesByName('engine').length > 0);

test('a turn is drawn up while the server is silent, and sent when it is heard again', async ({
  visitor,
}) => {
  const [black, white] = [await visitor(), await visitor()];
  let isSilent = false;
  const held = [];
  await black.routeWebSocket(/\/ws$/, (page) => {
    const server = page.connectToServer();
    page.onMessage((message) => server.send(message));
    server.onMessage((message) => {
      // A line without pongs counts as cut.
      if (isSilent && JSON.parse(message).type !== 'pong') held.push(() => page.send(message));
      else page.send(message);
    });
  });
  const id = await begin(black, white, { turns: 4 });
  await black.goto(`/game/${id}`);
  await expect(movable(black)).not.toHaveCount(0);
  await hasEngine(black);
  isSilent = true;
  const actions = GAME.turns[4];
  await move(black, actions);
  await send(black);
  isSilent = false;
  for (const say of held.splice(0)) say();
  await expect(black.locator('#turns')).toContainText(actions[0]);
});

/** A player at a turn whose line can be cut, and comes back when it is mended. */
async function atTurn(visitor, options) {
  const [black, white] = [await visitor(options), await visitor()];
  const id = await begin(black, white, { turns: 4 });
  const sockets = [];
  let isOpen = true;
  await black.routeWebSocket(/\/ws$/, (socket) => {
    if (!isOpen) return socket.close();
    socket.connectToServer();
    sockets.push(socket);
  });
  await black.goto(`/game/${id}`);
  await expect(movable(black)).not.toHaveCount(0);
  return {
    ...{ id, black, white },
    async cut() {
      isOpen = false;
      await Promise.all(sockets.splice(0).map((socket) => socket.close()));
      await expect(black.locator('#line')).toContainText('Offline');
    },
    async mend() {
      isOpen = true;
      await expect(black.locator('#line')).toBeEmpty();
    },
  };
}

const confirmButton = (page) => page.getByRole('button', { name: 'Confirm turn' });
const notice = (page) => page.locator('#status .notice');

test('without the line a turn is drawn up with the piece in the hand, and waits only to be confirmed', async ({
  visitor,
}) => {
  const { id, black, white, cut, mend } = await atTurn(visitor);
  await hasEngine(black);
  await white.goto(`/game/${id}`);
  await expect(white.getByRole('gridcell').first()).toBeVisible();
  const actions = GAME.turns[4];
  const [from] = actions[0].split('-');
  await pick(black, from);
  await cut();
  await expect(cell(black, from)).toHaveAttribute('aria-selected', 'true');
  await move(black, actions);
  await expect(black.locator('#status')).toHaveText(/Your turn is ready/);
  await expect(black.getByText(/Offline/)).toHaveCount(1);
  await expect(confirmButton(black)).toHaveAttribute('aria-disabled', 'true');
  // A press right after the last move counts as a slip.
  await expect(async () => {
    await confirmButton(black).press('Enter');
    await expect(black.locator('#polite')).toContainText('you can confirm it', { timeout: 5_000 });
  }).toPass();
  await black.getByRole('button', { name: 'Undo' }).click();
  await expect(black.locator('#status')).toContainText(/Choose the next piece|Red stroke/);
  await move(black, actions.slice(-1));
  // What the server would carry out later is not taken on.
  await offerDraw(black);
  await expect(notice(black)).toHaveText(/The server does not answer/);
  await mend();
  await expect(notice(black)).toBeHidden();
  const [, to] = actions[1].split('-');
  await expect(cell(white, to), 'the server has the draft').toHaveAccessibleName(/of this turn/);
  await confirm(black);
  await expect(white.getByRole('heading', { name: YOUR_TURN })).toBeVisible();
  await expect(white.getByRole('button', { name: /^Accept/ }), 'no draw was offered').toHaveCount(0);
});

test('a turn that needs no confirmation is not sent by itself after the line was cut', async ({
  visitor,
}) => {
  const { id, black, cut, mend } = await atTurn(visitor, { confirms: 'never' });
  await hasEngine(black);
  await cut();
  await move(black, GAME.turns[4]);
  await expect(black.locator('#status')).toHaveText(/Your turn is ready/);
  await mend();
  await confirm(black);
  const { events } = await (await black.request.get(`/api/v1/games/${id}`)).json();
  expect(events.filter(({ type }) => type === 'turn_played')).toHaveLength(5);
});

test('moves that were made without the line are dropped, with a word, if the game has gone on', async ({
  visitor,
}) => {
  const { id, black, cut, mend } = await atTurn(visitor);
  await hasEngine(black);
  const other = await black.context().newPage();
  await cut();
  await move(black, GAME.turns[4].slice(0, 1));
  await playUnseen(other, id, GAME.turns[4]);
  await mend();
  await expect(notice(black)).toHaveText(/^The game has moved on/);
  await expect(black.getByRole('heading', { name: YOUR_TURN })).toBeHidden();
  await expect(movable(black)).toHaveCount(0);
  await expect(black.locator('#turns')).toContainText(GAME.turns[4][0]);
});

const ENGINE = /\/engine[\w-]*\.wasm$/;

test('without an engine nothing is picked while the line is cut', async ({ visitor }) => {
  const options = { forgives: /ERR_FAILED|Failed to fetch/ };
  const context = async (more = {}) => {
    const page = await visitor({ ...options, ...more });
    await page.route(ENGINE, (route) => route.abort());
    return page;
  };
  const { black, cut, mend } = await atTurn(context);
  await cut();
  await expect(movable(black)).toHaveCount(0);
  await expect(black.locator('#status')).toContainText('your moves are kept');
  await mend();
  await expect(movable(black)).not.toHaveCount(0);
});

test('whoever only looks at a game gets the engine with the next turn', async ({ visitor }) => {
  const [black, white, spectator] = [await visitor(), await visitor(), await visitor()];
  const id = await begin(black, white, { turns: 2 });
  const asked = [];
  spectator.on('request', (request) => ENGINE.test(request.url()) && asked.push(request.url()));
  await spectator.goto(`/game/${id}`);
  await expect(spectator.locator('#turns')).toContainText(GAME.turns[1][0]);
  await spectator.getByRole('button', { name: 'Previous move' }).click();
  await expect(spectator.getByRole('heading', { name: 'Earlier position' })).toBeVisible();
  await spectator.waitForLoadState('networkidle');
  expect(asked).toEqual([]);
  await playUnseen(black, id, GAME.turns[2]);
  await hasEngine(spectator);
  await expect(spectator.locator('#turns')).toContainText(GAME.turns[2][0]);
  expect(asked).toHaveLength(1);
});

test('the board stands and follows the game before the engine has come, which brings the turns', async ({
  visitor,
}) => {
  const [black, white] = [await visitor(), await visitor()];
  const id = await begin(black, white, { turns: 2 });
  let release;
  const released = new Promise((resolve) => {
    release = resolve;
  });
  await black.route(ENGINE, async (route) => {
    await released;
    await route.continue();
  });
  await black.goto(`/game/${id}`);
  await move(black, GAME.turns[2]);
  await send(black);
  await expect(movable(black)).toHaveCount(0);
  await playUnseen(white, id, GAME.turns[3]);
  await expect(movable(black)).not.toHaveCount(0);
  await expect(black.locator('#turns')).not.toContainText(GAME.turns[0][0]);
  release();
  await hasEngine(black);
  for (const turn of GAME.turns.slice(0, 4)) await expect(black.locator('#turns')).toContainText(turn[0]);
});

test('without an engine the server tells the steps of a game and the actions that are legal', async ({
  visitor,
}) => {
  const black = await visitor({ forgives: /ERR_FAILED|Failed to fetch/ });
  const white = await visitor();
  const id = await begin(black, white, { turns: 2 });
  await black.route(ENGINE, (route) => route.abort());
  await black.goto(`/game/${id}`);
  await expect(black.locator('#turns')).toContainText(GAME.turns[1][0]);
  await move(black, GAME.turns[2]);
  await send(black);
  await playUnseen(white, id, GAME.turns[3]);
  await expect(black.locator('#turns')).toContainText(GAME.turns[3][0]);
  await expect(movable(black)).not.toHaveCount(0);
});
