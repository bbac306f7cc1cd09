import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { createShadow } from '../../static/engine/shadow.js';
import { fold } from '../../static/play/model.js';
import { engine } from './engine.js';

const lines = readFileSync(new URL('kept-games.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n');
const games = lines.map((line) => JSON.parse(line));

const aborted = { status: 'aborted' };
const news = (version, events) => ({ type: 'news', game: 'g', version, events, present: aborted });

test('the page makes of all kept games the events that a page without an engine is sent', () => {
  assert.ok(games.length >= 51);
  for (const { name, rules, events } of games) {
    assert.equal(rules, engine.rules);
    const full = events.map((pair) => pair[1]);
    const thin = events.map((pair) => pair[0]);
    const whole = createShadow(engine).read(null, news(thin.length, thin));
    assert.equal(whole.type, 'snapshot');
    assert.deepEqual(whole.events, full, `${name} as a whole`);
    const shadow = createShadow(engine);
    let game = null;
    for (const [index, event] of thin.entries()) {
      const message = shadow.read(game, news(index + 1, [event]));
      assert.deepEqual(message.events, [full[index]], `${name}, event ${index + 1}`);
      game = fold(game, message);
    }
    assert.deepEqual(game.present, whole.present, name);
  }
});

test('after a usual turn the clock of the side to move runs', () => {
  const shadow = createShadow(engine);
  const { events } = games.find(({ events }) => events.some(([thin]) => thin.ms?.length === 3));
  const end = events.findIndex(([thin]) => thin.ms?.length === 3) + 1;
  const thin = events.slice(0, end).map((pair) => pair[0]);
  const { present } = shadow.read(null, { type: 'news', game: 'g', version: end, events: thin });
  const [, first_ms, second_ms] = thin.at(-1).ms;
  assert.equal(present.status, 'playing');
  assert.deepEqual(present.clock, { first_ms, second_ms, running: present.turn.side, free_ms: 0 });
});

test('events that the page has already are passed over, and impossible ones leave all to the server', () => {
  const shadow = createShadow(engine);
  const { events } = games.find(({ events }) => events.filter(([thin]) => thin.actions).length > 2);
  const thin = events.map((pair) => pair[0]);
  const end = thin.findIndex(({ actions }) => actions) + 2;
  const before = shadow.read(null, news(end - 1, thin.slice(0, end - 1)));
  const game = fold(null, before);
  const again = shadow.read(game, news(end, thin.slice(end - 2, end)));
  assert.deepEqual(again.events, [events[end - 1][1]]);
  const wrong = { at_ms: 1, actions: 'a1-a1', ms: [1] };
  assert.equal(shadow.read(fold(game, again), news(end + 1, [wrong])), null);
  assert.equal(shadow.read(null, news(1, thin.slice(0, 1))), null, 'it is not asked any more');
});

test('a room that is open again begins from its start, with other cards', () => {
  const { events } = games.find(
    ({ events }) => events[0][1].ruleset === 'fibonacci-cards' && events[2]?.[0].actions,
  );
  const [created, started, turn] = events;
  const again = { type: 'reopened', version: 4, at_ms: 9, side: 'second', seed_hash: 'ab' };
  const thin = [created[0], started[0], turn[0], again, { ...started[0], version: 5 }, turn[0]];
  const whole = createShadow(engine).read(null, news(6, thin));
  assert.deepEqual(whole.events[5].steps, turn[1].steps);
  const shadow = createShadow(engine);
  let game = null;
  for (const [index, event] of thin.entries()) game = fold(game, shadow.read(game, news(index + 1, [event])));
  assert.deepEqual(
    game.turns.map(({ steps }) => steps),
    [turn[1].steps],
  );
  assert.deepEqual(game.present, whole.present);
  assert.equal(game.seedHash, 'ab');
});
