import assert from 'node:assert/strict';
import { test } from 'node:test';

import { answerTo } from '../../static/board/speech.js';

/** What a board says about a cell. */
function said(what, { group = [], targets = [] }) {
  const options = { t: (key, { n, cells }) => `${key} ${n} ${cells}` };
  const hands = {
    words: { counted: (cells) => ({ n: cells.length, cells: cells.join(', ') }) },
    standing: () => null,
    groupOf: () => group,
    actionsFrom: () => targets.map((to) => ({ to })),
  };
  return answerTo(what, 'f6', { options, shown: null }, hands);
}

test('a board names a group and targets, and says plainly that there are none', () => {
  assert.equal(said('group', { group: ['f6', 'f7'] }), 'board.say.group 2 f6, f7');
  assert.equal(said('targets', { targets: ['g6', 'g6'] }), 'board.say.targets 1 g6');
  assert.equal(said('group', {}).split(' ')[0], 'board.say.no_group');
  assert.equal(said('targets', {}).split(' ')[0], 'board.say.no_targets');
});
