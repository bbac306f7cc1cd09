import assert from 'node:assert/strict';
import { test } from 'node:test';

import { evaluate, judge } from '../../static/analysis/evaluation.js';
import { MAX_LINK, fragmentOf, readFragment } from '../../static/analysis/fragment.js';
import { openStudy } from '../../static/analysis/study.js';
import { Unreadable, readText } from '../../static/analysis/text.js';
import {
  actionsOf,
  allFrom,
  isMain,
  lineFrom,
  nodeByKey,
  promote,
  removed,
} from '../../static/analysis/tree.js';
import { Refused } from '../../static/engine/engine.js';
import { engine } from './engine.js';
import { FIRST_WIN } from '../../static/lessons/first-win.js';

const names = (nodes) => nodes.map((node) => actionsOf(node).join(' '));

/** A study with a main line, a variation, and one in the variation. */
function forked() {
  const study = openStudy(engine, 'crossfire', null);
  const first = study.local.turnDraft.legal.slice(0, 3).map(({ text }) => text);
  study.playWhole([first[0]]);
  const main = study.here;
  const second = study.local.turnDraft.legal.slice(0, 2).map(({ text }) => text);
  study.playWhole([second[0]]);
  study.goTo(study.root);
  study.playWhole([first[1]]);
  const aside = study.here;
  const reply = study.local.turnDraft.legal.slice(0, 2).map(({ text }) => text);
  study.playWhole([reply[0]]);
  study.goTo(aside);
  study.playWhole([reply[1]]);
  return { study, first, second, reply, main, aside };
}

/** The text of a study that is read from a text. */
function again(text) {
  const content = readText(text);
  const start = content.headers.get('start') ?? null;
  return openStudy(engine, content.headers.get('ruleset'), start, content);
}

test('turns become branches, and a turn that is there already is not added again', () => {
  const { study, first, second, main } = forked();
  assert.deepEqual(names(lineFrom(study.root)), [first[0], second[0]]);
  assert.equal(allFrom(study.root).length, 6);
  study.goTo(study.root);
  study.playWhole([first[0]]);
  assert.equal(study.here, main);
  assert.equal(allFrom(study.root).length, 6);
});

test('the desk is that of the node that is shown, wherever it was before', () => {
  const { study, main, aside } = forked();
  study.goTo(main);
  const { position } = study.local.match.turn;
  assert.equal(position, main.move.position);
  study.goTo(aside.children[1]);
  assert.equal(study.local.match.turn.position, aside.children[1].move.position);
  study.goTo(study.root);
  assert.equal(study.local.match.n_turns, 0);
});

test('keys lead along the line, to its ends, and from branch to branch', () => {
  const { study, main, aside } = forked();
  assert.equal(nodeByKey(main, 'ArrowLeft'), study.root);
  assert.equal(nodeByKey(study.root, 'ArrowRight'), main);
  assert.equal(nodeByKey(main, 'ArrowDown'), aside);
  assert.equal(nodeByKey(aside, 'ArrowDown'), main);
  assert.equal(nodeByKey(aside.children[0], 'Home'), study.root);
  assert.equal(nodeByKey(study.root, 'End'), main.children[0]);
  assert.equal(nodeByKey(main, 'q'), null);
});

test('a branch is promoted and removed', () => {
  const { study, first, aside } = forked();
  const other = aside.children[1];
  promote(other);
  assert.equal(aside.children[0], other);
  assert.equal(isMain(aside), false);
  promote(other);
  assert.equal(isMain(other), true);
  assert.deepEqual(names(study.root.children), [first[1], first[0]]);
  assert.equal(removed(aside), study.root);
  assert.deepEqual(names(study.root.children), [first[0]]);
});

