// Builds the client for a release: of each page one script, the parts that it loads later and one stylesheet, minified,
// and its HTML in each language. Files have the hash of their content in their names, so that browsers may keep them for
// ever. The same sources give the same bytes on every machine.

import { readFileSync } from 'node:fs';
import { basename, extname, join, relative, resolve, sep } from 'node:path';
import { build } from 'esbuild';
import { DIGEST, digestOf, pagesIn, sha256, whole } from './sources.js';

/** The address below which everything has a hash in its name. */
const ASSETS = '/assets';

/** Bytes of the longest picture that stands in the HTML itself. */
const LONGEST_INLINED = 1024;

/** The element of a page that names its words. */
const WORDS = /(?<= id="words"[^>]* href=")\/i18n\/(\w+)\.json(?=")/;

const LANGUAGES = ['en', 'fr'];

/** Files that programs ask for at these paths, without reading a page. */
const AT_ROOT = ['favicon.ico', 'apple-touch-icon.png'];

/** A page that is written in one language, as `rules/fenix.fr.html`. */
const WRITTEN_IN = new RegExp(`\\.(${LANGUAGES.join('|')})$`);

/** An attribute of a page that names a script to be loaded after the page's own. */
const PART = /(?<=\sdata-[\w-]+=")\/[\w@./-]+\.js(?=")/g;

/** An attribute of a page that names a file of the client. Addresses of pages have no extension. */
const REFERENCE = /(?<=\s(?:href|src|data-[\w-]+)=")\/[\w@./-]+\.\w+(?=")/g;

/**
 * @param {string} root the folder of the sources
 * @returns {Promise<Map<string, Uint8Array>>} every file of the built client by its path
 */
export async function buildClient(root) {
  const client = new Client(root);
  for (const path of pagesIn(root)) await client.addPage(path);
  await client.addServiceWorker();
  for (const path of AT_ROOT) client.addFile(path);
  client.files.set(DIGEST, Buffer.from(digestOf(root)));
  return client.files;
}

class Client {
  /** @type {Map<string, Uint8Array>} */
  files = new Map();
  /** Addresses of built files, by their sources.
   * @type {Map<string, string>} */
  #built = new Map();
  #root;

  /** @param {string} root */
  constructor(root) {
    this.#root = resolve(root);
  }

  /** @param {string} path of a page's HTML */
  async addPage(path) {
    const name = path.slice(0, -'.html'.length);
    const written = WRITTEN_IN.exec(name)?.[1];
    for (const language of written === undefined ? LANGUAGES : [written]) {
      const filled = fill(whole(this.#root, path), this.#words(language), language, path);
      const html = await this.#withFiles(filled, path);
      this.files.set(`pages/${name.replace(WRITTEN_IN, '')}.${language}.html`, Buffer.from(html));
    }
  }

  /** @param {string} path of a file that programs ask for without reading a page */
  addFile(path) {
    this.files.set(path, readFileSync(this.#place(path)));
  }

  /** The address of a service worker never changes. */
  async addServiceWorker() {
    const entryPoints = [this.#place('/offline/service-worker.js')];
    const content = await this.#bundle({ entryPoints, format: 'iife' });
    this.files.set('service-worker.js', Buffer.from(content));
  }

  /** The HTML of a page with the addresses of the built files.
   * @param {string} html
   * @param {string} page
   */
  async #withFiles(html, page) {
    const styles = [...html.matchAll(/[ \t]*<link rel="stylesheet" href="([^"]+)">\n/g)];
    const scripts = [...html.matchAll(/<script( type="module")? src="([^"]+)"><\/script>/g)];
    if (styles.length === 0) throw new Error(`${page} has no stylesheet`);
    /** @type {string[]} */
    const parts = [];
    for (const [source] of html.matchAll(PART)) {
      const address = await this.#script(source, true);
      parts.push(address);
      html = html.replace(`"${source}"`, `"${address}"`);
    }
    for (const [, module, source] of scripts) {
      const address = await this.#script(source, module !== undefined);
      html = html.replace(`src="${source}"`, `src="${address}"`);
      if (module !== undefined)
        html = html.replace(WORDS, (_, language) =>
          this.#wordsFor([address, ...parts], basename(source, '.js'), language),
        );
    }
    const style = await this.#stylesheet(styles.map(([, source]) => source));
    styles.forEach(([tag, source], index) => {
      html = html.replace(tag, index === 0 ? tag.replace(source, style) : '');
    });
    return html.replace(REFERENCE, (source) =>
      source.startsWith(`${ASSETS}/`) ? source : (this.#inlined(source) ?? this.#asset(source)),
    );
  }

  /** @param {string} source
   * @param {boolean} isModule or a classic script, which runs before the page is drawn */
  #script(source, isModule) {
    return this.#once(source, async () => {
      const entryPoints = [this.#place(source)];
      const content = await this.#bundle({ entryPoints, format: isModule ? 'esm' : 'iife' });
      return this.#add(basename(source), content);
    });
  }

  /** The address of the words that the scripts of a page ask for.
   * @param {string[]} scripts their addresses
   * @param {string} name
   * @param {string} language
   */
  #wordsFor(scripts, name, language) {
    const code = scripts
      .map((script) => Buffer.from(this.files.get(script.slice(1)) ?? []).toString())
      .join('\n');
    const used = Object.entries(this.#words(language)).filter(([key]) => isUsed(key, code));
    return this.#add(`${name}.${language}.json`, JSON.stringify(Object.fromEntries(used)));
  }

  /** One stylesheet out of several.
   * @param {string[]} sources
   */
  #stylesheet(sources) {
    return this.#once(sources.join(' '), async () => {
      const contents = sources.map((source) => `@import ${JSON.stringify(`.${source}`)};\n`).join('');
      const content = await this.#bundle({
        stdin: { contents, loader: 'css', resolveDir: this.#root, sourcefile: 'page.css' },
        plugins: [this.#filesOfStyles()],
      });
      return this.#add(basename(/** @type {string} */ (sources.at(-1))), content);
    });
  }

