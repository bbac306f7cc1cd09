// A game, from the open room to the result. Players and spectators have the same page; a spectator never has a turn.
// The server sends events. The page's engine, once it is loaded, finds the steps of each turn; until then the board alone is
// shown. Without an engine, the page reads the game's document. So it does for those who only look at a game, until
// something is played in it.

import { createBoard } from '../board/board.js';
import { createGameActions } from '../game-page/actions.js';
import { createMessages } from '../game-page/messages.js';
import { createScreen } from '../game-page/screen.js';
import { initialState, isMyTurn, mySide } from '../game-page/game-state.js';
import { calledName } from '../session/player-names.js';
import { createStore } from '../session/store.js';
import { ApiError, getEvents, getGame, getReview, untilAnswered } from '../connection/api.js';
import { gameIdIn } from '../connection/links.js';
import { leavesSession, openSession, sessionWorks } from '../connection/session.js';
import { openConnection } from '../connection/socket.js';
import { cameByKey } from '../ui/arrival.js';
import { leaveFor } from '../ui/leaving.js';
import { drawn } from '../ui/loading.js';
import { beginHeader } from '../ui/header.js';
import { recall, rulesetName, t } from '../ui/page.js';
import { followPreferences, preferred } from '../ui/preferences.js';
import { play, playOnce } from '../ui/sound.js';

/** @import { Shadow } from '../engine/shadow.js' */
/** @import { ServerMessage } from '../protocol.js' */
/** @import { Sound } from '../ui/tones.js' */

/** Minimum interval between two reads of a game that the page cannot follow by itself. */
const READ_EVERY_MS = 500;

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

beginHeader();
const session = openSession();
const player = session.then(({ player }) => player).catch(() => null);
const later = drawn().then(() => import(document.body.dataset.later ?? ''));
/** Finds out whether the page is older than the server, once the part for it is there. */
let compare = () => {};
/** The page's engine as it follows the game; undefined while it is on its way, null if there is none.
 * @type {Shadow | null | undefined} */
