// Tools of every board: those of a game, a button that is a picture, a field for those who would rather type a move, and
// the keys that lead to earlier moments.

import { opensElsewhere } from '../ui/leaving.js';
import { byId, icon, picture, t } from '../ui/page.js';
import { html, nothing, svg } from '../vendor/lit-html@3.3.3/lit-html.js';
import { actionNamed } from './typed.js';

/** @import { Ruleset } from '../protocol.js' */
/** @import { TemplateResult } from '../vendor/lit-html@3.3.3/lit-html.js' */
/** @import { Session } from '../session/board-session.js' */
/** @import { SessionState } from '../session/session-state.js' */

const PICTURES = {
  flag: svg`<path d="M6 21V4h11l-2.5 4L17 12H6"/>`,
  keys: svg`<rect x="3" y="6.5" width="18" height="11" rx="2"/><path d="M7 10h.1M10.3 10h.1M13.7 10h.1M17 10h.1M8 14h8"/>`,
  sound: svg`<path d="M4 9.5v5h3.5L12 18.5v-13L7.5 9.5Z"/><path d="M15.5 9a4.2 4.2 0 0 1 0 6M18 6.5a8 8 0 0 1 0 11"/>`,
  mute: svg`<path d="M4 9.5v5h3.5L12 18.5v-13L7.5 9.5ZM16 9.5l5 5M21 9.5l-5 5"/>`,
  more: svg`<path d="M5 12h.1M12 12h.1M19 12h.1" stroke-width="3.2"/>`,
};

/**
 * The tools of a game: its look and sound, offers, leaving, the record, and the field for a typed move.
 *
 * @param {Pick<SessionState, 'muted' | 'asked' | 'turnDraft'> & { isAsking?: boolean }} state
 * @param {Session} session
 * @param {object} game
 * @param {Ruleset} game.ruleset
 * @param {'resign' | 'abort' | null} game.leaving the way in which the player may end the game alone
 * @param {string | null} game.resigns the side that resigns, where one person has both
 * @param {() => void} game.leave
 * @param {{ words: string, agree: () => void } | null} [game.draw] the draw that may be offered, with the key of its
 *   question
 * @param {unknown} game.offers the buttons after the one that leaves
 * @param {unknown} game.rest the tools that are rarely needed
 */
export function gameTools(state, session, { ruleset, leaving, resigns, leave, draw = null, offers, rest }) {
  const { flip, toggleSound, help, ask, keepPlaying } = session;
  const { muted, asked, turnDraft } = state;
  return html`${toolRow(
    html`${leaving === null ? nothing : askingTool(`game.${leaving}`, picture(PICTURES.flag), 'leave', ask)} ${offers}
      ${tool('game.flip', icon('flip'), flip)} ${tool('game.mute', picture(PICTURES[muted ? 'mute' : 'sound']), toggleSound, muted)}`,
    html`${rest} <div class="by-key">${tool('game.keys', picture(PICTURES.keys), help)}</div>`,
    question(),
  )}
    ${turnDraft === null ? nothing : typedMove(ruleset, state, session)}`;

  function question() {
    if (asked === 'draw' && draw !== null)
      return confirmation(t(`${draw.words}_sure`), t(`${draw.words}_yes`), draw.agree, keepPlaying);
    if (asked !== 'leave' || leaving === null) return nothing;
    const sure = resigns === null ? t(`game.${leaving}_sure`) : t('table.resign_sure', { side: resigns });
    return confirmation(sure, t(`game.${leaving}_yes`), leave, keepPlaying);
  }
}

/**
 * Tools in a row of pictures, and the others by their words behind the button at its end. In a tab all have words.
 *
 * @param {unknown} first
 * @param {unknown} rest
 * @param {unknown} [question] what a tool of the row asks
 */
export const toolRow = (first, rest, question = nothing) =>
  html`<div class="icons">${first}
      <button class="quiet unfold" aria-expanded="false" aria-controls="rest" title=${t('tabs.more')} @click=${unfold}>${picture(PICTURES.more)} <span>${t('tabs.more')}</span></button>
    </div>
    ${question}
    <div class="rest" id="rest">${rest}</div>`;

