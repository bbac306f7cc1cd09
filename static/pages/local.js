// A game on this device, without a server: two persons at one screen, or a person and the computer. The engine is loaded
// for the first game, the search when the computer has its first turn.

import { fragmentOf } from '../analysis/fragment.js';
import { createBoard } from '../board/board.js';
import { engineOfPage } from '../engine/engine.js';
import { followMoments } from '../panels/board-tools.js';
import { isKept, keep, openKept } from '../local/keeping.js';
import { openMatch } from '../local/match.js';
import {
  actionBar,
  bar,
  bottomOf,
  headingPanel,
  onlyPerson,
  personToMove,
  resultOf,
  statusPanel,
  toolBar,
} from '../local/local-panels.js';
import { recordOf } from '../local/record.js';
import { playerWords, setupForm, wishIn } from '../local/setup.js';
import { createThinker } from '../engine/thinker.js';
import { isSentAtOnce } from '../session/confirming.js';
import { endingOf } from '../session/ending.js';
import { otherSide } from '../session/game-model.js';
import { spokenWords, strip } from '../panels/turns-and-players.js';
import { createBoardTabs } from '../panels/board-tabs.js';
import { cardsPanel } from '../panels/card-packs.js';
import { drawTurns, lookFrom } from '../panels/history.js';
import { sayLeft, sayUndone } from '../session/turn-speech.js';
import { ruleBehind } from '../session/clauses.js';
import { matchSource } from '../session/match-source.js';
import { createSession, drawnUp } from '../session/board-session.js';
import { initialSession, sessionStore } from '../session/session-state.js';
import { noticeLine } from '../panels/turn-buttons.js';
import { saveText } from '../ui/file.js';
import { insist } from '../ui/loading.js';
import { beginHeader } from '../ui/header.js';
import { announce, byId, recall, renderAll, sideName, t } from '../ui/page.js';
import { offerWayOutOfZen, toggleZen } from '../panels/zen.js';
import { preferred } from '../ui/preferences.js';
import { play as playSound } from '../ui/sound.js';
import { html, nothing } from '../vendor/lit-html@3.3.3/lit-html.js';

/** @import { Ruleset, Side, Step } from '../protocol.js' */
/** @import { Engine } from '../engine/engine.js' */
/** @import { Game } from '../session/game-model.js' */
/** @import { LocalMatch } from '../local/match.js' */
/** @import { Wish } from '../local/setup.js' */
/** @import { Sound } from '../ui/tones.js' */

/** Least time of a turn of the computer, so that the eye can follow. */
const LEAST_MS = 400;

beginHeader();
createBoardTabs(['frame', 'turns', 'more']);
offerWayOutOfZen();
const thinker = createThinker();

const store = sessionStore({
  muted: recall('sound') === 'off',
  /** The game that is shown; null before the first one. */
  match: /** @type {LocalMatch | null} */ (null),
  /** The game that is being set up; null while one is shown. */
  wish: /** @type {Wish | null} */ (null),
  /** Whether the computer's part failed. */
  failed: false,
});
const { state } = store;
/** Number of the latest search, the only one that counts. */
let searchNo = 0;
/** @type {Promise<Engine> | null} */
let loading = null;

/** The engine, which is loaded once. */
const engineHere = () => (loading ??= insist('engine', engineOfPage));

const gameOf = (/** @type {LocalMatch} */ match) => /** @type {Game} */ (match.shown());

const session = createSession({
  store,
  place: byId('board'),
  create: createBoard,
  contents,
  showMoment: (past, where) => (state.match === null ? null : lookFrom(gameOf(state.match), past, where)),
  isAtOnce: (turn) => isSentAtOnce(preferred().confirm, { kind: 'none' }, turn),
  ruleBehind,
  isShared: () => state.match !== null && onlyPerson(state.match) === null,
  excuse: () => (state.match !== null && state.match.level !== null ? 'local.thinking' : null),
  taken: sayLeft,
  takenBack: sayUndone,
  sound,
  toggleZen,
});
const { update, explain, showMoment } = session;

