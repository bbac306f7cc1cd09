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

/** Paths of the pages, without the parts that several share.
 * @param {string} root the folder of the sources
 */
export const pagesIn = (root) =>
  sourcesIn(root).filter((path) => path.endsWith('.html') && !path.startsWith('parts/'));

/** The HTML of a page, with the parts that it shares with others in the places of their names.
 * @param {string} root the folder of the sources
 * @param {string} path
 * @returns {string}
 */
export const whole = (root, path) =>
  readFileSync(join(root, path), 'utf8').replace(/\{\{(parts\/\w+\.html)\}\}/g, (_, part) =>
    whole(root, part).trimEnd(),
  );

/** A line with the SHA-256 of each source, as `sha256sum` writes it.
 * @param {string} root
 */
export const digestOf = (root) =>
  sourcesIn(root)
    .map((path) => `${sha256(readFileSync(join(root, path))).toString('hex')}  ${path}\n`)
    .join('');

/** @param {Uint8Array | string} content */
export const sha256 = (content) => createHash('sha256').update(content).digest();
