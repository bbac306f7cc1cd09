import assert from 'node:assert/strict';
import { test } from 'node:test';

import { step, turnOf } from './games.js';
import { withAction } from '../../static/play/seat.js';
import { chosen, nextAfter } from '../../static/puzzle/choice.js';
import {
  courseOf,
  isWhole,
  judged,
  momentsOf,
  tried,
  turnAt,
  verdictBy,
  withTrial,
} from '../../static/puzzle/course.js';
import { engine } from './engine.js';

const ROWS = [
  { id: '00000001', ruleset: 'fibonacci', grade: 1 },
  { id: '00000002', ruleset: 'fibonacci', grade: 2 },
  { id: '00000003', ruleset: 'fenix', grade: 1 },
];

const idOf = (row) => row?.id ?? null;

test('puzzles are chosen by game and grade', () => {
  const ids = (wanted) => chosen(ROWS, wanted).map(({ id }) => id);
  assert.deepEqual(ids({ ruleset: '', grade: 0 }), ['00000001', '00000002', '00000003']);
  assert.deepEqual(ids({ ruleset: 'fibonacci', grade: 0 }), ['00000001', '00000002']);
  assert.deepEqual(ids({ ruleset: '', grade: 1 }), ['00000001', '00000003']);
  assert.deepEqual(ids({ ruleset: 'fenix', grade: 2 }), []);
});

test('the next puzzle is the next one that is not solved, from the beginning again after the last', () => {
  assert.equal(idOf(nextAfter(ROWS, '00000001', new Set())), '00000002');
  assert.equal(idOf(nextAfter(ROWS, '00000001', new Set(['00000002']))), '00000003');
  assert.equal(idOf(nextAfter(ROWS, '00000003', new Set())), '00000001');
  assert.equal(idOf(nextAfter(ROWS, 'ffffffff', new Set(['00000001']))), '00000002');
});

test('with all puzzles solved the next one is the next of the list, and there is none without others', () => {
  const all = new Set(ROWS.map(({ id }) => id));
  assert.equal(idOf(nextAfter(ROWS, '00000002', all)), '00000003');
  assert.equal(nextAfter([], '00000001', new Set()), null);
  assert.equal(nextAfter(ROWS.slice(0, 1), '00000001', new Set()), null);
});

const trialOf = (turn, steps = [], complete = false) => ({
  ...{ draft: { steps, turn, may_end: false, complete }, actions: [], groups: [], barred: [] },
  ...{ best_capture: null, outcome: null, position: turn.position },
});
const puzzle = {
  ...{ id: '00000001', ruleset: 'focus', grade: 1, task: { kind: 'win_in_two' } },
  trial: trialOf(turnOf(5, 'first')),
};
const action = {
  ...{ text: 'e4-e5', kind: 'move', from: 'e4', to: 'e5', count: 1, overflow: null, capture: null },
};
const played = () => {
  const drawn = { ...courseOf(puzzle) };
  return { ...drawn, desk: withAction(drawn.desk, action, 'drawn') };
};
const whole = () => withTrial(played(), trialOf(turnOf(5, 'first'), [step('e4-e5', 'after')], true));
const NONE = { reply: null, next: null, solution: null };
const REPLY = { side: 'second', steps: [step('d4-d5', 'replied')] };

test('a turn is judged once the server has confirmed that it is whole', () => {
  assert.equal(isWhole(courseOf(puzzle)), false);
  assert.equal(isWhole(played()), false);
  assert.equal(isWhole(whole()), true);
});

test('the right first of two turns leads to the position after the reply', () => {
  const next = trialOf({ ...turnOf(7, 'first'), position: 'replied' });
  const course = judged(whole(), { ...NONE, verdict: 'continues', reply: REPLY, next });
  assert.deepEqual(course.turns, [['e4-e5']]);
  assert.equal(course.state, 'open');
  assert.equal(course.desk.turn.position, 'replied');
  assert.deepEqual(course.desk.steps, []);
  assert.equal(course.reply, REPLY);
});

