import { PHONE, YOUR_TURN, begin, expect, isAccessible, openFriend, openRoom, test } from './towers.js';

test('a page has the language of its reader from the first byte, and another one on request', async ({
  visitor,
}) => {
  const [french, other] = [await visitor({ locale: 'fr-FR' }), await visitor()];
  const id = await begin(french, other);
  const response = await french.goto(`/game/${id}`);
  expect(await response.text()).toContain('<html lang="fr"');
  await expect(french.getByRole('heading', { name: 'À vous de jouer' })).toBeVisible();
  await french.getByRole('button', { name: 'Préférences' }).click();
  await french.getByLabel('Langue').selectOption('English');
  await expect(french.getByRole('heading', { name: 'Your turn' })).toBeVisible();
  await expect(french.locator('html')).toHaveAttribute('lang', 'en');
  await french.goto(`/game/${id}?lang=fr`);
  await expect(french.getByRole('heading', { name: YOUR_TURN })).toHaveText('À vous de jouer');
});

test('a room that is open by link is joined by the link and never listed', async ({ visitor }) => {
  const [maker, friend, stranger] = [await visitor(), await visitor(), await visitor()];
  await Promise.all([maker, stranger].map((page) => page.goto('/')));
  await openFriend(maker);
  await maker.getByRole('radio', { name: /^Black/ }).check();
  await maker.getByRole('button', { name: 'Create', exact: true }).click();
  const link = await maker.getByRole('textbox', { name: 'Link to this game' }).inputValue();
  await friend.goto(link);
  await expect(maker.getByRole('heading', { name: YOUR_TURN })).toBeVisible();
  // A game that is listed comes later: by then the lobby would show the other.
  const listed = await begin(maker, friend);
  await stranger.getByRole('tab', { name: /^Live now/ }).click();
  await expect(stranger.locator(`.cover[href="/game/${listed}"]`)).toBeVisible();
  await expect(stranger.locator(`a[href="${new URL(link).pathname}"]`)).toHaveCount(0);
});

test('a room that is closed by its maker is gone', async ({ visitor }) => {
  const [maker, other] = [await visitor(), await visitor()];
  await maker.goto('/');
  await openRoom(maker);
  await maker.getByRole('button', { name: 'Create', exact: true }).click();
  await expect(maker).toHaveURL(/\/game\//);
  await other.goto(maker.url());
  await maker.getByRole('button', { name: 'Close this room' }).click();
  for (const page of [maker, other]) {
    await expect(page.getByRole('heading', { name: 'This room was closed' })).toBeVisible();
  }
});

test('a link to no game says so', async ({ visitor }) => {
  const page = await visitor();
  await page.goto('/game/01890a5d-ac96-774b-bcce-b302099a8057');
  await expect(page.getByRole('heading', { name: 'There is no such game' })).toBeVisible();
});

test('an address without a page leads on, in the language of its reader and without any game', async ({
  visitor,
}) => {
  for (const [locale, heading, ways] of [
    ['en-GB', 'Page not found', ['Go to lobby', 'Finished games', 'Rules of the games']],
    ['fr-FR', 'Page introuvable', ['Aller au salon', 'Parties terminées', 'Règles des jeux']],
  ]) {
    const page = await visitor({ locale });
    const asked = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    for (const address of ['/no/such/page', '/rules/chess', '/example/chess', '/game/', '/index.html']) {
      const answer = await page.goto(address);
      expect(answer.status(), address).toBe(404);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading);
      await expect(page.getByRole('navigation', { name: 'Pages' })).toBeVisible();
      await expect(page.getByRole('main').getByRole('link')).toHaveText(ways);
    }
    expect(asked.filter((path) => /^\/(api|ws|board|game-page|lobby)\b/.test(path))).toEqual([]);
    await page.reload();
    await expect(page.getByRole('heading', { level: 1 }), 'when it is asked for again').toHaveText(heading);
    for (const [index, place] of ['/', '/games', '/rules/fibonacci'].entries()) {
      await page.goto('/no/such/page');
      await page.getByRole('main').getByRole('link', { name: ways[index] }).click();
      await expect(page).toHaveURL(place);
    }
  }
});

test('a link opens its page with the text of a mail around it', async ({ visitor, server }) => {
  const [page, other] = [await visitor(), await visitor()];
  const id = await begin(page, other, { turns: 2 });
  for (const [written, address] of [
    [`/game/${id}).`, `/game/${id}`],
    [`/game/${id.toUpperCase()}/?lang=en#2.1).`, `/game/${id}?lang=en#2.1).`],
    [`/replay/${id}\u200b#1.1,`, `/replay/${id}#1.1,`],
    [`/game/${id}\u201d!`, `/game/${id}`],
  ]) {
    await page.goto(written);
    await expect(page).toHaveURL(`${server}${address}`);
    await expect(page.locator('#heading')).toContainText('Fibonacci');
  }
  await page.goto('/learn/Fenix/.');
  await expect(page).toHaveURL(`${server}/learn/fenix`);
  await page.goto('/analysis/?ruleset=fenix).');
  await expect(page.locator('#heading')).toContainText('Fenix');
});

