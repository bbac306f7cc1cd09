// npm run bundle               builds the client into static/built
// npm run bundle -- --check    fails if static/built differs from a fresh build of the sources

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildClient } from './client.js';
import { BUILT, filesIn } from './sources.js';

/**
 * @param {string} folder
 * @param {Map<string, Uint8Array>} files
 */
function write(folder, files) {
  rmSync(folder, { recursive: true, force: true });
  for (const [path, content] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

/**
 * @param {string} folder
 * @param {Map<string, Uint8Array>} files
 * @returns {string[]} the faults of the folder
 */
export function differences(folder, files) {
  mkdirSync(folder, { recursive: true });
  const there = new Set(filesIn(folder));
  const superfluous = [...there].filter((path) => !files.has(path));
  const wrong = [...files].flatMap(([path, content]) => {
    if (!there.has(path)) return [`${path} is missing`];
    return readFileSync(join(folder, path)).equals(content) ? [] : [`${path} differs`];
  });
  return [...wrong, ...superfluous.map((path) => `${path} is not built any more`)];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = fileURLToPath(new URL('../../static/', import.meta.url));
  const folder = join(root, BUILT);
  const files = await buildClient(root);
  if (process.argv.includes('--check')) {
    const wrong = differences(folder, files);
    for (const fault of wrong) console.error(`static/built: ${fault}`);
    if (wrong.length > 0) {
      console.error(
        'static/built is not what the sources give: run "npm run bundle" in tests/ and commit it',
      );
      process.exitCode = 1;
    }
  } else {
    write(folder, files);
    console.log(`static/built: ${files.size} files`);
  }
}
