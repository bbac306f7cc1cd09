import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { turnsIn } from '../../static/board/figure.js';
import { openDraft } from '../../static/engine/match-draft.js';
import { engine } from './engine.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (path) => readFileSync(join(root, path), 'utf8');
const page = (ruleset, language) => read(`static/rules/${ruleset}.${language}.html`);

/** The clauses of `docs/rules.md`, in its order. */
const CLAUSES = [...read('docs/rules.md').matchAll(/^\*\*(\d\.\d+) /gm)].map((match) => match[1]);
const chapter = (number) => CLAUSES.filter((clause) => clause.startsWith(`${number}.`));
const without = (clauses, ...omitted) => clauses.filter((clause) => !omitted.includes(clause));

/** Clauses of all rulesets, except those that only a program needs: the names of the sides, texts, perft. */
const COMMON = without(chapter(0), '0.1', '0.3', '0.10');
const NO_REPETITION = without(COMMON, '0.6');
const CARDS = ['1.16', '1.17', '1.18', '1.19'];

/** The clauses that apply to each ruleset, and that its page explains. */
const RULESETS = {
  fibonacci: [...COMMON, ...without(chapter(1), ...CARDS)],
  'fibonacci-mixed': [...COMMON, ...without(chapter(1), ...CARDS)],
  'fibonacci-cards': [...NO_REPETITION, ...without(chapter(1), '1.6', '1.7', '1.8', '1.15')],
  fenix: [...COMMON, ...chapter(2)],
  focus: [...COMMON, ...chapter(3)],
  'focus-classic': [...COMMON, ...chapter(3)],
  crossfire: [...NO_REPETITION, '3.4', '3.5', '3.6', ...chapter(4)],
};

const explained = (html) =>
  [...html.matchAll(/<section class="rule" id="([^"]+)"/g)].map((match) => match[1]);

test('the clauses of the rules are numbered without gaps', () => {
  const chapters = [...read('docs/rules.md').matchAll(/^## (\d)\. /gm)].map((match) => Number(match[1]));
  assert.deepEqual(chapters, [0, 1, 2, 3, 4]);
  const expected = chapters.flatMap((number) => chapter(number).map((_, index) => `${number}.${index + 1}`));
  assert.deepEqual(CLAUSES, expected);
});

test('there are rules for every ruleset that can be played', () => {
  const union = /export type Ruleset = ([^;]+);/.exec(read('static/protocol.d.ts'))[1];
  const playable = [...union.matchAll(/"([^"]+)"/g)].map((match) => match[1]);
  assert.deepEqual(playable.toSorted(), Object.keys(RULESETS).toSorted());
  for (const ruleset of playable) assert.ok(read('docs/rules.md').includes(`| \`${ruleset}\` |`), ruleset);
});

for (const [ruleset, clauses] of Object.entries(RULESETS)) {
  for (const language of ['en', 'fr']) {
    test(`the page ${ruleset}.${language} explains exactly the clauses that apply`, () => {
      assert.deepEqual(explained(page(ruleset, language)).toSorted(), clauses.toSorted());
    });
  }

  test(`the pages of ${ruleset} have one order and the same boards, and link to all others`, () => {
    const [en, fr] = ['en', 'fr'].map((language) => page(ruleset, language));
    assert.deepEqual(explained(fr), explained(en));
    const boards = (html) => [...html.matchAll(/<figure [^>]*>/g)].map((match) => match[0]);
    assert.deepEqual(boards(fr), boards(en));
    assert.ok(boards(en).length >= 4);
    for (const board of boards(en)) assert.ok(board.includes(`data-ruleset="${ruleset}"`), board);
    for (const html of [en, fr])
      for (const other of Object.keys(RULESETS)) assert.ok(html.includes(`href="/rules/${other}"`), other);
  });
}

/** Clauses that nobody needs for a first game: notation, and ends that are rare. */
const LATER = [
  '0.4',
  '0.5',
  '0.6',
  '0.7',
  '0.8',
  '0.9',
  '1.2',
  '1.4',
  '1.5',
  '1.13',
  '1.15',
  '1.18',
  '1.19',
].concat(['2.11', '2.12', '2.13', '2.14', '4.3']);

for (const ruleset of Object.keys(RULESETS)) {
  test(`the pages of ${ruleset} begin with a board to try, and the small print is folded at their end`, () => {
    for (const language of ['en', 'fr']) {
      const html = page(ruleset, language);
      const parts = html.split('<details class="fine-print">');
      assert.equal(parts.length, 2);
      const later = ruleset === 'fibonacci-cards' ? [...LATER, '1.14'] : LATER;
      const [first, folded] = parts.map(explained);
      assert.deepEqual(first, without(first, ...later));
      assert.deepEqual(without(folded, ...later), []);
      assert.ok(html.indexOf('<figure id="try"') < html.indexOf('<section'));
    }
  });

  test(`the board to try of ${ruleset} shows the position that its turns lead to`, () => {
    const [, data] = /<figure id="try"([^>]*)>/.exec(page(ruleset, 'en'));
    const read = (name) => new RegExp(`data-${name}="([^"]*)"`).exec(data)?.[1];
    const local = openDraft(engine, ruleset);
    for (const turn of turnsIn({ turns: read('turns') })) local.playWhole(turn);
    // The first card is turned over on the board itself.
    if (local.match.turn.cards !== null) local.turnOver(3);
    assert.equal(local.match.turn.position, read('position'));
    local.close();
  });
}

test('the rules of each ruleset lead to its lesson, or to that of its game', () => {
  for (const ruleset of Object.keys(RULESETS)) {
    const lesson = ruleset === 'focus-classic' ? 'focus' : ruleset;
    for (const language of ['en', 'fr'])
      assert.ok(page(ruleset, language).includes(`href="/learn/${lesson}"`), `${ruleset}.${language}`);
  }
});

const SKIPPED = new Set(['.git', 'node_modules', 'target', 'built', 'vendor', 'corpus']);

/** Paths of all sources and documents of the project.
 * @param {string} folder
 * @returns {string[]}
 */
function filesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => !SKIPPED.has(entry.name))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return filesBelow(path);
      return entry.isFile() && /\.(?:rs|js|ts|md|html|css|sql)$/.test(entry.name)
        ? [relative(root, path)]
        : [];
    });
}

