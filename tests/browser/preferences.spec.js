// Preferences on a device, and the immediate effect of each.

import {
  GAME,
  PHONE,
  YOUR_TURN,
  begin,
  cell,
  confirm,
  expect,
  isAccessible,
  movable,
  move,
  test,
} from './towers.js';

const field = (page, name) => {
  const dialog = page.getByRole('dialog');
  return dialog
    .getByRole('combobox', { name, exact: true })
    .or(dialog.getByRole('switch', { name, exact: true }));
};

/** Chooses preferences in the dialog, switches by true and false, and closes it. */
async function choose(page, choices) {
  await page.getByRole('button', { name: 'Preferences' }).click();
  for (const [name, value] of Object.entries(choices)) {
    if (typeof value === 'boolean') await field(page, name).setChecked(value);
    else await field(page, name).selectOption(value);
  }
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
}

const turnsOf = async (page, id) => {
  const { events } = await (await page.request.get(`/api/v1/games/${id}`)).json();
  return events.filter(({ type }) => type === 'turn_played').length;
};

test('by default a turn of one move is sent at once, and one of several is confirmed', async ({
  visitor,
}) => {
  const [black, white] = [await visitor({ confirms: 'several' }), await visitor({ confirms: 'several' })];
  const id = await begin(black, white);
  await Promise.all([black, white].map((page) => page.goto(`/game/${id}`)));
  const unsent = black.locator('#actions .confirm');
  await expect(unsent).toHaveText('Will be sent when you move');
  await expect(unsent.locator('svg'), 'nothing that looks like a turn that was sent').toHaveCount(0);
  await expect(unsent, 'a state, and no button').toHaveCSS('border-style', 'none');
  await expect(unsent).toHaveRole('paragraph');
  await move(black, GAME.turns[0]);
  await expect(white.getByRole('heading', { name: YOUR_TURN })).toBeVisible();
  await expect(white.locator('#actions .confirm')).toHaveText('Confirm turn');
  await move(white, GAME.turns[1]);
  await expect(white.getByText('All moves made: confirm the turn.').first()).toBeVisible();
  expect(await turnsOf(white, id)).toBe(1);
  await confirm(white);
  expect(await turnsOf(white, id)).toBe(2);
});

test('a turn of one move that is taken back in time is not sent, and every turn is confirmed if that is preferred', async ({
  visitor,
}) => {
  const [black, white] = [await visitor({ confirms: 'several' }), await visitor({ confirms: 'several' })];
  const id = await begin(black, white);
  await black.goto(`/game/${id}`);
  await choose(black, { 'Confirm before sending': 'every turn' });
  await expect(black.locator('#actions .confirm')).toHaveText('Confirm turn');
  await move(black, GAME.turns[0]);
  await expect(black.getByText('All moves made: confirm the turn.').first()).toBeVisible();
  await black.reload();
  await expect(black.getByText('All moves made: confirm the turn.').first()).toBeVisible();
  await choose(black, { 'Confirm before sending': 'no turn' });
  await expect(black.getByText('All moves made: confirm the turn.').first()).toBeVisible();
  expect(await turnsOf(black, id), 'what lies there already is not sent by a preference').toBe(0);
  await black.getByRole('button', { name: 'Undo' }).click();
  await move(black, GAME.turns[0]);
  await white.goto(`/game/${id}`);
  await expect(white.getByRole('heading', { name: YOUR_TURN })).toBeVisible();
  await choose(white, { 'Confirm before sending': 'no turn' });
  const button = white.locator('#actions .confirm');
  await expect(button).toHaveText('Will be sent with your last move');
  await move(white, GAME.turns[1].slice(0, 1));
  await expect(button, 'the turn may end here').toHaveText('End turn (1 move left)');
  await expect(button).toHaveAttribute('aria-disabled', 'false');
  await move(white, GAME.turns[1].slice(1));
  await expect(black.getByRole('heading', { name: YOUR_TURN })).toBeVisible();
  expect(await turnsOf(black, id)).toBe(2);
});

