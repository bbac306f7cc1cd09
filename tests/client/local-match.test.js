import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { HOST, createSearch } from '../../static/engine/search.js';
import { questionOf } from '../../static/game-page/bot-hints.js';
import { openMatch } from '../../static/local/match.js';
import { recordOf } from '../../static/local/record.js';
import { restOf } from '../../static/session/next-card.js';
import { openStudy } from '../../static/analysis/study.js';
import { engine } from './engine.js';

const code = readFileSync(new URL('../../static/engine/search.wasm', import.meta.url));
const { instance } = await WebAssembly.instantiate(code, HOST);
const call = createSearch(instance);
/** @param {import('../../static/engine/search.js').Question} question */
const search = (question) => call('search', question);

const PERSONS = { first: null, second: null };
const RULESETS = [
  'fibonacci',
  'fibonacci-mixed',
  'fibonacci-cards',
  'fenix',
  'focus',
  'focus-classic',
  'crossfire',
];

const begin = (ruleset, players = PERSONS, draw = undefined) =>
  openMatch(engine, { ruleset, players, date: '2026-11-20', turns: [], cards: [], resigned: null }, draw);

/** Plays the turn on the desk by the actions that are listed first. */
function playFirst(match) {
  while (!match.local.turnDraft.complete) match.local.take(match.local.turnDraft.legal[0].text);
  match.play();
}

/** Plays the turn that the computer finds. */
function playFound(match, level, nodes = 50) {
  match.playWhole(search({ ...match.question(level, 1), nodes }).turn);
}

const namesOf = (match) => match.shown().turns.map(({ steps }) => steps.map(({ action }) => action));

test('the computer plays every game by its rules', () => {
  for (const ruleset of RULESETS) {
    const match = begin(ruleset, { first: 1, second: 8 });
    for (let turn = 1; turn <= 6 && match.level !== null; turn += 1) {
      assert.equal(match.level, match.local.match.turn.side === 'first' ? 1 : 8, ruleset);
      playFound(match, match.level);
    }
    assert.equal(match.shown().turns.length, 6, ruleset);
    match.close();
  }
});

test('a game is played to its end, which says how it ended', () => {
  const match = begin('crossfire', { first: 8, second: 1 });
  while (match.level !== null) playFound(match, match.level, 20);
  assert.notEqual(match.outcome, null);
  const { present } = match.shown();
  assert.equal(present.status, 'finished');
  assert.deepEqual(present.outcome, match.outcome);
  match.close();
});

test('a level without a number of positions has the time that it has on the server, by the clock of its host', async () => {
  const match = begin('fenix', { first: 8, second: null });
  let readings = 0;
  // A tenth of a second passes between two readings.
  const now = () => 100 * readings++;
  const timed = createSearch((await WebAssembly.instantiate(code, { host: { now } })).instance);
  match.playWhole(timed('search', match.question(8, 1)).turn);
  assert.ok(readings >= 50 && readings < 80, `${readings} readings in five seconds`);
  match.close();
});

test('a take-back is a whole turn, and against the computer its reply as well', () => {
  const two = begin('crossfire');
  assert.equal(two.canTakeBack, false);
  playFirst(two);
  playFirst(two);
  two.takeBack();
  assert.deepEqual([two.shown().turns.length, two.local.match.turn.side], [1, 'second']);

  const one = begin('crossfire', { first: 1, second: null });
  playFound(one, 1);
  assert.equal(one.canTakeBack, false, 'the turn of the computer alone is not taken back');
  playFirst(one);
  playFound(one, 1);
  one.takeBack();
  assert.deepEqual([one.shown().turns.length, one.level], [1, null]);
  for (const match of [two, one]) match.close();
});

test('a game that was kept is opened as it was left', () => {
  for (const ruleset of ['fibonacci-cards', 'fenix']) {
    const match = begin(ruleset, { first: null, second: 4 });
    playFirst(match);
    playFound(match, 4);
    const text = JSON.stringify(match.kept());
    const again = openMatch(engine, JSON.parse(text), () => assert.fail('a card is drawn once'));
    assert.deepEqual(again.shown(), match.shown());
    assert.equal(JSON.stringify(again.kept()), text);
    for (const one of [match, again]) one.close();
  }
  const { now } = begin('focus').kept();
  assert.equal(now.side, 'first');
  assert.equal(now.number, 1);
  const illegal = { ...begin('crossfire').kept(), turns: [['a1-a1']] };
  assert.throws(() => openMatch(engine, illegal));
});