// --- Games ---

/** Shows the form of a new game, with the players of the last one if nothing else is asked for.
 * @param {Wish | null} asked
 */
function setUp(asked) {
  stopThinking();
  const { ruleset, players } = asked ??
    state.match ?? { ruleset: /** @type {Ruleset} */ ('fibonacci'), players: { first: null, second: 2 } };
  update({ wish: { ruleset, players } });
  // A page that opens has no focus yet, and keeps none.
  if (document.activeElement !== document.body) byId('setup').querySelector('select')?.focus();
}

/** @param {Wish | null} wish */
function drawSetup(wish) {
  document.body.classList.toggle('importing', wish !== null);
  if (wish === null) return renderAll({ setup: nothing });
  const form = {
    wish,
    change: (/** @type {Wish} */ next) => update({ wish: next }),
    begin,
    back: state.match === null ? null : goBack,
  };
  renderAll({
    heading: html`<h1>${t('local.title')}</h1><p class="lead">${t('local.lead')}</p>`,
    setup: setupForm(form),
  });
}

/** Leaves the form for the game that is kept. */
function goBack() {
  update({ wish: null }, []);
  byId('status').focus();
  think();
}

/** Begins the game that was set up. */
async function begin() {
  const engine = await engineHere();
  // A second press may have begun it meanwhile, or another have led back.
  if (state.wish === null) return;
  const { ruleset, players } = state.wish;
  // The day where the visitor is, in the form of ISO 8601.
  const date = new Intl.DateTimeFormat('sv').format();
  enter(openMatch(engine, { ruleset, players, date, turns: [], cards: [], resigned: null }));
  byId('status').focus();
}

/** Shows a game, and has the computer play if it is its turn.
 * @param {LocalMatch} match
 */
function enter(match) {
  state.match?.close();
  const source = matchSource(match.ruleset, match.local, {
    isOpen: () => match.outcome === null && match.level === null,
    confirm() {
      if (match.play()) turnPlayed(match, []);
    },
  });
  keep(match);
  const { muted, shows } = state;
  update({ ...initialSession(), muted, shows, source, match, wish: null, failed: false }, []);
  think();
}

// --- The turn ---

/** Shows the position after a turn, and has the computer play if it is its turn.
 * @param {LocalMatch} match
 * @param {Step[]} steps those that the board has not shown yet
 */
function turnPlayed(match, steps) {
  keep(match);
  const isNow = state.past === null;
  update({ notice: null, making: false, asked: null }, isNow ? steps : []);
  const result = resultOf(match);
  if (result === null) return think();
  sound('end');
  announce(`${result.title}. ${result.reason}`, 'assertive');
  const ending = endingOf(gameOf(match));
  if (ending !== null && isNow) session.board?.playAgain(ending.from, ending.steps);
}

/** Takes back the last turn of a person, and with it those of the computer after it. */
function takeBack() {
  const { match } = state;
  if (match === null || !match.canTakeBack) return;
  stopThinking();
  session.board?.pick(null);
  match.takeBack();
  keep(match);
  update({ past: null, notice: null, making: false, failed: false }, []);
  announce(t('local.taken_back'));
}

function resign() {
  const { match } = state;
  const side = match && personToMove(match);
  if (match === null || side === null) return;
  stopThinking();
  match.resign(side);
  turnPlayed(match, []);
  byId('status').focus();
}

// --- The computer ---

function stopThinking() {
  searchNo += 1;
  update({ sendsItself: false });
  thinker.stop();
}

/** Has the computer play, if it is its turn. */
async function think() {
  const { match } = state;
  const level = match?.level ?? null;
  if (match === null || level === null) return;
  searchNo += 1;
  const number = searchNo;
  update({ failed: false });
  const [seed] = crypto.getRandomValues(new Uint32Array(1));
  try {
    const [{ turn }] = await Promise.all([
      thinker.ask('search', match.question(level, seed)),
      new Promise((resolve) => setTimeout(resolve, LEAST_MS)),
    ]);
    if (number !== searchNo) return;
    performance.mark('computer played');
    const { side } = match.local.match.turn;
    match.playWhole(turn);
    const { steps } = match.local.match;
    sound('turn');
    const actions = steps.map(spokenWords).join('; ');
    announce(t('say.played', { name: sideName(match.ruleset, side), actions }));
    turnPlayed(match, steps);
  } catch (error) {
    if (number !== searchNo) return;
    console.warn(error);
    update({ failed: true });
    announce(t('local.failed'), 'assertive');
  }
}

