import assert from 'node:assert/strict';
import { test } from 'node:test';

import { createBursts } from '../../static/ui/bursts.js';

test('of fifty turns that are read at once, one call and one step are heard', () => {
  const isHeard = createBursts();
  const heard = Array.from({ length: 50 }, (_, index) =>
    ['turn', 'move'].filter((sound) => isHeard(sound, 20 * index)),
  );
  assert.deepEqual(heard.flat(), ['turn', 'move']);
});

test('the steps of a turn are all heard, and so is a capture at its end', () => {
  const isHeard = createBursts();
  assert.deepEqual(
    [0, 200, 400].map((ms) => isHeard('move', ms)),
    [true, true, true],
  );
  assert.equal(isHeard('capture', 400), true);
  assert.equal(isHeard('turn', 400), true);
  assert.equal(isHeard('turn', 1_500), true);
});
