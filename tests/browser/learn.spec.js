import { DESKTOP, PHONE, act, cell, expect, isAccessible, move, movable, test } from './towers.js';

/** What solves each step of the lesson of Fibonacci. */
const FIBONACCI = [
  ['b7-c7'],
  ['b6-g11'],
  ['g7-g8'],
  ['e5-e4'],
  ['g5-g7'],
  ['e5-h5'],
  ['c7-d8', 'e10-f11', 'c4-d5'],
  ['c7-d8', 'end'],
  ['d6-j6'],
  ['j11-d5'],
  ['g6-h5'],
  ['f6-g6'],
  ['d5-f5'],
  ['e7-e6', 'h7-g6', 'f4-e5'],
];
const LESSONS = ['fibonacci', 'fibonacci-mixed', 'fibonacci-cards', 'fenix', 'focus', 'crossfire'];

const button = (page, name) => page.getByRole('button', { name, exact: true });
const status = (page) => page.locator('#status');
const right = (page) => page.getByRole('heading', { name: 'Right!' });
const isAtStep = (page, step) => expect(page.locator('#task')).toContainText(`Step ${step} of `);

test('a newcomer goes from the lobby through the whole lesson of Fibonacci to a first game', async ({
  visitor,
}) => {
  const page = await visitor();
  await page.goto('/');
  await page.locator('#pages').getByRole('link', { name: 'Learn' }).click();
  await page.getByRole('link', { name: 'Start the lesson: Fibonacci', exact: true }).click();
  const asked = [];
  page.on('request', (request) => {
    // The header of every page counts the games that wait.
    if (/\/api\/(?!v1\/turns$)/.test(request.url())) asked.push(request.url());
  });
  for (const [index, actions] of FIBONACCI.entries()) {
    await isAtStep(page, index + 1);
    for (const action of actions) {
      if (action === 'end') await button(page, 'End the turn').click();
      else await move(page, [action]);
    }
    await expect(right(page)).toBeVisible();
    if (index === 0) await isAccessible(page, 'a step done');
    if (index < FIBONACCI.length - 1) await button(page, 'Next step').click();
  }
  await expect(page.getByRole('heading', { name: 'You know the game now' })).toBeVisible();
  await isAccessible(page, 'the end of a lesson');
  expect(asked, 'the server is not asked').toEqual([]);
  await expect(page.getByRole('link', { name: 'Solve puzzles' })).toHaveAttribute(
    'href',
    '/puzzles/fibonacci',
  );
  await button(page, 'Play the computer, level 1').click();
  await expect(page).toHaveURL(/\/game\//);
  await expect(page.locator('#bar-top')).toContainText('Bot 1');
  await page.goto('/learn');
  await expect(page.getByText('Lesson finished')).toBeVisible();
});

test('steps are done by keys alone, and the way on is under the next key', async ({ visitor }) => {
  const page = await visitor();
  await page.goto('/learn/fibonacci');
  for (const [index, actions] of FIBONACCI.slice(0, 3).entries()) {
    await isAtStep(page, index + 1);
    await expect(movable(page).first()).toBeVisible();
    const [from, to] = actions[0].split('-');
    for (const name of [from, to]) await cell(page, name).press('Enter');
    await expect(button(page, 'Next step')).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.locator('#board [role="gridcell"]:focus')).toHaveCount(1);
  }
  await isAtStep(page, 4);
  await page.goBack();
  await isAtStep(page, 3);
  await page.goto('/learn');
  await expect(page.getByText('Done: 3 of 14')).toBeVisible();
  await page.getByRole('link', { name: 'Continue: Fibonacci', exact: true }).click();
  await isAtStep(page, 4);
});

test('a move that is legal but not asked for is answered kindly, and the position is set up again', async ({
  visitor,
}) => {
  const page = await visitor();
  await page.goto('/learn/fibonacci#2');
  await move(page, ['b7-c7']);
  await expect(page.getByRole('heading', { name: 'Not quite' })).toBeVisible();
  await expect(status(page)).toContainText('not what this step asks for');
  await isAccessible(page, 'missed');
  await button(page, 'Set up again').click();
  await expect(cell(page, 'b7')).toHaveAccessibleName(/strike piece/);
  await button(page, 'Hint').click();
  await expect(status(page)).toContainText('b6 to g11');
  await move(page, ['b6-g11']);
  await expect(right(page)).toBeVisible();
});

for (const [address, actions, said] of [
  ['fenix#11', ['c3xc7xe7xe1'], /may be jumped twice/],
  ['focus#9', ['*c5'], /takes over a stack/],
  ['crossfire#9', ['g5-f4'], /going round in circles/],
  ['fibonacci-mixed#2', ['c5-b7'], /same kind cannot swap/],
  ['fibonacci-cards#3', ['d3-g4'], /that wins/],
]) {
  test(`the step ${address} is done by clicks`, async ({ visitor }) => {
    const page = await visitor();
    await page.goto(`/learn/${address}`);
    await act(page, actions);
    await expect(right(page)).toBeVisible();
    await expect(status(page)).toContainText(said);
  });
}

