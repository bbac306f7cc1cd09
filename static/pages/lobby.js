// The lobby: open rooms, my games, live games, finished games, and the dialog that makes a room.

import { html, nothing, render } from '../vendor/lit-html@3.3.3/lit-html.js';
import { cancelRoom, createRoom, joinRoom, listGames, openSession, rename } from '../net/api.js';
import { openLine } from '../net/socket.js';
import { arrange, engagement } from '../ui/calm.js';
import { openDialog } from '../ui/dialog.js';
import {
  GAMES,
  announce,
  byId,
  isSame,
  language,
  recall,
  remember,
  resultWords,
  rulesetName,
  seatWords,
  showHeader,
  sideName,
  t,
  troubleOf,
  wordsOf,
} from '../ui/page.js';

/** @import { GameSummary, NewRoom, Player, Ruleset, ServerMessage, Side } from '../protocol.js' */
/** @import { TemplateResult } from '../vendor/lit-html@3.3.3/lit-html.js' */
/** @import { News } from '../net/socket.js' */

/** The unfinished games of mine that are followed for their turns. More than that nobody plays at once. */
const FOLLOWED = 24;
const PAGE = 10;
const RULESETS = GAMES.flatMap(({ rulesets }) => rulesets);

/** @type {Player | null} */
let me = null;
/** @type {Map<string, GameSummary>} */
const rooms = new Map();
/** @type {Map<string, GameSummary>} */
const live = new Map();
/** @type {Map<string, GameSummary>} */
const mine = new Map();
/** @type {GameSummary[]} */
let finished = [];
/** @type {string | null} */
let nextFinished = null;
/** Nothing is shown of the lists before all are there: they would push each other about. */
let heard = false;
let listed = false;
let listing = false;
/** Why the last request of the lists had no success.
 * @type {string | null} */
let listTrouble = null;
/** @type {string | null} */
let busy = null;
/** @type {string | null} */
let trouble = null;
/** @type {News} */
let news = 'online';
/** The only ruleset that the lists show, or null if they show all.
 * @type {Ruleset | null}
 */
let only = RULESETS.find((name) => name === recall('only')) ?? null;

// --- Lists ---

/** @param {GameSummary} game */
const isWanted = ({ ruleset }) => only === null || only === ruleset;

/** @param {GameSummary} game
 * @returns {Side | null} */
function mySide(game) {
  if (game.seats === null) return null;
  if (isSame(me, game.seats.first)) return 'first';
  return isSame(me, game.seats.second) ? 'second' : null;
}

/** @param {GameSummary} game */
const isMine = (game) => isSame(me, game.creator) || mySide(game) !== null;

/** @param {GameSummary} game */
const isMyTurn = (game) => game.status === 'playing' && game.to_move === mySide(game);

/** Own rooms first, then the newest.
 * @returns {GameSummary[]} */
function openRooms() {
  const own = [...mine.values()].filter(({ status }) => status === 'open');
  const all = new Map([...own, ...rooms.values()].map((room) => [room.id, room]));
  const shown = [...all.values()].filter((room) => isMine(room) || isWanted(room));
  return shown.sort((a, b) => Number(isMine(b)) - Number(isMine(a)) || b.created_ms - a.created_ms);
}

/** Those that wait for me first, then those that moved last.
 * @returns {GameSummary[]} */
function myGames() {
  return [...mine.values()]
    .filter(({ status }) => status === 'playing')
    .sort((a, b) => Number(isMyTurn(b)) - Number(isMyTurn(a)) || b.updated_ms - a.updated_ms);
}

/** @returns {GameSummary[]} */
function liveGames() {
  return [...live.values()]
    .filter((game) => !isMine(game) && isWanted(game))
    .sort((a, b) => b.updated_ms - a.updated_ms);
}

/** Whether somebody is at a section, by its id.
 * @type {Map<string, () => boolean>} */
const engaged = new Map();

/**
 * A section of the page that shows a list and lets it rest while somebody is at it.
 *
 * @param {string} id
 * @param {() => GameSummary[]} wanted
 * @param {(game: GameSummary, gone: boolean) => TemplateResult} row
 * @param {() => TemplateResult | typeof nothing} foot what follows the list, or stands for it if it is empty
 * @param {string} [below] the section under it, which must not be pushed about either
 */