test('looks of boards, pieces and pages change at once and stay', async ({ visitor }) => {
  const [black, white] = [await visitor(), await visitor()];
  const id = await begin(black, white, { turns: 2 });
  await black.goto(`/game/${id}`);
  await expect(movable(black)).not.toHaveCount(0);
  const tone = () => black.locator('#board .board-tone-0').evaluate((path) => getComputedStyle(path).fill);
  const art = black.locator('.board-art');
  await expect(art).toBeVisible();
  const wood = await tone();
  await choose(black, { Board: 'slate' });
  await expect(art).toBeHidden();
  const slate = await tone();
  await choose(black, { Board: 'print' });
  const print = await tone();
  expect(new Set([wood, slate, print]).size, `${wood} ${slate} ${print}`).toBe(3);

  const edge = () =>
    black
      .locator('.piece-black .piece-body')
      .first()
      .evaluate((path) => getComputedStyle(path).stroke);
  const before = await edge();
  await choose(black, { Pieces: 'high contrast' });
  expect(await edge()).not.toBe(before);

  await expect(black.locator('.board-labels')).toBeVisible();
  await choose(black, { Coordinates: false });
  await expect(black.locator('.board-labels')).toBeHidden();
  await isAccessible(black, 'another look');

  await choose(black, { 'Only the board': true });
  for (const part of ['#top', '#turns', '#tools', '#chat']) await expect(black.locator(part)).toBeHidden();
  for (const part of ['#board', '#bar-top', '#bar-bottom', '#actions', '#strip'])
    await expect(black.locator(part)).toBeVisible();
  await isAccessible(black, 'only the board');
  await black.reload();
  await expect(movable(black)).not.toHaveCount(0);
  await expect(black.locator('.board-labels'), 'it is kept').toBeHidden();
  await expect(black.locator('#top')).toBeHidden();
  await black.getByRole('button', { name: 'Show everything' }).click();
  await expect(black.locator('#top')).toBeVisible();
});

test('what hides all but the board hides nothing on pages without one, nor the arrows of hints', async ({
  visitor,
}) => {
  const page = await visitor();
  await page.addInitScript(() => localStorage.setItem('preference zen', 'on'));
  await page.goto('/analysis');
  await expect(page.getByRole('button', { name: 'Show everything' })).toBeVisible();
  await expect(page.locator('#top')).toBeHidden();
  await expect(page.locator('.mark.hint-best')).toHaveCSS('display', 'inline');
  for (const address of ['/', '/learn', '/games', '/rules/fenix']) {
    await page.goto(address);
    await expect(page.locator('#top[data-begun]'), address).toBeVisible();
    await expect(page.locator('html')).toHaveAttribute('data-zen', 'on');
  }
});

test('pieces jump where no motion is wanted, and glide where it is', async ({ visitor }) => {
  const [black, white] = [await visitor(), await visitor()];
  const id = await begin(black, white, { turns: 2 });
  await black.goto(`/game/${id}`);
  const [from, to] = GAME.turns[2][0].split('-');

  /** Moves a piece, and gives all places where it was seen until it rests at its end; null for where it ends. */
  const seen = async (motion, end) => {
    await choose(black, { Motion: motion });
    await expect(cell(black, from)).toHaveAttribute('aria-selected');
    await black.evaluate((wanted) => {
      globalThis.places = [];
      const svg = document.querySelector('.board-live');
      globalThis.rest = new Promise((resolve) => {
        new MutationObserver((changes, self) => {
          for (const { target } of changes)
            if (target.classList.contains('piece')) globalThis.places.push(target.getAttribute('transform'));
          if (wanted === null || !globalThis.places.includes(wanted)) return;
          self.disconnect();
          resolve();
        }).observe(svg, { attributes: true, attributeFilter: ['transform'], subtree: true });
      });
    }, end);
    await move(black, [`${from}-${to}`]);
    if (end !== null) await black.evaluate(() => globalThis.rest);
    return new Set(await black.evaluate(() => globalThis.places));
  };
  const atOnce = await seen('none', null);
  expect(atOnce.size, 'it is where it goes at once').toBe(1);
  await black.getByRole('button', { name: 'Undo' }).click();
  await expect(cell(black, to)).not.toHaveAccessibleName(/of this turn/);
  const glides = await seen('normal', [...atOnce][0]);
  expect(glides.size, 'it is seen on its way').toBeGreaterThan(2);
});

