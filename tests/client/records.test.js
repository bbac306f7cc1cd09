// The pages read the records that the engine writes, and write them as it does.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';

import { openStudy } from '../../static/analysis/study.js';
import { readText } from '../../static/analysis/text.js';
import { openMatch } from '../../static/local/match.js';
import { recordOf } from '../../static/local/record.js';
import { engine } from './engine.js';

/** Records of each ruleset, whole and cut short, in the engine's own text and JSON. */
const SEEDS = new URL('../../engine/fuzz/seeds/', import.meta.url);
const seed = (form, name) => readFileSync(new URL(`record_${form}/${name}`, SEEDS), 'utf8');
const NAMES = readdirSync(new URL('record_text/', SEEDS));

/** A record without what the pages do not keep: the times of turns, and some headers. */
const without = (text, ...keys) =>
  text.replace(new RegExp(`^(${keys.join('|')}): .*\n`, 'gm'), '').replace(/ \d+\.\d{3}s$/gm, '');

for (const name of NAMES) {
  const text = seed('text', name);
  const content = readText(text);
  const { headers, line } = content;
  const [ruleset, start] = [headers.get('ruleset'), headers.get('start') ?? null];

  test(`${name} has the same content as text and as JSON`, () => {
    const json = JSON.parse(seed('json', name));
    const played = json.turns.filter(({ actions }) => actions.length > 0);
    const again = readText(seed('json', name));
    assert.deepEqual(again.line, line);
    assert.deepEqual(
      line.map(({ number, actions }) => [number, actions]),
      played.map(({ turn, actions }) => [turn, actions]),
    );
    for (const [key, value] of headers) assert.equal(again.headers.get(key), value, key);
  });

  test(`${name} is written as it was read by the analysis`, () => {
    const study = openStudy(engine, ruleset, start, content);
    // A card that was turned over for a turn that is not played is none of the tree: the turn waits for it.
    const waiting = without(text, 'card_hash', 'seed').replace(/^\d+ \[\d\]\n(final: .*) \d\/\d$/m, '$1 0/0');
    assert.equal(study.text(), waiting);
    study.close();
  });

  // Local games begin at the start of their ruleset.
  if (start !== null) continue;
  test(`${name} is written as it was by the page of local games`, () => {
    const { turns } = JSON.parse(seed('json', name));
    const winner = headers.get('result');
    const match = openMatch(engine, {
      ruleset,
      players: { first: null, second: null },
      date: headers.get('date'),
      turns: line.map(({ actions }) => actions),
      cards: turns.flatMap(({ turn, card }) => (card === undefined ? [] : [[turn, card]])),
      resigned: headers.get('reason') !== 'resign' ? null : winner === 'first' ? 'second' : 'first',
    });
    const names = { first: headers.get('first') ?? null, second: headers.get('second') ?? null };
    assert.equal(recordOf(match, names), without(text, 'clock', 'card_hash', 'seed'));
    match.close();
  });
}
