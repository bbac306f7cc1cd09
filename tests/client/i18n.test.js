import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { sourcesIn } from '../bundle/sources.js';
import { localeOf, translator } from '../../static/i18n.js';

const root = new URL('../../static/', import.meta.url);
/** The words of pages, and those that come with dialogs. */
const tables = ['i18n/', 'header/visitor.'];
const words = Object.fromEntries(
  ['en', 'fr'].map((language) => [
    language,
    Object.assign(
      {},
      ...tables.map((table) => JSON.parse(readFileSync(new URL(`${table}${language}.json`, root), 'utf8'))),
    ),
  ]),
);
const textsOf = (entry) => (typeof entry === 'string' ? [entry] : Object.values(entry));
const holesOf = (text) => [...new Set([...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1]))].sort();

const files = sourcesIn(fileURLToPath(root)).filter((path) => !path.startsWith('vendor'));
const textOf = (path) => readFileSync(new URL(path, root), 'utf8');
const sources = files.filter((path) => path.endsWith('.js')).map((path) => [path, textOf(path)]);
const pages = files.filter((path) => path.endsWith('.html')).map((path) => [path, textOf(path)]);

test('both languages have the same keys', () => {
  assert.deepEqual(Object.keys(words.fr).sort(), Object.keys(words.en).sort());
});

test('a name that is written from right to left moves nothing around it, and other texts stay as they are', () => {
  const t = translator('en', { pair: '{first} – {second}, turn {n}' });
  assert.equal(t('pair', { first: 'Zoë', second: 'Guest 7', n: 3 }), 'Zoë – Guest 7, turn 3');
  assert.equal(
    t('pair', { first: 'דנה', second: 'ليلى', n: 3 }),
    '\u2068דנה\u2069 – \u2068ليلى\u2069, turn 3',
  );
  assert.equal(t('pair', { first: 'a\u202eb', second: '', n: 3 }), '\u2068a\u202eb\u2069 – , turn 3');
});

test('both languages have the same placeholders, in every branch', () => {
  for (const [key, entry] of Object.entries(words.en)) {
    const wanted = [...new Set(textsOf(entry).flatMap(holesOf))].sort();
    for (const text of textsOf(words.fr[key])) {
      for (const hole of holesOf(text)) assert.ok(wanted.includes(hole), `${key}: {${hole}} in fr only`);
    }
    const french = [...new Set(textsOf(words.fr[key]).flatMap(holesOf))].sort();
    const optional = typeof entry === 'string' ? [] : ['n'];
    for (const hole of wanted) {
      assert.ok(french.includes(hole) || optional.includes(hole), `${key}: {${hole}} is missing in fr`);
    }
  }
});

test('every word that counts has the plural branches of its language', () => {
  for (const [language, entries] of Object.entries(words)) {
    const wanted = new Intl.PluralRules(language).resolvedOptions().pluralCategories.toSorted();
    for (const [key, entry] of Object.entries(entries)) {
      if (typeof entry !== 'string')
        assert.deepEqual(Object.keys(entry).sort(), wanted, `${language} ${key}`);
    }
  }
});

test('dates follow the language of the page and the region of the visitor', () => {
  for (const [language, preferred, wanted] of [
    ['en', ['en-GB', 'fr'], 'en-GB'],
    ['en', ['en', 'de-AT'], 'en-AT'],
    ['en', ['de-DE', 'en-US'], 'en-US'],
    ['fr', ['en-CA'], 'fr-CA'],
    ['fr', ['no such tag!', 'fr'], 'fr'],
    ['en', [], 'en'],
  ])
    assert.equal(localeOf(language, preferred), wanted);
  const day = (locale) =>
    new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }).format(new Date(2026, 10, 27));
  assert.equal(day(localeOf('en', ['en-GB'])), '27 Nov 2026');
  const written = sources.filter(([, text]) => text.includes('new Intl.DateTimeFormat('));
  assert.deepEqual(
    written.map(([path]) => path),
    ['offline/service-worker.js', 'pages/local.js', 'ui/page.js'],
    'one helper writes the dates of pages; a record and a notification have their own forms',
  );
});

