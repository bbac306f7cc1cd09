import assert from 'node:assert/strict';
import { test } from 'node:test';

import { isWon, wordsFor } from '../../static/welcome/try-words.js';
import { turnDraftOf, withOptions } from '../../static/engine/turn-draft.js';
import { step, turnOf } from './games.js';

const threats = (...second) => ({ first: [], second });
const START = { ...turnOf(3, 'first', 3), threats: threats('f6') };

/** The course after moves that leave White's centre with these attackers, one list for each move. */
function after(attackers, more = {}) {
  const steps = attackers.map((cells, index) => ({
    ...step(`a${index}-b${index}`, 'here'),
    threats: threats(...cells),
  }));
  const left = 3 - steps.length;
  const allowance = { ...START.allowance, used: steps.length, left };
  const turn = { ...START, allowance, threats: threats(...(attackers.at(-1) ?? ['f6'])) };
  const draft = { steps, turn, may_end: false, complete: left === 0 };
  const told = { draft, actions: [], groups: [], barred: [], best_capture: null };
  return { turnDraft: withOptions(turnDraftOf(START, null), told), outcome: null, ...more };
}

test('the words begin with the moves that there are', () => {
  assert.deepEqual(wordsFor(after([])), { key: 'try.start', args: { n: 3 } });
});

test('a move is praised if it brings another attacker, and else the win is gone', () => {
  assert.deepEqual(wordsFor(after([['f6', 'g7']])), { key: 'try.closer', args: { n: 2 } });
  assert.deepEqual(wordsFor(after([['f6']])), { key: 'try.lost', args: { n: 2 } });
  assert.deepEqual(wordsFor(after([['f6', 'g7'], ['f6']])), { key: 'try.lost', args: { n: 1 } });
});

test('moves that are used up without a win are distinguished from a win', () => {
  const all = [
    ['f6', 'g7'],
    ['f6', 'g7', 'e5'],
    ['f6', 'g7'],
  ];
  const lost = after(all);
  assert.equal(wordsFor(lost).key, 'try.used_up');
  assert.equal(isWon(lost), false);
  const won = after(all, { outcome: { winner: 'first', reason: 'surround' } });
  assert.equal(wordsFor(won).key, 'try.won');
  assert.ok(isWon(won));
  assert.equal(isWon(after(all, { outcome: { winner: 'second', reason: 'surround' } })), false);
});
