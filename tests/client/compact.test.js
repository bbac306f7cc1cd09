import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { createShadow } from '../../static/engine/shadow.js';
import { fold } from '../../static/session/game-model.js';
import { engine } from './engine.js';

const lines = readFileSync(new URL('kept-games.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n');
/** Games of earlier builds. Each event has the form in which it is sent, all that follows from it, and the position after
 * it. */
const games = lines.map((line) => JSON.parse(line));

const aborted = { status: 'aborted' };
const message = (version, events, position) => ({
  ...{ type: 'events', game: 'g', version, events, position, present: aborted },
});
const sent = (version, events) =>
  message(
    version,
    events.map(([compact]) => compact),
    events.at(-1)[2],
  );

test('the page makes of all kept games what follows from their events', () => {
  assert.ok(games.length >= 51);
  for (const { name, rules, events } of games) {
    assert.equal(rules, engine.rules);
    const full = events.map((event) => event[1]);
    const whole = createShadow(engine).read(null, sent(events.length, events));
    assert.equal(whole.type, 'snapshot');
    assert.deepEqual(whole.events, full, `${name} as a whole`);
    const shadow = createShadow(engine);
    let game = null;
    for (const [index, event] of events.entries()) {
      const news = shadow.read(game, sent(index + 1, [event]));
      assert.deepEqual(news.events, [full[index]], `${name}, event ${index + 1}`);
      game = fold(game, news);
    }
    assert.deepEqual(game.present, whole.present, name);
    const numbered = events.map(([compact], index) => ({ version: index + 1, ...compact }));
    const outline = fold(null, { ...whole, events: numbered });
    assert.deepEqual(outline, { ...game, turns: [] }, `${name} without its turns`);
  }
});

test('after a usual turn the clock of the side to move runs', () => {
  const shadow = createShadow(engine);
  const { events } = games.find(({ events }) => events.some(([compact]) => compact.ms?.length === 3));
  const end = events.findIndex(([compact]) => compact.ms?.length === 3) + 1;
  const { present: _, ...usual } = sent(end, events.slice(0, end));
  const { present } = shadow.read(null, usual);
  const [, first_ms, second_ms] = events[end - 1][0].ms;
  assert.equal(present.status, 'playing');
  assert.deepEqual(present.clock, { first_ms, second_ms, running: present.turn.side, free_ms: 0 });
});

test('events that the page has already are passed over, and impossible ones leave all to the server', () => {
  const shadow = createShadow(engine);
  const { events } = games.find(({ events }) => events.filter(([compact]) => compact.actions).length > 2);
  const end = events.findIndex(([compact]) => compact.actions) + 2;
  const game = fold(null, shadow.read(null, sent(end - 1, events.slice(0, end - 1))));
  const again = shadow.read(game, sent(end, events.slice(end - 2, end)));
  assert.deepEqual(again.events, [events[end - 1][1]]);
  const later = fold(game, again);
  assert.equal(shadow.read(later, sent(end - 1, [events[end - 2]])), null, 'older than what the page shows');
  assert.equal(shadow.read(later, message(end, [], events[end - 1][2])).type, 'events');
  const wrong = { at_ms: 1, actions: 'a1-a1', ms: [1] };
  assert.equal(shadow.read(later, message(end + 1, [wrong], 'another')), null);
  assert.equal(shadow.read(null, sent(1, events.slice(0, 1))), null, 'it is not asked any more');
});

test('a message that does not go on from what the page has is not read, and the next one is', () => {
  const { events } = games.find(({ events }) => events.length > 6);
  const shadow = createShadow(engine);
  const game = fold(null, shadow.read(null, sent(5, events.slice(0, 5))));
  assert.equal(createShadow(engine).read(null, sent(6, [events[5]])), null, 'there is no game yet');
  assert.equal(shadow.read(game, sent(7, [events[6]])), null, 'an event is missing');
  assert.equal(shadow.read(game, { type: 'draft', game: 'g', version: 6, draft: ['a1-a2'] }), null);
  assert.equal(shadow.read(null, { type: 'draft', game: 'g', version: 5, draft: ['a1-a2'] }), null);
  assert.notEqual(shadow.read(game, sent(6, [events[5]])), null);
});

test('an engine that comes to another position than the server is not asked any more', () => {
  const shadow = createShadow(engine);
  const [{ events }] = games;
  assert.equal(shadow.read(null, { ...sent(events.length, events), position: 'another' }), null);
  assert.equal(shadow.read(null, sent(events.length, events)), null);
});

test('a room that is open again begins from its start, with other cards', () => {
  const { events } = games.find(
    ({ events }) => events[0][1].ruleset === 'fibonacci-cards' && events[2]?.[0].actions,
  );
  const [created, started, turn] = events;
  const reopened = { type: 'reopened', version: 4, at_ms: 9, side: 'second', seed_hash: 'ab' };
  const again = [reopened, reopened, created[2]];
  const restarted = [{ ...started[0], version: 5 }, null, started[2]];
  const log = [created, started, turn, again, restarted, turn];
  const whole = createShadow(engine).read(null, sent(6, log));
  assert.deepEqual(whole.events[5].steps, turn[1].steps);
  const shadow = createShadow(engine);
  let game = null;
  for (const [index, event] of log.entries()) game = fold(game, shadow.read(game, sent(index + 1, [event])));
  assert.deepEqual(
    game.turns.map(({ steps }) => steps),
    [turn[1].steps],
  );
  assert.deepEqual(game.present, whole.present);
  assert.equal(game.seedHash, 'ab');
});
