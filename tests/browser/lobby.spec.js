import {
  DESKTOP,
  GAME,
  PHONE,
  YOUR_TURN,
  begin,
  expect,
  isAccessible,
  openComputer,
  openFriend,
  openPools,
  openRoom,
  play,
  test,
} from './towers.js';

const tab = (page, name) => page.getByRole('tab', { name });
const row = (page, name) => page.getByRole('tabpanel').getByRole('listitem').filter({ hasText: name });
const away = (page) => page.mouse.move(2, 2);

/** A visitor with a name in the lobby. */
async function guest(visitor, name, options) {
  const page = await visitor(options);
  await page.request.post('/api/v1/session');
  const renamed = await page.request.patch('/api/v1/session', { data: { name } });
  const { player } = await renamed.json();
  await page.goto('/');
  await expect(page.getByText(name, { exact: true })).toBeVisible();
  return Object.assign(page, { player });
}

async function room(page, more = {}) {
  const data = { ruleset: 'fibonacci', seat: 'first', visibility: 'public', ...more };
  const made = await page.request.post('/api/v1/rooms', { data });
  expect(made.ok(), await made.text()).toBe(true);
  return await made.json();
}

test('rows rest while somebody points at them: new ones wait behind a chip, gone ones are greyed', async ({
  visitor,
}) => {
  const [ada, bo, reader] = [
    await guest(visitor, 'Resting Ada'),
    await guest(visitor, 'Resting Bo'),
    await visitor(),
  ];
  const { id } = await room(ada);
  await reader.goto('/');
  const join = reader.getByRole('button', { name: 'Join Resting Ada' });
  await join.hover();
  /** Its distance below the tabs: the content above them may still come. */
  const place = async () =>
    (await join.boundingBox()).y - (await reader.getByRole('tablist').boundingBox()).y;
  await reader.evaluate(() => document.fonts.ready);
  const before = await place();

  await room(bo);
  await expect(reader.getByRole('button', { name: '1 new' })).toBeVisible();
  expect(await place()).toBe(before);
  await expect(row(reader, 'Resting Bo')).toHaveCount(0);

  await ada.request.delete(`/api/v1/rooms/${id}`);
  const gone = row(reader, 'Resting Ada').getByRole('button', { name: 'Gone' });
  await expect(gone).toHaveAttribute('aria-disabled', 'true');
  await gone.click({ force: true });
  await expect(reader).toHaveURL(/\/$/);

  await away(reader);
  await expect(row(reader, 'Resting Ada'), 'the press has left the focus on it').toHaveCount(1);
  await reader.mouse.click(2, 2);
  await expect(row(reader, 'Resting Ada')).toHaveCount(0);
  await expect(row(reader, 'Resting Bo')).toHaveCount(1);
  await expect(reader.getByRole('button', { name: '1 new' })).toHaveCount(0);
});

test('rows rest while the focus is on them, and the chip shows what is new', async ({ visitor }) => {
  const [ada, bo, reader] = [
    await guest(visitor, 'Focused Ada'),
    await guest(visitor, 'Focused Bo'),
    await visitor(),
  ];
  await room(ada);
  await reader.goto('/');
  const join = reader.getByRole('button', { name: 'Join Focused Ada' });
  await join.focus();
  await room(bo);
  const chip = reader.getByRole('button', { name: '1 new' });
  await expect(chip).toBeVisible();
  await expect(join).toBeFocused();
  await chip.press('Enter');
  await expect(row(reader, 'Focused Bo')).toHaveCount(1);
  await expect(chip).toHaveCount(0);
  await expect(reader.getByRole('tabpanel', { name: /^Open rooms/ })).toBeFocused();
});

