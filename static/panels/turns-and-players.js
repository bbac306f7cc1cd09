// The panels around a board that a game and its replay share.

import { html, nothing, svg } from '../vendor/lit-html@3.3.3/lit-html.js';
import { gameOf } from '../board/looks.js';
import { writtenAction } from '../board/speech.js';
import { disc, listed, picture, sideName, t } from '../ui/page.js';
import { playerName } from '../ui/player-name.js';
import { kindOf } from '../session/game-model.js';

/** @import { TemplateResult } from '../vendor/lit-html@3.3.3/lit-html.js' */
/** @import { Allowance, Player, Ruleset, SetUp, Side, Step, Turn } from '../protocol.js' */
/** @import { TurnLine } from '../session/game-model.js' */

/** Number of quiet turns from which they are shown. */
const QUIET_TOLD = 80;
/** The councillors that a side has at the end of its stackings (RULES 2.3). */
const COUNCILLORS = 3;

// --- Players ---

/** The piece that stands for each side, by the id of its picture.
 * @type {Record<ReturnType<typeof gameOf>['art'], Record<Side, string>>}
 */
const CRESTS = {
  fibonacci: { first: 'piece-C', second: 'piece-c' },
  fenix: { first: 'fenix-K', second: 'fenix-k' },
  focus: { first: 'man-x', second: 'man-o' },
  crossfire: { first: 'man-x', second: 'man-o' },
};

/**
 * The bar of a player.
 *
 * @param {object} player
 * @param {Ruleset} player.ruleset
 * @param {Side} player.side
 * @param {Player | string} player.player the player, or what is said of a seat without one
 * @param {boolean} [player.isNamed] whether the name differs from that of the side
 * @param {boolean} player.toMove
 * @param {string[]} [player.notes] remarks about the player besides the side
 * @param {string | null} [player.below] a remark with a line of its own
 * @param {number} player.taken number of captures
 * @param {TemplateResult | typeof nothing} [player.presence] whether the player is here
 * @param {TemplateResult | typeof nothing} [player.tray] the player's reserve
 * @param {TemplateResult | typeof nothing} [player.clock]
 */
