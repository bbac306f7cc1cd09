// A game, from the open room to the result. Players and watchers have the same page; what differs is whose turn
// it is. All that is shown follows from the last thing that the server said and from the turn on my desk.

import { createBoard } from '../board/board.js';
import {
  fold,
  gameIdIn,
  otherSide,
  sideOf,
  stepsBetween,
  takenIn,
  turnLines,
  withDraft,
} from '../play/model.js';
import { keepInView, playerBar, reserveTray, strip, takenNotes, turnList } from '../play/panels.js';
import { deskOf, earlyEnd, takeSeat } from '../play/seat.js';
import { openSession } from '../net/api.js';
import { commandId, openLine } from '../net/socket.js';
import { announce, byId, icon, recall, remember, rulesetName, showHeader, t, wordsOf } from '../ui/page.js';
import { html, nothing, render } from '../vendor/lit-html@3.3.3/lit-html.js';

/** @import { ChatLine, LegalAction, Player, Seats, ServerMessage, Side, Step, Turn } from '../protocol.js' */
/** @import { Deal, Presence, Table } from '../live/table.js' */
/** @import { Game } from '../play/model.js' */
/** @import { Past } from '../play/past.js' */
/** @import { Desk, Nack } from '../play/seat.js' */
/** @import { Command, News } from '../net/socket.js' */
/** @import { Args } from '../i18n.js' */

/** A confirmation so soon after a step is the second half of a double tap. */
const SLIP_MS = 250;

/** Empty if the address names no game. */
const id = gameIdIn(location.pathname) ?? '';

/** @type {Player | null} */
let me = null;
/** @type {Game | null} */
let game = null;
/** When the server last told how the game stands, by the page's own time. */
let heardAt = 0;
/** @type {Presence | null} */
let presence = null;
let presenceAt = 0;
/** Lines of the chat that have not been shown yet.
 * @type {ChatLine[]} */
const lines = [];
/** Whether I am asked if I mean to leave. */
let leaving = false;
/** What is being settled beside the board.
 * @type {Set<string>} */
const settling = new Set();
let clockTimer = 0;
/** Whether only the making of a piece is offered of what is legal. */
let making = false;
/** What I have in hand on the board. */
let held = { reserve: false, jumps: 0 };
/** What the list of turns was last drawn from.
 * @type {unknown[]} */
let listed = [];
/** The earlier moment that is shown; null for now.
 * @type {Past | null} */
let past = null;
let stepAt = 0;
/** @type {{ text: string, rule: string | null, turn?: number } | null} */
let notice = null;
/** @type {News} */
let news = 'online';
/** @type {'unknown' | 'unreadable' | 'private' | null} */
let missing = null;
let busy = false;
let flipped = false;
let muted = recall('sound') === 'off';
/** @type {ReturnType<typeof createBoard> | null} */
let board = null;

// --- Parts that most visits do not need ---

/**
 * A part of the page that is loaded when it is first asked for; then the page is drawn again.
 *
 * @template Part
 * @param {() => Promise<Part>} load
 * @returns {() => Part | null}
 */
function later(load) {
  /** @type {Part | null} */
  let part = null;
  let isLoading = false;
  return () => {
    if (part === null && !isLoading) {
      isLoading = true;
      load()
        .then((loaded) => {
          part = loaded;
          draw([]);
        })
        .finally(() => {
          isLoading = false;
        });
    }
    return part;
  };
}

const roomPart = later(() => import('../play/room.js'));
const overPart = later(() => import('../play/over.js'));
const cardsPart = later(() => import('../play/cards.js'));
const tablePart = later(async () => {
  const part = await import('../live/table.js');
  return { ...part, attend: part.attendant(soundOnce) };
});
const logPart = later(() => import('../live/log.js'));
const toolsPart = later(async () => {
  const part = await import('../live/tools.js');
  part.followLooks(look);
  return part;
});
const chatPart = later(async () => {
  const { openChat } = await import('../live/chat.js');
  return openChat({ id, element: byId('chat'), say });
});
const noticesPart = later(async () => {
  const { openNotices } = await import('../live/notices.js');
  return openNotices({ id, changed: () => draw([]) });
});
/** @type {Promise<typeof import('../ui/sound.js')> | null} */
let sounds = null;

// --- What is so ---

