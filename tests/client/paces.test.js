import assert from 'node:assert/strict';
import { test } from 'node:test';

import { LONGEST_MS, PACES, isCut, readingMs, waitMs } from '../../static/playback/paces.js';

test('at the original pace a turn takes what it took, divided among its actions', () => {
  assert.equal(waitMs('original', { tookMs: 6_000, actions: 3 }), 2_000);
  assert.equal(waitMs('original', { tookMs: 9_000, actions: 1 }), 9_000);
});

test('long thinking times are shortened, and marked so', () => {
  const long = { tookMs: 10 * LONGEST_MS, actions: 2 };
  assert.equal(waitMs('original', long), LONGEST_MS / 2);
  assert.equal(isCut(long.tookMs), true);
  assert.equal(isCut(LONGEST_MS), false);
});

test('a turn that took no time is still visible', () => {
  assert.ok(waitMs('original', { tookMs: 0, actions: 6 }) >= 300);
});

test('a fixed pace is the same for all, faster paces being faster', () => {
  const fixed = PACES.filter((pace) => pace !== 'original');
  const waits = fixed.map((pace) => waitMs(pace, { tookMs: 99_000, actions: 1 }));
  assert.deepEqual(
    waits,
    fixed.map((pace) => waitMs(pace, { tookMs: 0, actions: 6 })),
  );
  assert.deepEqual(
    waits,
    waits.toSorted((a, b) => b - a),
  );
});

test('a longer text is read for longer, and at a faster pace for less', () => {
  assert.equal(readingMs('even', ''), 0);
  assert.ok(readingMs('even', 'Two words.') < readingMs('even', 'Two words, and some more.'));
  const text = 'A sentence of the usual length, which says what is to be seen.';
  const times = PACES.filter((pace) => pace !== 'original').map((pace) => readingMs(pace, text));
  assert.deepEqual(
    times,
    times.toSorted((a, b) => b - a),
  );
  assert.equal(readingMs('original', text), readingMs('even', text));
});
