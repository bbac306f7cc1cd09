import assert from 'node:assert/strict';
import { test } from 'node:test';

import {
  MAX_TURNS,
  areSame,
  firstTooMany,
  isPlayed,
  linesAfter,
  living,
  pruned,
  turnsOf,
} from '../../static/analysis/conditional-lines.js';
import { openStudy } from '../../static/analysis/study.js';
import { actionsOf, allFrom } from '../../static/analysis/tree.js';
import { createTurnSearch } from '../../static/analysis/turn-search.js';
import { gameOf } from '../../static/board/looks.js';
import { takesConditional } from '../../static/session/game-model.js';
import { engine } from './engine.js';
import { GAME } from '../browser/game.js';

const [BLACK, WHITE, BLACK_AGAIN, WHITE_AGAIN] = GAME.turns.slice(2);
const EARLY = ['e10-d6', 'end'];

/** A study after two turns of a game, whose base is where Black is to move. */
function studyAfterTwo() {
  const study = openStudy(engine, 'fibonacci', null);
  for (const actions of GAME.turns.slice(0, 2)) study.playWhole(actions);
  return { study, base: study.here };
}

/** Plays turns from a node. */
function play(study, node, ...turns) {
  study.goTo(node);
  for (const actions of turns) study.playWhole(actions);
  return study.here;
}

const linesOf = ({ study, base }, mine) => linesAfter(base, mine, study.startText);
const shape = (lines) => lines.map(({ kind, lines }) => (lines.length === 0 ? kind : [kind, shape(lines)]));
const actions = (turns) => turns.map((turn) => turn.actions);

test('lines follow each other, and a line without an answer is none yet', () => {
  const tree = studyAfterTwo();
  play(tree.study, tree.base, BLACK, WHITE, BLACK_AGAIN, WHITE_AGAIN);
  play(tree.study, tree.base, EARLY);
  const lines = linesOf(tree, 'second');
  assert.deepEqual(shape(lines), [['stored', ['stored']], 'open']);
  assert.deepEqual(actions(turnsOf(lines)), [WHITE, WHITE_AGAIN]);
  const [{ position }] = turnsOf(lines);
  assert.equal(position, lines[0].ifs[0].move.position, 'the position that the answer waits for');
});

test('of two answers to one position the first counts, whatever led there', () => {
  const tree = studyAfterTwo();
  play(tree.study, tree.base, ['c1-b1', 'e10-d6', 'end'], WHITE);
  const other = play(tree.study, tree.base, ['e10-d6', 'c1-b1', 'end']);
  assert.equal(other.move.position, tree.base.children[0].move.position);
  play(tree.study, other, ['i11-i7', 'end']);
  assert.deepEqual(shape(linesOf(tree, 'second')), ['stored', 'second']);
  play(tree.study, other, WHITE);
  assert.deepEqual(actions(turnsOf(linesOf(tree, 'second'))), [WHITE], 'the same answer is sent once');
});

test('the own turn under way is no conditional turn, and what follows it is', () => {
  const tree = studyAfterTwo();
  play(tree.study, tree.base, BLACK, WHITE, BLACK_AGAIN);
  const lines = linesOf(tree, 'first');
  assert.deepEqual(shape(lines), [['own', ['stored']]]);
  assert.deepEqual(actions(turnsOf(lines)), [BLACK_AGAIN]);
});

test('a removed line takes along what led to it alone', () => {
  const { study, base } = studyAfterTwo();
  const answer = play(study, base, BLACK, WHITE);
  const last = play(study, answer, BLACK_AGAIN, WHITE_AGAIN);
  assert.equal(pruned(base, 'second', last), answer);
  assert.equal(answer.children.length, 0);
  assert.equal(pruned(base, 'second', answer), base);
  assert.equal(base.children.length, 0);
  assert.ok(isPlayed(base, base) && isPlayed(base, study.root) && !isPlayed(base, answer));
});

test('stored turns are left out once their positions, or those before them, can no longer come', () => {
  const tree = studyAfterTwo();
  const { study, base } = tree;
  play(study, base, BLACK, WHITE, BLACK_AGAIN, WHITE_AGAIN);
  play(study, base, EARLY, WHITE, ['c8-c7', 'end'], ['h9-j9', 'end']);
  const turns = turnsOf(linesOf(tree, 'second'));
  assert.equal(turns.length, 4);
  const numberIn = (node) => Number(node.move.position.split(' ')[2]);
  const left = (...played) => {
    const positions = played.map((node) => node.move.position);
    return actions(living(turns, positions, numberIn(played.at(-1))));
  };
  const [main, early] = base.children;
  assert.deepEqual(left(base), actions(turns));
  assert.deepEqual(left(main, main.children[0]), [WHITE_AGAIN]);
  assert.deepEqual(left(early, early.children[0]), [['h9-j9', 'end']]);
});

test('what the server has no room for is found', () => {
  const turn = { position: 'x', actions: ['a1-a2'] };
  assert.equal(firstTooMany(Array(MAX_TURNS).fill(turn)), null);
  assert.equal(firstTooMany(Array(MAX_TURNS + 1).fill(turn)), MAX_TURNS);
  assert.equal(firstTooMany([turn, { ...turn, position: 'x'.repeat(16 * 1024) }]), 1);
  assert.ok(areSame([turn, { ...turn, position: 'y' }], [{ ...turn, position: 'y' }, turn]));
  assert.ok(!areSame([turn], [turn, turn]));
});

test('the turns that lead to a position are found, of one side and of both', () => {
  const { study, base } = studyAfterTwo();
  play(study, base, BLACK, WHITE, BLACK_AGAIN, WHITE_AGAIN);
  const nodes = allFrom(base);
  const budget = { calls: 4_000 };
  const search = createTurnSearch(engine, gameOf('fibonacci').parse, budget);
  for (const [from, to] of [
    [0, 1],
    [1, 2],
    [2, 3],
    [0, 2],
  ]) {
    study.goTo(nodes[from]);
    const { id } = engine.copy(study.local.match.id);
    const found = search([engine.show(id)], nodes[to].move.position);
    assert.ok(found !== null, `${from} to ${to}`);
    let match = engine.show(id);
    for (const actions of found.turns) match = engine.play(id, actions);
    assert.equal(match.turn.position, nodes[to].move.position);
    assert.equal(found.turns.length, to - from);
  }
  study.goTo(base);
  assert.equal(search([study.local.match], study.startText), null, 'no turn leads back');
  const few = createTurnSearch(engine, gameOf('fibonacci').parse, { calls: 1 });
  assert.equal(few([study.local.match], nodes[1].move.position), null, 'the search is bounded');
  assert.ok(budget.calls > 0);
  assert.equal(actionsOf(nodes[1]).length, 3);
});

test('conditional turns are for slow games between two people, once both sides have moved', () => {
  const person = (id) => ({ id, name: id, kind: 'guest' });
  const game = {
    seats: { first: person('a'), second: person('b') },
    present: { status: 'playing' },
    terms: { clock: { kind: 'correspondence', days: 3 } },
    seedHash: null,
    nTurns: 2,
  };
  assert.ok(takesConditional(game));
  for (const change of [
    { seats: { first: person('a'), second: person('a') } },
    { seats: { first: person('a'), second: { ...person('b'), bot: 3 } } },
    { seats: null },
    { present: { status: 'finished' } },
    { terms: { clock: { kind: 'none' } } },
    { seedHash: 'x' },
    { nTurns: 1 },
  ])
    assert.ok(!takesConditional({ ...game, ...change }), JSON.stringify(change));
});
