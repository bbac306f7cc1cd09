import assert from 'node:assert/strict';
import { test } from 'node:test';

import { callBetween, notifies } from '../../static/game-page/calls.js';
import {
  awayOpponent,
  claimInMs,
  claimOf,
  offersOf,
  rematchBetween,
  roomLike,
  takebackOf,
} from '../../static/game-page/offers.js';
import { CARDS_START, begun } from './games.js';

const ada = { id: 'ada', name: 'Ada' };
const blaise = { id: 'blaise', name: 'Blaise' };
const seats = { first: ada, second: blaise };
const turn = (side) => ({ side });
const played = (...sides) => sides.map((side, index) => ({ number: index + 1, side, steps: [] }));
const offer = (what, side) => ({ what, side });

/** A game under way in which both sides have made a turn. */
const game = (more = {}, present = {}) => ({
  ...{ seats, seedHash: null, turns: played('first', 'second'), since: 4, version: 4 },
  present: { status: 'playing', turn: turn('first'), first_turn_ms: null, offers: [], ...present },
  ...more,
});
const over = (present = {}) => game({}, { status: 'finished', rematch: null, ...present });

test('in a game under way a draw and the own last turn are open, and the game can be given up', () => {
  assert.deepEqual(offersOf(game(), 'first'), {
    ...{ theirs: [], own: [], open: ['takeback', 'draw'], leaving: 'resign' },
  });
});

test('before both sides have made a turn the game can be aborted, and nothing is offered', () => {
  const early = game({ turns: played('first') }, { first_turn_ms: 60_000 });
  assert.deepEqual(offersOf(early, 'first'), { theirs: [], own: [], open: [], leaving: 'abort' });
});

test('spectators have no dealings', () => {
  const offered = game({}, { offers: [offer('draw', 'first')] });
  assert.deepEqual(offersOf(offered, null), { theirs: [], own: [], open: [], leaving: null });
});

test('an offer waits for the other side, may be withdrawn by its own, and is not made twice', () => {
  const offered = game({}, { offers: [offer('draw', 'first')] });
  const mine = offersOf(offered, 'first');
  assert.deepEqual([mine.own, mine.theirs, mine.open], [['draw'], [], ['takeback']]);
  const theirs = offersOf(offered, 'second');
  assert.deepEqual([theirs.own, theirs.theirs, theirs.open], [[], ['draw'], ['takeback']]);
});

test('nothing is taken back that was not played, nor where the next card lies open', () => {
  assert.deepEqual(offersOf(game({ turns: played('first', 'first') }), 'second').open, ['draw']);
  assert.deepEqual(offersOf(game({ seedHash: 'ab' }), 'second').open, ['draw']);
});

test('a take-back names the turn that is played again, and those of the other side since', () => {
  assert.deepEqual(takebackOf(game(), 'second'), { again: 2, since: [] });
  assert.deepEqual(takebackOf(game(), 'first'), { again: 1, since: [2] });
  const skipped = [1, 2, 4].map((number) => ({ number, side: number === 1 ? 'first' : 'second' }));
  assert.deepEqual(takebackOf(game({ turns: skipped }), 'first'), { again: 1, since: [2, 4] });
  assert.equal(takebackOf(game({ turns: [] }), 'first'), null, 'the turns are not known yet');
});

test('after the end only a rematch is open, until there is one', () => {
  assert.deepEqual(offersOf(over(), 'first'), {
    ...{ theirs: [], own: [], open: ['rematch'], leaving: null },
  });
  const asked = over({ offers: [offer('rematch', 'second')] });
  assert.deepEqual(offersOf(asked, 'first').theirs, ['rematch']);
  assert.deepEqual(offersOf(over({ rematch: 'next' }), 'first').open, []);
  const aborted = game({}, { status: 'aborted' });
  assert.deepEqual(offersOf(aborted, 'first').open, []);
});

