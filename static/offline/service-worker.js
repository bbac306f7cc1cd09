// The service worker: pages that were seen once open without a network. It keeps pages and the files of the client,
// never an answer of the server's interface. Files have the hash of their content in their names, so those kept are
// always right; pages come from the network whenever there is one. And it shows what the server sends while no page is open.

/** @typedef {Event & { waitUntil: (work: Promise<unknown>) => void }} LifeEvent */
/** @typedef {LifeEvent & { request: Request, respondWith: (answer: Promise<Response>) => void }} FetchEvent */
/** @typedef {LifeEvent & { notification: Notification }} PressEvent */
/** @typedef {LifeEvent & { data: { json: () => unknown } | null }} PushedEvent */
/** @typedef {{ url: string, focus: () => Promise<unknown> }} Client */
/**
 * This script's own side of a service worker.
 * @typedef {object} Scope
 * @property {() => void} skipWaiting
 * @property {{ claim: () => Promise<void>, matchAll: (which: object) => Promise<Client[]>,
 *   openWindow: (address: string) => Promise<unknown> }} clients
 * @property {{ showNotification: (title: string, options: object) => Promise<void>,
 *   getNotifications: () => Promise<Notification[]> }} registration
 * @property {((type: 'push', listener: (event: PushedEvent) => void) => void)
 *   & ((type: 'fetch', listener: (event: FetchEvent) => void) => void)
 *   & ((type: 'notificationclick', listener: (event: PressEvent) => void) => void)
 *   & ((type: 'install' | 'activate', listener: (event: LifeEvent) => void) => void)} addEventListener
 */

const CACHE = 'client';

/** The page instead of one that is not kept. */
const OFFLINE = '/offline';

/** Pages that are kept from the first visit on. */
const SHELL = [
  '/',
  '/learn',
  '/learn/fibonacci',
  '/table',
  '/analysis',
  '/puzzles',
  '/games',
  '/import',
  OFFLINE,
  '/rules/fibonacci',
  '/rules/fibonacci-mixed',
  '/rules/fibonacci-cards',
  '/rules/fenix',
  '/rules/focus',
  '/rules/focus-classic',
  '/rules/crossfire',
];

/** Maximum number of kept pages; the oldest one goes first. */
const MAX_PAGES = 40;

/** Names of files of the client, in a page, a script or a stylesheet. */
const FILES = /\/assets\/[\w@.-]+-[0-9a-f]{12}\.\w+/g;

/** Files in which others are named. */
const NAMES_OTHERS = /\.(js|css)$/;

/** Paths that are no pages of the client, or must be up to date. */
const LEFT_ALONE = /^\/(api|embed)(\/|$)/;

/** The key of a page. All games share the page of a game, all lessons that of a lesson, and so on. Without a network nobody
 * redirects an address with slashes too many.
 * @param {string} path
 */
const keyOf = (path) =>
  path
    .replace(/\/{2,}/g, '/')
    .replace(/(.)[^a-z\d]+$/i, '$1')
    .replace(/^(\/puzzles(?=\/)|\/(?:game|replay|shuffles|learn)\/).+$/, '$1');

/** @param {Cache} cache
 * @param {string} path */
async function fileOf(cache, path) {
  const earlier = await cache.match(path);
  if (earlier !== undefined) return earlier;
  const fetched = await fetch(path);
  // A full disk costs no page that is online its files.
  if (fetched.ok) await cache.put(path, fetched.clone()).catch(console.info);
  return fetched;
}

/** Keeps the files that a text names, and those that they name.
 * @param {Cache} cache
 * @param {string} text
 * @param {Set<string>} seen
 */
async function keepFilesIn(cache, text, seen) {
  const named = [...new Set(text.match(FILES))].filter((path) => !seen.has(path));
  for (const path of named) seen.add(path);
  await Promise.all(
    named.map(async (path) => {
      const file = await fileOf(cache, path);
      if (!file.ok) throw new Error(`${path}: ${file.status}`);
      if (NAMES_OTHERS.test(path)) await keepFilesIn(cache, await file.text(), seen);
    }),
  );
}

