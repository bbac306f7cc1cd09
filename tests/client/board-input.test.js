import assert from 'node:assert/strict';
import { test } from 'node:test';

import { fibonacci } from '../../static/board/fibonacci.js';
import { RESERVE, createGestures, pickedActions, press, targetsOf } from '../../static/board/input.js';

const action = (text, kind, from, to, more = {}) => ({
  ...{ text, kind, from, to, count: null, overflow: null, capture: null },
  ...more,
});
const move = (from, to) => action(`${from}-${to}`, 'move', from, to);
const swap = (from, to) => action(`${from}-${to}`, 'swap', from, to);

/** Black to move: strike pieces on e5 and h8, a support piece that cannot move on a1, both centres, a white piece. */
const scene = (changes = {}) => ({
  picked: null,
  legal: [move('e5', 'e6'), swap('e5', 'c3'), move('h8', 'h9'), action('end', 'end', null, null)],
  ...{ barred: [], bestCapture: null, isKingDue: false, count: null },
  mySide: 'first',
  pieces: new Map(Object.entries({ e5: 'S', h8: 'S', a1: 'P', a6: 'C', k6: 'c', c3: 's' })),
  sideOf: fibonacci.sideOf,
  isCentre: fibonacci.isCentre,
  ...changes,
});
const refusal = (effect) => {
  assert.equal(effect.type, 'refuse');
  return effect.key;
};

test('tap-tap: the first press picks, the second acts', () => {
  assert.deepEqual(press(scene(), 'e5'), { type: 'pick', cell: 'e5' });
  assert.deepEqual(press(scene({ picked: 'e5' }), 'e6'), { type: 'act', action: move('e5', 'e6') });
  assert.deepEqual(press(scene({ picked: 'e5' }), 'c3'), { type: 'act', action: swap('e5', 'c3') });
});

test('the picked piece unpicks, another movable piece is picked instead', () => {
  assert.deepEqual(press(scene({ picked: 'e5' }), 'e5'), { type: 'unpick' });
  assert.deepEqual(press(scene({ picked: 'e5' }), 'h8'), { type: 'pick', cell: 'h8' });
});

test('a piece that is a target is acted on, not picked', () => {
  const legal = [swap('e5', 'h8'), move('h8', 'h9')];
  assert.deepEqual(press(scene({ picked: 'e5', legal }), 'h8'), { type: 'act', action: legal[0] });
});

test('centres explain themselves, whoever presses them, unless they are a target', () => {
  for (const changes of [{}, { legal: null }, { mySide: null, legal: null }, { picked: 'e5' }]) {
    assert.deepEqual(press(scene(changes), 'a6'), { type: 'explain', cell: 'a6' });
    assert.deepEqual(press(scene(changes), 'k6'), { type: 'explain', cell: 'k6' });
  }
  const legal = [swap('e5', 'k6')];
  assert.deepEqual(press(scene({ picked: 'e5', legal }), 'k6'), { type: 'act', action: legal[0] });
});

test('every impossible press explains itself', () => {
  assert.equal(refusal(press(scene({ legal: null, mySide: null }), 'e5')), 'board.why.watching');
  assert.equal(refusal(press(scene({ legal: null }), 'e5')), 'board.why.not_your_move');
  assert.equal(refusal(press(scene({ legal: [] }), 'e5')), 'board.why.no_moves_left');
  assert.equal(refusal(press(scene(), 'f6')), 'board.why.empty');
  assert.equal(refusal(press(scene(), 'c3')), 'board.why.not_yours');
  assert.equal(refusal(press(scene(), 'a1')), 'board.why.cannot_move');
  assert.equal(refusal(press(scene({ isKingDue: true }), 'a1')), 'board.why.king_due');
  assert.equal(refusal(press(scene({ isKingDue: true }), 'c3')), 'board.why.not_yours');
  const far = press(scene({ picked: 'e5' }), 'k11');
  assert.equal(refusal(far), 'board.why.no_target');
  assert.deepEqual(far.args, { cell: 'k11', from: 'e5' });
});

// ---- Stacks

const go = (from, to, count, overflow = null) =>
  action(`${from}-${to}`, 'move', from, to, { count, overflow });
const drop = (to) => action(`*${to}`, 'drop', null, to, { count: 1 });

/** White to move: a stack of three on d4, a man in reserve. */
const stacked = (changes = {}) =>
  scene({
    legal: [go('d4', 'd5', 1), go('d4', 'd6', 2), go('d4', 'd7', 3), drop('e5'), drop('d5')],
    pieces: new Map(Object.entries({ d4: 'oxx', d5: 'o' })),
    sideOf: (men) => (men.endsWith('x') ? 'first' : 'second'),
    isCentre: () => false,
    ...changes,
  });

