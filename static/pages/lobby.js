// The lobby: quick pairing, and the lists of open rooms, of one's own games, of live games and of finished ones.

import { cancelRoom, joinRoom, openSession } from '../net/api.js';
import { openLine } from '../net/socket.js';
import { TABS, emptyLists, heard, isTurnOf, rowsOf, turnsOf } from '../lobby/lists.js';
import { pairingPanel, poolName, rulesetOptions } from '../lobby/pairing.js';
import { afterReturn } from '../lobby/pools.js';
import { finishedRow, liveRow, myRow, pairOf, roomRow } from '../lobby/rows.js';
import { arrange, engagement } from '../ui/calm.js';
import {
  RULESETS,
  announce,
  byId,
  icon,
  recall,
  remember,
  showHeader,
  showTurnIcon,
  t,
  wordsOf,
} from '../ui/page.js';
import { html, nothing, render } from '../vendor/lit-html@3.3.3/lit-html.js';

/** @import { GameSummary, Player, Pool, Ruleset, ServerMessage } from '../protocol.js' */
/** @import { LobbyMessage, Tab } from '../lobby/lists.js' */
/** @import { Desk } from '../lobby/rows.js' */
/** @import { TemplateResult } from '../vendor/lit-html@3.3.3/lit-html.js' */
/** @import { News } from '../net/socket.js' */

/** @type {Player | null} */
let me = null;
let lists = emptyLists();
/** Nothing is shown of the lists before they are there. */
let isHeard = false;
/** What I look for, in all my tabs.
 * @type {Pool[]} */
let sought = [];
/** What I looked for when the connection was lost.
 * @type {Pool[]} */
let lost = [];
/** The room about which something is being asked.
 * @type {string | null} */
let busy = null;
/** @type {string | null} */
let trouble = null;
/** @type {News | null} */
let news = null;
/** A room of mine that somebody has joined while I was here.
 * @type {GameSummary | null} */
let joined = null;
/** When the server was last heard, by the device's clock. */
let heardAt = 0;
/** The only ruleset that the lists show, or null if they show all.
 * @type {Ruleset | null} */
let only = RULESETS.find((name) => name === recall('only')) ?? null;
/** @type {Tab} */
let tab = TABS.find((name) => name === recall('tab')) ?? 'rooms';

/** After a longer absence a search does not begin again by itself: its maker may be elsewhere by then. */
const SEARCH_OUTLASTS_MS = 60_000;

/** @param {Ruleset} ruleset */
const isWanted = (ruleset) => only === null || only === ruleset;

// --- Lists ---

/** @type {Record<Tab, (desk: Desk, game: GameSummary, gone: boolean) => TemplateResult>} */
const ROWS = { rooms: roomRow, mine: myRow, live: liveRow, finished: finishedRow };

/** @returns {Desk} */
const desk = () => ({ me, busy, watchers: lists.watchers, join, cancel, copy });

/**
 * The panel of a tab: a list that rests while somebody is at it.
 *
 * @param {Tab} name
 */
function panel(name) {
  const element = byId(name);
  /** @type {GameSummary[]} */
  let shown = [];
  const isEngaged = engagement(element, () => draw());

  /** @param {boolean} resting */
  function drawAs(resting) {
    element.hidden = name !== tab;
    if (element.hidden || !isHeard) return;
    const { rows, waiting } = arrange(shown, rowsOf(name, lists, me, isWanted), resting);
    shown = rows.map(({ item }) => item);
    render(
      html`<div class="panel-head">
          ${name === 'mine' ? nothing : filter()}
          ${waiting > 0 ? html`<button class="chip" @click=${flush}>${t('lobby.new_rows', { n: waiting })}</button>` : nothing}
        </div>
        ${
          rows.length === 0
            ? emptyWords(name)
            : html`<ul class="rows">${rows.map(({ item, gone }) => ROWS[name](desk(), item, gone))}</ul>`
        }
        ${
          name === 'finished'
            ? html`<p class="panel-foot"><a class="button" href="/games">${t('lobby.all_finished')}</a>
          <a class="button quiet" href="/import">${t('lobby.import')}</a></p>`
            : nothing
        }`,
      element,
    );
  }

  /** Shows what there is now. What was pressed for it may go, so the focus does first. */
  function flush() {
    element.focus();
    drawAs(false);
  }

  return { draw: () => drawAs(isEngaged()), drawAnew: () => drawAs(false), flush };
}

const panels = {
  rooms: panel('rooms'),
  mine: panel('mine'),
  live: panel('live'),
  finished: panel('finished'),
};

/** @param {Tab} name */
const emptyWords = (name) =>
  html`<div class="empty">
    <p>${only !== null && name !== 'mine' ? t('lobby.none_of', { game: t(`ruleset.${only}`) }) : t(`lobby.no_${name}`)}</p>
    ${only !== null && name !== 'mine' ? html`<button @click=${showAll}>${t('lobby.show_all')}</button>` : nothing}
    ${name === 'finished' ? nothing : html`<button class="primary big" @click=${openCreate}>${t('lobby.create')}</button>`}
  </div>`;

