// A game on this device, without a server: two persons at one table, or a person and the computer. The engine is a part
// of the page; the search is loaded when the computer has its first turn.

import { fragmentOf } from '../analysis/link.js';
import { createBoard } from '../board/board.js';
import { gameOf } from '../board/games.js';
import { Refused, engineOfPage } from '../engine/engine.js';
import { followLooks, walkBar } from '../live/tools.js';
import { keep, openKept } from '../local/keeping.js';
import { openMatch } from '../local/match.js';
import {
  actionBar,
  bar,
  bottomOf,
  deskOf,
  headingPanel,
  noticePanel,
  onlyPerson,
  personToMove,
  resultOf,
  statusPanel,
  toolBar,
} from '../local/panels.js';
import { recordOf } from '../local/record.js';
import { playerWords, setupForm, wishIn } from '../local/setup.js';
import { createThinker } from '../local/thinker.js';
import { cardsPanel } from '../play/cards.js';
import { isSentAtOnce } from '../play/confirming.js';
import { endingOf } from '../play/ending.js';
import { showKeys } from '../play/show-keys.js';
import { otherSide, turnLines } from '../play/model.js';
import { keepInView, spokenWords, strip, turnList } from '../play/panels.js';
import { lookFrom } from '../play/past.js';
import { ruleBehind } from '../play/rules.js';
import { copied } from '../play/share.js';
import { soundOf } from '../play/step-sound.js';
import { insist } from '../ui/loading.js';
import { announce, byId, leadToRules, recall, remember, showHeader, sideName, t } from '../ui/page.js';
import { offerPreferences, showPreferences, toggleZen } from '../ui/preferences-dialog.js';
import { preferred } from '../ui/preferences.js';
import { play as playSound } from '../ui/sound.js';
import { html, nothing, render } from '../vendor/lit-html@3.3.3/lit-html.js';

/** @import { LegalAction, Ruleset, Side, Step } from '../protocol.js' */
/** @import { Args } from '../i18n.js' */
/** @import { Game } from '../play/model.js' */
/** @import { LocalMatch } from '../local/match.js' */
/** @import { Deeds, View } from '../local/panels.js' */
/** @import { Wish } from '../local/setup.js' */
/** @import { Sound } from '../ui/tones.js' */

/** A confirmation so soon after a step is the second half of a double tap. */
const SLIP_MS = 250;
/** The least time of a turn of the computer, so that the eye can follow. */
const LEAST_MS = 400;

/** Texts that differ between two persons.
 * @type {Record<string, string>}
 */
const AT_ONE_TABLE = { 'board.why.not_yours': 'board.why.other_side' };

showHeader('table');
offerPreferences();
const thinker = createThinker();
const engine = await insist('engine', engineOfPage);

/** The game that is shown; null before the first one.
 * @type {View | null} */
let view = null;
/** The game that is being set up; null while one is shown.
 * @type {Wish | null} */
let wish = null;
/** @type {ReturnType<typeof createBoard> | null} */
let board = null;
/** The ruleset of the board.
 * @type {Ruleset | null} */
let boardOf = null;
let stepAt = 0;
let sendTimer = 0;
/** Searches are numbered so that only the latest counts. */
let searchNo = 0;

// --- Games ---

/** Shows the form of a new game, with the players of the last one if nothing else is asked for.
 * @param {Wish | null} asked
 */
function setUp(asked) {
  stopThinking();
  const { ruleset, players } = asked ??
    view?.match ?? {
      ruleset: /** @type {Ruleset} */ ('fibonacci'),
      players: { first: null, second: 2 },
    };
  wish = { ruleset, players };
  drawSetup();
  byId('setup').querySelector('select')?.focus();
}

function drawSetup() {
  document.body.classList.toggle('importing', wish !== null);
  if (wish === null) return render(nothing, byId('setup'));
  render(html`<h1>${t('local.title')}</h1><p class="lead">${t('local.lead')}</p>`, byId('heading'));
  const form = {
    wish,
    change(/** @type {Wish} */ next) {
      wish = next;
      drawSetup();
    },
    begin,
    back: view === null ? null : goBack,
  };
  render(setupForm(form), byId('setup'));
}

/** Leaves the form for the game that is kept. */
function goBack() {
  wish = null;
  drawSetup();
  show([]);
  byId('status').focus();
  think();
}

