// The lists of the lobby behind their tabs.

import { createSmallBoard } from '../board/small-board.js';
import { arrange, engagement } from '../ui/calm.js';
import { byId, t } from '../ui/page.js';
import { drawTabs } from '../ui/tab-strip.js';
import { html, nothing, render } from '../vendor/lit-html@3.3.3/lit-html.js';
import { repeat } from '../vendor/lit-html@3.3.3/directives/repeat.js';
import { TABS, bottomIn, rowsOf, waitingFor } from './lists.js';
import { rulesetOptions } from './pairing.js';
import { finishedRow, keptRow, liveRow, myRow, roomRow, seekRow } from './rows.js';
import { filterOf, keptIn, wantedIn } from './lobby-state.js';

/** @import { GameSummary, Ruleset, Seek } from '../protocol.js' */
/** @import { KeptGame } from '../local/kept-game.js' */
/** @import { TemplateResult } from '../vendor/lit-html@3.3.3/lit-html.js' */
/** @import { Tab } from './lists.js' */
/** @import { Handlers } from './rows.js' */
/** @import { State } from './lobby-state.js' */

/**
 * Actions of the lists.
 * @typedef {object} Deeds
 * @property {(game: GameSummary) => void} join
 * @property {(game: GameSummary) => void} cancel
 * @property {(game: GameSummary) => void} copy
 * @property {(seek: Seek) => void} accept
 * @property {(seek: Seek) => void} withdraw
 * @property {(tab: Tab) => void} open
 * @property {(tab: Tab, only: string) => void} filter shows one ruleset, or all with an empty text
 * @property {(tab: Tab) => void} showAll
 */

/** @type {Record<Tab, (handlers: Handlers, game: GameSummary, gone: boolean) => TemplateResult>} */
const ROWS = { rooms: roomRow, mine: myRow, live: liveRow, finished: finishedRow };

/** @typedef {ReturnType<typeof createTabs>} Tabs */

/** @param {Deeds} deeds */
export function createTabs(deeds) {
  /** @type {State | null} */
  let state = null;
  const panels = Object.fromEntries(TABS.map((name) => [name, createPanel(name, deeds, () => state)]));
  byId('tabs').ariaLabel = t('lobby.lists');

  return {
    /** @param {State} now */
    draw(now) {
      state = now;
      drawStrip(now, deeds);
      for (const name of TABS) panels[name].draw();
    },

    /** Draws a list as it is now, even while it is hovered or focused.
     * @param {Tab} name
     */
    drawAnew: (name) => panels[name].drawAnew(),

    /** The same, after moving the focus off a row that may go.
     * @param {Tab} name
     */
    flush: (name) => panels[name].flush(),
  };
}

/** @param {State} state
 * @param {Deeds} deeds */
function drawStrip(state, { open }) {
  const { lists, me, tab, isHeard } = state;
  const turns = waitingFor(lists, me).length;
  /** @param {Tab} name */
  const content = (name) => {
    const kept = keptIn(state, name) === null ? 0 : 1;
    const count = rowsOf(name, lists, me, filterOf(state, name)).length + kept;
    return html`${t(`lobby.${name}`)}
      ${isHeard && name !== 'finished' ? html`<span class="count">${count}</span>` : nothing}
      ${name === 'mine' && turns > 0 ? html`<span class="tag now">${t('lobby.turns_waiting', { n: turns })}</span>` : nothing}`;
  };
  const tabs = TABS.map((name) => ({ name, content: content(name) }));
  drawTabs(byId('tabs'), tabs, tab, open);
}

/**
 * The panel of a tab: a list that rests while it is hovered or focused.
 *
 * @param {Tab} name
 * @param {Deeds} deeds
 * @param {() => State | null} current
 */
