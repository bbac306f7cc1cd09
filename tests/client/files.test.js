import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { sourcesIn } from '../bundle/sources.js';

const root = fileURLToPath(new URL('../../static/', import.meta.url));
const read = (path) => readFileSync(join(root, path), 'utf8');

const sources = sourcesIn(root);
const pages = sources.filter((path) => path.endsWith('.html'));

test('modules import each other by relative paths, as browsers read them', () => {
  for (const path of sources.filter((path) => path.endsWith('.js'))) {
    for (const match of read(path).matchAll(/^(?:import|export)\s[^;=]*?from\s*['"]([^'"]+)['"]/gm))
      assert.match(match[1], /^\.\.?\//, `${path} imports ${match[1]}`);
  }
});

for (const page of pages) {
  const html = read(page);

  test(`${page} has one script, the words, and what is shown if they do not load`, () => {
    assert.equal([...html.matchAll(/<script type="module" src="\/pages\/\w+\.js">/g)].length, 1);
    assert.match(
      html,
      /<link rel="preload" as="fetch" id="words" [^>]*href="\/i18n\/\{\{language\}\}\.json">/,
    );
    assert.match(html, /<div id="unloaded" class="unloaded" role="alert" hidden>\s*<p>[^<]+<\/p>\s*<button/);
    assert.match(html, /<h1/, 'a heading before the script runs');
    assert.match(html, /class="lead"/, 'a lead before the script runs');
  });

  test(`${page} has nothing that its content security policy forbids`, () => {
    assert.doesNotMatch(html, /<script(?![^>]*\ssrc=)/, 'inline script');
    assert.doesNotMatch(html, /<style|\sstyle=|\son\w+=/, 'inline style or handler');
    assert.doesNotMatch(html, /(?:src|href)="(?:https?:)?\/\//, 'another site');
  });

  test(`${page} refers only to files that are there`, () => {
    for (const [, path] of html.replaceAll('{{language}}', 'en').matchAll(/="\/([\w@./-]+\.\w+)"/g))
      assert.ok(read(path).length > 0, path);
  });
}

test('the page of a game has its live regions from the start', () => {
  for (const page of pages) {
    assert.match(read(page), /<div id="polite" class="sr" role="status"><\/div>/, page);
    assert.match(read(page), /<div id="assertive" class="sr" role="alert"><\/div>/, page);
  }
});

const idsOf = (html) => [...html.matchAll(/<section class="rule" id="([^"]+)"/g)].map((match) => match[1]);

/** Every ruleset, and the clauses of its game that a refusal can name. */
const FIBONACCI = ['1.1', '1.3', '1.4', '1.5', '1.9', '1.10', '1.12', '1.13'];
const STACKS = ['3.4', '3.5', '3.6'];
const RULESETS = {
  fibonacci: [...FIBONACCI, '1.6', '1.7', '0.6'],
  'fibonacci-mixed': [...FIBONACCI, '1.6', '1.7', '0.6'],
  'fibonacci-cards': [...FIBONACCI, '1.16', '1.17', '1.18', '1.19'],
  fenix: [...Array.from({ length: 14 }, (_, i) => `2.${i + 1}`), '0.6'],
  focus: ['3.1', '3.2', '3.3', '3.7', ...STACKS, '0.6'],
  'focus-classic': ['3.1', '3.2', '3.3', '3.7', ...STACKS, '0.6'],
  crossfire: ['4.1', '4.2', '4.3', '4.4', '4.5', ...STACKS],
};
const COMMON = ['0.2', '0.4', '0.5', '0.7', '0.8', '0.9'];

test('there are rules for every ruleset that can be played', () => {
  const union = /export type Ruleset = ([^;]+);/.exec(read('protocol.d.ts'))[1];
  const playable = [...union.matchAll(/"([^"]+)"/g)].map((match) => match[1]);
  assert.deepEqual(playable.toSorted(), Object.keys(RULESETS).toSorted());
});

test('the rules have the same sections and the same boards in both languages', () => {
  for (const ruleset of Object.keys(RULESETS)) {
    const [en, fr] = ['en', 'fr'].map((language) => read(`rules/${ruleset}.${language}.html`));
    assert.deepEqual(idsOf(fr), idsOf(en));
    const boards = (html) => [...html.matchAll(/<figure [^>]*>/g)].map((match) => match[0]);
    assert.deepEqual(boards(fr), boards(en));
    assert.ok(boards(en).length >= 4);
    for (const board of boards(en)) assert.ok(board.includes(`data-ruleset="${ruleset}"`), board);
  }
});

test('every clause that a refusal can name is a section of the rules, and all games lead to each other', () => {
  for (const [ruleset, clauses] of Object.entries(RULESETS)) {
    for (const language of ['en', 'fr']) {
      const html = read(`rules/${ruleset}.${language}.html`);
      const ids = idsOf(html);
      for (const clause of [...COMMON, ...clauses])
        assert.ok(ids.includes(clause), `${ruleset}.${language} #${clause}`);
      assert.deepEqual(ids, [...new Set(ids)]);
      for (const other of Object.keys(RULESETS))
        assert.ok(html.includes(`href="/rules/${other}"`), `${ruleset}.${language} leads to ${other}`);
    }
  }
});

test('what is not ours is as it was published', () => {
  const vendor = join(root, 'vendor');
  const listed = JSON.parse(read('vendor/VENDOR.json'));
  const files = listed.flatMap((entry) => Object.entries(entry.files));
  for (const [path, hash] of files) {
    const actual = createHash('sha256')
      .update(readFileSync(join(vendor, path)))
      .digest('hex');
    assert.equal(actual, hash, path);
  }
  const present = readdirSync(vendor, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) =>
      readdirSync(join(vendor, name), { recursive: true }).map((path) => `${name}/${path}`),
    )
    .filter((path) => statSync(join(vendor, path)).isFile());
  assert.deepEqual(present.toSorted(), files.map(([path]) => path).toSorted());
  for (const { name, version, files: own } of listed) {
    assert.ok(
      Object.keys(own).some((path) => path.endsWith('/LICENSE')),
      `${name} has its licence`,
    );
    assert.ok(
      Object.keys(own).every((path) => path.includes(`@${version}/`)),
      `${name} has its version in the path`,
    );
  }
});