/** Begins the game that was set up. */
function begin() {
  if (wish === null) return;
  const { ruleset, players } = wish;
  // The day where the visitor is, in the form of ISO 8601.
  const date = new Intl.DateTimeFormat('sv').format();
  enter(openMatch(engine, { ruleset, players, date, turns: [], cards: [], resigned: null }));
  byId('status').focus();
}

/** Shows a game, and has the computer play if it is its turn.
 * @param {LocalMatch} match
 */
function enter(match) {
  view?.match.close();
  wish = null;
  view = {
    ...{ match, past: null, held: { reserve: false, jumps: 0 }, making: false, notice: null },
    ...{ failed: false, leaving: false, flipped: false, muted: recall('sound') === 'off' },
  };
  keep(match);
  drawSetup();
  leadToRules(match.ruleset);
  setBoard(match.ruleset);
  show([]);
  think();
}

// --- The turn ---

/** The game, if a person may act on the board now. */
const acting = () => (view !== null && deskOf(view) !== null ? view : null);

/** @param {LegalAction} action
 * @param {'drawn' | 'typed'} how */
function take(action, how) {
  const now = acting();
  if (now === null) return;
  if (action.kind === 'end') return confirm();
  const { local } = now.match;
  const { confirm: preference } = preferred();
  const isSent = isSentAtOnce(preference, { kind: 'none' }, local.desk.start);
  try {
    local.take(action.text);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    show([]);
    return explain('refusal.illegal', { i: local.desk.steps.length + 1 });
  }
  stepAt = performance.now();
  // The board sounds the steps that it animates, as a typed one.
  const step = local.desk.steps.at(-1);
  if (how === 'drawn' && step !== undefined) sound(soundOf(step));
  const { allowance } = local.desk.turn;
  if (allowance !== null) announce(t('say.left', { n: allowance.left }));
  now.notice = null;
  now.making = false;
  show(how === 'typed' ? local.desk.steps.slice(-1) : []);
  clearTimeout(sendTimer);
  if (isSent && local.desk.complete) sendTimer = window.setTimeout(playTurn, SLIP_MS);
}

/** @param {number} count the steps that stay */
function takeStepsTo(count) {
  const now = acting();
  if (now === null || now.match.local.desk.steps.length === 0) return;
  clearTimeout(sendTimer);
  now.match.local.takeBackTo(count);
  const { allowance } = now.match.local.desk.turn;
  announce(allowance === null ? t('say.undone_all') : t('say.undone', { n: allowance.left }));
  now.notice = null;
  show([]);
}

function undo() {
  if (!board?.back()) takeStepsTo((view?.match.local.desk.steps.length ?? 0) - 1);
}

function restart() {
  board?.pick(null);
  takeStepsTo(0);
}

function confirm() {
  if (performance.now() - stepAt >= SLIP_MS) playTurn();
}

/** Plays the turn on the desk. */
function playTurn() {
  clearTimeout(sendTimer);
  const now = acting();
  if (now?.match.play()) turnPlayed(now, []);
}

/** Shows the position after a turn, and has the computer play if it is its turn.
 * @param {View} now
 * @param {Step[]} steps those that the board has not shown yet
 */
function turnPlayed(now, steps) {
  now.notice = null;
  now.making = false;
  now.leaving = false;
  keep(now.match);
  show(now.past === null ? steps : []);
  const result = resultOf(now.match);
  if (result === null) return think();
  sound('end');
  announce(`${result.title}. ${result.reason}`, 'assertive');
  const ending = endingOf(/** @type {Game} */ (now.match.shown()));
  if (ending !== null && now.past === null) board?.playAgain(ending.from, ending.steps);
}

/** Takes back the last turn of a person, and with it those of the computer after it. */
function takeBack() {
  if (view === null || !view.match.canTakeBack) return;
  stopThinking();
  board?.pick(null);
  view.match.takeBack();
  Object.assign(view, { past: null, notice: null, making: false, failed: false });
  keep(view.match);
  show([]);
  announce(t('local.taken_back'));
}

function resign() {
  const side = view && personToMove(view.match);
  if (view === null || side === null) return;
  stopThinking();
  view.match.resign(side);
  turnPlayed(view, []);
  byId('status').focus();
}

// --- The computer ---

