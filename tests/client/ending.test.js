import assert from 'node:assert/strict';
import { test } from 'node:test';

import { endingOf } from '../../static/session/ending.js';
import { namesMoment } from '../../static/session/moments.js';
import { momentName } from '../../static/session/share.js';
import { wheelSteps } from '../../static/playback/wheel.js';

const step = (action, more = {}) => ({
  ...{ action, position: `after ${action}`, route: action === 'end' ? [] : action.split('-') },
  ...{ swap: false, count: null, overflow: null, taken: [], threats: null },
  ...more,
});
const turn = (number, side, steps, tookMs = 1_000) => ({ number, side, steps, tookMs });
const threats = (first, second) => ({ first, second });

/** A game that First has won for a reason. */
const over = (reason, steps, winner = 'first') => ({
  start: 'the start',
  turns: [
    turn(1, 'first', [step('a1-a2')]),
    turn(2, 'second', [step('k1-k2')], 2_000),
    turn(3, 'first', steps),
  ],
  present: { status: 'finished', outcome: { winner, reason } },
});

test('the attackers of the centre that fell decided the game', () => {
  const around = ['g4', 'g5', 'h4', 'h6', 'i5', 'i6'];
  const steps = [step('a2-a3'), step('f4-g4', { threats: threats(['c1'], around) })];
  assert.deepEqual(endingOf(over('surround', steps)), { from: 'after k1-k2', steps, decisive: around });
});

test('the last moved piece decided a game in which no centre fell; no piece decides a draw', () => {
  const steps = [step('c3-c7', { taken: ['c5'] })];
  assert.deepEqual(endingOf(over('king', steps)).decisive, ['c7']);
  assert.deepEqual(endingOf(over('repetition', steps, null)).decisive, []);
  const early = [step('c3-c4'), step('end')];
  const ending = endingOf(over('blocked', early));
  assert.deepEqual(
    [ending.steps.length, ending.decisive],
    [1, ['c4']],
    'an end that is called moves nothing',
  );
});

test('an end that no turn brought about is not played again, nor a game that goes on', () => {
  for (const reason of ['resign', 'time', 'agreement', 'abandon'])
    assert.equal(endingOf(over(reason, [step('c3-c4')])), null);
  assert.equal(endingOf({ ...over('king', [step('c3-c4')]), present: { status: 'playing' } }), null);
});

test('a game of one turn is played again from its start', () => {
  const game = over('blocked', [step('c3-c4')]);
  assert.equal(endingOf({ ...game, turns: game.turns.slice(0, 1) }).from, 'the start');
});

test('a link names the moment that is shown, or else the last', () => {
  const { turns } = over('king', [step('c3-c7'), step('c7-c8')]);
  assert.equal(momentName({ turns }, null), '#3.2');
  assert.equal(momentName({ turns }, { turn: 2, action: 1 }), '#2.1');
  assert.equal(momentName({ turns: [] }, null), '');
  assert.ok(namesMoment('#3.2') && namesMoment('#3'));
  assert.ok(!namesMoment('#main') && !namesMoment(''), 'a link within the page names none');
});

test('a notch of a wheel is one step, and small movements of a touchpad add up', () => {
  assert.equal(wheelSteps(0, { deltaY: 100, deltaMode: 0 }).steps, 1);
  assert.equal(wheelSteps(0, { deltaY: -3, deltaMode: 1 }).steps, -1);
  let rest = 0;
  const steps = [];
  for (let n = 0; n < 8; n += 1) {
    const turned = wheelSteps(rest, { deltaY: 15, deltaMode: 0 });
    rest = turned.rest;
    steps.push(turned.steps);
  }
  assert.deepEqual(steps, [0, 0, 0, 1, 0, 0, 0, 1]);
  assert.deepEqual(wheelSteps(45, { deltaY: -15, deltaMode: 0 }), { steps: 0, rest: -15 });
});