test('an analysis is written and read again with all its notes', () => {
  const { study, main, aside } = forked();
  Object.assign(study.root, {
    comment: 'The start, {braced}',
    marks: [{ from: 'a5', to: 'a5', isOther: false }],
  });
  Object.assign(main, {
    comment: 'Two lines\nwith \\ and [%circle a5] as text, « et » ; à bientôt!',
    glyph: '!?',
    marks: [
      { from: 'a5', to: 'b4', isOther: false },
      { from: 'c5', to: 'c5', isOther: true },
    ],
  });
  Object.assign(aside, { comment: ')', glyph: '??' });
  aside.children[1].glyph = '!!';
  const text = study.text();
  const read = again(text);
  assert.equal(read.text(), text);
  const [root, one, , two] = allFrom(read.root);
  assert.deepEqual([root.comment, root.marks], [study.root.comment, study.root.marks]);
  assert.deepEqual([one.comment, one.glyph, one.marks], [main.comment, '!?', main.marks]);
  assert.deepEqual([two.comment, two.glyph], [')', '??']);
  assert.equal(two.children[1].glyph, '!!');
});

test('a start position, names, and an end that no position shows are kept as long as the main line is', () => {
  const { study, second } = forked();
  const [head, rest] = [study.text().split('\n\n')[0], study.text().split('\n\n').slice(1).join('\n\n')];
  const text = `${head}\nfirst: Ada\nsecond: Zoë\nresult: first\nreason: resign\n\n${rest}`;
  const read = again(text);
  assert.equal(read.text(), text);
  read.goTo(lineFrom(read.root)[0]);
  promote(lineFrom(read.root)[0]);
  removed(lineFrom(read.root)[1]);
  assert.equal(read.text().includes('resign'), false);
  assert.ok(second.length > 0);
});

test('the cards of an analysis are chosen, changed and kept', () => {
  const study = openStudy(engine, 'fibonacci-cards', null);
  assert.equal(study.isWaiting, true);
  study.choose(1);
  assert.deepEqual([study.isWaiting, study.local.match.turn.cards.card], [false, 1]);
  study.unchoose();
  assert.equal(study.isWaiting, true);
  study.choose(2);
  const [action] = study.local.turnDraft.legal;
  study.local.take(action.text);
  study.local.take(study.local.turnDraft.legal.find(({ kind }) => kind !== 'end').text);
  assert.equal(study.play(), true);
  assert.equal(study.isWaiting, true);
  study.goTo(study.root);
  assert.equal(study.local.match.turn.cards.card, 2);
  const text = study.text();
  assert.match(text, /^1 \[2\] /m);
  assert.equal(again(text).text(), text);
});

test('a question asks for the turn after a node, also after another turn', () => {
  const { study, main, aside, second } = forked();
  const { turns, card, nodes } = study.question(main, 1000);
  assert.deepEqual([turns.length, card, nodes], [1, null, 1000]);
  const after = study.question(main, 1000, { played: [second[1]] });
  assert.deepEqual(after.turns.at(-1), { card: null, actions: [second[1]] });
  assert.equal(study.question(aside.children[0], 1).turns.length, 2);
});

test('a text that is no analysis is refused with the line, and an illegal turn by the engine', () => {
  const { study } = forked();
  const text = study.text();
  const lineOf = (wrong) => {
    try {
      readText(wrong);
    } catch (error) {
      assert.ok(error instanceof Unreadable);
      return error.line;
    }
    return null;
  };
  assert.equal(lineOf('hello'), 1);
  assert.equal(lineOf(text.replace('ruleset: ', 'ruleset ')), 2);
  assert.equal(lineOf(text.replace(/\)\n*$/, '')), text.trimEnd().split('\n').length - 1);
  assert.equal(lineOf(text.replace(/\n1 .*/, '\n1 {')), 4);
  assert.throws(() => again(text.replace(/\n1 .*/, '\n1 a1-a1')), Refused);
});

test('a record as JSON is read too', () => {
  const { study } = forked();
  const [turn] = lineFrom(study.root);
  const record = {
    towers_record: 1,
    ruleset: 'crossfire',
    first: 'Ada',
    turns: [{ turn: 1, actions: actionsOf(turn) }],
  };
  const read = again(JSON.stringify({ ...record, final: '' }));
  assert.deepEqual(names(lineFrom(read.root)), names([turn]));
  assert.match(read.text(), /^first: Ada$/m);
});

