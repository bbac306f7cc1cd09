import assert from 'node:assert/strict';
import { test } from 'node:test';

import { arrowPath, withArrow } from '../../static/board/arrows.js';
import { fenix } from '../../static/board/fenix.js';
import { fibonacci } from '../../static/board/fibonacci.js';
import { contentsAfter } from '../../static/board/input.js';
import { focus } from '../../static/board/stacks.js';

const action = (kind, from, to, more = {}) => ({
  ...{ text: '', kind, from, to, count: null, overflow: null, capture: null },
  ...more,
});
const after = (game, contents, done, side = 'first') =>
  Object.fromEntries(contentsAfter(game, new Map(Object.entries(contents)), done, side));

test('the board shows the result of a step at once, before the server answers', () => {
  assert.deepEqual(after(fibonacci, { a1: 'S', b2: 'p' }, action('move', 'a1', 'c3')), { b2: 'p', c3: 'S' });
  assert.deepEqual(after(fibonacci, { a1: 'S', b2: 'p' }, action('swap', 'a1', 'b2')), { a1: 'p', b2: 'S' });
  assert.deepEqual(after(fenix, { d5: 'S', d6: 'C' }, action('make', 'd5', 'd6')), { d6: 'K' });
});

test('men leave the top of a stack and come onto another, which may lose some from its bottom', () => {
  const overflow = { reserved: 1, captured: 1 };
  assert.deepEqual(after(focus, { d4: 'oxx', d6: 'oxo' }, action('move', 'd4', 'd6', { count: 2 })), {
    d4: 'o',
    d6: 'oxoxx',
  });
  assert.deepEqual(
    after(focus, { d4: 'ox', d6: 'xoxox' }, action('move', 'd4', 'd6', { count: 2, overflow })),
    {
      d6: 'xoxox',
    },
  );
  assert.deepEqual(after(focus, { d6: 'x' }, action('drop', null, 'd6', { count: 1 }), 'second'), {
    d6: 'xo',
  });
});

test('a capture takes the jumped pieces, also if it ends where it began', () => {
  const capture = {
    jumps: [
      { over: 'd6', to: 'd7' },
      { over: 'e6', to: 'd5' },
    ],
    discs: 2,
  };
  assert.deepEqual(after(fenix, { d5: 'K', d6: 's', e6: 's' }, action('capture', 'd5', 'd5', { capture })), {
    d5: 'K',
  });
});

test('an arrow drawn again is gone, and in the other colour takes its place', () => {
  const arrow = { from: 'a1', to: 'b2', isOther: false };
  const other = { ...arrow, isOther: true };
  const elsewhere = { from: 'b2', to: 'a1', isOther: false };
  assert.deepEqual(withArrow([], arrow), [arrow]);
  assert.deepEqual(withArrow([elsewhere, arrow], arrow), [elsewhere]);
  assert.deepEqual(withArrow([arrow, elsewhere], other), [elsewhere, other]);
});

test('an arrow ends with two barbs that meet before the middle of its cell', () => {
  const [shaft, barbs] = arrowPath({ x: 0, y: 0 }, { x: 100, y: 0 }).split(/(?<!^)(?=M)/);
  assert.equal(shaft, 'M0 0L86 0');
  const [first, tip, last] = barbs.slice(1).split('L');
  assert.equal(tip, '86 0');
  assert.equal(first.split(' ')[1], `-${last.split(' ')[1]}`.replace('--', ''));
});
