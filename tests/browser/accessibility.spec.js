import AxeBuilder from '@axe-core/playwright';
import { DESKTOP, GAME, PHONE, YOUR_TURN, begin, expect, pick, test } from './towers.js';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

const SIZES = { phone: PHONE, desktop: DESKTOP };
const LOCALES = { en: 'en-GB', fr: 'fr-FR' };

async function isAccessible(page, what) {
  const { violations, incomplete } = await new AxeBuilder({ page }).withTags(TAGS).analyze();
  const doubts = incomplete.filter(({ id }) => id === 'target-size');
  const found = [...violations, ...doubts].map(({ id, nodes }) => ({
    id,
    nodes: nodes.map(({ html }) => html),
  }));
  expect(found, what).toEqual([]);
}

for (const [size, viewport] of Object.entries(SIZES)) {
  for (const colorScheme of ['light', 'dark']) {
    for (const [language, locale] of Object.entries(LOCALES)) {
      test(`axe finds nothing: ${size}, ${colorScheme}, ${language}`, async ({ visitor }) => {
        const look = { viewport, colorScheme, locale, reducedMotion: 'reduce' };
        const [black, white] = [await visitor(look), await visitor(look)];
        const running = await begin(black, white, { turns: 2 });
        const over = await begin(black, white, { turns: GAME.turns.length });

        await black.goto('/');
        await expect(black.locator('html')).toHaveAttribute('lang', language);
        await expect(black.getByRole('link', { name: 'Fibonacci' }).first()).toBeVisible();
        await isAccessible(black, 'the lobby');
        await black
          .getByRole('button', { name: /^(Create a room|Créer une partie|Créer une table)/ })
          .click();
        await isAccessible(black, 'the dialog that makes a room');

        await black.goto(`/game/${running}`);
        await expect(black.getByRole('heading', { name: YOUR_TURN })).toBeVisible();
        await pick(black, GAME.turns[2][0].split('-')[0]);
        await isAccessible(black, 'my turn, a piece picked');
        await white.goto(`/game/${running}`);
        await expect(white.getByRole('grid')).toBeVisible();
        await isAccessible(white, "the other side's turn");

        await black.goto(`/game/${over}`);
        await expect(black.getByRole('link', { name: /^(Replay|Revoir)/ })).toBeVisible();
        await isAccessible(black, 'the result');
        await black.goto(`/replay/${over}#5.3`);
        await expect(black.getByRole('grid')).toBeVisible();
        await isAccessible(black, 'the replay');
        for (const ruleset of ['fibonacci', 'fibonacci-mixed']) {
          await black.goto(`/rules/${ruleset}`);
          await expect(black.getByRole('heading', { level: 1 })).toBeVisible();
          await isAccessible(black, `the rules of ${ruleset}`);
        }
      });
    }
  }
}