function stopThinking() {
  searchNo += 1;
  clearTimeout(sendTimer);
  thinker.stop();
}

/** Has the computer play, if it is its turn. */
async function think() {
  const now = view;
  const level = now?.match.level ?? null;
  if (now === null || level === null) return;
  searchNo += 1;
  const number = searchNo;
  now.failed = false;
  draw();
  const [seed] = crypto.getRandomValues(new Uint32Array(1));
  try {
    const [{ turn }] = await Promise.all([
      thinker.ask('search', now.match.question(level, seed)),
      new Promise((resolve) => setTimeout(resolve, LEAST_MS)),
    ]);
    if (number !== searchNo) return;
    performance.mark('computer played');
    const { side } = now.match.local.match.turn;
    now.match.playWhole(turn);
    const { steps } = now.match.local.match;
    sound('turn');
    const actions = steps.map(spokenWords).join('; ');
    announce(t('say.played', { name: sideName(now.match.ruleset, side), actions }));
    turnPlayed(now, steps);
  } catch (error) {
    if (number !== searchNo) return;
    console.warn(error);
    now.failed = true;
    announce(t('local.failed'), 'assertive');
    draw();
  }
}

// --- Looking, and the tools ---

/** @param {Sound} name */
function sound(name) {
  playSound(name, view?.muted ?? true);
}

/** @param {string} key
 * @param {Args} [args]
 * @param {string | null} [rule] */
function explain(key, args, rule = null) {
  if (view === null) return;
  view.notice = { text: t(key, args), rule };
  announce(view.notice.text);
  draw();
}

/** Shows the board's explanation of a press.
 * @param {string} key
 * @param {Args} args
 */
function explainPress(key, args) {
  if (view === null) return;
  const { match } = view;
  if (match.level !== null) return explain('local.thinking');
  const rule = ruleBehind(match.ruleset, match.local.desk.turn, key);
  explain(onlyPerson(match) === null ? (AT_ONE_TABLE[key] ?? key) : key, args, rule);
}

/** Shows another moment of the game, to look at.
 * @param {string} where
 */
function look(where) {
  if (view === null || wish !== null) return;
  board?.pick(null);
  view.past = lookFrom(/** @type {Game} */ (view.match.shown()), view.past, where);
  show([]);
}

async function copyPosition() {
  if (view === null) return;
  const { position } = view.past?.moment ?? view.match.local.desk.turn;
  const isCopied = await copied(position);
  const text = isCopied ? t('replay.copied') : position;
  view.notice = { text, rule: null };
  announce(text);
  draw();
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
  if (view === null) return;
  const fragment = await fragmentOf(namedRecord(view.match), 0);
  if (fragment === null) return explain('analysis.share_long');
  location.href = `/analysis${fragment}`;
}

/** Saves the record of the game as a file. */
function download() {
  if (view === null) return;
  const { match } = view;
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([namedRecord(match)], { type: 'text/plain' }));
  link.download = `towers-${match.ruleset}-${match.date}.txt`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href));
}

/** Changes what is shown, and draws it.
 * @param {(view: View) => void} edit
 */
function change(edit) {
  if (view === null) return;
  edit(view);
  show([]);
}

/** @type {Deeds} */
const deeds = {
  ...{
    take,
    explain,
    undo,
    restart,
    confirm,
    takeBack,
    resign,
    copyPosition,
    analyse,
    download,
    setUp: () => setUp(null),
    think,
  },
  makeInstead: () =>
    change((next) => {
      next.making = !next.making;
    }),
  showCapture: () => board?.showCapture(),
  pickReserve: (wanted) => board?.pickReserve(wanted),
  askToLeave() {
    change((next) => {
      next.leaving = true;
    });
    byId('leave-no').focus();
  },
  stay() {
    change((next) => {
      next.leaving = false;
    });
    byId('leave').focus();
  },
  flip: () =>
    change((next) => {
      next.flipped = !next.flipped;
    }),
  mute() {
    change((next) => {
      next.muted = !next.muted;
      remember('sound', next.muted ? 'off' : 'on');
    });
    sound('move');
  },
  help: () => view !== null && showKeys(view.match.ruleset),
  present: () => look('End'),
};

// --- Drawing ---

