// Parts of every page: words, the two live regions, and small things that several pages need.

import './translated.js';
import { html, render, svg } from '../vendor/lit-html@3.3.3/lit-html.js';
import { loadWords, localeOf, pageLanguage } from '../i18n.js';
import { ApiError } from '../connection/api.js';
import { keepsNothing } from '../connection/session.js';
import { recall, remember } from './storage.js';

export { recall, remember };

/** @import { TemplateResult } from '../vendor/lit-html@3.3.3/lit-html.js' */
/** @import { Translate } from '../i18n.js' */
/** @import { Ruleset, Side, Outcome, Player, Seats } from '../protocol.js' */
/** @typedef {'black' | 'white' | 'red' | 'blue'} Colour */

/** The games with their rulesets, in the order in which they are offered, and the colours in which First and
 * Second are shown (RULES 0.1).
 * @type {{ game: string, rulesets: Ruleset[], first: Colour, second: Colour }[]}
 */
export const GAMES = [
  {
    game: 'fibonacci',
    rulesets: ['fibonacci', 'fibonacci-mixed', 'fibonacci-cards'],
    first: 'black',
    second: 'white',
  },
  { game: 'fenix', rulesets: ['fenix'], first: 'red', second: 'blue' },
  { game: 'focus', rulesets: ['focus', 'focus-classic'], first: 'white', second: 'black' },
  { game: 'crossfire', rulesets: ['crossfire'], first: 'white', second: 'black' },
];

/** @type {readonly Ruleset[]} */
export const RULESETS = GAMES.flatMap(({ rulesets }) => rulesets);

export const language = pageLanguage();
/** The words of the page.
 * @type {Translate}
 */
export const t = await loadWords();

// --- Icon of the tab ---

const favicon = /** @type {HTMLLinkElement} */ (byId('favicon'));
const { href: calmIcon } = favicon;

/** The address of the icon that says that it is the visitor's turn. */
export const turnIcon = favicon.dataset.turn ?? '';

/** Shows in the tab's icon whether it is the visitor's turn somewhere.
 * @param {boolean} isTurn
 */
export function showTurnIcon(isTurn) {
  favicon.href = isTurn ? turnIcon : calmIcon;
}

// --- Live regions ---

const SPEAK_AFTER_MS = 300;
/** @type {Record<'polite' | 'assertive', { timer: number, last: string, waiting: string[] }>} */
const voices = {
  polite: { timer: 0, last: '', waiting: [] },
  assertive: { timer: 0, last: '', waiting: [] },
};

/** Announces a text. Texts that come close together are read as one, and the same text again is read again.
 * @param {string} text
 * @param {'polite' | 'assertive'} [manner]
 */
export function announce(text, manner = 'polite') {
  const voice = voices[manner];
  if (!voice.waiting.includes(text)) voice.waiting.push(text);
  clearTimeout(voice.timer);
  voice.timer = window.setTimeout(() => {
    let spoken = voice.waiting.join(' ');
    voice.waiting = [];
    if (spoken === voice.last) spoken += '\u00a0';
    voice.last = spoken;
    byId(manner).textContent = spoken;
  }, SPEAK_AFTER_MS);
}

// --- Words for things ---

/** @param {unknown} error
 * @returns {string} the text about a failed request */
export function wordsOf(error) {
  if (!(error instanceof ApiError)) throw error;
  const code = error.code === 'no_session' && keepsNothing() ? 'nothing_kept' : error.code;
  if (code === 'too_fast' && error.retryS > 1) return t('refusal.wait', { when: inSeconds(error.retryS) });
  const key = `refusal.${code}`;
  const words = t(key, error.untilMs === null ? {} : { when: momentOf(error.untilMs) });
  return words === key ? t('refusal.other', { code }) : words;
}

const relative = new Intl.RelativeTimeFormat(language);

/** A time from now on, as `in 6 minutes`.
 * @param {number} n
 */
function inSeconds(n) {
  const [size, unit] =
    n < 100
      ? [1, /** @type {const} */ ('second')]
      : n < 6000
        ? [60, /** @type {const} */ ('minute')]
        : [3600, /** @type {const} */ ('hour')];
  return relative.format(Math.ceil(n / size), unit);
}

/** The colour in which a side is shown.
 * @param {Ruleset} ruleset
 * @param {Side} side
 * @returns {Colour}
 */
export function colourOf(ruleset, side) {
  const game = GAMES.find(({ rulesets }) => rulesets.includes(ruleset));
  if (game === undefined) throw new Error(`no game has the ruleset ${ruleset}`);
  return game[side];
}

/** A side by its colour, as `Black`; in French always in the plural, with its article in the text around it.
 * @param {Ruleset} ruleset
 * @param {Side} side
 */
export const sideName = (ruleset, side) => t(`side.${colourOf(ruleset, side)}`);

/** The consequence of taking a seat.
 * @param {Ruleset} ruleset
 * @param {string} seat
 */
export const seatWords = (ruleset, seat) =>
  seat === 'first' || seat === 'second'
    ? t(`lobby.you_${seat}`, { side: sideName(ruleset, seat) })
    : t('lobby.you_random');

/** A disc in the colour of a side; words stand beside it.
 * @param {Ruleset} ruleset
 * @param {Side} side
 */
export const disc = (ruleset, side) =>
  html`<span class=${`disc ${colourOf(ruleset, side)}`} aria-hidden="true"></span>`;

/** @param {Ruleset} ruleset */
export const rulesetName = (ruleset) => t(`ruleset.${ruleset}`);

/** The winner and the reason, for the player of `mine` or a reader.
 * @param {Ruleset} ruleset
 * @param {Outcome} outcome
 * @param {Seats | null} seats null where the sides are called by their colours
 * @param {Side | null} mine
 * @returns {{ title: string, reason: string }}
 */
