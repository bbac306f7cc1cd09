// Calls a player who is looking elsewhere: by the tab's title and icon, and if wanted by a system notification.

import { loadPart } from '../ui/loading.js';
import {
  announce,
  byId,
  picture,
  recall,
  remember,
  rulesetName,
  showTurnIcon,
  t,
  turnIcon,
} from '../ui/page.js';
import { isOneTable, sideOf } from '../session/game-model.js';
import { pairOf } from '../session/player-names.js';
import { html, nothing, svg } from '../vendor/lit-html@3.3.3/lit-html.js';
import { callBetween, notifies, reachIn } from './calls.js';

/** @import { Player, Side } from '../protocol.js' */
/** @import { Game } from '../session/game-model.js' */
/** @import { Call, Reach } from './calls.js' */

const BELL = svg`<path d="M6 17V11a6 6 0 0 1 12 0v6l1.500 1.500h-15ZM10 20.500a2 2 0 0 0 4 0"/>`;

/** True if the browser supports notifications: not on a plain HTTP page. */
const CAN_NOTIFY = 'Notification' in window && 'serviceWorker' in navigator && 'locks' in navigator;

/** True if the browser supports them only in a site on the home screen, where this is not: on an iPhone or iPad. */
const NEEDS_HOME_SCREEN = !('Notification' in window) && /** @type {any} */ (navigator).standalone === false;

/** The part that subscribes the browser to notifications that come while no page is open. */
const pushPart = () => loadPart('push', byId('top').dataset.push ?? '');

/** The registration of the service worker, since phones show no notifications of a page; rejected if there is none. */
async function registration() {
  const registered = await navigator.serviceWorker.getRegistration();
  if (registered === undefined) throw new Error('no service worker');
  return registered;
}

/** True if this tab is visible and focused. */
const isSeen = () => document.visibilityState === 'visible' && document.hasFocus();

/**
 * @param {object} options
 * @param {string} options.id the game's
 * @param {() => void} options.changed the button is to be drawn anew
 */
export function openNotifications({ id, changed }) {
  /** The call that the player has not seen yet.
   * @type {Call | null} */
  let pending = null;
  let isWanted = CAN_NOTIFY && recall('notices') === 'on' && Notification.permission === 'granted';
  /** @type {{ game: Game, mine: Side | null } | null} */
  let shown = null;

  /** @param {Game} game
   * @returns {Reach} */
  const reach = (game) => reachIn(game, recall('push') === 'on');

  // --- Several tabs ---

  const [callerLock, seenLock] = [`caller ${id}`, `seen ${id}`];
  let isCaller = false;
  /** Releases the lock that marks a tab of the game as visible.
   * @type {(() => void) | null} */
  let letGo = null;

  /** As long as this tab is seen, no other tab of the game calls. */
  function showSeen() {
    if (!CAN_NOTIFY) return;
    if (document.visibilityState !== 'visible') {
      letGo?.();
      letGo = null;
    } else if (letGo === null) {
      /** @type {Promise<void>} */
      const whileSeen = new Promise((resolve) => {
        letGo = resolve;
      });
      navigator.locks.request(seenLock, { mode: 'shared' }, () => whileSeen).catch(console.info);
    }
  }

  async function isSeenAnywhere() {
    const { held } = await navigator.locks.query().catch(() => ({ held: [] }));
    return held?.some(({ name }) => name === seenLock) ?? false;
  }

  if (CAN_NOTIFY) {
    // The tab that was opened first calls for all; when it is closed, the next one does.
    const calling = navigator.locks.request(callerLock, () => {
      isCaller = true;
      return new Promise(() => {});
    });
    // A browser that keeps nothing for this site refuses locks.
    calling.catch(() => {
      isCaller = true;
    });
  }
  showSeen();

  // --- The tab ---

  /** The title shows the state of the game, and in a hidden tab the reason for the call. */
  function drawTab() {
    if (shown === null) return;
    const { game, mine } = shown;
    if (isSeen()) pending = null;
    const isMyTurn =
      game.present.status === 'playing' && game.present.turn.side === mine && !isOneTable(game);
    const call = isSeen() ? null : isMyTurn ? 'turn' : pending;
    document.title = t('page.title', { page: call === null ? nameOf(game) : t(`notice.title_${call}`) });
    showTurnIcon(call !== null);
  }

  /** @param {Game} game */
  function nameOf(game) {
    const [name, pair] = [rulesetName(game.ruleset), pairOf(game)];
    return pair === '' ? name : `${name}${t('page.colon')}${pair}`;
  }

  // --- Notifications ---

  /** @param {Call} call
   * @param {Game} game */
  async function notify(call, game) {
    // What the server tells is not told twice.
    if (!CAN_NOTIFY || (call === 'turn' && reach(game) === 'anywhere')) return;
    if (!notifies({ call, isWanted, isCaller, isSeen: await isSeenAnywhere() })) return;
    try {
      const worker = await registration();
      const options = { body: nameOf(game), tag: id, icon: turnIcon, data: `/game/${id}` };
      await worker.showNotification(t(`notice.${call}`), options);
    } catch (error) {
      console.info(error);
      isWanted = false;
      changed();
    }
  }

  async function toggle() {
    if (isWanted) {
      isWanted = false;
      pushPart()
        .then(({ endPush }) => endPush())
        .catch(console.info);
    } else {
      isWanted = (await Notification.requestPermission()) === 'granted';
    }
    remember('notices', isWanted ? 'on' : 'off');
    changed();
    const isPushed = isWanted && (await (await pushPart()).keepPush());
    announce(t(isPushed ? 'notice.pushed' : isWanted ? 'notice.on' : 'notice.off'));
    changed();
  }

  /** Closes the notification of this game, whichever tab has shown it. */
  async function closeShown() {
    const worker = await registration();
    for (const shown of await worker.getNotifications({ tag: id })) shown.close();
  }

  function look() {
    showSeen();
    if (isWanted && isSeen()) closeShown().catch(console.info);
    drawTab();
  }
  document.addEventListener('visibilitychange', look);
  window.addEventListener('focus', look);
  window.addEventListener('blur', look);

  return {
    /** How the player is notified in a game; null if that is not wanted.
     * @param {Game} game
     */
    reachIn: (game) => (isWanted ? reach(game) : null),

    /** Shows the state of a game, and calls its player if there is a reason to.
     * @param {Game} game
     * @param {Player | null} me
     */
    show(game, me) {
      const call = callBetween(shown?.game ?? null, game, me);
      shown = { game, mine: sideOf(game, me) };
      if (call !== null) pending = call;
      drawTab();
      if (call !== null) notify(call, game);
    },

    /** The button that turns notifications on; shown where they are available, or what makes them so. */
    button() {
      if (NEEDS_HOME_SCREEN) return html`<p class="hint">${t('notice.home_screen')}</p>`;
      return CAN_NOTIFY && Notification.permission !== 'denied'
        ? html`<button class="quiet" aria-pressed=${isWanted} @click=${toggle}>${picture(BELL)} <span>${t('notice.button')}</span></button>`
        : nothing;
    },
  };
}
