// Pages that the browser translates: a translator puts elements where texts were, and the texts leave the page.

import { GAME, YOUR_TURN, begin, expect, move, play, playUnseen, send, test } from './towers.js';

/** Does to a page what translators do, but that the words stay the same. It minds no `translate="no"`. */
function translator() {
  const isLeft = (parent) => parent.closest('font, script, style, title, textarea, noscript') !== null;
  const font = (content) => {
    const element = document.createElement('font');
    element.style.verticalAlign = 'inherit';
    element.append(content);
    return element;
  };
  const translate = (text) => {
    const parent = text.parentElement;
    if (parent === null || text.data.trim() === '' || isLeft(parent)) return;
    text.replaceWith(font(font(text.data)));
  };
  const translateAll = (node) => {
    if (node instanceof Text) return translate(node);
    const texts = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
    const found = [];
    while (texts.nextNode()) found.push(texts.currentNode);
    found.forEach(translate);
  };
  addEventListener('DOMContentLoaded', () => {
    translateAll(document.body);
    new MutationObserver((records) => {
      for (const { type, target, addedNodes } of records) {
        if (type === 'characterData') translateAll(target);
        else addedNodes.forEach(translateAll);
      }
    }).observe(document.body, { childList: true, characterData: true, subtree: true });
  });
}

/** A visitor whose browser translates every page. */
async function reader(visitor) {
  const page = await visitor();
  await page.addInitScript(translator);
  return page;
}

/** Asserts that a text on a page has been translated. */
const isTranslated = (element) => expect(element.locator('font font').first()).toBeAttached();

const CLOCK = { kind: 'real_time', base_s: 3_600, bonus_s: 0, bonus: 'per_turn' };
const TERMS = { clock: CLOCK, watching: 'everybody', drafts: 'shown', delay: 0 };

test('a translated game is played on: status, clocks, strip and list of turns', async ({ visitor }) => {
  const [black, white] = [await reader(visitor), await visitor()];
  const id = await begin(black, white, { visibility: 'public', terms: TERMS, turns: 2 });
  await black.goto(`/game/${id}`);
  await expect(black.getByRole('heading', { name: YOUR_TURN })).toBeVisible();
  await isTranslated(black.locator('#status'));
  const times = black.locator('.clock .time');
  const [, before] = await times.allInnerTexts();
  await expect.poll(async () => (await times.allInnerTexts())[1]).not.toBe(before);
  for (const [index, actions] of GAME.turns.slice(2, 4).entries()) {
    if (index % 2 === 0) await play(black, actions);
    else await playUnseen(white, id, actions);
    await expect(black.locator('#turns .turns > li')).toHaveCount(index + 3);
  }
  await expect(black.locator('#heading')).toContainText('Turn 5');
  await expect(black.getByRole('heading', { name: YOUR_TURN })).toBeVisible();
  const count = black.locator('#strip .count');
  await expect(count).toHaveText('move 1 of 5');
  await move(black, GAME.turns[4].slice(0, 1));
  await expect(count).toHaveText('move 2 of 5');
  await black.getByRole('button', { name: 'Resign…', exact: true }).click();
  await black.getByRole('button', { name: 'Yes, resign' }).click();
  await expect(black.getByRole('heading', { name: 'You lost' })).toBeVisible();
});

test('a translated lobby shows rooms and counts as they change', async ({ visitor }) => {
  const [page, maker] = [await reader(visitor), await visitor()];
  await page.goto('/');
  await isTranslated(page.getByRole('main'));
  const rooms = page.getByRole('tab', { name: /^Open rooms|^Rooms/ });
  await expect(rooms).toContainText(/\d/);
  const anyone = page.getByRole('button', { name: /^Anyone/ });
  const count = async () => Number(/\d+/.exec(await anyone.innerText())?.[0] ?? 0);
  const before = await count();
  await maker.request.post('/api/v1/session');
  const { name } = (
    await (await maker.request.patch('/api/v1/session', { data: { name: 'Fresh Maker' } })).json()
  ).player;
  await maker.goto('/');
  await expect.poll(count).toBe(before + 1);
  const data = { ruleset: 'fibonacci', seat: 'first', visibility: 'public' };
  const { id } = await (await maker.request.post('/api/v1/rooms', { data })).json();
  const row = page.getByRole('tabpanel').getByRole('listitem').filter({ hasText: name });
  await expect(row).toBeVisible();
  await maker.request.delete(`/api/v1/rooms/${id}`);
  await expect(row).toHaveCount(0);
});

test('a translated replay shows each moment', async ({ visitor }) => {
  const [black, white, page] = [await visitor(), await visitor(), await reader(visitor)];
  const id = await begin(black, white, { turns: GAME.turns.length });
  await page.goto(`/replay/${id}`);
  await expect(page.getByText('Start position')).toBeVisible();
  await page.getByRole('button', { name: 'Next move' }).click();
  await expect(page.getByRole('heading', { name: 'Turn 1, Black' })).toBeVisible();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('heading', { name: 'Turn 2, White' })).toBeVisible();
  await page.keyboard.press('End');
  await expect(page.getByRole('heading', { name: /won$/ })).toBeVisible();
  await page.keyboard.press('Home');
  await expect(page.getByText('Start position')).toBeVisible();
});

test('a translated puzzle counts the moves', async ({ visitor }) => {
  const page = await reader(visitor);
  const answer = async (path) => (await page.request.get(`/api/v1/puzzles${path}`)).json();
  const { id } = (await answer('?ruleset=fibonacci')).puzzles[0];
  const { task } = await answer(`/${id}`);
  const [{ steps }] = (await answer(`/${id}/solution`)).turns;
  await page.goto(`/puzzles#${id}`);
  await expect(page.locator('.order')).toContainText(`with ${task.moves} moves left`);
  await isTranslated(page.locator('.order'));
  const actions = steps.map(({ action }) => action).filter((action) => action !== 'end');
  for (const [index, action] of actions.entries()) {
    await move(page, [action]);
    const left = actions.length - index - 1;
    if (left > 1) await expect(page.locator('#status')).toContainText(`${left} moves left`);
  }
  await expect(page.getByRole('heading', { name: 'Solved!' })).toBeVisible();
});

test('a translated analysis and a game on the device are played on', async ({ visitor }) => {
  const page = await reader(visitor);
  await page.addInitScript(() => localStorage.setItem('opinion', 'off'));
  await page.goto('/analysis?ruleset=crossfire');
  for (const [index, action] of ['a5-b4', 'b6-a7'].entries()) {
    await page.getByLabel('Type a move').fill(action);
    await page.getByRole('button', { name: 'Make the move' }).click();
    await expect(page.locator('#turns .turn-button')).toHaveCount(index + 1);
  }
  await page.goto('/table');
  await page.getByRole('combobox', { name: 'Game', exact: true }).selectOption('fibonacci');
  await page.getByRole('combobox', { name: /who goes first$/ }).selectOption('A person');
  await page.locator('select[name="second"]').selectOption('A person');
  await page.getByRole('button', { name: 'Start the game' }).click();
  for (const [index, side] of ['White', 'Black'].entries()) {
    await move(
      page,
      GAME.turns[index].filter((action) => action !== 'end'),
    );
    await send(page);
    await expect(page.locator('#status')).toContainText(side);
  }
});
