import { readFileSync, readdirSync, statSync } from 'node:fs';
import { PHONE, act, cell, expect, isAccessible, movable, test } from './towers.js';

const FILES = new URL('../../engine/search/puzzles/', import.meta.url);
/** The rulesets that have puzzles. */
const RULESETS = readdirSync(FILES)
  .filter((name) => statSync(new URL(name, FILES)).size > 0)
  .map((name) => name.replace('.jsonl', ''));

const json = async (page, path) => (await page.request.get(`/api/v1/puzzles${path}`)).json();

/** The own turns of a solution of the first puzzle of a ruleset.
 * @returns its id, its task, its turns and the trial of its start
 */
async function firstOf(page, ruleset) {
  const { id } = (await json(page, `?ruleset=${ruleset}`)).puzzles[0];
  const { task, trial } = await json(page, `/${id}`);
  const line = (await json(page, `/${id}/solution`)).turns;
  const own = line.filter((_, index) => index % 2 === 0).slice(0, task.kind === 'win_in_two' ? 2 : 1);
  const turns = own.map(({ steps }) => steps.map(({ action }) => action));
  return { id, task, turns, trial };
}

/** A puzzle of each kind of task of each ruleset, as the client has them. */
function oneOfEachKind() {
  const entries = JSON.parse(
    readFileSync(new URL('../../static/puzzle/puzzles.json', import.meta.url), 'utf8'),
  );
  return Object.values(
    Object.fromEntries(entries.map((entry) => [`${entry.ruleset} ${entry.task.kind}`, entry])),
  );
}

const status = (page) => page.locator('#status');
const button = (page, name) => page.getByRole('button', { name });
const solved = (page) => page.getByRole('heading', { name: 'Solved!' });

for (const ruleset of RULESETS) {
  test(`a puzzle of ${ruleset} is solved by clicks`, async ({ visitor }) => {
    const page = await visitor();
    const { id, turns } = await firstOf(page, ruleset);
    await page.goto(`/puzzles#${id}`);
    await expect(page.locator('.order')).toHaveText(/ to move: /);
    await expect(page.locator('.order strong')).toHaveText(/^\w+ to move:$/);
    await act(page, turns[0]);
    if (turns.length > 1) {
      await expect(status(page)).toContainText(/Right\. .* replies .*Now win\./);
      await act(page, turns[1]);
    }
    await expect(solved(page)).toBeVisible();
    await isAccessible(page, `${ruleset}, solved`);
    await page.reload();
    await expect(status(page)).toHaveText('You have solved this one before.');
  });
}

test('the puzzle of the day is one click away from the lobby', async ({ visitor }) => {
  const page = await visitor();
  await page.goto('/');
  await page.locator('#pages').getByRole('link', { name: 'Puzzles' }).click();
  await expect(page).toHaveURL(/\/puzzles$/);
  await expect(page.getByRole('heading', { level: 1, name: 'Puzzle of the day' })).toBeVisible();
  await expect(page.getByRole('grid')).toBeVisible();
  await expect(page.locator('#choice')).toContainText(/\d{3} puzzles, 0 solved on this device/);
});

test('on a phone the tools of every kind of puzzle of the day share a row in sight', async ({ visitor }) => {
  const viewport = { width: 390, height: 664 };
  const page = await visitor({ viewport, hasTouch: true, isMobile: true, locale: 'fr-FR' });
  for (const entry of oneOfEachKind()) {
    const kind = `${entry.ruleset}, ${entry.task.kind}`;
    await page.route(/puzzles[^/]*\.json$/, (route) => route.fulfill({ json: [entry] }));
    await page.goto('/puzzles');
    await expect(movable(page), kind).not.toHaveCount(0);
    const tools = page.locator('.actions button');
    await expect(tools, kind).toHaveCount(4);
    const boxes = await Promise.all((await tools.all()).map((tool) => tool.boundingBox()));
    expect(new Set(boxes.map(({ y }) => y)).size, kind).toBe(1);
    for (const { y, height } of boxes) expect(y + height, kind).toBeLessThanOrEqual(viewport.height);
  }
});

test('moves are counted, taken back, and the puzzle is begun again', async ({ visitor }) => {
  const page = await visitor();
  const { id, task, turns } = await firstOf(page, 'fibonacci');
  await page.goto(`/puzzles#${id}`);
  await expect(page.locator('.order')).toContainText(`with ${task.moves} moves left`);
  await act(page, turns[0].slice(0, 2));
  await expect(status(page)).toContainText(`${task.moves - 2} move`);
  await button(page, 'Undo').click();
  await expect(status(page)).toContainText(`${task.moves - 1} moves left`);
  await button(page, 'Reset').click();
  await expect(status(page)).toHaveText('Your move.');
  await act(page, turns[0]);
  await expect(solved(page)).toBeVisible();
});

