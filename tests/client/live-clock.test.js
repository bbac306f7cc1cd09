import assert from 'node:assert/strict';
import { test } from 'node:test';

import {
  changesInMs,
  freeSeconds,
  readingsOf,
  timeText,
  warningOf,
  wholeText,
} from '../../static/session/clock.js';

const HOUR = 3_600_000;
const clock = { first_ms: 90_000, second_ms: 5_000, running: 'second', free_ms: 0 };

test('only the running clock goes down, and it stops at zero: the server decides what that means', () => {
  const { first, second } = readingsOf(clock, 1_250);
  assert.deepEqual(first, { leftMs: 90_000, freeMs: 0, isRunning: false });
  assert.deepEqual(second, { leftMs: 3_750, freeMs: 0, isRunning: true });
  assert.equal(readingsOf(clock, 60_000).second.leftMs, 0);
  assert.equal(readingsOf(clock, 60_000).second.isRunning, true);
});

test('a clock without a running side stands still', () => {
  const { first, second } = readingsOf({ ...clock, running: null, free_ms: 2_000 }, 60_000);
  assert.deepEqual([first.leftMs, second.leftMs], [90_000, 5_000]);
  assert.ok(!first.isRunning && !second.isRunning);
  assert.equal(second.freeMs, 0, 'nobody’s delay goes by');
});

test('a delay goes by before the time of the side does', () => {
  const delayed = { ...clock, free_ms: 2_000 };
  assert.deepEqual(readingsOf(delayed, 500).second, { leftMs: 5_000, freeMs: 1_500, isRunning: true });
  assert.deepEqual(readingsOf(delayed, 2_000).second, { leftMs: 5_000, freeMs: 0, isRunning: true });
  assert.deepEqual(readingsOf(delayed, 3_000).second, { leftMs: 4_000, freeMs: 0, isRunning: true });
  assert.deepEqual(
    [2_000, 1_999, 1_000, 1].map(freeSeconds),
    [2, 2, 1, 1],
    'the seconds that are shown are begun ones',
  );
});

test('a clock shows minutes, hours and days, and tenths of the last ten seconds', () => {
  const shown = (ms) => timeText('en', ms);
  assert.equal(shown(180_000), '3:00');
  assert.equal(shown(179_999), '2:59');
  assert.equal(shown(10_000), '0:10');
  assert.equal(shown(9_999), '0:09.9');
  assert.equal(shown(50), '0:00.0');
  assert.equal(shown(0), '0:00.0');
  assert.equal(shown(HOUR), '1:00:00');
  assert.equal(shown(HOUR - 1), '59:59');
  assert.equal(shown(23 * HOUR + 61_000), '23:01:01');
  assert.equal(shown(24 * HOUR), '1 day');
  assert.equal(shown(75 * HOUR + 1), '3 days 3 hr');
});

test('a clock is written as its language writes it', () => {
  assert.equal(timeText('fr', 9_449), '0:09,4');
  assert.equal(timeText('fr', 50 * HOUR).replace(/\s/gu, ' '), '2 j 2 h');
});

test('long times have no tenths, and the last second is not shown as zero', () => {
  assert.deepEqual(
    [26_001, 9_200, 1, 0].map((ms) => wholeText('fr', ms)),
    ['0:27', '0:10', '0:01', '0:00'],
  );
});

test('a clock is drawn when it shows something else, neither before nor long after', () => {
  const readings = [
    { leftMs: 65_432, freeMs: 0, isRunning: true },
    { leftMs: 60_000, freeMs: 0, isRunning: true },
    { leftMs: 10_000, freeMs: 0, isRunning: true },
    { leftMs: 9_900, freeMs: 0, isRunning: true },
    { leftMs: 120, freeMs: 0, isRunning: true },
  ];
  for (const { leftMs, ...rest } of readings) {
    const inMs = changesInMs({ leftMs, ...rest });
    assert.equal(timeText('en', leftMs), timeText('en', leftMs - inMs + 1), `${leftMs}`);
    assert.notEqual(timeText('en', leftMs), timeText('en', leftMs - inMs), `${leftMs}`);
  }
  assert.equal(changesInMs({ leftMs: 5_000, freeMs: 1_200, isRunning: true }), 200, 'the delay');
  assert.equal(changesInMs({ leftMs: 5_000, freeMs: 1_000, isRunning: true }), 1_000);
  assert.equal(changesInMs({ leftMs: 0, freeMs: 0, isRunning: true }), null);
  assert.equal(changesInMs({ leftMs: 5_000, freeMs: 0, isRunning: false }), null);
});

test('a player is warned once at twenty seconds and once at ten', () => {
  /** The times at which a clock that shows these warns. */
  const warnings = (times) => {
    let warned = [];
    return times.filter((ms, i) => {
      const next = warningOf(warned, times[i - 1] ?? ms, ms);
      warned = next.warned;
      return next.isDue;
    });
  };
  assert.deepEqual(warnings([30_000, 20_100, 20_000, 19_900, 10_000, 9_900, 0]), [20_000, 10_000]);
  assert.deepEqual(warnings([15_000, 12_000]), [], 'who begins with less is not warned of it');
  assert.deepEqual(warnings([10_500, 9_900, 10_800, 9_800]), [9_900], 'a small bonus brings no second one');
  assert.deepEqual(warnings([10_500, 9_900, 45_000, 9_800]), [9_900, 9_800], 'a large one does');
  assert.deepEqual(warnings([25_000, 5_000]), [5_000], 'both at once are one');
});
