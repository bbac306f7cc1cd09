import assert from 'node:assert/strict';
import { test } from 'node:test';

import {
  canAct,
  hasHints,
  initialState,
  isHeldBack,
  lastSteps,
  mayPrepare,
  lineKey,
  nextOf,
} from '../../static/game-page/game-state.js';
import { turnDraftOf } from '../../static/engine/turn-draft.js';
import { turnOf } from './games.js';

const turnDraft = turnDraftOf(turnOf(4, 'second', 4), null);
const at = (more) => ({ ...initialState('g', false), turnDraft, prepares: true, ...more });

test('without the line a turn goes on if the page has its engine, and is not sent', () => {
  assert.ok(canAct(at({})) && !isHeldBack(at({})));
  const cut = at({ news: 'offline' });
  assert.ok(canAct(cut) && isHeldBack(cut));
  assert.ok(!canAct(at({ news: 'offline', prepares: false })), 'no engine tells what is legal');
  assert.ok(!canAct(at({ news: 'offline', sending: 'turn' })), 'the turn is on its way');
  assert.ok(!canAct(at({ news: 'reload' })), 'the page is older than the server');
  assert.ok(!canAct(at({ news: 'signed_out' })), 'the session has ended');
  assert.ok(!isHeldBack(at({ news: 'offline', prepared: 'drawing' })), 'a prepared turn stays here anyway');
});

test('one sentence tells of the line, and what a player can do without it', () => {
  assert.equal(lineKey(at({})), null);
  assert.equal(lineKey(at({ news: 'offline' })), 'line.offline_turn');
  for (const more of [{ turnDraft: null }, { prepares: false }, { sending: 'turn' }, { prepared: 'kept' }])
    assert.equal(lineKey(at({ news: 'offline', ...more })), 'line.offline');
  assert.equal(lineKey(at({ news: 'busy' })), 'line.busy');
});

test('hints are for games against a bot, and never for those against a person', () => {
  const me = { id: 'me' };
  const against = (second, status = 'playing') => ({
    me,
    game: { present: { status, turn: { side: 'first' } }, seats: { first: me, second } },
  });
  assert.ok(hasHints(against({ id: 'bot', bot: 1 })));
  assert.ok(!hasHints(against({ id: 'other' })));
  assert.ok(!hasHints(against({ id: 'bot', bot: 1 }, 'finished')));
  assert.ok(!hasHints({ ...against({ id: 'bot', bot: 1 }), me: { id: 'spectator' } }));
});

test('a hint goes on from the moves made, in any order, and from others not at all', () => {
  const legal = ['a1-a2', 'c1-c2'].map((text) => ({ text }));
  const after = (...actions) => ({ legal, steps: actions.map((action) => ({ action })) });
  const turn = ['a1-a2', 'b1-b2', 'c1-c2'];
  assert.equal(nextOf(turn, after())?.text, 'a1-a2');
  assert.equal(nextOf(turn, after('b1-b2', 'a1-a2'))?.text, 'c1-c2');
  assert.equal(nextOf(turn, after('d1-d2')), undefined);
  assert.equal(nextOf(['e1-e2'], after()), undefined, 'it is not legal now');
});

const days = (kind) => ({ terms: { clock: { kind } }, seedHash: null, nTurns: 2 });
const seats = { first: { id: 'other' }, second: { id: 'me' } };
const present = { status: 'playing', turn: { side: 'first', cards: null } };

test('an answer that was played at once is shown with the turn that it answers', () => {
  const turns = (tookMs) => [
    { side: 'first', steps: ['theirs'], tookMs: 9_000 },
    { side: 'second', steps: ['mine'], tookMs },
  ];
  const after = (tookMs, id = 'me', clock = 'correspondence') =>
    lastSteps({ me: { id }, game: { ...days(clock), seats, present, turns: turns(tookMs) } });
  assert.deepEqual(after(0), ['theirs', 'mine']);
  assert.deepEqual(after(5_000), ['mine'], 'the player made it');
  assert.deepEqual(after(0, 'other'), ['mine'], 'the other side has seen its own turn');
  assert.deepEqual(after(0, 'me', 'real_time'), ['mine']);
  assert.deepEqual(lastSteps({ me: null, game: null }), []);
});

test('a turn is prepared in games whose players stay', () => {
  const during = (kind) =>
    mayPrepare(at({ turnDraft: null, me: { id: 'me' }, game: { ...days(kind), seats, present } }));
  assert.ok(during('real_time') && during('none'));
  assert.ok(!during('correspondence') && !during('bank'), 'the page that would send it is left');
});
