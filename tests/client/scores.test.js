import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import {
  CLEARLY,
  REVIEW_NODES,
  chanceOf,
  pointsLost,
  swingsOf,
  turnByKey,
} from '../../static/playback/scores.js';

const turn = (score, better = null) => ({
  score,
  better: better === null ? null : { actions: ['b7-c7'], score: better },
});

test('a turn loses the points by which a better one differs, whichever side played it', () => {
  assert.equal(pointsLost(turn(0.28, 0.71)), 43);
  assert.equal(pointsLost(turn(0.71, 0.28)), 43);
  assert.equal(pointsLost(turn(0.5)), 0);
  assert.equal(chanceOf(0.25, 'first'), 0.25);
  assert.equal(chanceOf(0.25, 'second'), 0.75);
});

test('the turning points are the turns that lost the most, in their order', () => {
  const turns = [turn(0.5), turn(0.4, 0.3), turn(0.3, 0.6), turn(0.1, 0.9), turn(0.9)];
  assert.deepEqual(swingsOf({ turns }), [
    { index: 2, points: 30 },
    { index: 3, points: 80 },
  ]);
  const many = Array.from({ length: 30 }, (_, i) => turn(0.2, 0.4 + i / 100));
  assert.deepEqual(
    swingsOf({ turns: many }).map(({ index }) => index),
    [22, 23, 24, 25, 26, 27, 28, 29],
  );
});

test('the keys of the graph go from turn to turn and stay within the game', () => {
  const goals = [
    ['ArrowLeft', 2, 1],
    ['ArrowRight', 2, 3],
    ['ArrowUp', 2, 3],
    ['ArrowDown', 0, -1],
    ['ArrowLeft', -1, -1],
    ['ArrowRight', 11, 11],
    ['PageUp', 0, 10],
    ['PageUp', 5, 11],
    ['PageDown', 5, -1],
    ['Home', 5, -1],
    ['End', 5, 11],
    ['a', 5, null],
    ['toString', 5, null],
  ];
  for (const [key, index, goal] of goals) assert.equal(turnByKey(key, index, 12), goal, `${key} ${index}`);
});

test('this device values a turn as the review of the server does', () => {
  const source = readFileSync(new URL('../../server/src/review/walk.rs', import.meta.url), 'utf8');
  const [, nodes] = /const NODES: u64 = ([\d_]+);/.exec(source);
  assert.equal(REVIEW_NODES, Number(nodes.replaceAll('_', '')));
  const [, clearly] = /const CLEARLY: f32 = ([\d.]+);/.exec(source);
  assert.equal(CLEARLY, Number(clearly));
});
