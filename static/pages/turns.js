// The games that wait for the visitor's turn, most urgent first.

import { createSmallBoard } from '../board/small-board.js';
import { endVacation, getVacation, untilAnswered } from '../connection/api.js';
import { serverTime } from '../connection/server-time.js';
import { leavesSession, openSession, sessionWorks } from '../connection/session.js';
import { openConnection } from '../connection/socket.js';
import { askTurns, whenTurnsChange } from '../header/ask-turns.js';
import { bottomIn } from '../lobby/lists.js';
import { readerOf, waitingRow } from '../lobby/waiting-row.js';
import { arrange, engagement } from '../ui/calm.js';
import { beginHeader } from '../ui/header.js';
import { announce, byId, momentOf, recall, t, wordsOf } from '../ui/page.js';
import { followTurns, keptTurns } from '../ui/waiting-games.js';
import { html, nothing, render } from '../vendor/lit-html@3.3.3/lit-html.js';
import { repeat } from '../vendor/lit-html@3.3.3/directives/repeat.js';

/** @import { GameSummary, Vacation } from '../protocol.js' */

const MINUTE_MS = 60_000;

const place = byId('games');
/** The games as they are now; null until that is known.
 * @type {GameSummary[] | null} */
let games = null;
/** The games that are shown: while the list is hovered or focused, they keep their places.
 * @type {GameSummary[]} */
let shown = [];
/** @type {Map<string, ReturnType<typeof createSmallBoard>>} */
let boards = new Map();
/** Number of the games that wait for the opponents. */
let theirs = 0;
/** The vacation that the visitor is on.
 * @type {Vacation['present']} */
let vacation = null;
/** @type {string | null} */
let trouble = null;
const isEngaged = engagement(place, () => draw());

/** @param {GameSummary} game */
function board(game) {
  const small = /** @type {ReturnType<typeof createSmallBoard>} */ (boards.get(game.id));
  small.show(game.position, bottomIn(game, readerOf(game)) === 'first');
  return small.element;
}

/** @param {boolean} [resting] whether the rows keep their places */
function draw(resting = isEngaged()) {
  const { rows, waiting } = arrange(shown, games ?? [], resting);
  shown = rows.map(({ item }) => item);
  boards = new Map(shown.map(({ id, ruleset }) => [id, boards.get(id) ?? createSmallBoard(ruleset)]));
  render(
    html`${trouble === null ? nothing : html`<p class="notice">${trouble}</p>`}
      ${vacation === null ? nothing : vacationLine(vacation.until_ms)}
      ${
        rows.length === 0
          ? games === null
            ? nothing
            : emptyWords()
          : html`<div class="panel-head">
                <span>${t('turns.waiting', { n: games?.length ?? 0 })}</span>
                ${waiting > 0 ? html`<button class="chip" @click=${flush}>${t('lobby.new_rows', { n: waiting })}</button>` : nothing}
              </div>
              <ul class="rows">${repeat(
                rows,
                ({ item }) => item.id,
                ({ item, gone }) => waitingRow(board, item, gone),
              )}</ul>`
      }
      ${games === null || (rows.length === 0 && theirs > 0) ? nothing : html`<p class="panel-foot"><a class="button quiet" href="/games?list=mine">${t('lobby.mine')}</a></p>`}`,
    place,
  );
}

/** Shows the list as it is. The button that was pressed goes, so the focus moves first. */
function flush() {
  place.focus();
  draw(false);
}

/** That no time runs, with the way to change it.
 * @param {number} untilMs
 */
const vacationLine = (untilMs) =>
  html`<p class="notice">${t('turns.vacation', { when: momentOf(untilMs) })}
    <button @click=${comeBack}>${t('turns.vacation_end')}</button></p>`;

/** Ends the vacation. The button goes, so the focus moves first. */
async function comeBack() {
  try {
    vacation = (await endVacation()).present;
    place.focus();
    announce(t('turns.vacation_over'));
    draw();
    ask();
  } catch (error) {
    showTrouble(error);
  }
}

async function lookForVacation() {
  vacation = (await untilAnswered(getVacation, console.info)).present;
  draw();
}

/** What to do when nothing waits. Only who has no game under way is told what the page is for. */
const emptyWords = () =>
  theirs > 0
    ? html`<div class="empty">
        <p>${t('turns.theirs', { n: theirs })}</p>
        <p class="panel-foot"><a class="button primary" href="/games?list=mine">${t('lobby.mine')}</a></p>
      </div>`
    : beginnersWords();

const beginnersWords = () =>
  html`<div class="empty">
    <p>${t('turns.none')}</p>
    <p>${t('turns.about')}</p>
    <p class="panel-foot">
      <a class="button primary" href="/">${t('page.to_lobby')}</a>
      <a class="button" href="/#computer">${t('bot.play')}</a>
    </p>
  </div>`;

/** @param {GameSummary[]} now */
function show(now) {
  const before = games?.map(({ id }) => id).join();
  games = now;
  theirs = keptTurns().theirs;
  trouble = null;
  draw();
  if (before !== undefined && before !== now.map(({ id }) => id).join())
    announce(
      t(now.length > 0 ? 'turns.waiting' : theirs > 0 ? 'turns.theirs' : 'turns.none', {
        n: now.length || theirs,
      }),
    );
}

let isAsking = false;

/** Asks for the list until it is there. A wish in the meantime has the same request repeated. */
async function ask() {
  if (isAsking) return askTurns().catch(() => {});
  isAsking = true;
  try {
    await untilAnswered(askTurns, showTrouble);
  } catch (error) {
    showTrouble(error);
  }
  isAsking = false;
}

/** @param {unknown} error */
function showTrouble(error) {
  trouble = wordsOf(error);
  draw();
}

/** Follows the list of a visitor who was here before. */
function follow() {
  followTurns((now) => {
    if (keptTurns().askedMs > 0) show(now);
  });
  whenTurnsChange(ask);
  ask();
  lookForVacation().catch(console.info);
  let wasAway = false;
  openConnection({
    onMessage() {},
    onNews(news) {
      if (news === 'online') sessionWorks();
      if (news === 'online' && wasAway) ask();
      wasAway = news !== 'online';
    },
    renewSession: openSession,
    leavesSession,
    ready: openSession(),
  });
  let minute = 0;
  // The words say how much time is left.
  setInterval(() => {
    const now = Math.floor(serverTime.now() / MINUTE_MS);
    if (now !== minute && games !== null) draw();
    minute = now;
  }, 1_000);
}

beginHeader();
// Nothing waits for a visitor who was never here, and looking makes no guest of them.
if (recall('name')) follow();
else show([]);
