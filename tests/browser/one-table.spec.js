// Two people at one screen: one player moves both sides in turn.

import { GAME, PHONE, cell, confirm, expect, isAccessible, move, movable, test, openTab } from './towers.js';

/** Begins a game at one table. */
async function sitDown(page, ruleset = 'fibonacci') {
  await page.request.post('/api/v1/session');
  const answer = await page.request.post('/api/v1/tables', { data: { ruleset } });
  expect(answer.ok(), await answer.text()).toBe(true);
  const { id } = await answer.json();
  await page.goto(`/game/${id}`);
  return id;
}

const toMove = (page, side) => expect(page.getByRole('heading', { name: `${side} to move` })).toBeVisible();

async function playTurn(page, side, actions) {
  await toMove(page, side);
  await move(page, actions);
  await confirm(page);
}

test('both sides are moved in turn on a board that stays as it is, and nothing is offered', async ({
  visitor,
}) => {
  const page = await visitor();
  const id = await sitDown(page);
  await expect(page.locator('#heading')).toContainText('both sides on one screen');
  await toMove(page, 'Black');
  const before = await cell(page, 'a6').boundingBox();
  await playTurn(page, 'Black', GAME.turns[0]);
  await toMove(page, 'White');
  await expect(movable(page)).not.toHaveCount(0);
  expect(await cell(page, 'a6').boundingBox(), 'the board is not turned').toEqual(before);
  await isAccessible(page, 'a game at one table');
  await playTurn(page, 'White', GAME.turns[1]);
  await expect(page.getByText(/offer/i)).toHaveCount(0);
  await expect(page.locator('.presence')).toHaveCount(0);
  await page.getByRole('button', { name: 'Take the last turn back' }).click();
  await toMove(page, 'White');
  await expect(page.locator('#turns')).toContainText('The last turn was taken back.');
  await playTurn(page, 'White', GAME.turns[1]);
  await page.getByRole('button', { name: 'Resign' }).click();
  await expect(page.getByText('Resign for Black?')).toBeVisible();
  await page.getByRole('button', { name: 'Yes, resign' }).click();
  await expect(page.getByRole('heading', { name: 'White won' })).toBeVisible();
  await expect(page.getByText('Black resigned.', { exact: true })).toBeVisible();
  await page.goto(`/replay/${id}`);
  await expect(page.locator('#bar-top .name')).toHaveText('Black');
});

test('in French a draw is agreed on after a question, and another game begins with a press', async ({
  visitor,
}) => {
  const page = await visitor({ locale: 'fr-FR', viewport: PHONE });
  await sitDown(page, 'focus');
  for (const action of ['e7~c7', 'd4~c4']) {
    await expect(page.getByRole('heading', { name: /^Aux (Noirs|Blancs) de jouer$/ })).toBeVisible();
    await move(page, [action]);
    await confirm(page);
  }
  await openTab(page, 'Plus');
  await page.getByRole('button', { name: 'Nulle d’un commun accord' }).click();
  await page.getByRole('button', { name: 'Oui, terminer' }).click();
  await expect(page.getByRole('heading', { name: 'Partie nulle' })).toBeVisible();
  await isAccessible(page, 'the end at one table');
  const own = page.url();
  await page.getByRole('button', { name: 'Rejouer' }).click();
  await expect(page).not.toHaveURL(own);
  await expect(movable(page)).not.toHaveCount(0);
});
