import { DESKTOP, PHONE, cell, expect, isAccessible, move, begin, pick, test } from './towers.js';

const WIN = ['e7-e6', 'h7-g6', 'f4-e5'];

/** The address of the engine. */
const ENGINE = /\/engine[\w-]*\.wasm$/;

const words = (page) => page.locator('#try-words .told > p').first();
const notice = (page) => page.locator('#try-words .told .notice');
const face = (page, name) =>
  page.locator('.face').filter({ has: page.getByRole('heading', { name, exact: true }) });

for (const [how, options, press] of [
  ['clicks', {}, (element) => element.click()],
  ['taps', { viewport: PHONE, hasTouch: true }, (element) => element.tap()],
  ['keys', {}, (element) => element.press('Enter')],
]) {
  test(`the first board is won in three moves by ${how}, with words for each`, async ({ visitor }) => {
    const page = await visitor(options);
    await page.goto('/');
    await expect(words(page)).toHaveText(/in 3 moves: choose a triangle/);
    await move(page, WIN.slice(0, 1), press);
    await expect(words(page)).toHaveText(/^Good: one more next to the centre\. 2 moves left/);
    await move(page, WIN.slice(1, 2), press);
    await expect(words(page)).toHaveText(/1 move left/);
    await move(page, WIN.slice(2), press);
    await expect(page.getByRole('heading', { name: 'That is how Fibonacci is won' })).toBeVisible();
    await expect(page.getByRole('status').getByText(/you win/)).toHaveCount(1);
    await expect(cell(page, 'f6')).toHaveAccessibleName(/attacked from/);
    await isAccessible(page, 'won');
    await expect(page.locator('#try-tools').getByRole('link', { name: 'Learn' })).toHaveAttribute(
      'href',
      '/learn/fibonacci',
    );
    await press(page.getByRole('button', { name: 'Play the computer' }));
    await expect(page).toHaveURL(/\/game\//);
    await expect(page.locator('#bar-top')).toContainText('Bot 1');
  });
}

test('a move after which the win is gone is reported, and taken back or the turn begun again', async ({
  visitor,
}) => {
  const page = await visitor();
  await page.goto('/');
  const again = page.getByRole('button', { name: 'Try again' });
  await move(page, [WIN[0], 'f7-d6']);
  await expect(words(page)).toHaveText(/^You have 1 move left, but the circle can no longer be closed/);
  await expect(again).toHaveClass('primary');
  // A picked piece has cells that it can go to, but none of them is worth pointing at.
  await pick(page, 'h7');
  await expect(words(page)).toHaveText(/can no longer be closed/);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(words(page)).toHaveText(/^It can go to a dot, or change places/);
});

test('hints lead to the win, after moves that lead nowhere too', async ({ visitor }) => {
  const page = await visitor();
  await page.goto('/');
  const hint = page.getByRole('button', { name: 'Hint' });
  const hinted = async () => {
    await hint.click();
    await expect(notice(page)).toHaveText(/^Hint: \w+ (to \w+|and \w+ change places)\.$/);
    await expect(page.locator('.mark-named')).toHaveAttribute('d', /M.*M/);
    return (await notice(page).textContent())
      .match(/(\w+) (?:to|and) (\w+)/)
      .slice(1)
      .join('-');
  };
  await move(page, [await hinted(), 'c1-b1', 'c2-b2']);
  await expect(words(page)).toHaveText(/^You are out of moves/);
  await expect(page.locator('.mark-named')).not.toHaveAttribute('d', /M/);
  for (let count = 0; count < 2; count += 1) await move(page, [await hinted()]);
  await expect(page.getByRole('heading', { name: 'That is how Fibonacci is won' })).toBeVisible();
});

test('the words follow the hand, and a hint leaves both where they are', async ({ visitor }) => {
  const page = await visitor();
  await page.goto('/');
  await expect(words(page), 'the red strokes are named').toHaveText(/Red strokes show those that touch it/);
  for (const [piece, sentence] of [
    ['f4', /change places with a piece between two arrows/],
    ['f5', /touches the centre already, as its red stroke shows/],
    ['c2', /rings are support pieces, which do not count/],
    ['h7', /change places/],
  ]) {
    await pick(page, piece);
    await expect(words(page)).toHaveText(sentence);
  }
  await page.getByRole('button', { name: 'Hint' }).click();
  await expect(notice(page), 'a move of the piece in the hand').toHaveText(/^Hint: h7 (to|and) /);
  await expect(words(page)).toHaveText(/change places/);
  await expect(cell(page, 'h7')).toHaveAttribute('aria-selected', 'true');
});

for (const locale of ['en-GB', 'fr-FR'])
  for (const viewport of [{ width: 390, height: 844 }, DESKTOP])
    test(`nothing moves while the words of the board to try change (${locale}, ${viewport.width})`, async ({
      visitor,
    }) => {
      const page = await visitor({ locale, viewport, hasTouch: viewport.width < 500 });
      await page.goto('/');
      await expect(words(page)).toHaveText(/3 (moves|coups)/);
      // Where they stand on the page, which may have been scrolled.
      const places = () =>
        page.evaluate(() =>
          ['try-board', 'try-tools', 'faces'].map((id) => {
            const { x, y, width, height } = document.getElementById(id).getBoundingClientRect();
            // The faces may still be drawn.
            return { x, y: y + scrollY, width, ...(id === 'faces' ? {} : { height }) };
          }),
        );
      const before = await places();
      const stays = async () => expect(await places()).toEqual(before);
      await page.getByRole('button', { name: /^(Hint|Indice)/ }).click();
      await stays();
      for (const step of [WIN[0], 'f7-d6']) {
        await pick(page, step.slice(0, 2));
        await stays();
        await move(page, [step]);
        await stays();
      }
      await move(page, ['c1-b1']);
      await stays();
      await page.getByRole('button', { name: /^(Try again|Réessayer)/ }).click();
      await cell(page, 'a1').click();
      await stays();
      await move(page, WIN);
      await expect(page.locator('#try-tools a')).toBeVisible();
      await stays();
      const { y, height } = before[1];
      expect(before[2].y - y - height, 'no empty space below the buttons').toBeLessThan(30);
    });

test('a press that does nothing says why', async ({ visitor }) => {
  const page = await visitor();
  await page.goto('/');
  await expect(words(page)).toHaveText(/in 3 moves/);
  await cell(page, 'a1').click();
  await expect(notice(page)).toHaveText(/a1 is empty/);
  await expect(words(page), 'the task stays').toHaveText(/in 3 moves/);
  await move(page, WIN.slice(0, 1));
  await expect(words(page)).toHaveText(/2 moves left/);
});

test('an engine that could not be loaded is reported, leaves the board unchanged, and is loaded again', async ({
  visitor,
}) => {
  const page = await visitor({ forgives: /ERR_FAILED|Failed to fetch/ });
  await page.route(ENGINE, (route) => route.abort());
  await page.goto('/');
  await expect(words(page)).toHaveText(/in 3 moves/);
  await move(page, WIN.slice(0, 1));
  await expect(words(page)).toHaveText('The moves could not be loaded.');
  await expect(cell(page, 'e7')).toHaveAccessibleName(/strike piece/);
  await page.unroute(ENGINE);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(words(page)).toHaveText(/in 3 moves/);
  await move(page, WIN.slice(0, 1));
  await expect(words(page)).toHaveText(/2 moves left/);
});

test('the engine comes when a visitor turns to the board, which then needs no connection', async ({
  visitor,
}) => {
  const page = await visitor({ forgives: /ERR_INTERNET_DISCONNECTED/ });
  const asked = [];
  page.on('request', (request) => ENGINE.test(request.url()) && asked.push(request.url()));
  await page.goto('/');
  await expect(words(page)).toHaveText(/in 3 moves/);
  await page.waitForLoadState('networkidle');
  expect(asked).toEqual([]);
  const isLoaded = page.waitForResponse(ENGINE);
  await page.locator('#try-board').hover();
  await (await isLoaded).finished();
  await page.context().setOffline(true);
  await move(page, WIN);
  await expect(page.getByRole('heading', { name: 'That is how Fibonacci is won' })).toBeVisible();
});

test('a visitor who has won finds the lists first, and the board by a button', async ({ visitor }) => {
  const page = await visitor();
  await page.goto('/');
  await move(page, WIN);
  await expect(page.getByRole('heading', { name: 'That is how Fibonacci is won' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('tablist')).toBeVisible();
  await expect(page.getByRole('grid')).toHaveCount(0);
  await page.getByRole('button', { name: 'Win in three moves' }).click();
  await expect(words(page)).toHaveText(/in 3 moves/);
  await expect(page.getByRole('region', { name: 'Win in three moves' })).toBeFocused();
});

for (const [locale, answer] of [
  ['en-GB', /^The computer/],
  ['fr-FR', /^L’ordinateur/],
])
  for (const colorScheme of ['light', 'dark'])
    test(`on a phone with the bars of its browser all answers are in sight, and the board begins (${locale}, ${colorScheme})`, async ({
      visitor,
    }) => {
      const viewport = { width: 390, height: 664 };
      const page = await visitor({ viewport, hasTouch: true, isMobile: true, locale, colorScheme });
      await page.goto('/');
      await expect(words(page)).toBeVisible();
      await expect(page.getByRole('button', { name: answer })).toBeInViewport({ ratio: 1 });
      const bar = await page.locator('#pages').boundingBox();
      for (const way of await page.locator('#start .opponent').all()) {
        const { y, height } = await way.boundingBox();
        expect(y + height).toBeLessThanOrEqual(bar.y);
      }
      expect((await page.locator('#try-words h2').boundingBox()).y).toBeLessThan(bar.y - 60);
    });

test('the games come before the lists, unless there was something in these the last time', async ({
  visitor,
}) => {
  const [ada, newcomer] = [await visitor(), await visitor()];
  const order = () =>
    newcomer.evaluate(() => [...document.querySelectorAll('#lists, #faces')].map(({ id }) => id));
  const rooms = newcomer.getByRole('tab', { name: /^Open rooms \d/ });
  await ada.request.post('/api/v1/session');
  const room = { ruleset: 'fibonacci', seat: 'first', visibility: 'public' };
  const { id } = await (await ada.request.post('/api/v1/rooms', { data: room })).json();
  await newcomer.goto('/');
  await expect(rooms).toBeVisible();
  expect(await order(), 'nothing moves on a page that is there').toEqual(['faces', 'lists']);
  await newcomer.reload();
  await expect(rooms).toBeVisible();
  expect(await order()).toEqual(['lists', 'faces']);
  expect((await ada.request.delete(`/api/v1/rooms/${id}`)).ok()).toBe(true);
});

test('each game has a face with ways into it', async ({ visitor }) => {
  const page = await visitor();
  await page.goto('/');
  for (const [name, ruleset, facts] of [
    ['Fibonacci', 'fibonacci', 'about 35 minutes · Thomas Naylor, 1990'],
    ['Fenix', 'fenix', 'about 15 minutes · Fred Horn, 1975'],
    ['Focus', 'focus', 'about 15 minutes · Sid Sackson, 1963'],
    ['Crossfire', 'crossfire', 'about 15 minutes · Christian Freeling'],
  ]) {
    await expect(face(page, name)).toContainText(facts);
    const link = (what) => page.getByRole('link', { name: `${what}: ${name}`, exact: true });
    await expect(link('Learn')).toHaveAttribute('href', `/learn/${ruleset}`);
    await expect(link('Rules')).toHaveAttribute('href', `/rules/${ruleset}`);
    await expect(link('Example game')).toHaveAttribute('href', `/example/${ruleset}`);
  }
  await page.getByRole('link', { name: 'Example game: Focus', exact: true }).click();
  await expect(page.getByRole('grid', { name: 'Focus board' })).toBeVisible();
});

test('a face shows the game that is played live, and leads to it', async ({ visitor }) => {
  const [ada, bo, reader] = [await visitor(), await visitor(), await visitor()];
  const id = await begin(ada, bo, { ruleset: 'crossfire' });
  await reader.goto('/');
  const link = reader.getByRole('link', { name: /^Watch Crossfire live: / });
  await expect(link).toHaveAttribute('href', `/game/${id}`);
  await expect(link.locator('use[href^="#man-"]')).toHaveCount(36);
});

test('a visitor with a link sees the name of the game and how to play it', async ({ visitor }) => {
  const [maker, friend] = [await visitor(), await visitor({ viewport: PHONE })];
  await maker.request.post('/api/v1/session');
  const data = { ruleset: 'crossfire', seat: 'first', visibility: 'public' };
  const { id } = await (await maker.request.post('/api/v1/rooms', { data })).json();
  await friend.goto(`/game/${id}`);
  await expect(friend.getByRole('heading', { name: /invites you to play Crossfire$/ })).toBeVisible();
  await expect(friend.getByText(/^Focus on a hexagonal board/)).toBeVisible();
  await expect(friend.locator('#status').getByRole('link', { name: 'Rules' })).toHaveAttribute(
    'href',
    '/rules/crossfire',
  );
  await friend.getByRole('button', { name: 'Join' }).click();
  // On a phone the board needs the room; *Rules* remains beside the game's name.
  await friend.setViewportSize(DESKTOP);
  await expect(friend.locator('#goal')).toHaveText(/^Goal: leave your opponent/);
  await expect(friend.locator('#goal')).toBeVisible();
  await expect(
    friend.locator('#main').getByRole('link', { name: 'Rules' }),
    'one way to the rules',
  ).toHaveCount(1);
});

test('the lobby in French, with its faces, keeps within a phone', async ({ visitor }) => {
  const page = await visitor({ viewport: PHONE, locale: 'fr-FR' });
  await page.goto('/');
  await expect(words(page)).toHaveText(/en 3 coups/);
  await isAccessible(page, 'lobby, phone, fr');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.width);
});
