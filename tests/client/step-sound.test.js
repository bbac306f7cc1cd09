import assert from 'node:assert/strict';
import { test } from 'node:test';

import { soundOf } from '../../static/session/step-sound.js';

const step = (action, more = {}) => ({
  ...{ action, route: action.split(/[-+~x]/), swap: false, taken: [], overflow: null },
  ...more,
});

test('each kind of step has a sound of its own', () => {
  assert.equal(soundOf(step('b7-b8')), 'move');
  assert.equal(soundOf(step('b7-f8', { route: ['b7', 'c7', 'd7', 'f8'] })), 'travel');
  assert.equal(soundOf(step('b7-b8', { swap: true })), 'swap');
  assert.equal(soundOf(step('d5xd7xf7', { taken: ['d6', 'e7'] })), 'capture');
  assert.equal(soundOf(step('e4-e7', { overflow: { reserved: 1, captured: 2 } })), 'capture');
  assert.equal(soundOf(step('d5+d6')), 'make');
  assert.equal(soundOf(step('*e4', { route: ['e4'] })), 'drop');
});
