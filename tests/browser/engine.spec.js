// The engine in the page: legal actions at once, without the server.

import { GAME, begin, expect, movable, move, playUnseen, send, test } from './towers.js';

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

const ENGINE = /\/engine[\w-]*\.wasm$/;

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
