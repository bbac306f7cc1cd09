import assert from 'node:assert/strict';
import { test } from 'node:test';

import { callBetween } from '../../static/game-page/calls.js';
import { offersOf } from '../../static/game-page/offers.js';
import { isOneTable, sideOf } from '../../static/session/game-model.js';
import { bottomSide, initialState, isMyTurn, mySide } from '../../static/game-page/game-state.js';

const ada = { id: 'ada', name: 'Ada' };
const blaise = { id: 'blaise', name: 'Blaise' };

/** A game at one table with the side to move. */
const table = (side, more = {}, present = {}) => ({
  ...{ seats: { first: ada, second: ada }, seedHash: null, since: 4, version: 4 },
  nTurns: 2,
  turns: [
    { number: 1, side: 'first', steps: [] },
    { number: 2, side: 'second', steps: [] },
  ],
  present: { status: 'playing', turn: { side }, first_turn_ms: null, offers: [], ...present },
  ...more,
});
const stateOf = (game, me = ada, flipped = false) => ({ ...initialState('g', false), game, me, flipped });

test('the player of both seats is the side to move, turn by turn', () => {
  for (const side of ['first', 'second']) {
    assert.equal(sideOf(table(side), ada), side);
    assert.equal(mySide(stateOf(table(side))), side);
    assert.ok(isMyTurn(stateOf(table(side))));
  }
  assert.equal(sideOf(table('first'), blaise), null, 'others watch');
  assert.ok(isOneTable(table('first')));
  assert.ok(!isOneTable({ seats: { first: ada, second: blaise } }));
  assert.ok(!isOneTable({ seats: null }), 'an open room has no table yet');
});

test('the board is turned by hand alone', () => {
  assert.equal(bottomSide(stateOf(table('first'))), 'second');
  assert.equal(bottomSide(stateOf(table('second'))), 'second');
  assert.equal(bottomSide(stateOf(table('first'), ada, true)), 'first');
  const apart = { ...table('first'), seats: { first: ada, second: blaise } };
  assert.equal(bottomSide(stateOf(apart)), 'first', 'elsewhere my side is at the bottom');
});

test('offers at one table take effect at once, and nothing waits for an answer', () => {
  assert.deepEqual(offersOf(table('first'), 'first'), {
    ...{ theirs: [], own: [], open: ['takeback', 'draw'], leaving: 'resign' },
  });
  assert.deepEqual(offersOf(table('first', { turns: [], nTurns: 0 }), 'first').open, []);
  assert.deepEqual(offersOf(table('first', { seedHash: 'ab' }), 'first').open, ['draw'], 'cards lie open');
  const over = { status: 'finished', rematch: null };
  assert.deepEqual(offersOf(table('first', {}, over), 'first').open, ['rematch']);
  assert.deepEqual(offersOf(table('first', {}, { ...over, rematch: 'next' }), 'first').open, []);
});

test('no player is called in a game at one table', () => {
  const next = table('second', { since: 5, version: 5 });
  assert.equal(callBetween(null, table('first'), ada), null);
  assert.equal(callBetween(table('first'), next, ada), null);
});