let shadow;
/** Has the engine loaded. */
let needEngine = () => {};
/** @type {Promise<void>} */
const isNeeded = new Promise((resolve) => {
  needEngine = resolve;
});
const connection = openConnection({
  onMessage: handle,
  onNews(news) {
    if (news === 'online') sessionWorks();
    if (news === 'online' && state.news === 'offline') compare();
    if (news === 'nothing_kept')
      later.then(({ pollGame }) => pollGame({ state, read, update: gameActions.update }));
    messages.connectionIs(news);
  },
  renewSession: openSession,
  leavesSession,
  ready: session,
});
const gameActions = createGameActions({
  store,
  connection,
  create: createBoard,
  sound,
  computed: (game, actions) => shadow?.choices(game, actions) ?? null,
  // Without that part, the link is copied.
  handedOn: (link, picture) => later.then((part) => part.handedOn(link, picture)).catch(() => false),
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
let latest = 1;
/** The events of a game that is shown without its turns, until the engine plays them.
 * @type {Extract<ServerMessage, { type: 'events' }> | null} */
let outline = null;
let isReading = false;

/** Handles a message. Events that no engine of the page can play cause the game to be read again.
 * @param {ServerMessage} message
 */
function handle(message) {
  if (message.type !== 'events' && message.type !== 'draft') return messages.onMessage(message);
  if (message.game !== id) return;
  const { game } = state;
  const full = shadow?.read(game, message) ?? null;
  if (message.type === 'events') latest = message.version;
  if (full !== null) {
    outline = null;
    return messages.onMessage(full);
  }
  if (message.draft) needEngine();
  if (message.type === 'draft') return;
  const { version, events, position } = message;
  const isOther =
    version === game?.version ? position !== game.present.turn.position : version === events.length;
  // The database has gone back: the shown game is no longer that of the server.
  if (isOther && shadow !== undefined) gameActions.update({ game: null });
  readGame();
}

/** True if the server has more of the game than the page, or the page waits for its turns in vain. */
const isBehind = () => (state.game?.version ?? 0) < latest || (outline !== null && shadow !== undefined);

/** Reads the game until the page has all of it. */
async function readGame() {
  if (isReading) return;
  isReading = true;
  try {
    while (isBehind()) {
      await untilAnswered(read, () => {});
      await new Promise((resolve) => setTimeout(resolve, READ_EVERY_MS));
    }
  } catch (error) {
    // The connection brings the reason.
    if (!(error instanceof ApiError)) console.warn(error);
  }
  isReading = false;
}

/** Shows the game from the events that come with the page, without its turns; if there is no engine, from its document.
 * @returns {Promise<void>}
 */
async function read() {
  const needsSteps = shadow !== undefined;
  const [{ events, present }, me] = await Promise.all([needsSteps ? getGame(id) : getEvents(id), player]);
  const { version, turn } = present;
  const has = state.game?.version ?? 0;
  if (version < has || (version === has && outline === null)) return;
  const numbered = events.map((event, index) => ({ version: index + 1, ...event }));
  outline = needsSteps
    ? null
    : { type: 'events', game: id, version, events, position: turn.position, present };
  if (outline !== null && shadow) return handleOutline(outline);
  // Whether the visitor plays is known before the connection.
  gameActions.update({ me: state.me ?? me });
  const draft = draftOn(turn.position);
  messages.onMessage({ type: 'snapshot', game: id, events: numbered, present, draft });
  if (has === 0) connection.follow(id, version);
  if (has > 0 && version > has && present.status === 'playing') needEngine();
  if (outline !== null && shadow === null) return read();
}

/** @param {Extract<ServerMessage, { type: 'events' }>} outline */
const handleOutline = (outline) =>
  handle({ ...outline, draft: draftOn(outline.position)?.steps.map(({ action }) => action) });

/** The turn being drawn up on a board, which only the page and the connection know.
 * @param {string} position
 */
const draftOn = (position) =>
  state.game?.present.turn.position === position ? (state.turnDraft ?? state.game.draft) : null;

/** Draws the winning chances in the result, if a review of the game is stored. */
async function showChances() {
  const review = await getReview(id);
  const ruleset = state.game?.ruleset;
  if (ruleset === undefined || !('turns' in review) || review.turns.length === 0) return;
  const { chancesLink } = await import(document.body.dataset.chances ?? '');
  gameActions.update({ chances: (top, href) => chancesLink({ ruleset, review, top }, href) });
}

// A game that was over when the page came may have been reviewed.
store.subscribe(
  ({ game }) => [game === null],
  ({ game }) => {
    if (game?.present.status === 'finished') later.then(showChances).catch(() => {});
  },
);
if (id !== '') {
  connection.follow(id, 0);
  readGame();
} else {
  gameActions.update({ missing: 'unknown' });
}
// A player who came by a key goes on with keys: the board gets the focus once there is a piece to choose.
let awaitsBoard = cameByKey;
store.subscribe(
  ({ game, turnDraft }) => [game?.present, turnDraft?.legal],
  ({ game, turnDraft }) => {
    if (!awaitsBoard || game === null || (isMyTurn(state) && !turnDraft?.legal)) return;
    awaitsBoard = false;
    if (document.activeElement === document.body) gameActions.board?.focus();
  },
);
/** The sentence about a turn that was played before the page was left.
 * @param {import('../session/game-model.js').Game} game
 */
const playedWords = (game) =>
  t('turns.played', { game: rulesetName(game.ruleset), name: calledName(game, game.present.turn.side) });

// The engine is for those who play a game, or may yet join it; others get it once something is played.
store.subscribe(
  ({ game, me }) => [game?.present.status, mySide({ game, me })],
  ({ game, me }) => {
    const status = game?.present.status;
    if (status === 'open' || (status === 'playing' && mySide({ game, me }) !== null)) needEngine();
    else if (game !== null) shadow ??= null;
  },
);
// It comes after the first paint. Without it, the server lists the legal actions, and no turn can be prepared.
later
  .then(async (part) => {
    const { shadowOfPage, openOnward, openPreparing, followConditional, compareWithServer } = part;
    openOnward({
      store,
      update: gameActions.update,
      isMyTurn: () => isMyTurn(state),
      movesOn: () => preferred().after === 'next',
      leaveFor,
      playedWords,
      note: gameActions.note,
    });
    followConditional({ store, update: gameActions.update, isPlayer: () => mySide(state) !== null });
    const isIdle = () => state.game?.present.status !== 'playing' || mySide(state) === null;
    compare = () => compareWithServer(t('newer.page'), isIdle);
    await isNeeded;
    const engine = await shadowOfPage();
    shadow = engine;
    if (outline !== null) handleOutline(outline);
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
