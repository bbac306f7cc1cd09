// The saved games: all finished public games that match the address.

import { NO_FILTERS, REASONS, RESULTS, filtersFrom, parametersOf } from '../lobby/filters.js';
import { savedRow } from '../lobby/rows.js';
import { createSmallBoard } from '../board/small-board.js';
import { listFinished, untilAnswered } from '../connection/api.js';
import { beginHeader } from '../ui/header.js';
import { RULESETS, announce, byId, rulesetName, sideName, t, wordsOf } from '../ui/page.js';
import { html, nothing, render } from '../vendor/lit-html@3.3.3/lit-html.js';

/** @import { GameSummary } from '../protocol.js' */
/** @import { Filters } from '../lobby/filters.js' */

/** Maximum number of empty pages skipped at one press. A page searches a bounded number of games, and the first match
 * may be far behind them. This many pages search 100,000 games. */
const MOST_EMPTY = 10;

let filters = filtersFrom(new URLSearchParams(location.search), RULESETS);
/** @type {GameSummary[]} */
let games = [];
/** Cursor of the next page; null at the end of the list.
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
  show(game.position);
  boards.set(game, element);
  return element;
}

/** The sentence in the place of an empty list. */
function noneWords() {
  if (next !== null) return t('games.none_yet');
  return t(parametersOf(filters).size > 0 ? 'games.none' : 'games.none_at_all');
}

function draw() {
  render(
    html`${games.length === 0 ? nothing : html`<ul class="rows">${games.map((game) => savedRow({ board }, game))}</ul>`}
      ${games.length === 0 && !isLoading && trouble === null ? html`<div class="empty"><p>${noneWords()}</p></div>` : nothing}
      ${trouble === null ? nothing : html`<p class="notice">${trouble} ${isLoading ? nothing : html`<button @click=${goOn}>${t('games.again')}</button>`}</p>`}
      ${next === null || trouble !== null ? nothing : html`<p class="panel-foot"><button aria-disabled=${isLoading ? 'true' : nothing} @click=${goOn}>${t('games.more')}</button></p>`}`,
    byId('games'),
  );
}

/** Starts the list afresh. */
function begin() {
  games = [];
  next = null;
  isLoading = false;
  drawFilters();
  return more();
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
      const page = await untilAnswered(
        () => listFinished(parametersOf(filters), next),
        (error) => {
          if (search === mine) showTrouble(error);
        },
      );
      if (search !== mine) return;
      trouble = null;
      games = [...games, ...page.games];
      next = page.next;
      if (page.games.length > 0 || next === null) break;
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

window.addEventListener('popstate', () => {
  filters = filtersFrom(new URLSearchParams(location.search), RULESETS);
  begin();
});
beginHeader();
begin();
