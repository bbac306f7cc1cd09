// The lobby: a board to try, the question of the opponent, the lists of open rooms, of one's own games, of live games and
// of finished ones, and the games with their faces. All of it is drawn from one state.

import { createFaces } from '../welcome/faces.js';
import { openTry } from '../welcome/try-board.js';
import { createLobbyMessages, tellSought } from '../lobby/lobby-messages.js';
import { OPPONENTS, drawQuestion, openQuestion } from '../lobby/question.js';
import { showLink } from '../lobby/link-dialog.js';
import { TABS, theirsOf, turnsOf, waitingFor } from '../lobby/lists.js';
import { drawNotices } from '../lobby/lobby-notices.js';
import { createSearch } from '../lobby/seeking.js';
import { createSeeks } from '../lobby/seeks.js';
import { createSearchChip } from '../lobby/search-chip.js';
import { stateOf } from '../lobby/lobby-state.js';
import { createTabs } from '../lobby/tabs.js';
import { beginWithBot, firstGame } from '../lobby/bot-game.js';
import { cancelRoom, joinRoom } from '../connection/api.js';
import { serverTime } from '../connection/server-time.js';
import { leavesSession, openSession, sessionWorks } from '../connection/session.js';
import { openConnection } from '../connection/socket.js';
import { keptGame } from '../local/kept-game.js';
import { createStore } from '../session/store.js';
import { onFrame, painted } from '../ui/frame.js';
import { leaveFor } from '../ui/leaving.js';
import { loadPart } from '../ui/loading.js';
import { beginHeader } from '../ui/header.js';
import { RULESETS, announce, byId, recall, remember, showTurnIcon, t, wordsOf } from '../ui/page.js';
import { keepTurns, keepUnseen, keptTurns } from '../ui/waiting-games.js';

/** @import { GameSummary, Player, Pool, Ruleset, Seek } from '../protocol.js' */
/** @import { BotWish } from '../lobby/bot-game.js' */
/** @import { Ways } from '../lobby/question.js' */
/** @import { Tab } from '../lobby/lists.js' */
/** @import { State } from '../lobby/lobby-state.js' */

const store = createStore(
  stateOf({
    tab: TABS.find((name) => name === recall('tab')) ?? 'rooms',
    only: RULESETS.find((name) => name === recall('only')) ?? null,
    pairing: RULESETS.find((name) => name === recall('pairing')) ?? 'fibonacci',
    kept: keptGame(),
    isTrying: recall('tried') === null,
  }),
);

const { update } = store;

/** How often a lobby that stays in sight asks for seeks. */
const SEEKS_EVERY_MINUTES = 5;

// --- Actions ---

/** Runs a request, unless one is under way.
 * @param {() => Promise<void>} work
 */
async function once(work) {
  if (store.state.busy) return;
  update({ busy: true, trouble: null });
  try {
    await work();
  } finally {
    update({ busy: false });
  }
}

/** Runs a request, unless one is under way, and reports its failure.
 * @param {() => Promise<void>} work
 */
const attempt = (work) =>
  once(work).catch((error) => {
    const trouble = wordsOf(error);
    announce(trouble, 'assertive');
    update({ trouble });
  });

/** @param {GameSummary} room */
const join = ({ id }) =>
  attempt(async () => {
    const game = await joinRoom(id);
    await leaveFor(`/game/${game.id}`);
  });

/** @param {GameSummary} room */
const cancel = (room) =>
  attempt(async () => {
    await cancelRoom(room.id);
    hear({ type: 'lobby_changed', games: [{ ...room, status: 'cancelled' }], gone: [] });
    announce(t('lobby.cancelled'));
    tabs.flush('rooms');
  });

/** @param {GameSummary} room */
async function copy({ id }) {
  const link = `${location.origin}/game/${id}`;
  try {
    await navigator.clipboard.writeText(link);
    announce(t('room.copied'));
  } catch {
    // There is no clipboard on a page that came by plain HTTP.
    showLink(link);
  }
}

/** @param {Seek} seek */
const accept = (seek) => attempt(() => seeks.accept(seek));

/** @param {Seek} seek */
const withdraw = (seek) =>
  attempt(async () => {
    await seeks.withdraw(seek);
    if (store.state.tab === 'rooms') tabs.flush('rooms');
  });

/** Begins a game against a bot.
 * @param {BotWish} wish
 */
const playBot = (wish) =>
  // The press may come before the visitor has a session.
  once(() => beginWithBot(() => session.catch(openSession), wish));

/** @param {Pool} pool
 * @param {boolean} wanted */
