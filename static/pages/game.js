// A game, from the open room to the result. Players and watchers have the same page; what differs is whose turn
// it is. All that is shown follows from the last thing that the server said and from the turn on my desk.

import { createBoard } from '../board/board.js';
import {
  actionsOf,
  deskOf,
  fold,
  gameIdIn,
  otherSide,
  outcomeOf,
  sideOf,
  takenIn,
  turnLines,
  withAction,
  withDraft,
  withOptions,
  withSteps,
} from '../play/model.js';
import {
  keepInView,
  playerBar,
  reasonWords,
  recordLinks,
  reserveTray,
  spokenWords,
  strip,
  takenNotes,
  turnList,
} from '../play/panels.js';
import { cancelRoom, createRoom, joinRoom, openSession } from '../net/api.js';
import { commandId, openLine } from '../net/socket.js';
import {
  GAMES,
  announce,
  byId,
  icon,
  isSame,
  openDialog,
  recall,
  remember,
  resultWords,
  rulesetName,
  seatWords,
  showHeader,
  sideName,
  t,
  wordsOf,
} from '../ui/page.js';
import { html, nothing, render } from '../vendor/lit-html@3.3.3/lit-html.js';

/** @import { LegalAction, Player, Seats, ServerMessage, Side, Step, Turn } from '../protocol.js' */
/** @import { Desk, Game } from '../play/model.js' */
/** @import { Answer, News } from '../net/socket.js' */
/** @import { Args } from '../i18n.js' */

/** A confirmation so soon after a step is the second half of a double tap. */
const SLIP_MS = 250;

/** Empty if the address names no game. */
const id = gameIdIn(location.pathname) ?? '';

/** @type {Player | null} */
let me = null;
/** @type {Game | null} */
let game = null;
/** @type {Desk | null} */
let desk = null;
/** The desk as the server last confirmed it.
 * @type {Desk | null} */
let confirmed = null;
/** Questions are numbered so that only the answer to the latest counts. */
let questionNo = 0;
/** The question without an answer: `draft` if it changes my draft, `options` if it only asks what may follow.
 * @type {'draft' | 'options' | null} */
let asked = null;
/** Whether another draft of mine was heard of while this desk's was on its way. */
let contested = false;
/** @type {'turn' | 'resign' | null} */
let sending = null;
let resigning = false;
/** Whether only the making of a piece is offered of what is legal. */
let making = false;
/** Whether the action that is awaited was typed: then the board has not moved its piece yet. */
let typed = false;
/** Whether the next cell gets a man of the reserve. */
let dropping = false;
let listedVersion = 0;
let stepAt = 0;
/** @type {{ text: string, rule: string | null, turn?: number } | null} */
let notice = null;
/** @type {News} */
let news = 'online';
/** @type {'unknown' | 'unreadable' | null} */
let missing = null;
let busy = false;
let flipped = false;
let muted = recall('sound') === 'off';
/** @type {ReturnType<typeof createBoard> | null} */
let board = null;
/** @type {Promise<typeof import('../ui/sound.js')> | null} */
let sounds = null;

// --- What is so ---

const mySide = () => (game === null ? null : sideOf(game, me));
const isMyTurn = () => game?.present.status === 'playing' && game.present.turn.side === mySide();
/** The side shown at the bottom: mine, or the second, whose pieces the texts have there. */
const bottomSide = () => (flipped ? otherSide(mySide() ?? 'second') : (mySide() ?? 'second'));
/** Whether what I do now can reach the server. */
const canAct = () =>
  desk !== null && news !== 'offline' && news !== 'misuse' && news !== 'reload' && sending === null;

/** @returns {LegalAction | undefined} */
const earlyEnd = () => desk?.legal?.find(({ kind }) => kind === 'end');

/** The turn as it is shown: mine from my desk, the other's as far as the draft goes.
 * @param {Game} of
 * @returns {{ turn: Turn, steps: Step[] }}
 */
function shownTurn(of) {
  const shown = desk ?? deskOf(of.present.turn, of.present.status === 'playing' ? of.draft : null);
  return { turn: shown.turn, steps: shown.steps };
}

/** @param {Seats | null} seats
 * @param {Side} side */
const nameOf = (seats, side) => seats?.[side].name ?? t('game.free_seat');

