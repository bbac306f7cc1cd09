// The layouts of pages with a board, measured: what stands in the window, and that nothing in it moves.

import {
  GAME,
  PHONE,
  begin,
  cell,
  expect,
  movable,
  move,
  openTab,
  recordShifts,
  shiftOf,
  test,
} from './towers.js';

const LAPTOP = { width: 1366, height: 768 };
const CLOCK = { kind: 'real_time', base_s: 600, bonus_s: 15, bonus: 'per_turn' };
const TERMS = { clock: CLOCK, watching: 'everybody', drafts: 'shown', delay: 0 };
const ROWS = 6;
/** The height of a turn in one line. */
const ROW_PX = 34;

/** The page and its list of turns: the turns that are wholly visible, or if fewer were played those that there is room for. */
function measured() {
  const { scrollHeight, scrollWidth } = document.documentElement;
  const panel = document.getElementById('turns');
  const list = panel?.querySelector('.turns') ?? panel?.querySelector('.empty');
  const [box, inner] = [panel?.getBoundingClientRect(), list?.getBoundingClientRect()];
  const isWhole = (element) => {
    const { top, bottom, height } = element.getBoundingClientRect();
    return height > 0 && top >= box.top - 1 && bottom <= Math.min(box.bottom, innerHeight) + 1;
  };
  const turns = [...(panel?.querySelectorAll('.turns > li') ?? [])];
  return {
    page: { scrollY, scrollHeight, scrollWidth },
    played: turns.length,
    whole: turns.filter(isWhole).length,
    room: box && inner ? box.bottom - Math.max(inner.top, box.top) : 0,
  };
}

/** The page is as large as the window, and has its turns in sight where it has any. */
async function fits(page, what, { hasTurns = true } = {}) {
  const { page: size, played, whole, room } = await page.evaluate(measured);
  const { width, height } = page.viewportSize();
  expect.soft(size, what).toEqual({ scrollY: 0, scrollHeight: height, scrollWidth: width });
  if (!hasTurns) return;
  if (played >= ROWS) expect.soft(whole, `${what}: turns in sight`).toBeGreaterThanOrEqual(ROWS);
  else expect.soft(room, `${what}: room for turns`).toBeGreaterThanOrEqual(ROWS * ROW_PX);
}

const placeOf = (page, selector) => page.locator(selector).boundingBox();
const BARS = ['#bar-top', '#bar-bottom'];

