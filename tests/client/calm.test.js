import assert from 'node:assert/strict';
import { test } from 'node:test';

import { arrange } from '../../static/ui/calm.js';

const list = (...ids) => ids.map((id) => ({ id }));
const seen = ({ rows, waiting }) => [
  rows.map(({ item, gone }) => (gone ? `(${item.id})` : item.id)).join(' '),
  waiting,
];

test('a list without hover or focus shows the current rows', () => {
  assert.deepEqual(seen(arrange(list('a', 'b'), list('c', 'a'), false)), ['c a', 0]);
});

test('a hovered or focused list keeps its rows in place, marks those that are gone and counts new ones', () => {
  assert.deepEqual(seen(arrange(list('a', 'b'), list('d', 'c', 'b'), true)), ['(a) b', 2]);
});

test('rows that stay show what has changed in them', () => {
  const { rows } = arrange([{ id: 'a', turn: 1 }], [{ id: 'a', turn: 2 }], true);
  assert.equal(rows[0].item.turn, 2);
});