test('a claim counts down from the sent time, for the side that is present', () => {
  const claim = { against: 'second', from_ms: 30_000 };
  const after = (ms) => ({ nowMs: ms, presenceMs: ms });
  assert.deepEqual(claimOf(game(), claim), claim);
  assert.equal(claimOf(over(), claim), null, 'nobody leaves a game that is over');
  assert.equal(claimInMs(claim, after(12_000), 'first'), 18_000);
  assert.equal(claimInMs(claim, after(31_000), 'first'), 0);
  assert.equal(
    claimInMs(claim, after(12_000), 'second'),
    null,
    'not for the side that is gone, as seen in another tab',
  );
  assert.equal(claimInMs(claim, after(500), 'first'), null, 'a player who reloads the page has not left');
  assert.equal(claimInMs({ ...claim, from_ms: 0 }, after(0), 'first'), 0);
  assert.equal(claimInMs(claim, after(12_000), null), null);
  assert.equal(claimInMs(null, after(0), 'first'), null, 'a return cancels it');
});

test('a rematch takes along the visitors who are present, not later ones', () => {
  assert.equal(rematchBetween(game(), over({ rematch: 'next' })), 'next');
  assert.equal(rematchBetween(over(), over({ rematch: 'next' })), 'next');
  assert.equal(rematchBetween(over({ rematch: 'next' }), over({ rematch: 'next' })), null);
  assert.equal(rematchBetween(game(), over()), null);
});

test('a player is called to a game that begins, to a turn, to an answer and to the end', () => {
  const room = {
    ...game({ seats: null, since: 1, turns: [] }),
    present: { status: 'open', turn: turn('first') },
  };
  const begun = game({ turns: [], since: 2 });
  assert.equal(callBetween(room, begun, ada), 'turn');
  assert.equal(callBetween(room, begun, blaise), 'start');
  const next = game({ since: 5 }, { turn: turn('second') });
  assert.equal(callBetween(game(), next, blaise), 'turn');
  assert.equal(callBetween(game(), next, ada), null);
  const offered = game({ version: 5 }, { offers: [offer('draw', 'first')] });
  assert.equal(callBetween(game(), offered, blaise), 'offer');
  assert.equal(callBetween(game(), offered, ada), null);
  assert.equal(callBetween(offered, offered, blaise), null, 'once');
  assert.equal(callBetween(game(), over(), ada), 'end');
  assert.equal(callBetween(over(), over({ offers: [offer('rematch', 'second')] }), ada), 'offer');
});

test('an event beside the board calls nobody to a turn that had begun', () => {
  const credited = game({ version: 5 });
  assert.equal(callBetween(game(), credited, ada), null);
});

test('a game that is seen for the first time calls only to a turn, and a spectator is never called', () => {
  assert.equal(callBetween(null, game(), ada), 'turn');
  assert.equal(callBetween(null, game(), blaise), null);
  assert.equal(callBetween(game(), over(), { id: 'carl', name: 'Carl' }), null);
});

test('only one hidden tab shows a notification, and only on request', () => {
  const state = { call: 'turn', isWanted: true, isSeen: false, isCaller: true };
  assert.equal(notifies(state), true);
  for (const [key, value] of Object.entries({ call: null, isWanted: false, isSeen: true, isCaller: false }))
    assert.equal(notifies({ ...state, [key]: value }), false, key);
});

test('another game begins from the same position, unless its first card is still to come', () => {
  const start = CARDS_START.replace('0/0', '3/3');
  const { ruleset, terms } = begun;
  const room = { ruleset, seat: 'second', visibility: 'link', terms };
  assert.deepEqual(roomLike({ ...begun, start }, 'second'), { ...room, start });
  assert.deepEqual(
    roomLike({ ...begun, start: CARDS_START }, 'second'),
    room,
    'no text says the usual start with cards',
  );
});

test('an opponent who has left a finished game is challenged, and one who is there, a bot or a closed account is not', () => {
  const named = (more) => ({
    first: { ...ada, kind: 'guest' },
    second: { ...blaise, kind: 'account', ...more },
  });
  const ended = (more, present) =>
    game({ seats: named(more), ...present }, { status: 'finished', rematch: null, ...present });
  const gone = { first: true, second: false };
  assert.equal(awayOpponent(ended(), 'first', gone)?.id, 'blaise');
  assert.equal(awayOpponent(ended(), 'first', { first: true, second: true }), null);
  assert.equal(awayOpponent(ended(), 'first', null), null);
  assert.equal(awayOpponent(ended(), null, gone), null);
  for (const kind of ['bot', 'deleted'])
    assert.equal(awayOpponent(ended({ kind }), 'first', gone), null, kind);
  assert.equal(awayOpponent(ended({ id: 'ada' }), 'first', gone), null);
  assert.equal(awayOpponent(ended({}, { rematch: 'g' }), 'first', gone), null);
});