const mySide = () => (game === null ? null : sideOf(game, me));
const isMyTurn = () => game?.present.status === 'playing' && game.present.turn.side === mySide();
/** The side shown at the bottom: mine, or the second, whose pieces the texts have there. */
const bottomSide = () => (flipped ? otherSide(mySide() ?? 'second') : (mySide() ?? 'second'));
/** Whether what I do now can reach the server. */
const canAct = () =>
  past === null &&
  seat.desk !== null &&
  seat.sending === null &&
  news !== 'offline' &&
  news !== 'misuse' &&
  news !== 'reload';

/** The turn under way: mine from my desk, the other's as far as the draft goes.
 * @param {Game} of
 * @returns {{ turn: Turn, steps: Step[] }}
 */
function turnNow(of) {
  const shown = seat.desk ?? deskOf(of.present.turn, of.present.status === 'playing' ? of.draft : null);
  return { turn: shown.turn, steps: shown.steps };
}

/** @param {Seats | null} seats
 * @param {Side} side */
const nameOf = (seats, side) => seats?.[side].name ?? t('game.free_seat');

/** The game as it is at this moment, with what is beside its board.
 * @param {Game} of
 * @returns {Table}
 */
function tableOf(of) {
  const now = performance.now();
  return { game: of, mine: mySide(), sinceMs: now - heardAt, presence, presenceMs: now - presenceAt };
}

// --- What I do ---

/** @param {LegalAction} action
 * @param {'drawn' | 'typed'} how */
function take(action, how) {
  if (!canAct()) return;
  if (action.kind === 'end') return confirmTurn();
  notice = null;
  making = false;
  stepAt = performance.now();
  seat.take(action, how);
  sound(action.kind === 'swap' || action.kind === 'switch' ? 'swap' : 'move');
  const allowance = seat.desk?.turn.allowance ?? null;
  if (allowance !== null) announce(t('say.left', { n: allowance.left }));
  draw([]);
}

/** @param {number} count the steps that stay */
function takeBackTo(count) {
  if (seat.desk === null || seat.desk.steps.length === 0 || !canAct()) return;
  notice = null;
  seat.takeBackTo(count);
  const { allowance } = seat.desk.turn;
  announce(allowance === null ? t('say.undone_all') : t('say.undone', { n: allowance.left }));
  draw([]);
}

/** Takes back the last jump of a capture on its way, or else the last action. */
function undo() {
  if (!board?.back()) takeBackTo((seat.desk?.steps.length ?? 0) - 1);
}

function restart() {
  board?.pick(null);
  takeBackTo(0);
}

/** Sends the turn, ended early if moves are left. */
function confirmTurn() {
  if (!canAct() || performance.now() - stepAt < SLIP_MS) return;
  notice = null;
  seat.confirm();
}

/** @param {'resign' | 'abort'} how */
function leave(how) {
  if (seat.sending !== null) return explain('status.asking');
  leaving = false;
  seat.leave(how);
}

/** Settles something with the other side. The same again, before there is an answer, asks for nothing more.
 * @param {Deal} what
 */
async function deal(what) {
  const name = JSON.stringify(what);
  if (settling.has(name)) return;
  settling.add(name);
  notice = null;
  const answer = await say({ ...what, command: commandId(), game: id });
  settling.delete(name);
  if (answer?.type === 'nack') refused(answer);
  draw([]);
}

/** Says a command. An answer shows that what was busy is no longer so.
 * @param {Command} command
 */
async function say(command) {
  const answer = await line.command(command);
  if (answer !== null && (news === 'busy' || news === 'unavailable')) news = 'online';
  return answer;
}