test('one’s own rooms are on top, those by link too, with their link and a way to close them', async ({
  visitor,
}) => {
  const [maker, other] = [await guest(visitor, 'Own Maker'), await guest(visitor, 'Own Other')];
  await maker.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const clock = { kind: 'real_time', base_s: 30, bonus_s: 3, bonus: 'delay' };
  const { id } = await room(maker, { visibility: 'link', terms: { clock } });
  await room(other);
  await expect(maker.getByRole('button', { name: 'Join Own Other' })).toBeVisible();
  const own = maker.getByRole('tabpanel').getByRole('listitem').first();
  await expect(own).toContainText('Your room');
  await expect(own).toContainText('½, delay 3');
  await expect(own).toContainText('by link only');
  await expect(row(other, 'Own Maker')).toHaveCount(0);

  await own.getByRole('button', { name: 'Copy link' }).click();
  await expect(maker.getByText('Link copied.')).toHaveCount(1);
  expect(await maker.evaluate(() => navigator.clipboard.readText())).toBe(
    `${new URL(maker.url()).origin}/game/${id}`,
  );
  await own.getByRole('button', { name: 'Close' }).click();
  await expect(maker.getByText('Your room', { exact: true })).toHaveCount(0);
});

test('a game by link is in its maker’s lobby as soon as somebody joins', async ({ visitor }) => {
  const [maker, friend] = [await guest(visitor, 'Linked Maker'), await guest(visitor, 'Linked Friend')];
  const { id } = await room(maker, { visibility: 'link' });
  await expect(maker.getByText('Your room', { exact: true })).toHaveCount(1);
  await friend.request.post(`/api/v1/rooms/${id}/join`);
  await expect(tab(maker, /^My games 1 your turn: 1/)).toBeVisible();
  await expect(maker).toHaveTitle('(1) Games of Towers');
  await maker.getByRole('link', { name: 'Go to game' }).click();
  await expect(maker.getByRole('heading', { name: YOUR_TURN })).toBeVisible();
});

test('a game whose clock runs takes the maker of its room along', async ({ visitor }) => {
  const [maker, other] = [await guest(visitor, 'Timed Maker'), await guest(visitor, 'Timed Other')];
  const clock = { kind: 'real_time', base_s: 600, bonus_s: 30, bonus: 'per_turn' };
  const { id } = await room(maker, { terms: { clock } });
  await other.getByRole('button', { name: 'Join Timed Maker' }).click();
  for (const page of [maker, other]) await expect(page).toHaveURL(new RegExp(`/game/${id}$`));
});

test('the games that wait for me are counted, on top, and shown first', async ({ visitor }) => {
  const [black, white] = [await guest(visitor, 'Waiting Black'), await guest(visitor, 'Waiting White')];
  const id = await begin(black, white, { turns: 1 });
  await expect(tab(white, /^My games 1 your turn: 1/)).toBeVisible();
  await expect(tab(black, /^My games 1$/)).toBeVisible();
  await white.reload();
  await expect(tab(white, /^My games/)).toHaveAttribute('aria-selected', 'true');
  await white.getByRole('link', { name: /Against Waiting Black/ }).click();
  await play(white, GAME.turns[1]);
  await expect(tab(black, /^My games 1 your turn: 1/)).toBeVisible();
  await expect(black).toHaveTitle('(1) Games of Towers');
  await tab(black, /^My games/).click();
  await expect(
    black.getByRole('tabpanel').getByRole('link', { name: 'Your turn in 1 game' }),
  ).toHaveAttribute('href', '/turns');
  await expect(row(black, 'Against Waiting White')).toContainText('Your turn');
  await expect(row(black, 'Against').locator(`a[href="/game/${id}"]`)).toBeVisible();
});

