import assert from 'node:assert/strict';
import { test } from 'node:test';

import { createShadow } from '../../static/engine/shadow.js';
import { Refused } from '../../static/engine/engine.js';
import { engine } from './engine.js';

/** A game as the page has it, after some turns: each is its card and its actions. */
function gameOf(ruleset, turns) {
  let state = engine.open(ruleset);
  const { id } = state;
  const start = state.turn.position;
  const played = turns.map(([card, ...actions]) => {
    if (card !== null) state = engine.turnOver(id, card);
    const { number, side } = state.turn;
    state = engine.play(id, actions);
    return { number, side, card, steps: state.steps };
  });
  engine.close(id);
  const version = 2 + played.length;
  const present = { status: 'playing', turn: state.turn };
  return { ruleset, start, turns: played, version, since: version, present };
}

function refuse(code) {
  return () => {
    throw new Refused({ code });
  };
}

const texts = ({ actions }) => actions.map(({ text }) => text);

test('the page finds the legal actions of a game by itself', () => {
  const shadow = createShadow(engine);
  const game = gameOf('fibonacci', [[null, 'b7-c7']]);
  const choices = shadow.choices(game, ['j5-i5']);
  assert.equal(choices.draft.turn.allowance.left, 1);
  assert.equal(choices.draft.may_end, true);
  assert.ok(texts(choices).includes('i5-h5') && texts(choices).includes('end'));
});

test('turns that were taken back do not count', () => {
  const shadow = createShadow(engine);
  shadow.choices(
    gameOf('crossfire', [
      [null, 'a5-b4'],
      [null, 'b6-c5'],
    ]),
    [],
  );
  const again = shadow.choices(gameOf('crossfire', [[null, 'a5-b4']]), []);
  assert.equal(again.draft.turn.number, 2);
});

test('an action that is illegal, or a position that differs, is for the server to judge', () => {
  const shadow = createShadow(engine);
  const game = gameOf('fibonacci', []);
  assert.equal(shadow.choices(game, ['a1-a2']), null);
  assert.notEqual(shadow.choices(game, []), null);
  const other = {
    ...game,
    present: { ...game.present, turn: { ...game.present.turn, position: 'another' } },
  };
  assert.equal(shadow.choices(other, []), null);
  assert.equal(shadow.choices(game, []), null, 'an engine that was wrong once is not asked again');
});

test('the card of the turn sets the allowance', () => {
  const shadow = createShadow(engine);
  const game = gameOf('fibonacci-cards', [[2, 'b7-c7', 'c7-d7']]);
  const { turn } = game.present;
  const dealt = { ...turn, position: turn.position.replace('0/0', '3/3'), cards: { ...turn.cards, card: 3 } };
  const choices = shadow.choices({ ...game, present: { status: 'playing', turn: dealt } }, []);
  assert.equal(choices.draft.turn.allowance.left, 3);
});

test('a message with turns that the page has changes no clock', () => {
  const shadow = createShadow(engine);
  const game = { ...gameOf('crossfire', [[null, 'a5-b4']]), version: 3 };
  const turn = { at_ms: 1, actions: 'a5-b4', ms: [1_000, 59_000, 60_000] };
  const { position } = game.present.turn;
  const message = { type: 'events', game: 'g', version: 3, events: [turn], position };
  const { events, present } = shadow.read(game, message);
  assert.deepEqual(events, []);
  assert.deepEqual(present.clock, { first_ms: 59_000, second_ms: 60_000, running: 'second', free_ms: 0 });
});

test('a draft that too many actions could follow is not shown, and its game goes on', () => {
  const crowded = { ...engine, choices: refuse('too_many') };
  const shadow = createShadow(crowded);
  const game = gameOf('fenix', []);
  const { version } = game;
  const { type, draft } = shadow.read(game, { type: 'draft', game: 'g', version, draft: ['a1-a2'] });
  assert.deepEqual([type, draft], ['draft', null]);
  crowded.choices = engine.choices;
  assert.notEqual(shadow.choices(game, []), null);
});
