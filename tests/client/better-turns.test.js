import assert from 'node:assert/strict';
import { test } from 'node:test';

import { openDraft } from '../../static/engine/match-draft.js';
import { momentInstead, stepsFrom } from '../../static/playback/better-turns.js';
import { writtenAction } from '../../static/board/speech.js';
import { CARDS_START } from './games.js';
import { engine } from './engine.js';

const TURNS = [['f11-c6'], ['g2-i6', 'i6-k6']];
const BETTER = ['e10-d6', 'b7-a6', 'end'];

/** The text of the position after some turns. */
function positionAfter(turns) {
  const draft = openDraft(engine, 'fibonacci');
  for (const turn of turns) draft.playWhole(turn);
  const { position } = draft.match.turn;
  draft.close();
  return position;
}

test('the steps of a turn are those that the engine plays, and an illegal turn has none', () => {
  const before = { position: positionAfter(TURNS), card: null };
  const steps = stepsFrom(engine, 'fibonacci', before, BETTER);
  assert.deepEqual(
    steps.map(({ action }) => action),
    BETTER,
  );
  assert.deepEqual(
    steps.map((step) => writtenAction(step, (key) => key)),
    ['e10-d6', 'b7↔a6', 'action.end'],
    'a swap is written as the turns of a game are',
  );
  assert.equal(stepsFrom(engine, 'fibonacci', before, ['e10-e10']), null);
});

test('a turn with a card is played with the card of the turn that was played', () => {
  const steps = (card) => stepsFrom(engine, 'fibonacci-cards', { position: CARDS_START, card }, ['f11-c6']);
  assert.equal(steps(1)?.length, 1);
  assert.equal(steps(2), null, 'with a card of two moves it is no whole turn');
});

test('a moment of a better turn has the position before the turn and its first moves', () => {
  const start = positionAfter([]);
  const [after, later] = [positionAfter(TURNS.slice(0, 1)), positionAfter(TURNS)];
  const moment = {
    cards: null,
    tookMs: 0,
    time: null,
    actions: 1,
    steps: [],
    taken: { first: 0, second: 0 },
  };
  const all = [
    { ...moment, turn: 1, action: 0, side: 'first', position: start },
    { ...moment, turn: 1, action: 1, side: 'first', position: after },
    { ...moment, turn: 2, action: 1, side: 'second', position: 'between', taken: { first: 0, second: 2 } },
    { ...moment, turn: 2, action: 2, side: 'second', position: later },
  ];
  const steps = stepsFrom(engine, 'fibonacci', { position: after, card: null }, TURNS[1]);
  const none = momentInstead(all, all[3], steps, 0);
  assert.deepEqual([none.turn, none.side, none.position, none.steps], [2, 'second', after, []]);
  const one = momentInstead(all, all[3], steps, 1);
  assert.equal(one.position, steps[0].position);
  assert.deepEqual(one.taken, { first: 0, second: 0 }, 'the captures of the turn played do not count');
  assert.equal(momentInstead(all, all[1], steps, 0).position, start);
});
