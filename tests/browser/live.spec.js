// Live play: clocks, offers, rematches, chat, rooms by link, delayed spectators.

import {
  DESKTOP,
  GAME,
  PHONE,
  YOUR_TURN,
  begin,
  cell,
  expect,
  isAccessible,
  move,
  offerDraw,
  openFriend,
  play,
  playUnseen,
  test,
  openTab,
} from './towers.js';

/** A clock long enough for any slow machine. */
const CLOCK = { kind: 'correspondence', days: 3 };
const TERMS = { clock: CLOCK, watching: 'everybody', drafts: 'shown', delay: 0 };

async function post(page, path, data) {
  await page.request.post('/api/v1/session');
  const response = await page.request.post(path, { data });
  expect(response.ok(), await response.text()).toBe(true);
  return response.json();
}

/** A room whose maker moves first.
 * @returns {Promise<string>} the game's id
 */
async function room(maker, { visibility = 'link', terms = {} } = {}) {
  const wish = { ruleset: 'fibonacci', seat: 'first', visibility, terms: { ...TERMS, ...terms } };
  return (await post(maker, '/api/v1/rooms', wish)).id;
}

/** A game of two pages, both of them on it, with a turn of each played. */
async function started(first, second) {
  const id = await begin(first, second, { visibility: 'link', terms: TERMS, turns: 2 });
  await Promise.all([first, second].map((page) => page.goto(`/game/${id}`)));
  await expect(first.getByRole('heading', { name: YOUR_TURN })).toBeVisible();
  return id;
}

const button = (page, name) => page.getByRole('button', { name, exact: true });
const log = (page) => page.locator('#turns');
const chat = (page) => page.locator('#chat');

async function openChat(page) {
  await page.getByRole('tab', { name: /^(Chat|Discussion)/ }).click();
  await expect(page.locator('#chat-text')).toBeVisible();
}

/** Writes a line, and waits until the server has it. */
async function write(page, text) {
  await page.locator('#chat-text').fill(text);
  await page.locator('#chat-text').press('Enter');
  await expect(chat(page).locator('li:not(.waiting)').getByText(text, { exact: true })).toBeVisible();
  await expect(page.locator('#chat-text')).toHaveValue('');
}

