// Every page at every size, measured: no horizontal scrolling, nothing cut off, nothing out of reach.

import {
  GAME,
  PHONE,
  begin,
  cell,
  expect,
  movable,
  move,
  offerDraw,
  openRoom,
  openTab,
  pagesWith,
  pick,
  test,
} from './towers.js';

/** From a screen at 400 % to a large one. */
const SIZES = [
  [320, 256],
  [320, 568],
  [360, 640],
  [640, 360],
  [844, 390],
  [768, 1024],
  [1024, 768],
  [1280, 580],
  [1366, 650],
  [1440, 900],
  [2560, 1440],
];

/** The least width of a cell in a game by the width of the page; 24 px wherever nothing else is said. */
const CELLS = { 320: 27, 360: 30 };

/** The text spacing that readers may set (WCAG 1.4.12). */
const SPACING = `* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }
  p { margin-bottom: 2em !important; }`;

/** Faults of a page at its size: horizontal scrolling, a text cut off, a control that is too small or clipped, a
 * coordinate too small to be read, a cell too small to be pressed. */
function faultsIn({ leastCell }) {
  const faults = [];
  const nameOf = (element) =>
    `${element.tagName.toLowerCase()}.${element.getAttribute('class') ?? ''}#${element.id}`;
  if (document.documentElement.scrollWidth > innerWidth)
    faults.push(`sideways: ${document.documentElement.scrollWidth} of ${innerWidth}`);
  const isForReaders = (element) =>
    element.closest('.sr') !== null || getComputedStyle(element).clipPath !== 'none';
  for (const element of document.querySelectorAll('body *:not(svg, svg *, .board *)')) {
    if (!element.checkVisibility() || isForReaders(element)) continue;
    const { overflowX, textOverflow } = getComputedStyle(element);
    const isCut = overflowX !== 'visible' || textOverflow === 'ellipsis';
    const isField = element.matches('input, textarea, select');
    if (isCut && !isField && element.scrollWidth > element.clientWidth + 1)
      faults.push(`cut: ${nameOf(element)}, ${element.scrollWidth} of ${element.clientWidth}`);
    const { right, left } = element.getBoundingClientRect();
    if (element.childElementCount === 0 && (right > innerWidth + 1 || left < -1))
      faults.push(`outside: ${nameOf(element)}`);
  }
  for (const control of document.querySelectorAll(
    'a[href], button, input, select, textarea, summary, [tabindex="0"]',
  )) {
    if (!control.checkVisibility() || control.closest('[role="grid"], [type="radio"], .skip') !== null)
      continue;
    const { width, height } = control.getBoundingClientRect();
    if (Math.min(width, height) < 23.9) faults.push(`small: ${nameOf(control)}, ${width} × ${height}`);
  }
  for (const label of document.querySelectorAll('.board-labels text')) {
    const px = Number.parseFloat(getComputedStyle(label).fontSize) * (label.getScreenCTM()?.a ?? 0);
    if (label.checkVisibility() && px < 9.95) faults.push(`illegible: ${label.textContent}, ${px}`);
  }
  const widths = [...document.querySelectorAll('.board-tile')].map(
    (tile) => tile.getBoundingClientRect().width,
  );
  if (Math.min(...widths) < leastCell) faults.push(`cells of ${Math.min(...widths)}, wanted ${leastCell}`);
  return faults;
}

/** True if elements are fully visible without scrolling, with nothing in front of them. */
const areInSight = (elements) =>
  elements.every((element) => {
    const { left, top, right, bottom } = element.getBoundingClientRect();
    const first = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return top >= -1 && bottom <= innerHeight + 1 && element.contains(first);
  });

/** True if the moves of the turn lie over an offer. */
function offersOverPips() {
  const pips = document.querySelector('.pips').getBoundingClientRect();
  return [...document.querySelectorAll('.offer')].some((offer) => {
    const { top, bottom } = offer.getBoundingClientRect();
    return pips.top < bottom && pips.bottom > top;
  });
}

