// The comments on the example games speak of what is on the board.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';

import { gameOf } from '../../static/board/looks.js';
import { commentAt } from '../../static/playback/comments.js';
import { openDraft } from '../../static/engine/match-draft.js';
import { engine } from './engine.js';

const read = (path) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const [en, fr] = ['en', 'fr'].map((language) =>
  JSON.parse(read(`static/playback/comments.${language}.json`)),
);

/** The turns of an example: their actions, their steps, and the positions before and after them. */
function turnsOf(ruleset) {
  const local = openDraft(engine, ruleset);
  return [...read(`server/examples/${ruleset}.txt`).matchAll(/^\d+ (?:\[(\d)\] )?(.+)$/gm)].map(
    ([, card, line]) => {
      if (card !== undefined) local.turnOver(Number(card));
      const before = local.match.turn.position;
      const actions = line.split(' ');
      local.playWhole(actions);
      const { steps, outcome } = local.match;
      return { actions, before, steps, after: steps.at(-1).position, outcome };
    },
  );
}

const cellsIn = (text) => text.match(/\b[a-m]\d{1,2}\b/g) ?? [];

test('every ruleset has comments, the same turns in both languages', () => {
  const examples = readdirSync(new URL('../../server/examples/', import.meta.url));
  assert.deepEqual(Object.keys(en).toSorted(), examples.map((name) => name.replace('.txt', '')).toSorted());
  const turns = (comments) => Object.entries(comments).map(([name, own]) => [name, Object.keys(own)]);
  assert.deepEqual(turns(fr), turns(en));
});

for (const [ruleset, comments] of Object.entries(en)) {
  const turns = turnsOf(ruleset);
  const commented = Object.keys(comments).map(Number);

  test(`${ruleset}: the start and the end have comments, and each turn of a short game`, () => {
    assert.equal(commented[0], 0);
    assert.equal(commented.at(-1), turns.length);
    assert.notEqual(turns.at(-1).outcome, null);
    if (turns.length < 10) assert.equal(commented.length, turns.length + 1);
    else assert.ok(commented.length >= turns.length / 3, `${commented.length} of ${turns.length}`);
  });

  test(`${ruleset}: a comment is at most two short sentences`, () => {
    for (const text of [...Object.values(comments), ...Object.values(fr[ruleset])]) {
      assert.ok(text.length <= 150, text);
      assert.ok(text.match(/[.!?](?= |$)/g).length <= 2, text);
    }
  });

  test(`${ruleset}: each cell that a comment names is played or occupied in its turn`, () => {
    const { parse } = gameOf(ruleset);
    for (const number of commented.filter((number) => number > 0)) {
      const { actions, before, after } = turns[number - 1];
      const known = [...cellsIn(actions.join(' ').replaceAll(/[x~+*-]/g, ' '))];
      for (const position of [before, after]) known.push(...[...parse(position)].map(([cell]) => cell));
      for (const text of [comments[number], fr[ruleset][number]])
        for (const cell of cellsIn(text))
          assert.ok(known.includes(cell), `turn ${number}: ${cell} in “${text}”`);
      assert.deepEqual(cellsIn(fr[ruleset][number]).toSorted(), cellsIn(comments[number]).toSorted());
    }
  });

  test(`${ruleset}: pieces are captured in the turns whose comments say so, and the winner is told last`, () => {
    for (const number of commented.filter((number) => number > 0)) {
      const { steps } = turns[number - 1];
      const isTaken = steps.some(({ taken, overflow }) => taken.length > 0 || overflow !== null);
      const says = /captured|captures|must capture|jumps|takes three|fall in|comes? off|overflow/;
      assert.equal(isTaken, says.test(comments[number]), `turn ${number}: ${comments[number]}`);
    }
    for (const number of commented)
      assert.equal(/ wins/.test(comments[number]), number === turns.length, comments[number]);
  });
}

test('a comment is on the whole of its turn, and that of the start is there before the first action', () => {
  const comments = { 0: 'start', 1: 'first' };
  assert.equal(commentAt(comments, { turn: 1, action: 0 }), 'start');
  assert.equal(commentAt(comments, { turn: 1, action: 2 }), 'first');
  assert.equal(commentAt(comments, { turn: 2, action: 1 }), '');
  assert.equal(commentAt({}, { turn: 1, action: 0 }), '');
});