test('the distance determines the number of men, and a chosen number leaves only its own targets', () => {
  assert.equal(press(stacked({ picked: 'd4' }), 'd7').action.count, 3);
  assert.deepEqual(
    pickedActions(stacked({ picked: 'd4', count: 2 })).map(({ to }) => to),
    ['d6'],
  );
  assert.equal(refusal(press(stacked({ picked: 'd4', count: 2 }), 'd5')), 'board.why.no_target');
});

test('each target has the sign of its action, and barred targets have their own', () => {
  const signs = (changes) =>
    targetsOf(changes).map(({ cell, sign, text }) =>
      [cell, sign, text].filter((part) => part !== null).join(' '),
    );
  assert.deepEqual(signs(scene({ picked: 'e5' })), ['e6 dot', 'c3 swap']);
  const barred = [{ text: 'd4-d8', from: 'd4', to: 'd8', turn: 17 }];
  const stack = stacked({ picked: 'd4', barred });
  assert.deepEqual(signs(stack), ['d5 count 1', 'd6 count 2', 'd7 count 3', 'd8 barred']);
  assert.deepEqual(signs(stacked({ picked: RESERVE })), ['e5 dot', 'd5 count +1']);
  assert.deepEqual(signs(scene()), []);
});

test('a man of the reserve is never dropped by a press unless the reserve is picked', () => {
  assert.equal(refusal(press(stacked(), 'e5')), 'board.why.empty');
  assert.equal(refusal(press(stacked(), 'd5')), 'board.why.not_yours');
  assert.deepEqual(press(stacked({ picked: RESERVE }), 'e5'), { type: 'act', action: drop('e5') });
  assert.equal(refusal(press(stacked({ picked: RESERVE }), 'a4')), 'board.why.no_drop');
  assert.equal(refusal(press(stacked({ legal: [drop('e5')] }), 'd4')), 'board.why.only_reserve');
});

test('a barred target names the turn in which the same was done', () => {
  const barred = [{ text: 'd4-d6', from: 'd4', to: 'd6', turn: 17 }];
  const legal = [go('d4', 'd5', 1)];
  const refused = press(stacked({ picked: 'd4', legal, barred }), 'd6');
  assert.equal(refusal(refused), 'board.why.barred');
  assert.deepEqual(refused.args, { cell: 'd6', turn: 17 });
  assert.deepEqual(press(stacked({ legal: [], barred }), 'd4'), { type: 'pick', cell: 'd4' });
});

const down = (gestures, changes = {}) =>
  gestures.down({ id: 1, kind: 'mouse', point: { x: 100, y: 100 }, place: 5, draggable: true, ...changes });

test('a press counts when the pointer goes up where it went down', () => {
  const gestures = createGestures();
  down(gestures);
  assert.deepEqual(gestures.up(1, 5), { type: 'tap', place: 5 });
  down(gestures);
  assert.equal(gestures.up(1, null), null, 'leaving the board takes it back');
  down(gestures, { draggable: false });
  assert.equal(gestures.up(1, 6), null, 'so does leaving the cell');
});

test('a drag begins after 3 px of mouse and 8 px of touch', () => {
  for (const [kind, slack] of [
    ['mouse', 3],
    ['touch', 8],
  ]) {
    const gestures = createGestures();
    down(gestures, { kind });
    assert.equal(gestures.move(1, { x: 100 + slack, y: 100 }), null);
    assert.deepEqual(gestures.move(1, { x: 101 + slack, y: 100 }), { type: 'drag', from: 5 });
    assert.deepEqual(
      gestures.move(1, { x: 100, y: 100 }),
      { type: 'drag', from: 5 },
      'and goes on to its end',
    );
    assert.deepEqual(gestures.up(1, 9), { type: 'drop', from: 5, place: 9 });
  }
});

test('immovable pieces are never dragged', () => {
  const gestures = createGestures();
  down(gestures, { draggable: false });
  assert.equal(gestures.move(1, { x: 300, y: 300 }), null);
  assert.deepEqual(gestures.up(1, 5), { type: 'tap', place: 5 });
});

test('a second finger is no part of a drag, and a cancelled one leaves nothing behind', () => {
  const gestures = createGestures();
  down(gestures);
  gestures.move(1, { x: 200, y: 100 });
  down(gestures, { id: 2, place: 8 });
  assert.equal(gestures.move(2, { x: 300, y: 300 }), null);
  assert.equal(gestures.up(2, 8), null);
  gestures.cancel();
  assert.equal(gestures.up(1, 5), null);
});

test('a press whose end was never received does not block the next one', () => {
  const gestures = createGestures();
  for (const id of [1, 2]) {
    down(gestures, { draggable: false });
    down(gestures, { id, place: 8 });
    assert.deepEqual(gestures.up(id, 8), { type: 'tap', place: 8 });
  }
});
