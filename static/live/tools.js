// The tools below a board: its look and sound, the record, what may be offered, how to leave, and a field for who would
// rather type a move. Loaded behind the first paint.

import { recordLinks } from '../play/panels.js';
import { icon, t } from '../ui/page.js';
import { html, nothing } from '../vendor/lit-html@3.3.3/lit-html.js';
import { dealingsOf } from './dealings.js';
import { actionNamed } from './typed.js';

/** @import { LegalAction, OfferKind, Ruleset } from '../protocol.js' */
/** @import { TemplateResult } from '../vendor/lit-html@3.3.3/lit-html.js' */
/** @import { Args } from '../i18n.js' */
/** @import { Desk } from '../play/seat.js' */
/** @import { Deal, Table } from './table.js' */

/**
 * @typedef {object} Tools
 * @property {() => void} flip
 * @property {boolean} muted
 * @property {() => void} mute
 * @property {() => void} help
 * @property {(deal: Deal) => void} deal
 * @property {boolean} leaving whether I am asked if I mean to leave
 * @property {() => void} askToLeave
 * @property {(how: 'resign' | 'abort') => void} leave
 * @property {() => void} stay
 * @property {{ desk: Desk | null, isAsking: boolean }} seat
 * @property {(action: LegalAction, how: 'typed') => void} take makes a move
 * @property {(key: string, args?: Args) => void} explain puts a sentence into the status
 */

/** @type {Record<OfferKind, string>} */
const ICONS = { draw: 'draw', takeback: 'undo', rematch: 'restart' };

/**
 * @param {Table} table
 * @param {Tools} tools
 * @param {TemplateResult | typeof nothing} [notices] the button for notifications
 */
export function toolBar({ game, mine }, tools, notices = nothing) {
  const { open, leaving } = dealingsOf(game, mine);
  if (tools.leaving && leaving !== null) return leaveQuestion(leaving, tools);
  const { flip, muted, mute, help, deal, askToLeave } = tools;
  return html`<button class="quiet" @click=${flip}>${icon('flip')} <span>${t('game.flip')}</span></button>
    <button class="quiet" aria-pressed=${muted} @click=${mute}>${icon(muted ? 'mute' : 'sound')} <span>${t('game.mute')}</span></button>
    ${mine === null && game.seats !== null ? nothing : notices}
    <button class="quiet" @click=${help}>${icon('keys')} <span>${t('game.keys')}</span></button>
    ${game.seats === null ? nothing : recordLinks(game.id)}
    ${open.map(
      (what) =>
        html`<button class="quiet" @click=${() => deal({ type: 'offer', what })}>${icon(ICONS[what])} <span>${t(`offer.make_${what}`)}</span></button>`,
    )}
    ${leaving === null ? nothing : html`<button class="quiet" id="leave" @click=${askToLeave}>${icon('flag')} <span>${t(`game.${leaving}`)}</span></button>`}
    ${tools.seat.desk === null ? nothing : typedMove(game.ruleset, tools)}`;
}

/** Asks whether I mean it.
 * @param {'resign' | 'abort'} leaving
 * @param {Tools} tools
 */
function leaveQuestion(leaving, { leave, stay }) {
  /** @param {KeyboardEvent} event */
  const onKey = (event) => {
    if (event.key === 'Escape') stay();
  };
  return html`<div class="ask" role="group" aria-label=${t(`game.${leaving}`)} @keydown=${onKey}>
    <span>${t(`game.${leaving}_sure`)}</span>
    <button class="danger" @click=${() => leave(leaving)}>${t(`game.${leaving}_yes`)}</button>
    <button class="quiet" id="leave-no" @click=${stay}>${t('game.keep_playing')}</button>
  </div>`;
}

/**
 * @param {Ruleset} ruleset
 * @param {Tools} tools
 */
function typedMove(ruleset, { seat, take, explain }) {
  /** @param {SubmitEvent} event */
  const submit = (event) => {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.target);
    const written = String(new FormData(form).get('move'));
    if (seat.desk === null || seat.isAsking) return explain('status.asking');
    const action = actionNamed(seat.desk, written);
    if (action === undefined) return explain('typed.unknown', { text: written });
    form.reset();
    take(action, 'typed');
  };
  return html`<form class="typed" @submit=${submit}>
    <label>${t('typed.label')} <input name="move" autocomplete="off" autocapitalize="off" spellcheck="false" list="legal" placeholder=${t(`typed.example.${ruleset}`)} /></label>
    <datalist id="legal">${(seat.desk?.legal ?? []).map(({ text }) => html`<option value=${text}></option>`)}</datalist>
    <button class="quiet">${t('typed.stage')}</button>
  </form>`;
}