// --- Drafts ---

/** Asks what may follow some actions. Only as a `draft` do they become mine: what this page merely shows may be
 * older than what another tab has made of it.
 * @param {'draft' | 'options'} type
 * @param {string[]} actions
 */
async function ask(type, actions) {
  if (game === null) return;
  const { version } = game;
  questionNo += 1;
  const number = questionNo;
  asked = type;
  const answer = await line.command({ type, command: commandId(), game: id, version, actions });
  if (answer === null) return;
  recover();
  if (number !== questionNo || desk === null || game.version !== version) {
    draw([]);
    return;
  }
  asked = null;
  /** @type {Step[]} */
  let fresh = [];
  if (answer.type === 'options') {
    if (typed) fresh = answer.draft.steps.slice(-1);
    desk = withOptions(desk, answer);
    confirmed = desk;
  } else if (answer.type === 'nack') {
    refused(answer);
    const isIllegal = answer.code === 'illegal';
    const back = type === 'options' && isIllegal ? null : confirmed;
    desk = back ?? deskOf(game.present.turn, null);
    if (desk.legal === null && isIllegal && actions.length > 0) ask('options', actionsOf(desk));
  }
  review();
  typed = false;
  draw(fresh);
}

/** @param {LegalAction} action */
function take(action) {
  if (desk === null || desk.legal === null || !canAct()) return;
  if (action.kind === 'end') return confirmTurn();
  notice = null;
  making = false;
  stepAt = performance.now();
  desk = withAction(desk, action);
  sound(action.kind === 'swap' || action.kind === 'switch' ? 'swap' : 'move');
  if (desk.turn.allowance !== null) announce(t('say.left', { n: desk.turn.allowance.left }));
  ask('draft', actionsOf(desk));
  draw([]);
}

/** @param {number} count the steps that stay */
function takeBackTo(count) {
  if (desk === null || desk.steps.length === 0 || !canAct()) return;
  notice = null;
  typed = false;
  desk = withSteps(desk, Math.max(0, count));
  const { allowance } = desk.turn;
  announce(allowance === null ? t('say.undone_all') : t('say.undone', { n: allowance.left }));
  ask('draft', actionsOf(desk));
  draw([]);
}

const undo = () => takeBackTo((desk?.steps.length ?? 0) - 1);
const restart = () => takeBackTo(0);

// --- Turns ---

/** Sends the turn, ended early if moves are left. */
async function confirmTurn() {
  if (game === null || desk === null || !canAct() || asked !== null) return;
  if (performance.now() - stepAt < SLIP_MS) return;
  const end = earlyEnd();
  if (!desk.complete && end === undefined) return;
  const actions = desk.complete || end === undefined ? actionsOf(desk) : [...actionsOf(desk), end.text];
  sending = 'turn';
  notice = null;
  draw([]);
  const { version } = game;
  const answer = await line.command({ type: 'turn', command: commandId(), game: id, version, actions });
  if (answer?.type === 'nack') refused(answer);
  settle(answer);
}

async function resign() {
  if (game === null || sending !== null) return;
  resigning = false;
  sending = 'resign';
  draw([]);
  const answer = await line.command({ type: 'resign', command: commandId(), game: id });
  if (answer?.type === 'nack') refused(answer);
  settle(answer);
}

/** After an ack the events of it are on their way, or here already; until then nothing may be sent.
 * @param {Answer | null} answer
 */
function settle(answer) {
  if (answer?.type !== 'ack' || (game !== null && game.version >= answer.version)) sending = null;
  recover();
  review();
  draw([]);
}

/** An answer shows that what was busy is no longer so. */
function recover() {
  if (news === 'busy' || news === 'unavailable') news = 'online';
}

/** Says why the server refused. If it knows more than this page, the page asks for that.
 * @param {Extract<Answer, { type: 'nack' }>} nack
 */
function refused(nack) {
  const isLate = nack.code === 'stale' || nack.code === 'not_your_turn' || nack.code === 'game_over';
  if (isLate && game !== null) line.follow(id, game.version);
  const rule = 'rule' in nack ? nack.rule : null;
  const number = 'index' in nack ? nack.index + 1 : 0;
  notice = { text: t(`refusal.${nack.code}`, { i: number }), rule };
  announce(notice.text, 'assertive');
}