test('zero is singular in French and plural in English', () => {
  const en = translator('en', words.en);
  const fr = translator('fr', words.fr);
  assert.deepEqual(
    [0, 1, 2].map((n) => fr('puzzle.left', { n })),
    ['0 coup restant.', '1 coup restant.', '2 coups restants.'],
  );
  assert.deepEqual(
    [0, 1, 2].map((n) => en('puzzle.left', { n })),
    ['0 moves left.', '1 move left.', '2 moves left.'],
  );
});

test('a second number of a French text has nothing that must agree with it', () => {
  const t = translator('fr', words.fr);
  for (const n of [0, 1, 2]) {
    assert.equal(t('review.progress', { done: n, of: 43 }), `Tours évalués\u00a0: ${n} sur 43`);
    assert.equal(t('analysis.course_progress', { done: n, of: 43 }), `Positions évaluées\u00a0: ${n} sur 43`);
    const counted = t('puzzle.count', { n: 388, solved: n });
    assert.equal(counted, `388 problèmes. Résolus sur cet appareil\u00a0: ${n}.`);
  }
});

test('a text takes its arguments as they are, numbers as the language writes them', () => {
  const t = translator('fr', { a: '{x} sur {n}', b: { one: 'un', many: 'des', other: '{n}' } });
  assert.equal(
    t('a', { x: '<b>{n}</b>', n: 1234.5 }),
    `<b>{n}</b> sur ${new Intl.NumberFormat('fr').format(1234.5)}`,
  );
  assert.equal(t('b', { n: 1_000_000 }), 'des');
  assert.equal(t('no.such.key'), 'no.such.key');
});