test('a link keeps the whole analysis, and one that is too long is none', async () => {
  const { study } = forked();
  const text = study.text();
  const link = await fragmentOf(text, 3);
  assert.match(link, /^#a=[\w-]+&at=3$/);
  assert.deepEqual(await readFragment(link), { text, at: 3 });
  assert.equal(await readFragment('#turns'), null);
  await assert.rejects(readFragment('#a=nonsense'));
  const noise = Array.from({ length: MAX_LINK }, (_, i) =>
    String.fromCodePoint(0x4e00 + ((i * 7919) % 20_000)),
  );
  assert.equal(await fragmentOf(noise.join(''), 0), null);
});

test('a short link that holds a huge text is refused', async () => {
  const link = await fragmentOf('a'.repeat(2_000_000), 0);
  await assert.rejects(readFragment(link), RangeError);
});

test('a line is evaluated turn by turn, and a turn in place of a mistake is judged', async () => {
  const study = openStudy(engine, 'fibonacci', FIRST_WIN);
  const win = ['e7-e6', 'h7-g6', 'f4-e5'];
  study.playWhole(['c1-b1', 'end']);
  study.goTo(study.root);
  // Scores are those of the side to move.
  const answers = [
    { score: 1, turn: win },
    { score: 0.8, turn: ['a1-a2'] },
    { score: 0.7, turn: [] },
  ];
  const thinker = { ask: async () => answers.shift(), stop() {} };
  const done = [];
  const course = await evaluate(thinker, study, lineFrom(study.root), (n) => done.push(n));
  assert.deepEqual(done, [1, 2]);
  assert.deepEqual(course.turns[0].better, { actions: win, score: 1 });
  assert.ok(Math.abs(course.turns[0].score - 0.2) < 1e-9);
  assert.deepEqual(await judge(thinker, study, course, 0, win), { verdict: 'found', score: 1 });
  const { score } = course.turns[0];
  assert.deepEqual(await judge(thinker, study, course, 0, ['c1-b1', 'end']), { verdict: 'worse', score });
  // The search gives the other side less than after the turn played.
  const better = await judge(thinker, study, course, 0, ['c2-b2', 'end']);
  assert.equal(better.verdict, 'better');
  assert.ok(Math.abs(better.score - 0.3) < 1e-9, 'the chance of the first side after it');
  assert.deepEqual(await judge(thinker, study, course, 0, ['a1-a1']), { verdict: 'unknown', score: null });
});

/** Evaluates the first turn of a game, with the answers of the search in their order. */
async function evaluated(line, answers) {
  const study = openStudy(engine, 'fibonacci', FIRST_WIN);
  study.playWhole(line);
  const asked = [];
  const ask = async (_, { turns }) => {
    asked.push(turns.map(({ actions }) => actions.join(' ')));
    return answers.shift();
  };
  const { turns } = await evaluate({ ask, stop() {} }, study, lineFrom(study.root), () => {});
  return { turns, asked };
}

test('a better turn is clearly so by the search before the turns and by that after them, as in the review', async () => {
  const [played, other] = [
    ['c1-b1', 'end'],
    ['c2-b2', 'end'],
  ];
  /** The answers by the chances of the first side: expected before, after the turn played, after the other one. */
  const course = (expected, after, then) =>
    evaluated(played, [
      { score: expected, turn: other },
      { score: 1 - after, turn: ['a1-a2'] },
      { score: 1 - then, turn: [] },
    ]);
  const clear = await course(0.6, 0.5, 0.59);
  assert.deepEqual(clear.asked, [[], ['c1-b1 end'], ['c2-b2 end']]);
  assert.deepEqual(clear.turns[0].better.actions, other);
  assert.ok(
    Math.abs(clear.turns[0].better.score - 0.59) < 1e-9,
    'its worth is that of the position after it',
  );
  const little = await course(0.57, 0.5, 0.9);
  assert.deepEqual([little.turns[0].better, little.asked.length], [null, 2], 'no further search');
  const disproved = await course(0.6, 0.5, 0.57);
  assert.equal(disproved.turns[0].better, null);
});

test('a turn that leads to the same position is no better one', async () => {
  const { turns, asked } = await evaluated(
    ['c1-b1', 'c2-b2', 'end'],
    [
      { score: 0.9, turn: ['c2-b2', 'c1-b1', 'end'] },
      { score: 0.5, turn: ['a1-a2'] },
    ],
  );
  assert.equal(turns[0].better, null);
  assert.equal(asked.length, 2);
});
