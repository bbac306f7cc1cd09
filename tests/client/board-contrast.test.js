import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

// The styles for more contrast and for the system's own colours are tested elsewhere.
const plain = ['board', 'pieces', 'marks']
  .map((name) => readFileSync(new URL(`../../static/style/${name}.css`, import.meta.url), 'utf8'))
  .join('\n');

const COLOUR = '#[0-9a-f]{3,6}';

/** The value of a property in a rule, by theme. */
function colourOf(selector, property) {
  const at = plain.indexOf(`${selector} {`);
  const block = plain.slice(at, plain.indexOf('}', at));
  const both = new RegExp(`${property}: light-dark\\((${COLOUR}), (${COLOUR})\\)`).exec(block);
  if (both) return { light: both[1], dark: both[2] };
  const one = new RegExp(`${property}: (${COLOUR});`).exec(block);
  assert.ok(at >= 0 && one, `${selector} has no ${property}`);
  return { light: one[1], dark: one[1] };
}

/** The relative luminance of WCAG 2. */
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

const board = (name) => colourOf('.board', `--board-${name}`);
const body = (colour) => colourOf(`.piece-${colour}-middle`, 'stop-color');
const piece = (colour, name) => colourOf(`.piece-${colour}`, `--piece-${name}`);
const tones = [0, 1, 2].map((tone) => board(`tone-${tone}`));
const colours = ['black', 'white', 'red', 'blue'];

for (const theme of ['light', 'dark']) {
  /** Checks that at least one of some foreground colours, as of an edge and its inside, stands out from each
   * background. */
  const stands = (what, fronts, grounds, wanted) => {
    for (const ground of grounds) {
      const found = Math.max(...fronts.map((front) => contrast(front[theme], ground[theme])));
      assert.ok(found >= wanted, `${what} on ${ground[theme]}: ${found.toFixed(2)} < ${wanted}`);
    }
  };

  test(`${theme}: marks have 3:1 on every tone of the field (WCAG 1.4.11)`, () => {
    for (const name of ['pick', 'dot', 'last', 'notch', 'arrow', 'arrow-other'])
      stands(name, [board(name)], tones, 3);
    stands('threat', [board('threat'), board('threat-halo')], tones, 3);
  });

  test(`${theme}: every piece has 3:1 on every tone, by its body or by its edge`, () => {
    for (const colour of colours) stands(colour, [body(colour), piece(colour, 'edge')], tones, 3);
  });

  test(`${theme}: the two sides differ by lightness, whatever the colour`, () => {
    stands('black and white', [body('black')], [body('white')], 3);
    stands('red and blue', [body('red')], [body('blue')], 3);
  });

  test(`${theme}: signs and rims on pieces have 3:1, heights and counts 4.5:1 (WCAG 1.4.3)`, () => {
    for (const colour of ['red', 'blue'])
      stands(`sign of ${colour}`, [piece(colour, 'sign')], [body(colour)], 3);
    for (const colour of ['black', 'white'])
      stands(`height on ${colour}`, [piece(colour, 'cut')], [body(colour)], 4.5);
    stands('count', [board('pick-rim')], [board('dot')], 4.5);
    stands('step', [colourOf('.board-badges text', 'fill')], [colourOf('.board-badges circle', 'fill')], 4.5);
  });
}
