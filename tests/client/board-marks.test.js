import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { sourcesIn } from '../bundle/sources.js';
import { OVER, UNDER } from '../../static/board/marks.js';

const root = new URL('../../static/', import.meta.url);
const read = (path) => readFileSync(new URL(path, root), 'utf8');
const pages = sourcesIn(fileURLToPath(root)).filter((path) => path.endsWith('.html'));

/** Paths of the files that a file names and those name, all of one ending. */
function reached(first, pattern, seen = new Set()) {
  if (seen.has(first)) return seen;
  seen.add(first);
  for (const [, named] of read(first).matchAll(pattern))
    reached(posix.join(posix.dirname(first), named), pattern, seen);
  return seen;
}
const modulesOf = (html) =>
  [...html.matchAll(/="\/([\w/-]+\.js)"/g)].flatMap(([, path]) => [
    ...reached(path, /^(?:import|export)\s[^;=]*?from\s*'(\.[^']+)'/gm),
  ]);
const stylesOf = (html) =>
  [...html.matchAll(/="\/(style\/[\w/-]+\.css)"/g)].flatMap(([, path]) => [
    ...reached(path, /@import url\('([^']+)'\)/g),
  ]);
/** Modules that draw marks on a board. */
const DRAWING = ['board/board-state.js', 'board/diagram.js'];

test('every mark that a board can draw is seen', () => {
  const css = read('style/marks.css');
  for (const mark of [...UNDER, ...OVER]) {
    const rules = [...css.matchAll(/^([^{}@]+)\{([^}]*)\}/gm)].filter(([, selectors]) =>
      selectors.split(',').some((selector) => selector.trim() === `.mark-${mark}`),
    );
    const look = rules.map(([, , declarations]) => declarations).join('');
    assert.match(look, /\b(?:fill|stroke): (?!none)/, mark);
  }
});

test('every page that draws marks has their styles', () => {
  const drawing = pages.filter((page) => modulesOf(read(page)).some((path) => DRAWING.includes(path)));
  for (const page of ['game', 'replay', 'analysis', 'puzzles', 'lesson', 'table', 'index', 'embed', 'rules'])
    assert.ok(
      drawing.some((path) => path.startsWith(page)),
      `${page} draws marks`,
    );
  for (const page of drawing) assert.ok(stylesOf(read(page)).includes('style/marks.css'), page);
});
