import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { afterReturn, clocksOf, isSamePool } from '../../static/lobby/pools.js';
import { lengthOf } from '../../static/session/clock-text.js';

const protocol = readFileSync(new URL('../../static/protocol.d.ts', import.meta.url), 'utf8');
const rulesets = [.../export type Ruleset = ([^;]+);/.exec(protocol)[1].matchAll(/"([^"]+)"/g)].map(
  (match) => match[1],
);
const pool = (ruleset, index) => ({ ruleset, clock: clocksOf(ruleset)[index] });
const playing = (id, { ruleset, clock }) => ({ id, ruleset, clock, status: 'playing' });

test('every ruleset has a grid of six different clocks, from a quick game to one without a clock', () => {
  for (const ruleset of rulesets) {
    const pools = clocksOf(ruleset).map((_, index) => pool(ruleset, index));
    assert.equal(pools.length, 6);
    for (const [index, one] of pools.entries()) {
      const same = pools.filter((other) => isSamePool(one, other));
      assert.deepEqual(same, [pools[index]]);
    }
    assert.equal(lengthOf(ruleset, pools[0].clock).unit, 'minute');
    assert.equal(pools[5].clock.kind, 'none');
  }
});

test('a pool is the same if its ruleset and all of its clock are', () => {
  const clock = { kind: 'real_time', base_s: 300, bonus_s: 15, bonus: 'per_turn' };
  const one = { ruleset: 'focus', clock };
  assert.ok(isSamePool(one, { clock: { ...clock }, ruleset: 'focus' }));
  assert.ok(!isSamePool(one, { ...one, ruleset: 'focus-classic' }));
  for (const other of [{ base_s: 301 }, { bonus_s: 14 }, { bonus: 'delay' }])
    assert.ok(!isSamePool(one, { ...one, clock: { ...clock, ...other } }));
});

test('after a cut the same is sought again', () => {
  const lost = [pool('fenix', 0), pool('fibonacci', 3)];
  assert.deepEqual(afterReturn(lost, new Set(), []), { seek: lost });
  assert.deepEqual(afterReturn([], new Set(), [playing('g', lost[0])]), { seek: [] });
});

test('a game that was paired during a cut is played, and no second one sought', () => {
  const lost = [pool('fenix', 0), pool('fibonacci', 3)];
  assert.deepEqual(afterReturn(lost, new Set(), [playing('g', lost[1])]), { paired: 'g' });
});

test('a game that was there before the cut, or is of no pool that was sought, is no pairing', () => {
  const lost = [pool('fenix', 0)];
  assert.deepEqual(afterReturn(lost, new Set(['g']), [playing('g', lost[0])]), { seek: lost });
  assert.deepEqual(afterReturn(lost, new Set(), [playing('g', pool('fenix', 1))]), { seek: lost });
  assert.deepEqual(afterReturn(lost, new Set(), [{ ...playing('g', lost[0]), status: 'open' }]), {
    seek: lost,
  });
});
