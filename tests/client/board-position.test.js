import assert from 'node:assert/strict';
import { test } from 'node:test';

import { fenix } from '../../static/board/fenix.js';
import { fibonacci, pieceOf } from '../../static/board/fibonacci.js';
import { UnreadablePosition } from '../../static/board/position.js';
import { crossfire, focus } from '../../static/board/stacks.js';
import { movedBy, numbers, trail } from '../../static/board/steps.js';

const START = 'CSSSSS/1S5/8/8p/2P3ppp1/3P3p3/1PPP3p2/P8/8/5s1/sssssc 1 1 1/1';

test('the start text puts the pieces where RULES 1.3 puts them', () => {
  const pieces = fibonacci.parse(START);
  const where = (letter) =>
    [...pieces]
      .filter(([, other]) => other === letter)
      .map(([cell]) => cell)
      .sort()
      .join(' ');
  assert.equal(pieces.size, 26);
  assert.equal(where('C'), 'a6');
  assert.equal(where('S'), 'b6 b7 c8 d9 e10 f11');
  assert.equal(where('P'), 'c1 c2 c4 d3 d4 e4');
  assert.equal(where('c'), 'k6');
  assert.equal(where('s'), 'f1 g2 h3 i4 j5 j6');
  assert.equal(where('p'), 'g8 h8 h9 i10 i11 i8');
});

test('a run of empty cells may have two digits', () => {
  assert.equal(fibonacci.parse('6/7/8/9/10/11/10/9/8/7/5c').get('k6'), 'c');
});

test('a text that does not fill the rows exactly is refused', () => {
  for (const text of [
    '',
    '6/7/8',
    '6/7/8/9/10/10/10/9/8/7/6',
    '6/7/8/9/10/12/10/9/8/7/6',
    '6/7/8/9/10/11/10/9/8/7/6/6',
  ]) {
    assert.throws(() => fibonacci.parse(text), UnreadablePosition, text);
  }
});

const letters = (rows, pieces) =>
  rows
    .map((row) =>
      row
        .map((cell) => pieces.get(cell) ?? ' ')
        .join('')
        .replace(/ +/g, (run) => String(run.length)),
    )
    .join('/');
const men = (rows, pieces) =>
  rows.map((row) => row.map((cell) => pieces.get(cell) ?? '.').join(',')).join('/');

for (const [title, game, print, text] of [
  ['fibonacci', fibonacci, letters, START],
  [
    'fenix',
    fenix,
    letters,
    '2SSSSSSS/3SSSSSS/s3SSSSS/ss3SSSS/sss3SSS/ssss3SS/sssss3S/ssssss3/sssssss2 1 1 - 0',
  ],
  ['fenix, later', fenix, letters, '9/2K6/9/4c1S2/9/3k5/9/CC7/8s 2 40 C 0'],
  [
    'focus',
    focus,
    men,
    '.,.,.,./o,o,x,x,o,o/.,x,x,o,o,x,x,./.,o,o,x,x,o,o,./.,x,x,o,o,x,x,./.,o,o,x,x,o,o,./x,x,o,o,x,x/.,.,.,. 1 1 0 0',
  ],
  [
    'focus, later',
    focus,
    men,
    'x,.,.,oxxox/.,.,.,.,.,o/.,.,.,.,.,.,.,./.,oo,.,.,.,.,.,./.,.,.,.,.,.,.,./.,.,.,.,.,.,.,x/.,.,.,.,.,./.,.,.,. 1 31 3 2',
  ],
  [
    'crossfire',
    crossfire,
    men,
    './o,x,x,x/.,o,o,x,x,o,./o,o,o,x,o,o/x,x,x,.,o,o,o/x,x,o,x,x,x/.,x,o,o,x,x,./o,o,o,x/. 1 1 0 0',
  ],
]) {
  test(`${title}: the board shows the pieces of the text`, () => {
    assert.equal(print(game.grid.rows, game.parse(text)), text.split(' ')[0]);
  });

  test(`${title}: a text with a row too many, or a cell too few, is refused`, () => {
    const [board] = text.split(' ');
    const [first, ...rest] = board.split('/');
    assert.throws(() => game.parse(`${board}/${first}`), UnreadablePosition);
    const shorter = first.replace(print === men ? /^[.xo]+,?/ : /^\w/, '');
    assert.throws(() => game.parse([shorter, ...rest].join('/')), UnreadablePosition);
  });
}

test('the top man owns a stack, and the men of First are x (RULES 3.2)', () => {
  assert.equal(focus.sideOf('oox'), 'first');
  assert.equal(focus.sideOf('xxo'), 'second');
  assert.equal(focus.man('first'), 'x');
});

test('the topmost men of a stack move, in their order, and the overflow leaves from the bottom (RULES 3.4, 3.6)', () => {
  assert.deepEqual(focus.lift('oxxo', 3), ['o', 'xxo']);
  assert.deepEqual(focus.lift('ox', 2), ['', 'ox']);
  assert.equal(focus.land('xoo', 'xxo', 1), 'ooxxo');
});

test('a soldier on a soldier is a councillor, on a councillor a king (RULES 2.3)', () => {
  assert.equal(fenix.land('S', 'S', 0), 'C');
  assert.equal(fenix.land('c', 's', 0), 'k');
  assert.equal(fenix.land('', 'c', 0), 'c');
});

test('capital letters are First, small ones Second (RULES 1.4)', () => {
  assert.deepEqual(pieceOf('S'), { side: 'first', kind: 'S' });
  assert.deepEqual(pieceOf('c'), { side: 'second', kind: 'C' });
  assert.throws(() => pieceOf('x'), RangeError);
});

const step = (action, route, swap = false) => ({ action, position: '', route, swap });

test('a piece that moved twice leaves its first cell and ends on its last', () => {
  const steps = [step('e5-e6', ['e5', 'e6']), step('a1-c3', ['a1', 'b2', 'c3']), step('e6-e7', ['e6', 'e7'])];
  const { from, to, routes } = trail([...steps, step('end', [])]);
  assert.deepEqual(from, ['e5', 'a1']);
  assert.deepEqual(to, ['c3', 'e7']);
  assert.equal(routes.length, 3);
});

test('steps are numbered where they end, and `end` is none of them', () => {
  const steps = [step('e5-e6', ['e5', 'e6']), step('e6-e7', ['e6', 'e7']), step('d5-e6', ['d5', 'e6'])];
  assert.deepEqual(
    [...numbers([...steps, step('end', [])])],
    [
      ['e6', '1·3'],
      ['e7', '2'],
    ],
  );
});

test('a man of the reserve comes from nowhere', () => {
  const { from, to, routes } = trail([step('*e4', ['e4'])]);
  assert.deepEqual([from, to, routes], [[], ['e4'], []]);
  assert.deepEqual([...numbers([step('*e4', ['e4'])])], [['e4', '1']]);
});

test('both pieces of a swap have moved, and are followed further', () => {
  const steps = [step('e5-f6', ['e5', 'f6'], true), step('f6-g6', ['f6', 'g6'])];
  assert.deepEqual([...movedBy(steps)].sort(), ['e5', 'g6']);
});
