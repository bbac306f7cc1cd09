// The saved games: all finished public games that match the address, or the visitor's own games: those under way, and then
// the finished ones.

import { NO_FILTERS, REASONS, RESULTS, filtersFrom, parametersOf } from '../lobby/filters.js';
import { bottomIn, emptyLists, gamesOf } from '../lobby/lists.js';
import { myRow, savedRow } from '../lobby/rows.js';
import { createSmallBoard } from '../board/small-board.js';
import { listGames, untilAnswered } from '../connection/api.js';
import { openSession } from '../connection/session.js';
import { beginHeader } from '../ui/header.js';
import { RULESETS, announce, byId, rulesetName, sideName, t, wordsOf } from '../ui/page.js';
import { html, nothing, render } from '../vendor/lit-html@3.3.3/lit-html.js';

/** @import { GameSummary, Player } from '../protocol.js' */
/** @import { Filters } from '../lobby/filters.js' */
/** @import { TemplateResult } from '../vendor/lit-html@3.3.3/lit-html.js' */

/** Maximum number of empty pages skipped at one press. A page searches a bounded number of games, and the first match
 * may be far behind them. This many pages search 100,000 games. */
const MOST_EMPTY = 10;

/** Number of games of a page of those under way: their rows are sorted by what is pressing. */
const MOST_UNDER_WAY = '100';

/** Whether the page shows the visitor's own games. */
const isOwn = new URLSearchParams(location.search).get('list') === 'mine';

/** The filters of the address. One's own games have none. */
const filtersNow = () => (isOwn ? NO_FILTERS : filtersFrom(new URLSearchParams(location.search), RULESETS));

let filters = filtersNow();
/** The visitor, on the page of their own games.
 * @type {Player | null} */
let me = null;
/** The list that is read.
 * @type {'finished' | 'mine' | 'played'} */
let list = 'finished';
/** @type {GameSummary[]} */
let games = [];
/** Cursor of the next page of the list; null at its end.
 * @type {string | null} */
let next = null;
let isLoading = false;
/** @type {string | null} */
let trouble = null;
/** Numbers the searches: an answer to an earlier one is not shown. */
let search = 0;

// --- Filters ---

/** The winner, in the colours of the ruleset if there is one.
 * @param {typeof RESULTS[number]} result
 */
function resultName(result) {
  if (result === 'draw') return t('result.draw');
  if (filters.ruleset === '') return t(`games.result_${result}`);
  return t('result.won_side', { name: sideName(filters.ruleset, result) });
}

/**
 * @param {keyof Filters} name
 * @param {readonly { value: string, words: string }[]} options
 */
const select = (name, options) =>
  html`<label class="field">${t(`games.${name}`)}
    <select name=${name}>
      <option value="" ?selected=${filters[name] === ''}>${t(`games.any_${name}`)}</option>
      ${options.map(({ value, words }) => html`<option value=${value} ?selected=${filters[name] === value}>${words}</option>`)}
    </select>
  </label>`;

/** @param {'since' | 'until'} name */
const dateField = (name) =>
  html`<label class="field">${t(`games.${name}`)} <input type="date" name=${name} value=${filters[name]} /></label>`;

function drawFilters() {
  render(
    html`<form class="filters" @submit=${submit}>
      <label class="field">${t('games.player')}
        <input type="search" name="player" maxlength="24" autocomplete="off" value=${filters.player} />
      </label>
      ${select(
        'ruleset',
        RULESETS.map((value) => ({ value, words: rulesetName(value) })),
      )}
      ${select(
        'result',
        RESULTS.map((value) => ({ value, words: resultName(value) })),
      )}
      ${select(
        'reason',
        REASONS.map((value) => ({ value, words: t(`games.reason_${value}`) })),
      )}
      ${dateField('since')} ${dateField('until')}
      <div class="filter-tools">
        <button class="primary">${t('games.search')}</button>
        <button type="button" @click=${() => searchFor(NO_FILTERS)}>${t('games.clear')}</button>
      </div>
    </form>`,
    byId('filters'),
  );
  // Field values that were not submitted are overwritten.
  byId('filters').querySelector('form')?.reset();
}

/** @param {SubmitEvent} event */
function submit(event) {
  event.preventDefault();
  const fields = new FormData(/** @type {HTMLFormElement} */ (event.target));
  const texts = [...fields].map(([key, value]) => [key, String(value)]);
  searchFor(filtersFrom(new URLSearchParams(texts), RULESETS));
}

/** @param {Filters} wanted */
function searchFor(wanted) {
  filters = wanted;
  const query = parametersOf(filters).toString();
  history.pushState(null, '', query === '' ? '/games' : `/games?${query}`);
  begin();
}

