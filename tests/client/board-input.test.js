import assert from 'node:assert/strict';
import { test } from 'node:test';

import { fenix } from '../../static/board/fenix.js';
import { fibonacci } from '../../static/board/fibonacci.js';
import {
  RESERVE,
  command,
  createGestures,
  follow,
  linesAfter,
  moveCaret,
  pickedActions,
  press,
} from '../../static/board/input.js';

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
  ...{ barred: [], bestCapture: null, jumps: [], choices: [], count: null },
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

test('whatever cannot be done says why', () => {
  assert.equal(refusal(press(scene({ legal: null, mySide: null }), 'e5')), 'board.why.watching');
  assert.equal(refusal(press(scene({ legal: null }), 'e5')), 'board.why.not_your_move');
  assert.equal(refusal(press(scene({ legal: [] }), 'e5')), 'board.why.no_moves_left');
  assert.equal(refusal(press(scene(), 'f6')), 'board.why.empty');
  assert.equal(refusal(press(scene(), 'c3')), 'board.why.not_yours');
  assert.equal(refusal(press(scene(), 'a1')), 'board.why.cannot_move');
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

test('the distance says how many men go, and a count that was asked for leaves only its own targets', () => {
  assert.equal(press(stacked({ picked: 'd4' }), 'd7').action.count, 3);
  assert.deepEqual(
    pickedActions(stacked({ picked: 'd4', count: 2 })).map(({ to }) => to),
    ['d6'],
  );
  assert.equal(refusal(press(stacked({ picked: 'd4', count: 2 }), 'd5')), 'board.why.no_target');
});

test('a man of the reserve is never dropped by a press unless the reserve is picked', () => {
  assert.equal(refusal(press(stacked(), 'e5')), 'board.why.empty');
  assert.equal(refusal(press(stacked(), 'd5')), 'board.why.not_yours');
  assert.deepEqual(press(stacked({ picked: RESERVE }), 'e5'), { type: 'act', action: drop('e5') });
  assert.equal(refusal(press(stacked({ picked: RESERVE }), 'a4')), 'board.why.no_drop');
  assert.equal(refusal(press(stacked({ legal: [drop('e5')] }), 'd4')), 'board.why.only_reserve');
});

test('a barred target says in which turn the same was done', () => {
  const barred = [{ text: 'd4-d6', from: 'd4', to: 'd6', turn: 17 }];
  const legal = [go('d4', 'd5', 1)];
  const refused = press(stacked({ picked: 'd4', legal, barred }), 'd6');
  assert.equal(refusal(refused), 'board.why.barred');
  assert.deepEqual(refused.args, { cell: 'd6', turn: 17 });
  assert.deepEqual(press(stacked({ legal: [], barred }), 'd4'), { type: 'pick', cell: 'd4' });
});

// ---- Captures

/** A capture by its text and the pieces that it takes. */
const capture = (text, ...overs) => {
  const [from, ...landings] = text.split('x');
  const jumps = landings.map((to, n) => ({ over: overs[n], to }));
  return action(text, 'capture', from, landings.at(-1), { capture: { jumps, discs: jumps.length } });
};

/** From e1 over e2 to e3; from there over d3 or over f3, each to a fork of its own. */
const LINES = [
  capture('e1xe3xc3xc5', 'e2', 'd3', 'c4'),
  capture('e1xe3xg3xg5xe5', 'e2', 'f3', 'g4', 'f5'),
  capture('e1xe3xg3xg5xi5', 'e2', 'f3', 'g4', 'h5'),
];
const hunting = (changes = {}) =>
  scene({
    picked: 'e1',
    legal: [...LINES, capture('a1xa3xa5xa7', 'a2', 'a4', 'a6'), action('h1+h2', 'make', 'h1', 'h2')],
    bestCapture: 3,
    pieces: new Map(
      Object.entries({ e1: 'K', a1: 'S', h1: 'S', h2: 'S', i1: 'S', e2: 's', d3: 's', f3: 's' }),
    ),
    sideOf: fenix.sideOf,
    isCentre: fenix.isCentre,
    ...changes,
  });
const landings = (effect) => {
  assert.equal(effect.type, 'jump');
  return effect.jumps.map(({ to }) => to).join(' ');
};
const ends = (lines) => lines.map(({ to }) => to);

test('captures are those that begin with the jumps that were made', () => {
  const all = pickedActions(hunting());
  assert.deepEqual(ends(linesAfter(all, [])), ['c5', 'e5', 'i5']);
  assert.deepEqual(ends(linesAfter(all, [{ over: 'e2', to: 'e3' }])), ['c5', 'e5', 'i5']);
  const right = LINES[1].capture.jumps.slice(0, 2);
  assert.deepEqual(ends(linesAfter(all, right)), ['e5', 'i5']);
  assert.deepEqual(linesAfter(all, [{ over: 'e2', to: 'e4' }]), []);
  assert.deepEqual(linesAfter([move('e1', 'e2')], []), [], 'a move is no capture');
});

test('a press makes the next jump: on the cell to land on, or on the piece to jump over', () => {
  assert.equal(landings(press(hunting(), 'e3')), 'e3');
  assert.equal(landings(press(hunting(), 'e2')), 'e3');
  const jumps = LINES[0].capture.jumps.slice(0, 1);
  assert.equal(landings(press(hunting({ jumps }), 'g3')), 'e3 g3');
  assert.equal(landings(press(hunting({ jumps }), 'd3')), 'e3 c3');
});

test('a press further on makes all the jumps there if only one set of pieces is taken on the way', () => {
  assert.equal(landings(press(hunting(), 'c5')), 'e3 c3 c5');
  assert.equal(landings(press(hunting(), 'g5')), 'e3 g3 g5');
});

test('a capture goes on by itself as far as there is nothing to choose', () => {
  const after = (...lines) => follow(lines, []);
  const alone = after(LINES[0]);
  assert.equal(alone.action, LINES[0]);
  assert.deepEqual(alone.jumps, LINES[0].capture.jumps);
  const forked = after(LINES[1], LINES[2]);
  assert.equal(forked.action, null);
  assert.equal(forked.jumps.map(({ to }) => to).join(' '), 'e3 g3 g5');
  assert.equal(after(...LINES).jumps.length, 1);
});

test('lines that take the same pieces and end on the same cell are one and the same', () => {
  const there = capture('e1xe3xg3xg1xe1', 'e2', 'f3', 'g2', 'f1');
  const back = capture('e1xg1xg3xe3xe1', 'f1', 'g2', 'f3', 'e2');
  assert.equal(follow([there, back], []).action, there);
  assert.equal(
    landings(press(hunting({ legal: [there, back] }), 'g3')),
    'e3 g3 g1 e1',
    'and not asked about',
  );
  const other = capture('e1xg1xg3xe3xe1', 'f1', 'g2', 'd3', 'e2');
  assert.equal(follow([there, other], []).action, null);
});

test('if ways that take different pieces lead to a cell, the player is asked, and answers by a cell of one way', () => {
  const legal = [capture('e1xc1xc3', 'd1', 'c2'), capture('e1xe3xc3', 'e2', 'd3')];
  const asked = press(hunting({ legal }), 'c3');
  assert.equal(asked.type, 'choose');
  assert.deepEqual(
    asked.choices.map((way) => way.map(({ to }) => to).join(' ')),
    ['c1 c3', 'e3 c3'],
  );
  const { choices } = asked;
  assert.equal(landings(press(hunting({ legal, choices }), 'e3')), 'e3 c3');
  assert.equal(landings(press(hunting({ legal, choices }), 'd1')), 'c1 c3');
  assert.equal(press(hunting({ legal, choices }), 'c3').type, 'choose', 'the end itself is no answer');
});

test('pressing the piece on its way takes the last jump back, at its start it unpicks', () => {
  const jumps = LINES[0].capture.jumps.slice(0, 1);
  assert.deepEqual(press(hunting({ jumps }), 'e3'), { type: 'back' });
  assert.deepEqual(press(hunting(), 'e1'), { type: 'unpick' });
  assert.equal(refusal(press(hunting({ jumps }), 'h1')), 'board.why.jumping', 'no other piece in between');
});

test('while a capture is compulsory, what may not move says how much must be taken', () => {
  const refused = press(hunting({ picked: null }), 'i1');
  assert.equal(refusal(refused), 'board.why.must_capture');
  assert.deepEqual(refused.args, { cell: 'i1', n: 3 });
  assert.equal(refusal(press(hunting(), 'e9')), 'board.why.must_capture', 'a landing that forfeits the best');
  assert.deepEqual(press(hunting({ picked: null }), 'h1'), { type: 'pick', cell: 'h1' });
  assert.equal(press(hunting({ picked: 'h1' }), 'h2').action.kind, 'make', 'the right to a councillor stays');
  assert.equal(refusal(press(hunting({ picked: null }), 'e2')), 'board.why.not_yours');
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

test('what cannot be dragged is never dragged', () => {
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

test('a press whose end was not heard of does not swallow the next one', () => {
  const gestures = createGestures();
  for (const id of [1, 2]) {
    down(gestures, { draggable: false });
    down(gestures, { id, place: 8 });
    assert.deepEqual(gestures.up(id, 8), { type: 'tap', place: 8 });
  }
});

const key = (name, changes = {}) =>
  command({
    key: name,
    code: '',
    shiftKey: false,
    ctrlKey: false,
    metaKey: false,
    altKey: false,
    ...changes,
  });

test('the six keys around S point at the six neighbours, on any layout', () => {
  const around = { KeyD: 'g7', KeyC: 'g6', KeyZ: 'f5', KeyA: 'e5', KeyQ: 'e6', KeyE: 'f7' };
  for (const [code, cell] of Object.entries(around)) {
    const asked = key('?', { code });
    const next = moveCaret({ place: fibonacci.grid.placeOf('f6', false), x: 0 }, asked, fibonacci.grid);
    assert.equal(fibonacci.grid.cells[next.place], cell, code);
  }
  // On AZERTY the key in the place of Q writes an a.
  assert.deepEqual(key('a', { code: 'KeyQ' }), { type: 'neighbour', direction: 4 });
});

test('on squares the same keys point at the sides and the corners', () => {
  const around = { KeyD: 'f5', KeyC: 'f4', KeyZ: 'd4', KeyA: 'd5', KeyQ: 'd6', KeyE: 'f6' };
  const caret = { place: fenix.grid.placeOf('e5', false), x: 0 };
  for (const [code, cell] of Object.entries(around))
    assert.equal(fenix.grid.cells[moveCaret(caret, key('?', { code }), fenix.grid).place], cell, code);
  assert.equal(fenix.grid.cells[moveCaret(caret, key('ArrowUp'), fenix.grid).place], 'e6');
});

test('the keys are those of the list', () => {
  assert.deepEqual(key('Enter'), { type: 'press' });
  assert.deepEqual(key(' '), { type: 'press' });
  assert.deepEqual(key('Backspace'), { type: 'undo' });
  assert.deepEqual(key('z', { ctrlKey: true, code: 'KeyZ' }), { type: 'undo' });
  assert.deepEqual(key('Backspace', { shiftKey: true }), { type: 'restart' });
  assert.deepEqual(key('Escape'), { type: 'unpick' });
  assert.deepEqual(key('?', { shiftKey: true }), { type: 'help' });
  assert.deepEqual(key('N', { shiftKey: true }), { type: 'cycle', by: -1 });
  assert.deepEqual(key('Home', { ctrlKey: true }), { type: 'edge', end: 'first' });
  assert.equal(key('n', { ctrlKey: true }), null, 'the browser keeps its own keys');
  assert.equal(key('ArrowLeft', { altKey: true }), null);
  assert.equal(key('Tab'), null);
  assert.deepEqual(key('r'), { type: 'reserve' });
  assert.deepEqual(key('v'), { type: 'inspect' });
  assert.deepEqual(key('3', { code: 'Digit3' }), { type: 'digit', number: 3 });
  assert.deepEqual(key('"', { code: 'Digit3' }), { type: 'digit', number: 3 }, 'whatever is printed on it');
  assert.equal(key('1', { code: 'Digit1', ctrlKey: true }), null);
});

const walk = (from, ...keys) => {
  const place = fibonacci.grid.placeOf(from, false);
  const end = keys.reduce((caret, name) => moveCaret(caret, key(name), fibonacci.grid), {
    place,
    x: fibonacci.grid.pointOf(place).x,
  });
  return fibonacci.grid.cells[end.place];
};

test('up and down keep to the column where they began', () => {
  assert.equal(walk('f6', 'ArrowUp', 'ArrowUp'), 'e7');
  assert.equal(walk('f6', ...Array(10).fill('ArrowUp')), 'c8');
  assert.equal(walk('f6', 'ArrowUp', 'ArrowDown'), 'f6');
  assert.equal(walk('k11', 'ArrowUp', 'ArrowUp', 'ArrowDown', 'ArrowDown'), 'k11', 'even around the edge');
});

test('the caret stops at the edges', () => {
  assert.equal(walk('a1', 'ArrowLeft'), 'a1');
  assert.equal(walk('a6', 'ArrowUp'), 'a6');
  assert.equal(walk('e5', 'Home'), 'a1');
  assert.equal(walk('e5', 'End'), 'k11');
  const go = (end) => moveCaret({ place: 40, x: 0 }, { type: 'edge', end }, fibonacci.grid).place;
  assert.deepEqual([go('first'), go('last')], [0, 90]);
});