/** @param {string} key
 * @param {Args} [args] */
function explain(key, args) {
  notice = { text: t(key, args), rule: null };
  announce(notice.text);
  draw([]);
}

/** What the board has to say about a press. It does not know why nothing is legal just now.
 * @param {string} key
 * @param {Args} args
 */
function explainPress(key, args) {
  if (desk !== null && news === 'offline') return explain('status.offline');
  if (asked !== null) return explain('status.asking');
  explain(key, args);
  const rule = RULES[key];
  if (notice === null || rule === undefined) return;
  notice = { ...notice, rule, turn: typeof args.turn === 'number' ? args.turn : undefined };
  draw([]);
}

/** The clause that is behind what the board says.
 * @type {Record<string, string>}
 */
const RULES = { 'board.why.must_capture': '2.7', 'board.why.barred': '4.4' };

// --- What the server says ---

/** @param {ServerMessage} message */
function hear(message) {
  switch (message.type) {
    case 'welcome':
      me = message.player;
      break;
    case 'snapshot':
    case 'events':
      if (message.game === id) learn(message);
      return;
    case 'draft':
      if (message.game === id && game !== null) {
        const before = shownTurn(game).steps;
        game = withDraft(game, message);
        adopt();
        draw(stepsBetween(before, shownTurn(game).steps));
      }
      return;
    case 'error':
      fault(message);
      break;
    default:
      return;
  }
  draw([]);
}

/** @param {Extract<ServerMessage, { type: 'snapshot' | 'events' }>} message */
function learn(message) {
  const next = fold(game, message);
  if (next === null) {
    line.follow(id, 0);
    return;
  }
  const before = game;
  const seen = before === null ? [] : shownTurn(before).steps;
  game = next;
  missing = null;
  if (before === null || before.version !== next.version) {
    sending = null;
    resigning = false;
    desk = null;
    confirmed = null;
    questionNo += 1;
    asked = null;
    contested = false;
    making = false;
    typed = false;
    if (before !== null) tell(before, next);
  }
  if (desk === null && isMyTurn()) {
    desk = deskOf(next.present.turn, next.draft);
    confirmed = desk;
    ask('options', actionsOf(desk));
  } else {
    adopt();
  }
  draw(before === null ? [] : stepsSince(before, seen, next));
  if (before?.turns.length !== next.turns.length)
    keepInView(byId('turns'), byId('turns').querySelector('li:last-child'));
}

/** The steps that lead from one draft to a longer one; none if it is no continuation.
 * @param {Step[]} before
 * @param {Step[]} now
 */
function stepsBetween(before, now) {
  const isLonger = before.every(({ action }, i) => now[i]?.action === action);
  return isLonger ? now.slice(before.length) : [];
}

/** The steps that a watcher has not seen yet as a draft.
 * @param {Game} before
 * @param {Step[]} seen
 * @param {Game} now
 */
function stepsSince(before, seen, now) {
  const played = now.turns.slice(before.turns.length).flatMap(({ steps }) => steps);
  return stepsBetween(seen, played);
}

/** Takes over a draft of mine that was made elsewhere, as in another tab. */
function adopt() {
  if (game === null || desk === null) return;
  const theirs = (game.draft?.steps ?? []).map(({ action }) => action);
  if (theirs.join(' ') === actionsOf(desk).join(' ')) return;
  if (asked === 'draft' || sending !== null) {
    contested = true;
    return;
  }
  desk = deskOf(game.present.turn, game.draft);
  confirmed = desk;
  ask('options', theirs);
}

/** Of two drafts that crossed, only the server knows which came last: it is asked once mine is answered. */
function review() {
  if (!contested || game === null || asked === 'draft' || sending !== null) return;
  contested = false;
  line.follow(id, game.version);
}

/** Says what has happened since, in one go.
 * @param {Game} before
 * @param {Game} now
 */
