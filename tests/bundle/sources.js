// The sources of the client, and the digest that shows whether the built client was built from them.
// `server/build.rs` computes the same digest.

import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

/** Folder of the built client among the sources. */
export const BUILT = 'built';

/** The file of the built client with the digest of its sources. */
export const DIGEST = 'SOURCES.sha256';

/** True if a file of `static/` is a source of the client: type declarations are for editors, and hidden files do not
 * belong to the client.
 * @param {string} path
 */
const isSource = (path) =>
  !path.startsWith(`${BUILT}/`) &&
  !path.endsWith('.d.ts') &&
  path !== 'tsconfig.json' &&
  path.split('/').every((part) => !part.startsWith('.'));

/** Paths of all files in a folder, relative to it, in the order of their bytes.
 * @param {string} folder
 * @returns {string[]}
 */
export function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)).replaceAll(sep, '/'))
    .sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
}

/** @param {string} root the folder of the sources */
export const sourcesIn = (root) => filesIn(root).filter(isSource);

/** A line with the SHA-256 of each source, as `sha256sum` writes it.
 * @param {string} root
 */
export const digestOf = (root) =>
  sourcesIn(root)
    .map((path) => `${sha256(readFileSync(join(root, path))).toString('hex')}  ${path}\n`)
    .join('');

/** @param {Uint8Array | string} content */
export const sha256 = (content) => createHash('sha256').update(content).digest();
