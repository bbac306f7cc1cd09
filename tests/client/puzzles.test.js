import assert from 'node:assert/strict';
import { test } from 'node:test';

import { readFileSync } from 'node:fs';

import { withAction } from '../../static/play/seat.js';
import { chosen, nextAfter } from '../../static/puzzle/choice.js';
import { entryOfDay } from '../../static/puzzle/collection.js';
import {
  courseOf,
  isWhole,
  judged,
  judgementBy,
  opened,
  solutionOf,
  tried,
  turnAt,
  withChoices,
} from '../../static/puzzle/course.js';
import { engine } from './engine.js';

const ENTRIES = [
  { ruleset: 'fibonacci', puzzle: { id: '00000001', grade: 1 } },
  { ruleset: 'fibonacci', puzzle: { id: '00000002', grade: 2 } },
  { ruleset: 'fenix', puzzle: { id: '00000003', grade: 1 } },
];

const ALL = JSON.parse(readFileSync(new URL('../../static/puzzle/puzzles.json', import.meta.url), 'utf8'));

const idOf = (entry) => entry?.puzzle.id ?? null;

test('puzzles are chosen by game and grade', () => {
  const ids = (wanted) => chosen(ENTRIES, wanted).map(idOf);
  assert.deepEqual(ids({ ruleset: '', grade: 0 }), ['00000001', '00000002', '00000003']);
  assert.deepEqual(ids({ ruleset: 'fibonacci', grade: 0 }), ['00000001', '00000002']);
  assert.deepEqual(ids({ ruleset: '', grade: 1 }), ['00000001', '00000003']);
  assert.deepEqual(ids({ ruleset: 'fenix', grade: 2 }), []);
});

test('the next puzzle is the next one that is not solved, from the beginning again after the last', () => {
  assert.equal(idOf(nextAfter(ENTRIES, '00000001', new Set())), '00000002');
  assert.equal(idOf(nextAfter(ENTRIES, '00000001', new Set(['00000002']))), '00000003');
  assert.equal(idOf(nextAfter(ENTRIES, '00000003', new Set())), '00000001');
  assert.equal(idOf(nextAfter(ENTRIES, 'ffffffff', new Set(['00000001']))), '00000002');
});

test('with all puzzles solved the next one is the next of the list, and there is none without others', () => {
  const all = new Set(ENTRIES.map(idOf));
  assert.equal(idOf(nextAfter(ENTRIES, '00000002', all)), '00000003');
  assert.equal(nextAfter([], '00000001', new Set()), null);
  assert.equal(nextAfter(ENTRIES.slice(0, 1), '00000001', new Set()), null);
});

test('each day has a puzzle, of another ruleset than the day before, and each puzzle has its day', () => {
  const days = Array.from({ length: 7 * 200 }, (_, day) => entryOfDay(ALL, 20_000 + day));
  assert.equal(new Set(days.map(idOf)).size, ALL.length);
  for (const [index, { ruleset }] of days.slice(1).entries()) assert.notEqual(ruleset, days[index].ruleset);
});

const SURROUND = {
  ruleset: 'fibonacci',
  task: { kind: 'win_in_turn', moves: 3 },
  puzzle: {
    ...{ id: '00000004', grade: 1, nodes: 1 },
    position: 'C5/7/8/2SSS3p/2P1SS1pp1/3PSc1p3/1PPP1p1p2/P8/8/5s1/sssss1 1 3 3/3',
    solution: [['c5-g7', 'd6-f5', 'e7-g6']],
  },
};
const IN_TWO = ALL.find(({ task }) => task.kind === 'win_in_two');
const start = (entry) => courseOf(opened(engine, entry));

/** The course after actions that the engine was asked about one by one. */
function drawnUp(start, actions) {
  let course = start;
  for (const text of actions) {
    const legal = course.desk.legal.find((one) => one.text === text);
    course = { ...course, desk: withAction(course.desk, legal, 'drawn') };
    assert.equal(isWhole(course), false, 'it is not whole before the engine has confirmed it');
    course = withChoices(course, tried(engine, course));
  }
  return course;
}

const judgedBy = (course) => judgementBy(course, tried(engine, course).outcome);

test('a puzzle that one turn wins is judged by the outcome of the turn', () => {
  const won = drawnUp(start(SURROUND), ['c5-g7', 'd6-f5', 'e7-g6']);
  assert.ok(isWhole(won));
  assert.equal(judgedBy(won).verdict, 'solved');
  const lost = drawnUp(start(SURROUND), ['c5-g7', 'd6-f5', 'e7-d4']);
  assert.ok(isWhole(lost));
  assert.equal(judgedBy(lost).verdict, 'failed');
});

test('the right first of two turns leads to the position after the reply, in which the second one wins', () => {
  const [first, reply, second] = IN_TWO.puzzle.solution;
  const begun = drawnUp(start(IN_TWO), first);
  assert.equal(judgedBy(begun), null, 'the outcome does not tell');
  const course = judged(engine, begun, { verdict: 'continues', reply });
  assert.equal(course.state, 'open');
  assert.deepEqual([course.turns, course.past], [[first], [first, reply]]);
  assert.deepEqual(course.desk.steps, []);
  assert.equal(course.desk.turn.position, course.reply.at(-1).position);
  assert.equal(judgedBy(drawnUp(course, second)).verdict, 'solved');
});

test('a failed turn stays on the desk, with the reply that refutes it', () => {
  const [first, reply] = IN_TWO.puzzle.solution;
  const course = judged(engine, drawnUp(start(IN_TWO), first), { verdict: 'failed', reply });
  assert.equal(course.state, 'failed');
  assert.deepEqual(course.turns, []);
  assert.equal(course.desk.steps.length, 1);
  assert.deepEqual(
    course.reply.map(({ action }) => action),
    reply,
  );
});

test('a solved puzzle has the solution, move by move from its position on', () => {
  const course = judged(engine, drawnUp(start(SURROUND), ['c5-g7', 'd6-f5', 'e7-g6']), { verdict: 'solved' });
  assert.equal(course.state, 'solved');
  assert.deepEqual(course.solution, solutionOf(engine, course.puzzle));
  assert.deepEqual(
    course.solution.map(({ steps }) => steps.map(({ action }) => action)),
    [[], ['c5-g7'], ['c5-g7', 'd6-f5'], ['c5-g7', 'd6-f5', 'e7-g6']],
  );
  assert.equal(turnAt(course, course.solution[1]).position, course.solution[1].position);
});
