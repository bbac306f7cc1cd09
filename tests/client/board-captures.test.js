import assert from 'node:assert/strict';
import { test } from 'node:test';

import { distinct, follow, linesAfter, pressCapture } from '../../static/board/captures.js';
import { fenix } from '../../static/board/fenix.js';
import { pickedActions, press } from '../../static/board/input.js';

const action = (text, kind, from, to, more = {}) => ({
  ...{ text, kind, from, to, count: null, overflow: null, capture: null },
  ...more,
});
const refusal = (effect) => {
  assert.equal(effect.type, 'refuse');
  return effect.key;
};

/** A capture by its text and the pieces that it takes. */
const capture = (text, ...overs) => {
  const [from, ...landings] = text.split('x');
  const jumps = landings.map((to, n) => ({ over: overs[n], to }));
  return action(text, 'capture', from, landings.at(-1), { capture: { jumps, discs: jumps.length } });
};

/** From e1 over e2 to e3; from there over d3 or over f3, each to a fork of its own. */
const LINES = [
  capture('e1xe3xc3xc5', 'e2', 'd3', 'c4'),
  capture('e1xe3xg3xg5xe5', 'e2', 'f3', 'g4', 'f5'),
  capture('e1xe3xg3xg5xi5', 'e2', 'f3', 'g4', 'h5'),
];
const hunting = (changes = {}) => ({
  picked: 'e1',
  legal: [...LINES, capture('a1xa3xa5xa7', 'a2', 'a4', 'a6'), action('h1+h2', 'make', 'h1', 'h2')],
  ...{ barred: [], bestCapture: 3, isKingDue: false, count: null, mySide: 'first' },
  pieces: new Map(Object.entries({ e1: 'K', a1: 'S', h1: 'S', h2: 'S', i1: 'S', e2: 's', d3: 's', f3: 's' })),
  sideOf: fenix.sideOf,
  isCentre: fenix.isCentre,
  ...changes,
});
/** The effect of a press in a game with captures, some jumps made and some paths to choose from. */
const pressed = (cell, { jumps = [], choices = [], ...changes } = {}) =>
  pressCapture(hunting(changes), { jumps, choices }, cell) ?? press(hunting(changes), cell);
const landings = (effect) => {
  assert.equal(effect.type, 'jump');
  return effect.jumps.map(({ to }) => to).join(' ');
};
const ends = (lines) => lines.map(({ to }) => to);

test('captures are those that begin with the jumps that were made', () => {
  const all = pickedActions(hunting());
  assert.deepEqual(ends(linesAfter(all, [])), ['c5', 'e5', 'i5']);
  assert.deepEqual(ends(linesAfter(all, [{ over: 'e2', to: 'e3' }])), ['c5', 'e5', 'i5']);
  const right = LINES[1].capture.jumps.slice(0, 2);
  assert.deepEqual(ends(linesAfter(all, right)), ['e5', 'i5']);
  assert.deepEqual(linesAfter(all, [{ over: 'e2', to: 'e4' }]), []);
  assert.deepEqual(linesAfter([action('e1-e2', 'move', 'e1', 'e2')], []), [], 'a move is no capture');
});

test('a press makes the next jump: on the cell to land on, or on the piece to jump over', () => {
  assert.equal(landings(pressed('e3')), 'e3');
  assert.equal(landings(pressed('e2')), 'e3');
  const jumps = LINES[0].capture.jumps.slice(0, 1);
  assert.equal(landings(pressed('g3', { jumps })), 'e3 g3');
  assert.equal(landings(pressed('d3', { jumps })), 'e3 c3');
});

test('a press further on makes all the jumps there if only one set of pieces is taken on the way', () => {
  assert.equal(landings(pressed('c5')), 'e3 c3 c5');
  assert.equal(landings(pressed('g5')), 'e3 g3 g5');
});

test('a capture continues by itself as long as there is nothing to choose', () => {
  const after = (...lines) => follow(lines, []);
  const alone = after(LINES[0]);
  assert.equal(alone.action, LINES[0]);
  assert.deepEqual(alone.jumps, LINES[0].capture.jumps);
  const forked = after(LINES[1], LINES[2]);
  assert.equal(forked.action, null);
  assert.equal(forked.jumps.map(({ to }) => to).join(' '), 'e3 g3 g5');
  assert.equal(after(...LINES).jumps.length, 1);
});

test('lines that take the same pieces and end on the same cell are one and the same', () => {
  const there = capture('e1xe3xg3xg1xe1', 'e2', 'f3', 'g2', 'f1');
  const back = capture('e1xg1xg3xe3xe1', 'f1', 'g2', 'f3', 'e2');
  assert.equal(follow([there, back], []).action, there);
  assert.equal(landings(pressed('g3', { legal: [there, back] })), 'e3 g3 g1 e1', 'and not asked about');
  const other = capture('e1xg1xg3xe3xe1', 'f1', 'g2', 'd3', 'e2');
  assert.equal(follow([there, other], []).action, null);
});

test('if ways that take different pieces lead to a cell, the player is asked, and chooses one by a cell on it', () => {
  const legal = [capture('e1xc1xc3', 'd1', 'c2'), capture('e1xe3xc3', 'e2', 'd3')];
  const asked = pressed('c3', { legal });
  assert.equal(asked.type, 'choose');
  assert.deepEqual(
    asked.choices.map((way) => way.map(({ to }) => to).join(' ')),
    ['c1 c3', 'e3 c3'],
  );
  const { choices } = asked;
  assert.equal(landings(pressed('e3', { legal, choices })), 'e3 c3');
  assert.equal(landings(pressed('d1', { legal, choices })), 'c1 c3');
  assert.equal(pressed('c3', { legal, choices }).type, 'choose', 'the end itself is no answer');
});

test('pressing the piece on its way takes the last jump back, at its start it unpicks', () => {
  const jumps = LINES[0].capture.jumps.slice(0, 1);
  assert.deepEqual(pressed('e3', { jumps }), { type: 'back' });
  assert.deepEqual(pressed('e1'), { type: 'unpick' });
  assert.equal(refusal(pressed('h1', { jumps })), 'board.why.jumping', 'no other piece in between');
});

test('while a capture is compulsory, a piece that may not move names the number of discs to take', () => {
  const refused = pressed('i1', { picked: null });
  assert.equal(refusal(refused), 'board.why.must_capture');
  assert.deepEqual(refused.args, { cell: 'i1', n: 3 });
  assert.equal(refusal(pressed('e9')), 'board.why.must_capture', 'a landing that forfeits the best');
  assert.deepEqual(pressed('h1', { picked: null }), { type: 'pick', cell: 'h1' });
  assert.equal(pressed('h2', { picked: 'h1' }).action.kind, 'make', 'the right to a councillor stays');
  assert.equal(refusal(pressed('e2', { picked: null })), 'board.why.not_yours');
});

test('captures that begin, end and take the same are one to the player', () => {
  const twins = [capture('e1xe3xc3xc1', 'e2', 'd3', 'c2'), capture('e1xc1xc3xc1', 'd3', 'e2', 'c2')];
  assert.deepEqual(distinct([...twins, action('h1+h2', 'make', 'h1', 'h2')]).length, 1);
  assert.deepEqual(ends(distinct([...LINES, LINES[0]])), ['c5', 'e5', 'i5']);
});