/** @param {MouseEvent} event */
function unfold({ currentTarget }) {
  const button = /** @type {HTMLElement} */ (currentTarget);
  button.ariaExpanded = button.ariaExpanded === 'true' ? 'false' : 'true';
}

/** Asks for confirmation before the game ends.
 * @param {string} sure
 * @param {string} yes
 * @param {() => void} agree
 * @param {() => void} keepPlaying
 */
function confirmation(sure, yes, agree, keepPlaying) {
  /** @param {KeyboardEvent} event */
  const onKey = (event) => {
    if (event.key === 'Escape') keepPlaying();
  };
  return html`<div class="ask" role="group" aria-label=${sure} @keydown=${onKey}>
    <span>${sure}</span>
    <button class="danger" @click=${agree}>${yes}</button>
    <button class="quiet" id="ask-no" @click=${keepPlaying}>${t('game.keep_playing')}</button>
  </div>`;
}

/**
 * A tool. Where it is a picture alone, its name is a tooltip.
 *
 * @param {string} key
 * @param {TemplateResult} shape
 * @param {() => void} press
 * @param {boolean} [pressed] for a tool that stays as it is until it is pressed again
 */
export const tool = (key, shape, press, pressed) =>
  html`<button class="quiet" title=${t(key)} aria-pressed=${pressed ?? nothing} @click=${press}>${shape} <span>${t(key)}</span></button>`;

/**
 * A tool that asks before it acts.
 *
 * @param {string} key
 * @param {TemplateResult} shape
 * @param {'leave' | 'draw'} what
 * @param {Session['ask']} ask
 */
export const askingTool = (key, shape, what, ask) =>
  html`<button class="quiet" id=${`ask-${what}`} title=${t(key)} @click=${() => ask(what)}>${shape} <span>${t(key)}</span></button>`;

/**
 * The field for those who would rather type a move.
 *
 * @param {Ruleset} ruleset
 * @param {Pick<SessionState, 'turnDraft'> & { isAsking?: boolean }} state
 * @param {Pick<Session, 'take' | 'explain'>} session
 */
export function typedMove(ruleset, { turnDraft, isAsking = false }, { take, explain }) {
  /** @param {SubmitEvent} event */
  const submit = (event) => {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.target);
    const written = String(new FormData(form).get('move'));
    if (turnDraft === null || isAsking) return explain('status.asking');
    const action = actionNamed(turnDraft, written);
    if (action === undefined) return explain('typed.unknown', { text: written });
    form.reset();
    take(action, 'typed');
  };
  return html`<form class="typed" @submit=${submit}>
    <label>${t('typed.label')} <input name="move" autocomplete="off" autocapitalize="off" spellcheck="false" list="legal" placeholder=${t(`typed.example.${ruleset}`)} /></label>
    <datalist id="legal">${(turnDraft?.legal ?? []).map(({ text }) => html`<option value=${text}></option>`)}</datalist>
    <button class="quiet">${t('typed.stage')}</button>
  </form>`;
}

/** What has keys of its own. */
const ELSEWHERE = '#board, #chat, input, select, textarea, dialog, [role="slider"]';

/** Whether a pressed key is one of the page.
 * @param {KeyboardEvent} event
 */
export const isOfPage = ({ ctrlKey, altKey, metaKey, defaultPrevented, target }) =>
  !(ctrlKey || altKey || metaKey || defaultPrevented) &&
  !(target instanceof Element && target.closest(ELSEWHERE) !== null);

/**
 * Lets plain keys of the page lead to other moments.
 *
 * @param {(key: string) => boolean} leads whether a key leads to a moment
 * @param {(key: string) => void} showMoment
 */
export const followKeys = (leads, showMoment) =>
  document.addEventListener('keydown', (event) => {
    if (!isOfPage(event) || event.shiftKey || !leads(event.key)) return;
    event.preventDefault();
    showMoment(event.key);
  });

/** Keys that lead to another moment. */
const KEYS = ['ArrowLeft', 'ArrowRight', 'Home', 'End'];

/**
 * Lets keys and the list of turns lead to earlier moments.
 *
 * @param {(where: string) => void} showMoment
 */
export function followMoments(showMoment) {
  followKeys((key) => KEYS.includes(key), showMoment);
  byId('turns').addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (link === null || opensElsewhere(event)) return;
    event.preventDefault();
    showMoment(link.hash);
  });
}