for (const locale of ['en-GB', 'fr-FR']) {
  test(`on a laptop no page with a board scrolls, and six turns are in sight (${locale})`, async ({
    visitor,
  }) => {
    const look = { locale, viewport: LAPTOP, reducedMotion: 'reduce' };
    const [black, white] = [await visitor(look), await visitor(look)];
    const game = await begin(black, white, { turns: ROWS, terms: TERMS });
    await white.goto(`/game/${game}`);
    await black.goto(`/game/${game}`);
    await expect(movable(black).first()).toBeVisible();
    await fits(black, 'a game');
    const bars = await Promise.all(BARS.map((bar) => placeOf(black, bar)));
    await move(black, GAME.turns[ROWS].slice(0, 1));
    await fits(black, 'a draft');
    await openTab(black, /^(Chat|Discussion)/);
    await expect(black.locator('#chat-text')).toBeInViewport({ ratio: 1 });
    await fits(black, 'the chat', { hasTurns: false });
    await openTab(black, /^(Turns|Tours)/);
    await fits(black, 'the turns again');
    expect(await Promise.all(BARS.map((bar) => placeOf(black, bar))), 'the bars stand still').toEqual(bars);

    const wish = { ruleset: 'fibonacci', seat: 'random', visibility: 'link' };
    const room = await (await black.request.post('/api/v1/rooms', { data: wish })).json();
    await black.goto(`/game/${room.id}`);
    for (const part of ['#link', '.turn button:last-of-type'])
      await expect(black.locator(part).last(), 'a room that waits').toBeInViewport({ ratio: 1 });
    await fits(black, 'a room that waits', { hasTurns: false });

    const cards = await begin(black, white, { ruleset: 'fibonacci-cards', terms: TERMS });
    await black.goto(`/game/${cards}`);
    await expect(movable(black).first()).toBeVisible();
    await expect(black.locator('.packs').first()).toBeInViewport({ ratio: 1 });
    await fits(black, 'cards');

    const over = await begin(black, white, { turns: GAME.turns.length, terms: TERMS });
    await black.goto(`/game/${over}`);
    await expect(black.locator('.result')).toBeVisible();
    await fits(black, 'the end');

    await black.goto(`/replay/${over}#3.1`);
    await expect(black.locator('.controls button').first()).toBeVisible();
    await fits(black, 'a replay');
    await openTab(black, /^(Review|Bilan)/);
    await black.locator('#review button').click();
    await expect(black.locator('#review').getByRole('slider')).toBeInViewport();
    await fits(black, 'a review', { hasTurns: false });
    await openTab(black, /^(Turns|Tours)/);
    await fits(black, 'a replay that is reviewed');

    await black.goto(`/analysis?game=${over}&turn=5`);
    await expect(black.locator('.best button').first()).toBeInViewport();
    await fits(black, 'the analysis of a game');

    await black.goto('/table?ruleset=crossfire');
    await black.locator('#setup .primary').click();
    await expect(movable(black).first()).toBeVisible();
    await fits(black, 'a game on this device');

    for (const address of ['/puzzles/crossfire', '/puzzles/focus']) {
      await black.goto(address);
      await expect(black.locator('#choice select').first()).toBeVisible();
      await expect(black.locator('#tray-bottom .tray')).toBeInViewport({ ratio: 1 });
      await fits(black, address, { hasTurns: false });
    }
    await black.goto('/learn/fibonacci#3');
    await expect(black.locator('#tools button').first()).toBeInViewport({ ratio: 1 });
    await fits(black, 'a lesson', { hasTurns: false });
  });
}

test('the question before resigning stands where it was asked, and nothing moves', async ({ visitor }) => {
  const [black, white] = [await visitor({ viewport: LAPTOP }), await visitor()];
  const game = await begin(black, white, { turns: 2 });
  await black.goto(`/game/${game}`);
  const resign = black.getByRole('button', { name: 'Resign…', exact: true });
  const before = await resign.boundingBox();
  await resign.click();
  const yes = black.getByRole('button', { name: 'Yes, resign' });
  const { x, y } = await yes.boundingBox();
  expect(Math.hypot(x - before.x, y - before.y)).toBeLessThan(200);
  expect(await resign.boundingBox()).toEqual(before);
  await black.keyboard.press('Escape');
  await expect(resign).toBeFocused();
});

test('the actions of a turn that need several lines begin below each other', async ({ visitor }) => {
  const [black, white] = [await visitor({ viewport: LAPTOP }), await visitor()];
  const game = await begin(black, white, { turns: 5 });
  await black.goto(`/game/${game}`);
  const starts = async () =>
    black.locator('.turns > li').evaluateAll((rows) =>
      rows.map((row) => {
        const places = [...row.querySelectorAll('a')].map((link) => link.getBoundingClientRect());
        return places.filter(({ top }, i) => i === 0 || top > places[i - 1].top + 5).map(({ left }) => left);
      }),
    );
  await expect.poll(async () => (await starts()).some((lines) => lines.length > 1)).toBe(true);
  for (const lines of await starts()) for (const left of lines) expect(left).toBeCloseTo(lines[0], 0);
});