function tell(before, now) {
  const { status } = now.present;
  if (before.present.status === 'open' && status === 'playing') {
    const [first, second] = [nameOf(now.seats, 'first'), nameOf(now.seats, 'second')];
    const colours = {
      first_side: sideName(now.ruleset, 'first'),
      second_side: sideName(now.ruleset, 'second'),
    };
    announce(t('say.started', { first, second, ...colours }));
  }
  const mine = mySide();
  const words = now.turns
    .slice(before.turns.length)
    .filter(({ side }) => side !== mine)
    .map(({ side, steps }) =>
      t('say.played', { name: nameOf(now.seats, side), actions: steps.map(spokenWords).join('; ') }),
    );
  const outcome = outcomeOf(now);
  if (outcome !== null && now.seats !== null) {
    const { title, reason } = resultWords(now.ruleset, outcome, now.seats, mine);
    announce([...words, `${title}.`, reason].join(' '), 'assertive');
    sound('end');
  } else if (isMyTurn()) {
    const { allowance } = now.present.turn;
    const count = allowance === null ? '' : t('say.left', { n: allowance.allowance });
    announce(
      [
        ...words,
        t('status.your_turn'),
        cardWords(now),
        reasonWords(now.ruleset, now.present.turn, mine) ?? count,
      ]
        .filter((text) => text !== '')
        .join(' '),
      'assertive',
    );
    sound('turn');
  } else {
    if (words.length > 0) announce(words.join(' '));
    if (now.turns.length > before.turns.length && mine === null) sound('move');
  }
}

/** The card of the turn, in words.
 * @param {Game} of
 */
function cardWords({ present }) {
  const card = present.turn.cards?.card ?? null;
  return card === null ? '' : `${t('cards.card', { n: card })}.`;
}

/** @param {Extract<ServerMessage, { type: 'error' }>} why */
function fault(why) {
  switch (why.code) {
    case 'unknown_game':
      missing = 'unknown';
      break;
    case 'unavailable':
      if (game === null) missing = 'unreadable';
      break;
    case 'wrong_protocol':
    case 'too_fast':
      break;
    default:
      notice = { text: t('fault.other', { code: why.code }), rule: null };
      announce(notice.text, 'assertive');
  }
}

// --- Rooms ---

/** @param {() => Promise<void>} work */
async function attempt(work) {
  busy = true;
  notice = null;
  draw([]);
  try {
    await work();
  } catch (error) {
    notice = { text: wordsOf(error), rule: null };
    announce(notice.text, 'assertive');
  }
  busy = false;
  draw([]);
}

const join = () =>
  attempt(async () => {
    await joinRoom(id);
  });

const cancel = () =>
  attempt(async () => {
    await cancelRoom(id);
  });

const playAgain = () =>
  attempt(async () => {
    if (game === null) return;
    const { ruleset, visibility } = game;
    const room = await createRoom({ ruleset, visibility, seat: 'random' });
    location.assign(`/game/${room.id}`);
  });

async function copyLink() {
  const field = /** @type {HTMLInputElement} */ (byId('link'));
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
    explain('room.copied');
  } catch {
    explain('room.copy_by_hand');
  }
}

// --- Drawing ---

/** @param {Step[]} animate the steps that lead here from what was shown before */
function draw(animate) {
  const focused = document.activeElement;
  if (game === null) drawNothing();
  else drawGame(game);
  drawLine();
  if (game !== null) drawBoard(game, animate);
  drawTab();
  if (focused !== null && !focused.isConnected) byId('status').focus();
}

function drawNothing() {
  if (missing === null) return;
  document.title = t('page.title', { page: t(`missing.${missing}`) });
  render(
    html`<h2>${t(`missing.${missing}`)}</h2>
      <p>${t(`missing.${missing}_hint`)}</p>
      <p><a class="button" href="/">${t('page.to_lobby')}</a></p>`,
    byId('status'),
  );
}

