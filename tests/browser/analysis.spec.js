// The analysis board: turns and branches, notes, the search's opinion, the evaluation of a line, files and links.

import { readFileSync } from 'node:fs';

import {
  GAME,
  PHONE,
  begin,
  cell,
  expect,
  isAccessible,
  movable,
  pick,
  test,
  unfold,
  openTab,
} from './towers.js';

/** First can win this turn. */
const WINNABLE = 'C5/7/8/4S3p/2P2S1pp1/3P1cSp3/1PPPSpSp2/P2S5/8/5s1/sssss1 1 3 3/3';

/** A turn of Black after the first two of `GAME` that costs much, and a good one. */
const [MISTAKE, BETTER] = [
  ['c4-d1', 'b7-f11', 'd9-f10'],
  ['e10-d6', 'd9-e6', 'c8-f6'],
];

const turns = (page) => page.locator('#turns .turn-button');
const opinion = (page) => page.getByRole('region', { name: 'The computer’s opinion' });
const best = (page) => opinion(page).getByRole('listitem');
const notes = (page) => page.getByRole('region', { name: /^Notes on/ });
const review = (page) => page.locator('#review');
const comment = (page) => page.getByRole('textbox', { name: 'Comment' });
const marks = (page) => notes(page).getByRole('button', { name: /^Remove/ });

/** A page whose search is off, so that nothing depends on it. */
async function quiet(visitor, options) {
  const page = await visitor(options);
  await page.addInitScript(() => localStorage.setItem('opinion', 'off'));
  return page;
}

/** Plays a turn of one action by its text. */
async function typed(page, action) {
  await page.getByLabel('Type a move').fill(action);
  await page.getByRole('button', { name: 'Make the move' }).click();
}

/** Opens a position or a record on the page. */
async function bring(page, text, ruleset) {
  await page.locator('#bring summary').click();
  if (ruleset !== undefined) await page.locator('#bring select').selectOption(ruleset);
  await page.locator('#bring textarea').fill(text);
  await page.getByRole('button', { name: 'Open', exact: true }).click();
}

async function downloaded(page) {
  await unfold(page);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download the analysis' }).click(),
  ]);
  return readFileSync(await download.path(), 'utf8');
}

/** Two turns, a variation of the second, and notes on it. */
async function annotate(page) {
  await page.goto('/analysis?ruleset=crossfire');
  const [first, back] = ['Go to start', 'Previous move'].map((name) => page.getByRole('button', { name }));
  for (const way of [first, back]) await expect(way).toHaveAttribute('aria-disabled', 'true');
  for (const action of ['a5-b4', 'b6-a7']) await typed(page, action);
  for (const way of [first, back]) await expect(way).toHaveAttribute('aria-disabled', 'false');
  await expect(turns(page)).toHaveCount(2);
  await page.getByRole('button', { name: 'Previous move' }).click();
  await typed(page, 'l6-k5');
  await expect(turns(page)).toHaveCount(3);
  await comment(page).fill('Better, I think.\n« Sûr » [not a command]');
  await page.getByRole('button', { name: 'good turn', exact: true }).click();
  const field = page.getByRole('textbox', { name: 'Arrow or circle' });
  await field.fill('a5 b4');
  await page.keyboard.press('Enter');
  await field.fill('c3');
  await page.keyboard.press('Enter');
  await expect(marks(page)).toHaveCount(2);
}