function section(id, wanted, row, foot, below = '') {
  const element = byId(id);
  /** @type {GameSummary[]} */
  let shown = [];
  const isEngaged = engagement(element, drawLists);
  engaged.set(id, isEngaged);

  /** @param {boolean} resting */
  function drawAs(resting) {
    const { rows, waiting } = arrange(shown, wanted(), resting);
    shown = rows.map(({ item }) => item);
    const chip = html`<button class="chip" @click=${flush}>${t('lobby.new_rows', { n: waiting })}</button>`;
    render(
      html`<div class="section-head">
          <h2 id=${`${id}-title`} tabindex="-1">${t(`lobby.${id}`)}</h2>
          ${waiting > 0 ? chip : nothing}
        </div>
        ${rows.length > 0 ? html`<ul class="rows">${rows.map(({ item, gone }) => row(item, gone))}</ul>` : nothing}
        ${foot()}`,
      element,
    );
  }

  function flush() {
    drawAs(false);
    byId(`${id}-title`).focus();
  }

  return () => drawAs(isEngaged() || (engaged.get(below)?.() ?? false));
}

/** @param {GameSummary} game */
const seatsText = ({ seats }) =>
  seats === null ? '' : t('game.pair', { first: seats.first.name, second: seats.second.name });

const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' });
const MINUTE_MS = 60_000;

/** How long ago something was, in words.
 * @param {number} atMs
 * @returns {string}
 */
function ago(atMs) {
  const minutes = Math.max(0, Math.round((Date.now() - atMs) / MINUTE_MS));
  if (minutes < 1) return t('time.now');
  if (minutes < 60) return relative.format(-minutes, 'minute');
  if (minutes < 24 * 60) return relative.format(-Math.round(minutes / 60), 'hour');
  return relative.format(-Math.round(minutes / (24 * 60)), 'day');
}

/** @param {GameSummary} room
 * @param {boolean} gone */
function roomRow(room, gone) {
  const own = isMine(room);
  const away = gone || busy === room.id;
  /** @type {Record<string, string>} */
  const other = { first: 'second', second: 'first', random: 'random' };
  const seat = own ? room.seat : other[room.seat];
  return html`<li class=${gone ? 'row gone' : own ? 'row own' : 'row'}>
    <div class="what">
      <strong>${own ? t('lobby.your_room') : room.creator.name}</strong>
      <span>${rulesetName(room.ruleset)}</span>
      <small>${seatWords(room.ruleset, seat)} · ${own && room.visibility === 'link' ? t('lobby.by_link') : ago(room.created_ms)}</small>
    </div>
    ${
      own
        ? html`<button class="quiet" ?disabled=${away} @click=${() => cancel(room)}>${t('lobby.cancel')}</button>
            <a class="button" href=${`/game/${room.id}`}>${t('lobby.enter')}</a>`
        : html`<button class="primary" ?disabled=${away} aria-label=${t('lobby.join_named', { name: room.creator.name })}
            @click=${() => join(room)}>${gone ? t('lobby.gone') : t('lobby.join')}</button>`
    }
  </li>`;
}

/** @param {GameSummary} game
 * @param {boolean} gone */
function myRow(game, gone) {
  const side = mySide(game);
  const turn = isMyTurn(game);
  const opponent = side === null ? null : game.seats?.[side === 'first' ? 'second' : 'first'];
  return html`<li class=${gone ? 'row gone' : turn ? 'row turn' : 'row'}>
    <a class="cover" href=${`/game/${game.id}`}>
      <strong>${t('lobby.against', { name: opponent?.name ?? '' })}</strong>
      <span>${rulesetName(game.ruleset)}</span>
      <small>${t('game.turn', { n: game.turn })} · ${ago(game.updated_ms)}</small>
    </a>
    <span class=${turn ? 'tag now' : 'tag'}>${turn ? t('lobby.your_turn') : t('lobby.their_turn')}</span>
  </li>`;
}

/** @param {GameSummary} game
 * @param {boolean} gone */
function liveRow(game, gone) {
  return html`<li class=${gone ? 'row gone' : 'row'}>
    <a class="cover" href=${`/game/${game.id}`}>
      <strong>${seatsText(game)}</strong>
      <span>${rulesetName(game.ruleset)}</span>
      <small>${t('game.turn', { n: game.turn })} · ${t('lobby.to_move', { side: sideName(game.ruleset, game.to_move) })}</small>
    </a>
    <span class="tag">${gone ? t('lobby.over') : t('lobby.watch')}</span>
  </li>`;
}

/** @param {GameSummary} game
 * @param {boolean} gone */
