// Words in the visitor's language. The language is the one that the server wrote into <html lang>; the words are
// flat tables of keys, and a word that counts something has a branch for each plural category of its language.

import { insist } from './ui/loading.js';

/** @typedef {string | Record<string, string>} Entry a text, or one text for each plural category of `n` */
/** @typedef {Record<string, string | number>} Args */
/** @typedef {(key: string, args?: Args) => string} Translate */
/** @typedef {'en' | 'fr'} Language */

/** Letters that are written from right to left, and marks that change the direction. */
const FROM_THE_RIGHT =
  /[\u061c\u200f\u202a-\u202e\u2066-\u2069\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** A name for the middle of a text: one that is written from right to left moves nothing around it.
 * @param {string} name
 */
const isolated = (name) => (FROM_THE_RIGHT.test(name) ? `\u2068${name}\u2069` : name);

/**
 * A function that puts `args` into the text of a key. Numbers are written as the language writes them; a key that
 * does not exist comes back as it is, so that the fault is visible and nothing breaks.
 *
 * @param {Language} language
 * @param {Record<string, Entry>} entries
 * @returns {Translate}
 */
export function translator(language, entries) {
  const plural = new Intl.PluralRules(language);
  const number = new Intl.NumberFormat(language);
  return (key, args = {}) => {
    const entry = entries[key];
    if (entry === undefined) return key;
    const text = typeof entry === 'string' ? entry : (entry[plural.select(Number(args.n))] ?? entry.other);
    return text.replace(/\{(\w+)\}/g, (_, name) => {
      const value = args[name] ?? '';
      return typeof value === 'number' ? number.format(value) : isolated(value);
    });
  };
}

/** The page's language, as the server wrote it.
 * @returns {Language}
 */
export function pageLanguage() {
  return document.documentElement.lang === 'fr' ? 'fr' : 'en';
}

/**
 * The locale of dates: the visitor's own of the page's language, or else that language in the visitor's region. For
 * example, a page in English writes *27 Nov* for `de-AT` and for `en-GB`, and *Nov 27* for `en-US`.
 *
 * @param {Language} language
 * @param {readonly string[]} preferred the visitor's languages, as the browser tells them
 * @returns {string}
 */
export function localeOf(language, preferred) {
  const locales = preferred.flatMap(localesIn);
  const own = locales.find((locale) => locale.language === language);
  if (own?.region) return own.toString();
  const region = locales.find((locale) => locale.region)?.region;
  return region === undefined ? language : new Intl.Locale(language, { region }).toString();
}

/** The locale of a tag; nothing of one that is none, as some systems have.
 * @param {string} tag
 */
function localesIn(tag) {
  try {
    return [new Intl.Locale(tag)];
  } catch {
    return [];
  }
}

/** Loads words of the page's language from where its HTML says they are. Without them there is nothing to show.
 * @param {string} [address] that of the page's own words unless it is given
 * @returns {Promise<Translate>}
 */
export function loadWords(address) {
  const { href } = /** @type {HTMLLinkElement} */ (document.getElementById('words'));
  return insist('words', async () => {
    const answer = await fetch(address ?? href);
    if (!answer.ok) throw new Error(`${answer.status}`);
    return translator(pageLanguage(), await answer.json());
  });
}