export const playerBar = ({
  ruleset,
  side,
  player,
  isNamed = true,
  toMove,
  notes = [],
  below = null,
  taken,
  presence = nothing,
  tray = nothing,
  clock = nothing,
}) =>
  html`<div class=${toMove ? 'player to-move' : 'player'}>
    <svg class="crest" viewBox="-40 -40 80 80" aria-hidden="true" focusable="false"><use href=${`#${CRESTS[gameOf(ruleset).art][side]}`} /></svg>
    <span class="who">
      <span class="name" translate=${typeof player === 'string' ? nothing : 'no'}>${typeof player === 'string' ? html`<bdi>${player}</bdi>` : playerName(player)}</span>
      ${isNamed ? html`<span class="sr">${sideName(ruleset, side)}</span>` : nothing}
      ${presence}
      ${notes.length === 0 ? nothing : html`<span class="note">${notes.join(' · ')}</span>`}
    </span>
    ${taken === 0 ? nothing : takenSign(taken)} ${tray} ${clock}
    ${below === null ? nothing : html`<span class="note below">${below}</span>`}
  </div>`;

const TAKEN = svg`<circle cx="12" cy="12" r="8"/><path d="m4 4 16 16M20 4 4 20"/>`;

/** The captures of a side: their sign and their number.
 * @param {number} n
 */
const takenSign = (n) =>
  html`<span class="taken" title=${t('tray.taken', { n })}>${picture(TAKEN)}<span aria-hidden="true">${n}</span><span class="sr">${t('tray.taken', { n })}</span></span>`;

/**
 * A side's reserve, its men side by side; nothing where a game has none. With `press` it is a button.
 *
 * @param {Ruleset} ruleset
 * @param {Side} side
 * @param {Turn['reserves']} reserves
 * @param {object} [button]
 * @param {boolean} [button.picked] whether the next cell gets a man of it
 * @param {() => void} [button.press]
 */
export function reserveTray(ruleset, side, reserves, { picked = false, press } = {}) {
  if (reserves === null) return nothing;
  const men = reserves[side];
  const content = html`<span>${t('tray.reserve', { n: men })}</span>
    <span class="men" aria-hidden="true">${Array.from({ length: men }, () => disc(ruleset, side))}</span>`;
  if (press === undefined) return html`<span class="tray">${content}</span>`;
  return html`<button class="tray" aria-pressed=${picked} title=${t('tray.drop')} @click=${press}>${content}</button>`;
}

// --- The turn ---

/** The progress of a turn in words, as `move 2 of 4`.
 * @param {Allowance} allowance
 */
export function countWords({ used, left, allowance }) {
  if (left > 0) return t('strip.move', { i: used + 1, n: allowance });
  return used < allowance ? t('strip.last', { used, n: allowance }) : t('strip.done', { n: allowance });
}

/**
 * The reason that a turn has fewer moves, or the piece its side must make; null if there is nothing to say.
 *
 * @param {Ruleset} ruleset
 * @param {Turn} turn
 * @param {Side | null} mine
 */
export function reasonWords(ruleset, { allowance, owed, side }, mine) {
  const whose = side === mine ? 'yours' : 'theirs';
  if (owed !== null) return t(`owed.${owed.kind}_${whose}`, { side: sideName(ruleset, side) });
  if (allowance === null || allowance.lost === 0) return null;
  const sum = t('strip.sum', { base: allowance.base, lost: allowance.lost, n: allowance.allowance });
  const args = { n: allowance.lost_to.length, cells: listed(allowance.lost_to) };
  const why = t(`strip.attackers_${whose}`, { ...args, side: sideName(ruleset, side) });
  return t('strip.reason', { sum, why });
}

/**
 * The strip of a turn beside the board: its card, a pip for each possible move, the progress of the stackings, the
 * piece to be made, and the count towards a draw.
 *
 * @param {Ruleset} ruleset
 * @param {Turn} turn
 * @param {Side | null} mine
 */
export function strip(ruleset, turn, mine) {
  const { allowance, cards, set_up: setUp, quiet } = turn;
  const reason = reasonWords(ruleset, turn, mine);
  return html`${cards === null || cards.card === null ? nothing : cardFace(cards.card)}
    ${allowance === null ? nothing : pips(allowance)}
    ${setUp === null ? nothing : checklist(ruleset, turn.side, setUp[turn.side])}
    ${reason === null ? nothing : html`<p class="reason">${reason}</p>`}
    ${
      quiet === null || quiet.turns < QUIET_TOLD
        ? nothing
        : html`<p class="reason">${t('strip.quiet', { n: quiet.turns, limit: quiet.limit })}</p>`
    }`;
}

/** @param {Allowance} allowance */
function pips(allowance) {
  const kinds = Array.from({ length: allowance.base }, (_, i) => {
    if (i < allowance.used) return 'made';
    if (i >= allowance.allowance) return 'lost';
    return i === allowance.used ? 'now' : 'left';
  });
  return html`<ol class="pips" aria-label=${t('strip.label')}>
      ${kinds.map((kind) => html`<li class=${`pip ${kind}`}>${pip(kind)}<span class="sr">${t(`strip.pip_${kind}`)}</span></li>`)}
    </ol>
    <p class="count">${countWords(allowance)}</p>`;
}

/** @type {Record<string, TemplateResult>} */
const PIPS = {
  made: svg`<circle cx="12" cy="12" r="10" class="disc-fill" /><path d="m7.5 12.5 3 3 6-7" class="tick" />`,
  now: svg`<circle cx="12" cy="12" r="9.2" class="ring" /><circle cx="12" cy="12" r="4.2" class="dot" />`,
  left: svg`<circle cx="12" cy="12" r="9.2" class="ring" />`,
  lost: svg`<circle cx="12" cy="12" r="9.2" class="ring" /><path d="M5 12c4.5-4.5 9.5-4.5 14 0-4.5 4.5-9.5 4.5-14 0Z" class="lost-petal" />`,
};

/** @param {string} kind */
const pip = (kind) => html`<svg viewBox="0 0 24 24" aria-hidden="true">${PIPS[kind]}</svg>`;

/** The king and councillors that a side has made, and those still to make.
 * @param {Ruleset} ruleset
 * @param {Side} side
 * @param {SetUp} setUp
 */
function checklist(ruleset, side, { king, councillors, left }) {
  const done = Array.from({ length: Math.max(COUNCILLORS, councillors) }, (_, i) => i < councillors);
  /** @param {boolean} isMade */
  const tick = (isMade) =>
    html`<span class="pip ${isMade ? 'made' : 'left'}">${pip(isMade ? 'made' : 'left')}</span>`;
  return html`<p class="set-up">
    <span class="sr">${t('setup.words', { side: sideName(ruleset, side), king: t(king ? 'setup.has_king' : 'setup.no_king'), n: councillors })}</span>
    <span aria-hidden="true">${t('setup.king')} ${tick(king)}</span>
    <span aria-hidden="true">${t('setup.councillors')} ${done.map(tick)}</span>
    <span class="count">${t('setup.left', { n: left })}</span>
  </p>`;
}

/** A card face up.
 * @param {number} value
 */
export const cardFace = (value) =>
  html`<span class="card" role="img" aria-label=${t('cards.card', { n: value })}
    ><span aria-hidden="true">${value}</span></span>`;

// --- Turns played ---

/** An action as people write it.
 * @param {Pick<Step, 'action' | 'swap' | 'route'>} step
 */
export const actionWords = (step) => writtenAction(step, t);

/** The actions of a turn as people write them.
 * @param {Step[]} steps
 */
export const stepsWords = (steps) => steps.map(actionWords).join(t('page.comma'));

/** Effects of an action that its notation does not show, in words; empty if there are none.
 * @param {Step} step
 */
export function effectWords({ action, count, overflow, taken }) {
  const words = [];
  const kind = kindOf(action);
  if (kind === 'make' || kind === 'drop' || kind === 'switch') words.push(t(`did.${kind}`));
  if (count !== null && kind === 'move') words.push(t('did.count', { n: count }));
  if (taken.length > 0) words.push(t('did.taken', { n: taken.length, cells: listed(taken) }));
  if (overflow !== null && overflow.reserved > 0) words.push(t('did.reserved', { n: overflow.reserved }));
  if (overflow !== null && overflow.captured > 0) words.push(t('did.captured', { n: overflow.captured }));
  return words.join(', ');
}

/** An action for screen readers.
 * @param {Step} step
 */
export function spokenWords(step) {
  const effect = effectWords(step);
  return effect === '' ? actionWords(step) : `${actionWords(step)}, ${effect}`;
}

/**
 * The turns, each with its actions, and the notes between them; every action is a link.
 *
 * @param {object} list
 * @param {Ruleset} list.ruleset
 * @param {TurnLine[]} list.lines
 * @param {string} list.base the links up to `#`
 * @param {{ turn: number, action: number } | null} [list.current] the action that is shown
 * @param {{ after: number, words: string }[]} [list.notes] each with the number of played turns before it
 */
