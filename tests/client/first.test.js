import assert from 'node:assert/strict';
import { test } from 'node:test';

import { START } from '../../static/welcome/try-start.js';
import { engine } from './engine.js';

const opened = () => engine.open('fibonacci', START.draft.turn.position);

test('the board to try begins as the engine describes it', () => {
  assert.deepEqual(engine.choices(opened().id, []), START);
});

test('three moves on the board to try surround the centre, and none of its moves wins alone', () => {
  const { id } = opened();
  const actions = [];
  for (const [action, left] of [
    ['c5-g7', 2],
    ['d6-f5', 1],
    ['e7-g6', 0],
  ]) {
    const { actions: legal, outcome } = engine.choices(id, actions);
    assert.ok(legal.some(({ text }) => text === action));
    assert.equal(outcome, null);
    actions.push(action);
    assert.equal(engine.choices(id, actions).draft.turn.allowance.left, left);
  }
  assert.deepEqual(engine.choices(id, actions).outcome, { winner: 'first', reason: 'surround' });
  for (const { text } of START.actions) assert.equal(engine.choices(id, [text]).outcome, null, text);
});
