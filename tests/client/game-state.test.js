import assert from 'node:assert/strict';
import { test } from 'node:test';

import { canAct, initialState, isHeldBack, lineKey } from '../../static/game-page/game-state.js';
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