test('the tabs beside a board are walked by keys, and a message is marked', async ({ visitor }) => {
  const [black, white] = [await visitor({ viewport: LAPTOP }), await visitor()];
  const game = await begin(black, white, { turns: 2 });
  await Promise.all([black, white].map((page) => page.goto(`/game/${game}`)));
  const tab = (name) => black.getByRole('tab', { name });
  await expect(tab('Turns')).toHaveAttribute('aria-selected', 'true');
  await openTab(white, 'Chat');
  await white.locator('#chat-text').fill('Hello');
  await white.locator('#chat-text').press('Enter');
  await expect(tab('Chat 1 new message')).toBeVisible();
  await tab('Turns').focus();
  await black.keyboard.press('ArrowRight');
  await expect(tab('Chat')).toBeFocused();
  await expect(black.getByRole('tabpanel', { name: 'Chat' })).toContainText('Hello');
  await expect(tab('Chat 1 new message')).toHaveCount(0);
  await expect(black.getByRole('tabpanel', { name: 'Turns' })).toBeHidden();
  await black.keyboard.press('Home');
  await expect(tab('Turns')).toBeFocused();
  await expect(black.getByRole('heading', { name: 'Earlier position' })).toHaveCount(0);
});

const MINE = ['#bar-top .player', '#status h2', '.confirm', '#bar-bottom .clock', '#tabs'];

/** Elements that stand wholly in the box of another one. */
const wholeIn = (box, elements) =>
  box.evaluate((frame, selector) => {
    const { top, bottom } = frame.getBoundingClientRect();
    return [...frame.querySelectorAll(selector)].filter((element) => {
      const place = element.getBoundingClientRect();
      return place.height > 0 && place.top >= top - 1 && place.bottom <= Math.min(bottom, innerHeight) + 1;
    }).length;
  }, elements);

const LOW = [
  [844, 390],
  [1024, 500],
  [1366, 600],
];

for (const locale of ['en-GB', 'fr-FR']) {
  test(`in a low window the open tab has room (${locale})`, async ({ visitor }) => {
    const look = { locale, viewport: LAPTOP, hasTouch: true, reducedMotion: 'reduce' };
    const [black, white] = [await visitor(look), await visitor()];
    const game = await begin(black, white, { turns: ROWS, terms: TERMS });
    await Promise.all([black, white].map((page) => page.goto(`/game/${game}`)));
    await expect(movable(black).first()).toBeVisible();
    await openTab(white, 'Chat');
    for (const words of ['Hello', 'Good game so far', 'And a third line']) {
      await white.locator('#chat-text').fill(words);
      await white.locator('#chat-text').press('Enter');
    }
    for (const [width, height] of LOW) {
      const what = `${width} × ${height}`;
      await black.setViewportSize({ width, height });
      await openTab(black, /^(Chat|Discussion)/);
      await expect(black.locator('.chat .lines li')).toHaveCount(3);
      expect.soft(await wholeIn(black.locator('.chat .lines'), 'li'), `${what}: lines of chat`).toBe(3);
      await fits(black, `${what}: the chat`, { hasTurns: false });
      await openTab(black, /^(Turns|Tours)/);
      const turns = await wholeIn(black.locator('#turns'), '.turns > li');
      expect.soft(turns, `${what}: turns`).toBeGreaterThanOrEqual(3);
      const more = black.getByRole('tab', { name: /^(More|Plus)$/ });
      if (await more.isVisible()) await more.click();
      const tools = await wholeIn(black.locator('#more'), 'button');
      expect.soft(tools, `${what}: tools`).toBeGreaterThanOrEqual(4);
      await fits(black, `${what}: the tools`, { hasTurns: false });
    }
  });

  test(`a result with long names fits a laptop, with room for one button more (${locale})`, async ({
    visitor,
  }) => {
    const look = { locale, viewport: LAPTOP, reducedMotion: 'reduce' };
    const [black, white] = [await visitor(look), await visitor(look)];
    for (const [page, name] of [
      [black, 'Bartholomew Featherstone'],
      [white, 'Maximilienne de Rohan'],
    ]) {
      await page.request.post('/api/v1/session');
      await page.request.patch('/api/v1/session', { data: { name } });
    }
    const over = await begin(black, white, { turns: GAME.turns.length, terms: TERMS });
    for (const page of [black, white]) {
      await page.goto(`/game/${over}`);
      const buttons = page.locator('.result .buttons');
      await expect(buttons).toBeVisible();
      // A word about an opponent who is not here takes the most room.
      await expect(page.locator('#bar-top .presence')).toHaveClass(/gone/);
      await expect(page.locator('.turns > li')).toHaveCount(GAME.turns.length);
      await buttons.evaluate((row) => row.children[0].after(row.children[2].cloneNode(true)));
      for (const button of await buttons.locator('> *').all())
        await expect(button).toBeInViewport({ ratio: 1 });
      const hidden = await page.locator('.turn').evaluate((turn) => turn.scrollHeight - turn.clientHeight);
      expect(hidden, 'the result needs no scrolling').toBeLessThanOrEqual(1);
      await fits(page, 'the end');
      await page.goto('about:blank');
    }
  });
}