/** @param {Game} of */
function drawGame(of) {
  const mine = mySide();
  const bottom = bottomSide();
  const { turn, steps } = shownTurn(of);
  const isPlaying = of.present.status === 'playing';
  const taken = takenIn([...of.turns, { side: turn.side, steps: isPlaying ? steps : [] }]);
  /** @param {Side} side */
  const bar = (side) => {
    const { ruleset, seats } = of;
    const name = seats === null ? roomSeat(of, side) : seats[side].name;
    const toMove = isPlaying && of.present.turn.side === side;
    const notes = [...(seats !== null && side === mine ? [t('game.you')] : []), ...takenNotes(taken[side])];
    return playerBar({ ruleset, side, name, toMove, notes, tray: tray(of, turn, side) });
  };
  const names = of.seats && t('game.pair', { first: of.seats.first.name, second: of.seats.second.name });
  render(
    html`<h1>${rulesetName(of.ruleset)}<span class="sr">${names === null ? '' : `, ${names}`}</span></h1>
      <p class="lead">${t('game.turn', { n: of.present.turn.number })} ·
        <a href=${`/rules/${of.ruleset}`}>${t('page.rules')}</a></p>`,
    byId('heading'),
  );
  render(bar(otherSide(bottom)), byId('bar-top'));
  render(bar(bottom), byId('bar-bottom'));
  render(html`${statusPanel(of)} ${noticePanel(of)}`, byId('status'));
  render(isPlaying ? strip(of.ruleset, turn, mine, of.seedHash) : nothing, byId('strip'));
  byId('strip').classList.toggle('waiting', asked !== null);
  render(actionBar(of, mine, steps), byId('actions'));
  render(toolBar(of, mine), byId('tools'));
  if (listedVersion !== of.version) drawTurns(of);
}

/** The turns change only with the version, and in a long game there are many.
 * @param {Game} of
 */
function drawTurns(of) {
  listedVersion = of.version;
  const lines = turnLines(of.turns, of.present.status === 'playing' ? of.present.turn.number : undefined);
  render(
    html`<h2 id="turns-title">${t('game.turns')}</h2>
      ${lines.length === 0 ? html`<p class="empty">${t('game.no_turns')}</p>` : turnList(of.ruleset, lines, `/replay/${id}`, null)}`,
    byId('turns'),
  );
}

/** The reserve of a side, to press if the side is mine and can drop.
 * @param {Game} of
 * @param {Turn} turn
 * @param {Side} side
 */
function tray(of, { reserves }, side) {
  if (reserves === null) return nothing;
  const canDrop = side === mySide() && (desk?.legal ?? []).some(({ kind }) => kind === 'drop');
  return reserveTray({
    ...{ ruleset: of.ruleset, side, men: reserves[side] },
    ...(canDrop ? { picked: dropping, press: () => board?.pickReserve(!dropping) } : {}),
  });
}

/** Who sits or will sit on a side of an open room.
 * @param {Game} of
 * @param {Side} side
 */
function roomSeat(of, side) {
  if (of.seat === 'random') return t('game.seat_by_lot');
  return of.seat === side ? of.creator.name : t('game.free_seat');
}

/** @param {Game} of */
function statusPanel(of) {
  const { present, seats } = of;
  switch (present.status) {
    case 'open':
      return isSame(me, of.creator) ? waitingPanel(of) : joinPanel(of);
    case 'cancelled':
      return html`<h2>${t('room.cancelled')}</h2>
        <p><a class="button" href="/">${t('page.to_lobby')}</a></p>`;
    case 'finished': {
      if (seats === null) return nothing;
      const { title, reason } = resultWords(of.ruleset, present.outcome, seats, mySide());
      return html`<div class="result">
        <h2>${title}</h2>
        <p>${reason}</p>
        <p class="buttons">
          <a class="button primary" href=${`/replay/${id}`}>${t('game.replay')}</a>
          <button ?disabled=${busy} @click=${playAgain}>${t('game.again')}</button>
          ${of.seedHash === null ? nothing : html`<a class="button" href=${`/shuffles/${id}`}>${t('cards.check')}</a>`}
          <a class="button quiet" href="/">${t('page.to_lobby')}</a>
        </p>
      </div>`;
    }
    case 'playing': {
      const title = isMyTurn()
        ? t('status.your_turn')
        : t('status.to_move', { name: nameOf(seats, present.turn.side) });
      return html`<h2 class=${isMyTurn() ? 'yours' : ''}>${title}</h2>
        <p>${nextWords(of)}</p>
        ${isMyTurn() && of.turns.length < 2 ? html`<p class="lead goal">${t(`goal.${of.ruleset}`)}</p>` : nothing}`;
    }
  }
}

/** What is to be done next, in one line.
 * @param {Game} of
 */