for (const [locale, colorScheme] of [
  ['fr-FR', 'dark'],
  ['en-GB', 'light'],
]) {
  test(`lessons fit a phone and meet axe (${locale})`, async ({ visitor }) => {
    const page = await visitor({
      viewport: PHONE,
      hasTouch: true,
      locale,
      colorScheme,
      reducedMotion: 'reduce',
    });
    const fits = async () =>
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
        PHONE.width,
      );
    await page.goto('/learn');
    await expect(page.locator('.small-board svg')).toHaveCount(LESSONS.length);
    await isAccessible(page, 'the lessons');
    await fits();
    for (const lesson of LESSONS) {
      await page.goto(`/learn/${lesson}`);
      await expect(movable(page).first()).toBeVisible();
      await isAccessible(page, lesson);
      await fits();
    }
    await page.setViewportSize(DESKTOP);
    await isAccessible(page, 'a lesson on a desktop');
  });
}

for (const [locale, hint, again, next] of [
  ['en-GB', 'Hint', 'Set up again', 'Next step'],
  ['fr-FR', 'Indice', 'Remettre en place', 'Étape suivante'],
])
  test(`nothing moves on a phone while the words of a lesson change (${locale})`, async ({ visitor }) => {
    const page = await visitor({ viewport: { width: 390, height: 844 }, hasTouch: true, locale });
    const boxes = () => Promise.all(['#board', '#tools'].map((part) => page.locator(part).boundingBox()));
    await page.goto('/learn/fibonacci#9');
    await expect(movable(page).first()).toBeVisible();
    const [before, place] = [await boxes(), await button(page, again).boundingBox()];
    const stays = async () => {
      expect(await boxes()).toEqual(before);
      expect(await button(page, again).boundingBox()).toEqual(place);
    };
    await button(page, hint).click();
    await stays();
    await move(page, ['d5-d4']);
    await expect(page.getByRole('heading', { name: /^(Not quite|Pas tout à fait)$/ })).toBeVisible();
    await stays();
    await button(page, again).click();
    await stays();
    for (const action of ['d6-j6', 'j11-d5']) {
      await move(page, [action]);
      await expect(button(page, next)).toBeVisible();
      await stays();
      await button(page, next).click();
      await expect(button(page, hint)).toBeVisible();
      await stays();
    }
  });

test('on a phone the tools of a lesson are at the lower edge, and cover nothing of the board', async ({
  visitor,
}) => {
  const viewport = { width: 360, height: 740 };
  const page = await visitor({ viewport, hasTouch: true, isMobile: true });
  const box = (part) => page.locator(part).boundingBox();
  for (const address of ['crossfire', 'focus#8', 'focus#9', 'fibonacci']) {
    await page.goto('about:blank');
    await page.goto(`/learn/${address}`);
    await expect(movable(page).first()).toBeVisible();
    const [board, tools] = await Promise.all(['#board', '#tools'].map(box));
    expect(board.y + board.height, address).toBeLessThanOrEqual(tools.y);
    expect(tools.y + tools.height, address).toBeCloseTo(viewport.height, 0);
  }
  await page.goto('/learn/focus#9');
  const [board, tools, reserve] = await Promise.all(['#board', '#tools', '#tray-bottom button'].map(box));
  expect(reserve.y).toBeGreaterThanOrEqual(board.y + board.height);
  expect(reserve.y + reserve.height / 2, 'the reserve can be pressed').toBeLessThan(tools.y);
  await page.locator('#tray-bottom button').tap();
  await cell(page, 'c5').tap();
  await expect(right(page)).toBeVisible();
  await page.goto('/learn/fibonacci');
  // On a low screen the tools scroll with the page, but for the way on.
  await page.setViewportSize(PHONE);
  await expect(button(page, 'Hint')).not.toBeInViewport();
  await move(page, FIBONACCI[0]);
  await expect(button(page, 'Next step')).toBeInViewport({ ratio: 1 });
});

test('the cells of the task and of a hint are marked, by their names where the board has no coordinates', async ({
  visitor,
}) => {
  const page = await visitor({ viewport: PHONE, hasTouch: true });
  const named = page.locator('g > .board-name');
  await page.goto('/learn/fibonacci#2');
  await expect(named).toHaveText(['b6', 'g11']);
  await expect(named.first()).toBeHidden();
  await expect(page.locator('.mark-named')).toHaveAttribute('d', /^[^M]*M[^M]*M[^M]*$/);
  await move(page, ['b6-g11']);
  await expect(right(page)).toBeVisible();
  await expect(named).toHaveCount(0);
  await page.goto('/learn/crossfire#2');
  await expect(named).toHaveText(['g5']);
  await expect(named).toBeVisible();
  await button(page, 'Hint').click();
  await expect(named).toHaveText(['g5', 'a5']);
});

test('a variant without a lesson has that of its game, and what is no ruleset has none', async ({
  visitor,
}) => {
  const page = await visitor();
  await page.goto('/rules/focus-classic');
  await page.getByRole('link', { name: 'Learn it on a board, move by move' }).click();
  await expect(page.getByRole('heading', { name: 'Lesson: Focus' })).toBeVisible();
  await page.goto('/learn/focus-classic');
  await expect(page.getByRole('heading', { name: 'Lesson: Focus' })).toBeVisible();
  const answer = await page.goto('/learn/chess');
  expect(answer.status()).toBe(404);
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
});