test('a failed turn stays on the desk, with the reply that refutes it', () => {
  const course = judged(whole(), { ...NONE, verdict: 'failed', reply: REPLY });
  assert.equal(course.state, 'failed');
  assert.deepEqual(course.turns, []);
  assert.equal(course.desk.steps.length, 1);
  assert.equal(course.reply, REPLY);
});

test('a solved puzzle has the solution, move by move from its position on', () => {
  const solution = [{ side: 'first', steps: [step('e4-e5', 'one'), step('e5-e6', 'two')] }, REPLY];
  const course = judged(whole(), { ...NONE, verdict: 'solved', solution });
  assert.equal(course.state, 'solved');
  assert.deepEqual(course.solution, momentsOf(puzzle, solution));
  const [start, ...moments] = course.solution;
  assert.equal(start.position, puzzle.trial.draft.turn.position);
  assert.deepEqual(
    moments.map(({ position, steps }) => [position, steps.length]),
    [
      ['one', 1],
      ['two', 2],
      ['replied', 1],
    ],
  );
  assert.equal(turnAt(course, moments[1]).position, 'two');
});

/** A real puzzle with the trial that the server would send. */
function realPuzzle(ruleset, position, task) {
  const { id, turn } = engine.open(ruleset, position);
  const trial = { ...engine.choices(id, []), position: turn.position };
  engine.close(id);
  return { id: '00000004', ruleset, grade: 1, task, trial };
}

/** The course after actions that the engine was asked about one by one. */
function drawnUp(start, actions) {
  let course = start;
  for (const text of actions) {
    const legal = course.desk.legal.find((one) => one.text === text);
    course = { ...course, desk: withAction(course.desk, legal, 'drawn') };
    course = withTrial(course, tried(engine, course));
  }
  return course;
}

test('the engine in the page finds what is legal, and judges a puzzle that one turn wins', () => {
  const position = 'C5/7/8/2SSS3p/2P1SS1pp1/3PSc1p3/1PPP1p1p2/P8/8/5s1/sssss1 1 3 3/3';
  const start = courseOf(realPuzzle('fibonacci', position, { kind: 'win_in_turn', moves: 3 }));
  const won = drawnUp(start, ['c5-g7', 'd6-f5', 'e7-g6']);
  assert.ok(isWhole(won));
  assert.equal(verdictBy(won, tried(engine, won).outcome).verdict, 'solved');
  const lost = drawnUp(start, ['c5-g7', 'd6-f5', 'e7-d4']);
  assert.ok(isWhole(lost));
  assert.equal(verdictBy(lost, tried(engine, lost).outcome).verdict, 'failed');
});

test('the second of two turns is tried after the first one and the reply to it', () => {
  const position =
    '.,.,.,./.,.,.,xoxox,.,./.,.,.,.,.,.,.,oxoxx/.,.,.,.,.,.,o,./.,.,.,.,.,xx,oxox,./.,.,x,.,x,ooox,.,./xo,.,ox,.,.,./.,.,.,. 1 63 0 0';
  const start = courseOf(realPuzzle('focus', position, { kind: 'win_in_two' }));
  const first = drawnUp(start, ['d2-b2']);
  assert.equal(verdictBy(first, null), null, 'only the server can tell');
  const { id } = engine.open('focus', position);
  engine.play(id, ['d2-b2']);
  const replied = engine.play(id, ['g5-f5']);
  const next = { ...engine.choices(id, []), position: replied.turn.position };
  const reply = { side: 'second', steps: replied.steps };
  const second = judged(first, { verdict: 'continues', reply, next, solution: null });
  assert.deepEqual(second.past, [['d2-b2'], ['g5-f5']]);
  const won = drawnUp(second, ['f4-f5']);
  assert.equal(tried(engine, won).outcome?.winner, 'first');
  engine.close(id);
});