function seek(pool, wanted) {
  update({ trouble: null });
  search.seek(pool, wanted);
}

/** @param {Tab} tab */
function open(tab) {
  remember('tab', tab);
  update({ tab });
  tabs.drawAnew(tab);
  if (tab === 'rooms') seeks.look();
}

/** @param {Tab} tab
 * @param {string} value a ruleset, or an empty text for all */
function filter(tab, value) {
  const only = RULESETS.find((name) => name === value) ?? null;
  if (tab !== 'mine') remember('only', value);
  update(tab === 'mine' ? { onlyMine: only } : { only });
  tabs.drawAnew(tab);
}

/** Shows all rulesets in a tab. Its button goes, so the focus moves first.
 * @param {Tab} tab
 */
function showAll(tab) {
  filter(tab, '');
  tabs.flush(tab);
}

/** @param {Ruleset} pairing */
function choosePairing(pairing) {
  remember('pairing', pairing);
  update({ pairing });
}

/** The dialogs by which a game begins; null until they are loaded.
 * @type {typeof import('../lobby/game-dialogs.js') | null} */
let dialogs = null;
/** @type {Promise<typeof import('../lobby/game-dialogs.js')> | null} */
let loading = null;

/** Loads the dialogs, once. */
async function loadDialogs() {
  loading ??= loadPart('dialogs', byId('start').dataset.dialogs ?? '');
  dialogs = await loading;
  return dialogs;
}

/** The ways to an opponent.
 * @type {Ways} */
const ways = {
  computer: async (ruleset) => (await loadDialogs()).openComputer(ruleset ?? store.state.pairing, playBot),
  friend: async (ruleset) => (await loadDialogs()).openCreate(ruleset, 'link'),
  async anyone(ruleset) {
    seeks.look();
    (await loadDialogs()).openPairing();
    choosePairing(ruleset ?? store.state.pairing);
    showPairing(store.state);
  },
};

/** @param {State} state */
const showPairing = (state) =>
  dialogs?.drawPairing(state, {
    seek,
    post: (pool, games) => attempt(() => seeks.post(pool, games)),
    withdraw: (posted) =>
      attempt(async () => {
        for (const one of posted) await seeks.withdraw(one);
      }),
    choose: choosePairing,
    create: (ruleset) => dialogs?.openCreate(ruleset, 'public'),
    showRooms() {
      open('rooms');
      byId('tab-rooms').focus();
    },
  });

/** Goes the way that the address names, as `/#computer`. */
function goAsked() {
  const asked = OPPONENTS.find((opponent) => `#${opponent}` === location.hash);
  if (asked === undefined) return;
  history.replaceState(null, '', location.pathname);
  ways[asked](null);
}

const forget = () => update({ trouble: null, begun: null, declined: null });

// --- The board to try ---

let isTryOpen = false;

async function tryBoard() {
  if (isTryOpen) return;
  isTryOpen = true;
  await painted();
  /** @type {typeof import('../board/board.js')} */
  const { createBoard } = await loadPart('board', byId('try').dataset.board ?? '');
  openTry(createBoard, {
    play: () => attempt(() => beginWithBot(() => session.catch(openSession), firstGame('fibonacci'))),
    won: () => remember('tried', 'yes'),
  });
}

function tryAgain() {
  update({ isTrying: true });
  byId('try').focus();
  tryBoard();
}

// --- The page ---

/** Finds out whether the page is older than the server, after a time without a connection. */
async function compare() {
  try {
    /** @type {typeof import('../ui/newer.js')} */
    const { compareWithServer } = await import(document.body.dataset.newer ?? '');
    await compareWithServer(t('newer.page'), () => store.state.sought.length === 0);
  } catch (error) {
    // The part is loaded when it is needed; without a service worker a later release of the server may not have it.
    console.info(error);
  }
}

/** Keeps the games under way for all pages. A visitor who never had any needs nothing kept.
 * @param {GameSummary[]} waiting
 * @param {number} theirs
 */
function keepCounts(waiting, theirs) {
  const kept = keptTurns();
  if (waiting.length + theirs + kept.games.length + kept.theirs > 0) keepTurns(Date.now(), waiting, theirs);
}

/** @param {State} state */
function drawHead({ lists, me, isHeard, isTrying }) {
  const waiting = waitingFor(lists, me);
  if (isHeard && me !== null) keepCounts(waiting, theirsOf(lists, me));
  document.title = t('lobby.title');
  showTurnIcon(turnsOf(lists, me) > waiting.length);
  // Set by `ui/theme.js` before the page is drawn, so that nothing moves.
  const { dataset } = document.documentElement;
  if (isTrying) delete dataset.tried;
  else dataset.tried = 'yes';
}

