import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Refused } from '../../static/engine/engine.js';
import { layDesk } from '../../static/engine/match-draft.js';
import { earlyEnd } from '../../static/engine/turn-draft.js';
import { engine } from './engine.js';

/** First can win this turn. */
const WINNABLE = 'C5/7/8/2SSS3p/2P1SS1pp1/3PSc1p3/1PPP1p1p2/P8/8/5s1/sssss1 1 3 3/3';

const texts = ({ legal }) => legal.map(({ text }) => text);
const actions = ({ steps }) => steps.map(({ action }) => action);

test('a desk has the legal actions and the groups of the turn from the beginning', () => {
  const { desk, isPlayable } = layDesk(engine, 'fibonacci');
  assert.ok(texts(desk).includes('b7-c7'));
  assert.equal(desk.groups.length, 2);
  assert.equal(desk.turn.allowance.left, 1);
  assert.equal(desk.complete, false);
  assert.equal(isPlayable, false);
});

test('steps are taken, taken back one by one, and all at once', () => {
  const local = layDesk(engine, 'fibonacci', WINNABLE);
  local.take('c1-b1');
  local.take('b1-c1');
  assert.deepEqual(actions(local.desk), ['c1-b1', 'b1-c1']);
  assert.equal(local.desk.turn.allowance.left, 1);
  local.undo();
  assert.deepEqual(actions(local.desk), ['c1-b1']);
  local.take('b1-b2');
  local.restart();
  assert.deepEqual(actions(local.desk), []);
  assert.equal(local.desk.turn.allowance.left, 3);
  local.undo();
  assert.deepEqual(actions(local.desk), []);
});

test('an illegal action is refused and changes nothing', () => {
  const local = layDesk(engine, 'fibonacci', WINNABLE);
  local.take('c1-b1');
  const { desk } = local;
  assert.throws(() => local.take('a1-a2'), Refused);
  assert.equal(local.desk, desk);
});

test('a whole turn is played, and the desk is that of the other side', () => {
  const local = layDesk(engine, 'fibonacci');
  local.take('b7-c7');
  assert.equal(local.desk.complete, true);
  assert.equal(local.play(), true);
  assert.deepEqual([local.match.n_turns, local.desk.turn.side], [1, 'second']);
  assert.deepEqual(actions(local.desk), []);
  assert.deepEqual(actions(local.match), ['b7-c7']);
});

test('a turn that may end early is played with its end, and an incomplete one is not played', () => {
  const local = layDesk(engine, 'fibonacci', WINNABLE);
  assert.equal(local.play(), false);
  local.take('c1-b1');
  assert.equal(earlyEnd(local.desk)?.text, 'end');
  assert.equal(local.play(), true);
  assert.deepEqual(actions(local.match), ['c1-b1', 'end']);

  const mixed = layDesk(engine, 'fibonacci-mixed', WINNABLE);
  mixed.take('c1-b1');
  assert.equal(mixed.isPlayable, false);
  assert.equal(mixed.play(), false);
  assert.equal(mixed.match.n_turns, 0);
});

test('whole turns of the other side are played, and turns are taken back', () => {
  const local = layDesk(engine, 'focus-classic');
  const first = texts(local.desk)[0];
  local.playWhole([first]);
  local.playWhole([texts(local.desk)[0]]);
  assert.equal(local.match.n_turns, 2);
  local.rewind(1);
  assert.deepEqual([local.match.n_turns, local.desk.turn.number], [1, 2]);
  assert.deepEqual(actions(local.match), [first]);
});

test('an action that wins is seen at once, and the game is over when its turn is played', () => {
  const local = layDesk(engine, 'fibonacci', WINNABLE);
  for (const action of ['c5-g7', 'd6-f5', 'e7-g6']) local.take(action);
  assert.deepEqual(local.outcome, { winner: 'first', reason: 'surround' });
  local.undo();
  assert.equal(local.outcome, null);
  local.take('e7-g6');
  assert.equal(local.play(), true);
  assert.equal(local.match.outcome?.winner, 'first');
  assert.deepEqual([local.desk.legal, local.isPlayable, local.play()], [[], false, false]);
});

test('a turn with a card begins when the card is turned over', () => {
  const local = layDesk(engine, 'fibonacci-cards');
  assert.deepEqual([local.desk.legal, local.isPlayable], [[], false]);
  local.turnOver(2);
  assert.equal(local.desk.turn.allowance.left, 2);
  assert.ok(texts(local.desk).includes('b7-c7'));
});

test('every game has actions to draw up, and a closed desk frees its match', () => {
  for (const ruleset of ['fibonacci-mixed', 'fenix', 'focus', 'focus-classic', 'crossfire']) {
    const local = layDesk(engine, ruleset);
    local.take(texts(local.desk)[0]);
    assert.equal(local.desk.steps.length, 1, ruleset);
    const { id } = local.match;
    local.close();
    assert.throws(() => engine.show(id), Refused);
  }
});

test('a text that is no valid position is refused', () => {
  assert.throws(() => layDesk(engine, 'fibonacci', 'CSSSSS 1 1 1/1'), Refused);
});