export function turnList({ ruleset, lines, base, current = null, notes = [] }) {
  let played = 0;
  /** @param {number} n */
  const notesAfter = (n) =>
    notes.filter(({ after }) => after === n).map(({ words }) => html`<li class="note">${words}</li>`);
  /** @param {TurnLine} line */
  const item = (line) => {
    if (!line.skipped) played += 1;
    return html`${turnItem(ruleset, line, base, current)} ${line.skipped ? nothing : notesAfter(played)}`;
  };
  return html`<ol class="turns">${notesAfter(0)} ${lines.map(item)}</ol>`;
}

/**
 * @param {Ruleset} ruleset
 * @param {TurnLine} line
 * @param {string} base
 * @param {{ turn: number, action: number } | null} current
 */
const turnItem = (ruleset, { number, side, steps, skipped, card }, base, current) => html`<li>
    <span class="no">${number}</span>${disc(ruleset, side)}<span class="sr">${sideName(ruleset, side)}</span>
    ${card === null ? nothing : cardFace(card)}
    ${skipped ? html`<span class="skipped">${t('game.skipped')}</span>` : nothing}
    ${steps.map((step, i) => {
      const here = current?.turn === number && current.action === i + 1;
      const effect = effectWords(step);
      return html`<a href=${`${base}#${number}.${i + 1}`} aria-current=${here ? 'step' : nothing}
        title=${effect === '' ? nothing : effect}><span translate="no">${actionWords(step)}</span>${
          effect === '' ? nothing : html`<span class="sr">, ${effect}</span>`
        }</a> `;
    })}
  </li>`;

/** Scrolls a panel, and only the panel, so that an element in it can be seen.
 * @param {HTMLElement} panel
 * @param {Element | null} element
 */
export function keepInView(panel, element) {
  if (element === null) return;
  const outer = panel.getBoundingClientRect();
  const inner = element.getBoundingClientRect();
  const top = outer.top + (panel.querySelector('.turns-head')?.clientHeight ?? 0);
  if (inner.top < top) panel.scrollTop += inner.top - top;
  if (inner.bottom > outer.bottom) panel.scrollTop += inner.bottom - outer.bottom;
}
