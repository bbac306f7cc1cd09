import assert from 'node:assert/strict';
import { test } from 'node:test';

import {
  fold,
  outcomeOf,
  kindOf,
  sideOf,
  stepsBetween,
  takenIn,
  turnLines,
  withDraft,
  withName,
} from '../../static/session/game-model.js';
import { moments } from '../../static/session/moments.js';
import {
  afterThree,
  anna,
  begun,
  ben,
  created,
  news,
  opened,
  played,
  playing,
  started,
  step,
  turnOf,
} from './games.js';

test('a room is folded, then the game that begins in it', () => {
  assert.equal(opened.seats, null);
  assert.equal(sideOf(opened, anna), null);
  assert.deepEqual(begun.seats, { first: anna, second: ben });
  assert.equal(sideOf(begun, ben), 'second');
  assert.equal(sideOf(begun, { id: 'carl', name: 'Ben' }), null, 'a name is no identity');
  assert.equal(begun.version, 2);
});

test('events that are known already change nothing', () => {
  const again = fold(
    afterThree,
    news('events', [started, played(3, 1, 'first', 'b7-c7')], playing(5, turnOf(4, 'second', 4))),
  );
  assert.deepEqual(again, afterThree);
});

test('a gap in the versions is seen, in between and at the end', () => {
  assert.equal(
    fold(begun, news('events', [played(4, 1, 'first', 'b7-c7')], playing(4, turnOf(2, 'second', 2)))),
    null,
  );
  assert.equal(fold(begun, news('events', [], playing(3, turnOf(2, 'second', 2)))), null);
  assert.equal(fold(null, news('events', [started], playing(2, turnOf(1, 'first', 1)))), null);
});

test('a snapshot replaces the known state', () => {
  const fresh = fold(afterThree, news('snapshot', [created, started], playing(2, turnOf(1, 'first', 1))));
  assert.deepEqual(fresh, begun);
});

test('a draft counts only for its own version', () => {
  const draft = { steps: [step('b7-c7', 'x')], turn: turnOf(1, 'first', 1), may_end: false, complete: true };
  assert.equal(withDraft(begun, { type: 'draft', game: 'g', version: 2, draft }).draft, draft);
  assert.equal(withDraft(begun, { type: 'draft', game: 'g', version: 1, draft }).draft, null);
});

test('only a finished game has an outcome', () => {
  assert.equal(outcomeOf(begun), null);
  const outcome = { winner: 'first', reason: 'resign' };
  const over = fold(
    begun,
    news(
      'events',
      [
        { type: 'resigned', version: 3, at_ms: 3, side: 'second' },
        { type: 'ended', version: 4, at_ms: 3, outcome },
      ],
      {
        status: 'finished',
        version: 4,
        turn: turnOf(1, 'first', 1),
        outcome,
      },
    ),
  );
  assert.deepEqual(outcomeOf(over), outcome);
});

const event = (version, type, more) => ({ type, version, at_ms: version, ...more });
const takenBack = (version, turns) => event(version, 'turns_taken_back', { turns, side: 'second' });

test('a turn that was taken back no longer counts, and can be played again', () => {
  const back = fold(afterThree, news('events', [takenBack(6, 2)], playing(6, turnOf(2, 'second', 2))));
  assert.deepEqual(
    back.turns.map(({ number }) => number),
    [1],
  );
  assert.equal(back.version, 6);
  assert.equal(back.since, 6, 'the board has changed');
  assert.deepEqual(
    moments(back).map(({ turn, action }) => `${turn}.${action}`),
    ['1.0', '1.1'],
  );
  const anew = played(7, 2, 'second', 'j6-j7', 'j7-j8');
  const now = fold(back, news('events', [anew], playing(7, turnOf(3, 'first', 3))));
  assert.deepEqual(
    now.turns.map(({ number, version }) => `${number} ${version}`),
    ['1 3', '2 7'],
  );
  const whole = fold(
    null,
    news(
      'snapshot',
      [
        created,
        started,
        played(3, 1, 'first', 'b7-c7'),
        played(4, 2, 'second', 'j6-j7', 'j5-i5'),
        played(5, 3, 'first', 'c8-c7', 'end'),
        takenBack(6, 2),
        anew,
      ],
      playing(7, turnOf(3, 'first', 3)),
    ),
  );
  assert.deepEqual(whole, now, 'told at once or bit by bit');
});