test('each card is drawn when its turn begins, and a round of a pack has two of each value', () => {
  const draws = [];
  const match = begin('fibonacci-cards', PERSONS, (rest) => {
    draws.push(rest.length);
    return rest[rest.length - 1];
  });
  for (let turn = 1; turn <= 25 && match.outcome === null; turn += 1) playFound(match, 1, 1);
  const { turns } = match.shown();
  assert.ok(turns.length >= 24, 'nobody wins so early');
  const first = turns.filter(({ side }) => side === 'first').slice(0, 12);
  assert.deepEqual(first.map(({ card }) => card).toSorted(), [1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6]);
  assert.deepEqual(draws.slice(0, 4), [12, 12, 11, 11]);
  assert.deepEqual(draws.slice(22, 26), [1, 1, 12, 12], 'after the last card comes a whole pack');
  match.close();
});

test('a card comes again when its turn is taken back, and the search knows no card before its turn', () => {
  let values = [6, 5, 4, 3];
  const match = begin('fibonacci-cards', PERSONS, () => values.shift());
  playFound(match, 1, 1);
  const question = match.question(1, 1);
  assert.deepEqual([question.turns.map(({ card }) => card), question.card], [[6], 5]);
  match.takeBack();
  values = [1];
  const begun = match.question(1, 1);
  assert.deepEqual([begun.turns, begun.card], [[], 6]);
  playFound(match, 1, 1);
  assert.equal(match.question(1, 1).card, 5);
  assert.deepEqual(values, [1]);
  match.close();
});

test('the search takes a game with cards as the server tells its start, whether its first card was turned over then', () => {
  for (const isDealt of [false, true]) {
    const match = engine.open('fibonacci-cards');
    const waiting = match.turn.position;
    const { turn } = engine.turnOver(match.id, 1);
    engine.close(match.id);
    const start = isDealt ? turn.position : waiting;
    const first = { card: 1, steps: [{ action: 'f11-c6' }] };
    for (const [turns, card] of [
      [[], 1],
      [[first], 2],
    ]) {
      const present = { turn: { cards: { card } } };
      const question = questionOf({ ruleset: 'fibonacci-cards', start, turns, present });
      assert.equal(search({ ...question, nodes: 20 }).turn.length, card, `hint ${isDealt} ${turns.length}`);
      const line = turns.map(() => ({ number: 1, card: 1, actions: ['f11-c6'], variations: [] }));
      const study = openStudy(engine, 'fibonacci-cards', start, { headers: new Map(), opening: {}, line });
      study.goTo(study.root.children[0] ?? study.root);
      if (study.isWaiting) study.choose(card);
      assert.equal(
        search(study.question(study.here, 20)).turn.length,
        card,
        `study ${isDealt} ${turns.length}`,
      );
    }
  }
});

test('the rest of a pack has each value as often as the pack', () => {
  assert.deepEqual(restOf({ left: [2, 0, 1, 0, 0, 0], unseen: 0 }), [1, 1, 3]);
  assert.equal(restOf({ left: [0, 0, 0, 0, 0, 0], unseen: 0 }).length, 12);
});

test('a side that resigns has lost, and nothing more is played', () => {
  const match = begin('focus', { first: null, second: 3 });
  playFirst(match);
  match.resign('first');
  assert.deepEqual(match.outcome, { winner: 'second', reason: 'resign' });
  assert.equal(match.level, null);
  assert.equal(match.canTakeBack, false);
  assert.deepEqual(openMatch(engine, match.kept()).outcome, match.outcome);
  match.close();
});

test('the record has its players, its turns, its cards and its end', () => {
  const match = begin('fibonacci-cards', { first: null, second: 5 }, () => 2);
  match.playWhole(['b7-c7', 'c7-d7']);
  match.resign('first');
  const text = recordOf(match, { first: null, second: 'The computer, level 5' });
  const { position } = match.shown().present.turn;
  assert.equal(
    text,
    `towers-record 1
ruleset: fibonacci-cards
second: The computer, level 5
date: 2026-11-20
result: second
reason: resign

1 [2] b7-c7 c7-d7
2 [2]
final: ${position}
`,
  );
  assert.deepEqual(namesOf(match), [['b7-c7', 'c7-d7']]);
  match.close();
});