function nextWords(of) {
  const lines = turnLines(of.turns, of.present.turn.number);
  const wasSkipped = lines.at(-1)?.skipped ?? false;
  if (desk === null) {
    return mySide() === null ? t('status.watching') : t(wasSkipped ? 'status.skipped_you' : 'status.wait');
  }
  if (news === 'offline') return t('status.offline');
  if (sending === 'turn') return t('status.sending');
  const { allowance } = desk.turn;
  if (desk.complete) return t(allowance === null ? 'status.confirm_one' : 'status.confirm');
  if (desk.legal === null && asked === null) return t('status.asking');
  if (allowance === null) return oneActionWords(desk);
  const n = allowance.left;
  if (desk.steps.length === 0) return t(wasSkipped ? 'status.again' : 'status.begin', { n });
  return t('status.go_on', { n });
}

/** What is to be done in a turn of one action.
 * @param {Desk} of
 */
function oneActionWords({ turn, legal, bestCapture }) {
  if (turn.set_up !== null) return t('status.stack');
  if (turn.owed?.must) return t('status.make');
  if (making) return t('status.make_councillor');
  if (bestCapture !== null) return t('status.capture', { n: bestCapture });
  if (legal?.some(({ kind }) => kind === 'switch')) return t('status.switch', { i: turn.number });
  if (legal?.some(({ kind }) => kind === 'drop')) return t('status.pile_or_drop');
  return t(turn.reserves === null ? 'status.piece' : 'status.pile');
}

/** @param {Game} of */
const waitingPanel = (of) =>
  html`<h2>${t('room.waiting')}</h2>
    <p>${t(of.visibility === 'link' ? 'room.share_link' : 'room.share')}</p>
    <p class="copy">
      <input id="link" readonly aria-label=${t('room.link')} value=${`${location.origin}/game/${id}`} />
      <button class="primary" @click=${copyLink}>${icon('copy')} ${t('room.copy')}</button>
    </p>
    <p><button class="quiet" ?disabled=${busy} @click=${cancel}>${t('room.cancel')}</button></p>`;

/** @param {Game} of */
function joinPanel(of) {
  /** @type {Record<string, string>} */
  const mine = { first: 'second', second: 'first', random: 'random' };
  return html`<h2>${t('room.open', { name: of.creator.name })}</h2>
    <p>${seatWords(of.ruleset, mine[of.seat])}</p>
    <p><button class="primary big" ?disabled=${busy || me === null} @click=${join}>${t('lobby.join')}</button></p>`;
}

/** @param {Game} of */
const noticePanel = (of) =>
  notice === null
    ? nothing
    : html`<p class="notice">${notice.text}
        ${notice.rule === null ? nothing : html`<a href=${`/rules/${of.ruleset}#${notice.rule}`}>${t('game.rule', { rule: notice.rule })}</a>`}
        ${notice.turn === undefined ? nothing : html`· <a href=${`/replay/${id}#${notice.turn}`}>${t('game.turn', { n: notice.turn })}</a>`}
      </p>`;

/**
 * The buttons of a turn. They are there as long as the game is, so that a focus on them is not lost.
 *
 * @param {Game} of
 * @param {Side | null} mine
 * @param {Step[]} steps
 */
function actionBar(of, mine, steps) {
  if (of.present.status !== 'playing' || mine === null) return nothing;
  const canUndo = canAct() && steps.length > 0;
  const end = desk?.complete ? undefined : earlyEnd();
  const canConfirm = canAct() && asked === null && (desk?.complete === true || end !== undefined);
  const left = desk?.turn.allowance?.left ?? 0;
  const canMake = desk?.turn.owed?.must === false && (desk.legal ?? []).some(({ kind }) => kind === 'make');
  return html`${canMake ? html`<button aria-pressed=${making} @click=${makeInstead}>${icon('stack')} <span>${t('game.make')}</span></button>` : nothing}
    <button class="quiet" title=${t('game.undo_long')} aria-disabled=${!canUndo} @click=${undo}>${icon('undo')} <span>${t('game.undo')}</span></button>
    <button class="quiet" title=${t('game.restart_long')} aria-disabled=${!canUndo} @click=${restart}>${icon('restart')} <span>${t('game.restart')}</span></button>
    <button class=${end === undefined ? 'primary confirm' : 'confirm'} aria-disabled=${!canConfirm} @click=${confirmTurn}>
      ${icon('check')} <span>${end === undefined ? t('game.confirm') : t('game.end_early', { n: left })}</span></button>`;
}