  /** @param {import('esbuild').BuildOptions} options */
  async #bundle(options) {
    const { outputFiles } = await build({
      ...options,
      absWorkingDir: this.#root,
      bundle: true,
      minify: true,
      target: 'esnext',
      charset: 'utf8',
      legalComments: 'eof',
      logLevel: 'silent',
      write: false,
    });
    return /** @type {import('esbuild').OutputFile[]} */ (outputFiles)[0].contents;
  }

  /** Pictures and fonts are files of their own, named as those that pages refer to.
   * @returns {import('esbuild').Plugin}
   */
  #filesOfStyles() {
    return {
      name: 'files of styles',
      setup: ({ onResolve }) => {
        onResolve({ filter: /^[^:#]+$|^[^:#]+#/ }, ({ kind, path, resolveDir }) => {
          if (kind !== 'url-token') return undefined;
          const [, file, fragment] = /** @type {RegExpExecArray} */ (/^([^#]+)(.*)$/.exec(path));
          const source = relative(this.#root, resolve(resolveDir, file)).split(sep).join('/');
          return { path: this.#asset(`/${source}`) + fragment, external: true };
        });
      },
    };
  }

  /** The address of a file that is served as it lies.
   * @param {string} source
   * @returns {string}
   */
  #asset(source) {
    const content = readFileSync(this.#place(source));
    switch (extname(source)) {
      case '.webmanifest': {
        const text = JSON.stringify(JSON.parse(content.toString()));
        const icons = text.replace(/(?<=")\/[\w@./-]+\.\w+(?=")/g, (icon) => this.#asset(icon));
        return this.#add(basename(source), icons);
      }
      default:
        return this.#add(basename(source), content);
    }
  }

  /** The address of a small picture that holds the picture itself, which saves a request.
   * @param {string} source
   */
  #inlined(source) {
    const content = readFileSync(this.#place(source));
    if (extname(source) !== '.svg' || content.length > LONGEST_INLINED) return null;
    const text = content
      .toString()
      .trim()
      .replace(/\s*\n\s*/g, ' ');
    return `data:image/svg+xml,${text.replace(/[%#"<>]/g, encodeURIComponent)}`;
  }

  /** @param {string} source
   * @param {() => Promise<string>} make */
  async #once(source, make) {
    const address = this.#built.get(source) ?? (await make());
    this.#built.set(source, address);
    return address;
  }

  /** @param {string} name
   * @param {Uint8Array | string} content
   * @returns {string} its address */
  #add(name, content) {
    const extension = extname(name);
    const hash = sha256(content).toString('hex').slice(0, 12);
    const hashed = `${basename(name, extension)}-${hash}${extension}`;
    this.files.set(`${ASSETS.slice(1)}/${hashed}`, Buffer.from(content));
    return `${ASSETS}/${hashed}`;
  }

  /** @param {string} language
   * @returns {Record<string, unknown>} */
  #words = (language) => JSON.parse(this.#read(`i18n/${language}.json`));

  /** @param {string} path */
  #read = (path) => readFileSync(join(this.#root, path), 'utf8');

  /** @param {string} address */
  #place = (address) => join(this.#root, address);
}

/** True if a script contains a key, or the beginning of a key whose end is computed at run time.
 * @param {string} key
 * @param {string} code
 */
export function isUsed(key, code) {
  if (code.includes(key)) return true;
  const beginnings = [...code.matchAll(/`([a-z]+\.[\w.-]*)\$\{/g)].map(([, beginning]) => beginning);
  return beginnings.some((beginning) => key.startsWith(beginning));
}

/** The HTML of a page with the words of a language in the places of their keys.
 * @param {string} html
 * @param {Record<string, unknown>} words
 * @param {string} language
 * @param {string} page
 */
export function fill(html, words, language, page) {
  return html.replace(/\{\{(.*?)\}\}/g, (_, key) => {
    const text = key === 'language' ? language : words[key];
    if (typeof text !== 'string') throw new Error(`${page}: {{${key}}} is no text in i18n/${language}.json`);
    return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
  });
}
