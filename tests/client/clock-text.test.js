import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { translator } from '../../static/i18n.js';
import { amountText, clockLong, clockShort, lengthOf, minutesText } from '../../static/session/clock-text.js';

const words = (language) =>
  JSON.parse(readFileSync(new URL(`../../static/i18n/${language}.json`, import.meta.url), 'utf8'));
const [en, fr] = ['en', 'fr'].map((language) => translator(language, words(language)));

/** A text with plain spaces: breaking and non-breaking ones are the browser's business. */
const plain = (text) => text.replace(/\s/g, ' ');

const realTime = (base_s, bonus_s, bonus = 'per_turn') => ({ kind: 'real_time', base_s, bonus_s, bonus });
const days = (number) => ({ kind: 'correspondence', days: number });
const bank = (base_days, bonus_hours) => ({ kind: 'bank', base_days, bonus_hours });
const none = { kind: 'none' };

test('minutes are written as players write them', () => {
  assert.deepEqual([300, 30, 15, 45, 90, 0, 10_800, 50, 130].map(minutesText), [
    ...['5', '½', '¼', '¾', '1½', '0', '180', '0:50', '2:10'],
  ]);
});

test('a clock is short in a row', () => {
  const table = [
    [none, 'no clock', 'sans pendule'],
    [days(1), '1 day', '1 jour'],
    [days(3), '3 days', '3 jours'],
    [bank(10, 36), '10 d + 36 h', '10 j + 36 h'],
    [realTime(300, 3), '5+3', '5+3'],
    [realTime(30, 0), '½+0', '½+0'],
    [realTime(0, 10), '0+10', '0+10'],
    [realTime(600, 5, 'per_action'), '10+5 per move', '10+5 par coup'],
    [realTime(600, 5, 'delay'), '10, delay 5', '10, délai 5'],
    [realTime(600, 5, 'bronstein'), '10, Bronstein 5', '10, Bronstein 5'],
  ];
  for (const [clock, english, french] of table) {
    assert.equal(plain(clockShort(en, clock)), english);
    assert.equal(plain(clockShort(fr, clock)), french);
  }
});

test('seconds that there are none of have no kind', () => {
  for (const bonus of ['per_turn', 'per_action', 'delay', 'bronstein']) {
    assert.equal(clockShort(en, realTime(600, 0, bonus)), '10+0');
    assert.equal(clockLong(en, 'en', realTime(600, 0, bonus)), '10 minutes each');
  }
});

test('a clock is exact in a sentence', () => {
  assert.equal(clockLong(en, 'en', realTime(300, 3)), '5 minutes each, plus 3 seconds per turn');
  assert.equal(
    plain(clockLong(fr, 'fr', realTime(300, 90))),
    '5 minutes par joueur, plus 1,5 minute par tour',
  );
  assert.equal(clockLong(en, 'en', days(1)), '1 day per turn');
  assert.equal(
    clockLong(en, 'en', bank(10, 36)),
    '10 days each, plus 36 hours per turn, never more than 10 days on the clock',
  );
  assert.equal(
    plain(clockLong(fr, 'fr', bank(1, 24))),
    '1 jour par joueur, plus 24 heures par tour, jamais plus de 1 jour à la pendule',
  );
  assert.equal(clockLong(en, 'en', bank(30, 0)), '30 days each');
  assert.match(clockLong(en, 'en', realTime(45, 60, 'delay')), /^45 seconds .* 1 minute /);
});

test('without a time to begin with a side begins with one bonus', () => {
  assert.match(clockLong(en, 'en', realTime(0, 10)), /^10 seconds each, plus 10 seconds/);
});

test('the length of a game grows with all that a clock gives, and has no more digits than it deserves', () => {
  assert.deepEqual(lengthOf('fibonacci', realTime(300, 15)), { n: 20, unit: 'minute' });
  assert.deepEqual(lengthOf('fibonacci', realTime(300, 15, 'per_action')), { n: 50, unit: 'minute' });
  assert.deepEqual(lengthOf('fenix', realTime(180, 2)), { n: 8, unit: 'minute' });
  assert.deepEqual(lengthOf('fenix', realTime(10_800, 0)), { n: 6, unit: 'hour' });
  assert.deepEqual(lengthOf('focus', realTime(15, 0)), { n: 1, unit: 'minute' });
  assert.deepEqual(lengthOf('fibonacci', days(1)), { n: 4, unit: 'week' });
  assert.deepEqual(lengthOf('fenix', days(14)), { n: 33, unit: 'month' });
  assert.deepEqual(lengthOf('fibonacci', bank(10, 36)), { n: 2, unit: 'month' });
  assert.deepEqual(lengthOf('fibonacci', bank(2, 1)), { n: 5, unit: 'day' });
  assert.equal(lengthOf('crossfire', none), null);
});

test('an amount of time is worded as its language does', () => {
  assert.equal(amountText('en', 2.5, 'hour'), '2.5 hours');
  assert.equal(plain(amountText('fr', 1.5, 'hour')), '1,5 heure');
  assert.equal(amountText('en', 20, 'minute', 'short'), '20 min');
});
