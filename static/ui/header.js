// The header and the footer of a page. Both stand in its HTML; this marks where the visitor is and shows the visitor's
// name. Each dialog that the header opens is loaded at its first press.

import { tellNextPage } from './arrival.js';
import { drawn, loadPart } from './loading.js';
import { opensElsewhere } from './leaving.js';
import { byId, language, recall, remember, t } from './page.js';
import { isNewGuest } from './player-name.js';
// Every page follows the preferences.
import './preferences.js';

/** @import { Player } from '../protocol.js' */
/** @typedef {'preferences' | 'visitor'} Dialog */

/** The browser's offer to install the site, which it makes before anybody asks for it, and which can be taken once.
 * @typedef {Event & { prompt: () => Promise<unknown> }} InstallEvent */

/** @type {InstallEvent | null} */
let offered = null;

/** Has the browser ask whether to install the site. */
function install() {
  offered?.prompt();
  offered = null;
}

/** Opens one of the dialogs of the header.
 * @param {Dialog} name
 */
export async function openFromHeader(name) {
  const { show } = await loadPart(name, byId('top').dataset[name] ?? '');
  show(offered && install);
}

/** Opens the dialog of a link that the owner of an account was given. Its secret leaves the address, so that the history does
 * not keep it; behind `#` no server and no other page gets it. */
async function followLink() {
  const [, purpose, secret] = /^#(recover|confirm|unsubscribe)=(\w+)$/.exec(location.hash) ?? [];
  if (secret === undefined) return;
  history.replaceState(null, '', location.pathname + location.search);
  const { showLink } = await loadPart('visitor', byId('top').dataset.visitor ?? '');
  showLink(purpose, secret);
}

/** Opens the dialog by which a player is reported.
 * @param {Player} player
 * @param {string} game the id of the game in which they met
 */
export async function openReport(player, game) {
  const { showReport } = await loadPart('visitor', byId('top').dataset.visitor ?? '');
  showReport(player, game);
}

/** Shows who the visitor is now. Until a session is open, `ui/theme.js` shows who it was at the last visit. */
function showVisitor() {
  const [place, mark] = /** @type {NodeListOf<HTMLElement>} */ (
    byId('top').querySelectorAll('.visitor :is(bdi, small)')
  );
  // The header of an embedded board has no visitor.
  if (place === undefined) return;
  place.textContent = recall('name') || t('page.guest');
  mark.hidden = recall('marked') !== 'yes';
}

/** Says that the session of an account has ended without the visitor's doing.
 * @param {string} name that of the account
 */
async function sayEnded(name) {
  const { showEnded } = await loadPart('visitor', byId('top').dataset.visitor ?? '');
  showEnded(name);
}

/** Renews the browser's subscription to notifications, if the player wants them. */
async function keepPush() {
  if (recall('notices') !== 'on' || window.Notification?.permission !== 'granted') return;
  const part = await import(byId('top').dataset.push ?? '');
  await part.keepPush();
}

/** Follows who the visitor is, also in other tabs. If one signs in or out, a page that has told who the visitor is loads
 * again. */
function followVisitor() {
  let hasTold = false;
  addEventListener('visitor', (event) => {
    const { id, name, kind } = /** @type {CustomEvent<Player>} */ (event).detail;
    hasTold = true;
    const before = recall('account');
    if (before && kind !== 'account' && before !== recall('left')) sayEnded(recall('name') ?? '');
    remember('left', '');
    remember('marked', kind === 'guest' && !isNewGuest(name) ? 'yes' : '');
    remember('name', name);
    remember('account', kind === 'account' ? id : '');
    showVisitor();
    keepPush().catch(console.info);
  });
  addEventListener('storage', ({ key, oldValue, newValue }) => {
    if (key === 'name') showVisitor();
    if (key === 'account' && hasTold && (oldValue ?? '') !== newValue) location.reload();
  });
}

/** Marks the link to the part of the site that the page belongs to. */
function markPlace() {
  const [, place] = location.pathname.split('/');
  for (const link of byId('pages').querySelectorAll('a'))
    if (link.dataset.pages?.split(' ').includes(place))
      link.setAttribute('aria-current', link.pathname === location.pathname ? 'page' : 'true');
}

/** The address that the page has now, in another language.
 * @param {string} other
 */
function addressIn(other) {
  const address = new URL(location.href);
  address.searchParams.set('lang', other);
  return address.href;
}

/** Switches to another language. Reloading loses nothing: the server keeps a draft, and the address has the rest.
 * @param {string} other
 */
export function switchLanguage(other) {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser yet.
  document.cookie = `towers_lang=${other}; path=/; max-age=31536000; samesite=lax`;
  const address = new URL(location.href);
  if (address.searchParams.has('lang')) {
    address.searchParams.delete('lang');
    history.replaceState(null, '', address);
  }
  location.reload();
}

/** Leads to the page in the other language.
 * @param {MouseEvent} event
 */
function followLanguage(event) {
  const link = /** @type {HTMLAnchorElement} */ (event.currentTarget);
  link.href = addressIn(link.lang);
  if (opensElsewhere(event)) return;
  event.preventDefault();
  switchLanguage(link.lang);
}

/** Takes up the visitor's search for an opponent, which the browser keeps. The lobby does so itself. */
function keepSearch() {
  if (!recall('search') || document.body.classList.contains('lobby')) return;
  import(byId('top').dataset.seeking ?? '').then((part) => part.keepSearch(t), console.info);
}

/** Has the games counted that wait for the visitor, once the page has been drawn; for one who is here for the first time,
 * once there may be any. */
function countTurns() {
  let isBegun = false;
  const begin = () => {
    // An embedded board counts nothing.
    if (isBegun || byId('top').dataset.turns === undefined) return;
    isBegun = true;
    import(byId('top').dataset.turns ?? '').then((part) => part.countTurns(t), console.info);
  };
  if (recall('name')) drawn().then(begin);
  else for (const news of ['turns', 'turnschanged']) addEventListener(news, begin);
}

/** Skips the header without another address, which a page may take for another lesson or search.
 * @param {Event} event
 */
function skip(event) {
  event.preventDefault();
  const main = byId('main');
  main.tabIndex = -1;
  main.focus();
}

/** Begins the header and the footer. */
export function beginHeader() {
  const top = byId('top');
  tellNextPage();
  keepSearch();
  countTurns();
  markPlace();
  followVisitor();
  followLink();
  addEventListener('hashchange', followLink);
  top.querySelector('.skip')?.addEventListener('click', skip);
  for (const button of top.querySelectorAll('button'))
    if (button.dataset.opens)
      button.addEventListener('click', () => openFromHeader(/** @type {Dialog} */ (button.dataset.opens)));
  for (const link of document.querySelectorAll('.foot a'))
    if (/** @type {HTMLElement} */ (link).lang && /** @type {HTMLElement} */ (link).lang !== language) {
      link.addEventListener('click', /** @type {EventListener} */ (followLanguage));
      link.addEventListener('auxclick', /** @type {EventListener} */ (followLanguage));
    }
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    offered = /** @type {InstallEvent} */ (event);
  });
  addEventListener('appinstalled', () => {
    offered = null;
  });
  top.dataset.begun = '';
}