export function resultWords(ruleset, { winner, reason }, seats, mine) {
  if (winner === null) {
    const key = reason === 'abandon' ? 'reason.abandon_draw' : `reason.${reason}`;
    return { title: t('result.draw'), reason: t(key) };
  }
  const loser = winner === 'first' ? 'second' : 'first';
  const key = WON_BY[`${ruleset} ${reason}`] ?? `reason.${reason}`;
  const [won, form] = seats === null ? ['result.won_side', '_side'] : ['result.won', ''];
  /** @param {Side} side */
  const called = (side) => (seats === null ? sideName(ruleset, side) : nameOf(seats[side]));
  const words = { reason: t(`${key}${mine === loser ? '_yours' : form}`, { loser: called(loser) }) };
  if (mine === null) return { title: t(won, { name: called(winner) }), ...words };
  return { title: t(mine === winner ? 'result.you_won' : 'result.you_lost'), ...words };
}

/** Reasons that mean something else in a ruleset than their words elsewhere.
 * @type {Record<string, string>}
 */
const WON_BY = {
  'fibonacci-cards surround': 'reason.surround_cards',
  'fenix repetition': 'reason.repetition_evaded',
};

/** A player's name, in words if none is left.
 * @param {Player} player
 */
export const nameOf = ({ name, kind }) => (kind === 'deleted' ? t('page.deleted') : name);

/** Dates in the language of the page, as the region of the visitor writes them.
 * @param {Intl.DateTimeFormatOptions} options
 */
export const dates = (options) => new Intl.DateTimeFormat(localeOf(language, navigator.languages), options);

const moment = dates({ dateStyle: 'medium', timeStyle: 'short' });

/** A day and a time as the visitor's own clock shows them.
 * @param {number} ms
 */
export const momentOf = (ms) => moment.format(ms);

/** @param {string[]} items */
export const listed = (items) => new Intl.ListFormat(language, { type: 'conjunction' }).format(items);

/** What a visitor usually has in hand: keys, or a screen to touch. */
export const usualHand = () => (matchMedia('(pointer: coarse)').matches ? 'touch' : 'keys');

/** @param {Player | null} player
 * @param {{ id: string }} other */
export const isSame = (player, other) => player !== null && player.id === other.id;

/** A list with its next page. A button that is pressed twice brings the same page twice.
 * @template {{ id: string | number }} Row
 * @param {Row[]} known
 * @param {Row[]} page
 */
export const joined = (known, page) => [
  ...known,
  ...page.filter(({ id }) => known.every((row) => row.id !== id)),
];

// --- Elements ---

/** The element of the page's own HTML with this id.
 * @param {string} id
 * @returns {HTMLElement}
 */
export function byId(id) {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`the page has no element #${id}`);
  return element;
}

/** Gives the focus to the status of a page with a board. The page does not scroll: what comes up must not move it. */
export const focusStatus = () => document.getElementById('status')?.focus({ preventScroll: true });

/** Renders the contents of elements of the page's own HTML, by their ids.
 * @param {Record<string, unknown>} contents
 */
export function renderAll(contents) {
  for (const [id, content] of Object.entries(contents)) render(content, byId(id));
}

/** @type {Record<string, TemplateResult>} */
const ICONS = {
  close: svg`<path d="m6 6 12 12M18 6 6 18"/>`,
  undo: svg`<path d="M8.5 5 4.5 9l4 4M5 9h9a5.5 5.5 0 0 1 0 11h-4"/>`,
  back: svg`<path d="M11.500 6.500 6 12l5.500 5.500M18 6.500 12.500 12l5.500 5.500"/>`,
  restart: svg`<path d="M5 12a7 7 0 1 1 2.2 5.1M5 17.5V13h4.5"/>`,
  check: svg`<path d="m5 12.5 4.5 4.5L19 7.5"/>`,
  flip: svg`<path d="M8 4v15m0 0-3.5-3.5M8 19l3.5-3.5M16 20V5m0 0-3.5 3.5M16 5l3.5 3.5"/>`,
  eye: svg`<path d="M2.5 12c4.5-7.3 14.5-7.3 19 0-4.5 7.3-14.5 7.3-19 0Z"/><circle cx="12" cy="12" r="2.8"/>`,
  bulb: svg`<path d="M9 18h6M10 21h4M12 3a6 6 0 0 0-3.600 10.800c.600.500.600 1.200.600 2.200h6c0-1 0-1.700.600-2.200A6 6 0 0 0 12 3Z"/>`,
  copy: svg`<rect x="8.5" y="8.5" width="11" height="11" rx="2"/><path d="M15.5 5.5a1 1 0 0 0-1-1h-9a1 1 0 0 0-1 1v9a1 1 0 0 0 1 1"/>`,
  share: svg`<path d="M12 15.5v-11m0 0-4 4m4-4 4 4M5 13.5v6h14v-6"/>`,
  stack: svg`<ellipse cx="12" cy="7" rx="7.5" ry="3"/><path d="M4.5 7v5c0 1.66 3.36 3 7.5 3s7.5-1.34 7.5-3V7M4.5 12v5c0 1.66 3.36 3 7.5 3s7.5-1.34 7.5-3v-5"/>`,
  download: svg`<path d="M12 4v11m0 0-4-4m4 4 4-4M5 19.5h14"/>`,
};

/** A picture beside words, or in a control that has its name elsewhere.
 * @param {TemplateResult} shapes
 */
export const picture = (shapes) =>
  html`<svg class="ic" viewBox="0 0 24 24" aria-hidden="true" focusable="false">${shapes}</svg>`;

/** One of the pictures that several pages have.
 * @param {string} name
 */
export const icon = (name) => picture(ICONS[name]);