test('a lost line has a place of its own beside a board', async ({ visitor }) => {
  const [black, white] = [await visitor({ forgives: /ERR_INTERNET_DISCONNECTED/ }), await visitor()];
  const game = await begin(black, white, { turns: 2, terms: TERMS });
  await black.goto(`/game/${game}`);
  await expect(movable(black).first()).toBeVisible();
  await black.context().setOffline(true);
  await expect(black.locator('#line')).toContainText(/^\s*Offline/);
  for (const [width, height] of [
    [844, 390],
    [1024, 768],
  ]) {
    await black.setViewportSize({ width, height });
    const covered = () =>
      black.evaluate(
        (parts) => {
          const line = document.getElementById('line').getBoundingClientRect();
          return parts.filter((part) => {
            const { left, top, right, bottom } = document.querySelector(part).getBoundingClientRect();
            const isBeside = left >= line.right - 1 || right <= line.left + 1;
            return !isBeside && top < line.bottom - 1 && bottom > line.top + 1;
          });
        },
        [...MINE, '#bar-bottom .player', '#turns'],
      );
    await expect.poll(covered, `${width} × ${height}`).toEqual([]);
  }
});

for (const viewport of [PHONE, { width: 390, height: 844 }]) {
  test(`a phone of ${viewport.width} × ${viewport.height} shows board, turn, own clock and tabs`, async ({
    visitor,
  }) => {
    const look = { viewport, hasTouch: true, isMobile: true, reducedMotion: 'reduce' };
    const [black, white] = [await visitor(look), await visitor()];
    const game = await begin(black, white, { turns: 2, terms: TERMS });
    await Promise.all([black, white].map((page) => page.goto(`/game/${game}`)));
    await expect(movable(black).first()).toBeVisible();
    for (const name of ['a6', 'k11', 'f1', 'k6'])
      await expect(cell(black, name)).toBeInViewport({ ratio: 1 });
    for (const part of MINE) await expect(black.locator(part)).toBeInViewport({ ratio: 1 });
    await openTab(white, 'Chat');
    await white.locator('#chat-text').fill('Hello');
    await white.locator('#chat-text').press('Enter');
    await expect(black.locator('#tabs .badge')).toBeInViewport({ ratio: 1 });

    for (const name of ['Turns', /^Chat/, 'More']) {
      await openTab(black, name);
      await expect(black.locator('#board')).toBeHidden();
      for (const part of MINE) await expect(black.locator(part)).toBeInViewport({ ratio: 1 });
    }
    await expect(black.getByText('Resign…', { exact: true })).toBeVisible();
    await expect(black.getByText('Keyboard shortcuts', { exact: true })).toBeHidden();
    await expect(black.getByText('Copy position', { exact: true })).toBeVisible();
    await expect(black.locator('.unfold'), 'all is there').toBeHidden();
    await openTab(black, 'Turns');
    await black.locator('.turns a').first().click();
    await expect(black.locator('#board')).toBeVisible();
    await expect(black.getByRole('heading', { name: 'Earlier position' })).toBeVisible();
  });
}