test('the volume is the one that is preferred, and keys can be switched off', async ({ visitor }) => {
  const [black, white] = [await visitor(), await visitor()];
  await black.addInitScript(() => {
    globalThis.gains = [];
    const { createGain } = AudioContext.prototype;
    AudioContext.prototype.createGain = function () {
      const node = createGain.call(this);
      globalThis.gains.push(node);
      return node;
    };
  });
  const id = await begin(black, white, { turns: 2 });
  await black.goto(`/game/${id}`);
  await expect(movable(black)).not.toHaveCount(0);
  const volume = async (name, above) => {
    // Two presses in a row could be one burst, of which the second is not heard.
    await black.getByRole('button', { name: 'Mute' }).click();
    await choose(black, { Volume: name });
    await black.getByRole('button', { name: 'Mute' }).click();
    // The script of the tones is loaded at the first of them, and the volume is another one only then.
    const louder = (above) => globalThis.gains[0]?.gain.value > above && globalThis.gains[0].gain.value;
    return (await black.waitForFunction(louder, above)).jsonValue();
  };
  const quiet = await volume('quiet', 0);
  const normal = await volume('normal', quiet);
  expect(await volume('loud', normal)).toBeGreaterThan(normal);

  const focused = () => black.evaluate(() => document.activeElement.getAttribute('aria-label'));
  const start = black.locator('[role="gridcell"][tabindex="0"]');
  await start.focus();
  const name = await focused();
  await black.keyboard.press('n');
  expect(await focused(), 'N goes to the next piece').not.toBe(name);
  await choose(black, { 'Letter keys act on the board': false });
  await start.focus();
  const now = await focused();
  await black.keyboard.press('n');
  await black.keyboard.press('?');
  expect(await focused()).toBe(now);
  await expect(black.getByRole('dialog')).toHaveCount(0);
  await black.keyboard.press('ArrowLeft');
  expect(await focused()).not.toBe(now);
});

test('in French on a phone the preferences are reached by keys and by the header, also in a replay', async ({
  visitor,
}) => {
  const [black, white] = [await visitor({ locale: 'fr-FR', viewport: PHONE }), await visitor()];
  const id = await begin(black, white, { turns: 2 });
  await black.goto(`/replay/${id}`);
  await black.locator('[role="gridcell"][tabindex="0"]').focus();
  await black.keyboard.press('p');
  await expect(black.getByRole('dialog', { name: 'Préférences' })).toBeVisible();
  await isAccessible(black, 'the preferences');
  await black.keyboard.press('Escape');
  await black.keyboard.press('f');
  await expect(black.locator('#tabs')).toBeHidden();
  await black.keyboard.press('f');
  await expect(black.locator('#tabs')).toBeVisible();
});

test('a board has coordinates, on a phone too; without them the cell at hand shows its name', async ({
  visitor,
}) => {
  const page = await visitor({ viewport: PHONE });
  await page.goto('/analysis');
  const [labels, name] = [page.locator('.board-labels'), page.locator('.board-name').last()];
  await expect(cell(page, 'c4')).toBeVisible();
  await expect(labels).toBeVisible();
  const width = await page
    .locator('.board-cell')
    .first()
    .evaluate((one) => one.getBoundingClientRect().width);
  await cell(page, 'e5').hover();
  await expect(name).toHaveText('e5');
  await expect(name).toBeHidden();
  await choose(page, { Coordinates: false });
  await expect(labels).toBeHidden();
  expect(
    await page
      .locator('.board-cell')
      .first()
      .evaluate((one) => one.getBoundingClientRect().width),
    'they take nothing from the cells',
  ).toBe(width);
  await cell(page, 'c4').hover();
  await expect(name).toHaveText('c4');
  await expect(name).toBeVisible();
  await page.locator('[role="gridcell"][tabindex="0"]').focus();
  await page.keyboard.press('Home');
  await expect(name).toHaveText(/^a\d+$/);
  await page.reload();
  await expect(cell(page, 'c4')).toBeVisible();
  await expect(labels, 'it is kept').toBeHidden();
  await choose(page, { Coordinates: true });
  await expect(labels).toBeVisible();
});