function finishedRow(game, gone) {
  const { outcome, seats } = game;
  const words = outcome && seats ? resultWords(game.ruleset, outcome, seats, mySide(game)) : null;
  return html`<li class=${gone ? 'row gone' : 'row'}>
    <a class="cover" href=${`/replay/${game.id}`}>
      <strong>${seatsText(game)}</strong>
      <span>${rulesetName(game.ruleset)}</span>
      <small>${words?.title} · ${ago(game.updated_ms)}</small>
    </a>
    <span class="tag">${t('lobby.replay')}</span>
  </li>`;
}

const createButton = () =>
  html`<button class="primary big" @click=${openCreate}>${t('lobby.create')}</button>`;

const drawRooms = section('rooms', openRooms, roomRow, () =>
  openRooms().length > 0 ? nothing : html`<p class="empty">${t('lobby.no_rooms')}</p>`,
);
const drawMine = section('mine', myGames, myRow, () => nothing);
const drawLive = section(
  'live',
  liveGames,
  liveRow,
  () => (liveGames().length > 0 ? nothing : html`<p class="empty">${t('lobby.no_live')}</p>`),
  'finished',
);
const drawFinished = section(
  'finished',
  () => finished.filter(isWanted),
  finishedRow,
  () =>
    html`${finished.some(isWanted) ? nothing : html`<p class="empty">${t('lobby.no_finished')}</p>`}
      ${nextFinished === null ? nothing : html`<button class="quiet" @click=${moreFinished}>${t('lobby.more')}</button>`}
      <a class="button quiet" href="/import">${t('lobby.import')}</a>`,
);

function draw() {
  const waiting = myGames().filter(isMyTurn).length;
  document.title = waiting > 0 ? t('lobby.title_turns', { n: waiting }) : t('lobby.title');
  render(
    html`<h1>${t('lobby.heading')}</h1>
      <p class="lead">${t('lobby.lead')}</p>
      <div class="hero-actions">
        ${createButton()}
        <p class="me">
          ${
            me === null
              ? nothing
              : html`<span>${t('lobby.you_are')} <strong>${me.name}</strong></span>
                <button class="quiet" @click=${openRename}>${t('lobby.rename')}</button>`
          }
        </p>
        <label class="filter">${t('lobby.show')}
          <select @change=${choose}>
            <option value="">${t('lobby.all_games')}</option>
            ${GAMES.map(
              ({ game, rulesets }) =>
                html`<optgroup label=${t(`family.${game}`)}>
                  ${rulesets.map((name) => html`<option value=${name} ?selected=${name === only}>${rulesetName(name)}</option>`)}
                </optgroup>`,
            )}
          </select>
        </label>
      </div>`,
    byId('hero'),
  );
  const line = news === 'online' || news === 'busy' || news === 'unavailable' ? null : news;
  render(
    html`${line === null ? nothing : html`<p class="notice">${t(`line.${line}`)} ${line === 'reload' ? reloadButton() : nothing}</p>`}
      ${[listTrouble, trouble].map((words) => (words === null ? nothing : html`<p class="notice">${words}</p>`))}`,
    byId('notices'),
  );
  drawLists();
}

function drawLists() {
  if (!heard || !listed) return;
  byId('mine').hidden = myGames().length === 0;
  for (const drawSection of [drawRooms, drawMine, drawLive, drawFinished]) drawSection();
}

const reloadButton = () =>
  html`<button @click=${() => location.reload()}>${t('line.reload_button')}</button>`;

// --- What people do ---

/** @param {Event} event */
function choose(event) {
  const { value } = /** @type {HTMLSelectElement} */ (event.target);
  only = RULESETS.find((name) => name === value) ?? null;
  remember('only', value);
  drawLists();
}

/** Does what takes a request, and says so if it fails.
 * @param {string} id the game that it is about
 * @param {() => Promise<void>} work
 */
async function attempt(id, work) {
  busy = id;
  trouble = null;
  draw();
  try {
    await work();
  } catch (error) {
    trouble = wordsOf(error);
    announce(trouble, 'assertive');
  }
  busy = null;
  draw();
}

/** @param {GameSummary} room */
const join = (room) =>
  attempt(room.id, async () => {
    const game = await joinRoom(room.id);
    location.assign(`/game/${game.id}`);
  });

/** @param {GameSummary} room */
const cancel = (room) =>
  attempt(room.id, async () => {
    await cancelRoom(room.id);
    rooms.delete(room.id);
    mine.delete(room.id);
    announce(t('lobby.cancelled'));
    byId('rooms-title').focus();
  });

const SEATS = /** @type {const} */ (['random', 'first', 'second']);
const VISIBILITIES = /** @type {const} */ (['public', 'link']);