test('a turn that does not win is reported, and may be taken back', async ({ visitor }) => {
  const page = await visitor();
  const { id, turns, trial } = await firstOf(page, 'crossfire');
  await page.goto(`/puzzles#${id}`);
  const wrong = trial.actions.find(({ text, kind }) => kind === 'move' && text !== turns[0][0]);
  await act(page, [wrong.text]);
  await expect(page.getByRole('heading', { name: 'Not yet' })).toBeVisible();
  await expect(status(page)).toContainText(/replies .* and you cannot win next turn/);
  await isAccessible(page, 'failed');
  await button(page, 'Undo').click();
  await act(page, turns[0]);
  await expect(status(page)).toContainText(/Now win/);
});

test('the solution is shown move by move, and the puzzle can then be tried', async ({ visitor }) => {
  const page = await visitor();
  const { id, turns } = await firstOf(page, 'fibonacci');
  await page.goto(`/puzzles#${id}`);
  await button(page, 'Show the solution').click();
  await expect(page.getByRole('heading', { name: 'The solution' })).toBeVisible();
  await expect(status(page)).toContainText(`1 of ${turns[0].length}`);
  for (let move = 2; move <= turns[0].length; move += 1) {
    await button(page, 'Next move').click();
    await expect(status(page)).toContainText(`${move} of ${turns[0].length}`);
  }
  await isAccessible(page, 'solution');
  await button(page, 'Try it yourself').click();
  await act(page, turns[0]);
  await expect(solved(page)).toBeVisible();
});

test('a game and a difficulty are chosen, and the next puzzle is one of them', async ({ visitor }) => {
  const page = await visitor();
  await page.goto('/puzzles');
  await expect(page.getByRole('grid')).toBeVisible();
  await page.getByRole('combobox', { name: 'Game', exact: true }).selectOption('focus');
  await expect(page.getByRole('grid', { name: 'Focus board' })).toBeVisible();
  await page.getByRole('combobox', { name: 'Difficulty' }).selectOption('5');
  await expect(page.locator('#task')).toContainText('Focus · difficulty 5 of 5');
  const before = page.url();
  await button(page, 'Next puzzle').click();
  await expect(page).not.toHaveURL(before);
  await expect(page.locator('#task')).toContainText('Focus · difficulty 5 of 5');
  await page.goBack();
  await expect(page).toHaveURL(before);
});

test('a page of a game has puzzles of that game, one after the other', async ({ visitor }) => {
  const page = await visitor();
  await page.goto('/puzzles/fenix');
  await expect(page).toHaveURL(/\/puzzles\/fenix#[0-9a-f]{8}$/);
  await expect(page.locator('#task')).toContainText('Fenix');
  await expect(page).toHaveTitle(/^Puzzles: Fenix/);
  const before = page.url();
  await button(page, 'Next puzzle').click();
  await expect(page).not.toHaveURL(before);
  await expect(page.locator('#task')).toContainText('Fenix');
  await page.goBack();
  await expect(page).toHaveURL(before);
  await page.getByRole('combobox', { name: 'Game', exact: true }).selectOption('crossfire');
  await expect(page).toHaveURL(/\/puzzles\/crossfire#/);
  await expect(page.getByRole('grid', { name: 'Crossfire board' })).toBeVisible();
});

test('the puzzle of the day begins a streak, and its moves need no request', async ({ visitor }) => {
  const page = await visitor();
  const { id, task } = await json(page, '/today');
  const line = (await json(page, `/${id}/solution`)).turns;
  const own = line.filter((_, index) => index % 2 === 0).slice(0, task.kind === 'win_in_two' ? 2 : 1);
  const asked = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.goto('/puzzles');
  for (const { steps } of own)
    await act(
      page,
      steps.map(({ action }) => action),
    );
  await expect(solved(page)).toBeVisible();
  await expect(page.locator('#choice')).toContainText('1 day in a row. Best: 1.');
  expect(asked.filter((url) => url.includes('/try'))).toEqual([]);
});

test('a puzzle is solved by keys alone, and by taps in French', async ({ visitor }) => {
  const [keys, taps] = [await visitor(), await visitor({ viewport: PHONE, hasTouch: true, locale: 'fr-FR' })];
  const { id, turns } = await firstOf(keys, 'fibonacci');
  await keys.goto(`/puzzles#${id}`);
  await taps.goto(`/puzzles#${id}`);
  for (const action of turns[0]) {
    const [from, to] = action.split('-');
    await expect(movable(keys).first()).toBeVisible();
    for (const name of [from, to]) await cell(keys, name).press('Enter');
    await expect(movable(taps).first()).toBeVisible();
    for (const name of [from, to]) await cell(taps, name).tap();
  }
  await expect(solved(keys)).toBeVisible();
  await expect(taps.getByRole('heading', { name: /^Résolu/ })).toBeVisible();
  await isAccessible(taps, 'puzzle, phone, fr');
  expect(await taps.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.width);
});

test('an address of no puzzle says so and leads to that of the day', async ({ visitor }) => {
  const page = await visitor();
  await page.goto('/puzzles#00000000');
  await expect(status(page)).toContainText('There is no puzzle at this address.');
  await button(page, 'Try again').click();
  await expect(page.getByRole('heading', { name: 'Puzzle of the day' })).toBeVisible();
});
