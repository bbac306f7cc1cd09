// The review of a finished game, on the page of its replay.

import { DESKTOP, GAME, PHONE, begin, cell, expect, isAccessible, move, test, openTab } from './towers.js';

const LAST = GAME.turns.length;

async function finished(visitor) {
  const [black, white] = [await visitor(), await visitor()];
  return begin(black, white, { turns: LAST });
}

/** A review in which Black's second turn costs much. */
function reviewed() {
  const turns = GAME.turns.map(() => ({ score: 0.5, better: null }));
  turns[2] = { score: 0.2, better: { actions: ['e10-d6', 'end'], score: 0.6 } };
  return turns;
}

const panel = (page) => page.locator('#review');
const button = (page) => panel(page).getByRole('button', { name: 'Review this game' });
const status = (page) => page.locator('#status');
const arrows = (page) => page.locator('.hint-best');
/** The numbers of arrows. */
const numbers = (page) => page.locator('.hint-numbers > g:not([display="none"])');
const graph = (page) => panel(page).getByRole('slider');

test('a finished game is reviewed, and its review is read by keys', async ({ visitor }) => {
  const id = await finished(visitor);
  const page = await visitor();
  await page.goto(`/replay/${id}`);
  await openTab(page, /^(Review|Bilan)$/);
  await button(page).press('Enter');
  await expect(panel(page).getByRole('heading', { name: 'Game review' })).toBeFocused();
  await expect(graph(page)).toHaveAttribute('aria-valuetext', 'Start position');
  await page.keyboard.press('Tab');
  await expect(graph(page)).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(page).toHaveURL(/#1\.1$/);
  await expect(graph(page)).toHaveAttribute('aria-valuetext', /^Turn 1, Black, (Black|White) \d+%/);
  await page.keyboard.press('End');
  await expect(graph(page)).toHaveAttribute('aria-valuetext', `Turn ${LAST}, Black, Black 100%`);
  await expect(page).toHaveURL(new RegExp(`#${LAST}\\.`));
  await page.keyboard.press('Home');
  await expect(graph(page)).toHaveAttribute('aria-valuenow', '0');

  await panel(page).getByText('All turns in a table').click();
  await expect(panel(page).getByRole('row')).toHaveCount(LAST + 1);

  // It is stored now, and the page of the game has its graph.
  // High enough for the whole list of turns.
  await page.setViewportSize({ width: 1800, height: 1100 });
  await page.goto(`/game/${id}`);
  const chances = page.getByRole('link', { name: 'Winning chances, turn by turn' });
  await expect(chances).toBeVisible();
  await isAccessible(page, 'a result with its winning chances');
  await page.setViewportSize(DESKTOP);
  await chances.click();
  await expect(graph(page)).toBeVisible();

  await page.goto(`/replay/${id}`);
  await openTab(page, 'Review');
  await button(page).click();
  await expect(graph(page)).toBeVisible();
});

test('a press on the graph shows the turn there', async ({ visitor }) => {
  const id = await finished(visitor);
  const page = await visitor();
  await page.goto(`/replay/${id}`);
  await openTab(page, /^(Review|Bilan)$/);
  await button(page).click();
  await expect(graph(page)).toBeVisible();
  const { width, height } = await graph(page).boundingBox();
  await graph(page).click({ position: { x: (2.5 / LAST) * width, y: height / 2 } });
  await expect(page.getByRole('heading', { name: 'Turn 3, Black' })).toBeVisible();
});

test('the ends of the graph say who is ahead there', async ({ visitor }) => {
  const id = await finished(visitor);
  const page = await visitor();
  const turns = GAME.turns.map(() => ({ score: 1, better: null }));
  await page.route('**/review', (route) => route.fulfill({ json: { turns } }));
  for (const [side, ends] of [
    ['first', ['You are ahead', 'White ahead']],
    ['second', ['You are ahead', 'Black ahead']],
  ]) {
    await page.goto(`/replay/${id}?review=${side}`);
    await expect(panel(page).locator('.graph-sides > span')).toHaveText(ends);
    const height = (selector) =>
      panel(page)
        .locator(selector)
        .first()
        .evaluate((element) => {
          const { y, height } = element.getBoundingClientRect();
          return y + height / 2;
        });
    const [line, upper, lower] = [
      await height('.line'),
      await height('.graph-sides > span:first-child'),
      await height('.graph-sides > span:last-child'),
    ];
    const isUp = Math.abs(line - upper) < Math.abs(line - lower);
    const winner = side === 'first' ? 'You are ahead' : 'Black ahead';
    expect(isUp ? ends[0] : ends[1], 'the line of a won game is at its winner’s end').toBe(winner);
  }
});

test('a game under way and an example have no review', async ({ visitor }) => {
  const [black, white] = [await visitor(), await visitor()];
  const id = await begin(black, white, { turns: 2 });
  const page = await visitor();
  for (const path of [`/replay/${id}`, '/example/fenix']) {
    await page.goto(path);
    await expect(page.getByRole('button', { name: 'Next move' })).toBeVisible();
    await expect(page.getByRole('tab', { name: 'Turns' })).toBeVisible();
    await expect(page.getByRole('tab', { name: 'Review' })).toHaveCount(0);
  }
});

test('a player comes from the end of a game to its review, and learns from the mistakes without another evaluation', async ({
  visitor,
}) => {
  const [black, white] = [await visitor(), await visitor()];
  const id = await begin(black, white, { turns: LAST });
  const turns = reviewed();
  await black.route('**/review', (route) => route.fulfill({ json: { turns } }));
  await black.goto(`/game/${id}`);
  await black.getByRole('link', { name: 'Review' }).click();
  await expect(graph(black)).toBeVisible();
  await expect(black.locator('#bar-bottom'), 'the own side is below').toContainText('Black');
  await black.getByRole('link', { name: 'Learn from my mistakes' }).click();
  await expect(black.getByRole('heading', { name: 'Mistake 1 of 1' })).toBeVisible();
  await expect(black.locator('#status')).toContainText('Turn 3: you played');
  await expect(black.locator('#bar-bottom')).toContainText('Black');
  await expect(black.getByRole('button', { name: 'Evaluate all turns' })).toHaveCount(0);
});

test('a turning point pressed on a telephone is seen on the board with its worth and the better turn', async ({
  visitor,
}) => {
  const id = await finished(visitor);
  const turns = reviewed();
  turns[2].better.actions = ['e10-d6', 'b7-a6', 'end'];
  const page = await visitor({ viewport: { width: 390, height: 844 }, hasTouch: true });
  await page.route('**/review', (route) => route.fulfill({ json: { turns } }));
  await page.goto(`/replay/${id}?review=first`);
  await expect(arrows(page)).not.toHaveAttribute('d', /./);
  await panel(page)
    .getByRole('link', {
      name: 'Turn 3, you: winning chances 20% instead of 60%. Better: e10-d6, b7↔a6, end',
    })
    .tap();
  await expect(page.getByRole('tab', { name: 'Board' })).toHaveAttribute('aria-selected', 'true');
  await expect(status(page)).toContainText('Your winning chances: 50% before, 20% after.');
  await expect(status(page)).toContainText('Better: e10-d6, b7↔a6, end (60% instead of 20%)');
  await expect(status(page)).toContainText('The better turn: 2 moves, numbered in order.');
  await expect(arrows(page), 'the better turn is drawn').toHaveAttribute('d', /^M/);
  await expect(numbers(page)).toHaveText(['1', '2']);
  await expect(cell(page, 'e10'), 'on the position before the turn').toHaveAccessibleName(/black/);
  const toggle = status(page).getByRole('button', { name: /^Show (the better turn|turn played)$/ });
  await expect(toggle).toHaveText('Show turn played');
  await expect(toggle).toBeInViewport();
  await isAccessible(page, 'a turning point on a telephone');
  const moves = page.getByRole('group', { name: 'Moves of this turn' });
  const next = moves.getByRole('button', { name: 'Next move' });
  await next.tap();
  await expect(moves).toContainText('move 1 of 2');
  await expect(cell(page, 'e10'), 'it has moved').not.toHaveAccessibleName(/black/);
  await expect(cell(page, 'd6')).toHaveAccessibleName(/black/);
  await expect(numbers(page), 'what is still to come is drawn').toHaveText(['2']);
  await next.tap();
  await expect(arrows(page)).not.toHaveAttribute('d', /./);
  await expect(cell(page, 'b7'), 'a swap').toHaveAccessibleName(/centre/);
  await moves.getByRole('button', { name: 'Previous move' }).tap();
  await expect(moves).toContainText('move 1 of 2');
  await toggle.tap();
  await expect(arrows(page)).not.toHaveAttribute('d', /./);
  await expect(cell(page, 'e10')).not.toHaveAccessibleName(/black/);
  await expect(status(page), 'the whole turn is named').toContainText(GAME.turns[2].join(', '));
  await toggle.tap();
  await expect(arrows(page)).toHaveAttribute('d', /^M/);
  await page.locator('#controls').getByRole('button', { name: 'Next move' }).tap();
  await expect(arrows(page), 'another moment is seen as it was').not.toHaveAttribute('d', /./);
});

test('on a phone with the bars of its browser the ways on from a mistake are in sight', async ({
  visitor,
}) => {
  const phone = { viewport: { width: 390, height: 664 }, hasTouch: true, isMobile: true, locale: 'fr-FR' };
  const [black, white] = [await visitor(phone), await visitor()];
  const id = await begin(black, white, { turns: LAST });
  const turns = reviewed();
  await black.route('**/review', (route) => route.fulfill({ json: { turns } }));
  await black.goto(`/analysis?game=${id}&learn=first`);
  await expect(status(black).getByRole('button')).not.toHaveCount(0);
  const desk = await black.locator('.desk').boundingBox();
  for (const way of await status(black).getByRole('button').all()) {
    const { y, height } = await way.boundingBox();
    expect(y + height).toBeLessThanOrEqual(desk.y);
  }
});

test('a lesson shows the better turn at once, move by move, and leads back to the review and the game', async ({
  visitor,
}) => {
  const [black, white] = [await visitor(), await visitor()];
  const id = await begin(black, white, { turns: LAST });
  const turns = reviewed();
  await black.route('**/review', (route) => route.fulfill({ json: { turns } }));
  await black.goto(`/analysis?game=${id}&learn=first`);
  await expect(status(black)).toContainText('Find a better turn.');
  await black.getByRole('button', { name: 'Show a better turn' }).click();
  await expect(status(black)).toContainText('Better: e10-d6');
  await expect(status(black)).toContainText(
    'Black’s winning chances: 50% before, 20% after the turn played, 60% after the better one.',
  );
  await expect(cell(black, 'd6'), 'it is on the board').toHaveAccessibleName(/black/);
  const moves = black.getByRole('group', { name: 'Moves of this turn' });
  await moves.getByRole('button', { name: 'Previous move' }).click();
  await expect(moves).toContainText('move 0 of');
  await expect(cell(black, 'd6')).not.toHaveAccessibleName(/black/);
  await expect(arrows(black), 'what is still to come is drawn').toHaveAttribute('d', /^M/);
  await moves.getByRole('button', { name: 'Next move' }).click();
  await expect(cell(black, 'd6')).toHaveAccessibleName(/black/);
  await isAccessible(black, 'a lesson with its answer');

  // A reload, another language and a way back have the lesson, its answer and the side below.
  const isThere = async (heading) => {
    await expect(black.getByRole('heading', { name: heading })).toBeVisible();
    await expect(cell(black, 'd6')).toHaveAccessibleName(/black|noir/);
    const [own, other] = await Promise.all(
      ['f11', 'a1'].map(async (name) => (await cell(black, name).boundingBox()).y),
    );
    expect(own, 'the own side is below').toBeGreaterThan(other);
  };
  await expect(black).toHaveURL(/game=.*&learn=first&mistake=1#a=/);
  await black.reload();
  await isThere('Mistake 1 of 1');
  await black.goto('/rules/fibonacci');
  await black.goBack();
  await isThere('Mistake 1 of 1');
  for (const [button, field, language, heading] of [
    ['Preferences', 'Language', 'Français', 'Erreur 1 sur 1'],
    ['Préférences', 'Langue', 'English', 'Mistake 1 of 1'],
  ]) {
    await black.getByRole('button', { name: button }).click();
    await black.getByLabel(field).selectOption(language);
    await isThere(heading);
  }

  await black.getByRole('button', { name: 'Done' }).click();
  await expect(black).toHaveURL(/mistake=2#a=/);
  await black.reload();
  await expect(black.getByRole('link', { name: 'Go to the game' })).toHaveAttribute('href', `/game/${id}`);
  await black.getByRole('link', { name: 'Back to the review' }).click();
  await expect(graph(black)).toBeVisible();
  await expect(black.locator('#bar-bottom'), 'the own side is below').toContainText('Black');
});

for (const [locale, words] of Object.entries({
  'en-GB': ['Show a better turn', 'Skip', 'Done', 'Undo', 'Thick arrows show'],
  'fr-FR': ['Voir la solution', 'Passer', 'Terminer', 'Annuler', 'Les flèches épaisses montrent'],
})) {
  test(`a lesson on a telephone has its verdict and its buttons in sight without scrolling: ${locale}`, async ({
    visitor,
  }) => {
    const id = await finished(visitor);
    const page = await visitor({ viewport: { width: 390, height: 844 }, hasTouch: true, locale });
    const [show, skip, done, undo, legend] = words;
    const turns = reviewed();
    turns[4] = { score: 0.2, better: { actions: ['b6-f7', 'e6-g8', 'c8-c7', 'c7-e7', 'f6-f5'], score: 0.6 } };
    await page.route('**/review', (route) => route.fulfill({ json: { turns } }));
    const named = (name) => page.getByRole('button', { name, exact: true });
    const isInSight = async (...names) => {
      for (const name of names) {
        await expect(named(name)).toBeVisible();
        const [button, desk] = await Promise.all(
          [named(name), page.locator('.desk')].map((one) => one.boundingBox()),
        );
        expect(button.y + button.height, `${name} stands above the lower bar`).toBeLessThanOrEqual(desk.y);
      }
      expect(await page.evaluate(() => scrollY)).toBe(0);
    };
    await page.goto(`/analysis?game=${id}&mine=first&learn=first`);
    await isInSight(show, skip, done);
    await expect(named(skip), 'the turn is still to be found').not.toHaveClass(/primary/);
    await expect(named(undo), 'nothing has been played').toHaveAttribute('aria-disabled', 'true');
    await move(page, GAME.turns[2]);
    await expect(status(page)).toContainText(/20\s?% (after yours|après le vôtre)/);
    await isInSight(show, skip, done);
    await named(skip).tap();
    await named(show).tap();
    await expect(page.getByRole('group', { name: /^(Moves of this turn|Coups de ce tour)$/ })).toBeVisible();
    await isInSight(done);
    await expect(named(done)).toHaveClass(/primary/);
    await named(done).tap();
    await expect(status(page)).toContainText(legend);
    await expect(page.getByRole('group', { name: /^(Moves of this turn|Coups de ce tour)$/ })).toHaveCount(0);
    expect(await page.evaluate(() => scrollY)).toBe(0);
  });
}

test('the analysis of a reviewed game names the figure of the review beside its own', async ({ visitor }) => {
  const id = await finished(visitor);
  const page = await visitor();
  const turns = reviewed();
  await page.route('**/review', (route) => route.fulfill({ json: { turns } }));
  await page.goto(`/analysis?game=${id}&turn=3`);
  await expect(page.locator('#opinion')).toContainText(
    'In the review, which looked less far ahead: White 80%',
  );
});

test('a review that a server has lost is asked for again, and a failure is reported', async ({ visitor }) => {
  const id = await finished(visitor);
  const page = await visitor();
  const turns = GAME.turns.map(() => ({ score: 0.5, better: null }));
  turns[3] = { score: 0.7, better: { actions: ['i11-i7', 'end'], score: 0.2 } };
  const asked = [];
  await page.route('**/review', (route) => {
    const method = route.request().method();
    asked.push(method);
    const posts = asked.filter((one) => one === 'POST').length;
    if (posts === 1 && method === 'POST')
      return route.fulfill({ status: 429, json: { code: 'too_many_reviews', detail: 'a test' } });
    if (method === 'POST') return route.fulfill({ status: 202, json: { done: posts, of: LAST } });
    return asked.filter((one) => one === 'GET').length === 1
      ? route.fulfill({ status: 404, json: { code: 'no_review', detail: 'a test' } })
      : route.fulfill({ json: { turns } });
  });
  await page.goto(`/replay/${id}`);
  await openTab(page, /^(Review|Bilan)$/);
  await button(page).click();
  await expect(
    panel(page).getByText('A review for your network is in progress: wait until it is ready.'),
  ).toBeVisible();
  await panel(page).getByRole('button', { name: 'Try again' }).click();
  await expect(panel(page).getByRole('progressbar')).toBeVisible();
  await expect(panel(page)).toContainText('The computer looks for a better turn at each turn of the game.');
  await expect(graph(page)).toBeVisible();
  expect(asked).toEqual(['POST', 'POST', 'GET', 'POST', 'GET']);

  await panel(page)
    .getByRole('listitem')
    .getByRole('link', { name: 'Turn 4, White: winning chances 30% instead of 80%. Better: i11-i7, end' })
    .click();
  await expect(page).toHaveURL(/#4\.\d$/);
  await expect(status(page)).toContainText('White’s winning chances: 50% before, 30% after.');
  await expect(status(page)).toContainText('Better: i11-i7, end (80% instead of 30%)');
  await expect(graph(page)).toHaveAttribute(
    'aria-valuetext',
    'Turn 4, White, Black 70%, winning chances down 50 points',
  );
});

for (const [size, viewport] of Object.entries({ desktop: DESKTOP, phone: PHONE })) {
  test(`a review fits and is accessible: ${size}`, async ({ visitor }) => {
    const id = await finished(visitor);
    const page = await visitor({ viewport, locale: 'fr-FR' });
    await page.goto(`/replay/${id}#4`);
    await openTab(page, /^(Review|Bilan)$/);
    await isAccessible(page, 'before');
    await panel(page).getByRole('button', { name: 'Faire le bilan de la partie' }).click();
    await expect(graph(page)).toBeVisible();
    await panel(page).getByText('Tableau de tous les tours').click();
    await isAccessible(page, 'a review');
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(wide).toBeLessThanOrEqual(0);
  });
}