/** The choices of the last room that was made here.
 * @returns {NewRoom} */
function lastRoom() {
  /** @type {Partial<NewRoom>} */
  let kept = {};
  try {
    kept = JSON.parse(recall('room') ?? '{}');
  } catch {
    // Not ours, or of another time.
  }
  return {
    ruleset: RULESETS.find((name) => name === kept.ruleset) ?? 'fibonacci',
    seat: SEATS.find((name) => name === kept.seat) ?? 'random',
    visibility: VISIBILITIES.find((name) => name === kept.visibility) ?? 'public',
  };
}

/**
 * @param {string} name
 * @param {readonly { value: string, title: string, hint: string }[]} values
 * @param {string} chosen
 */
const choices = (name, values, chosen) =>
  values.map(
    ({ value, title, hint }) => html`<label class="choice">
      <input type="radio" name=${name} value=${value} ?checked=${value === chosen} />
      <span><strong>${title}</strong> <small>${hint}</small></span>
    </label>`,
  );

/** The colour of a seat in a ruleset, or that it is drawn by lot.
 * @param {Ruleset} ruleset
 * @param {NewRoom['seat']} seat
 */
const seatTitle = (ruleset, seat) => (seat === 'random' ? t('create.seat_random') : sideName(ruleset, seat));

function openCreate() {
  const last = lastRoom();
  let { ruleset } = last;
  const dialog = openDialog(t('lobby.create'), html`<div id="create"></div>`);
  drawForm();

  function drawForm() {
    const seats = SEATS.map((value) => ({
      value,
      title: seatTitle(ruleset, value),
      hint: t(`create.seat_${value}_hint`),
    }));
    const visibilities = VISIBILITIES.map((value) => ({
      value,
      title: t(`create.visibility_${value}`),
      hint: t(`create.visibility_${value}_hint`),
    }));
    render(
      html`<form @submit=${submit} @change=${changed}>
        <fieldset>
          <legend>${t('create.ruleset')}</legend>
          ${GAMES.map(
            ({ game, rulesets }) => html`<div class="family" role="group" aria-labelledby=${`family-${game}`}>
              <p id=${`family-${game}`}>${t(`family.${game}`)}</p>
              ${choices(
                'ruleset',
                rulesets.map((value) => ({
                  value,
                  title: t(`create.ruleset_${value}`),
                  hint: t(`create.ruleset_${value}_hint`),
                })),
                last.ruleset,
              )}
            </div>`,
          )}
        </fieldset>
        <fieldset><legend>${t('create.seat')}</legend>${choices('seat', seats, last.seat)}</fieldset>
        <fieldset><legend>${t('create.visibility')}</legend>${choices('visibility', visibilities, last.visibility)}</fieldset>
        <details class="more">
          <summary>${t('create.start')}</summary>
          <label class="field">${t('create.start_label')}
            <input name="start" autocomplete="off" autocapitalize="off" spellcheck="false" aria-describedby="start-hint" />
          </label>
          <small id="start-hint">${t('create.start_hint')}</small>
        </details>
        <p class="error" role="alert"></p>
        <button class="primary big">${t('create.submit')}</button>
      </form>`,
      byId('create'),
    );
  }

  /** The sides have other colours in another game.
   * @param {Event} event
   */
  function changed(event) {
    const { name, value } = /** @type {HTMLInputElement} */ (event.target);
    if (name !== 'ruleset') return;
    ruleset = RULESETS.find((known) => known === value) ?? ruleset;
    drawForm();
  }

  /** @param {SubmitEvent} event */
  async function submit(event) {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.target);
    const { start, ...room } = /** @type {NewRoom & { start: string }} */ (
      Object.fromEntries(new FormData(form))
    );
    remember('room', JSON.stringify(room));
    const text = start.trim();
    await submitted(dialog, form, async () => {
      const game = await createRoom(text === '' ? room : { ...room, start: text });
      location.assign(`/game/${game.id}`);
    });
  }
}

function openRename() {
  const dialog = openDialog(
    t('lobby.rename'),
    html`<form @submit=${submit}>
      <label class="field">${t('rename.label')}
        <input name="name" required maxlength="24" autocomplete="nickname" value=${me?.name ?? ''} />
      </label>
      <p class="error" role="alert"></p>
      <button class="primary">${t('rename.submit')}</button>
    </form>`,
  );

  /** @param {SubmitEvent} event */
  async function submit(event) {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.target);
    const name = String(new FormData(form).get('name')).trim().replace(/\s+/g, ' ');
    await submitted(dialog, form, async () => {
      me = (await rename({ name })).player;
      dialog.close();
      announce(t('rename.done', { name: me.name }));
      draw();
    });
  }
}

