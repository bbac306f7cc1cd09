import assert from 'node:assert/strict';
import { test } from 'node:test';

import { NO_QUEUE, isSlowGame, queueAfter } from '../../static/game-page/next-game.js';
import { byUrgency, isPressing } from '../../static/lobby/urgency.js';
import { roughText } from '../../static/session/clock.js';

const HOUR_MS = 3_600_000;
const game = (id, deadline_ms, updated_ms = 0) => ({ id, deadline_ms, updated_ms });
const days = (n) => ({ clock: { kind: 'correspondence', days: n } });

test('the first deadline is the most urgent, then the game that waits longest', () => {
  const games = [game('d', null, 1), game('c', 9), game('b', 8, 2), game('e', null, 2), game('a', 8, 1)];
  assert.deepEqual(
    games.toSorted(byUrgency).map(({ id }) => id),
    ['a', 'b', 'c', 'd', 'e'],
  );
  assert.equal(byUrgency(game('a', 8), game('b', 8)), -1);
  assert.equal(byUrgency(game('b', 8), game('a', 8)), 1);
  assert.equal(byUrgency(game('a', 8), game('a', 8)), 0);
});

test('a turn is pressing below six hours, or below a tenth of its days', () => {
  assert.ok(isPressing(days(1), 6 * HOUR_MS - 1));
  assert.ok(!isPressing(days(1), 6 * HOUR_MS));
  assert.ok(isPressing(days(10), 24 * HOUR_MS - 1));
  assert.ok(!isPressing(days(10), 24 * HOUR_MS));
  const bank = { clock: { kind: 'bank', base_days: 10, bonus_hours: 36 } };
  assert.ok(isPressing(bank, 24 * HOUR_MS - 1));
  assert.ok(!isPressing(bank, 24 * HOUR_MS));
  assert.ok(!isPressing({ clock: { kind: 'none' } }, 7 * HOUR_MS));
  assert.ok(isPressing({ clock: { kind: 'none' } }, HOUR_MS));
});

test('the next game is the next less urgent one, and after the last one the first', () => {
  const games = [game('a', 1), game('b', 2), game('c', 3)];
  const next = (id) => queueAfter(NO_QUEUE, games, id);
  assert.deepEqual(
    ['a', 'b', 'c'].map((id) => next(id).next),
    ['b', 'c', 'a'],
  );
  assert.equal(next('a').n, 2);
  assert.equal(next('elsewhere').next, 'a', 'the most urgent one, from a game that does not wait');
  assert.equal(next('elsewhere').n, 3);
});

test('a game keeps its place among those that wait after its turn was played', () => {
  const games = [game('a', 1), game('b', 2), game('c', 3)];
  const before = queueAfter(NO_QUEUE, games, 'b');
  const after = queueAfter(before, [games[0], games[2]], 'b');
  assert.equal(after.next, 'c', 'a was skipped');
  assert.equal(queueAfter(after, [games[0]], 'b').next, 'a');
  // The answer of its opponent gives it another place.
  assert.equal(queueAfter(after, [games[0], games[2], game('b', 9)], 'b').next, 'a');
});

test('that nothing waits any more is said only where something did', () => {
  const games = [game('a', 1), game('b', 2)];
  const last = queueAfter(NO_QUEUE, [games[0]], 'a');
  assert.deepEqual([last.isDone, queueAfter(last, [], 'a').isDone], [false, true]);
  assert.equal(queueAfter(NO_QUEUE, [], 'a').isDone, false);
  const before = queueAfter(NO_QUEUE, games, 'a');
  const done = queueAfter(queueAfter(before, [games[0]], 'a'), [], 'a');
  assert.deepEqual([before.isDone, done.isDone], [false, true]);
  assert.equal(queueAfter(done, games, 'a').isDone, false);
});

test('players come back to games without a clock for all turns', () => {
  const seats = { first: { id: 'ada' }, second: { id: 'bo' } };
  const slow = (clock, who = seats) => isSlowGame({ seats: who, terms: { clock } });
  assert.ok(slow({ kind: 'correspondence', days: 3 }));
  assert.ok(slow({ kind: 'none' }));
  assert.ok(!slow({ kind: 'real_time' }));
  assert.ok(!slow({ kind: 'none' }, null), 'a room that waits for a player');
  assert.ok(!slow({ kind: 'none' }, { first: seats.first, second: seats.first }), 'a game at one table');
});

test('a time is told in its two largest units', () => {
  const plain = (language, ms) => roughText(language, ms).replace(/\s/g, ' ');
  for (const [minutes, english, french] of [
    [2 * 1440 + 3 * 60 + 59, '2 days 3 hr', '2 j 3 h'],
    [1440 + 59, '1 day', '1 j'],
    [5 * 60 + 12, '5 hr 12 min', '5 h 12 min'],
    [60, '1 hr', '1 h'],
    [59, '59 min', '59 min'],
  ]) {
    assert.equal(plain('en', minutes * 60_000 + 59_999), english);
    assert.equal(plain('fr', minutes * 60_000), french);
  }
});