function createPanel(name, deeds, current) {
  const element = byId(name);
  /** @type {(GameSummary | Seek)[]} */
  let shown = [];
  /** The small boards of the rows, by their games.
   * @type {Map<string, ReturnType<typeof createSmallBoard>>}
   */
  let boards = new Map();
  /** The row of the game that this device keeps, with its board.
   * @type {{ kept: KeptGame, row: TemplateResult } | null}
   */
  let device = null;
  const isEngaged = engagement(element, () => drawAs(isEngaged()));

  /** @param {boolean} resting */
  function drawAs(resting) {
    const state = current();
    if (state === null) return;
    element.hidden = name !== state.tab;
    const { lists, me, busy, isHeard, news } = state;
    const isOffline = news === 'offline';
    if (element.hidden || !(isHeard || isOffline)) return;
    const kept = keptIn(state, name);
    if (kept !== (device?.kept ?? null)) device = kept && { kept, row: keptRow(kept, boardOf(kept)) };
    const { rows, waiting } = arrange(shown, rowsOf(name, lists, me, filterOf(state, name)), resting);
    shown = rows.map(({ item }) => item);
    boards = new Map(shown.map(({ id, ruleset }) => [id, boards.get(id) ?? createSmallBoard(ruleset)]));
    /** @param {string} id
     * @param {string | null} position
     * @param {boolean} [flipped] */
    const small = (id, position, flipped) => {
      const { element, show } = /** @type {ReturnType<typeof createSmallBoard>} */ (boards.get(id));
      show(position, flipped);
      return element;
    };
    /** The player's own side is at the bottom, as in the game.
     * @param {GameSummary} game */
    const board = (game) => small(game.id, game.position, bottomIn(game, me) === 'first');
    /** @param {Seek} seek */
    const field = ({ id }) => small(id, null);
    const handlers = { me, busy, isOffline, watchers: lists.watchers, board, field, ...deeds };
    render(
      html`<div class="panel-head">
          ${filter(wantedIn(state, name), (only) => deeds.filter(name, only))}
          ${waiting > 0 ? html`<button class="chip" @click=${flush}>${t('lobby.new_rows', { n: waiting })}</button>` : nothing}
        </div>
        ${
          rows.length === 0 && device === null
            ? emptyWords(name, state, deeds)
            : html`<ul class="rows">${device?.row}${repeat(
                rows,
                ({ item }) => item.id,
                ({ item, gone }) =>
                  isSeek(item) ? seekRow(handlers, item, gone) : ROWS[name](handlers, item, gone),
              )}</ul>`
        }
        ${FEET[name]?.(waitingFor(lists, me).length) ?? nothing}`,
      element,
    );
  }

  /** Shows the current rows. The button that was pressed may go, so the focus moves first. */
  function flush() {
    element.focus();
    drawAs(false);
  }

  return { draw: () => drawAs(isEngaged()), drawAnew: () => drawAs(false), flush };
}

/** @param {GameSummary | Seek} item
 * @returns {item is Seek} */
const isSeek = (item) => 'games' in item;

/** A small board with the game that this device keeps, its person below.
 * @param {KeptGame} game
 */
function boardOf({ ruleset, position, players }) {
  const { element, show } = createSmallBoard(ruleset);
  show(position, players.first === null && players.second !== null);
  return element;
}

/** @param {Ruleset | null} only
 * @param {(only: string) => void} choose */
const filter = (only, choose) =>
  html`<label class="filter">${t('lobby.show')}
    <select .value=${only ?? ''} @change=${(/** @type {Event} */ event) => choose(/** @type {HTMLSelectElement} */ (event.target).value)}>
      <option value="" ?selected=${only === null}>${t('lobby.all_games')}</option>
      ${rulesetOptions(only ?? '')}
    </select>
  </label>`;

/** The way on from an empty list. The button for a new room is at the top of the page.
 * @param {Tab} name
 * @param {State} state
 * @param {Deeds} deeds
 */
function emptyWords(name, state, { showAll }) {
  const only = wantedIn(state, name);
  if (!state.isHeard) return html`<p class="empty">${t('lobby.no_lists')}</p>`;
  if (only !== null)
    return html`<div class="empty">
      <p>${t('lobby.none_of', { game: t(`ruleset.${only}`) })}</p>
      <button @click=${() => showAll(name)}>${t('lobby.show_all')}</button>
    </div>`;
  return html`<p class="empty">${t(`lobby.no_${name}`)}</p>`;
}

const playedLink = () => html`<a class="button" href="/games?list=mine">${t('lobby.played')}</a>`;

/** The ways to games that a list does not show, or shows among others.
 * @type {Partial<Record<Tab, (waiting: number) => TemplateResult>>}
 */
const FEET = {
  mine: (n) =>
    html`<p class="panel-foot">${n > 0 ? html`<a class="button" href="/turns">${t('turns.waiting', { n })}</a>` : nothing} ${playedLink()}</p>`,
  finished: () =>
    html`<p class="panel-foot"><a class="button" href="/games">${t('lobby.all_finished')}</a> ${playedLink()}
      <a class="button quiet" href="/import">${t('lobby.import')}</a></p>`,
};