test('the pages of a missing game say so', async ({ visitor }) => {
  const page = await visitor();
  for (const id of ['01890a5d-ac96-774b-bcce-b302099a8057', 'not-an-id', '%FF']) {
    for (const kind of ['game', 'replay', 'shuffles']) {
      await page.goto(`/${kind}/${id}`);
      await expect(page.getByText(/no such game/i).first(), `${kind} ${id}`).toBeVisible();
    }
  }
});

test('the header marks the part of the site that a page belongs to, and leads to all others', async ({
  visitor,
}) => {
  const page = await visitor();
  const pages = page.locator('#pages');
  for (const [path, part] of [
    ['/', 'Play'],
    ['/table', 'Play'],
    ['/learn/fenix', 'Learn'],
    ['/rules/fenix', 'Learn'],
    ['/puzzles', 'Puzzles'],
    ['/analysis', 'Analysis'],
    ['/import', 'Games'],
    ['/example/fenix', 'Learn'],
  ]) {
    await page.goto(path);
    await expect(pages.locator('[aria-current]'), path).toHaveText(part);
    await expect(pages.getByRole('link'), path).toHaveCount(5);
  }
  await page.goto('/games');
  await expect(pages.getByRole('link', { name: 'Games' })).toHaveAttribute('aria-current', 'page');
});

test('on a phone the parts of the site are at the lower edge, and beside a board in a menu', async ({
  visitor,
}) => {
  const page = await visitor({ viewport: PHONE });
  await page.goto('/games');
  const play = page.locator('#pages').getByRole('link', { name: 'Play' });
  const { y, height } = await play.boundingBox();
  expect(y + height).toBeLessThanOrEqual(PHONE.height + 1);
  expect(y).toBeGreaterThan(PHONE.height - 80);
  await page.goto('/puzzles');
  await expect(play).toBeHidden();
  await page.getByRole('button', { name: 'Pages' }).click();
  await expect(play).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(play).toBeHidden();
});

test('the link to the content leaves a lesson, a puzzle and a list as they are', async ({ visitor }) => {
  const page = await visitor();
  await page.addInitScript(() => {
    window.jumps = 0;
    for (const kind of ['hashchange', 'popstate']) addEventListener(kind, () => window.jumps++);
  });
  for (const [address, drawn] of [
    ['/learn/fibonacci#7', '[role="gridcell"][aria-selected]'],
    ['/puzzles', '[role="gridcell"][aria-selected]'],
    ['/games?ruleset=fenix', '#games .empty'],
  ]) {
    await page.goto(address);
    await expect(page.locator(drawn).first()).toBeVisible();
    const now = page.url();
    await page.keyboard.press('Tab');
    await expect(page.getByRole('link', { name: 'Skip to the content' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('main'), address).toBeFocused();
    expect(page.url()).toBe(now);
    expect(await page.evaluate(() => window.jumps), address).toBe(0);
    await page.keyboard.press('Tab');
    await expect(page.getByRole('main').locator(':focus')).toHaveCount(1);
  }
});

test('on the page of a game a link leads to the field for moves', async ({ visitor }) => {
  const [maker, guest] = [await visitor(), await visitor()];
  await maker.goto(`/game/${await begin(maker, guest)}`);
  await maker.getByRole('link', { name: 'Skip to the tools and the field for moves' }).press('Enter');
  const field = maker.getByLabel('Type a move');
  for (
    let tabs = 0;
    tabs < 12 && !(await field.evaluate((element) => element === document.activeElement));
    tabs++
  )
    await maker.keyboard.press('Tab');
  await expect(field).toBeFocused();
});

test('the HTTP API is described for readers too, in the words of the page', async ({ visitor }) => {
  for (const [locale, heading, way, session] of [
    ['en-GB', 'HTTP API', 'For developers', 'Needs a session.'],
    ['fr-FR', 'L’API HTTP', 'Pour les développeurs', 'Nécessite une session.'],
  ]) {
    const page = await visitor({ locale, viewport: { width: 360, height: 740 } });
    await page.goto('/');
    await page.getByRole('contentinfo').getByRole('link', { name: way }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading);
    const operation = page.locator('#create_room');
    await operation.locator('summary').focus();
    await page.keyboard.press('Enter');
    await expect(operation).toContainText('/api/v1/rooms');
    await expect(operation).toContainText(session);
    await expect(operation).toContainText('too_many_rooms');
    await isAccessible(page, 'the HTTP API');
    await operation.getByRole('link', { name: 'NewRoom' }).click();
    await expect(page.locator('#NewRoom')).toBeInViewport();
    await expect(page.locator('#NewRoom')).toContainText('visibility');
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
    await expect(page.getByRole('link', { name: /OpenAPI/ })).toHaveAttribute('href', '/api/v1/openapi.json');
    await page.goto('/api#read_game');
    await expect(page.locator('#read_game .inside')).toBeVisible();
  }
});
