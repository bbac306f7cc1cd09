import assert from 'node:assert/strict';
import { test } from 'node:test';

import { fold } from '../../static/session/game-model.js';
import { goalOf, momentAt, moments, readTurn, turnFrom } from '../../static/session/moments.js';
import { START, afterThree, begun, news, played, playing, step, turnOf, CARDS_START } from './games.js';

test('a game has a moment for its start and one for each action', () => {
  const all = moments(afterThree);
  assert.deepEqual(
    all.map(({ turn, action }) => `${turn}.${action}`),
    ['1.0', '1.1', '2.1', '2.2', '3.1', '3.2'],
  );
  assert.equal(all[0].position, START);
  assert.equal(all[3].steps.length, 2);
});

test('a link names a moment, or the nearest before it', () => {
  const all = moments(afterThree);
  const at = (hash) => {
    const { turn, action } = all[momentAt(all, hash)];
    return `${turn}.${action}`;
  };
  assert.equal(at('#2.1'), '2.1');
  assert.equal(at('#2'), '2.2', 'a turn alone is its end');
  assert.equal(at('#2.0'), '1.1', 'before its first action a turn is the end of the last');
  assert.equal(at('#9.9'), '3.2');
  assert.equal(at('#0.0'), '1.0');
  for (const hash of ['', '#', '#x.y', '#-1']) assert.equal(at(hash), '1.0', hash);
});

test('going by turns stops where turns end', () => {
  const all = moments(afterThree);
  const walk = (from, by) => {
    const way = [];
    for (let at = from; ; ) {
      const next = turnFrom(all, at, by);
      if (next === at) return way;
      at = next;
      way.push(`${all[at].turn}.${all[at].action}`);
    }
  };
  assert.deepEqual(walk(0, 1), ['1.1', '2.2', '3.2']);
  assert.deepEqual(walk(5, -1), ['2.2', '1.1', '1.0']);
  assert.deepEqual(walk(4, -1), ['2.2', '1.1', '1.0']);
});

test('the fields after the board of a position are read in every game', () => {
  const { side, number, reserves, owed, quiet } = readTurn('x 2 8 3/4', null);
  assert.deepEqual([side, number, reserves, owed, quiet], ['second', 8, null, null, null]);
  assert.deepEqual(readTurn('x 1 7 2 0', null).reserves, { first: 2, second: 0 }, 'stacks');
  const fenix = readTurn('x 2 40 - 12', { turns: 99, limit: 100 });
  assert.deepEqual([fenix.owed, fenix.quiet, fenix.reserves], [null, { turns: 12, limit: 100 }, null]);
  assert.deepEqual(readTurn('x 1 41 K 0', null).owed, { kind: 'king', must: true });
  assert.deepEqual(readTurn('x 1 41 C 0', null).owed, { kind: 'councillor', must: false });
});

test('captures of a side are added up over its turns and through the moments', () => {
  const turns = [
    { number: 1, side: 'first', card: null, steps: [{ ...step('d5xd7', 'a'), taken: ['d6'] }] },
    {
      number: 2,
      side: 'second',
      card: null,
      steps: [{ ...step('e1-e3', 'b'), overflow: { reserved: 1, captured: 2 } }],
    },
    { number: 3, side: 'first', card: null, steps: [{ ...step('a1xa3xa5', 'c'), taken: ['a2', 'a4'] }] },
  ];
  const game = { ...begun, turns };
  assert.deepEqual(
    moments(game).map(({ taken }) => `${taken.first}:${taken.second}`),
    ['0:0', '1:0', '1:2', '3:2'],
  );
});

/** A game with cards in which the cards of some turns were played, and perhaps another lies face up. */
function dealt(cards, { first = 1, face = null } = {}) {
  const turns = cards.map((card, i) => {
    const number = first + i;
    return { number, side: number % 2 === 1 ? 'first' : 'second', steps: [step('b7-c7', '')], card };
  });
  const known = { card: face, first: null, second: null };
  const turn = { ...turnOf(first + cards.length, 'first', 1), cards: known };
  return { ...begun, start: CARDS_START, turns, present: playing(2, turn) };
}
const left = ({ cards }) => [cards.first, cards.second].map((pack) => `${pack.left.join('')}+${pack.unseen}`);

test('moments have the card of their turn and the rest of both packs (RULES 1.17)', () => {
  const all = moments(dealt([5, 2, 5]));
  assert.deepEqual(
    all.map(({ cards }) => cards.card),
    [5, 5, 2, 5],
  );
  assert.deepEqual(left(all[0]), ['222212+0', '222222+0']);
  assert.deepEqual(left(all[2]), ['222212+0', '212222+0']);
  assert.deepEqual(left(all[3]), ['222202+0', '212222+0']);
});

test('before the first turn the card that lies face up is shown, and none before it is turned over', () => {
  const [shown] = moments(dealt([], { face: 4 }));
  assert.equal(shown.cards.card, 4);
  assert.deepEqual(left(shown), ['222122+0', '222222+0']);
  const [waiting] = moments(dealt([]));
  assert.equal(waiting.cards.card, null);
  assert.deepEqual(left(waiting), ['222222+0', '222222+0']);
});

test('a pack is whole again when all twelve are gone', () => {
  const round = [1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6];
  const all = moments(dealt(round.flatMap((card) => [card, card]).concat([6])));
  assert.deepEqual(left(all[24]), ['000000+0', '000000+0']);
  assert.deepEqual(left(all[25]), ['222221+0', '000000+0']);
});

test('of cards that went before the start text only the number is known', () => {
  const [first, second] = moments(dealt([3, 6], { first: 6 }));
  assert.deepEqual(left(first), ['222222+3', '221222+2']);
  assert.deepEqual(left(second), ['222222+3', '221222+2']);
  assert.deepEqual(left(moments(dealt([3, 6], { first: 6 }))[2]), ['222221+3', '221222+2']);
});

test('a game without cards shows none', () => {
  assert.deepEqual([...new Set(moments(afterThree).map(({ cards }) => cards))], [null]);
});

test('a moment has the duration of its turn, and both clocks after the last whole turn', () => {
  const left = (first_ms, second_ms) => ({ first_ms, second_ms });
  const [a, b] = [played(3, 1, 'first', 'b7-c7'), played(4, 2, 'second', 'j6-j7', 'j5-i5')];
  const timed = [
    { ...a, took_ms: 4_000, time: left(300_000, 300_000) },
    { ...b, took_ms: 9_000, time: left(300_000, 291_000) },
  ];
  const all = moments(fold(begun, news('events', timed, playing(4, turnOf(3, 'first', 3)))));
  assert.deepEqual(
    all.map(({ tookMs, actions }) => `${tookMs} ${actions}`),
    ['0 0', '4000 1', '9000 2', '9000 2'],
  );
  assert.deepEqual(
    all.map(({ time }) => time?.second_ms ?? null),
    [null, 300_000, 300_000, 291_000],
  );
});

test('keys lead by action and by turn, and to both ends', () => {
  const all = moments(afterThree);
  const at = all.findIndex(({ turn, action }) => turn === 2 && action === 1);
  const goals = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End', 'a'].map((key) =>
    goalOf(key, all, at),
  );
  assert.deepEqual(goals, [at - 1, at + 1, 1, 3, 0, all.length - 1, null]);
  assert.equal(goalOf('Shift+ArrowLeft', all, at), goalOf('ArrowUp', all, at));
});
