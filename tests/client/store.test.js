import assert from 'node:assert/strict';
import { test } from 'node:test';

import { createStore } from '../../static/session/store.js';

test('a panel is drawn with the first change, and then only when what it needs has changed', () => {
  const store = createStore({ turn: 1, side: 'first' });
  const drawn = [];
  store.subscribe(
    ({ turn }) => [turn],
    ({ turn }) => drawn.push(turn),
  );
  store.update({ side: 'second' });
  assert.deepEqual(drawn, [1], 'nothing was drawn before');
  store.update({ side: 'first' });
  assert.deepEqual(drawn, [1], 'the side is none of its needs');
  store.update({ turn: 2 });
  assert.deepEqual(drawn, [1, 2]);
});

test('values are compared by identity, and NaN equals itself', () => {
  const store = createStore({ list: ['a'], number: Number.NaN });
  let count = 0;
  store.subscribe(
    ({ list, number }) => [list, number],
    () => {
      count += 1;
    },
  );
  store.update({});
  store.update({ number: Number.NaN });
  assert.equal(count, 1);
  store.update({ list: ['a'] });
  assert.equal(count, 2);
});

test('a change made while a panel is drawn is drawn after it, by every panel', () => {
  const store = createStore({ held: 0, turn: 0 });
  const drawn = [];
  store.subscribe(
    ({ held }) => [held],
    ({ held }) => drawn.push(`held ${held}`),
  );
  store.subscribe(
    ({ turn }) => [turn],
    ({ turn }) => {
      drawn.push(`turn ${turn}`);
      store.update({ held: turn });
    },
  );
  store.update({ turn: 5 });
  assert.deepEqual(drawn, ['held 0', 'turn 5', 'held 5']);
});

test('a panel that fails does not stop later changes from being drawn', () => {
  const store = createStore({ turn: 0 });
  const drawn = [];
  store.subscribe(
    ({ turn }) => [turn],
    ({ turn }) => {
      drawn.push(turn);
      if (turn === 1) throw new Error('no board');
    },
  );
  const go = (turn) => store.update({ turn: turn });
  assert.throws(() => go(1), /no board/);
  go(2);
  assert.deepEqual(drawn, [1, 2]);
});