// The lists come first if there was something in them the last time: the style has put them there already. They stay
// where they are as long as the page does.
if (document.documentElement.dataset.listed !== undefined) byId('faces').before(byId('lists'));

beginHeader();
// The dialogs are there by the time of the press.
for (const place of [byId('start'), byId('faces')])
  for (const sign of ['pointerenter', 'focusin']) place.addEventListener(sign, loadDialogs, { once: true });
const tabs = createTabs({ join, cancel, copy, accept, withdraw, open, filter, showAll });
const drawFaces = createFaces((ruleset) => openQuestion(ruleset, store.state, ways));
store.subscribe(({ lists, me, isHeard, isTrying }) => [lists.mine, me, isHeard, isTrying], drawHead);
store.subscribe(
  ({ lists, sought, isTrying, news }) => [lists.players, sought, isTrying, news],
  (state) => drawQuestion(state, ways, tryAgain),
);
store.subscribe(
  ({ sought, isHeard, news, pairing, lists, me, trouble }) => [
    ...[sought, isHeard, news, pairing, lists.rooms, lists.seeks, me, trouble],
  ],
  showPairing,
);
store.subscribe(
  ({ lists, me, isHeard, news, tab, only, onlyMine, kept, minute }) => [
    lists,
    me,
    isHeard,
    news,
    tab,
    only,
    onlyMine,
    kept,
    minute,
  ],
  onFrame(tabs.draw),
);
// A pressed button is busy at once: on a busy machine the next frame may come after the next press.
store.subscribe(({ busy }) => [busy], tabs.draw);
store.subscribe(({ faces, lists }) => [faces, lists.live], onFrame(drawFaces));
store.subscribe(
  ({ lists, isHeard, kept }) => [lists.rooms, lists.mine, lists.live, lists.seeks, isHeard, kept],
  ({ lists, isHeard, kept }) => {
    const n = [lists.rooms, lists.mine, lists.live].reduce((sum, { size }) => sum + size, lists.seeks.length);
    const isFull = kept !== null || n > 0;
    if (isHeard) remember('listed', isFull ? 'yes' : '');
  },
);
store.subscribe(
  ({ news, trouble, begun, declined }) => [news, trouble, begun, declined],
  (state) => drawNotices(state, forget),
);
addEventListener('visitor', (event) => update({ me: /** @type {CustomEvent<Player>} */ (event).detail }));
const session = openSession();
session.then(({ unseen }) => keepUnseen(unseen)).catch(() => {});
const hear = createLobbyMessages(store);
const seeks = createSeeks(store);
store.subscribe(
  ({ begun }) => [begun],
  ({ begun }) => {
    // One of the visitor's own may want a game less now.
    if (begun?.how === 'seek') seeks.ask();
  },
);
// Some come while the lobby is looked at.
store.subscribe(({ minute }) => [Math.floor(minute / SEEKS_EVERY_MINUTES)], seeks.look);
const chip = createSearchChip(t, () => search.stop());
const search = createSearch({
  send: (message) => connection.oneShot(message),
  show(kept) {
    chip.show(kept);
    tellSought(store.state.sought, kept.pools);
    update({ sought: kept.pools });
  },
  found: (game) => location.assign(`/game/${game}`),
});
const connection = openConnection({
  onMessage(message) {
    hear(message);
    search.hear(message);
  },
  onNews(news) {
    if (news === 'online') sessionWorks();
    if (news === 'online' && store.state.news === 'offline') {
      compare();
      seeks.ask();
    }
    if (news !== store.state.news && news !== 'online') announce(t(`line.${news}`));
    update({ news });
  },
  renewSession: openSession,
  leavesSession,
  ready: session,
});
connection.followLobby();
session.then(seeks.ask, () => {});
update({});
if (store.state.isTrying) tryBoard();
// Of a browser that keeps no session or has no network, the line tells.
session.catch((error) =>
  update({ trouble: ['nothing_kept', 'offline'].includes(error.code) ? null : wordsOf(error) }),
);
// Rows show relative times. The device may sleep, and the server may be heard for the first time: the minute is looked up.
const lookAtTime = () => update({ minute: Math.floor(serverTime.now() / 60_000) });
window.setInterval(lookAtTime, 1_000);
document.addEventListener('visibilitychange', lookAtTime);
document.addEventListener('visibilitychange', seeks.look);
// A page that comes back from the browser's cache has a game of before.
window.addEventListener('pageshow', ({ persisted }) => persisted && update({ kept: keptGame() }));
window.addEventListener('hashchange', goAsked);
goAsked();