/** Says why the server refused. If it knows more than this page, the page asks for that.
 * @param {Nack} nack
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
  if (seat.desk !== null && news === 'offline') return explain('status.offline');
  if (seat.isAsking) return explain('status.asking');
  if (seat.desk?.unlisted) return explain('refusal.too_many');
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
    case 'presence':
      if (message.game !== id) return;
      presence = message;
      presenceAt = performance.now();
      break;
    case 'chat':
      if (message.game === id) lines.push(...message.lines);
      break;
    case 'snapshot':
    case 'events':
      if (message.game === id) learn(message);
      return;
    case 'draft':
      if (message.game === id && game !== null) {
        const before = turnNow(game).steps;
        game = withDraft(game, message);
        seat.learn(game, isMyTurn());
        draw(stepsBetween(before, turnNow(game).steps));
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
  const before = game;
  const next = fold(before, message);
  if (next === null) {
    line.follow(id, 0);
    return;
  }
  const seen = before === null ? [] : turnNow(before).steps;
  const wasSeated = mySide() !== null;
  game = next;
  heardAt = performance.now();
  missing = null;
  if (news === 'busy') news = 'online';
  if (before?.since !== next.since || before.present.status !== next.present.status) {
    leaving = false;
    making = false;
  }
  seat.learn(next, isMyTurn());
  // Players have a chat of their own, which they are told when they come.
  if (before !== null && !wasSeated && mySide() !== null) {
    lines.length = 0;
    line.follow(id, next.version);
  }
  if (before !== null && before.version !== next.version) tell(before, next);
  // What a watcher has seen as a draft is not played once more.
  const played = next.turns.filter(({ version }) => version > (before?.version ?? 0));
  draw(
    before === null
      ? []
      : stepsBetween(
          seen,
          played.flatMap(({ steps }) => steps),
        ),
  );
}

/** Says what has happened since, in one go, and follows the players to their next game.
 * @param {Game} before
 * @param {Game} now
 */
async function tell(before, now) {
  const { newsBetween } = await import('../play/news.js');
  const { words, call, tone, rematch } = newsBetween(before, now, me);
  if (rematch !== null && (mySide() !== null || !chatPart()?.isWriting)) location.assign(`/game/${rematch}`);
  if (words !== '') announce(words, call === null ? 'polite' : 'assertive');
  if (tone !== null) soundOnce(tone, call === 'turn' || call === 'start' ? '' : `${now.version}`);
}

/** @param {Extract<ServerMessage, { type: 'error' }>} why */
function fault(why) {
  switch (why.code) {
    case 'unknown_game':
      missing = 'unknown';
      break;
    case 'private':
      missing = 'private';
      game = null;
      break;
    case 'unavailable':
      if (game === null) missing = 'unreadable';
      break;
    case 'wrong_protocol':
    case 'too_fast':
    case 'no_more_watchers':
      break;
    default:
      notice = { text: t('fault.other', { code: why.code }), rule: null };
      announce(notice.text, 'assertive');
  }
}

/** Does what takes a request, and says so if it fails.
 * @param {() => Promise<unknown>} work
 */
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

// --- Drawing ---

/** @param {Step[]} animate the steps that lead here from what was shown before */
function draw(animate) {
  const focused = document.activeElement;
  if (game === null) drawNothing();
  else drawGame(game);
  drawLine();
  if (game !== null) drawBoard(game, animate);
  if (focused !== null && !focused.isConnected) byId('status').focus();
}

function drawNothing() {
  if (missing === null) return;
  document.body.classList.add('missing');
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
  const { turn, steps } = past ?? turnNow(of);
  const isPlaying = of.present.status === 'playing';
  drawBeside();
  render(html`${statusPanel(of)} ${noticePanel(of)}`, byId('status'));
  const cards = turn.cards && cardsPart()?.cardsPanel(of.ruleset, turn.cards, of.seedHash);
  render(isPlaying ? html`${strip(of.ruleset, turn, mine)} ${cards}` : nothing, byId('strip'));
  byId('strip').classList.toggle('waiting', seat.isAsking);
  render(actionBar(of, mine, steps), byId('actions'));
  const tools = { flip, muted, mute, help, deal, leaving, askToLeave, leave, stay, seat, take, explain };
  render(toolsPart()?.toolBar(tableOf(of), tools, noticesPart()?.button()), byId('tools'));
  drawTurns(of);
  noticesPart()?.show(of, me);
  if (of.seats === null) return;
  const chat = chatPart();
  chat?.enter(me, mine !== null);
  chat?.hear(lines.splice(0));
}

/** What changes as time goes by; it is drawn anew when it does. */
function drawBeside() {
  if (game === null) return;
  const of = game;
  const table = tableOf(of);
  const part = tablePart();
  const bottom = bottomSide();
  render(bar(of, table, otherSide(bottom)), byId('bar-top'));
  render(bar(of, table, bottom), byId('bar-bottom'));
  const names = of.seats && t('game.pair', { first: of.seats.first.name, second: of.seats.second.name });
  const lead = [t('game.turn', { n: of.present.turn.number }), ...(part?.leadWords(table) ?? [])];
  render(
    html`<h1>${rulesetName(of.ruleset)}<span class="sr">${names === null ? '' : `, ${names}`}</span></h1>
      <p class="lead">${lead.join(' · ')} · <a href=${`/rules/${of.ruleset}`}>${t('page.rules')}</a></p>`,
    byId('heading'),
  );
  render(
    part?.remarks(table).map((words) => html`<p>${words}</p>`),
    byId('remarks'),
  );
  render(part?.dealingsPanel(table, deal), byId('offers'));
  clearTimeout(clockTimer);
  const inMs = part?.attend(table) ?? null;
  if (inMs !== null) clockTimer = window.setTimeout(drawBeside, inMs);
}

