// Tools of every board: a button that is a picture, a field for those who would rather type a move, and the ways to
// earlier moments.

import { walkButton } from './walk.js';
import { byId, t } from '../ui/page.js';
import { html, nothing } from '../vendor/lit-html@3.3.3/lit-html.js';
import { actionNamed } from './typed.js';

/** @import { LegalAction, Ruleset } from '../protocol.js' */
/** @import { TemplateResult } from '../vendor/lit-html@3.3.3/lit-html.js' */
/** @import { Args } from '../i18n.js' */
/** @import { TurnDraft } from '../engine/turn-draft.js' */

/**
 * A tool that is a picture; its name is a tooltip and its accessible name.
 *
 * @param {string} key
 * @param {TemplateResult} shape
 * @param {() => void} press
 * @param {boolean} [pressed] for a tool that stays as it is until it is pressed again
 */
export const tool = (key, shape, press, pressed) =>
  html`<button class="quiet icon" title=${t(key)} aria-label=${t(key)} aria-pressed=${pressed ?? nothing} @click=${press}>${shape}</button>`;

/**
 * The field for those who would rather type a move.
 *
 * @param {Ruleset} ruleset
 * @param {object} tools
 * @param {{ turnDraft: TurnDraft | null, isAsking: boolean }} tools.seat
 * @param {(action: LegalAction, how: 'drawn' | 'typed') => void} tools.take
 * @param {(key: string, args?: Args) => void} tools.explain
 */
export function typedMove(ruleset, { seat, take, explain }) {
  /** @param {SubmitEvent} event */
  const submit = (event) => {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.target);
    const written = String(new FormData(form).get('move'));
    if (seat.turnDraft === null || seat.isAsking) return explain('status.asking');
    const action = actionNamed(seat.turnDraft, written);
    if (action === undefined) return explain('typed.unknown', { text: written });
    form.reset();
    take(action, 'typed');
  };
  return html`<form class="typed" @submit=${submit}>
    <label>${t('typed.label')} <input name="move" autocomplete="off" autocapitalize="off" spellcheck="false" list="legal" placeholder=${t(`typed.example.${ruleset}`)} /></label>
    <datalist id="legal">${(seat.turnDraft?.legal ?? []).map(({ text }) => html`<option value=${text}></option>`)}</datalist>
    <button class="quiet">${t('typed.stage')}</button>
  </form>`;
}

/** Keys that lead to another moment, except where they mean something else. */
const KEYS = ['ArrowLeft', 'ArrowRight', 'Home', 'End'];
const ELSEWHERE = '#board, #chat, input, select, textarea, dialog';

/**
 * Lets keys and the list of turns lead to earlier moments.
 *
 * @param {(where: string) => void} look
 */
export function followLooks(look) {
  document.addEventListener('keydown', (event) => {
    const isPlain = !(event.ctrlKey || event.altKey || event.metaKey || event.shiftKey);
    const isElsewhere = event.target instanceof Element && event.target.closest(ELSEWHERE) !== null;
    if (!isPlain || isElsewhere || !KEYS.includes(event.key)) return;
    event.preventDefault();
    look(event.key);
  });
  byId('turns').addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (link === null || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    look(link.hash);
  });
}

/**
 * The buttons that lead to earlier moments.
 *
 * @param {(where: string) => void} look
 * @param {boolean} isNow whether the shown moment is the last one
 */
export const walkBar = (look, isNow) => html`<div class="walk" role="group" aria-label=${t('replay.walk')}>
    ${walkButton('first', () => look('Home'))} ${walkButton('back', () => look('ArrowLeft'))}
    ${walkButton('forward', () => look('ArrowRight'), isNow)} ${walkButton('last', () => look('End'), isNow)}
  </div>`;
