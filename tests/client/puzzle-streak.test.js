import assert from 'node:assert/strict';
import { test } from 'node:test';

import { dayOf, daysOn, solvedOn } from '../../static/puzzle/streak.js';

const NONE = { last: 0, days: 0, best: 0 };
const after = (...days) => days.reduce(solvedOn, NONE);

test('a day ends at midnight UTC, as that of the puzzle of the day does', () => {
  assert.equal(dayOf(Date.UTC(2026, 10, 23, 23, 59)) + 1, dayOf(Date.UTC(2026, 10, 24)));
});

test('days in a row count, and a day counts once', () => {
  assert.deepEqual(after(100), { last: 100, days: 1, best: 1 });
  assert.deepEqual(after(100, 101, 101, 102), { last: 102, days: 3, best: 3 });
});

test('a missed day begins a new row, and the best one is kept', () => {
  assert.deepEqual(after(100, 101, 103), { last: 103, days: 1, best: 2 });
});

test('a row holds through the next day and ends with it', () => {
  const streak = after(100, 101);
  assert.deepEqual(
    [101, 102, 103].map((day) => daysOn(streak, day)),
    [2, 2, 0],
  );
});

test('the puzzle of an earlier day, solved late, changes nothing', () => {
  assert.deepEqual(after(100, 101, 100), { last: 101, days: 2, best: 2 });
});