/** The bar of a player.
 * @param {Game} of
 * @param {Table} table
 * @param {Side} side
 */
function bar(of, table, side) {
  const { ruleset, seats, present } = of;
  const { turn, steps } = turnNow(of);
  const isPlaying = present.status === 'playing';
  const taken =
    past?.moment.taken ?? takenIn([...of.turns, { side: turn.side, steps: isPlaying ? steps : [] }]);
  const part = tablePart();
  return playerBar({
    ...{ ruleset, side, name: seats === null ? roomSeat(of, side) : seats[side].name },
    toMove: isPlaying && present.turn.side === side,
    notes: [...(seats !== null && side === mySide() ? [t('game.you')] : []), ...takenNotes(taken[side])],
    ...{
      presence: part?.presenceOf(table, side),
      tray: tray(of, past?.turn ?? turn, side),
      clock: part?.clockOf(table, side),
    },
  });
}

/** The turns change only with the version, and in a long game there are many.
 * @param {Game} of
 */
function drawTurns(of) {
  const log = of.notes.length === 0 ? null : logPart();
  const tools = toolsPart();
  const isNow = past === null;
  const drawn = [of.version, past?.moment, log, tools];
  if (drawn.every((one, index) => one === listed[index])) return;
  listed = drawn;
  const lines = turnLines(of.turns, of.present.status === 'playing' ? of.present.turn.number : undefined);
  const notes = log?.noteLines(of);
  const isEmpty = lines.length === 0 && of.notes.length === 0;
  render(
    html`<div class="turns-head"><h2 id="turns-title">${t('game.turns')}</h2> ${lines.length === 0 ? nothing : tools?.walkBar(look, isNow)}</div>
      ${isEmpty ? html`<p class="empty">${t('game.no_turns')}</p>` : turnList({ ruleset: of.ruleset, lines, notes, base: `/replay/${id}`, current: past?.moment })}`,
    byId('turns'),
  );
  keepInView(byId('turns'), byId('turns').querySelector(isNow ? 'li:last-child' : '[aria-current]'));
}

/** The reserve of a side, to press if the side is mine and can drop.
 * @param {Game} of
 * @param {Turn} turn
 * @param {Side} side
 */
