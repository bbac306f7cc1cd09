import assert from 'node:assert/strict';
import { test } from 'node:test';

import { readFileSync } from 'node:fs';

import { chosen, nextAfter } from '../../static/puzzle/choice.js';
import { entryOfDay } from '../../static/puzzle/collection.js';
import { openCourse, turnAt } from '../../static/puzzle/attempt.js';
import { engine } from './engine.js';
import { FIRST_WIN } from '../../static/lessons/first-win.js';

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
    position: FIRST_WIN,
    solution: [['e7-e6', 'h7-g6', 'f4-e5']],
  },
};
const IN_TWO = ALL.find(({ task }) => task.kind === 'win_in_two');
/** The course after some actions. */
function drawnUp(entry, actions) {
  const course = openCourse(engine, entry);
  for (const action of actions) {
    assert.equal(course.local.turnDraft.complete, false);
    course.local.take(action);
  }
  return course;
}

test('a puzzle that one turn wins is judged by the outcome of the turn', () => {
  const won = drawnUp(SURROUND, ['e7-e6', 'h7-g6', 'f4-e5']);
  assert.ok(won.local.turnDraft.complete);
  assert.equal(won.judgement().verdict, 'solved');
  const lost = drawnUp(SURROUND, ['e7-e6', 'h7-g6', 'f4-e3']);
  assert.ok(lost.local.turnDraft.complete);
  assert.equal(lost.judgement().verdict, 'failed');
});

test('the right first of two turns leads to the position after the reply, in which the second one wins', () => {
  const [first, reply, second] = IN_TWO.puzzle.solution;
  const course = drawnUp(IN_TWO, first);
  assert.equal(course.judgement(), null, 'the outcome does not decide it');
  course.judge({ verdict: 'continues', reply });
  assert.equal(course.state, 'open');
  assert.deepEqual(course.turns, [first]);
  const { turnDraft } = course.local;
  assert.deepEqual(turnDraft.steps, []);
  assert.equal(turnDraft.turn.position, course.reply.at(-1).position);
  for (const action of second) course.local.take(action);
  assert.equal(course.judgement().verdict, 'solved');
});

test('a failed turn stays as it was drawn up, with the reply that refutes it, until it is taken back', () => {
  const [first, reply] = IN_TWO.puzzle.solution;
  const course = drawnUp(IN_TWO, first);
  course.judge({ verdict: 'failed', reply });
  assert.equal(course.state, 'failed');
  assert.deepEqual(course.turns, []);
  assert.equal(course.local.turnDraft.steps.length, 1);
  assert.deepEqual(
    course.reply.map(({ action }) => action),
    reply,
  );
  assert.ok(course.takeBack());
  assert.deepEqual([course.state, course.reply, course.local.turnDraft.steps], ['open', null, []]);
  assert.equal(course.takeBack(), false, 'there is nothing left');
});

test('a solved puzzle has the solution, move by move from its position on, and can be begun again', () => {
  const course = drawnUp(SURROUND, ['e7-e6', 'h7-g6', 'f4-e5']);
  course.judge({ verdict: 'solved' });
  assert.equal(course.state, 'solved');
  assert.equal(course.takeBack(), false, 'a solved puzzle stays');
  assert.deepEqual(
    course.solution.map(({ steps }) => steps.map(({ action }) => action)),
    [[], ['e7-e6'], ['e7-e6', 'h7-g6'], ['e7-e6', 'h7-g6', 'f4-e5']],
  );
  assert.equal(turnAt(course, course.solution[1]).position, course.solution[1].position);
  course.restart();
  assert.deepEqual([course.state, course.solution, course.local.turnDraft.steps], ['open', null, []]);
  assert.equal(course.local.match.turn.position, SURROUND.puzzle.position);
});
