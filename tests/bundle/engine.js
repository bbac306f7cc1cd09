// npm run engine               compiles the engine and the search for browsers into static/engine
// npm run engine -- --check    fails if their sources have changed since
//
// Compiling takes the target of browsers: rustup target add wasm32-unknown-unknown

import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { filesIn, sha256 } from './sources.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/**
 * A library that is compiled for browsers.
 * @typedef {object} Library
 * @property {string} name of its package
 * @property {string} compiled the file that it is compiled to
 * @property {string[]} crates the folders of its sources; the last one is its own
 */

/** @type {Library[]} */
const LIBRARIES = [
  {
    name: 'engine-wasm',
    compiled: 'static/engine/engine.wasm',
    crates: ['engine', 'engine/views', 'engine/wasm'],
  },
  {
    name: 'search-wasm',
    compiled: 'static/engine/search.wasm',
    crates: ['engine', 'engine/search', 'engine/search/wasm'],
  },
];

/** The file with the digests of the sources of a library and of what was compiled from them.
 * @param {Library} library
 */
const digestFile = ({ crates }) => join(ROOT, crates[crates.length - 1], 'COMPILED.sha256');

/** A line with the SHA-256 of each source and of the compiled library, as `sha256sum` writes it.
 * @param {Library} library
 */
function digest({ compiled, crates }) {
  const sources = crates.flatMap((crate) => [
    `${crate}/Cargo.toml`,
    ...filesIn(join(ROOT, crate, 'src'))
      .filter((path) => !path.startsWith('bin/'))
      .map((path) => `${crate}/src/${path}`),
  ]);
  return [...sources, compiled]
    .map((path) => `${sha256(readFileSync(join(ROOT, path))).toString('hex')}  ${path}\n`)
    .join('');
}

/** @param {string[]} options */
const cargo = (...options) =>
  execFileSync('cargo', options, { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] });

/** @param {Library} library */
function compile(library) {
  const { name, compiled } = library;
  cargo('build', '--locked', '--profile=wasm', '--target=wasm32-unknown-unknown', `--package=${name}`);
  const metadata = cargo('metadata', '--locked', '--no-deps', '--format-version=1');
  const folder = join(JSON.parse(metadata.toString()).target_directory, 'wasm32-unknown-unknown/wasm');
  writeFileSync(join(ROOT, compiled), readFileSync(join(folder, `${name.replace('-', '_')}.wasm`)));
  writeFileSync(digestFile(library), digest(library));
}

/** Reports the sources that have changed since a library was compiled.
 * @param {Library} library
 */
function check(library) {
  const written = new Set(readFileSync(digestFile(library), 'utf8').split('\n'));
  const now = new Set(digest(library).split('\n'));
  const changed = [...now]
    .filter((line) => !written.has(line))
    .concat([...written].filter((line) => !now.has(line)));
  if (changed.length === 0) return;
  const paths = new Set(changed.map((line) => line.split('  ')[1]));
  for (const path of paths) console.error(`${path} was changed since ${library.name} was compiled`);
  console.error('run "npm run engine" and "npm run bundle" in tests/, and commit static/');
  process.exitCode = 1;
}

for (const library of LIBRARIES) {
  if (process.argv.includes('--check')) check(library);
  else compile(library);
}