/** Clauses that a text cites as "RULES 1.12", in a list or as a range, also across the lines of a comment. */
function citations(text) {
  const lines = text.replaceAll(/\s*\n[ \t]*(?:\/\/[/!]?|\*(?!\*)|--)?\s*/g, ' ');
  const lists = lines.matchAll(/\bRULES ((?:\d\.\d+(?:, (?:and )?| and | to |-)?)+)/g);
  return [...lists].flatMap(([, list]) => list.match(/\d\.\d+/g));
}

test('a citation is found in lists, in ranges and across the lines of a comment', () => {
  const comment = '/// The piece (RULES 2.8, 2.9), the text of RULES 3.3 to 3.5 (RULES\n    /// 2.7).';
  assert.deepEqual(citations(comment), ['2.8', '2.9', '3.3', '3.5', '2.7']);
  assert.deepEqual(citations('RULES 2.10, 3.7 and 4.5; RULES 1.1-1.4.'), [
    '2.10',
    '3.7',
    '4.5',
    '1.1',
    '1.4',
  ]);
});

test('every clause that sources and documents cite is a clause of the rules', () => {
  let found = 0;
  for (const path of filesBelow(root)) {
    const text = read(path);
    const cited = citations(text);
    if (path.endsWith('.rs')) {
      const codes = text.matchAll(/(?:Rule::new|: Self = Self)\("(\d\.\d+)"\)/g);
      cited.push(...[...codes].map((match) => match[1]));
    }
    if (path.startsWith('docs/')) {
      const examples = text.matchAll(/"rule": "([^"]*)"|\((\d\.\d+)\)/g);
      cited.push(...[...examples].map((match) => match[1] ?? match[2]));
    }
    for (const clause of cited) assert.ok(CLAUSES.includes(clause), `${path} cites ${clause}`);
    found += cited.length;
  }
  assert.ok(found > 200, `only ${found} citations were found`);
});