/** Puts a page through all sizes. */
async function holds(page, what, { inSight = [], sizes = SIZES } = {}) {
  for (const [width, height] of sizes) {
    await page.setViewportSize({ width, height });
    await page.evaluate(() => scrollTo(0, 0));
    const leastCell = ((inSight.length > 0 && CELLS[width]) || 24) - 0.1;
    const where = `${what} at ${width} × ${height}`;
    // A busy page takes its time to fit a new size.
    await expect.soft.poll(() => page.evaluate(faultsIn, { leastCell }), { message: where }).toEqual([]);
    // At 400 % the board comes first.
    for (const selector of height < 300 ? [] : inSight)
      await expect.soft
        .poll(() => page.locator(selector).evaluateAll(areInSight), {
          message: `${where}: ${selector} is in sight`,
        })
        .toBe(true);
  }
}

const space = (page) =>
  page.evaluate((text) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    document.adoptedStyleSheets.push(sheet);
  }, SPACING);

const DESK = ['.confirm', '#bar-bottom .player'];
const CLOCK = { kind: 'real_time', base_s: 5400, bonus_s: 30, bonus: 'per_turn' };
const TERMS = { clock: CLOCK, watching: 'everybody', drafts: 'shown', delay: 0 };

for (const locale of ['en-GB', 'fr-FR']) {
  test(`a game fits every size, whatever is up (${locale})`, async ({ visitor }) => {
    const look = { locale, reducedMotion: 'reduce' };
    const [black, white] = [await visitor(look), await visitor(look)];
    for (const page of [black, white]) await page.request.post('/api/v1/session');
    await black.request.patch('/api/v1/session', { data: { name: 'Léonard de Pise le Grand' } });

    const game = await begin(black, white, { turns: 4, terms: TERMS });
    await white.goto(`/game/${game}`);
    await expect(white.getByRole('grid')).toBeVisible();
    await black.goto(`/game/${game}`);
    await move(black, GAME.turns[4].slice(0, 1));
    await holds(black, 'my turn, a draft', { inSight: [...DESK, '#bar-bottom .clock'] });
    await holds(white, "the other side's turn", {
      inSight: ['.actions button:last-of-type', '#bar-bottom .player'],
    });

    await offerDraw(white);
    await expect(black.locator('.offer')).toBeVisible();
    await cell(black, 'f6').click();
    await holds(black, 'an offer', { inSight: DESK });
    await space(black);
    await holds(black, 'an offer, its texts spaced out', { inSight: ['.confirm'] });

    const cards = await begin(black, white, { ruleset: 'fibonacci-cards', terms: TERMS });
    await black.goto(`/game/${cards}`);
    await expect(movable(black).first()).toBeVisible();
    await holds(black, 'cards', { inSight: DESK });
    await space(black);
    await holds(black, 'cards, their texts spaced out', { inSight: ['.confirm'] });
  });

  test(`an offer is wholly in sight with its buttons, and moves none of the turn's (${locale})`, async ({
    visitor,
  }) => {
    const look = { locale, reducedMotion: 'reduce' };
    const [black, white] = [await visitor(look), await visitor(look)];
    const game = await begin(black, white, {
      turns: 5,
      terms: { clock: { kind: 'correspondence', days: 1 } },
    });
    for (const page of [black, white]) {
      await page.setViewportSize({ width: 1366, height: 768 });
      await page.goto(`/game/${game}`);
    }
    await expect(movable(white).first()).toBeVisible();
    const confirm = white.locator('.actions .confirm');
    await expect(white.locator('.offer')).toHaveCount(0);
    await expect(white.locator('.presence')).toHaveCount(2);
    await expect(white.locator('.remarks')).toContainText(': 0');
    const before = await confirm.boundingBox();
    await black.getByRole('button', { name: /^(Ask for a take-back|Demander une reprise)$/ }).click();
    await expect(white.locator('.offer button')).toHaveCount(2);
    expect(await confirm.boundingBox()).toEqual(before);
    for (const page of [black, white]) {
      await expect(page.locator('.offer')).toHaveCount(1);
      for (const [width, height] of [
        [1366, 768],
        [1280, 720],
        [390, 844],
      ]) {
        await page.setViewportSize({ width, height });
        const where = `${width} × ${height}`;
        const isCut = () =>
          page
            .locator('.turn')
            .evaluate(
              (turn) =>
                getComputedStyle(turn).overflowY !== 'visible' && turn.scrollHeight > turn.clientHeight,
            );
        await expect.poll(isCut, { message: `the turn at ${where}` }).toBe(false);
        const inSight = () => page.locator('.offer button').evaluateAll(areInSight);
        await expect.poll(inSight, { message: `buttons at ${where}` }).toBe(true);
        expect(await page.evaluate(offersOverPips), `moves at ${where}`).toBe(false);
      }
    }
  });

  test(`on a phone all tools are under “More”, leaving first (${locale})`, async ({ visitor }) => {
    const look = { locale, viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
    const [black, white] = [await visitor(look), await visitor()];
    const game = await begin(black, white, {
      turns: 4,
      terms: { clock: { kind: 'correspondence', days: 1 } },
    });
    await black.goto(`/game/${game}`);
    await expect(movable(black).first()).toBeVisible();
    await openTab(black, /^(More|Plus)$/);
    await expect(black.locator('#tools button').first()).toHaveText(/^\s*(Resign|Abandonner)…$/);
    const more = black.locator('#more');
    await expect(more.locator('#goal')).toBeVisible();
    expect(await more.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)).toBe(0);
  });

  test(`nothing moves under the pointer while a turn is drawn up (${locale})`, async ({ visitor }) => {
    const [black, white] = [await visitor({ locale, reducedMotion: 'reduce' }), await visitor()];
    const terms = { clock: { kind: 'bank', base_days: 10, bonus_hours: 36 } };
    // A second game that waits adds the way to it.
    await begin(black, white, { terms });
    const game = await begin(black, white, { turns: 2, terms });
    await black.goto('/');
    await expect(black.locator('#waiting')).toHaveText('2');
    for (const [width, height] of [
      [1366, 768],
      [1280, 720],
      [390, 844],
    ]) {
      await black.setViewportSize({ width, height });
      await black.goto(`/game/${game}`);
      await expect(movable(black).first()).toBeVisible();
      await expect(black.getByRole('link', { name: /\(1\)$/ })).toBeVisible();
      await expect(black.locator('.remarks')).toContainText(': 0');
      const place = () => black.locator('.actions .confirm').boundingBox();
      const before = await place();
      const [from, to] = GAME.turns[2][0].split('-');
      await pick(black, from);
      expect(await place(), 'picked').toEqual(before);
      await cell(black, to).click();
      await move(black, GAME.turns[2].slice(1));
      await expect(black.locator('.primary.confirm[aria-disabled="false"]')).toBeVisible();
      expect(await place(), `drawn up at ${width} × ${height}`).toEqual(before);
      await black.getByRole('button', { name: /^(Restart|Recommencer)/ }).click();
    }
  });

  test(`on a phone the name of a game is in sight, and short or long moves nothing (${locale})`, async ({
    visitor,
  }) => {
    const look = { locale, viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
    const [black, white] = [await visitor(look), await visitor()];
    const tops = new Set();
    for (const ruleset of ['fibonacci', 'fibonacci-mixed', 'crossfire']) {
      const terms = { clock: { kind: 'bank', base_days: 10, bonus_hours: 36 } };
      await black.goto(`/game/${await begin(black, white, { ruleset, terms })}`);
      await expect(movable(black).first()).toBeVisible();
      tops.add((await black.locator('#bar-top').boundingBox()).y);
      await black.setViewportSize({ width: 320, height: 640 });
      await expect(black.getByRole('heading', { level: 1 })).toBeInViewport({ ratio: 1 });
      expect(await black.evaluate(() => scrollY)).toBe(0);
      await black.setViewportSize(look.viewport);
    }
    expect([...tops]).toHaveLength(1);
  });

  test(`all other pages fit every size (${locale})`, async ({ visitor }) => {
    const look = { locale, reducedMotion: 'reduce' };
    const [black, white] = [await visitor(look), await visitor(look)];
    const over = await begin(black, white, { turns: GAME.turns.length });
    await white.request.post('/api/v1/rooms', {
      data: { ruleset: 'fibonacci-mixed', seat: 'random', visibility: 'public' },
    });
    for (const [what, [address, drawn]] of Object.entries(pagesWith(over))) {
      await black.goto(address);
      await expect(black.locator(drawn).first()).toBeVisible();
      await holds(black, what);
      await space(black);
      await holds(black, `${what}, texts spaced out`, {
        sizes: [
          [320, 256],
          [360, 640],
          [1280, 580],
        ],
      });
    }
  });
}

for (const colorScheme of ['light', 'dark']) {
  test(`in the system's own colours buttons can be read, and Black is dark (${colorScheme})`, async ({
    visitor,
  }) => {
    const look = { colorScheme, forcedColors: 'active', reducedMotion: 'reduce' };
    const [black, white] = [await visitor(look), await visitor(look)];
    const game = await begin(black, white, { turns: 2 });
    await black.goto('/');
    const create = black.locator('.primary').first();
    await expect(create).toBeVisible();
    const { color, backgroundColor, forcedColorAdjust } = await create.evaluate((element) => {
      const { color, backgroundColor, forcedColorAdjust } = getComputedStyle(element);
      return { color, backgroundColor, forcedColorAdjust };
    });
    expect(forcedColorAdjust).toBe('none');
    expect(color).not.toBe(backgroundColor);

    await black.goto(`/game/${game}`);
    await expect(movable(black).first()).toBeVisible();
    const bodies = await black.evaluate(() =>
      ['black', 'white'].map((colour) => {
        const [r, g, b] = getComputedStyle(document.querySelector(`.piece-${colour}-middle`))
          .stopColor.match(/\d+/g)
          .map(Number);
        return r + g + b;
      }),
    );
    expect(bodies[0]).toBeLessThan(bodies[1]);
  });
}

for (const [what, look] of [
  ["in the system's own colours", { forcedColors: 'active' }],
  ['with more contrast', { contrast: 'more' }],
]) {
  test(`every board has plain cells ${what}`, async ({ visitor }) => {
    const [page, white] = [await visitor({ ...look, reducedMotion: 'reduce' }), await visitor()];
    const game = await begin(page, white, { turns: 2 });
    const boards = ['/', '/analysis', '/rules/fibonacci', '/learn/crossfire', '/puzzles'];
    for (const address of [...boards, ...['game', 'replay', 'embed'].map((kind) => `/${kind}/${game}`)]) {
      await page.goto(address);
      await expect(page.locator('.board-flat').first(), address).toBeAttached();
      await expect(page.locator('.board-flat').first(), address).toHaveCSS('display', 'inline');
      for (const art of await page.locator('.board-art').all())
        await expect(art, address).toHaveCSS('display', 'none');
    }
    const tone = (board) =>
      board.evaluate((element) => getComputedStyle(element).getPropertyValue('--board-tone-0'));
    await page.goto('/learn');
    const wanted = await tone(page.locator('.small-board').first());
    await page.goto('/analysis');
    const board = page.locator('.board-stack');
    await expect(board).toBeVisible();
    expect(await tone(board)).toBe(wanted);
    await page.evaluate(() => localStorage.setItem('preference board', 'slate'));
    await page.reload();
    await expect(board).toBeVisible();
    if ('forcedColors' in look) expect(await tone(board)).toBe('Canvas');
    else expect(await tone(board), 'who prefers a board has chosen its contrast').not.toBe(wanted);
  });
}

test('a long dialog keeps its title and the way out in sight', async ({ visitor }) => {
  const page = await visitor({ viewport: PHONE, hasTouch: true });
  const openers = [() => openRoom(page), () => page.getByRole('button', { name: 'Preferences' }).click()];
  for (const open of openers) {
    await page.setViewportSize(PHONE);
    await page.goto('/');
    await open();
    const dialog = page.getByRole('dialog');
    for (const [width, height] of [
      [360, 640],
      [844, 390],
    ]) {
      await page.setViewportSize({ width, height });
      await dialog.evaluate((element) => element.scrollTo(0, element.scrollHeight));
      expect(await dialog.evaluate(({ scrollTop }) => scrollTop), 'it is long').toBeGreaterThan(0);
      for (const part of [dialog.getByRole('heading', { level: 2 }), dialog.getByLabel('Close')])
        expect(await part.first().evaluateAll(areInSight), `${width} × ${height}`).toBe(true);
    }
  }
});
