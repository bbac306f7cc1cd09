import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';

import { differences } from '../bundle/bundle.js';
import { buildClient } from '../bundle/client.js';
import { DIGEST, digestOf } from '../bundle/sources.js';

const PAGE = `<!doctype html>
<html lang="{{language}}">
  <head>
    <title>{{page.name}}</title>
    <link rel="icon" href="/ui/icon.svg" data-turn="/ui/turn.svg">
    <link rel="manifest" href="/ui/site.webmanifest">
    <script src="/ui/first.js"></script>
    <link rel="preload" as="fetch" id="words" href="/i18n/{{language}}.json">
    <link rel="stylesheet" href="/style/base.css">
    <link rel="stylesheet" href="/style/page.css">
    <script type="module" src="/pages/page.js"></script>
  </head>
  <body><a href="/rules/fenix">{{page.name}}</a></body>
</html>
`;

const FILES = {
  'page.html': PAGE,
  'rules/fenix.fr.html': PAGE.replace('{{language}}', 'fr'),
  'i18n/en.json':
    '{ "page.name": "Towers & <more>", "say.used": "a", "say.side_red": "b", "say.other": "c" }',
  'i18n/fr.json': '{ "page.name": "Tours", "say.used": "d", "say.side_red": "e", "say.other": "f" }',
  'ui/icon.svg': '<svg/>',
  'ui/turn.svg': '<svg id="turn"/>',
  'ui/site.webmanifest': '{ "icons": [{ "src": "/ui/icon.svg" }] }',
  'ui/first.js': '{\n  const first = 1;\n  window.first = first;\n}\n',
  'style/base.css': "@layer a, b;\n@import url('./part.css') layer(b);\n.board { mask: url(#hole); }\n",
  'style/part.css': ".part { background: url('../ui/icon.svg#field'); }\n",
  'style/page.css': '.page { color: light-dark(red, blue); }\n',
  'pages/page.js': "import { used } from './used.js';\nimport('./late.js').then(used);\n",
  'pages/used.js': `export const used = (x) => console.log("say.used", \`say.side_\${x}\`);\nexport const unused = "unused";\n`,
  'pages/late.js': 'export const late = "late";\n',
  'favicon.ico': 'icon',
  'apple-touch-icon.png': 'icon',
  'offline/service-worker.js': 'addEventListener("fetch", () => {});\n',
  'protocol.d.ts': 'export {}',
  'tsconfig.json': '{}',
};

/** Runs a test on a folder of sources. */
async function withSources(changes, run) {
  const root = mkdtempSync(join(tmpdir(), 'towers-sources-'));
  try {
    for (const [path, content] of Object.entries({ ...FILES, ...changes })) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), content);
    }
    return await run(root);
  } finally {
    rmSync(root, { recursive: true });
  }
}

const build = (changes = {}) => withSources(changes, buildClient);
const text = (files, path) => Buffer.from(files.get(path)).toString();
const found = (files, pattern) => [...files.keys()].filter((path) => pattern.test(path));

test('a page is built in each language, and one that is written in a language in that one', async () => {
  const files = await build();
  assert.deepEqual(found(files, /^pages\//), [
    'pages/page.en.html',
    'pages/page.fr.html',
    'pages/rules/fenix.fr.html',
  ]);
  assert.match(
    text(files, 'pages/page.en.html'),
    /<html lang="en">[\s\S]*<title>Towers &amp; &lt;more><\/title>/,
  );
  assert.match(
    text(files, 'pages/page.fr.html'),
    /<html lang="fr">[\s\S]*href="\/assets\/page\.fr-[0-9a-f]{12}\.json"/,
  );
});

