import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { sourcesIn } from '../bundle/sources.js';

const root = new URL('../../static/', import.meta.url);

/** Reading the name of a player, however the player is called. */
const NAMED =
  /(?:\b(?:seats\??\.(?:first|second)|first|second|creator|who|opponent|player|me)|\])\??\.name\b/g;

/** Where the visitor is called by the name that was just chosen. */
const OWN = /^header\/(?:visitor-dialog|register|recovery-code|security-dialog|mail)\.js$/;

test('pages get the names of players from one place, which has words where none is left', () => {
  const files = sourcesIn(fileURLToPath(root)).filter(
    (path) => /^(?!vendor)\S+\.js$/.test(path) && !OWN.test(path),
  );
  const found = files.flatMap((path) =>
    [...readFileSync(new URL(path, root), 'utf8').matchAll(NAMED)].map(([text]) => `${path}: ${text}`),
  );
  assert.deepEqual(found, []);
});
