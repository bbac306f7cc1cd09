import assert from 'node:assert/strict';
import { test } from 'node:test';

import { fenix } from '../../static/board/fenix.js';
import { fibonacci } from '../../static/board/fibonacci.js';
import { crossfire, focus } from '../../static/board/stacks.js';
import { whyNot } from '../../static/board/why.js';
import { ruleBehind } from '../../static/session/clauses.js';
import { namedIn } from '../../static/session/named-cells.js';

const action = (kind, from, to, more = {}) => ({
  ...{ text: `${from}-${to}`, kind, from, to, count: null, overflow: null, capture: null },
  ...more,
});
const move = (from, to) => action('move', from, to);
const go = (from, to, count) => action('move', from, to, { count });
const scene = (picked, legal, pieces = {}, more = {}) => ({
  ...{ picked, legal, barred: [], bestCapture: null, isKingDue: false, count: null, mySide: 'first' },
  pieces: new Map(Object.entries(pieces)),
  ...more,
});

test('a cell that touches no piece of the group: the group is lit, and the cells beside it are missing one', () => {
  const group = ['b7', 'c8', 'd9'];
  const legal = [move('b7', 'c7'), move('b7', 'd8')];
  const why = whyNot(fibonacci.grid, scene('b7', legal), group, 'f6');
  assert.equal(why.key, 'board.why.apart');
  assert.deepEqual(why.args, { cell: 'f6', from: 'b7', n: 3 });
  assert.deepEqual(why.lit, group);
  assert.deepEqual(why.missing.toSorted(), ['e5', 'e6', 'f5', 'f7', 'g6', 'g7']);
});

test('at the edge fewer cells could hold the missing piece', () => {
  const { missing } = whyNot(fibonacci.grid, scene('b7', [move('b7', 'c7')]), ['b7'], 'k11');
  assert.deepEqual(missing.toSorted(), ['j10', 'j11', 'k10']);
});

test('a cell of the group itself is no target, as nothing would change', () => {
  const why = whyNot(fibonacci.grid, scene('b7', [move('b7', 'c7')]), ['b7', 'c8'], 'c8');
  assert.equal(why.key, 'board.why.same_group');
  assert.deepEqual(why.missing, []);
});

test('no reason about groups is given that the legal actions contradict', () => {
  const legal = [move('b7', 'c7'), move('b7', 'k11')];
  const why = whyNot(fibonacci.grid, scene('b7', legal), ['b7'], 'f6');
  assert.equal(why.key, 'board.why.no_target');
  const touching = whyNot(fibonacci.grid, scene('b7', [move('b7', 'c7')]), ['b7'], 'b6');
  assert.equal(touching.key, 'board.why.no_target', 'it touches the group and is not legal all the same');
});

test('men go as far as they are many, in straight lines', () => {
  const legal = [go('d5', 'd6', 1), go('d5', 'e5', 1), go('d5', 'd7', 2)];
  const why = (cell, more) => whyNot(focus.grid, scene('d5', legal, { d5: 'oox' }, more), [], cell);
  assert.equal(why('e6').key, 'board.why.no_line', 'diagonals are none');
  assert.deepEqual([why('d8').key, why('d8').args.n, why('d8').args.most], ['board.why.too_far', 3, 2]);
  const other = why('d7', { count: 1 });
  assert.deepEqual([other.key, other.args.n, other.args.count], ['board.why.other_count', 2, 1]);
  assert.equal(why('b5').key, 'board.why.no_target', 'two men could go as far, but may not');
  const six = whyNot(crossfire.grid, scene('g5', [go('g5', 'i5', 1)]), [], 'g7');
  assert.equal(six.key, 'board.why.no_line', 'upwards lies no side of a cell');
});

test('the reason names a rule that all legal actions share: empty targets, or neighbours', () => {
  const legal = [move('d5', 'd6'), move('d5', 'e5')];
  const pieces = { d5: 'S', d4: 's' };
  const why = (cell) => whyNot(fenix.grid, scene('d5', legal, pieces), [], cell);
  assert.equal(why('d4').key, 'board.why.occupied');
  assert.deepEqual([why('d8').key, why('d8').args.n], ['board.why.not_next', 3]);
  const far = whyNot(fenix.grid, scene('d5', [move('d5', 'd9')], pieces), [], 'a1');
  assert.equal(far.key, 'board.why.no_target');
  const onto = [action('make', 'd5', 'd4'), action('make', 'd5', 'e5')];
  const stacking = whyNot(fenix.grid, scene('d5', onto, { d5: 'S', d4: 'S', e5: 'S' }), [], 'd6');
  assert.equal(stacking.key, 'board.why.onto_own');
});

test('a due king is the reason, and the councillors that can become one are lit', () => {
  const legal = [action('make', 'd5', 'd4')];
  const pieces = { d5: 'S', d4: 'C', g7: 'C' };
  for (const cell of ['d6', 'd9', 'g7']) {
    const why = whyNot(fenix.grid, scene('d5', legal, pieces, { isKingDue: true }), [], cell);
    assert.deepEqual([why.key, why.lit], ['board.why.king_due', ['d4']], cell);
  }
});

test('captures are none of its business', () => {
  const capture = { jumps: [{ over: 'd6', to: 'd7' }], discs: 1 };
  const legal = [action('capture', 'd5', 'd7', { capture })];
  assert.equal(
    whyNot(fenix.grid, scene('d5', legal, { d5: 'S', a1: 's' }), [], 'a1').key,
    'board.why.no_target',
  );
});

test('each reason has the clause that it comes from', () => {
  const turn = { set_up: null };
  assert.equal(ruleBehind('fibonacci-mixed', turn, 'board.why.apart'), '1.12');
  assert.equal(ruleBehind('fenix', turn, 'board.why.occupied'), '2.4');
  assert.equal(ruleBehind('fenix', { set_up: {} }, 'board.why.onto_own'), '2.3');
  assert.equal(ruleBehind('crossfire', turn, 'board.why.too_far'), '3.4');
  assert.equal(ruleBehind('fenix', turn, 'board.why.must_capture'), '2.7');
  assert.equal(ruleBehind('fenix', turn, 'board.why.king_due'), '2.9');
  assert.equal(ruleBehind('focus', turn, 'board.why.not_your_move'), null);
});

test('the cells that a sentence names are found, each once, and nothing else is taken for one', () => {
  const sentence = 'f6 touches no piece of the group of b7: from f6, 3 cells (rule 1.12).';
  assert.deepEqual(namedIn(sentence), ['f6', 'b7']);
  assert.deepEqual(namedIn('Indice\u00a0: de e7 à g11.'), ['e7', 'g11']);
  assert.deepEqual(namedIn('All moves made: confirm the turn.'), []);
});
