import {
  DESKTOP,
  GAME,
  PHONE,
  YOUR_TURN,
  begin,
  expect,
  isAccessible,
  openComputer,
  openPools,
  openRoom,
  pick,
  test,
} from './towers.js';

/** Each pair of a size, a colour scheme and a language comes once. */
const LOOKS = [
  { size: 'phone', colorScheme: 'light', language: 'en' },
  { size: 'phone', colorScheme: 'dark', language: 'fr' },
  { size: 'desktop', colorScheme: 'light', language: 'fr' },
  { size: 'desktop', colorScheme: 'dark', language: 'en' },
];
const SIZES = { phone: PHONE, desktop: DESKTOP };
const LOCALES = { en: 'en-GB', fr: 'fr-FR' };

for (const { size, colorScheme, language } of LOOKS) {
  test(`axe finds nothing: ${size}, ${colorScheme}, ${language}`, async ({ visitor }) => {
    const look = {
      viewport: SIZES[size],
      colorScheme,
      locale: LOCALES[language],
      reducedMotion: 'reduce',
    };
    const [black, white] = [await visitor(look), await visitor(look)];
    const running = await begin(black, white, { turns: 2 });
    const over = await begin(black, white, { turns: GAME.turns.length });

    await black.goto('/');
    await expect(black.locator('html')).toHaveAttribute('lang', language);
    await expect(black.getByRole('link', { name: 'Fibonacci' }).first()).toBeVisible();
    await isAccessible(black, 'the lobby');
    await openRoom(black);
    await isAccessible(black, 'the dialog that makes a room');
    await black.keyboard.press('Escape');
    await openComputer(black);
    await isAccessible(black, 'the dialog of a game against the computer');
    await black.keyboard.press('Escape');
    await openPools(black);
    await black.locator('.pool').first().click();
    await expect(black.locator('.search-chip')).toBeVisible();
    await isAccessible(black, 'the dialog that finds an opponent');
    await black.keyboard.press('Escape');
    await isAccessible(black, 'a search under way');
    await black.locator('.search-chip button').click();

    await black.goto(`/game/${running}`);
    await expect(black.getByRole('heading', { name: YOUR_TURN })).toBeVisible();
    await pick(black, GAME.turns[2][0].split('-')[0]);
    await isAccessible(black, 'my turn, a piece picked');
    await white.goto(`/game/${running}`);
    await expect(white.getByRole('grid')).toBeVisible();
    await isAccessible(white, "the other side's turn");

    await black.goto(`/game/${over}`);
    await expect(black.getByRole('link', { name: /^(Review|Bilan)/ })).toBeVisible();
    // A row that the edge of the list cuts is one scroll away, and no small target.
    if (size === 'desktop') await black.setViewportSize({ ...DESKTOP, height: 1200 });
    await isAccessible(black, 'the result');
    await black.setViewportSize(SIZES[size]);
    await black.goto(`/replay/${over}#5.3`);
    await expect(black.getByRole('grid')).toBeVisible();
    await isAccessible(black, 'the replay');
    await black.goto('/no/such/page');
    await expect(black.getByRole('navigation').first()).toBeVisible();
    await isAccessible(black, 'an address without a page');
    for (const ruleset of ['fibonacci', 'fibonacci-mixed']) {
      await black.goto(`/rules/${ruleset}`);
      await expect(black.getByRole('heading', { level: 1 })).toBeVisible();
      await isAccessible(black, `the rules of ${ruleset}`);
    }
  });
}