const filter = () =>
  html`<label class="filter">${t('lobby.show')}
    <select .value=${only ?? ''} @change=${(/** @type {Event} */ event) => showOnly(/** @type {HTMLSelectElement} */ (event.target).value)}>
      <option value="" ?selected=${only === null}>${t('lobby.all_games')}</option>
      ${rulesetOptions(only ?? '')}
    </select>
  </label>`;

/** @param {string} value a ruleset, or an empty text for all */
function showOnly(value) {
  only = RULESETS.find((name) => name === value) ?? null;
  remember('only', value);
  draw();
  panels[tab].drawAnew();
}

function showAll() {
  showOnly('');
  panels[tab].flush();
}

// --- Tabs ---

function drawTabs() {
  const turns = turnsOf(lists, me);
  render(
    TABS.map((name) => {
      const count = rowsOf(name, lists, me, isWanted).length;
      return html`<button role="tab" id=${`tab-${name}`} aria-controls=${name} aria-selected=${name === tab ? 'true' : 'false'}
        tabindex=${name === tab ? 0 : -1} @click=${() => showTab(name)}>
        ${t(`lobby.${name}`)}
        ${isHeard && name !== 'finished' ? html`<span class="count">${count}</span>` : nothing}
        ${name === 'mine' && turns > 0 ? html`<span class="tag now">${t('lobby.turns_waiting', { n: turns })}</span>` : nothing}
      </button>`;
    }),
    byId('tabs'),
  );
}

/** @param {Tab} name */
function showTab(name) {
  tab = name;
  remember('tab', name);
  draw();
  panels[name].drawAnew();
}

/** @param {KeyboardEvent} event */
function moveTab(event) {
  const at = TABS.indexOf(tab);
  /** @type {Record<string, number>} */
  const goals = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: TABS.length - 1 };
  const goal = goals[event.key];
  if (goal === undefined) return;
  event.preventDefault();
  showTab(TABS[(goal + TABS.length) % TABS.length]);
  byId(`tab-${tab}`).focus();
}

// --- The page ---

function draw() {
  const turns = turnsOf(lists, me);
  document.title = turns > 0 ? t('lobby.title_turns', { n: turns }) : t('lobby.title');
  showTurnIcon(turns > 0);
  render(
    html`<h1>${t('lobby.heading')}</h1>
      <p class="lead">${t('lobby.lead')}</p>
      <p class="start">
        <button class="primary big" @click=${openCreate}>${t('lobby.create')}</button>
        <span>${lists.players === null ? nothing : t('lobby.players', { n: lists.players })}</span>
      </p>
      <p class="me">
        ${
          me === null
            ? nothing
            : html`<span>${t('lobby.you_are')} <strong>${me.name}</strong></span>
              <button class="quiet" @click=${openYou}>${t('lobby.rename')}</button>`
        }
      </p>`,
    byId('hero'),
  );
  render(pairingPanel(sought, isHeard && news === 'online', seek, draw), byId('pairing'));
  drawTabs();
  for (const name of TABS) panels[name].draw();
  drawNotices();
}

let isDrawing = false;

/** A burst of news is drawn once, but the title of a page that is not seen at once. */
function drawSoon() {
  if (document.visibilityState === 'hidden') return draw();
  if (isDrawing) return;
  isDrawing = true;
  requestAnimationFrame(() => {
    isDrawing = false;
    draw();
  });
}

function drawNotices() {
  const line = news === 'online' ? null : news;
  const reload = html`<button @click=${() => location.reload()}>${t('line.reload_button')}</button>`;
  const close = html`<button class="quiet icon" aria-label=${t('page.close')} @click=${forget}>${icon('close')}</button>`;
  render(
    html`${line === null ? nothing : html`<p class="notice">${t(`line.${line}`)} ${line === 'reload' ? reload : nothing}</p>`}
      ${trouble === null ? nothing : html`<p class="notice">${trouble} ${close}</p>`}
      ${
        joined === null
          ? nothing
          : html`<p class="notice">${t('lobby.somebody_joined', { games: pairOf(joined) })}
              <a class="button primary" href=${`/game/${joined.id}`}>${t('lobby.to_game')}</a> ${close}</p>`
      }`,
    byId('notices'),
  );
}

/** Takes away what has been read. */
function forget() {
  trouble = null;
  joined = null;
  draw();
}

// --- What people do ---

/** Does what may fail, and says so if it does.
 * @param {string | null} room
 * @param {() => Promise<void>} work
 */
async function attempt(room, work) {
  busy = room;
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
    hearLobby({ type: 'lobby_changed', games: [{ ...room, status: 'cancelled' }], gone: [] });
    announce(t('lobby.cancelled'));
    panels.rooms.flush();
  });

/** @param {GameSummary} room */
async function copy({ id }) {
  const link = `${location.origin}/game/${id}`;
  try {
    await navigator.clipboard.writeText(link);
    announce(t('room.copied'));
  } catch {
    // There is no clipboard on a page that came by plain HTTP.
    await attempt(null, async () => (await import('../lobby/link.js')).showLink(link));
  }
}

