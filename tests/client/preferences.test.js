import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { isSentAtOnce } from '../../static/session/confirming.js';
import { NAMES, PREFERENCES, preferencesFrom } from '../../static/ui/preference-values.js';

const css = readFileSync(new URL('../../static/style/preferences.css', import.meta.url), 'utf8');
const board = ['board', 'pieces']
  .map((name) => readFileSync(new URL(`../../static/style/${name}.css`, import.meta.url), 'utf8'))
  .join('\n');

const turn = (allowance) => ({ allowance: allowance === null ? null : { allowance } });
const LIVE = { kind: 'real_time', base_s: 300, bonus_s: 5, bonus: 'per_turn' };
const DAYS = { kind: 'correspondence', days: 3 };
const BANK = { kind: 'bank', base_days: 10, bonus_hours: 36 };

test('by default a turn of one move is sent at once, and a turn of several is confirmed', () => {
  assert.ok(isSentAtOnce('several', LIVE, turn(1)));
  assert.ok(isSentAtOnce('several', LIVE, turn(null)), 'a game whose turns are one action');
  assert.ok(isSentAtOnce('several', { kind: 'none' }, turn(1)));
  assert.ok(!isSentAtOnce('several', LIVE, turn(2)));
});

test('by default every turn of a game of days is confirmed', () => {
  for (const clock of [DAYS, BANK])
    for (const allowance of [null, 1, 4]) assert.ok(!isSentAtOnce('several', clock, turn(allowance)));
});

test('the preferences always and never hold with every clock', () => {
  for (const clock of [LIVE, DAYS, BANK, { kind: 'none' }])
    for (const allowance of [null, 1, 4]) {
      assert.ok(!isSentAtOnce('always', clock, turn(allowance)));
      assert.ok(isSentAtOnce('never', clock, turn(allowance)));
    }
});

test('stored preferences are read back, and unknown values fall back to the default', () => {
  const usual = preferencesFrom(() => null);
  for (const name of NAMES) assert.equal(usual[name], PREFERENCES[name][0]);
  const stored = { confirm: 'never', board: 'marble', motion: 'fast' };
  const read = preferencesFrom((name) => stored[name] ?? null);
  assert.deepEqual([read.confirm, read.board, read.motion, read.keys], ['never', 'wood', 'fast', 'on']);
});

// --- Contrast of the boards that can be chosen (WCAG 1.4.11) ---

const COLOUR = '#[0-9a-f]{3,6}';

/** The custom properties of a block, by theme. */
function colours(text, selector) {
  const at = text.indexOf(`${selector} {`);
  assert.ok(at >= 0, selector);
  const block = text.slice(at, text.indexOf('}', at));
  const found = {};
  for (const [, name, value] of block.matchAll(/(--[\w-]+|stop-color): ([^;]+);/g)) {
    const both = new RegExp(`^light-dark\\((${COLOUR}), (${COLOUR})\\)$`).exec(value);
    if (both) found[name] = { light: both[1], dark: both[2] };
    else if (new RegExp(`^${COLOUR}$`).test(value)) found[name] = { light: value, dark: value };
  }
  return found;
}

function luminance(hex) {
  const full = hex.length === 4 ? hex.replace(/[^#]/g, '$&$&') : hex;
  const [r, g, b] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(full.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
function contrast(a, b) {
  const [light, dark] = [luminance(a), luminance(b)].toSorted((x, y) => y - x);
  return (light + 0.05) / (dark + 0.05);
}

const usual = colours(board, '.board');
const LOOKS = {
  slate: ['light', 'dark'],
  // Paper is paper in the dark too: its styles are those of the light scheme.
  print: ['light'],
};

for (const [look, themes] of Object.entries(LOOKS)) {
  const own = { ...usual, ...colours(css, `:root[data-board='${look}'] .board:not(.board-diagram)`) };
  for (const theme of themes) {
    const tones = [0, 1, 2].map((tone) => own[`--board-tone-${tone}`][theme]);
    const stands = (what, fronts, wanted) => {
      for (const tone of tones) {
        const found = Math.max(...fronts.map((front) => contrast(front, tone)));
        assert.ok(found >= wanted, `${what} on ${tone}: ${found.toFixed(2)} < ${wanted}`);
      }
    };

    test(`${look}, ${theme}: marks have 3:1 on every tone, coordinates 4.5:1 on the tablet`, () => {
      for (const name of ['pick', 'dot', 'last', 'notch', 'arrow', 'arrow-other'])
        stands(name, [own[`--board-${name}`][theme]], 3);
      stands('threat', [own['--board-threat'][theme], own['--board-threat-halo'][theme]], 3);
      const label = contrast(own['--board-label'][theme], own['--board-tablet'][theme]);
      assert.ok(label >= 4.5, `labels: ${label.toFixed(2)}`);
    });

    test(`${look}, ${theme}: every piece has 3:1 on every tone, by its body or by its edge`, () => {
      for (const colour of ['black', 'white', 'red', 'blue']) {
        const body = colours(board, `.piece-${colour}-middle`)['stop-color'][theme];
        const edge = colours(board, `.piece-${colour}`)['--piece-edge'][theme];
        stands(colour, [body, edge], 3);
      }
    });
  }
}

test('pieces of high contrast: 9:1 between the sides, and by edge or body 3:1 on each board', () => {
  const bodyOf = (colour) => {
    const rule = new RegExp(`\\.piece-${colour}-dark\\) \\{\\s+stop-color: (${COLOUR});`).exec(css);
    return rule[1];
  };
  assert.ok(contrast(bodyOf('black'), bodyOf('white')) >= 9);
  assert.ok(contrast(bodyOf('red'), bodyOf('blue')) >= 9);
  for (const [look, themes] of Object.entries({ wood: ['light', 'dark'], ...LOOKS })) {
    const own =
      look === 'wood'
        ? usual
        : { ...usual, ...colours(css, `:root[data-board='${look}'] .board:not(.board-diagram)`) };
    for (const theme of themes)
      for (const colour of ['black', 'white', 'red', 'blue']) {
        const edge = colours(css, ":root[data-pieces='contrast']")[`--edge-${colour}`].light;
        for (const tone of [0, 1, 2].map((n) => own[`--board-tone-${n}`][theme])) {
          const found = Math.max(contrast(bodyOf(colour), tone), contrast(edge, tone));
          assert.ok(found >= 3, `${colour} on ${look} ${theme} ${tone}: ${found.toFixed(2)}`);
        }
      }
  }
});
