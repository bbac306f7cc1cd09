import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Refused } from '../../static/engine/engine.js';
import { openDraft } from '../../static/engine/match-draft.js';
import { earlyEnd } from '../../static/engine/turn-draft.js';
import { engine } from './engine.js';
import { FIRST_WIN } from '../../static/lessons/first-win.js';

const texts = ({ legal }) => legal.map(({ text }) => text);
const actions = ({ steps }) => steps.map(({ action }) => action);

test('a desk has the legal actions and the groups of the turn from the beginning', () => {
  const { turnDraft, isPlayable } = openDraft(engine, 'fibonacci');
  assert.ok(texts(turnDraft).includes('b7-c7'));
  assert.equal(turnDraft.groups.length, 2);
  assert.equal(turnDraft.turn.allowance.left, 1);
  assert.equal(turnDraft.complete, false);
  assert.equal(isPlayable, false);
});

test('steps are taken, taken back one by one, and all at once', () => {
  const local = openDraft(engine, 'fibonacci', FIRST_WIN);
  local.take('c1-b1');
  local.take('b1-c1');
  assert.deepEqual(actions(local.turnDraft), ['c1-b1', 'b1-c1']);
  assert.equal(local.turnDraft.turn.allowance.left, 1);
  local.undo();
  assert.deepEqual(actions(local.turnDraft), ['c1-b1']);
  local.take('b1-b2');
  local.restart();
  assert.deepEqual(actions(local.turnDraft), []);
  assert.equal(local.turnDraft.turn.allowance.left, 3);
  local.undo();
  assert.deepEqual(actions(local.turnDraft), []);
});

test('an illegal action is refused and changes nothing', () => {
  const local = openDraft(engine, 'fibonacci', FIRST_WIN);
  local.take('c1-b1');
  const { turnDraft } = local;
  assert.throws(() => local.take('a1-a2'), Refused);
  assert.equal(local.turnDraft, turnDraft);
});

test('a whole turn is played, and the desk is that of the other side', () => {
  const local = openDraft(engine, 'fibonacci');
  local.take('b7-c7');
  assert.equal(local.turnDraft.complete, true);
  assert.equal(local.play(), true);
  assert.deepEqual([local.match.n_turns, local.turnDraft.turn.side], [1, 'second']);
  assert.deepEqual(actions(local.turnDraft), []);
  assert.deepEqual(actions(local.match), ['b7-c7']);
});

test('a turn that may end early is played with its end, and an incomplete one is not played', () => {
  const local = openDraft(engine, 'fibonacci', FIRST_WIN);
  assert.equal(local.play(), false);
  local.take('c1-b1');
  assert.equal(earlyEnd(local.turnDraft)?.text, 'end');
  assert.equal(local.play(), true);
  assert.deepEqual(actions(local.match), ['c1-b1', 'end']);

  const mixed = openDraft(engine, 'fibonacci-mixed', FIRST_WIN);
  mixed.take('c1-b1');
  assert.equal(mixed.isPlayable, false);
  assert.equal(mixed.play(), false);
  assert.equal(mixed.match.n_turns, 0);
});

test('whole turns of the other side are played, and turns are taken back', () => {
  const local = openDraft(engine, 'focus-classic');
  const first = texts(local.turnDraft)[0];
  local.playWhole([first]);
  local.playWhole([texts(local.turnDraft)[0]]);
  assert.equal(local.match.n_turns, 2);
  local.rewind(1);
  assert.deepEqual([local.match.n_turns, local.turnDraft.turn.number], [1, 2]);
  assert.deepEqual(actions(local.match), [first]);
});

test('an action that wins is seen at once, and the game is over when its turn is played', () => {
  const local = openDraft(engine, 'fibonacci', FIRST_WIN);
  for (const action of ['e7-e6', 'h7-g6', 'f4-e5']) local.take(action);
  assert.deepEqual(local.outcome, { winner: 'first', reason: 'surround' });
  local.undo();
  assert.equal(local.outcome, null);
  local.take('f4-e5');
  assert.equal(local.play(), true);
  assert.equal(local.match.outcome?.winner, 'first');
  assert.deepEqual([local.turnDraft.legal, local.isPlayable, local.play()], [[], false, false]);
});

test('a turn with a card begins when the card is turned over', () => {
  const local = openDraft(engine, 'fibonacci-cards');
  assert.deepEqual([local.turnDraft.legal, local.isPlayable], [[], false]);
  local.turnOver(2);
  assert.equal(local.turnDraft.turn.allowance.left, 2);
  assert.ok(texts(local.turnDraft).includes('b7-c7'));
});

test('every game has actions to draw up, and a closed desk frees its match', () => {
  for (const ruleset of ['fibonacci-mixed', 'fenix', 'focus', 'focus-classic', 'crossfire']) {
    const local = openDraft(engine, ruleset);
    local.take(texts(local.turnDraft)[0]);
    assert.equal(local.turnDraft.steps.length, 1, ruleset);
    const { id } = local.match;
    local.close();
    assert.throws(() => engine.show(id), Refused);
  }
});

test('a text that is no valid position is refused', () => {
  assert.throws(() => openDraft(engine, 'fibonacci', 'CSSSSS 1 1 1/1'), Refused);
});
