// Records, links and names as people paste them.

import { GAME, begin, expect, test } from './towers.js';

test('a record is replayed as a mail returns it, and a refusal names its line', async ({ visitor }) => {
  const [page, other] = [await visitor(), await visitor()];
  const id = await begin(page, other, { turns: GAME.turns.length });
  const record = await (await page.request.get(`/api/v1/games/${id}/record.txt`)).text();
  const mailed = `\ufeff${record.replace(/^/gm, '> ').replaceAll('\n', ' \r\n\r\n').replaceAll('-', '\u2011')}`;
  await page.goto('/import');
  const field = page.locator('#record');
  const show = page.getByRole('button', { name: 'Replay' });
  const date = /^date: .*$/m.exec(record)?.[0] ?? '';
  await field.fill(record.replace(date, 'Event: tournament'));
  await show.click();
  await expect(page.locator('#trouble')).toContainText('The line is: “Event: tournament”');
  await expect(show).not.toHaveAttribute('aria-disabled');
  await field.fill(mailed);
  await show.click();
  await expect(page.locator('#turns')).toContainText(GAME.turns[0][0]);
  await page.goto('/import');
  await field.fill(`<${page.url().replace('/import', '')}/game/${id.toUpperCase()}>.`);
  await show.click();
  await expect(page).toHaveURL(new RegExp(`/replay/${id}`));
  await page.goto('/analysis');
  await page.locator('#bring summary').click();
  await page.locator('#bring textarea').fill(mailed);
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  await expect(page.locator('#turns button')).not.toHaveCount(0);
  await expect(page.locator('#bring-trouble')).toBeEmpty();
});

test('a record without its title keeps its lines, and the title is asked for', async ({ visitor }) => {
  const page = await visitor();
  const turns = 'ruleset: crossfire\n\n1 a5-b4\nfinal: x/1 1\n';
  await page.goto('/import');
  const field = page.locator('#record');
  const show = page.getByRole('button', { name: 'Replay' });
  for (const [text, line] of [
    [`towers-rekord 1\n${turns}`, 'towers-rekord 1'],
    [turns, 'ruleset: crossfire'],
    ['towers-rekord 1', 'towers-rekord 1'],
  ]) {
    await field.fill(text);
    await show.click();
    await expect(page.locator('#trouble')).toHaveText(
      `This is not a game record. Line 1: it should be the line “towers-record 1”. The line is: “${line}”`,
    );
    expect((await field.inputValue()).trim()).toBe(text.trim());
    await expect(show).not.toHaveAttribute('aria-disabled');
  }
  await page.goto('/analysis');
  await page.locator('#bring summary').click();
  await page.locator('#bring textarea').fill(`towers-rekord 1\n${turns}`);
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  await expect(page.locator('#bring-trouble')).toHaveText(
    'Line 1 cannot be read. The line is: “towers-rekord 1” It should be the line “towers-record 1”.',
  );
  await expect(page.locator('#bring textarea')).toHaveValue(`towers-rekord 1\n${turns}`.trim());
});

test('a pasted name loses what nobody sees in it', async ({ visitor }) => {
  const page = await visitor();
  await page.goto('/');
  await page.locator('.visitor').click();
  await page.getByRole('textbox', { name: 'Your name' }).fill('\ufeff\u2068Zoë\u200b\u00a0 Z.\u2069');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.locator('.visitor bdi')).toHaveText('Zoë Z.');
});
