// A game, from the open room to the result. Players and spectators have the same page; a spectator never has a turn.
// Everything shown follows from the server's last message and from the turn being drawn up.

import { createBoard } from '../board/board.js';
import { createGameActions } from '../game-page/actions.js';
import { createMessages } from '../game-page/messages.js';
import { createScreen } from '../game-page/screen.js';
import { initialState, mySide } from '../game-page/game-state.js';
import { createStore } from '../session/store.js';
import { ApiError, getEvents, getGame } from '../connection/api.js';
import { gameIdIn } from '../connection/links.js';
import { openSession, sessionWorks } from '../connection/session.js';
import { openConnection } from '../connection/socket.js';
import { drawn } from '../ui/loading.js';
import { recall, showHeader, t } from '../ui/page.js';
import { followPreferences, preferred } from '../ui/preferences.js';
import { play, playOnce } from '../ui/sound.js';

/** @import { Shadow } from '../engine/shadow.js' */
/** @import { ServerMessage } from '../protocol.js' */
/** @import { Sound } from '../ui/tones.js' */

/** Time between two looks at a game without a line. */
const WATCH_EVERY_MS = 5_000;

/** Empty if the address names no game. */
const id = gameIdIn(location.pathname) ?? '';
const store = createStore(initialState(id, recall('sound') === 'off', preferred().confirm));
const { state } = store;

/** @param {Sound} name */
function sound(name) {
  play(name, state.muted);
}

/** Plays a sound in only one of the visitor's tabs.
 * @param {Sound} name
 * @param {string} occasion distinguishes it from other occasions of the same turn
 */
function soundOnce(name, occasion) {
  playOnce(name, `${id} ${state.game?.present.turn.number} ${occasion}`, state.muted);
}

showHeader('game');
const session = openSession();
const player = session.then(({ player }) => player).catch(() => null);
/** Finds out whether the page is older than the server, once the part for it is there. */
let compare = () => {};
/** Undefined until it has come; null if there is none.
 * @type {Shadow | null | undefined} */
let shadow;
const connection = openConnection({
  onMessage: hear,
  onNews(news) {
    if (news === 'online') sessionWorks();
    if (news === 'online' && state.news === 'offline') compare();
    if (news === 'nothing_kept') watchWithoutConnection();
    messages.connectionIs(news);
  },
  renewSession: openSession,
  ready: session,
});
const gameActions = createGameActions({
  store,
  connection,
  create: createBoard,
  sound,
  computed: (game, actions) => shadow?.choices(game, actions) ?? null,
});
const screen = createScreen({ store, gameActions, soundOnce });
const messages = createMessages({
  state,
  gameActions,
  connection,
  soundOnce,
  isWriting: () => screen.isWriting,
});
followPreferences(({ confirm }) => gameActions.update({ confirms: confirm }));
/** The version of the game that the server named last. */
let latest = 0;
/** The events of a game that is shown without its turns, until the engine plays them.
 * @type {Extract<ServerMessage, { type: 'events' }> | null} */
let outline = null;
let reading = Promise.resolve();

/** Hears a message. If no engine can read it, the game is read again when there is more of it.
 * @param {ServerMessage} message
 */
function hear(message) {
  if (message.type !== 'events' && message.type !== 'draft') return messages.onMessage(message);
  if (message.game !== id) return;
  const full = shadow?.read(state.game, message) ?? null;
  if (message.type === 'events') latest = message.version;
  if (full === null) return void readGame();
  outline = null;
  messages.onMessage(full);
}

/** Reads the game, unless the page has it by then. */
function readGame() {
  reading = reading
    .then(() => {
      const has = state.game?.version ?? 0;
      const isWhole = outline === null || shadow === undefined;
      return has > 0 && has >= latest && isWhole ? undefined : read();
    })
    .catch(forgive);
}

/** If the game cannot be read, the connection brings it, or the reason.
 * @param {unknown} error
 */
function forgive(error) {
  if (!(error instanceof ApiError)) console.warn(error);
}

/** Shows the game from the events that come with the page, without its turns; if there is no engine, from its document. */
async function read() {
  const hasSteps = shadow !== undefined;
  const [{ events, present }, me] = await Promise.all([hasSteps ? getGame(id) : getEvents(id), player]);
  const { version, turn } = present;
  const has = state.game?.version ?? 0;
  if (version < has || (version === has && outline === null)) return;
  const numbered = events.map((event, index) => ({ version: index + 1, ...event }));
  outline = hasSteps ? null : { type: 'events', game: id, version, events, position: turn.position, present };
  if (outline !== null && shadow) return hear(outline);
  // Whether the visitor plays is known before the connection.
  gameActions.update({ me: state.me ?? me });
  messages.onMessage({ type: 'snapshot', game: id, events: numbered, present, draft: null });
  if (has === 0) connection.follow(id, version);
}

/** Shows a game in a browser without a session, which has no line: it is read again and again. */
async function watchWithoutConnection() {
  while (id !== '' && state.game?.present.status !== 'finished') {
    await new Promise((resolve) => setTimeout(resolve, WATCH_EVERY_MS));
    if (!document.hidden) await read().catch(forgive);
  }
}

if (id !== '') {
  connection.follow(id, 0);
  readGame();
} else {
  gameActions.update({ missing: 'unknown' });
}
// Without an engine, the server tells which actions are legal, and no turn is prepared.
drawn()
  .then(() => import(document.body.dataset.later ?? ''))
  .then(async ({ shadowOfPage, openPreparing, followHelpKey, compareWithServer }) => {
    followHelpKey(gameActions.help);
    const isIdle = () => state.game?.present.status !== 'playing' || mySide(state) === null;
    compare = () => compareWithServer(t('newer.page'), isIdle);
    const engine = await shadowOfPage();
    shadow = engine;
    if (outline !== null) hear(outline);
    // Earlier messages could not be read.
    connection.follow(id, state.game?.version ?? 0);
    gameActions.prepareWith((tools) => openPreparing({ ...tools, state, shadow: engine, t }));
    performance.mark('engine');
  })
  .catch((error) => {
    console.warn(error);
    shadow ??= null;
    readGame();
  });
