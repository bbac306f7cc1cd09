import assert from 'node:assert/strict';
import { test } from 'node:test';

import { gameOf } from '../../static/board/looks.js';
import { turnDraftOf, withOptions } from '../../static/engine/turn-draft.js';
import { START } from '../../static/welcome/try-start.js';
import { nextMove, wordsFor } from '../../static/welcome/try-words.js';
import { engine } from './engine.js';

const { id } = engine.open('fibonacci', START.draft.turn.position);
const { parse } = gameOf('fibonacci');

/** The course of a visitor after some moves. */
function courseAfter(actions) {
  const choices = engine.choices(id, actions);
  const turnDraft = withOptions(turnDraftOf(START.draft.turn, null), choices);
  return { turnDraft, outcome: choices.outcome };
}

const movesAfter = (actions) =>
  engine.choices(id, actions).actions.flatMap(({ kind, text }) => (kind === 'end' ? [] : [text]));

const isPraised = (actions) => ['try.closer', 'try.won'].includes(wordsFor(courseAfter(actions)).key);

/** The largest number of Black's strike pieces around one cell. */
function crowdOf(position) {
  const around = new Map();
  for (const [cell, piece] of parse(position)) {
    if (piece !== 'S') continue;
    const [letter, number] = [cell.charCodeAt(0), Number(cell.slice(1))];
    for (const [q, r] of [
      [1, 0],
      [0, 1],
      [1, 1],
      [-1, 0],
      [0, -1],
      [-1, -1],
    ]) {
      const near = `${letter + q} ${number + r}`;
      around.set(near, (around.get(near) ?? 0) + 1);
    }
  }
  return Math.max(...around.values());
}

/** True if the turn can still be won. A centre is surrounded by six strike pieces, wherever it is, and a move changes
 * the place of at most one of them. */
function canWin(actions) {
  const { draft, outcome } = engine.choices(id, actions);
  if (outcome !== null) return outcome.winner === 'first';
  const { position, allowance } = draft.turn;
  if (crowdOf(position) + allowance.left < 6) return false;
  return movesAfter(actions).some((move) => canWin([...actions, move]));
}

test('the board to try begins as the engine describes it', () => {
  assert.deepEqual(engine.choices(id, []), START);
});

test('of all moves on the board to try, those are praised with which it can still be won', () => {
  const praised = [];
  for (const first of movesAfter([])) {
    assert.equal(isPraised([first]), canWin([first]), first);
    if (isPraised([first])) praised.push(first);
  }
  assert.equal(praised.length, 6);
  for (const first of praised)
    for (const second of movesAfter([first]))
      assert.equal(isPraised([first, second]), canWin([first, second]), `${first} ${second}`);
});

test('after a move with which the win is gone, no other is praised', () => {
  assert.equal(isPraised(['e7-d6']), false);
  for (const second of movesAfter(['e7-d6'])) assert.equal(isPraised(['e7-d6', second]), false, second);
});

test('hints lead to the win from wherever it is possible', () => {
  function follow(actions) {
    const course = courseAfter(actions);
    if (course.outcome !== null) return assert.equal(wordsFor(course).key, 'try.won');
    const hinted = nextMove(course.turnDraft)?.text;
    assert.ok(hinted, actions.join(' '));
    follow([...actions, hinted]);
    for (const move of movesAfter(actions))
      if (move !== hinted && isPraised([...actions, move])) follow([...actions, move]);
  }
  follow([]);
});