test('newcomers play a timed match of three games with chat and rematches, watched two turns late', async ({
  visitor,
}) => {
  const [ada, blaise, carl] = [
    await visitor(),
    await visitor({ viewport: PHONE, hasTouch: true, isMobile: true }),
    await visitor({ locale: 'fr-FR' }),
  ];
  /** The most turns that the spectator had been sent. */
  let sent = 0;
  carl.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => {
      const message = JSON.parse(payload);
      // Without the events before the first turn.
      if (message.type === 'events') sent = Math.max(sent, message.version - 2);
      expect(message.draft ?? null, 'no late watcher is sent a turn under way').toBeNull();
    }),
  );

  await ada.goto('/');
  await openFriend(ada);
  await ada.getByRole('radio', { name: /^Black/ }).check();
  await ada.getByRole('radio', { name: 'Correspondence' }).check();
  await ada.getByText('Spectators, start position').click();
  await ada.getByLabel('Spectator delay, in turns').fill('2');
  await button(ada, 'Create').click();
  await expect(ada.getByRole('heading', { name: 'Waiting for an opponent' })).toBeVisible();
  const link = await ada.locator('#link').inputValue();

  await blaise.goto(link);
  await expect(ada.getByRole('heading', { name: YOUR_TURN })).toBeVisible();
  await expect(blaise.getByText(/^First turn due in .*, or the game is aborted\.$/)).toBeVisible();
  const first = link.split('/').at(-1);
  await playUnseen(ada, first, GAME.turns[0]);
  await playUnseen(blaise, first, GAME.turns[1]);
  await carl.goto(link);
  await expect(carl.getByText('Les deux places sont prises.')).toBeVisible();
  await expect(carl.getByText('Vous suivez la partie avec 2 tours de retard.')).toBeVisible();
  await expect(ada.getByText(/1 watching/)).toBeVisible();

  // The first game: some turns with talk between them, then White gives up.
  await openChat(ada);
  await write(ada, 'Good luck!');
  await expect(blaise.getByRole('tab', { name: /^Chat.*1 new message/ })).toBeVisible();
  await play(ada, GAME.turns[2]);
  await play(blaise, GAME.turns[3]);
  await expect(log(carl).locator('li')).toHaveCount(2);
  expect(sent, 'of four turns the watcher knows two').toBe(2);
  await expect(ada.getByRole('timer')).toHaveCount(2);
  await openChat(blaise);
  await write(blaise, 'You too');
  await expect(chat(ada).getByText('You too', { exact: true })).toBeVisible();
  await openTab(blaise, 'More');
  await openChat(carl);
  await expect(chat(carl).getByText('Good luck!')).toHaveCount(0);
  await write(carl, 'Quel début');
  await expect(chat(ada).getByText('Quel début')).toHaveCount(0);
  await button(blaise, 'Resign…').click();
  await button(blaise, 'Yes, resign').click();
  await expect(ada.getByRole('heading', { name: 'You won' })).toBeVisible();
  await expect(carl.getByText(/a abandonné\.$/).first()).toBeVisible();
  await expect(log(carl).locator('li:not(.note)')).toHaveCount(4);

  // The second: sides changed, a draw.
  const second = await rematch(blaise, ada, [carl], link);
  await expect(carl.getByText('Vous suivez la partie avec 2 tours de retard.')).toBeVisible();
  await expect(blaise.getByRole('heading', { name: YOUR_TURN })).toBeVisible();
  await offerDraw(ada);
  await expect(ada.getByText('You have offered a draw.')).toBeVisible();
  await button(blaise, 'Accept').click();
  for (const page of [ada, blaise])
    await expect(page.getByRole('heading', { name: 'Draw', exact: true })).toBeVisible();
  await expect(carl.getByRole('heading', { name: 'Partie nulle', exact: true })).toBeVisible();

  // The third: sides as in the first.
  await rematch(ada, blaise, [carl], second);
  await expect(ada.getByRole('heading', { name: YOUR_TURN })).toBeVisible();
  await button(ada, 'Resign…').click();
  await button(ada, 'Yes, resign').click();
  await expect(blaise.getByRole('heading', { name: 'You won' })).toBeVisible();
  await expect(carl.getByText(/a abandonné\.$/).first()).toBeVisible();
});

/** One offers a rematch, the other accepts: players and spectators are on another page then, and it has the same rules.
 * A turn of each is played; the player who offers moves first.
 * @returns {Promise<string>} its address
 */