test('live games show their spectators and the side to move, finished ones their result', async ({
  visitor,
}) => {
  const [black, white, reader] = [
    await guest(visitor, 'Live Black'),
    await guest(visitor, 'Live White'),
    await visitor(),
  ];
  const running = await begin(black, white, { turns: 1 });
  const over = await begin(black, white, { turns: GAME.turns.length });
  const watcher = await visitor();
  await watcher.goto(`/game/${running}`);
  await reader.goto('/');
  await tab(reader, /^Live now/).click();
  const live = reader
    .getByRole('tabpanel')
    .getByRole('listitem')
    .filter({ has: reader.locator(`a[href="/game/${running}"]`) });
  await expect(live).toContainText('Live Black (guest) – Live White (guest)');
  await expect(live).toContainText('White to move');
  await expect(live).toContainText('1 watching');
  await tab(reader, 'Finished').click();
  const finished = reader
    .getByRole('tabpanel')
    .getByRole('listitem')
    .filter({ has: reader.locator(`a[href="/replay/${over}"]`) });
  await expect(finished).toContainText('Live Black won');
  await finished.getByRole('link').click();
  await expect(reader).toHaveURL(new RegExp(`/replay/${over}`));
});

test('the filter by game is remembered, and shows what it hides on demand', async ({ visitor }) => {
  const [maker, reader] = [await guest(visitor, 'Filtered Maker'), await visitor()];
  await room(maker, { ruleset: 'focus' });
  await reader.goto('/');
  await expect(row(reader, 'Filtered Maker')).toHaveCount(1);
  await reader.getByRole('combobox', { name: 'Show' }).selectOption('Crossfire');
  await expect(row(reader, 'Filtered Maker')).toHaveCount(0);
  await reader.reload();
  await expect(reader.getByRole('combobox', { name: 'Show' })).toHaveValue('crossfire');
  await reader.getByRole('button', { name: 'Show all games' }).click();
  await expect(row(reader, 'Filtered Maker')).toHaveCount(1);
});

test('my games are filtered by ruleset for the moment, and all of them count', async ({ visitor }) => {
  const [me, other] = [await guest(visitor, 'Sorting Ada'), await guest(visitor, 'Sorting Bo')];
  await begin(me, other, { ruleset: 'focus' });
  await begin(me, other, { ruleset: 'fenix' });
  await tab(me, /^My games 2/).click();
  // The panel of open rooms may still be there.
  const mine = me.getByRole('tabpanel', { name: /^My games/ });
  await mine.getByRole('combobox', { name: 'Show' }).selectOption('Fenix');
  await expect(row(me, 'Against Sorting Bo')).toHaveCount(1);
  await expect(row(me, 'Against Sorting Bo')).toContainText('Fenix');
  await expect(tab(me, /^My games 1 your turn: 2/)).toBeVisible();
  await me.reload();
  await expect(row(me, 'Against Sorting Bo')).toHaveCount(2);
});

test('each row has a small board, which a screen reader is spared', async ({ visitor }) => {
  const [me, other, reader] = [
    await guest(visitor, 'Drawn Ada'),
    await guest(visitor, 'Drawn Bo'),
    await visitor(),
  ];
  const id = await begin(me, other);
  await reader.goto('/');
  await tab(reader, /^Live now/).click();
  const live = reader
    .getByRole('tabpanel')
    .getByRole('listitem')
    .filter({ has: reader.locator(`a[href="/game/${id}"]`) });
  await expect(live.locator('.small-board[aria-hidden="true"] [class^="piece-"]')).toHaveCount(26);
  await expect(live).toContainText('Turn 1');
  await expect(live).toContainText('Black to move');
  await expect(live.locator('use[href="#piece-S"]').first()).toBeVisible();
});

test('an empty list suggests what to do', async ({ visitor }) => {
  const page = await visitor();
  await page.goto('/');
  await tab(page, /^My games/).click();
  await expect(
    page.getByRole('tabpanel').getByText(/^You have no games in progress\. Choose an opponent/),
  ).toBeVisible();
});