test('the link to the tools of a game shows them on a phone too', async ({ visitor }) => {
  const [black, white] = [await visitor({ viewport: PHONE }), await visitor()];
  const game = await begin(black, white, { turns: 2 });
  await black.goto(`/game/${game}`);
  await expect(movable(black).first()).toBeVisible();
  await expect(black.locator('#tools')).toBeHidden();
  const skip = black.getByRole('link', { name: /^Skip to the tools/ });
  await skip.focus();
  await black.keyboard.press('Enter');
  await expect(black.getByRole('tab', { name: 'More' })).toHaveAttribute('aria-selected', 'true');
  await expect(black.locator('#tools')).toBeInViewport();
  await black.keyboard.press('Tab');
  await expect(black.locator('#tools').locator(':focus')).toHaveCount(1);
});

test('clocks stand below each other, whatever the names and the captures', async ({ visitor }) => {
  const look = { viewport: LAPTOP };
  const [black, white] = [await visitor(look), await visitor(look)];
  for (const page of [black, white]) await page.request.post('/api/v1/session');
  await black.request.patch('/api/v1/session', { data: { name: 'Léonard de Pise le Grand' } });
  const game = await begin(black, white, { turns: 2, terms: TERMS });
  for (const viewport of [LAPTOP, PHONE]) {
    await black.setViewportSize(viewport);
    await black.goto(`/game/${game}`);
    await expect(black.locator('.player .clock')).toHaveCount(2);
    const places = await Promise.all(BARS.map((bar) => placeOf(black, `${bar} .clock .time`)));
    expect(places[0].x + places[0].width).toBeCloseTo(places[1].x + places[1].width, 0);
  }
  await black.goto('/example/fenix');
  await black.locator('#controls button').last().click();
  await expect(black.locator('.taken .sr').first()).toHaveText(/^\d+ captured$/);
});

test('on paper there are the board and the turns, without what is pressed', async ({ visitor }) => {
  const page = await visitor();
  await page.goto('/example/fenix#4.1');
  await expect(page.locator('.turns > li').first()).toBeVisible();
  await page.setViewportSize({ width: 794, height: 1123 });
  await page.emulateMedia({ media: 'print' });
  for (const part of ['#top', '#tabs', '#controls', '#tools', '.board-art'])
    await expect(page.locator(part)).toBeHidden();
  for (const part of ['.heading', '#bar-top .name', '.board-tone-0', '.turns > li:last-child'])
    await expect(page.locator(part)).toBeVisible();
  const [bar, panel, last] = await Promise.all(
    ['#bar-bottom', '#turns', '.turns > li:last-child'].map((part) => placeOf(page, part)),
  );
  expect(panel.y).toBeGreaterThanOrEqual(bar.y + bar.height);
  expect(panel.y + panel.height).toBeGreaterThanOrEqual(last.y + last.height);
});

test('at 400 % half of the window is board', async ({ visitor }) => {
  const look = { viewport: { width: 320, height: 256 } };
  const [black, white] = [await visitor(look), await visitor()];
  const game = await begin(black, white, { turns: 2, terms: TERMS });
  for (const address of [`/game/${game}`, `/replay/${game}`, '/analysis']) {
    await black.goto(address);
    await expect(black.locator('#bar-bottom .player')).toBeAttached();
    await expect(black.getByRole('grid')).toBeVisible();
    const seen = await black.evaluate(() => {
      let rows = 0;
      const { left, width } = document.getElementById('board').getBoundingClientRect();
      for (let y = 0; y < innerHeight; y += 1)
        if (document.elementFromPoint(left + width / 2, y)?.closest('#board')) rows += 1;
      return rows / innerHeight;
    });
    expect(seen, address).toBeGreaterThanOrEqual(0.5);
  }
});

test('nothing moves while a game and an analysis load', async ({ visitor }) => {
  const [black, white] = [await visitor({ viewport: LAPTOP }), await visitor()];
  const game = await begin(black, white, { terms: TERMS });
  await recordShifts(black);
  const ready = { [`/game/${game}`]: '[aria-selected][role="gridcell"]', '/analysis': '.best button' };
  for (const [address, drawn] of Object.entries(ready)) {
    await black.goto(address);
    await expect(black.locator(drawn).first()).toBeVisible();
    const { score, moved } = await shiftOf(black);
    expect(score, `${address}: ${moved}`).toBeLessThan(0.01);
  }
});
