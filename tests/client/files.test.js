import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { pagesIn, sourcesIn, whole } from '../bundle/sources.js';

const root = fileURLToPath(new URL('../../static/', import.meta.url));
const read = (path) => readFileSync(join(root, path), 'utf8');

const sources = sourcesIn(root);
const pages = pagesIn(root);

test('modules import each other by relative paths, as browsers read them', () => {
  for (const path of sources.filter((path) => path.endsWith('.js'))) {
    for (const match of read(path).matchAll(/^(?:import|export)\s[^;=]*?from\s*['"]([^'"]+)['"]/gm))
      assert.match(match[1], /^\.\.?\//, `${path} imports ${match[1]}`);
  }
});

for (const page of pages) {
  const html = whole(root, page);

  test(`${page} has one script, the words, and a fallback if they do not load`, () => {
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

test('each page has its live regions from the start', () => {
  for (const page of pages) {
    assert.match(whole(root, page), /<div id="polite" class="sr" role="status"><\/div>/, page);
    assert.match(whole(root, page), /<div id="assertive" class="sr" role="alert"><\/div>/, page);
  }
});

test('vendored files are those that VENDOR.json lists', () => {
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
