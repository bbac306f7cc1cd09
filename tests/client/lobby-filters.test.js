import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { NO_FILTERS, REASONS, filtersFrom, parametersOf } from '../../static/lobby/filters.js';

const RULESETS = ['fibonacci', 'fenix'];
const read = (query) => filtersFrom(new URLSearchParams(query), RULESETS);
const written = (filters) => parametersOf({ ...NO_FILTERS, ...filters }).toString();

test('an address without filters, and filters without an address, are the same', () => {
  assert.deepEqual(read(''), NO_FILTERS);
  assert.equal(written({}), '');
});

test('filters go into the address and come back, in one order', () => {
  const filters = {
    ...{ player: 'Zoë & Ada', ruleset: 'fenix', result: 'draw', reason: 'turn-limit' },
    ...{ since: '2026-01-31', until: '2026-02-28' },
  };
  const query = written(filters);
  assert.equal(
    query,
    'player=Zo%C3%AB+%26+Ada&ruleset=fenix&result=draw&reason=turn-limit&since=2026-01-31&until=2026-02-28',
  );
  assert.deepEqual(read(query), filters);
});

test('meaningless filters are ignored', () => {
  const senseless = 'ruleset=chess&result=third&reason=boredom&since=2026-02-30&until=yesterday&lang=fr';
  assert.deepEqual(read(senseless), NO_FILTERS);
});

test('a name is read as names are written', () => {
  assert.equal(read(`player=${'é'.repeat(30)}`).player, 'é'.repeat(24));
  assert.equal(read('player=++Ada++L.+').player, 'Ada L.');
});

test('a game can be found by every reason that games end for', () => {
  const protocol = readFileSync(new URL('../../static/protocol.d.ts', import.meta.url), 'utf8');
  const union = /export type Reason = ([^;]+);/.exec(protocol)[1];
  const reasons = [...union.matchAll(/"([^"]+)"/g)].map((match) => match[1]);
  assert.deepEqual(REASONS.toSorted(), reasons.toSorted());
});
