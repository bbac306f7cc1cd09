import assert from 'node:assert/strict';
import { test } from 'node:test';

import {
  bottomIn,
  emptyLists,
  heard,
  isMine,
  isTurnOf,
  ownSeeks,
  rowsOf,
  turnsOf,
  waitingFor,
  withSeeks,
} from '../../static/lobby/lists.js';

const [me, ada, bo] = ['me', 'ada', 'bo'].map((id) => ({ id, name: id }));
const all = () => true;
const room = (id, more = {}) => ({
  ...{
    id,
    ruleset: 'fibonacci',
    status: 'open',
    visibility: 'public',
    watching: 'everybody',
    creator: ada,
    seats: null,
  },
  ...{ created_ms: 0, updated_ms: 0, to_move: 'first', deadline_ms: null },
  ...more,
});
const game = (id, first, second, more = {}) =>
  room(id, { status: 'playing', creator: first, seats: { first, second }, ...more });
const lobby = (more) => ({ type: 'lobby', rooms: [], live: [], finished: [], mine: [], ...more });
const changed = (changedGame) => ({ type: 'lobby_changed', games: [changedGame], gone: [] });
const after = (...messages) => messages.reduce((lists, message) => heard(lists, message, me), emptyLists());
const ids = (tab, lists, isWanted = all) => rowsOf(tab, lists, me, isWanted).map(({ id }) => id);
const places = (lists) => ['rooms', 'mine', 'live', 'finished'].filter((tab) => ids(tab, lists).length > 0);

test('a game goes from list to list as its life goes on, and is never in two', () => {
  let lists = after(lobby({ rooms: [room('g')] }));
  assert.deepEqual(places(lists), ['rooms']);
  lists = heard(lists, changed(game('g', ada, bo)), me);
  assert.deepEqual(places(lists), ['live']);
  lists = heard(lists, changed(game('g', ada, bo, { status: 'finished' })), me);
  assert.deepEqual(places(lists), ['finished']);
  lists = heard(lists, changed(game('g', ada, bo, { status: 'finished' })), me);
  assert.deepEqual(ids('finished', lists), ['g']);
});

test('a game of others with hidden progress does not count as my turn', () => {
  const told = { delay: 2, version: 0, turn: null, to_move: null };
  const lists = after(lobby({ live: [game('g', ada, bo, told)] }));
  assert.deepEqual(ids('live', lists), ['g']);
  assert.equal(isTurnOf(lists.live.get('g'), me), false);
  assert.equal(turnsOf(lists, me), 0);
});

test('a game without a result is nowhere', () => {
  for (const status of ['aborted', 'cancelled']) {
    const lists = after(
      lobby({ live: [game('g', me, bo)], mine: [game('g', me, bo)] }),
      changed(game('g', me, bo, { status })),
    );
    assert.deepEqual(places(lists), [], status);
  }
});

test('a challenge is among the rooms of its two players until it is answered', () => {
  const challenge = (player, maker, more = {}) =>
    room('c', { visibility: 'link', creator: maker, for: player, ...more });
  assert.deepEqual(places(after(lobby(), changed(challenge(bo, ada)))), []);
  for (const [player, maker] of [
    [me, ada],
    [ada, me],
  ]) {
    const lists = after(lobby(), changed(challenge(player, maker)));
    assert.deepEqual(places(lists), ['rooms']);
    const begun = changed(game('c', maker, player, { visibility: 'link', for: player }));
    assert.deepEqual(places(heard(lists, begun, me)), ['mine']);
    assert.deepEqual(
      places(heard(lists, changed(challenge(player, maker, { status: 'cancelled' })), me)),
      [],
    );
  }
});

test('a game by link is shown to its players alone', () => {
  const link = { visibility: 'link' };
  const lists = after(
    lobby(),
    changed(game('mine', me, bo, link)),
    changed(game('theirs', ada, bo, link)),
    changed(room('open', { creator: me, ...link })),
  );
  assert.deepEqual(ids('live', lists), []);
  assert.deepEqual(ids('mine', lists), ['mine']);
  assert.deepEqual(ids('rooms', lists), ['open']);
});

test('a room whose game nobody may watch can be joined, and is seen by its players alone then', () => {
  const nobody = { watching: 'nobody' };
  let lists = after(lobby(), changed(room('g', nobody)));
  assert.deepEqual(places(lists), ['rooms']);
  lists = heard(lists, changed(game('g', me, bo, nobody)), me);
  assert.deepEqual(places(lists), ['mine']);
  lists = heard(lists, changed(game('g', me, bo, { ...nobody, status: 'finished' })), me);
  assert.deepEqual(places(lists), []);
});

test('a room whose maker is gone leaves the list and comes back with its maker', () => {
  let lists = after(lobby({ rooms: [room('g')] }), { type: 'lobby_changed', games: [], gone: ['g'] });
  assert.deepEqual(ids('rooms', lists), []);
  lists = heard(lists, changed(room('g')), me);
  assert.deepEqual(ids('rooms', lists), ['g']);
});

test('own rooms are on top, then the newest; the filter leaves own ones', () => {
  const lists = after(
    lobby({
      rooms: [room('old', { created_ms: 1 }), room('new', { created_ms: 5 }), room('mine', { creator: me })],
      mine: [room('mine', { creator: me, created_ms: 2, ruleset: 'fenix' })],
    }),
  );
  assert.deepEqual(ids('rooms', lists), ['mine', 'new', 'old']);
  assert.deepEqual(
    ids('rooms', lists, () => false),
    ['mine'],
  );
});

