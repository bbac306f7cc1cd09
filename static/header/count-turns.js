// The number of games that wait for the visitor's turn: in the header, in the title and the icon of the tab, and on the
// icon of the installed site. A dot at the visitor's name says that there are new notices. Pages load it late. It has no words of its own.

import { recall } from '../ui/storage.js';
import { followTurns, keptTurns } from '../ui/waiting-games.js';
import { askTurns, whenTurnsChange } from './ask-turns.js';

/** @import { GameSummary } from '../protocol.js' */
/** @import { Translate } from '../i18n.js' */

/** An icon with a number, of which there is room for two digits.
 * @param {number} n
 */
const numberIcon = (n) =>
  `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path d="M16 1 29 8.5v15L16 31 3 23.5v-15Z" fill="#0e5f66"/><text x="16" y="23" fill="#fff" font-family="sans-serif" font-size="20" font-weight="700" text-anchor="middle">${Math.min(n, 99)}</text></svg>`)}`;

/** Shows the number in the tab, before whatever title the page has, and in place of its icon while that is calm.
 * @returns {(n: number) => void}
 */
function createTab() {
  const title = /** @type {HTMLTitleElement} */ (document.querySelector('title'));
  const icon = /** @type {HTMLLinkElement} */ (document.getElementById('favicon'));
  const turnIcon = icon.dataset.turn;
  let calmIcon = icon.getAttribute('href') ?? '';
  let mark = '';
  let shownIcon = '';
  let n = 0;

  function draw() {
    const { text } = title;
    const plain = mark !== '' && text.startsWith(mark) ? text.slice(mark.length) : text;
    mark = n > 0 ? `(${n}) ` : '';
    if (text !== mark + plain) title.text = mark + plain;
    const href = icon.getAttribute('href') ?? '';
    if (href === turnIcon) return;
    if (href !== shownIcon) calmIcon = href;
    shownIcon = n > 0 ? numberIcon(n) : calmIcon;
    if (href !== shownIcon) icon.setAttribute('href', shownIcon);
  }
  const watch = new MutationObserver(draw);
  watch.observe(title, { childList: true });
  watch.observe(icon, { attributeFilter: ['href'] });

  return (now) => {
    n = now;
    draw();
  };
}

/** @param {Translate} t */
export function countTurns(t) {
  const link = /** @type {HTMLAnchorElement} */ (document.getElementById('waiting'));
  const news = /** @type {HTMLElement} */ (document.getElementById('news'));
  const own = /** @type {HTMLAnchorElement} */ (document.querySelector('#pages [data-pages~="games"]'));
  const showInTab = createTab();

  /** Shows how many games wait, the same number on each page.
   * @param {GameSummary[]} games
   */
  function show(games) {
    const n = games.length;
    const words = n > 0 ? t('turns.waiting', { n }) : null;
    link.children[0].textContent = words && `${n}`;
    link.ariaLabel = words;
    link.title = words ?? '';
    if (n > 0) link.href = '/turns';
    else link.removeAttribute('href');
    const { unseen, theirs } = keptTurns();
    // A player with games under way is led to their own games.
    own.href = n + theirs > 0 ? '/games?list=mine' : '/games';
    news.hidden = unseen === 0;
    news.children[0].textContent = unseen > 0 ? t('inbox.unseen', { n: unseen }) : '';
    showInTab(n);
    // Browsers show badges where the site is installed; not all know them.
    navigator.setAppBadge?.(n).catch(() => {});
  }

  function ask() {
    if (recall('name') && navigator.onLine) askTurns().catch(console.info);
  }

  followTurns(show);
  // The lobby has the list itself, and the page of the list asks for it.
  if (document.body.matches('.lobby, .due')) return;
  let account = recall('account');
  addEventListener('visitor', () => {
    if (recall('account') === account) return;
    account = recall('account');
    show(keptTurns().games);
    ask();
  });
  whenTurnsChange(ask);
  ask();
}
