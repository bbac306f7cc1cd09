import assert from 'node:assert/strict';
import { test } from 'node:test';

import { fenix } from '../../static/board/fenix.js';
import { fibonacci } from '../../static/board/fibonacci.js';
import { command, moveCaret } from '../../static/board/keys.js';

const key = (name, changes = {}, hasLetters = true) =>
  command(
    {
      key: name,
      code: '',
      shiftKey: false,
      ctrlKey: false,
      metaKey: false,
      altKey: false,
      ...changes,
    },
    hasLetters,
  );

test('without letter keys the board still has arrows, Enter, Space and the keys with Control', () => {
  assert.equal(key('n', {}, false), null);
  assert.equal(key('?', {}, false), null);
  assert.equal(key('a', { code: 'KeyQ' }, false), null);
  assert.equal(key('2', { code: 'Digit2' }, false), null);
  assert.deepEqual(key('Enter', {}, false), { type: 'press' });
  assert.deepEqual(key(' ', {}, false), { type: 'press' });
  assert.deepEqual(key('ArrowUp', {}, false), { type: 'row', by: -1 });
  assert.deepEqual(key('Escape', {}, false), { type: 'unpick' });
  assert.deepEqual(key('z', { ctrlKey: true }, false), { type: 'undo' });
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
  assert.deepEqual(key('?', { shiftKey: true }), { type: 'ask', what: 'help' });
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