// --- The list ---

/** The small boards of the rows.
 * @type {WeakMap<GameSummary, Element>}
 */
const boards = new WeakMap();

/** @param {GameSummary} game */
function board(game) {
  const known = boards.get(game);
  if (known !== undefined) return known;
  const { element, show } = createSmallBoard(game.ruleset);
  show(game.position, bottomIn(game, me) === 'first');
  boards.set(game, element);
  return element;
}

/** The sentence in the place of an empty list. */
function noneWords() {
  if (isOwn) return t('games.none_played');
  if (next !== null) return t('games.none_yet');
  return t(parametersOf(filters).size > 0 ? 'games.none' : 'games.none_at_all');
}

/** The visitor's games under way, the most pressing first. */
const underWay = () => gamesOf({ ...emptyLists(), mine: new Map(games.map((game) => [game.id, game])) }, me);

/** Rows below a heading, which those of the public games have in that of the page.
 * @param {string | null} heading
 * @param {TemplateResult[]} rows
 */
const section = (heading, rows) =>
  rows.length === 0
    ? nothing
    : html`${isOwn ? html`<h2>${heading}</h2>` : nothing}<ul class="rows">${rows}</ul>`;

function draw() {
  const over = games.filter(({ status }) => status === 'finished');
  const isEmpty = over.length === 0 && !isLoading && trouble === null;
  render(
    html`${section(
      t('games.under_way'),
      underWay().map((game) => myRow({ me, board }, game, false)),
    )}
      ${section(
        t('lobby.finished'),
        over.map((game) => savedRow({ me, board }, game)),
      )}
      ${isEmpty ? html`<div class="empty"><p>${noneWords()}</p>${isOwn ? html`<a class="button" href="/">${t('page.to_lobby')}</a>` : nothing}</div>` : nothing}
      ${trouble === null ? nothing : html`<p class="notice">${trouble} ${isLoading ? nothing : html`<button @click=${goOn}>${t('games.again')}</button>`}</p>`}
      ${next === null || trouble !== null ? nothing : html`<p class="panel-foot"><button aria-disabled=${isLoading ? 'true' : nothing} @click=${goOn}>${t('games.more')}</button></p>`}`,
    byId('games'),
  );
}

/** Starts the list afresh. */
function begin() {
  games = [];
  next = null;
  list = isOwn ? 'mine' : 'finished';
  isLoading = false;
  if (!isOwn) drawFilters();
  return more();
}

/** Asks for the next page of the list. */
async function nextPage() {
  if (isOwn) me ??= (await openSession()).player;
  const parameters = list === 'mine' ? new URLSearchParams({ limit: MOST_UNDER_WAY }) : parametersOf(filters);
  return listGames(list, parameters, next);
}

/** Loads one more page, and continues while it is empty and more follow. */
async function more() {
  if (isLoading) return;
  isLoading = true;
  trouble = null;
  search += 1;
  const mine = search;
  draw();
  try {
    for (let looks = 0; looks < MOST_EMPTY; looks += 1) {
      const page = await untilAnswered(nextPage, (error) => {
        if (search === mine) showTrouble(error);
      });
      if (search !== mine) return;
      trouble = null;
      // A game that was under way may have ended since.
      const known = games.filter(({ id }) => page.games.every((game) => game.id !== id));
      games = [...known, ...page.games.filter(({ status }) => status !== 'open')];
      next = page.next;
      if (list === 'mine' && next === null) list = 'played';
      else if (page.games.length > 0 || next === null) break;
    }
    announce(t('games.shown', { n: games.length }));
  } catch (error) {
    if (search !== mine) return;
    isLoading = false;
    showTrouble(error);
    return;
  }
  isLoading = false;
  draw();
}

/** @param {unknown} error */
function showTrouble(error) {
  trouble = wordsOf(error);
  announce(trouble, 'assertive');
  draw();
}

/** Loads one more page at a press of the button, and focuses its first game: the button may be gone then. */
async function goOn() {
  const before = games.length;
  await more();
  /** @type {HTMLElement | undefined} */ ([...byId('games').querySelectorAll('.cover')].at(before))?.focus();
}

/** Turns the page into that of the visitor's own games. */
function showOwn() {
  byId('filters').hidden = true;
  byId('games-title').textContent = t('lobby.mine');
  byId('lead').textContent = t('games.lead_own');
  document.title = `${t('lobby.mine')} · ${t('page.name')}`;
}

window.addEventListener('popstate', () => {
  filters = filtersNow();
  begin();
});
beginHeader();
if (isOwn) showOwn();
byId('views').children[isOwn ? 1 : 0].ariaCurrent = 'page';
begin();