test('a page has one script, one stylesheet and names no file but built ones', async () => {
  const files = await build();
  const html = text(files, 'pages/page.en.html');
  const named = [...html.matchAll(/="(\/[^"]*\.\w+)"/g)].map(([, address]) => address);
  assert.equal(named.length, 5, html);
  for (const address of named) assert.ok(files.has(address.slice(1)), address);
  assert.match(html, /href="\/rules\/fenix"/);
  assert.match(html, /href="data:image\/svg\+xml,%3Csvg\/%3E" data-turn="data:[^"]*id=%22turn%22/);
  const [script] = found(files, /page-\w+\.js$/);
  assert.match(text(files, script), /used/);
  assert.match(text(files, script), /late/);
  assert.doesNotMatch(text(files, script), /unused|import\s*["'(]/);
  const [style] = found(files, /\.css$/);
  assert.equal(found(files, /\.css$/).length, 1);
  assert.match(text(files, style), /url\(\/assets\/icon-[0-9a-f]{12}\.svg#field\)/);
  assert.match(text(files, style), /light-dark\(red,\s?blue\)/);
  const [manifest] = found(files, /\.webmanifest$/);
  assert.match(text(files, manifest), /"\/assets\/icon-[0-9a-f]{12}\.svg"/);
});

test('a page has the words that its script uses', async () => {
  const files = await build();
  const [english] = found(files, /page\.en-\w+\.json$/);
  assert.deepEqual(JSON.parse(text(files, english)), { 'say.used': 'a', 'say.side_red': 'b' });
});

test('a part that a page names is a script of its own, with its words among those of the page', async () => {
  const files = await build({
    'page.html': PAGE.replace('<body>', '<body data-late="/pages/late.js">'),
    'pages/page.js': 'import(document.body.dataset.late);\n',
    'pages/late.js': "import { used } from './used.js';\nused('red');\n",
  });
  const [late] = found(files, /late-\w+\.js$/);
  assert.match(text(files, 'pages/page.en.html'), new RegExp(`data-late="/${late}"`));
  assert.match(text(files, late), /say\.used/);
  const [english] = found(files, /page\.en-\w+\.json$/);
  assert.deepEqual(JSON.parse(text(files, english)), { 'say.used': 'a', 'say.side_red': 'b' });
});

test('the same sources give the same bytes, wherever they lie', async () => {
  assert.deepEqual(await build(), await build());
});

test('a file with other content has another name', async () => {
  const [before, after] = [await build(), await build({ 'pages/late.js': 'export const late = "later";\n' })];
  const scripts = [before, after].map((files) => found(files, /page-\w+\.js$/));
  assert.notDeepEqual(scripts[0], scripts[1]);
  assert.deepEqual(found(before, /\.css$/), found(after, /\.css$/));
});

test('the digest follows every source, and neither types nor what was built', async () => {
  const digest = text(await build(), DIGEST);
  assert.match(digest, /^[0-9a-f]{64} {2}i18n\/en\.json$/m);
  const same = { 'protocol.d.ts': 'export type A = 1', 'built/assets/a.js': 'a', 'pages/.hidden': 'x' };
  assert.equal(await withSources(same, digestOf), digest);
  assert.notEqual(await withSources({ 'style/part.css': '' }, digestOf), digest);
});

test('a key without a text, and a file that is not there, stop the build', async () => {
  for (const key of ['page.none', 'page.no-such', 'page none'])
    await assert.rejects(
      build({ 'page.html': PAGE.replace('page.name', key) }),
      new RegExp(`page\\.html: \\{\\{${key}\\}\\}`),
    );
  await assert.rejects(build({ 'page.html': PAGE.replace('turn.svg', 'none.svg') }), /none\.svg/);
  await assert.rejects(build({ 'pages/page.js': "import './none.js';" }), /none\.js/);
});

test('the built files are compared byte by byte with a fresh build', async () => {
  const files = new Map([
    ['a.js', Buffer.from('a')],
    ['b.js', Buffer.from('b')],
    ['c.js', Buffer.from('c')],
  ]);
  const there = { 'a.js': 'a', 'b.js': 'other', 'd.js': 'd' };
  await withSources({}, (root) => {
    for (const [path, content] of Object.entries(there)) {
      mkdirSync(join(root, 'built'), { recursive: true });
      writeFileSync(join(root, 'built', path), content);
    }
    assert.deepEqual(differences(join(root, 'built'), files), [
      'b.js differs',
      'c.js is missing',
      'd.js is not built any more',
    ]);
  });
});
