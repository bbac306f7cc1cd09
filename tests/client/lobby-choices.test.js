import assert from 'node:assert/strict';
import { test } from 'node:test';

import {
  FIRST_CHOICES,
  choicesFrom,
  choicesOf,
  choose,
  clockOf,
  roomOf,
  textOf,
} from '../../static/lobby/room-choices.js';

const RULESETS = ['fibonacci', 'fenix', 'focus'];
const realTime = (more) => ({ ...FIRST_CHOICES, clock: 'real_time', ...more });

test('the first room is an open one of the first game without a clock', () => {
  assert.deepEqual(roomOf(choicesFrom(null, RULESETS)), {
    room: {
      ruleset: 'fibonacci',
      seat: 'random',
      visibility: 'public',
      terms: { clock: { kind: 'none' }, watching: 'everybody', drafts: 'shown', delay: 0 },
    },
  });
});

test('the browser keeps all choices but the start position and who may join', () => {
  const choices = {
    ...{
      ruleset: 'focus',
      seat: 'second',
      visibility: 'link',
      clock: 'correspondence',
      base: '7',
      bonus: '9',
    },
    ...{ pace: 'days', bank: '20', hours: '12' },
    ...{ kind: 'delay', days: '5', watching: 'nobody', drafts: 'hidden', delay: '4', start: 'x' },
  };
  assert.deepEqual(choicesFrom(textOf(choices), RULESETS), { ...choices, start: '', visibility: 'public' });
});

test('stored choices that no longer exist are ignored', () => {
  for (const kept of ['', 'null', '3', '"x"', '[]', '{', '{"ruleset":"chess","seat":7,"base":5,"clock":{}}'])
    assert.deepEqual(choicesFrom(kept, RULESETS), FIRST_CHOICES, kept);
  assert.deepEqual(choicesFrom('{"ruleset":"fenix","visibility":"link"}', RULESETS), {
    ...FIRST_CHOICES,
    ruleset: 'fenix',
  });
});

test('the choices of a room make the same room again', () => {
  const terms = { watching: 'nobody', drafts: 'hidden', delay: 0 };
  for (const clock of [
    { kind: 'none' },
    { kind: 'correspondence', days: 5 },
    { kind: 'bank', base_days: 20, bonus_hours: 12 },
    { kind: 'real_time', base_s: 15, bonus_s: 40, bonus: 'bronstein' },
  ]) {
    const room = {
      ruleset: 'fenix',
      seat: 'second',
      visibility: 'link',
      terms: { ...terms, clock },
      start: 'x',
    };
    assert.deepEqual(roomOf(choicesOf(room)), { room });
    const { start: _, ...usual } = {
      ...room,
      terms: { clock, watching: 'everybody', drafts: 'shown', delay: 3 },
    };
    assert.deepEqual(roomOf(choicesOf(usual)), { room: usual });
  }
});

test('choices absent from a form stay as they were', () => {
  const before = { ...FIRST_CHOICES, seat: 'first', days: '8' };
  assert.deepEqual(choose({ days: '9' }, before, RULESETS), { ...before, days: '9' });
});

test('a time is given in minutes, parts of them too, and whole seconds', () => {
  const clock = (base, bonus) => clockOf(realTime({ base, bonus })).clock;
  assert.deepEqual(clock('10', '30'), { kind: 'real_time', base_s: 600, bonus_s: 30, bonus: 'per_turn' });
  assert.equal(clock('0.25', '0').base_s, 15);
  assert.equal(clock('0,5', '0').base_s, 30);
  assert.equal(clock('180', '180').base_s, 10_800);
  assert.equal(clock('0', '1').base_s, 0);
});

test('a wrong time is explained at its field', () => {
  const faults = (base, bonus) => clockOf(realTime({ base, bonus })).faults;
  assert.deepEqual(faults('', '5'), { base: 'base' });
  assert.deepEqual(faults('180.5', '5'), { base: 'base' });
  assert.deepEqual(faults('-1', 'x'), { base: 'base', bonus: 'bonus' });
  assert.deepEqual(faults('5', '2.5'), { bonus: 'bonus' });
  assert.deepEqual(faults('5', '181'), { bonus: 'bonus' });
  assert.deepEqual(faults('0', '0'), { base: 'no_time' });
});

test('days are 1 to 14 and whole', () => {
  const clock = (days) => clockOf({ ...FIRST_CHOICES, clock: 'correspondence', pace: 'days', days });
  assert.deepEqual(clock('14'), { clock: { kind: 'correspondence', days: 14 } });
  for (const days of ['0', '15', '1.5', '', 'x']) assert.deepEqual(clock(days), { faults: { days: 'days' } });
});

test('a game by correspondence has a bank of 1 to 30 days and 0 to 168 hours, at first 10 and 36', () => {
  const clock = (more) => clockOf({ ...FIRST_CHOICES, clock: 'correspondence', ...more });
  assert.deepEqual(clock({}), { clock: { kind: 'bank', base_days: 10, bonus_hours: 36 } });
  assert.deepEqual(clock({ bank: '30', hours: '0' }).clock.bonus_hours, 0);
  assert.deepEqual(clock({ bank: '1', hours: '168' }).clock.base_days, 1);
  assert.deepEqual(clock({ bank: '31', hours: '1.5' }), { faults: { bank: 'bank', hours: 'hours' } });
  assert.deepEqual(clock({ bank: '0' }), { faults: { bank: 'bank' } });
  assert.deepEqual(clock({ hours: '169' }), { faults: { hours: 'hours' } });
  assert.ok('clock' in clock({ days: 'x' }));
});

test('fields that are not shown can be wrong', () => {
  const hidden = { base: 'x', bonus: 'x', bank: 'x', hours: 'x', days: 'x' };
  assert.ok('room' in roomOf({ ...FIRST_CHOICES, ...hidden }));
  assert.ok('room' in roomOf({ ...FIRST_CHOICES, watching: 'nobody', delay: 'x' }));
});

test('spectators are 0 to 20 turns behind, and without spectators there is no delay', () => {
  const room = (more) => roomOf({ ...FIRST_CHOICES, ...more });
  assert.equal(room({ delay: '20' }).room.terms.delay, 20);
  assert.deepEqual(room({ delay: '21' }), { faults: { delay: 'delay' } });
  assert.equal(room({ delay: '5', watching: 'nobody' }).room.terms.delay, 0);
});

test('all faults are reported at once', () => {
  assert.deepEqual(roomOf(realTime({ base: '', bonus: '', delay: '' })), {
    faults: { base: 'base', bonus: 'bonus', delay: 'delay' },
  });
});

test('a start position is sent without the blanks around it, and none if there is none', () => {
  assert.equal(roomOf({ ...FIRST_CHOICES, start: ' abc 1 ' }).room.start, 'abc 1');
  assert.ok(!('start' in roomOf({ ...FIRST_CHOICES, start: '  ' }).room));
});
