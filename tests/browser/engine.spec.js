// The engine in the page: legal actions at once, without the server.

import { GAME, begin, expect, movable, move, send, test } from './towers.js';

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
