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
const playing = (id, { ruleset, clock }) => ({
  ...{ id, ruleset, clock, status: 'playing', visibility: 'public', created_ms: NOW - 10_000 },
  seats: { first: { id: 'me' }, second: { id: 'other' } },
});

test('every ruleset has a grid of six different clocks, from a quick game to one without a clock', () => {
  for (const ruleset of rulesets) {
    const pools = clocksOf(ruleset).map((_, index) => pool(ruleset, index));
    assert.equal(pools.length, 6);
    for (const [index, one] of pools.entries()) {
      const same = pools.filter((other) => isSamePool(one, other));
      assert.deepEqual(same, [pools[index]]);
    }
    assert.equal(lengthOf(ruleset, pools[0].clock).unit, 'minute');
    assert.deepEqual(
      pools.slice(3).map(({ clock }) => clock.kind),
      ['bank', 'correspondence', 'none'],
    );
  }
});

test('a pool is the same if its ruleset and all of its clock are', () => {
  const clock = { kind: 'real_time', base_s: 300, bonus_s: 15, bonus: 'per_turn' };
  const one = { ruleset: 'focus', clock };
  assert.ok(isSamePool(one, { clock: { ...clock }, ruleset: 'focus' }));
  assert.ok(!isSamePool(one, { ...one, ruleset: 'focus-classic' }));
  const bank = { ruleset: 'focus', clock: { kind: 'bank', base_days: 10, bonus_hours: 36 } };
  assert.ok(isSamePool(bank, { ...bank, clock: { ...bank.clock } }));
  for (const other of [{ base_days: 11 }, { bonus_hours: 24 }])
    assert.ok(!isSamePool(bank, { ...bank, clock: { ...bank.clock, ...other } }));
  for (const other of [{ base_s: 301 }, { bonus_s: 14 }, { bonus: 'delay' }])
    assert.ok(!isSamePool(one, { ...one, clock: { ...clock, ...other } }));
});

const NOW = 1_000_000;
const search = (pools, more = {}) => ({ pools, sinceMs: NOW - 20_000, heardMs: NOW - 1_000, ...more });
const afterwards = (kept, mine = []) => afterReturn(kept, mine, NOW);

test('after a cut the same is sought again', () => {
  const pools = [pool('fenix', 0), pool('fibonacci', 2)];
  assert.deepEqual(afterwards(search(pools)), { seek: pools });
  assert.deepEqual(afterwards(search([]), [playing('g', pools[0])]), { seek: [] });
});

test('after a minute a search is over', () => {
  const pools = [pool('fenix', 0), pool('fibonacci', 1)];
  assert.deepEqual(afterwards(search(pools, { heardMs: NOW - 59_000 })), { seek: pools });
  assert.deepEqual(afterwards(search(pools, { heardMs: NOW - 60_000 })), { seek: [] });
});

test('a game that was paired during a cut is played, and no second one sought', () => {
  const pools = [pool('fenix', 0), pool('fibonacci', 2)];
  assert.deepEqual(afterwards(search(pools), [playing('g', pools[1])]), { paired: 'g' });
});

test('a game of before the search, of no pool that was sought, by link or against a bot is no pairing', () => {
  const pools = [pool('fenix', 2)];
  const bot = { first: { id: 'me' }, second: { id: 'bot', bot: 3 } };
  for (const other of [
    { created_ms: NOW - 30_000 },
    { clock: pool('fenix', 4).clock },
    { ruleset: 'focus', clock: pool('fenix', 4).clock },
    { status: 'open' },
    { visibility: 'link' },
    { seats: bot },
  ]) {
    const game = { ...playing('g', pools[0]), ...other };
    const isBusy = game.status === 'playing' && game.seats !== bot && game.clock === pools[0].clock;
    const seek = isBusy ? [] : pools;
    assert.deepEqual(afterwards(search(pools), [game]), { seek }, JSON.stringify(other));
  }
});

test('whoever plays a person in real time looks for no other game in real time', () => {
  const pools = [pool('fenix', 0), pool('fenix', 2)];
  const game = { ...playing('g', pool('focus', 1)), visibility: 'link' };
  assert.deepEqual(afterwards(search(pools), [game]), { seek: [] });
  const slow = { ...playing('g', pool('focus', 3)), visibility: 'link' };
  assert.deepEqual(afterwards(search(pools), [slow]), { seek: pools });
  const bot = { ...game, seats: { first: { id: 'bot', bot: 1 }, second: { id: 'me' } } };
  assert.deepEqual(afterwards(search(pools), [bot]), { seek: pools });
});
