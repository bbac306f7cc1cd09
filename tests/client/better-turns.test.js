import assert from 'node:assert/strict';
import { test } from 'node:test';

import { openDraft } from '../../static/engine/match-draft.js';
import { momentInstead, stepsInstead } from '../../static/playback/better-turns.js';
import { writtenAction } from '../../static/board/speech.js';
import { engine } from './engine.js';

const RULESETS = [
  'fibonacci',
  'fibonacci-mixed',
  'fibonacci-cards',
  'fenix',
  'focus',
  'focus-classic',
  'crossfire',
];

const BETTER = ['e10-d6', 'b7-a6', 'end'];

/** A game whose turns are played by the engine: of each the first legal actions, or those that are given. */
function played(ruleset, n, given = []) {
  const draft = openDraft(engine, ruleset);
  const start = draft.match.turn.position;
  const turns = [];
  for (let index = 0; index < n; index++) {
    const { side, number, cards } = draft.match.turn;
    const card = cards === null ? null : (index % 3) + 1;
    if (card !== null) draft.turnOver(card);
    if (given[index] !== undefined) draft.playWhole(given[index]);
    else {
      while (!draft.turnDraft.complete)
        draft.take(draft.turnDraft.legal.find(({ kind }) => kind !== 'end').text);
      draft.play();
    }
    turns.push({ number, side, card, steps: draft.match.steps });
  }
  draft.close();
  return { ruleset, start, turns };
}

const OPENING = [['f11-c6'], ['g2-i6', 'i6-k6']];
const actionsOf = (steps) => steps.map(({ action }) => action);

for (const ruleset of RULESETS) {
  test(`turns in place of those of a game have the steps that they would have in it: ${ruleset}`, () => {
    const game = played(ruleset, 8);
    const all = game.turns.map(({ steps }) => steps);
    assert.deepEqual(stepsInstead(engine, game, all.map(actionsOf)), all);
  });
}

test('a turn is told as those of the game are, and an illegal one has no steps', () => {
  const game = played('fibonacci', 3, OPENING);
  const [none, illegal, steps] = stepsInstead(engine, game, [null, ['a1-a1'], BETTER]);
  assert.deepEqual([none, illegal], [null, null]);
  assert.deepEqual(
    steps.map((step) => writtenAction(step, (key) => key)),
    ['e10-d6', 'b7↔a6', 'action.end'],
  );
});

test('after a turn that the rules of today refuse there are no steps', () => {
  const game = played('fibonacci', 3, OPENING);
  game.turns[1].steps = [{ ...game.turns[1].steps[0], action: 'a1-a1' }];
  const steps = stepsInstead(engine, game, [OPENING[0], OPENING[1], BETTER]);
  assert.deepEqual(
    steps.map((one) => one?.length ?? null),
    [1, 2, null],
  );
});

test('a moment of a better turn has the position before the turn and its first moves', () => {
  const game = played('fibonacci', 3, OPENING);
  const [first, second] = game.turns.map(({ steps }) => steps);
  const moment = {
    cards: null,
    tookMs: 0,
    time: null,
    actions: 1,
    steps: [],
    taken: { first: 0, second: 0 },
  };
  const all = [
    { ...moment, turn: 1, action: 0, side: 'first', position: game.start },
    { ...moment, turn: 1, action: 1, side: 'first', position: first[0].position },
    { ...moment, turn: 2, action: 1, side: 'second', position: 'between', taken: { first: 0, second: 2 } },
    { ...moment, turn: 2, action: 2, side: 'second', position: second[1].position },
  ];
  const none = momentInstead(all, all[3], second, 0);
  assert.deepEqual([none.turn, none.side, none.position, none.steps], [2, 'second', first[0].position, []]);
  const one = momentInstead(all, all[3], second, 1);
  assert.equal(one.position, second[0].position);
  assert.deepEqual(one.taken, { first: 0, second: 0 }, 'the captures of the turn played do not count');
  assert.equal(momentInstead(all, all[1], second, 0).position, game.start);
});