test('own seeks are among the own rooms, those of others below all rooms, and a new lobby keeps them', () => {
  const seek = (id, player, created_ms, ruleset = 'fenix') => ({ id, player, ruleset, games: 1, created_ms });
  const seeks = { own: [seek('own', me, 3)], open: [seek('old', ada, 1), seek('new', bo, 9, 'focus')] };
  const rooms = lobby({
    rooms: [room('theirs', { created_ms: 2 })],
    mine: [room('mine', { creator: me, created_ms: 2 }), room('challenge', { for: me, created_ms: 8 })],
  });
  const lists = heard(withSeeks(after(rooms), seeks), rooms, me);
  assert.deepEqual(ids('rooms', lists), ['challenge', 'own', 'mine', 'theirs', 'new', 'old']);
  assert.deepEqual(
    ids('rooms', lists, (ruleset) => ruleset === 'focus'),
    ['challenge', 'own', 'mine', 'new'],
  );
  assert.deepEqual(
    ownSeeks(lists, me).map(({ id }) => id),
    ['own'],
  );
});

test('games that wait for me come first, the most pressing on top; the others by their last move', () => {
  const mine = [
    game('theirs, old', bo, me, { updated_ms: 1 }),
    game('theirs, new', bo, me, { updated_ms: 2 }),
    game('mine, no clock, new', me, bo, { updated_ms: 9 }),
    game('mine, no clock, old', me, bo, { updated_ms: 8 }),
    game('mine, tomorrow', me, bo, { deadline_ms: 200 }),
    game('mine, today', me, bo, { deadline_ms: 100 }),
  ];
  const lists = after(lobby({ mine }));
  assert.deepEqual(ids('mine', lists), [
    ...['mine, today', 'mine, tomorrow', 'mine, no clock, old', 'mine, no clock, new'],
    ...['theirs, new', 'theirs, old'],
  ]);
  assert.equal(turnsOf(lists, me), 4);
  assert.equal(turnsOf(lists, null), 0);
});

test('games with a clock for all turns are not among those to come back to', () => {
  const clock = { kind: 'correspondence', days: 3 };
  const mine = [
    game('live', me, bo, { clock: { kind: 'real_time' }, deadline_ms: 1 }),
    game('untimed', bo, me, { clock: { kind: 'none' }, to_move: 'second' }),
    game('later', me, bo, { clock, deadline_ms: 300 }),
    game('sooner', me, bo, { clock, deadline_ms: 200 }),
    game('theirs', bo, me, { clock, deadline_ms: 100 }),
  ];
  const lists = after(lobby({ mine }));
  assert.deepEqual(
    waitingFor(lists, me).map(({ id }) => id),
    ['sooner', 'later', 'untimed'],
  );
  assert.deepEqual(waitingFor(lists, null), []);
});

test('a player sees a game from their own side, and a game at one table is not turned', () => {
  const games = [game('a', me, bo), game('b', bo, me), game('c', ada, bo), game('table', me, me), room('d')];
  assert.deepEqual(
    games.map((shown) => bottomIn(shown, me)),
    ['first', 'second', null, null, null],
  );
});

test('a game at one table is mine and waits for nobody', () => {
  const lists = after(lobby({ mine: [game('table', me, me, { visibility: 'link' })] }));
  assert.deepEqual(ids('mine', lists), ['table']);
  assert.equal(turnsOf(lists, me), 0);
});

test('my games can be filtered', () => {
  const lists = after(lobby({ mine: [game('a', me, bo), game('b', bo, me, { ruleset: 'fenix' })] }));
  assert.deepEqual(
    ids('mine', lists, (ruleset) => ruleset === 'fenix'),
    ['b'],
  );
});

test('live games are those of others, of the games that are wanted', () => {
  const live = [
    game('a', ada, bo, { updated_ms: 1 }),
    game('b', ada, bo, { updated_ms: 2, ruleset: 'fenix' }),
    game('c', me, bo),
  ];
  const lists = after(lobby({ live, mine: [live[2]] }));
  assert.deepEqual(ids('live', lists), ['b', 'a']);
  assert.deepEqual(
    ids('live', lists, (ruleset) => ruleset === 'fenix'),
    ['b'],
  );
});

test('counts of spectators add up, and those of others stay', () => {
  const lists = after(
    lobby(),
    { type: 'lobby_counts', players: 3, watchers: [{ game: 'a', watchers: 2 }] },
    { type: 'lobby_counts', players: 4, watchers: [{ game: 'b', watchers: 1 }] },
  );
  assert.equal(lists.players, 4);
  assert.deepEqual(
    [...lists.watchers],
    [
      ['a', 2],
      ['b', 1],
    ],
  );
});

test('a repeated lobby message replaces the previous one', () => {
  const lists = after(
    lobby({ rooms: [room('a')], mine: [game('b', me, bo)] }),
    lobby({ rooms: [room('c')] }),
  );
  assert.deepEqual(ids('rooms', lists), ['c']);
  assert.deepEqual(ids('mine', lists), []);
});

test('a page that stays open keeps no endless list of finished games', () => {
  const over = Array.from({ length: 200 }, (_, n) => changed(game(`g${n}`, ada, bo, { status: 'finished' })));
  const shown = ids('finished', after(lobby(), ...over));
  assert.ok(shown.length <= 50, String(shown.length));
  assert.equal(shown[0], 'g199');
});

test('a room that I made is mine before I sit at it', () => {
  assert.ok(isMine(room('a', { creator: me }), me));
  assert.ok(!isMine(room('a'), me));
  assert.ok(!isMine(room('a', { creator: me }), null));
});