for (const address of ['/games', '/inbox', '/no/such/page']) {
  test(`the looks are chosen on ${address}, where the board in the dialog shows them`, async ({
    visitor,
  }) => {
    const page = await visitor();
    await page.goto(address);
    await page.getByRole('button', { name: 'Preferences' }).click();
    const dialog = page.getByRole('dialog');
    const ground = () => dialog.evaluate((element) => getComputedStyle(element).backgroundColor);
    const tone = () =>
      dialog
        .locator('.small-board')
        .evaluate((board) => getComputedStyle(board).getPropertyValue('--board-tone-0'));
    const light = await ground();
    const wood = await tone();
    expect(wood, 'its cells are not black').not.toBe('');
    for (const pictures of await page.locator('.board-pictures').all())
      await expect(pictures, 'they take no room').toHaveCSS('position', 'absolute');
    await field(page, 'Theme').selectOption('dark');
    expect(await ground()).not.toBe(light);
    await field(page, 'Board').selectOption('slate');
    expect(await tone()).not.toBe(wood);
    await page.reload();
    await expect(page.locator('html'), 'they are kept').toHaveAttribute('data-board', 'slate');
    await page.goto('/rules/fenix');
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  });
}

test('the header shows the name of the visitor on every page, and changes it', async ({ visitor }) => {
  const page = await visitor();
  await page.goto('/learn');
  const me = page.locator('#top .visitor');
  await expect(me).toHaveAccessibleName('You: Guest');
  await me.click();
  const name = page.getByRole('dialog').getByLabel('Your name');
  await expect(name).toHaveValue(/^Guest \d+$/);
  await name.fill('Ada');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(me).toHaveAccessibleName('You: Ada (guest)');
  await page.goto('/rules/focus');
  await expect(me, 'no request is needed for it').toHaveAccessibleName('You: Ada (guest)');
  await me.click();
  await page.getByText('Leave this device').click();
  await page.getByRole('button', { name: 'Forget me here' }).click();
  await expect(me).toHaveAccessibleName('You: Guest');
});

test('the site is installed from the preferences where the browser offers it, until it is', async ({
  visitor,
}) => {
  const page = await visitor();
  await page.goto('/learn');
  await expect(page.locator('#top[data-begun]')).toBeAttached();
  const install = page.getByRole('dialog').getByRole('button', { name: 'Install the app' });
  const open = async () => {
    await page.getByRole('button', { name: 'Preferences' }).click();
    await expect(field(page, 'Theme')).toBeVisible();
  };
  /** Makes the offer as the browser does. */
  const offer = () =>
    page.evaluate(() => {
      const event = new Event('beforeinstallprompt', { cancelable: true });
      event.prompt = async () => {
        window.prompts = (window.prompts ?? 0) + 1;
      };
      dispatchEvent(event);
      return event.defaultPrevented;
    });
  await open();
  await expect(install).toHaveCount(0);
  await page.keyboard.press('Escape');

  expect(await offer(), 'the browser shows no banner of its own').toBe(true);
  await open();
  await install.click();
  expect(await page.evaluate(() => window.prompts)).toBe(1);
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await open();
  await expect(install, 'an offer can be taken once').toHaveCount(0);
  await page.keyboard.press('Escape');

  await offer();
  await page.evaluate(() => dispatchEvent(new Event('appinstalled')));
  await open();
  await expect(install).toHaveCount(0);
});