async function rematch(from, to, watchers, last) {
  await button(from, 'Rematch, sides swapped').click();
  await expect(from.getByText('You have offered a rematch with sides swapped.')).toBeVisible();
  await button(to, 'Accept').click();
  await expect(to).not.toHaveURL(last);
  await expect(to).toHaveURL(/\/game\//);
  await expect(from).toHaveURL(to.url());
  const id = to.url().split('/').at(-1);
  await playUnseen(from, id, GAME.turns[0]);
  await playUnseen(to, id, GAME.turns[1]);
  for (const page of watchers) await expect(page).toHaveURL(to.url());
  return to.url();
}

test('a draw is offered, declined and withdrawn, and both sides see it in all their tabs', async ({
  visitor,
}) => {
  const [ada, blaise] = [await visitor(), await visitor()];
  const id = await started(ada, blaise);
  const other = await blaise.context().newPage();
  await other.goto(`/game/${id}`);
  await button(ada, 'Offer a draw…').click();
  await expect(ada.getByRole('group', { name: /^Offer a draw\?/ })).toBeVisible();
  await expect(button(ada, 'Keep playing')).toBeFocused();
  await button(ada, 'Keep playing').press('Escape');
  await expect(button(ada, 'Offer a draw…'), 'nothing is offered by one press').toBeFocused();
  await offerDraw(ada);
  for (const page of [blaise, other]) await expect(button(page, 'Accept')).toBeVisible();
  await expect(blaise.getByRole('alert')).toContainText('offers a draw.');
  await button(blaise, 'Decline').click();
  for (const page of [blaise, other]) await expect(button(page, 'Accept')).toHaveCount(0);
  await expect(log(ada).getByText(/declines the draw/)).toBeVisible();
  await expect(log(ada).getByText(/offers a draw/)).toHaveCount(1);
  const notice = (page) => page.locator('#status .notice');
  await expect(notice(ada)).toHaveText(/declines the draw\.\s*$/);
  await expect(notice(blaise), 'who declined knows it').toHaveCount(0);
  await offerDraw(ada);
  await expect(notice(ada)).toHaveText(/^You already offered that this turn\./);
  await offerDraw(blaise);
  await expect(button(ada, 'Accept')).toBeVisible();
  await expect(notice(ada), 'it was about another offer').toHaveCount(0);
  await button(blaise, 'Withdraw').click();
  await expect(log(ada).getByText(/withdraws the draw offer/)).toBeVisible();
});

test('an offer in the middle of a turn leaves the turn as it is', async ({ visitor }) => {
  const [ada, blaise] = [await visitor(), await visitor()];
  await started(ada, blaise);
  const [, to] = GAME.turns[2][0].split('-');
  await move(ada, GAME.turns[2].slice(0, 1));
  await expect(cell(ada, to)).toHaveAccessibleName(/move 1 of this turn/);
  await offerDraw(blaise);
  await expect(button(ada, 'Accept')).toBeVisible();
  await expect(cell(ada, to)).toHaveAccessibleName(/move 1 of this turn/);
  await play(ada, GAME.turns[2].slice(1));
  await expect(button(ada, 'Accept'), 'with the turn the draw is declined').toHaveCount(0);
  await expect(blaise.getByRole('heading', { name: YOUR_TURN })).toBeVisible();
});

test('a turn is taken back with the other side’s consent, and another one played', async ({ visitor }) => {
  const [ada, blaise] = [await visitor(), await visitor()];
  const id = await started(ada, blaise);
  await button(ada, 'Ask for a take-back').click();
  await expect(blaise.getByText(/asks to go back to turn 1; your turn 2 goes, too\.$/)).toBeVisible();
  await button(ada, 'Withdraw').click();
  await button(blaise, 'Ask for a take-back').click();
  await expect(blaise.getByText('You have asked to play turn 2 again.')).toBeVisible();
  await button(ada, 'Accept').click();
  await expect(blaise.getByRole('heading', { name: YOUR_TURN })).toBeVisible();
  for (const page of [ada, blaise]) {
    await expect(log(page).locator('li:not(.note)')).toHaveCount(1);
    await expect(log(page).getByText(/1 turn taken back/)).toBeVisible();
  }
  await play(blaise, GAME.turns[1]);
  await expect(ada.getByRole('heading', { name: YOUR_TURN })).toBeVisible();
  await ada.goto(`/replay/${id}`);
  await expect(ada.locator('.turns li'), 'a replay has only the turns that count').toHaveCount(2);
});

test('a game that has not begun is aborted with a second press', async ({ visitor }) => {
  const [ada, blaise] = [await visitor(), await visitor()];
  const id = await room(ada);
  await ada.goto(`/game/${id}`);
  await blaise.goto(`/game/${id}`);
  await expect(ada.getByRole('heading', { name: YOUR_TURN })).toBeVisible();
  await expect(button(ada, 'Resign…')).toHaveCount(0);
  await button(ada, 'Abort…').click();
  await ada.keyboard.press('Escape');
  await expect(button(ada, 'Abort…'), 'the question goes, and the focus comes back').toBeFocused();
  await button(ada, 'Abort…').click();
  await button(ada, 'Yes, abort').click();
  for (const page of [ada, blaise])
    await expect(page.getByRole('heading', { name: 'The game was aborted' })).toBeVisible();
  await expect(blaise.locator('.result').getByText(/aborted the game/)).toBeVisible();
});

test('a room whose player leaves before the first turns waits for another one', async ({ visitor }) => {
  const [ada, blaise] = [await visitor(), await visitor()];
  const id = await room(ada);
  await ada.goto(`/game/${id}`);
  await blaise.goto(`/game/${id}`);
  await button(blaise, 'Abort…').click();
  await button(blaise, 'Yes, abort').click();
  await expect(ada.getByRole('heading', { name: 'Waiting for an opponent' })).toBeVisible();
  const left = blaise.getByRole('heading', { name: 'You are no longer in this game' });
  await expect(left).toBeVisible();
  await blaise.reload();
  await expect(left).toBeVisible();
});

test('a link seats the first visitor who opens it, informs the others, and a private game is closed to them', async ({
  visitor,
}) => {
  const [ada, blaise, carl] = [await visitor(), await visitor(), await visitor()];
  for (const [watching, told] of [
    ['everybody', 'Both seats are taken.'],
    ['nobody', 'This game is private'],
  ]) {
    const id = await room(ada, { terms: { watching } });
    await ada.goto(`/game/${id}`);
    await expect(ada.getByRole('heading', { name: 'Waiting for an opponent' })).toBeVisible();
    await blaise.goto(`/game/${id}`);
    await expect(blaise.getByText(/to move$/)).toBeVisible();
    await carl.goto(`/game/${id}`);
    await expect(carl.getByText(told).first()).toBeVisible();
  }
  await expect(carl.getByRole('grid')).toHaveCount(0);
});

test('chat lines stay text, and muted or blocked players are not shown', async ({ visitor }) => {
  const [ada, blaise] = [await visitor(), await visitor()];
  await started(ada, blaise);
  await openChat(ada);
  await openChat(blaise);
  const markup = '<img src=x onerror="document.title=1">';
  await write(blaise, markup);
  await expect(chat(ada).getByText(markup, { exact: true })).toBeVisible();
  await expect(chat(ada).locator('img')).toHaveCount(0);
  const place = chat(ada).getByRole('link', { name: 'Turn 3' });
  await expect(place).toHaveAttribute('href', /\/replay\/.*#3\.0$/);

  await chat(ada).locator('summary').click();
  await ada.getByRole('button', { name: /^Mute / }).click();
  await expect(chat(ada).getByText(markup)).toHaveCount(0);
  await write(blaise, 'Hello?');
  await ada.getByRole('button', { name: /^Show / }).click();
  await expect(chat(ada).getByText('Hello?')).toBeVisible();

  await chat(ada).locator('summary').first().click();
  await ada.getByRole('button', { name: /^Block / }).click();
  await expect(chat(ada).getByText(/^Messages from .* are hidden\./)).toBeVisible();
  await ada.reload();
  await expect(chat(ada).getByText(/^Messages from .* are hidden\./)).toBeVisible();
  await expect(chat(ada).getByText('Hello?')).toHaveCount(0);
});

test('after the lines of one person are hidden, nobody else’s menu stands open, and the field has the focus', async ({
  visitor,
}) => {
  const [ada, blaise] = [await visitor(), await visitor()];
  const [carl, dora, emil] = [await visitor(), await visitor(), await visitor()];
  const id = await begin(ada, blaise, { visibility: 'link', terms: TERMS });
  for (const page of [carl, dora, emil]) {
    await page.goto(`/game/${id}`);
    await openChat(page);
  }
  for (const [page, text] of [
    [dora, 'one'],
    [emil, 'two'],
    [dora, 'three'],
    [emil, 'four'],
  ])
    await write(page, text);
  await expect(chat(carl).locator('li')).toHaveCount(4);
  for (const [act, left] of [
    ['Mute', 2],
    ['Block', 0],
  ]) {
    await chat(carl).locator('summary').first().click();
    await carl.getByRole('button', { name: new RegExp(`^${act} `) }).click();
    await expect(chat(carl).locator('li')).toHaveCount(left);
    await expect(chat(carl).locator('details[open]')).toHaveCount(0);
    await expect(carl.locator('#chat-text')).toBeFocused();
  }
});

test('a spectator who is writing is not taken along to the rematch, but gets a link to it', async ({
  visitor,
}) => {
  const [ada, blaise, carl] = [await visitor(), await visitor(), await visitor()];
  const id = await started(ada, blaise);
  await carl.goto(`/game/${id}`);
  await openChat(carl);
  await carl.locator('#chat-text').fill('I was about to say');
  await button(ada, 'Resign…').click();
  await button(ada, 'Yes, resign').click();
  await rematch(blaise, ada, [], `/game/${id}`);
  await expect(carl.getByRole('link', { name: 'Go to the rematch' })).toBeVisible();
  await expect(carl).toHaveURL(new RegExp(id));
});

test('a replay goes by itself at the pace that is chosen', async ({ visitor }) => {
  const [ada, blaise] = [await visitor(), await visitor()];
  const id = await started(ada, blaise);
  await ada.goto(`/replay/${id}#1.0`);
  await expect(ada.getByText('Start position')).toBeVisible();
  await ada.getByLabel('Speed').selectOption('as played');
  await button(ada, 'Play').click();
  await expect(ada.getByText(/^thought for /)).toBeVisible();
  await ada.getByLabel('Speed').selectOption('fast');
  await expect(button(ada, 'Play'), 'it stops at the end').toBeVisible();
  await expect(ada).toHaveURL(/#2\.2$/);
  await ada.reload();
  await expect(ada.getByLabel('Speed')).toHaveValue('fast');
});

for (const [size, viewport] of Object.entries({ phone: PHONE, desktop: DESKTOP })) {
  for (const [language, locale] of Object.entries({ en: 'en-GB', fr: 'fr-FR' })) {
    test(`axe finds nothing in live play: ${size}, ${language}`, async ({ visitor }) => {
      const look = {
        viewport,
        locale,
        reducedMotion: 'reduce',
        colorScheme: size === 'phone' ? 'dark' : 'light',
      };
      const [ada, blaise] = [await visitor(look), await visitor(look)];
      await started(ada, blaise);
      if (size === 'phone') await openTab(blaise, /^(More|Plus)$/);
      await offerDraw(blaise);
      await expect(ada.getByRole('button', { name: /^(Accept|Accepter)$/ })).toBeVisible();
      await isAccessible(ada, 'an offer');
      for (const page of [ada, blaise]) await openChat(page);
      await write(blaise, 'x'.repeat(300));
      await expect(chat(ada).getByText(/^x+$/)).toBeVisible();
      await isAccessible(ada, 'the chat');
      for (const page of [ada, blaise]) {
        const widths = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
        expect(widths[0], 'no page is wider than the screen').toBeLessThanOrEqual(widths[1]);
        await expect(page.locator('#chat-text')).toBeInViewport({ ratio: 1 });
      }
    });
  }
}

test('the chat stands open for whoever opened it in this game or has not read it, and a press is for writing', async ({
  visitor,
}) => {
  const [ada, blaise] = [await visitor(), await visitor({ viewport: PHONE, hasTouch: true, isMobile: true })];
  const [id, other] = [await started(ada, blaise), await begin(ada, blaise, { turns: 2 })];
  const tab = (name) => ada.getByRole('tab', { name });
  await openChat(ada);
  await expect(ada.locator('#chat-text')).toBeFocused();
  await openChat(blaise);
  await expect(blaise.locator('#chat-text'), 'its keyboard would cover the page').not.toBeFocused();
  await ada.goto(`/game/${other}`);
  await expect(tab(/^Chat/)).toHaveAttribute('aria-selected', 'false');
  await write(blaise, 'Good luck!');
  await ada.goto(`/game/${id}`);
  await expect(tab(/^Chat/)).toHaveAttribute('aria-selected', 'true');
  await expect(chat(ada)).toContainText('Good luck!');
  await openTab(ada, 'Turns');
  await ada.goto(`/game/${other}`);
  await expect(tab(/^Chat/)).toHaveAttribute('aria-selected', 'false');
  await write(blaise, 'Are you there?');
  // Another window knows what was read, and brings what was not.
  const window = await ada.context().newPage();
  await window.goto(`/game/${id}`);
  await expect(window.getByRole('tab', { name: 'Chat' })).toHaveAttribute('aria-selected', 'true');
  await expect(chat(window)).toContainText('Are you there?');
  const again = await ada.context().newPage();
  await again.goto(`/game/${id}`);
  await expect(chat(again).getByText('Are you there?')).toBeAttached();
  await expect(again.getByRole('tab', { name: 'Turns' })).toHaveAttribute('aria-selected', 'true');
});
