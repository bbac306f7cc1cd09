// The end of a game, links to its moments, and the wheel of a replay.

import { GAME, PHONE, begin, cell, confirm, expect, isAccessible, move, test, unfold } from './towers.js';

const LAST = GAME.turns.length;

/** Plays the last turn of a game on the pages of both players. */
async function finish(visitor, options) {
  const [black, white] = [await visitor(options), await visitor(options)];
  const id = await begin(black, white, { turns: LAST - 1 });
  await Promise.all([black, white].map((page) => page.goto(`/game/${id}`)));
  const [mover, other] = LAST % 2 === 1 ? [black, white] : [white, black];
  const watched = other.evaluate(
    () =>
      new Promise((resolve) => {
        // The last turn is seen on the board as draft; it is played again when the game is over.
        new MutationObserver((_, self) => {
          const isOver = document.querySelector('#status .result') !== null;
          const decisive = document.querySelector('.mark-decisive')?.getAttribute('d') ?? '';
          if (!isOver || decisive === '') return;
          self.disconnect();
          resolve((decisive.match(/M/g) ?? []).length);
        }).observe(document.body, { attributes: true, childList: true, subtree: true });
      }),
  );
  const actions = GAME.turns[LAST - 1].filter((action) => action !== 'end');
  await move(mover, actions);
  await confirm(mover);
  return { id, mover, other, watched };
}

test('the last turn is played again, the deciding pieces are marked, and the loser is addressed', async ({
  visitor,
}) => {
  // High enough for the whole list of turns.
  const viewport = { width: 1800, height: 1100 };
  const { id, other, watched } = await finish(visitor, { viewport });
  expect(await watched, 'six pieces around the centre').toBe(6);
  const result = other.locator('.result');
  await expect(result).toContainText('Your centre is surrounded.');
  await expect(result).toContainText(`${LAST} turns in`);
  await expect(result.getByRole('link', { name: 'Picture' })).toHaveAttribute(
    'href',
    `/api/v1/games/${id}/picture.png`,
  );
  await isAccessible(other, 'the end of a game');
  await other
    .getByRole('gridcell', { name: /white support piece/ })
    .first()
    .click();
  await expect(other.getByText('The game is over.').first()).toBeVisible();
  await other.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await other.getByRole('button', { name: 'Share', exact: true }).click();
  await expect(other.locator('#status').getByText('Link copied.')).toBeVisible();
  expect(await other.evaluate(() => navigator.clipboard.readText())).toBe(
    `${new URL(other.url()).origin}/replay/${id}`,
  );
});

test('a page on a telephone does not scroll by itself when the game ends', async ({ visitor }) => {
  const look = { viewport: { width: 390, height: 844 }, hasTouch: true };
  const { mover, other, watched } = await finish(visitor, look);
  await watched;
  for (const page of [mover, other]) {
    await expect(page.locator('.result')).toBeVisible();
    expect(await page.evaluate(() => scrollY)).toBe(0);
  }
  await expect(mover.locator('#status'), 'the result has the focus').toBeFocused();
});

test('a game that is over is shared by the device where it can', async ({ visitor }) => {
  const [black, white] = [await visitor(), await visitor()];
  const id = await begin(black, white, { turns: LAST });
  await black.addInitScript(() => {
    navigator.share = async (what) => {
      window.shared = [...(window.shared ?? []), what];
      // The second time, the visitor cancels.
      if (window.shared.length === 2) throw new DOMException('', 'AbortError');
      if (window.shared.length === 3) throw new DOMException('', 'NotAllowedError');
    };
    navigator.canShare = ({ files }) =>
      files.length === 1 && files[0].type === 'image/png' && files[0].size > 0;
  });
  await black.goto(`/game/${id}`);
  await black.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const share = black.getByRole('button', { name: 'Share', exact: true });
  const link = `${new URL(black.url()).origin}/replay/${id}`;
  for (const count of [1, 2]) {
    await share.click();
    await expect.poll(() => black.evaluate(() => window.shared?.length)).toBe(count);
  }
  const { title, url, files } = await black.evaluate(() => window.shared[0]);
  expect([title, url, Object.keys(files).length]).toEqual([await black.title(), link, 1]);
  await expect(black.getByText('Link copied.')).toHaveCount(0);
  await share.click();
  await expect(black.locator('#status').getByText('Link copied.')).toBeVisible();
  expect(await black.evaluate(() => navigator.clipboard.readText())).toBe(link);
});

