import assert from 'node:assert/strict';
import { test } from 'node:test';

import { filterOf, keptIn, stateOf, wantedIn, withLists } from '../../static/lobby/lobby-state.js';
import { withSeeks } from '../../static/lobby/lists.js';

const [me, ada, bo] = ['me', 'ada', 'bo'].map((id) => ({ id, name: id }));
const GAMES = [
  { game: 'fibonacci', rulesets: ['fibonacci', 'fibonacci-cards'] },
  { game: 'fenix', rulesets: ['fenix'] },
];
const live = (id, more = {}) => ({
  ...{ id, ruleset: 'fibonacci', status: 'playing', visibility: 'public', watching: 'everybody' },
  ...{ creator: ada, seats: { first: ada, second: bo }, position: `position of ${id}`, updated_ms: 0 },
  ...more,
});
const lobby = (more) => ({ type: 'lobby', rooms: [], live: [], finished: [], mine: [], ...more });
const changed = (...games) => ({ type: 'lobby_changed', games, gone: [] });
const empty = {
  ...stateOf({ tab: 'rooms', only: null, pairing: 'fibonacci', kept: null, isTrying: true }),
  me,
};
const after = (...messages) => messages.reduce((state, message) => withLists(state, message, GAMES), empty);

test('a face shows the live game of its rulesets that moved last, and stays with it', () => {
  const first = after(lobby({ live: [live('old', { updated_ms: 1 }), live('new', { updated_ms: 2 })] }));
  assert.deepEqual(first.faces, { fibonacci: 'new' });
  const moved = withLists(first, changed(live('old', { updated_ms: 9 })), GAMES);
  assert.deepEqual(moved.faces, { fibonacci: 'new' });
  const over = withLists(moved, changed(live('new', { status: 'finished' })), GAMES);
  assert.deepEqual(over.faces, { fibonacci: 'old' });
});

test('a face shows variants too, but no game of mine, and none with a hidden position', () => {
  const state = after(
    lobby({
      live: [
        live('cards', { ruleset: 'fibonacci-cards' }),
        live('mine', { ruleset: 'fenix', seats: { first: me, second: bo } }),
        live('behind', { ruleset: 'fenix', position: null }),
      ],
    }),
  );
  assert.deepEqual(state.faces, { fibonacci: 'cards' });
});

test('a player who joins my room is announced for as long as the game goes on', () => {
  const room = live('room', { status: 'open', creator: me, seats: null });
  const joined = live('room', { creator: me, seats: { first: me, second: bo } });
  const before = after(lobby({ mine: [room] }));
  assert.equal(before.begun, null);
  const now = withLists(before, changed(joined), GAMES);
  assert.deepEqual(now.begun, { game: joined, how: 'room' });
  const later = withLists(now, changed({ ...joined, status: 'finished' }), GAMES);
  assert.equal(later.begun, null);
});

test('a challenge that is accepted is announced as such', () => {
  const room = live('room', { status: 'open', creator: me, seats: null, visibility: 'link', for: bo });
  const accepted = { ...room, status: 'playing', seats: { first: me, second: bo } };
  const now = withLists(after(lobby({ mine: [room] })), changed(accepted), GAMES);
  assert.deepEqual(now.begun, { game: accepted, how: 'challenge' });
});

test('a game that an own seek wants is announced, and no other', () => {
  const clock = { kind: 'correspondence', days: 3 };
  const seek = { id: 's', player: me, ruleset: 'fenix', clock, games: 1, created_ms: 0 };
  const seeking = { ...empty, lists: withSeeks(empty.lists, { own: [seek], open: [] }) };
  const before = withLists(seeking, lobby(), GAMES);
  const found = live('g', { ruleset: 'fenix', clock, seats: { first: bo, second: me } });
  assert.deepEqual(withLists(before, changed(found), GAMES).begun, { game: found, how: 'seek' });
  for (const other of [
    { clock: { kind: 'none' } },
    { seats: { first: ada, second: bo } },
    { status: 'finished' },
  ])
    assert.equal(
      withLists(before, changed({ ...found, ...other }), GAMES).begun,
      null,
      JSON.stringify(other),
    );
  const theirs = { ...empty, lists: withSeeks(empty.lists, { own: [], open: [{ ...seek, player: ada }] }) };
  assert.equal(withLists(theirs, changed(found), GAMES).begun, null);
});

test('a bot that its opponent has seated is not announced', () => {
  const room = live('room', { status: 'open', creator: me, seats: null });
  const seats = { first: me, second: { id: 'bot', name: 'Bot 3', bot: 3 } };
  const now = withLists(after(lobby({ mine: [room] })), changed(live('room', { creator: me, seats })), GAMES);
  assert.equal(now.begun, null);
  assert.equal(now.lists.mine.get('room').status, 'playing');
});

test('my games have a filter of their own', () => {
  const state = { ...empty, only: 'fenix', onlyMine: null };
  assert.equal(wantedIn(state, 'live'), 'fenix');
  assert.equal(filterOf(state, 'live')('fibonacci'), false);
  assert.equal(filterOf(state, 'mine')('fibonacci'), true);
  assert.equal(filterOf({ ...state, onlyMine: 'fenix' }, 'mine')('fibonacci'), false);
});

test('the game of this device is among my games, by their filter', () => {
  const kept = { ruleset: 'fenix' };
  const state = { ...empty, kept, only: 'fibonacci' };
  assert.equal(keptIn(state, 'mine'), kept);
  assert.equal(keptIn(state, 'rooms'), null);
  assert.equal(keptIn({ ...state, onlyMine: 'fibonacci' }, 'mine'), null);
  assert.equal(keptIn(empty, 'mine'), null);
});
