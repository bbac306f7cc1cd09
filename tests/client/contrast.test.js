import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';

const css = readFileSync(new URL('../../static/style/tokens.css', import.meta.url), 'utf8');
// The styles for more contrast and for the system's own colours are tested elsewhere.
const plain = css.slice(0, css.indexOf('@media (prefers-contrast'));
const tokens = Object.fromEntries(
  [...plain.matchAll(/--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);/g)].map(
    ([, name, light, dark]) => [name, { light, dark }],
  ),
);

/** The relative luminance of WCAG 2. */
function luminance(hex) {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a, b) {
  const [light, dark] = [luminance(a), luminance(b)].toSorted((x, y) => y - x);
  return (light + 0.05) / (dark + 0.05);
}

const grounds = ['paper', 'paper-far', 'panel'];
const pairs = [
  ...['ink', 'ink-2', 'accent', 'threat'].flatMap((text) => grounds.map((ground) => [text, ground, 4.5])),
  ...['edge', 'red-piece', 'blue-piece'].flatMap((mark) => grounds.map((ground) => [mark, ground, 3])),
  ['on-accent', 'accent', 4.5],
  ['on-threat', 'threat', 4.5],
  ['ink', 'accent-tint', 4.5],
  ['ink-2', 'accent-tint', 4.5],
  ['ink', 'last-tint', 4.5],
  ['last', 'last-tint', 4.5],
  ['ink', 'threat-tint', 4.5],
];

for (const theme of ['light', 'dark']) {
  test(`${theme}: text has 4.5:1 and edges have 3:1 on all that they lie on (WCAG 1.4.3, 1.4.11)`, () => {
    for (const [front, back, wanted] of pairs) {
      const found = contrast(tokens[front][theme], tokens[back][theme]);
      assert.ok(found >= wanted, `${front} on ${back}: ${found.toFixed(2)} < ${wanted}`);
    }
  });
}

test('the pattern of seeds is behind boards, and so behind no words', () => {
  const style = new URL('../../static/style/', import.meta.url);
  const rules = readdirSync(style)
    .filter((file) => file.endsWith('.css'))
    .flatMap((file) => [...readFileSync(new URL(file, style), 'utf8').matchAll(/([^{}]+)\{([^{}]*)\}/g)])
    .filter(([, , declarations]) => declarations.includes('var(--seeds)'));
  assert.equal(rules.length, 1);
  for (const [, selector] of rules) assert.match(selector, /\.board-art::before\s*$/);
});