/** @param {Game} of
 * @param {Side | null} mine */
function toolBar(of, mine) {
  const canResign = of.present.status === 'playing' && mine !== null;
  if (resigning && canResign) {
    return html`<div class="ask" role="group" aria-label=${t('game.resign')} @keydown=${escapeResign}>
      <span>${t('game.resign_sure')}</span>
      <button class="danger" @click=${resign}>${t('game.resign_yes')}</button>
      <button class="quiet" id="resign-no" @click=${keepPlaying}>${t('game.resign_no')}</button>
    </div>`;
  }
  return html`<button class="quiet" @click=${flip}>${icon('flip')} <span>${t('game.flip')}</span></button>
    <button class="quiet" aria-pressed=${muted} @click=${mute}>${icon(muted ? 'mute' : 'sound')} <span>${t('game.mute')}</span></button>
    <button class="quiet" @click=${help}>${icon('keys')} <span>${t('game.keys')}</span></button>
    ${of.seats === null ? nothing : recordLinks(id)}
    ${canResign ? html`<button class="quiet" id="resign" aria-disabled=${sending !== null} @click=${askResign}>${icon('flag')} <span>${t('game.resign')}</span></button>` : nothing}
    ${typedMove(of)}`;
}

/** @param {Game} of */
const typedMove = (of) =>
  desk === null
    ? nothing
    : html`<form class="typed" @submit=${stageTyped}>
        <label>${t('typed.label')} <input name="move" autocomplete="off" autocapitalize="off" spellcheck="false" list="legal" placeholder=${t(`typed.example.${of.ruleset}`)} /></label>
        <datalist id="legal">${(desk.legal ?? []).map(({ text }) => html`<option value=${text}></option>`)}</datalist>
        <button class="quiet">${t('typed.stage')}</button>
      </form>`;

/** @param {SubmitEvent} event */
function stageTyped(event) {
  event.preventDefault();
  const form = /** @type {HTMLFormElement} */ (event.target);
  const written = String(new FormData(form).get('move'));
  /** @param {string} text */
  const plain = (text) => text.toLowerCase().replace(/[^a-z0-9]/g, '');
  const legal = desk?.legal ?? [];
  // What is left out does no harm, but `d5-d6` and `d5+d6` may both be legal.
  const action =
    legal.find(({ text }) => text === written.trim()) ??
    legal.find(({ text }) => plain(text) === plain(written) && text.includes('*') === written.includes('*'));
  if (action === undefined) {
    explain('typed.unknown', { text: written });
    return;
  }
  form.reset();
  typed = action.kind !== 'end';
  take(action);
}

function drawLine() {
  render(
    news === 'online'
      ? nothing
      : html`<p class="line">${t(`line.${news}`)}
          ${news === 'reload' ? html`<button @click=${() => location.reload()}>${t('line.reload_button')}</button>` : nothing}</p>`,
    byId('line'),
  );
}

/** @param {Game} of
 * @param {Step[]} animate */
function drawBoard(of, animate) {
  if (board === null) {
    board = createBoard(byId('board'), {
      ruleset: of.ruleset,
      t,
      announce,
      onAction: (_, action) => take(action),
      onUndo: undo,
      onRestart: restart,
      onHelp: help,
      onExplain: explainPress,
      onReserve(picked) {
        dropping = picked;
        if (game !== null) drawGame(game);
      },
    });
    board.ready.catch(() => explain('game.no_board'));
  }
  const { turn, steps } = shownTurn(of);
  board.setFlipped(bottomSide() === 'first');
  // It has moved its piece itself, and where all stands then the answer will tell.
  if (desk?.ahead && !typed) return;
  board.show({
    turn,
    mySide: mySide(),
    legal: desk === null ? null : canAct() ? offered(desk.legal ?? []) : [],
    groups: desk?.groups ?? [],
    barred: desk?.barred ?? [],
    bestCapture: making ? null : (desk?.bestCapture ?? null),
    lastSteps: of.turns.at(-1)?.steps ?? [],
    draftSteps: steps,
    animate,
  });
}

/** @param {LegalAction[]} legal */
const offered = (legal) => (making ? legal.filter(({ kind }) => kind === 'make') : legal);