/** Keeps a page that was fetched, with all its files. Pages are kept one after another, also by the workers of two
 * releases, so that no file of one is removed with another.
 * @param {string} key
 * @param {Response} page
 */
const keepPage = (key, page) => navigator.locks.request(CACHE, () => keepNow(key, page));

/** @param {string} key
 * @param {Response} page */
async function keepNow(key, page) {
  const cache = await caches.open(CACHE);
  await keepFilesIn(cache, await page.clone().text(), new Set());
  // The youngest page is the last.
  await cache.delete(key);
  await cache.put(key, page);
  await removeOld(cache);
}

/** Removes the oldest pages, and files that no page needs any more.
 * @param {Cache} cache
 */
async function removeOld(cache) {
  const paths = (await cache.keys()).map(({ url }) => new URL(url).pathname);
  const pages = paths.filter((path) => !path.startsWith('/assets/'));
  const superfluous = pages.slice(0, Math.max(0, pages.length - MAX_PAGES));
  /** @type {Set<string>} */
  const needed = new Set();
  /** @param {string} path */
  async function need(path) {
    const text = await (await cache.match(path))?.text();
    for (const file of text?.match(FILES) ?? []) {
      if (needed.has(file)) continue;
      needed.add(file);
      if (NAMES_OTHERS.test(file)) await need(file);
    }
  }
  for (const page of pages) if (!superfluous.includes(page)) await need(page);
  const files = paths.filter((path) => path.startsWith('/assets/') && !needed.has(path));
  await Promise.all([...superfluous, ...files].map((path) => cache.delete(path)));
}

/** True if an answer is a page of the client, in the language of the visitor.
 * @param {Response} page
 * @param {string} address
 */
const isKept = (page, address) =>
  page.ok && !page.redirected && page.headers.has('content-language') && !address.includes('lang=');

/** A page from the network, or as it was kept; without either, the page that tells what works.
 * @param {Request} request
 * @param {(work: Promise<unknown>) => void} later
 */
async function pageFor(request, later) {
  const key = keyOf(new URL(request.url).pathname);
  try {
    const page = await fetch(request);
    if (isKept(page, request.url)) later(keepPage(key, page.clone()));
    // The server may be down behind its proxy.
    return page.status < 500 ? page : ((await caches.match(key)) ?? page);
  } catch (error) {
    const earlier = (await caches.match(key)) ?? (await caches.match(OFFLINE));
    if (earlier === undefined) throw error;
    return earlier;
  }
}

/** @param {FetchEvent} event */
function answer(event) {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin || LEFT_ALONE.test(pathname)) return;
  if (request.mode === 'navigate') {
    event.respondWith(pageFor(request, (work) => event.waitUntil(work)));
  } else if (pathname.startsWith('/assets/')) {
    event.respondWith(
      caches.open(CACHE).then(
        (cache) => fileOf(cache, pathname),
        () => fetch(request),
      ),
    );
  }
}

const worker = /** @type {Scope} */ (/** @type {unknown} */ (self));

/** Keeps the shell, and the pages that are open. A page that cannot be had now is kept when it is visited. */
async function install() {
  const open = await worker.clients.matchAll({ includeUncontrolled: true, type: 'window' });
  const paths = open.map(({ url }) => new URL(url).pathname).filter((path) => !LEFT_ALONE.test(path));
  for (const path of new Set([...SHELL, ...paths])) {
    const page = await fetch(path, { cache: 'no-cache' }).catch(() => null);
    if (page !== null && isKept(page, path)) await keepPage(keyOf(path), page).catch(console.info);
  }
}

/** Shows the game that a notification is about, in its tab if it has one.
 * @param {Notification} notification
 */