// --- The tools ---

/** @param {Sound} name */
function sound(name) {
  playSound(name, state.muted);
}

/** The record of a game, with the names of its players.
 * @param {LocalMatch} match
 */
function namedRecord(match) {
  /** @param {Side} side */
  const name = (side) => (match.players[side] === null ? null : playerWords(match.players[side]));
  return recordOf(match, { first: name('first'), second: name('second') });
}

/** Opens the analysis board with the game. The record is in the address, which needs no network. */
async function analyse() {
  if (state.match === null) return;
  const fragment = await fragmentOf(namedRecord(state.match), 0);
  if (fragment === null) return explain('analysis.share_long');
  location.href = `/analysis${fragment}`;
}

/** Saves the record of the game as a file. */
function download() {
  if (state.match === null) return;
  const { ruleset, date } = state.match;
  saveText(`towers-${ruleset}-${date}.txt`, namedRecord(state.match));
}

const handlers = { takeBack, resign, analyse, download, setUp: () => setUp(null), think };

// --- Drawing ---

function contents() {
  const { match, wish, making } = state;
  if (match === null || wish !== null) return null;
  const { turnDraft } = match.local;
  const isOpen = match.outcome === null && match.level === null;
  const resting = { ...turnDraft, groups: [], barred: [], bestCapture: null };
  const { turns } = match.shown();
  const shown = drawnUp(
    isOpen ? turnDraft : resting,
    {
      mySide: isOpen ? turnDraft.turn.side : onlyPerson(match),
      legal: isOpen ? (turnDraft.legal ?? []) : null,
      lastSteps: turns.at(-1)?.steps ?? [],
      decisive: endingOf(gameOf(match))?.decisive ?? [],
    },
    making,
  );
  return { bottom: bottomOf({ match, flipped: state.flipped }), shown };
}

/** Draws all but the board. */
store.subscribe(Object.values, ({ match, wish, ...rest }) => {
  drawSetup(wish);
  if (match === null || wish !== null) return;
  const view = { ...rest, match };
  const { past, notice } = view;
  const { turn } = past ?? match.local.turnDraft;
  const bottom = bottomOf(view);
  document.title = t('page.title', { page: t('local.title') });
  document.body.classList.toggle('past', past !== null);
  renderAll({
    heading: headingPanel(match),
    'bar-top': bar(view, otherSide(bottom), session),
    'bar-bottom': bar(view, bottom, session),
    status: html`${statusPanel(view, session, handlers)} ${noticeLine(match.ruleset, notice)}`,
    strip: match.outcome === null ? strip(match.ruleset, turn, onlyPerson(match)) : nothing,
    actions: actionBar(view, session),
    cards: match.outcome === null ? cardsPanel(match.ruleset, turn.cards) : nothing,
    tools: toolBar(view, session, handlers),
  });
  drawTurns(gameOf(match), { past, showMoment, base: '/table' });
});

// --- The page ---

followMoments((where) => {
  if (state.match !== null && state.wish === null) showMoment(where);
});
const kept = isKept() ? openKept(await engineHere()) : null;
if (kept !== null) enter(kept);
const asked = wishIn(new URLSearchParams(location.search));
// A game that is not over is replaced only by a press.
const begins = asked !== null && (kept === null || kept.outcome !== null);
if (begins) await engineHere();
if (kept === null || asked !== null) setUp(asked);
if (begins) begin();
// A reload shows the game, not the form again.
if (asked !== null) history.replaceState(null, '', location.pathname);
for (const type of ['pointerenter', 'focusin'])
  byId('setup').addEventListener(type, engineHere, { once: true });