test('events beside the board have their place among the turns and leave the board as it is', () => {
  const offered = event(6, 'offered', { what: 'takeback', side: 'first' });
  const credited = event(7, 'time_credited', { side: 'second', ms: 41_500 });
  const told = fold(afterThree, news('events', [offered, credited], playing(7, turnOf(4, 'second', 4))));
  assert.equal(told.version, 7);
  assert.equal(told.since, 5);
  assert.deepEqual(told.turns, afterThree.turns);
  const place = ({ after, event: { type } }) => `${after} ${type}`;
  assert.deepEqual(told.notes.map(place), ['3 offered', '3 time_credited']);
  const back = fold(told, news('events', [takenBack(8, 1)], playing(8, turnOf(3, 'first', 3))));
  assert.deepEqual(back.notes.map(place), ['2 offered', '2 time_credited', '2 turns_taken_back']);
});

test('a draft of the turn under way counts also when something beside the board came after it', () => {
  const draft = { steps: [], turn: turnOf(1, 'first', 1), may_end: false, complete: false };
  const offered = event(3, 'offered', { what: 'draw', side: 'first' });
  const told = fold(begun, news('events', [offered], playing(3, turnOf(1, 'first', 1))));
  for (const version of [2, 3])
    assert.equal(withDraft(told, { type: 'draft', game: 'g', version, draft }).draft, draft);
  for (const version of [1, 4])
    assert.equal(withDraft(told, { type: 'draft', game: 'g', version, draft }).draft, null);
});

test('turns that the numbers leave out are shown as skipped, by the side whose they were', () => {
  const turns = [
    { number: 1, side: 'first', steps: [], card: null },
    { number: 2, side: 'second', steps: [], card: null },
    { number: 4, side: 'second', steps: [], card: null },
  ];
  const lines = turnLines(turns, 7).map(({ number, side, skipped }) => `${number} ${side} ${skipped}`);
  assert.deepEqual(lines, [
    '1 first false',
    '2 second false',
    '3 first true',
    '4 second false',
    '5 first true',
    '6 second true',
  ]);
  assert.deepEqual(turnLines([], 1), []);
});

test('the text of an action tells its kind', () => {
  const texts = ['end', 'd5-d6', 'd5+d6', 'd5xd7xf7', 'e7~c7', '*e4'];
  assert.deepEqual(texts.map(kindOf), ['end', 'move', 'make', 'capture', 'switch', 'drop']);
});

test('a longer draft continues a shorter one, a different one does not', () => {
  const [a, b, c] = ['b7-c7', 'c7-d7', 'c8-c7'].map((action) => step(action, ''));
  assert.deepEqual(stepsBetween([a], [a, b]), [b]);
  assert.deepEqual(stepsBetween([], [a]), [a]);
  assert.deepEqual(stepsBetween([c], [a, b]), []);
  assert.deepEqual(stepsBetween([a, b], [a]), []);
});

test('captures of a side are added up over its turns', () => {
  const turns = [
    { side: 'first', steps: [{ ...step('d5xd7', 'a'), taken: ['d6'] }] },
    { side: 'second', steps: [{ ...step('e1-e3', 'b'), overflow: { reserved: 1, captured: 2 } }] },
    { side: 'first', steps: [{ ...step('a1xa3xa5', 'c'), taken: ['a2', 'a4'] }] },
  ];
  assert.deepEqual(takenIn(turns), { first: 3, second: 2 });
});

test('a room whose player left is open as it was made, and knows who left', () => {
  const offered = event(6, 'offered', { what: 'takeback', side: 'first' });
  const reopened = event(7, 'reopened', { side: 'second', seed_hash: null });
  const open = { status: 'open', version: 7, turn: turnOf(1, 'first', 1) };
  const again = fold(afterThree, news('events', [offered, reopened], open));
  assert.deepEqual([again.seats, again.turns, again.since], [null, [], 7]);
  assert.deepEqual(again.left, [started.seats.second]);
  assert.deepEqual(
    again.notes.map(({ after, event }) => `${after} ${event.type}`),
    ['0 reopened'],
    'what was said of the sides before is gone',
  );
});

test('a player with a new name has it in the seat, in the room and among those who left', () => {
  const { first } = begun.seats;
  const game = { ...begun, left: [first] };
  const now = withName(game, { ...first, name: 'Ida', kind: 'account' });
  assert.deepEqual(
    [now.creator, now.seats.first, now.seats.second, ...now.left].map(({ name }) => name),
    [game.creator, game.seats.first, game.seats.second, first].map(({ id, name }) =>
      id === first.id ? 'Ida' : name,
    ),
  );
  assert.equal(now.seats.first.kind, 'account');
  assert.deepEqual({ ...now, creator: game.creator, seats: game.seats, left: game.left }, game);
});
