// Every ruleset from the lobby to its replay, by clicks.

import { readFileSync } from 'node:fs';
import AxeBuilder from '@axe-core/playwright';
import { YOUR_TURN, cell, confirm, expect, pick, test } from './towers.js';

const read = (name) =>
  JSON.parse(readFileSync(new URL(`../../engine/tests/games/${name}.json`, import.meta.url), 'utf8'));

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** The files of the games, with how the dialog calls their rulesets. */
const GAMES = {
  fibonacci: /^Fibonacci/,
  'fibonacci-mixed': /^Mixed groups/,
  'fibonacci-cards-end': /^With cards/,
  fenix: /^Fenix/,
  focus: /^Focus(?!,)/,
  'focus-switch': /^Focus(?!,)/,
  'focus-classic': /^Focus, classic/,
  crossfire: /^Crossfire/,
};

for (const [file, title] of Object.entries(GAMES)) {
  test(`${file} is made, played to its end and replayed`, async ({ visitor }) => {
    test.setTimeout(240_000);
    const game = read(file);
    const [first, second] = [await visitor(), await visitor()];
    const id = await make(first, game, title);
    await second.goto(`/game/${id}`);
    await second.getByRole('button', { name: 'Join' }).click();

    const middle = Math.floor(game.turns.length / 2);
    const odd = game.start === undefined ? 0 : (Number(game.start.split(' ')[2]) - 1) % 2;
    for (const [index, actions] of game.turns.entries()) {
      const page = [first, second][(index + odd) % 2];
      await expect(page.getByRole('heading', { name: YOUR_TURN })).toBeVisible();
      if (index === middle) await isAccessible(page);
      for (const action of actions) if (action !== 'end') await act(page, action);
      if (index === game.turns.length - 1 && game.outcome.reason !== 'resign') await confirmLast(page);
      else await confirm(page);
    }
    if (game.outcome.reason === 'resign') {
      const loser = game.outcome.winner === 'first' ? second : first;
      await loser.getByRole('button', { name: 'Resign' }).click();
      await loser.getByRole('button', { name: 'Yes, resign' }).click();
    }
    const [winner, loser] = game.outcome.winner === 'first' ? [first, second] : [second, first];
    await expect(winner.getByRole('heading', { name: 'You won' })).toBeVisible();
    await expect(loser.getByRole('heading', { name: 'You lost' })).toBeVisible();

    const { events } = await (await first.request.get(`/api/games/${id}`)).json();
    const turns = events.filter(({ type }) => type === 'turn_played');
    const played = turns.map(({ steps }) => steps.map(({ action }) => action));
    expect(played.map(plain)).toEqual(game.turns.map(plain));

    await first.getByRole('link', { name: 'Replay', exact: true }).click();
    await stepsToTheEnd(first, turns);
    if (turns[0].card !== null) await checkShuffles(second, turns);
    await bringRecord(second, id, turns);
  });
}

/** A turn without the `end` that a card may or may not call for. */
const plain = (actions) => actions.filter((action) => action !== 'end');

async function make(page, { start }, title) {
  await page.goto('/');
  await page.getByRole('button', { name: 'Create a room' }).click();
  await page.getByRole('radio', { name: title }).check();
  await page.locator('input[name="seat"][value="first"]').check();
  if (start !== undefined) {
    await page.getByText('Another start position').click();
    await page.getByRole('textbox', { name: 'Position as text' }).fill(start);
  }
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Waiting for an opponent' })).toBeVisible();
  return page.url().split('/').at(-1);
}

const confirmButton = (page) => page.getByRole('button', { name: /^(Confirm turn|End turn)/ });

const isStaged = async (page) =>
  (await page.getByRole('button', { name: 'Confirm turn' }).getAttribute('aria-disabled')) === 'false';

/** Does an action on the board, by clicks. */
async function act(page, action) {
  if (action.startsWith('*')) {
    const tray = page.getByRole('button', { name: /^Reserve/ });
    await expect(async () => {
      if ((await tray.getAttribute('aria-pressed')) !== 'true') await tray.click({ timeout: 1_000 });
      await expect(tray).toHaveAttribute('aria-pressed', 'true', { timeout: 1_000 });
    }).toPass();
    await cell(page, action.slice(1)).click();
  } else if (action.includes('x')) {
    await capture(page, action.split('x'));
  } else {
    const [from, to] = action.split(/[-+~]/);
    await pick(page, from);
    await cell(page, to).click();
    await expect(cell(page, from)).not.toHaveAttribute('aria-selected', 'true');
  }
}

/** Jumps from landing square to landing square; the board goes on by itself where there is nothing to choose. */
async function capture(page, [from, ...landings]) {
  await pick(page, from);
  let done = 0;
  while (done < landings.length) {
    await cell(page, landings[done]).click();
    await expect(async () => {
      const standing = page.getByRole('gridcell', { name: /jump \d+ made/ });
      const made = (await standing.count()) === 0 ? null : await standing.first().getAttribute('aria-label');
      const next = (await isStaged(page)) ? landings.length : Number(/jump (\d+) made/.exec(made ?? '')?.[1]);
      expect(next).toBeGreaterThan(done);
      done = next;
    }).toPass();
  }
}

/** Confirms the turn that ends the game. */
async function confirmLast(page) {
  await expect(async () => {
    await confirmButton(page).click({ timeout: 1_000 });
    await expect(page.getByRole('heading', { name: /^You (won|lost)$/ })).toBeVisible({ timeout: 1_000 });
  }).toPass();
}

async function isAccessible(page) {
  const { violations, incomplete } = await new AxeBuilder({ page }).withTags(TAGS).analyze();
  const found = [...violations, ...incomplete.filter(({ id }) => id === 'target-size')];
  expect(found.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => html) }))).toEqual([]);
}

/** Goes through a replay action by action. */
async function stepsToTheEnd(page, turns) {
  await expect(page.getByText('Start position')).toBeVisible();
  for (const { turn, steps } of turns) {
    for (const index of steps.keys()) {
      await page.getByRole('button', { name: 'One move on' }).click();
      await expect(page).toHaveURL(new RegExp(`#${turn}\\.${index + 1}$`));
    }
  }
  await expect(page.getByRole('heading', { name: /won/ })).toBeVisible();
}

/** The browser deals the cards of the finished game once more. */
async function checkShuffles(page, turns) {
  await page.getByRole('link', { name: 'Check the shuffles' }).click();
  await expect(page.getByRole('heading', { name: 'Everything fits' })).toBeVisible();
  const dealt = turns.slice(1).map(({ turn }) => turn);
  for (const turn of dealt) {
    await expect(page.getByRole('row', { name: new RegExp(`^${turn} .*yes$`) })).toBeVisible();
  }
}

/** The record that the game's page offers is replayed on the page for records. */
async function bringRecord(page, id, turns) {
  await page.goto(`/replay/${id}`);
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download the record' }).click();
  const path = await (await download).path();
  await page.goto('/import');
  await page.getByLabel('or its text').fill(readFileSync(path, 'utf8'));
  await page.getByRole('button', { name: 'Replay', exact: true }).click();
  await stepsToTheEnd(page, turns);
}