async function isAnnotated(page) {
  await expect(turns(page)).toHaveText([/a5-b4/, /b6-a7/, /l6-k5.*!/s]);
  await turns(page).nth(2).click();
  await expect(comment(page)).toHaveValue('Better, I think.\n« Sûr » [not a command]');
  await expect(page.getByRole('button', { name: 'good turn', exact: true })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  await expect(marks(page)).toHaveText([/arrow a5 → b4/, /circle c3/]);
}

test('turns of both sides make a tree, whose branches are promoted and deleted', async ({ visitor }) => {
  const page = await quiet(visitor);
  await page.goto('/analysis?ruleset=crossfire');
  await pick(page, 'a5');
  await cell(page, 'b4').click();
  await expect(page.getByRole('heading', { name: 'Turn 2, Black' })).toBeVisible();
  await typed(page, 'b6-a7');
  await expect(turns(page)).toHaveText([/a5-b4/, /b6-a7/]);
  await page.getByRole('button', { name: 'Go to start' }).click();
  await typed(page, 'j8-i7');
  await expect(page.getByRole('list', { name: 'Variation' }).locator('.turn-button')).toHaveText([/j8-i7/]);
  await page.getByRole('button', { name: 'Make this the main line' }).click();
  await expect(turns(page)).toHaveText([/j8-i7/, /a5-b4/, /b6-a7/]);
  await expect(page.getByRole('list', { name: 'Variation' }).locator('.turn-button')).toHaveCount(2);
  await page.getByRole('button', { name: 'Delete from here' }).click();
  await expect(turns(page)).toHaveText([/a5-b4/, /b6-a7/]);
  await expect(page.getByRole('heading', { name: 'Turn 1, White' })).toBeVisible();
});

test('the computer’s best turns are named and drawn, and are played by a press', async ({ visitor }) => {
  const page = await visitor();
  await page.goto('/analysis?ruleset=crossfire');
  await expect(best(page)).toHaveCount(3);
  await expect(opinion(page)).toContainText(/(White|Black) \d+%/);
  await expect(page.locator('.hint-best')).toHaveAttribute('d', /^M/);
  const action = await best(page).first().locator('span').textContent();
  await best(page).first().getByRole('button').click();
  await expect(turns(page)).toHaveText([new RegExp(action)]);
  await opinion(page).getByRole('button', { name: 'Hide' }).click();
  await expect(opinion(page).getByRole('button', { name: 'Show' })).toBeVisible();
  await expect(best(page)).toHaveCount(0);
  await expect(page.locator('.hint-best')).not.toHaveAttribute('d', /./);
});

test('a win in the turn is found and said', async ({ visitor }) => {
  const page = await visitor();
  await page.goto('/analysis');
  await bring(page, WINNABLE, 'fibonacci');
  await expect(opinion(page).getByText('Black can win this turn.')).toBeVisible();
  await expect(best(page).first()).toContainText('wins this turn');
  await best(page).first().getByRole('button').click();
  await expect(page.getByRole('heading', { name: 'Black won' })).toBeVisible();
});

test('a download has all notes, is read again, and its main line is one that the server accepts', async ({
  visitor,
}) => {
  const page = await quiet(visitor);
  await annotate(page);
  const text = await downloaded(page);
  expect(text).toContain('( 2 l6-k5 ! {[%arrow a5 b4] [%circle c3] Better');
  const answer = await page.request.post('/api/v1/records/check', {
    headers: { 'content-type': 'text/plain' },
    data: text,
  });
  expect(answer.ok(), await answer.text()).toBe(true);
  expect((await answer.json()).events.filter(({ type }) => type === 'turn_played')).toHaveLength(2);

  const other = await quiet(visitor);
  await other.goto('/analysis');
  await bring(other, text);
  await isAnnotated(other);
  expect(await downloaded(other)).toBe(text);
});

test('a link has the whole analysis, which no server receives', async ({ visitor }) => {
  const page = await quiet(visitor);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await annotate(page);
  await expect(page).toHaveURL(/\/analysis#a=/);
  // The address is kept up to date a moment after each change.
  await page.getByRole('button', { name: 'Copy link to this analysis' }).click();
  await expect(page.locator('#status .notice')).toBeVisible();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  const other = await quiet(visitor);
  const asked = [];
  other.on('request', (request) => asked.push(request.url()));
  await other.goto(link);
  await isAnnotated(other);
  expect(asked.filter((address) => address.includes('a='))).toEqual([]);
});

test('a damaged link, text and turn are refused in words', async ({ visitor }) => {
  const page = await quiet(visitor);
  await page.goto('/analysis#a=nonsense');
  await expect(page.locator('#status')).toContainText('The link is damaged.');
  await bring(page, 'no position', 'fenix');
  await expect(page.locator('#bring-trouble')).toContainText(
    'This is not a position of this game. The start position is wrong at character',
  );
  await page.locator('#bring textarea').fill('towers-record 1\nruleset: fenix\n\n1 a1-a2\nfinal: x\n');
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  await expect(page.locator('#bring-trouble')).toContainText(
    'The record has a turn that the rules do not allow. Turn 1: move 1 breaks rule 2.',
  );
  await page
    .locator('#bring textarea')
    .fill('> towers-record 1\n> ruleset: fenix\n>\n> 1 a1-a2 !!!\n> final: x');
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  await expect(page.locator('#bring-trouble')).toHaveText(
    'Line 4 cannot be read. The line is: “1 a1-a2 !!!” It should be a turn from 1 to 1001, or “final” with a position.',
  );
  await page.locator('#bring textarea').fill('towers-record 2\n');
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  await expect(page.locator('#bring-trouble')).toHaveText(
    'Version 2 of the record format is newer than this site can read.',
  );
});

test('a finished game is evaluated as a whole', async ({ visitor }) => {
  const [black, white] = [await visitor(), await visitor()];
  const id = await begin(black, white, { turns: GAME.turns.length });
  const page = await quiet(visitor);
  await page.goto(`/replay/${id}#3.1`);
  await page.getByRole('link', { name: 'Analyse' }).click();
  await expect(turns(page)).toHaveCount(GAME.turns.length);
  await expect(turns(page).nth(2)).toHaveAttribute('aria-current', 'step');
  await openTab(page, 'Review');
  await review(page).getByRole('button', { name: 'Evaluate all turns' }).click();
  const graph = review(page).getByRole('slider');
  await expect(graph).toHaveAttribute('aria-valuetext', /^Turn 3, Black/, { timeout: 60_000 });
  await graph.press('End');
  await expect(graph).toHaveAttribute('aria-valuetext', `Turn ${GAME.turns.length}, Black, Black 100%`);
});

test('a player finds the turn that would have been better than a mistake', async ({ visitor }) => {
  const page = await quiet(visitor);
  const playTurn = async (actions) => {
    for (const action of actions) await typed(page, action);
  };
  await page.goto('/analysis');
  for (const turn of GAME.turns.slice(0, 2)) await playTurn(turn);
  await playTurn(MISTAKE);
  await openTab(page, 'Review');
  await review(page).getByRole('button', { name: 'Evaluate all turns' }).click();
  await review(page).getByRole('button', { name: 'Learn from Black’s mistakes' }).click();
  await expect(page.getByRole('heading', { name: 'Mistake 1 of 1' })).toBeVisible();
  await expect(best(page), 'nothing gives the better turn away').toHaveCount(0);
  await playTurn(MISTAKE);
  await expect(page.getByText('No better. Try another turn.').first()).toBeVisible();
  await playTurn(BETTER);
  await expect(page.getByText('Well found!').first()).toBeVisible();
  await expect(page.locator('#status')).toContainText(
    /Black’s winning chances: \d+% before, \d+% after the turn played, \d+% after yours\./,
  );
  await expect(turns(page).and(page.locator('[aria-current]')), 'it stays on the board').toHaveText(
    new RegExp(BETTER.join(', ')),
  );
  await page.getByRole('button', { name: 'Flip board' }).click();
  await expect(page).toHaveURL(/\?learn=first&mistake=1&side=second#a=/);
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Mistake 1 of 1' })).toBeVisible();
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('heading', { name: 'Mistake 1 of 1' })).toBeHidden();
});

test('a player does not analyse a game that is under way, and a spectator may', async ({ visitor }) => {
  const [black, white, spectator] = [await visitor(), await visitor(), await quiet(visitor)];
  const id = await begin(black, white, { turns: 2 });
  for (const player of [black, white]) {
    await player.goto(`/analysis?game=${id}`);
    await expect(player.getByRole('heading', { name: 'This game is still being played' })).toBeVisible();
    await expect(player.getByRole('gridcell')).toHaveCount(0);
    await isAccessible(player, 'the refusal');
  }
  await spectator.goto(`/analysis?game=${id}&turn=2`);
  await expect(turns(spectator)).toHaveCount(2);
});

test('the card of each turn is chosen', async ({ visitor }) => {
  const page = await quiet(visitor);
  await page.goto('/analysis?ruleset=fibonacci-cards');
  const cards = page.getByRole('group', { name: 'Card of this turn' }).getByRole('button');
  await expect(cards).toHaveCount(6);
  await cards.nth(0).click();
  await expect(movable(page).first()).toBeVisible();
  await page.getByRole('button', { name: 'Another card' }).click();
  await cards.nth(0).click();
  await typed(page, 'b7-c7');
  await expect(turns(page)).toHaveCount(1);
  await expect(cards).toHaveCount(6);
});

test('the keyboard alone is enough', async ({ visitor }) => {
  const page = await quiet(visitor);
  await page.goto('/analysis?ruleset=crossfire');
  await movable(page).first().focus();
  for (const action of ['a5-b4', 'b6-a7']) {
    await page.getByLabel('Type a move').focus();
    await page.keyboard.type(action);
    await page.keyboard.press('Enter');
  }
  await expect(turns(page)).toHaveCount(2);
  await page.locator('#status').focus();
  await page.keyboard.press('ArrowLeft');
  await expect(turns(page).first()).toHaveAttribute('aria-current', 'step');
  await page.keyboard.press('Home');
  await expect(page.getByRole('heading', { name: 'Notes on the start' })).toBeVisible();
  await page.keyboard.press('End');
  await expect(turns(page).nth(1)).toHaveAttribute('aria-current', 'step');
  await isAccessible(page, 'the analysis');
});

test('arrows and circles of the right button belong to their position', async ({ visitor }) => {
  const page = await quiet(visitor);
  await page.goto('/analysis?ruleset=crossfire');
  await typed(page, 'a5-b4');
  const middle = async (name) => {
    const { x, y, width, height } = await cell(page, name).boundingBox();
    return [x + width / 2, y + height / 2];
  };
  await page.mouse.move(...(await middle('g5')));
  await page.mouse.down({ button: 'right' });
  await page.mouse.move(...(await middle('g7')));
  await page.mouse.up({ button: 'right' });
  await cell(page, 'c3').click({ button: 'right' });
  await expect(marks(page)).toHaveText([/arrow g5 → g7/, /circle c3/]);
  await expect(page.locator('.arrow:not(.arrow-other)')).toHaveAttribute('d', /M.*a38/);
  await page.getByRole('button', { name: 'Previous move' }).click();
  await expect(marks(page)).toHaveCount(0);
  await expect(page.locator('.arrow:not(.arrow-other)')).not.toHaveAttribute('d', /./);
  await page.getByRole('button', { name: 'Next move' }).click();
  await expect(marks(page)).toHaveCount(2);
});

test('a telephone shows it all without scrolling aside', async ({ visitor }) => {
  const page = await quiet(visitor);
  await annotate(page);
  await page.setViewportSize(PHONE);
  await openTab(page, 'Review');
  await review(page).getByRole('button', { name: 'Evaluate all turns' }).click();
  await expect(review(page).getByRole('slider')).toBeVisible();
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(wide).toBeLessThanOrEqual(PHONE.width);
  await isAccessible(page, 'the analysis on a telephone');
});