/** @param {Pool} pool
 * @param {boolean} wanted */
function seek(pool, wanted) {
  trouble = null;
  line.wish({ type: wanted ? 'seek' : 'stop_seeking', pool });
}

const openCreate = () => attempt(null, async () => (await import('../lobby/create.js')).openCreate());

const openYou = () =>
  attempt(null, async () => {
    const { openYou } = await import('../lobby/you.js');
    openYou(me, (renamed) => {
      me = renamed;
      draw();
    });
  });

// --- What the server says ---

/** @param {LobbyMessage} message */
function hearLobby(message) {
  const [before, waited] = [lists, turnsOf(lists, me)];
  lists = heard(lists, message, me);
  if (message.type === 'lobby') comeIn(before.mine);
  const news = message.type === 'lobby_changed' ? message.games : [];
  for (const game of news) if (before.mine.get(game.id)?.status === 'open') leftMyRoom(game);
  if (joined !== null && !lists.mine.has(joined.id)) joined = null;
  if (isHeard && turnsOf(lists, me) > waited) {
    const [first] = rowsOf('mine', lists, me, isWanted);
    ring(t('status.your_turn'), news.find((game) => isTurnOf(game, me)) ?? first);
  }
  isHeard = true;
}

/** The lobby is there, for the first time or again.
 * @param {Map<string, GameSummary>} known my games when it was last there
 */
function comeIn(known) {
  if (!isHeard && turnsOf(lists, me) > 0) tab = 'mine';
  const follows = afterReturn(lost, new Set(known.keys()), [...lists.mine.values()]);
  lost = [];
  if ('paired' in follows) location.assign(`/game/${follows.paired}`);
  else for (const pool of follows.seek) seek(pool, true);
}

/** A room of mine is open no more. With a clock for all turns there is no time to lose.
 * @param {GameSummary} game
 */
function leftMyRoom(game) {
  if (game.status !== 'playing') return;
  if (game.clock.kind === 'real_time') location.assign(`/game/${game.id}`);
  joined = game;
  ring(t('lobby.somebody_joined', { games: pairOf(game) }), game);
}

/** @type {Promise<typeof import('../ui/sound.js')> | null} */
let sounds = null;

/** A browser lets a page sound only after somebody has touched it. */
function allowSound() {
  sounds ??= import('../ui/sound.js');
}

/** Calls somebody who may be looking elsewhere. A tab of the game would call with the same sound.
 * @param {string} words
 * @param {GameSummary} game
 */
async function ring(words, game) {
  announce(words, 'assertive');
  if (recall('sound') !== 'off') (await sounds)?.playOnce('turn', `${game.id} ${game.turn} `);
}

/** @param {Pool[]} pools */
function hearSought(pools) {
  if (pools.length > sought.length)
    announce(t('pairing.sought', { pools: pools.map(poolName).join(t('page.comma')) }));
  else if (pools.length === 0 && sought.length > 0) announce(t('pairing.stopped'));
  sought = pools;
}

/** @param {Extract<ServerMessage, { type: 'error' }>} fault */
function hearFault(fault) {
  switch (fault.code) {
    case 'too_many_pools':
      trouble = t('pairing.too_many', { n: fault.limit });
      break;
    case 'pool_unavailable':
      trouble = t('pairing.unavailable');
      break;
    case 'pool_too_fast':
      trouble = t('pairing.too_fast', { n: Math.ceil(fault.retry_ms / 1000) });
      break;
    case 'too_many_under_way':
    case 'overloaded':
      trouble = t(`refusal.${fault.code}`);
      break;
    default:
      return;
  }
  announce(trouble, 'assertive');
}

/** @param {ServerMessage} message */
function hear(message) {
  takeIn(message);
  heardAt = Date.now();
}

/** @param {ServerMessage} message */
function takeIn(message) {
  switch (message.type) {
    case 'lobby':
    case 'lobby_changed':
    case 'lobby_counts':
      hearLobby(message);
      break;
    case 'seeking':
      hearSought(message.pools);
      break;
    case 'paired':
      location.assign(`/game/${message.game}`);
      break;
    case 'error':
      hearFault(message);
      break;
    case 'welcome':
      me = message.player;
      trouble = null;
      lost = Date.now() - heardAt < SEARCH_OUTLASTS_MS ? sought : [];
      break;
    default:
      return;
  }
  drawSoon();
}

/** @param {News} told */
function hearNews(told) {
  if (told !== news && told !== 'online') announce(t(`line.${told}`));
  news = told;
  draw();
}

showHeader('lobby');
byId('tabs').ariaLabel = t('lobby.lists');
byId('tabs').addEventListener('keydown', moveTab);
document.addEventListener('pointerdown', allowSound, { once: true });
document.addEventListener('keydown', allowSound, { once: true });
const session = openSession();
const line = openLine({ onMessage: hear, onNews: hearNews, renewSession: openSession, ready: session });
line.followLobby();
draw();
session.then(
  ({ player }) => {
    me = player;
    draw();
  },
  (error) => {
    trouble = wordsOf(error);
    draw();
  },
);
window.setInterval(draw, 60_000);