/** Does a form's work once, and shows in the form why it failed.
 * @param {HTMLDialogElement} dialog
 * @param {HTMLFormElement} form
 * @param {() => Promise<void>} work
 */
async function submitted(dialog, form, work) {
  const button = /** @type {HTMLButtonElement} */ (form.querySelector('button'));
  const error = /** @type {HTMLElement} */ (dialog.querySelector('.error'));
  button.disabled = true;
  render(nothing, error);
  try {
    await work();
  } catch (cause) {
    render(troubleOf(cause), error);
    error.scrollIntoView({ block: 'nearest' });
  }
  button.disabled = false;
}

async function moreFinished() {
  await attempt('finished', async () => {
    const page = await listGames('finished', nextFinished, PAGE);
    const known = new Set(finished.map(({ id }) => id));
    finished = [...finished, ...page.games.filter(({ id }) => !known.has(id))];
    nextFinished = page.next;
  });
}

// --- What the server says ---

/** Puts a game where it belongs now.
 * @param {GameSummary} game
 */
function place(game) {
  rooms.delete(game.id);
  live.delete(game.id);
  if (game.visibility === 'public' && game.status === 'open') rooms.set(game.id, game);
  if (game.visibility === 'public' && game.status === 'playing') live.set(game.id, game);
  if (isMine(game)) placeMine(game);
  const isNew = !finished.some(({ id }) => id === game.id);
  if (game.visibility === 'public' && game.status === 'finished' && isNew) finished = [game, ...finished];
}

/** @param {GameSummary} game */
function placeMine(game) {
  const before = mine.get(game.id);
  if (before !== undefined && before.version > game.version) return;
  const over = game.status === 'finished' || game.status === 'cancelled';
  if (over) {
    mine.delete(game.id);
    line.unfollow(game.id);
    return;
  }
  mine.set(game.id, game);
  if (before === undefined && mine.size <= FOLLOWED) line.follow(game.id, game.version);
  if (before?.status === 'open' && game.status === 'playing') {
    announce(t('lobby.somebody_joined', { games: seatsText(game) }), 'assertive');
  }
}

/** A game of mine has moved on.
 * @param {Extract<ServerMessage, { type: 'snapshot' | 'events' }>} message
 */
function follow(message) {
  const game = mine.get(message.game);
  if (game === undefined || message.present.version <= game.version) return;
  const { present, events } = message;
  const started = events.find((event) => event.type === 'started');
  placeMine({
    ...game,
    version: present.version,
    status: present.status,
    turn: present.turn.number,
    to_move: present.turn.side,
    seats: started?.type === 'started' ? started.seats : game.seats,
    updated_ms: events.at(-1)?.at_ms ?? game.updated_ms,
  });
}

/** @param {ServerMessage} message */
function hear(message) {
  switch (message.type) {
    case 'lobby':
      rooms.clear();
      live.clear();
      for (const game of [...message.rooms, ...message.live]) place(game);
      heard = true;
      break;
    case 'lobby_changed':
      place(message.game);
      break;
    case 'snapshot':
    case 'events':
      follow(message);
      break;
    case 'welcome':
      me = message.player;
      break;
    default:
      return;
  }
  draw();
}

async function loadLists() {
  if (listing) return;
  listing = true;
  try {
    const [own, over] = await Promise.all([listGames('mine', null, 100), listGames('finished', null, PAGE)]);
    for (const id of [...mine.keys()]) if (!own.games.some((game) => game.id === id)) mine.delete(id);
    for (const game of own.games) placeMine(game);
    finished = over.games;
    nextFinished = over.next;
    listed = true;
    listTrouble = null;
  } catch (error) {
    listTrouble = wordsOf(error);
  } finally {
    listing = false;
  }
  draw();
}

showHeader('lobby');
draw();
const session = openSession();
const line = openLine({
  onMessage: hear,
  onNews(told) {
    if (told !== news && told !== 'online') announce(t(`line.${told}`));
    news = told;
    if (told === 'online' && (!listed || listTrouble !== null)) loadLists();
    draw();
  },
  renewSession: openSession,
  ready: session,
});
line.followLobby();
session.then(
  ({ player }) => {
    me = player;
    loadLists();
  },
  (error) => {
    listTrouble = wordsOf(error);
    draw();
  },
);
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible' && me !== null) loadLists();
});
window.setInterval(draw, 60_000);