test('a new opponent is found in a room of the same game and the same clock', async ({ visitor }) => {
  const [black, white, third] = [await visitor(), await visitor(), await visitor()];
  const clock = { kind: 'correspondence', days: 3 };
  const terms = { clock, watching: 'everybody', drafts: 'shown', delay: 0 };
  const id = await begin(black, white, { turns: LAST, terms });
  await third.goto(`/game/${id}`);
  await expect(third.getByRole('button', { name: 'New game' })).toBeVisible();
  await expect(third.getByRole('button', { name: 'New opponent' })).toHaveCount(0);
  await black.goto(`/game/${id}`);
  await black.getByRole('button', { name: 'New opponent' }).click();
  await expect(black.getByRole('heading', { name: 'Waiting for an opponent' })).toBeVisible();
  const room = new URL(black.url()).pathname;
  expect(room).not.toBe(`/game/${id}`);
  const { summary } = await (await black.request.get(`/api/v1${room.replace('game', 'games')}`)).json();
  expect([summary.ruleset, summary.clock, summary.visibility]).toEqual(['fibonacci', clock, 'public']);
  await third.goto(room);
  await third.getByRole('button', { name: 'Join' }).click();
  await expect(black.locator('.player')).toHaveCount(2);
  await expect(black.getByRole('heading', { name: 'Waiting for an opponent' })).toHaveCount(0);
});

test('without motion the end is shown still, on a phone and in French too', async ({ visitor }) => {
  const { other, watched } = await finish(visitor, {
    ...{ viewport: PHONE, locale: 'fr-FR', reducedMotion: 'reduce' },
  });
  expect(await watched).toBe(6);
  await expect(other.locator('.result')).toContainText('Votre pion central est encerclé.');
  const widths = await other.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  expect(widths[0], 'no page is wider than the phone').toBeLessThanOrEqual(widths[1]);
});

test('a link to a move of a running game leads there, and back to now', async ({ visitor }) => {
  const [black, white, friend] = [await visitor(), await visitor(), await visitor()];
  const id = await begin(black, white, { turns: 3 });
  await black.goto(`/game/${id}`);
  await black.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await black.getByRole('button', { name: 'Previous move' }).click();
  await expect(black.getByRole('heading', { name: 'Earlier position' })).toBeVisible();
  await unfold(black);
  await black.getByRole('button', { name: 'Copy link to this move' }).click();
  await expect.poll(() => black.evaluate(() => navigator.clipboard.readText())).toMatch(/#3\.\d$/);
  const link = await black.evaluate(() => navigator.clipboard.readText());
  expect(link).toContain(`/game/${id}#3.${GAME.turns[2].length - 1}`);
  await friend.goto(link);
  await expect(friend.getByRole('heading', { name: 'Earlier position' })).toBeVisible();
  await expect(friend.getByText('Turn 3, Black').first()).toBeVisible();
  await friend.getByRole('button', { name: 'Back to now' }).click();
  await expect(friend.getByRole('heading', { name: 'Earlier position' })).toHaveCount(0);
  await friend.goto(`/game/${id}#main`);
  await friend.reload();
  await expect(friend.getByText('You are watching.')).toBeVisible();
});

test('the wheel on the board of a replay goes from move to move', async ({ visitor }) => {
  const [black, white, page] = [await visitor(), await visitor(), await visitor()];
  const id = await begin(black, white, { turns: 3 });
  await page.goto(`/replay/${id}`);
  await expect(page.getByText('Start position')).toBeVisible();
  await cell(page, 'f6').hover();
  await page.mouse.wheel(0, 100);
  await expect(page).toHaveURL(/#1\.1$/);
  await page.mouse.wheel(0, 100);
  await expect(page).toHaveURL(/#2\.1$/);
  await page.mouse.wheel(0, -100);
  await expect(page).toHaveURL(/#1\.1$/);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Copy link to this move' }).click();
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toBe(`${new URL(page.url()).origin}/replay/${id}#1.1`);
});