test('the question stands beside the board, and the tabs in one row, on a laptop', async ({ visitor }) => {
  for (const locale of ['en-GB', 'fr-FR']) {
    const page = await visitor({ locale, viewport: { width: 1366, height: 768 } });
    await page.goto('/');
    await expect(page.locator('#try').getByRole('gridcell').first()).toBeVisible();
    const answers = page.locator('#start .opponent');
    await expect(answers).toHaveCount(3);
    await expect(answers.last()).toBeInViewport({ ratio: 1 });
    const board = await page.locator('#try-board').boundingBox();
    const first = await answers.first().boundingBox();
    expect(first.x).toBeGreaterThan(board.x + board.width);
    expect(first.y).toBeLessThan(board.y + board.height);
    const tops = await page
      .getByRole('tab')
      .evaluateAll((tabs) => tabs.map((tab) => tab.getBoundingClientRect().top));
    expect(new Set(tops).size).toBe(1);
  }
});

/** Has the server count some players, whoever is there. */
async function countPlayers(page, players) {
  await page.routeWebSocket(/\/ws$/, (line) => {
    const server = line.connectToServer();
    server.onMessage((data) => {
      const message = JSON.parse(data);
      line.send(JSON.stringify(message.type === 'lobby_counts' ? { ...message, players } : message));
    });
  });
}

test('the computer stands out where nobody else is, and anyone among others', async ({ visitor }) => {
  for (const [players, best, words] of [
    [1, /^\s*The computer/, 'Nobody else is here right now.'],
    [2, /^\s*The computer/, '1 other player is here now.'],
    [3, /^\s*Anyone/, '2 other players are here now.'],
  ]) {
    const page = await visitor();
    await countPlayers(page, players);
    await page.goto('/');
    const start = page.locator('#start');
    await expect(start.getByText(words)).toBeVisible();
    await expect(start.locator('.primary')).toHaveText(best);
  }
});

test('Play asks the question for its game', async ({ visitor }) => {
  const page = await visitor();
  await page.goto('/');
  const dialog = page.getByRole('dialog');
  for (const [answer, title] of [
    ['The computer', 'Play the computer'],
    ['A friend', 'Play a friend'],
    ['Anyone', 'Anyone'],
  ]) {
    await page.getByRole('button', { name: 'Play: Focus', exact: true }).click();
    await expect(page.getByRole('dialog', { name: 'Play Focus' })).toBeVisible();
    await dialog.getByRole('button', { name: new RegExp(`^${answer}`) }).click();
    await expect(page.getByRole('dialog', { name: title })).toBeVisible();
    await expect(dialog.getByRole('combobox', { name: 'Game', exact: true })).toHaveValue('focus');
    await page.keyboard.press('Escape');
  }
});

test('an address leads to each answer', async ({ visitor }) => {
  const page = await visitor();
  for (const [hash, title] of [
    ['computer', 'Play the computer'],
    ['friend', 'Play a friend'],
    ['anyone', 'Anyone'],
  ]) {
    await page.goto(`/#${hash}`);
    await expect(page.getByRole('dialog', { name: title })).toBeVisible();
    await expect(page).toHaveURL(/\/$/);
    await page.keyboard.press('Escape');
  }
});