/** Keys that the sources use: literally, or with a part that is computed at run time. */
const literal = new Set();
const patterns = [];
for (const [, source] of sources) {
  for (const match of source.matchAll(/(['"])([a-z]+(?:\.[\w-]+)+)\1/g)) literal.add(match[2]);
  for (const match of source.matchAll(/`([a-z]+\.(?:[\w.-]|\$\{[^}]*\})+)`/g)) {
    if (!match[1].includes('${')) continue;
    const escaped = match[1].replace(/\$\{[^}]*\}/g, '\0').replace(/[.*+?^()|[\]\\]/g, '\\$&');
    patterns.push(new RegExp(`^${escaped.replaceAll('\0', '[\\w.-]+')}$`));
  }
}

const ofPages = pages.flatMap(([path, html]) =>
  [...html.matchAll(/\{\{([\w.]+)\}\}/g)]
    .map(([, key]) => ({ path, key }))
    .filter(({ key }) => key !== 'language'),
);
for (const { key } of ofPages) literal.add(key);

test('no key is unused', () => {
  const unused = Object.keys(words.en).filter(
    (key) => !literal.has(key) && !patterns.some((pattern) => pattern.test(key)),
  );
  assert.deepEqual(unused, []);
});

test('no key is missing', () => {
  for (const [path, source] of sources) {
    for (const match of source.matchAll(/\b(?:t|say|explain)\(\s*'([^']+)'/g)) {
      assert.ok(match[1] in words.en, `${path}: ${match[1]}`);
    }
  }
  for (const { path, key } of ofPages) assert.equal(typeof words.en[key], 'string', `${path}: {{${key}}}`);
  for (const pattern of patterns) {
    assert.ok(
      Object.keys(words.en).some((key) => pattern.test(key)),
      `no key is like ${pattern}`,
    );
  }
});

test('every refusal of a command has words', () => {
  const protocol = readFileSync(new URL('protocol.d.ts', root), 'utf8');
  const nack = /"type": "nack"[^|]*& \(([\s\S]*?)\) \|/.exec(protocol)[1];
  // A temporary refusal is retried, and its text is elsewhere.
  const codes = [...nack.matchAll(/"code": "(\w+)"/g)]
    .map((match) => match[1])
    .filter((code) => code !== 'too_fast');
  assert.ok(codes.includes('stale') && codes.includes('illegal'), codes.join());
  for (const code of codes) assert.ok(`refusal.${code}` in words.en, code);
});

test('everything that can be wrong with a record has words', () => {
  const protocol = readFileSync(new URL('protocol.d.ts', root), 'utf8');
  const declared = (name) => new RegExp(`export type ${name} = ([\\s\\S]*?);\\n`).exec(protocol)[1];
  const codes = [...declared('Flaw').matchAll(/"code": "(\w+)"/g)].map((match) => match[1]);
  const expected = [...declared('Expected').matchAll(/"(\w+)"/g)].map((match) => `what_${match[1]}`);
  assert.ok(codes.includes('illegal') && expected.includes('what_title'), codes.join());
  for (const code of [...codes, ...expected]) assert.ok(`flaw.${code}` in words.en, code);
});

test('French has its narrow spaces before ; ! ? and its spaces before : and inside « »', () => {
  const faults = [];
  const check = (where, text) => {
    if (/[^\u202f\s][;!?]/u.test(text) || /[ \u00a0][;!?]/u.test(text))
      faults.push(`${where}: U+202F before ; ! ? in “${text}”`);
    if (/[^\u00a0\d]:|(?<!\u00a0):(?!\d)/u.test(text)) faults.push(`${where}: U+00A0 before : in “${text}”`);
    if (/«[^\u00a0]|[^\u00a0]»/u.test(text)) faults.push(`${where}: U+00A0 inside « » in “${text}”`);
    if (/'/.test(text)) faults.push(`${where}: ’ in “${text}”`);
  };
  for (const [key, entry] of Object.entries(words.fr)) {
    if (key !== 'keys.help') for (const text of textsOf(entry)) check(key, text.replace(/\{\w+\}/g, 'x'));
  }
  for (const comments of Object.values(JSON.parse(textOf('playback/comments.fr.json'))))
    for (const [turn, text] of Object.entries(comments)) check(`comment ${turn}`, text);
  for (const [path, html] of pages.filter(([name]) => name.endsWith('.fr.html'))) {
    const main = /<main[^>]*>([\s\S]*)<\/main>/.exec(html)[1];
    for (const text of main.split(/<[^>]*>/)) if (text.trim() !== '') check(path, text.trim());
  }
  assert.deepEqual(faults, []);
});

test('a side in French is in the plural, with its article, or is a label alone', () => {
  const sides = ['black', 'white', 'red', 'blue'].map((colour) => words.fr[`side.${colour}`]);
  assert.deepEqual(
    sides.filter((name) => !name.endsWith('s')),
    [],
  );
  const label = /^(Tour \{turn\}, )?\{side\}(\u00a0:| \{chance\}|$)/;
  for (const [key, entry] of Object.entries(words.fr)) {
    const hole = key.endsWith('_side') ? 'side|name|loser' : 'side|other|first_side|second_side';
    for (const text of textsOf(entry).filter((text) => !label.test(text)))
      assert.doesNotMatch(text, new RegExp(`(?<!\\b(?:les|des|aux) )\\{(?:${hole})\\}`, 'iu'), key);
  }
});

test('no French text has a word before a name that the name would shorten', () => {
  for (const [key, entry] of Object.entries(words.fr)) {
    for (const text of textsOf(entry))
      assert.doesNotMatch(text, /\b(?:de|que) \{(?:name|loser|first|second|pair)\}/iu, key);
  }
});

test('no text stands in a page but through its key, save in those that are written in one language', () => {
  for (const [path, html] of pages.filter(([name]) => !/\.(en|fr)\.html$/.test(name))) {
    const plain = html.replace(/<[^>]*>/g, '').replace(/\{\{[^}]*\}\}/g, '');
    assert.doesNotMatch(plain, /[A-Za-z]{3,}/, path);
  }
});

test('no text stands in a template but through its key', () => {
  for (const [path, source] of sources.filter(([name]) => /^(live|lobby|pages|play|ui)\//.test(name))) {
    for (const [, markup] of source.matchAll(
      /html`((?:[^`\\$]|\$(?!\{)|\$\{(?:[^{}`]|\{[^{}]*\}|`[^`]*`)*\})*)`/g,
    )) {
      const plain = markup.replace(/\$\{(?:[^{}`]|\{[^{}]*\}|`[^`]*`)*\}/g, '').replace(/<[^>]*>/g, '');
      assert.doesNotMatch(plain, /[A-Za-z]{3,}/, path);
    }
  }
});