async function open(notification) {
  notification.close();
  const windows = await worker.clients.matchAll({ includeUncontrolled: true, type: 'window' });
  const tab = windows.find(({ url }) => new URL(url).pathname === notification.data);
  await (tab?.focus() ?? worker.clients.openWindow(notification.data));
}

/**
 * What the server sends to a player who is away: a purpose, the number of games that wait, and the most urgent one.
 * @typedef {object} Pushed
 * @property {'turns' | 'deadline'} purpose
 * @property {number} waiting
 * @property {string} game its id
 * @property {string} ruleset
 * @property {string} opponent
 * @property {number | null} deadline_ms
 * @property {string} tag names what it is about: a repetition takes the place of the first one
 */

/** The words of notifications. */
const WORDS = {
  en: {
    turns: 'Your turn',
    waiting: (/** @type {number} */ n) => `${n} games wait for you`,
    deadline: 'Your time is running out',
    against: (/** @type {string} */ game, /** @type {string} */ name) => `${game} against ${name}`,
    until: (/** @type {string} */ time) => `, until ${time}`,
    unknown: 'A game may be waiting for you.',
  },
  fr: {
    turns: 'À vous de jouer',
    waiting: (/** @type {number} */ n) => `${n} parties vous attendent`,
    deadline: 'Il vous reste peu de temps',
    against: (/** @type {string} */ game, /** @type {string} */ name) => `${game} contre ${name}`,
    until: (/** @type {string} */ time) => `, jusqu’à ${time}`,
    unknown: 'Une partie vous attend peut-être.',
  },
};

/** The language in which the visitor's pages are kept, or else that of the browser.
 * @returns {Promise<'en' | 'fr'>}
 */
async function language() {
  const page = await caches.match('/').catch(() => undefined);
  const kept = page?.headers.get('content-language') ?? navigator.language;
  return kept.startsWith('fr') ? 'fr' : 'en';
}

/** The title and the text of a notification.
 * @param {Pushed} pushed
 * @param {'en' | 'fr'} lang
 */
function wordsFor({ purpose, waiting, ruleset, opponent, deadline_ms }, lang) {
  const { turns, waiting: many, deadline, against, until } = WORDS[lang];
  const [game] = ruleset.split('-');
  const body = against(game.charAt(0).toUpperCase() + game.slice(1), opponent);
  if (purpose !== 'deadline') return { title: waiting > 1 ? many(waiting) : turns, body };
  const format = new Intl.DateTimeFormat(lang, { weekday: 'long', hour: 'numeric', minute: '2-digit' });
  return { title: deadline, body: deadline_ms === null ? body : body + until(format.format(deadline_ms)) };
}

/** Shows what the server has sent. Whatever it is, something is shown: browsers withdraw the permission otherwise.
 * @param {PushedEvent} event
 */
async function show(event) {
  const lang = await language();
  try {
    const pushed = /** @type {Pushed} */ (event.data?.json());
    const { title, body } = wordsFor(pushed, lang);
    const isOne = pushed.waiting === 1 || pushed.purpose === 'deadline';
    const data = isOne ? `/game/${pushed.game}` : '/turns';
    const tag = `${pushed.purpose} ${pushed.tag}`;
    await worker.registration.showNotification(title, { body, lang, tag, data });
    // It tells all that an earlier one of its kind does.
    for (const shown of await worker.registration.getNotifications())
      if (shown.tag !== tag && shown.tag.startsWith(`${pushed.purpose} `)) shown.close();
  } catch {
    const { turns, unknown } = WORDS[lang];
    await worker.registration.showNotification(turns, { body: unknown, lang, tag: 'unknown', data: '/' });
  }
}

worker.addEventListener('push', (event) => event.waitUntil(show(event)));
worker.addEventListener('notificationclick', (event) => event.waitUntil(open(event.notification)));
worker.addEventListener('install', (event) => {
  worker.skipWaiting();
  event.waitUntil(install());
});
worker.addEventListener('activate', (event) => event.waitUntil(worker.clients.claim()));
worker.addEventListener('fetch', answer);