test('the dialog with the clocks leads to the open rooms', async ({ visitor }) => {
  const [maker, page] = [await guest(visitor, 'Listed Maker'), await visitor()];
  await room(maker);
  await page.goto('/');
  await tab(page, 'Finished').click();
  await openPools(page);
  await page.getByRole('button', { name: /^Open rooms \([1-9]/ }).click();
  await expect(tab(page, /^Open rooms/)).toBeFocused();
  await expect(row(page, 'Listed Maker')).toHaveCount(1);
});

test('a row keeps the name of its game whole, and breaks that of a player', async ({ visitor }) => {
  const [ada, bo] = [await guest(visitor, 'W'.repeat(24)), await guest(visitor, 'M'.repeat(24))];
  await begin(ada, bo);
  for (const width of [1366, 768, 320]) {
    await ada.setViewportSize({ width, height: 768 });
    await ada.reload();
    await tab(ada, /^My games/).click();
    const game = row(ada, 'MMM').getByText('Fibonacci', { exact: true });
    await expect(game).toBeVisible();
    const lines = await game.evaluate((element) => element.getClientRects().length);
    expect(lines, `at ${width} px`).toBe(1);
    const { height, line } = await game.evaluate((element) => ({
      height: element.getBoundingClientRect().height,
      line: Number.parseFloat(getComputedStyle(element).lineHeight),
    }));
    expect(height).toBeLessThan(1.5 * line);
    expect(await ada.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  }
});

test('the game that this device keeps is among my games as long as it goes on', async ({ visitor }) => {
  const page = await visitor();
  await page.goto('/table');
  await page.getByRole('combobox', { name: 'Game', exact: true }).selectOption('Focus');
  await page.locator('select[name="second"]').selectOption('A person');
  await page.getByRole('button', { name: 'Start the game' }).click();
  await expect(page.getByRole('heading', { name: 'White to move' })).toBeVisible();
  await page.goto('/');
  await tab(page, /^My games 1$/).click();
  const kept = row(page, 'On this device');
  await expect(kept).toContainText('Focus');
  await expect(kept).toContainText('Turn 1');
  await expect(kept).toContainText('White to move');
  await expect(kept.locator('[class^="piece-"]').first()).toBeVisible();
  await page.getByRole('combobox', { name: 'Show' }).selectOption('Fenix');
  await expect(kept).toHaveCount(0);
  await page.getByRole('combobox', { name: 'Show' }).selectOption('all games');
  await kept.getByRole('link').click();
  await page.getByRole('button', { name: 'Resign' }).click();
  await page.getByRole('button', { name: 'Yes, resign' }).click();
  await expect(page.getByRole('heading', { name: 'Black won' })).toBeVisible();
  await page.goto('/');
  await expect(tab(page, /^My games 0$/)).toBeVisible();
});

test('on a phone a dialog has its button in sight', async ({ visitor }) => {
  const page = await visitor({ viewport: PHONE, hasTouch: true });
  await page.goto('/');
  for (const [open, name] of [
    [openRoom, 'Create'],
    [openComputer, 'Start'],
  ]) {
    await open(page);
    const submit = page.getByRole('dialog').getByRole('button', { name, exact: true });
    await expect(submit).toBeInViewport({ ratio: 1 });
    await page.keyboard.press('Escape');
  }
});

test('on a phone the dialog shows the field that is wrong and its error above the button', async ({
  visitor,
}) => {
  const page = await visitor({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });
  const dialog = page.getByRole('dialog');
  const create = dialog.getByRole('button', { name: 'Create', exact: true });
  const isShown = async (field, words) => {
    await expect(field).toBeFocused();
    const error = dialog.locator('.error').filter({ hasText: words });
    await expect(error).toBeVisible();
    const [input, fault, foot] = await Promise.all(
      [field, error, dialog.locator('.create-foot')].map((part) => part.boundingBox()),
    );
    expect(fault.y + fault.height).toBeLessThanOrEqual(foot.y);
    expect(input.y + input.height).toBeLessThanOrEqual(foot.y);
    expect(input.y).toBeGreaterThan(60);
  };
  await page.goto('/');
  await openFriend(page);
  await dialog.getByText('Spectators, start position').tap();
  const start = dialog.getByRole('textbox', { name: 'Position as text' });
  await start.fill('hello world');
  await create.tap();
  await isShown(start, /^This start position is not valid\./);
  await page.keyboard.press('Escape');
  await openFriend(page);
  await dialog.getByRole('radio', { name: 'Real time' }).check();
  const minutes = dialog.getByRole('spinbutton', { name: 'Minutes per side' });
  await minutes.fill('0');
  await dialog.getByRole('spinbutton', { name: 'Extra seconds' }).fill('0');
  await create.tap();
  await isShown(minutes, /^Set some minutes or some seconds/);
});

test('the clocks say in words what their names mean', async ({ visitor }) => {
  const page = await visitor();
  await page.goto('/');
  const pairing = page.getByRole('dialog');
  await openPools(page);
  await expect(pool(page, /^5\+15 5 min, \+15 sec a turn up to 20 min/)).toBeVisible();
  await expect(pairing.getByText(/5\+15 means: 5 minutes each, plus 15 seconds per turn\./)).toBeVisible();
  await pairing.getByRole('combobox', { name: 'Game', exact: true }).selectOption('Fenix');
  await expect(pairing.getByText(/3\+2 means: 3 minutes each/)).toBeVisible();
});

test('tabs are walked by arrow keys', async ({ visitor }) => {
  const page = await visitor();
  await page.goto('/');
  await tab(page, /^Open rooms/).press('ArrowLeft');
  await expect(tab(page, 'Finished')).toBeFocused();
  await expect(tab(page, 'Finished')).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Home');
  await expect(tab(page, /^Open rooms/)).toBeFocused();
  await expect(page.getByRole('tabpanel')).toHaveCount(1);
});

const pool = (page, name) => page.getByRole('button', { name });

test('two players who press the same clock play each other', async ({ visitor }) => {
  const [ada, bo] = [await guest(visitor, 'Paired Ada'), await guest(visitor, 'Paired Bo')];
  for (const page of [ada, bo]) await openPools(page);
  await ada.getByRole('combobox', { name: 'Game', exact: true }).selectOption('Fenix');
  await bo.getByRole('combobox', { name: 'Game', exact: true }).selectOption('Fenix');
  await pool(ada, /^15\+10/).click();
  await expect(pool(ada, /^15\+10/)).toHaveAttribute('aria-pressed', 'true');
  await pool(bo, /^5\+5/).click();
  await expect(ada).toHaveURL(/\/$/);
  await pool(bo, /^15\+10/).click();
  for (const page of [ada, bo]) await expect(page).toHaveURL(/\/game\//);
  expect(ada.url()).toBe(bo.url());
});

test('a search for an opponent is the same in all tabs and can be stopped in any', async ({ visitor }) => {
  const page = await guest(visitor, 'Seeking Ada');
  const other = await page.context().newPage();
  await other.goto('/');
  for (const one of [page, other]) await openPools(one);
  await pool(page, /^5\+15/).click();
  await pool(page, /^10\+30/).click();
  for (const name of [/^5\+15/, /^10\+30/])
    await expect(pool(other, name)).toHaveAttribute('aria-pressed', 'true');
  await expect(other.getByRole('dialog').getByText(/Fibonacci 5\+15, Fibonacci 10\+30\./)).toBeVisible();
  await pool(other, /^5\+15/).click();
  await expect(pool(page, /^5\+15/)).toHaveAttribute('aria-pressed', 'false');
  await page.getByRole('dialog').getByRole('button', { name: 'Stop' }).click();
  await expect(pool(other, /^10\+30/)).toHaveAttribute('aria-pressed', 'false');
});

test('the dialog makes the room that was chosen, corrects what is wrong, and remembers', async ({
  visitor,
}) => {
  const page = await guest(visitor, 'Choosing Ada');
  const create = page.getByRole('button', { name: /^A friend/ });
  await create.click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('combobox', { name: 'Game', exact: true })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(create).toBeFocused();
  await create.click();
  await dialog.getByRole('combobox', { name: 'Game', exact: true }).selectOption('Fenix');
  await dialog.getByRole('radio', { name: /^Blue/ }).check();
  await dialog.getByRole('radio', { name: 'Real time' }).check();
  await dialog.getByRole('spinbutton', { name: 'Minutes per side' }).fill('0');
  await dialog.getByRole('spinbutton', { name: 'Extra seconds' }).fill('0');
  await dialog.getByText('Spectators, start position').click();
  const delay = dialog.getByRole('spinbutton', { name: /^Spectator delay/ });
  for (const turns of ['21', '0']) await delay.fill(turns);
  await expect(delay, 'back at its default it is not folded under the hands').toBeVisible();
  await delay.fill('21');
  await dialog.getByRole('button', { name: 'Create', exact: true }).click();
  const minutes = dialog.getByRole('spinbutton', { name: 'Minutes per side' });
  await expect(minutes).toBeFocused();
  await expect(minutes).toHaveAccessibleDescription('Set some minutes or some seconds');
  await expect(delay).toHaveAccessibleDescription('0 to 20 turns');

  await minutes.fill('0.5');
  await dialog.getByRole('spinbutton', { name: 'Extra seconds' }).fill('4');
  await dialog.getByRole('combobox', { name: 'The seconds are' }).selectOption('added for each move');
  await expect(dialog.getByRole('status')).toHaveText(
    '30 seconds each, plus 4 seconds per move. Most games take no more than 6 minutes.',
  );
  await delay.fill('2');
  await dialog
    .getByRole('combobox', { name: 'Unfinished turns' })
    .selectOption('Others see finished turns only');
  await dialog.getByRole('textbox', { name: 'Position as text' }).fill('nonsense');
  await dialog.getByRole('button', { name: 'Create', exact: true }).click();
  const start = dialog.getByRole('textbox', { name: 'Position as text' });
  await expect(start).toBeFocused();
  await expect(start).toHaveAccessibleDescription(/^This start position is not valid\./);

  await start.fill('');
  const asked = page.waitForRequest((request) => request.url().endsWith('/api/v1/rooms'));
  await dialog.getByRole('button', { name: 'Create', exact: true }).click();
  expect((await asked).postDataJSON()).toEqual({
    ...{ ruleset: 'fenix', seat: 'second', visibility: 'link' },
    terms: {
      clock: { kind: 'real_time', base_s: 30, bonus_s: 4, bonus: 'per_action' },
      ...{ watching: 'everybody', drafts: 'hidden', delay: 2 },
    },
  });
  await expect(page).toHaveURL(/\/game\//);
  await expect(page.getByRole('textbox', { name: 'Link to this game' })).toHaveValue(page.url());

  await page.goto('/');
  await openFriend(page);
  await expect(dialog.getByRole('combobox', { name: 'Game', exact: true })).toHaveValue('fenix');
  await expect(dialog.getByRole('radio', { name: 'Real time' })).toBeChecked();
  await expect(dialog.getByRole('spinbutton', { name: 'Minutes per side' })).toHaveValue('0.5');
  await expect(delay).toHaveValue('2');
});

test('a blocked player cannot join one’s room until unblocked', async ({ visitor }) => {
  const [maker, pest] = [await guest(visitor, 'Blocking Maker'), await guest(visitor, 'Blocked Pest')];
  const blocked = await maker.request.put(`/api/v1/blocks/${pest.player.id}`);
  expect(blocked.ok(), await blocked.text()).toBe(true);
  await room(maker);
  await pest.getByRole('button', { name: 'Join Blocking Maker' }).click();
  await expect(pest.locator('#notices .notice')).toHaveText(/One of you has blocked the other\./);

  await maker.locator('.visitor').click();
  await maker.getByRole('button', { name: 'Unblock Blocked Pest' }).click();
  await expect(maker.getByText('You have not blocked anyone.')).toBeVisible();
  await maker.keyboard.press('Escape');
  await pest.getByRole('button', { name: 'Join Blocking Maker' }).click();
  await expect(pest).toHaveURL(/\/game\//);
});

for (const [name, viewport, locale] of [
  ['phone, fr', PHONE, 'fr-FR'],
  ['desktop, en', DESKTOP, 'en-GB'],
]) {
  test(`nothing of the lobby is wider than the page: ${name}`, async ({ visitor }) => {
    const maker = await guest(visitor, `${viewport.width}${'W'.repeat(20)}`, { viewport, locale });
    await room(maker, { ruleset: 'fibonacci-mixed' });
    await expect(maker.locator('.rows .row')).not.toHaveCount(0);
    await openPools(maker);
    await maker.locator('.pool').first().click();
    await expect(maker.locator('.pool').first()).toHaveAttribute('aria-pressed', 'true');
    const width = () => maker.evaluate(() => document.documentElement.scrollWidth);
    expect(await width()).toBeLessThanOrEqual(viewport.width);
    await maker.keyboard.press('Escape');
    expect(await width(), 'with a search under way').toBeLessThanOrEqual(viewport.width);
    await maker.goto('/games');
    await expect(maker.getByRole('heading', { level: 1 })).toBeVisible();
    expect(await width()).toBeLessThanOrEqual(viewport.width);
  });
}

test('without a line the lobby keeps what works, and says why the rest waits', async ({ visitor }) => {
  const maker = await guest(visitor, 'Far Maker');
  const page = await visitor({ viewport: PHONE });
  const sockets = [];
  let isOpen = true;
  await page.routeWebSocket(/\/ws$/, (socket) => {
    if (!isOpen) return socket.close();
    socket.connectToServer();
    sockets.push(socket);
  });
  await room(maker);
  await page.goto('/');
  const join = row(page, 'Far Maker').getByRole('button', { name: 'Join Far Maker' });
  await expect(join).toBeVisible();
  const notices = page.locator('#notices .notice');
  await expect(notices).toHaveCount(0);
  isOpen = false;
  await Promise.all(sockets.map((socket) => socket.close()));

  await expect(notices).toHaveCount(1);
  await expect(notices).toContainText('Offline');
  const [bar, nav, top] = await Promise.all(
    [notices, page.locator('#pages'), page.locator('#top .brand')].map((part) => part.boundingBox()),
  );
  expect(bar.y, 'below the header').toBeGreaterThanOrEqual(top.y + top.height);
  expect(bar.y + bar.height, 'above the bar of the pages').toBeLessThanOrEqual(nav.y);
  await expect(join).toBeHidden();
  for (const name of [/^A friend/, /^Anyone/]) {
    const answer = page.getByRole('button', { name });
    await expect(answer).toHaveAttribute('aria-disabled', 'true');
    await expect(answer).toContainText('Not while you are offline.');
    await answer.press('Enter');
    await expect(page.getByRole('dialog')).toHaveCount(0);
  }
  const computer = page.getByRole('button', { name: /^The computer/ });
  await expect(computer).toContainText('On this device');
  await expect(computer).not.toHaveAttribute('aria-disabled', 'true');
  await isAccessible(page, 'offline');

  isOpen = true;
  await expect(notices).toHaveCount(0);
  await expect(join).toBeVisible();
  await expect(page.getByRole('button', { name: /^A friend/ })).not.toHaveAttribute('aria-disabled', 'true');
});

test('a lobby that never had a line has one notice, the game of the device, and a way to what works', async ({
  visitor,
}) => {
  const page = await visitor({ forgives: /ERR_FAILED/ });
  await page.route('**/api/v1/session', (route) => route.abort());
  await page.routeWebSocket(/\/ws$/, (socket) => socket.close());
  await page.goto('/table');
  await page.getByRole('button', { name: 'Start the game' }).click();
  await expect(page.getByRole('heading', { name: YOUR_TURN })).toBeVisible();
  await page.goto('/');
  await expect(page.locator('#notices .notice')).toHaveCount(1);
  await expect(page.getByRole('tabpanel')).toContainText('once you are back online');
  await tab(page, /^My games/).click();
  await expect(row(page, 'On this device').getByRole('link')).toHaveAttribute('href', '/table');
  await page.getByRole('link', { name: 'What works offline' }).click();
  await expect(page.getByRole('link', { name: 'All lessons' })).toBeVisible();
});
