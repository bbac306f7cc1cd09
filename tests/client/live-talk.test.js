import assert from 'node:assert/strict';
import { test } from 'node:test';

import {
  lineOf,
  mutedFrom,
  seenFrom,
  shownOf,
  unreadOf,
  withLines,
  withSeen,
} from '../../static/game-page/talk.js';

const ada = { id: 'ada', name: 'Ada' };
const blaise = { id: 'blaise', name: 'Blaise' };
const line = (id, who, text = id) => ({ id, at_ms: 0, turn: 1, who, text });
const ids = (lines) => lines.map(({ id }) => id);

test('lines that come again after a new connection are there once, in their order', () => {
  const known = withLines([], [line('1', ada), line('3', blaise)]);
  const all = withLines(known, [line('1', ada), line('2', blaise), line('3', blaise), line('4', ada)]);
  assert.deepEqual(ids(all), ['1', '2', '3', '4']);
  assert.deepEqual(ids(withLines([], [line('1', ada), line('2', blaise), line('1', ada)])), ['1', '2']);
});

test('lines that come again are those of players under their present names', () => {
  const renamed = { ...ada, name: 'Ida' };
  const all = withLines([line('1', ada), line('2', blaise)], [line('1', renamed)]);
  assert.deepEqual(
    all.map(({ who }) => who.name),
    ['Ida', 'Blaise'],
  );
});

test('of a very long talk the last lines are kept', () => {
  const many = Array.from({ length: 700 }, (_, i) => line(String(i).padStart(4, '0'), ada));
  const kept = withLines([], many);
  assert.equal(kept.length, 500);
  assert.equal(kept.at(-1).id, '0699');
});

test('lines of people who are muted or blocked are neither shown nor counted', () => {
  const lines = [line('1', ada), line('2', blaise), line('3', ada)];
  const shown = shownOf(lines, new Set(['ada']));
  assert.deepEqual(ids(shown), ['2']);
  assert.deepEqual(ids(unreadOf(shown, '', null)), ['2']);
});

test('unread lines are those of others after the last line seen', () => {
  const lines = [line('1', ada), line('2', blaise), line('3', ada)];
  assert.deepEqual(ids(unreadOf(lines, '1', blaise)), ['3']);
  assert.deepEqual(ids(unreadOf(lines, '', blaise)), ['1', '3']);
  assert.deepEqual(ids(unreadOf(lines, '3', blaise)), []);
});

test('only valid lines are sent: visible characters, not too many', () => {
  assert.equal(lineOf('  Good luck! '), 'Good luck!');
  assert.equal(lineOf('<img onerror=alert(1)>'), '<img onerror=alert(1)>', 'text stays text');
  assert.equal(lineOf('a\u202eb\u200bc\u0007'), 'abc');
  assert.equal(lineOf('👩\u200d🔬\ufe0f'), '👩\u200d🔬\ufe0f', 'what joins a picture stays');
  assert.equal(lineOf('half \ud83d'), 'half', 'half a character is none');
  assert.equal(lineOf(' \u200b '), null);
  assert.equal(lineOf('🎲'.repeat(300)), '🎲'.repeat(300), 'characters are counted, not their halves');
  assert.equal(lineOf('x'.repeat(301)), null);
});

test('muted players are remembered, and an unreadable list mutes nobody', () => {
  assert.deepEqual(mutedFrom(JSON.stringify([ada])), [ada]);
  for (const stored of [null, '', 'nonsense', '{}', '[1, null]']) assert.deepEqual(mutedFrom(stored), []);
});

test('the last line seen is kept for each of the latest games, and what cannot be read is nothing', () => {
  let stored = null;
  for (let game = 1; game <= 201; game += 1) stored = withSeen(stored, `game ${game}`, `line ${game}`);
  stored = withSeen(stored, 'game 7', 'line 300');
  const seen = seenFrom(stored);
  assert.equal(seen.size, 200);
  assert.equal(seen.get('game 7'), 'line 300');
  assert.equal(seen.get('game 1'), undefined, 'the oldest one');
  for (const stored of [null, '', 'nonsense', '{}', '[1, null]']) assert.equal(seenFrom(stored).size, 0);
});
