import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { sourcesIn } from '../bundle/sources.js';

const root = fileURLToPath(new URL('../../static/', import.meta.url));

/** The rooms of the client, the lowest first. A module imports from its own room and from those below it. */
const FLOORS = [
  'connection',
  'ui',
  'board',
  'engine',
  'session',
  'panels',
  'header',
  'playback',
  'analysis',
  'local',
  'lobby',
  'lessons',
  'puzzle',
  'welcome',
  'game-page',
  'offline',
  'pages',
];

const modules = sourcesIn(root).filter(
  (path) => path.endsWith('.js') && path.includes('/') && !path.startsWith('vendor/'),
);
const roomOf = (path) => path.split('/')[0];

test('each module is in a room, and each room has modules', () => {
  assert.deepEqual([...new Set(modules.map(roomOf))].toSorted(), FLOORS.toSorted());
});

test('no module imports from a room above its own', () => {
  const rising = [];
  let count = 0;
  for (const path of modules) {
    const code = readFileSync(join(root, path), 'utf8');
    for (const [, named] of code.matchAll(/^(?:import|export)\s[^;=]*?from\s*'([^']+)'/gm)) {
      const other = normalize(join(dirname(path), named));
      if (!modules.includes(other)) continue;
      count += 1;
      if (FLOORS.indexOf(roomOf(other)) > FLOORS.indexOf(roomOf(path)))
        rising.push(`${path} imports ${other}`);
    }
  }
  assert.ok(count > 500, 'the imports are read');
  assert.deepEqual(rising, []);
});

test('no two modules have one name', () => {
  const names = modules.map((path) => basename(path));
  assert.deepEqual(
    modules.filter((path) => names.filter((name) => name === basename(path)).length > 1),
    [],
  );
});
