// Tools of every board: a button that is a picture, a field for those who would rather type a move, and the ways to
// earlier moments.

import { walkButton } from './walk.js';
import { byId, icon, picture, t } from '../ui/page.js';
import { html, nothing, svg } from '../vendor/lit-html@3.3.3/lit-html.js';
import { actionNamed } from './typed.js';

/** @import { LegalAction, Ruleset } from '../protocol.js' */
/** @import { TemplateResult } from '../vendor/lit-html@3.3.3/lit-html.js' */
/** @import { Args } from '../i18n.js' */
/** @import { TurnDraft } from '../engine/turn-draft.js' */

const PICTURES = {
  flag: svg`<path d="M6 21V4h11l-2.5 4L17 12H6"/>`,
  keys: svg`<rect x="3" y="6.5" width="18" height="11" rx="2"/><path d="M7 10h.1M10.3 10h.1M13.7 10h.1M17 10h.1M8 14h8"/>`,
  sound: svg`<path d="M4 9.5v5h3.5L12 18.5v-13L7.5 9.5Z"/><path d="M15.5 9a4.2 4.2 0 0 1 0 6M18 6.5a8 8 0 0 1 0 11"/>`,
  mute: svg`<path d="M4 9.5v5h3.5L12 18.5v-13L7.5 9.5ZM16 9.5l5 5M21 9.5l-5 5"/>`,
};

/** The tools of every game: the board's side, the sound, and the list of keys.
 * @param {boolean} muted
 * @param {{ flip: () => void, mute: () => void, help: () => void }} session
 */
export const usualTools = (muted, { flip, mute, help }) => ({
  look: html`${tool('game.flip', icon('flip'), flip)} ${tool('game.mute', picture(PICTURES[muted ? 'mute' : 'sound']), mute, muted)}`,
  keys: tool('game.keys', picture(PICTURES.keys), help),
});

/** The button that asks to end the game alone.
 * @param {'resign' | 'abort'} how
 * @param {() => void} ask
 */
export const leaveButton = (how, ask) =>
  html`<button class="quiet" id="leave" @click=${ask}>${picture(PICTURES.flag)} <span>${t(`game.${how}`)}</span></button>`;

/** Asks for confirmation before the game ends.
 * @param {'resign' | 'abort'} how
 * @param {string | null} side the side that resigns, where one person has both
 * @param {() => void} leave
 * @param {() => void} stay
 */
export function leaveQuestion(how, side, leave, stay) {
  /** @param {KeyboardEvent} event */
  const onKey = (event) => {
    if (event.key === 'Escape') stay();
  };
  return html`<div class="ask" role="group" aria-label=${t(`game.${how}`)} @keydown=${onKey}>
    <span>${side === null ? t(`game.${how}_sure`) : t('table.resign_sure', { side })}</span>
    <button class="danger" @click=${leave}>${t(`game.${how}_yes`)}</button>
    <button class="quiet" id="leave-no" @click=${stay}>${t('game.keep_playing')}</button>
  </div>`;
}

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