/** The title says how the game stands, and while the tab is hidden that I am waited for. */
function drawTab() {
  if (game === null) return;
  const isCall = document.visibilityState === 'hidden' && isMyTurn();
  const name = rulesetName(game.ruleset);
  const { seats } = game;
  const pair =
    seats === null
      ? name
      : `${name}${t('page.colon')}${t('game.pair', { first: seats.first.name, second: seats.second.name })}`;
  document.title = t('page.title', { page: isCall ? t('status.your_turn_title') : pair });
  const favicon = /** @type {HTMLLinkElement} */ (byId('favicon'));
  favicon.href = isCall ? '/ui/icon-turn.svg' : '/ui/icon.svg';
}

// --- Tools ---

function flip() {
  flipped = !flipped;
  draw([]);
}

function mute() {
  muted = !muted;
  remember('sound', muted ? 'off' : 'on');
  draw([]);
  sound('move');
}

function askResign() {
  if (sending !== null) return;
  resigning = true;
  draw([]);
  byId('resign-no').focus();
}

function keepPlaying() {
  resigning = false;
  draw([]);
  byId('resign').focus();
}

function makeInstead() {
  making = !making;
  draw([]);
}

/** @param {KeyboardEvent} event */
function escapeResign(event) {
  if (event.key === 'Escape') keepPlaying();
}

/** The keys of the board, with the games where they mean something if not in all.
 * @type {[keys: string, words: string, games?: string[]][]}
 */
const KEYS = [
  ['← → ↑ ↓', 'keys.arrows'],
  ['Q E A D Z C', 'keys.neighbours', ['fibonacci', 'crossfire']],
  ['Q E A D Z C', 'keys.neighbours_square', ['fenix', 'focus']],
  ['Home End', 'keys.ends'],
  ['Enter, Space', 'keys.pick'],
  ['N, Shift+N', 'keys.next'],
  ['1 – 6', 'keys.count', ['focus', 'crossfire']],
  ['1 – 9', 'keys.way', ['fenix']],
  ['R', 'keys.reserve', ['focus', 'crossfire']],
  ['V', 'keys.inspect', ['focus', 'crossfire']],
  ['⌫', 'keys.undo'],
  ['Shift+⌫', 'keys.restart'],
  ['Esc', 'keys.unpick'],
  ['G', 'keys.group', ['fibonacci']],
  ['M', 'keys.targets'],
  ['T', 'keys.threats', ['fibonacci']],
  ['L', 'keys.last'],
  ['O', 'keys.cell'],
  ['X, Shift+X', 'keys.scan'],
  ['?', 'keys.help'],
];

function help() {
  const ruleset = game?.ruleset;
  const family = GAMES.find(({ rulesets }) => ruleset !== undefined && rulesets.includes(ruleset));
  const keys = KEYS.filter(([, , games]) => games === undefined || games.includes(family?.game ?? ''));
  openDialog(
    t('game.keys'),
    html`<p>${t('keys.lead')}</p>
      <dl class="keys">${keys.map(([key, words]) => html`<div><dt><kbd>${key}</kbd></dt><dd>${t(words)}</dd></div>`)}</dl>`,
  );
}

/** @param {import('../ui/sound.js').Sound} name */
async function sound(name) {
  if (muted || sounds === null) return;
  (await sounds).play(name);
}

/** A browser lets a page sound only after somebody has touched it. */
function allowSound() {
  sounds ??= import('../ui/sound.js');
}

// --- Start ---

showHeader('game');
const line = openLine({
  onMessage: hear,
  onNews(told) {
    news = told;
    if (told === 'online') notice = null;
    draw([]);
  },
  renewSession: openSession,
  ready: openSession(),
});
if (id !== '') {
  line.follow(id, 0);
} else {
  missing = 'unknown';
  draw([]);
}
document.addEventListener('visibilitychange', drawTab);
document.addEventListener('pointerdown', allowSound, { once: true });
document.addEventListener('keydown', allowSound, { once: true });
// Before the board's own keys: when nothing is left to move, Enter on the board is for the turn.
byId('board').addEventListener(
  'keydown',
  (event) => {
    if (event.key !== 'Enter' || desk?.complete !== true) return;
    event.preventDefault();
    event.stopPropagation();
    if (!event.repeat) confirmTurn();
  },
  { capture: true },
);