function tray(of, { reserves }, side) {
  if (reserves === null) return nothing;
  const canDrop =
    past === null && side === mySide() && (seat.desk?.legal ?? []).some(({ kind }) => kind === 'drop');
  return reserveTray({
    ...{ ruleset: of.ruleset, side, men: reserves[side] },
    ...(canDrop ? { picked: held.reserve, press: () => board?.pickReserve(!held.reserve) } : {}),
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
  if (past !== null) return past.panel(isMyTurn(), () => look('End'));
  const { present, seats } = of;
  switch (present.status) {
    case 'open':
      return roomPart()?.roomPanel({ game: of, me, busy, attempt, explain });
    case 'cancelled':
      return html`<h2>${t('room.cancelled')}</h2>
        <p><a class="button" href="/">${t('page.to_lobby')}</a></p>`;
    case 'finished': {
      if (seats === null) return nothing;
      const { outcome } = present;
      return overPart()?.overPanel({ game: of, seats, outcome, mine: mySide(), busy, attempt, deal });
    }
    case 'aborted':
      return overPart()?.abortedPanel({ game: of, mine: mySide(), busy, attempt });
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
  const { desk } = seat;
  if (desk === null) {
    return mySide() === null ? t('status.watching') : t(wasSkipped ? 'status.skipped_you' : 'status.wait');
  }
  if (news === 'offline') return t('status.offline');
  if (seat.sending === 'turn') return t('status.sending');
  const { allowance } = desk.turn;
  if (allowance === null && desk.steps.length > 0) return t('status.confirm_one');
  if (desk.complete) return t('status.confirm');
  if (desk.unlisted) return t('refusal.too_many');
  if (desk.legal === null && !seat.isAsking) return t('status.asking');
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
  const { desk, isAsking } = seat;
  const canUndo = canAct() && (steps.length > 0 || held.jumps > 0);
  const end = desk === null ? undefined : earlyEnd(desk);
  const canConfirm = canAct() && !isAsking && (desk?.complete === true || end !== undefined);
  const left = desk?.turn.allowance?.left ?? 0;
  const canMake = desk?.turn.owed?.must === false && (desk.legal ?? []).some(({ kind }) => kind === 'make');
  const mustCapture = !making && (desk?.bestCapture ?? null) !== null;
  return html`${mustCapture ? html`<button class="quiet" title=${t('game.show_captures')} @click=${() => board?.showCapture()}>${icon('eye')} <span>${t('game.show_captures')}</span></button>` : nothing}
    ${canMake ? html`<button aria-pressed=${making} @click=${makeInstead}>${icon('stack')} <span>${t('game.make')}</span></button>` : nothing}
    <button class="quiet" title=${t('game.undo_long')} aria-disabled=${!canUndo} @click=${undo}>${icon('undo')} <span>${t('game.undo')}</span></button>
    <button class="quiet" title=${t('game.restart_long')} aria-disabled=${!canUndo} @click=${restart}>${icon('restart')} <span>${t('game.restart')}</span></button>
    <button class=${end === undefined ? 'primary confirm' : 'confirm'} aria-disabled=${!canConfirm} @click=${confirmTurn}>
      ${icon('check')} <span>${end === undefined ? t('game.confirm') : t('game.end_early', { n: left })}</span></button>`;
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
      onAction: (action) => take(action, 'drawn'),
      onUndo: undo,
      onRestart: restart,
      onHelp: help,
      onExplain: explainPress,
      onHold(now) {
        held = now;
        if (game !== null) drawGame(game);
      },
    });
    board.ready.catch(() => explain('game.no_board'));
  }
  const { desk } = seat;
  board.setFlipped(bottomSide() === 'first');
  document.body.classList.toggle('past', past !== null);
  if (past !== null) return board.show(past.board);
  const { turn, steps } = turnNow(of);
  // It has moved its piece itself, and where all stands then the answer will tell.
  if (desk?.ahead === 'drawn') return;
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

// --- Tools ---

/** Shows another moment of the game, to look at.
 * @param {string} where
 */
async function look(where) {
  const { lookFrom } = await import('../play/past.js');
  if (game === null) return;
  if (seat.desk?.ahead) return explain('status.asking');
  board?.pick(null);
  past = lookFrom(game, past, where);
  draw([]);
}

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

function askToLeave() {
  leaving = true;
  draw([]);
  byId('leave-no').focus();
}

function stay() {
  leaving = false;
  draw([]);
  byId('leave').focus();
}

function makeInstead() {
  making = !making;
  draw([]);
}

async function help() {
  if (game === null) return;
  const { ruleset } = game;
  (await import('../play/keys.js')).showKeys(ruleset);
}

/** @param {import('../ui/sound.js').Sound} name */
async function sound(name) {
  if (!muted) (await sounds)?.play(name);
}

/** Plays what every tab of mine hears of, in one of them.
 * @param {import('../ui/sound.js').Sound} name
 * @param {string} what tells it from other occasions of the same turn
 */
async function soundOnce(name, what) {
  if (!muted) (await sounds)?.playOnce(name, `${id} ${game?.present.turn.number} ${what}`);
}

/** A browser lets a page sound only after somebody has touched it. */
function allowSound() {
  sounds ??= import('../ui/sound.js');
}

// --- Start ---

showHeader('game');
const seat = takeSeat({
  ...{ id, command: say, follow: (version) => line.follow(id, version) },
  ...{ refused, changed: draw },
});
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
document.addEventListener('visibilitychange', drawBeside);
document.addEventListener('pointerdown', allowSound, { once: true });
document.addEventListener('keydown', allowSound, { once: true });
// Before the board's own keys: when nothing is left to move, Enter on the board is for the turn.
byId('board').addEventListener(
  'keydown',
  (event) => {
    if (event.key !== 'Enter' || seat.desk?.complete !== true) return;
    event.preventDefault();
    event.stopPropagation();
    if (!event.repeat) confirmTurn();
  },
  { capture: true },
);