/** @param {Ruleset} ruleset */
function setBoard(ruleset) {
  if (boardOf === ruleset) return;
  boardOf = ruleset;
  const host = document.createElement('div');
  byId('board').replaceChildren(host);
  board = createBoard(host, {
    ...{ game: gameOf(ruleset), ruleset, t, announce },
    ...{ onAction: (action) => take(action, 'drawn'), onUndo: undo, onRestart: restart },
    onStep: (step) => sound(soundOf(step)),
    onAsk(what) {
      if (what === 'help') showKeys(ruleset);
      else if (what === 'preferences') showPreferences();
      else toggleZen();
    },
    onExplain: explainPress,
    onHold(held) {
      if (view === null) return;
      view.held = held;
      draw();
    },
  });
}

/** Shows the game on its board, and beside it.
 * @param {Step[]} animate
 */
function show(animate) {
  draw();
  if (view === null || board === null || wish !== null) return;
  const { match, past, making } = view;
  board.setFlipped(bottomOf(view) === 'first');
  if (past !== null) return board.show(past.board);
  const desk = deskOf(view);
  const { turns } = match.shown();
  const offered = (/** @type {LegalAction[]} */ legal) =>
    making ? legal.filter(({ kind }) => kind === 'make') : legal;
  board.show({
    turn: match.local.desk.turn,
    mySide: desk === null ? onlyPerson(match) : match.local.desk.turn.side,
    legal: desk === null ? null : offered(desk.legal ?? []),
    groups: desk?.groups ?? [],
    barred: desk?.barred ?? [],
    bestCapture: making ? null : (desk?.bestCapture ?? null),
    lastSteps: turns.at(-1)?.steps ?? [],
    draftSteps: match.local.desk.steps,
    decisive: endingOf(/** @type {Game} */ (match.shown()))?.decisive ?? [],
    animate,
  });
}

/** Draws all but the board. If the focused element disappears, the status gets the focus. */
function draw() {
  if (view === null || wish !== null) return;
  const focused = document.activeElement;
  const { match, past } = view;
  const { turn } = past ?? match.local.desk;
  const bottom = bottomOf(view);
  document.title = t('page.title', { page: t('local.title') });
  document.body.classList.toggle('past', past !== null);
  render(headingPanel(match), byId('heading'));
  render(bar(view, otherSide(bottom), deeds), byId('bar-top'));
  render(bar(view, bottom, deeds), byId('bar-bottom'));
  render(html`${statusPanel(view, deeds)} ${noticePanel(view)}`, byId('status'));
  render(
    match.outcome === null
      ? html`${strip(match.ruleset, turn, onlyPerson(match))} ${turn.cards && cardsPanel(match.ruleset, turn.cards, null)}`
      : nothing,
    byId('strip'),
  );
  render(actionBar(view, deeds), byId('actions'));
  render(toolBar(view, deeds), byId('tools'));
  drawTurns(view);
  if (focused !== null && !focused.isConnected) byId('status').focus();
}

/** @param {View} view */
function drawTurns({ match, past }) {
  const { turns, present } = match.shown();
  const lines = turnLines(turns, match.outcome === null ? present.turn.number : undefined);
  render(
    html`<div class="turns-head"><h2 id="turns-title">${t('game.turns')}</h2> ${lines.length === 0 ? nothing : walkBar(look, past === null)}</div>
      ${
        lines.length === 0
          ? html`<p class="empty">${t('game.no_turns')}</p>`
          : turnList({ ruleset: match.ruleset, lines, base: '/table', current: past?.moment })
      }`,
    byId('turns'),
  );
  keepInView(byId('turns'), byId('turns').querySelector(past === null ? 'li:last-child' : '[aria-current]'));
}

// --- The page ---

// Before the board's own keys: when nothing is left to move, Enter on the board is for the turn.
byId('board').addEventListener(
  'keydown',
  (event) => {
    if (event.key !== 'Enter' || acting()?.match.local.desk.complete !== true) return;
    event.preventDefault();
    event.stopPropagation();
    if (!event.repeat) confirm();
  },
  { capture: true },
);
followLooks(look);
const kept = openKept(engine);
if (kept !== null) enter(kept);
const asked = wishIn(new URLSearchParams(location.search));
if (kept === null || asked !== null) setUp(asked);
// A reload shows the game, not the form again.
if (asked !== null) history.replaceState(null, '', location.pathname);
