// The tools below the board of a game: its look and sound, the record, offers, and leaving.

import { isOneTable } from '../session/game-model.js';
import { icon, picture, sideName, t } from '../ui/page.js';
import { html, nothing, svg } from '../vendor/lit-html@3.3.3/lit-html.js';
import { tool, typedMove } from '../panels/board-tools.js';
import { offersOf } from './offers.js';

/** @import { OfferKind } from '../protocol.js' */
/** @import { TemplateResult } from '../vendor/lit-html@3.3.3/lit-html.js' */
/** @import { GameActions } from './actions.js' */
/** @import { Game } from '../session/game-model.js' */
/** @import { State } from './game-state.js' */
/** @import { GameSidebar } from './sidebar.js' */

/** Actions of the tools.
 * @typedef {GameActions} Tools */

const PICTURES = {
  flag: svg`<path d="M6 21V4h11l-2.5 4L17 12H6"/>`,
  keys: svg`<rect x="3" y="6.5" width="18" height="11" rx="2"/><path d="M7 10h.1M10.3 10h.1M13.7 10h.1M17 10h.1M8 14h8"/>`,
  sound: svg`<path d="M4 9.5v5h3.5L12 18.5v-13L7.5 9.5Z"/><path d="M15.5 9a4.2 4.2 0 0 1 0 6M18 6.5a8 8 0 0 1 0 11"/>`,
  mute: svg`<path d="M4 9.5v5h3.5L12 18.5v-13L7.5 9.5ZM16 9.5l5 5M21 9.5l-5 5"/>`,
  link: svg`<path d="M10 14a4 4 0 0 0 5.700 0l3-3a4 4 0 0 0-5.700-5.700l-1 1M14 10a4 4 0 0 0-5.700 0l-3 3a4 4 0 0 0 5.700 5.700l1-1"/>`,
  draw: svg`<path d="M4 9.5h16M4 14.5h16"/>`,
};

/** @type {Record<OfferKind, TemplateResult>} */
const OFFERS = { draw: picture(PICTURES.draw), takeback: icon('undo'), rematch: icon('restart') };

/**
 * @param {GameSidebar} sidebar
 * @param {State} state
 * @param {Tools} tools
 * @param {TemplateResult | typeof nothing} [notices] the button for notifications
 */
export function toolBar({ game, mine }, state, tools, notices = nothing) {
  const { open, leaving } = offersOf(game, mine);
  if (state.leaving && leaving !== null) return leaveQuestion(game, leaving, tools);
  const { flip, mute, help, deal, askToLeave } = tools;
  const { muted, turnDraft } = state;
  const offers = game.present.status === 'playing' ? open : [];
  const isTable = isOneTable(game);
  return html`<div class="icons">
      ${tool('game.flip', icon('flip'), flip)} ${tool('game.mute', picture(PICTURES[muted ? 'mute' : 'sound']), mute, muted)}
      ${isTable || (mine === null && game.seats !== null) ? nothing : notices}
      ${tool('game.keys', picture(PICTURES.keys), help)}
      ${
        game.seats === null
          ? nothing
          : html`${tool('share.move', picture(PICTURES.link), tools.copyMove)} ${tool('replay.copy', icon('copy'), tools.copyPosition)}
            ${recordTools(game.id)}`
      }
    </div>
    ${offers.map(
      (what) =>
        html`<button class="quiet" @click=${() => deal({ type: 'offer', what })}>${OFFERS[what]} <span>${t(isTable ? `table.${what}` : `offer.make_${what}`)}</span></button>`,
    )}
    ${leaving === null ? nothing : html`<button class="quiet" id="leave" @click=${askToLeave}>${picture(PICTURES.flag)} <span>${t(`game.${leaving}`)}</span></button>`}
    ${turnDraft === null ? nothing : typedMove(game.ruleset, { ...tools, seat: state })}`;
}

const BRACES = svg`<path d="M9 4c-3 0-2 3-2 5s-1 3-3 3c2 0 3 1 3 3s-1 5 2 5M15 4c3 0 2 3 2 5s1 3 3 3c-2 0-3 1-3 3s1 5-2 5"/>`;

/** Links to a game's record.
 * @param {string} id
 */
const recordTools = (id) =>
  [
    { key: 'record.download', shape: icon('download'), type: 'txt' },
    { key: 'record.json', shape: picture(BRACES), type: 'json' },
  ].map(
    ({ key, shape, type }) =>
      html`<a class="button quiet icon" title=${t(key)} aria-label=${t(key)} href=${`/api/v1/games/${id}/record.${type}`}
        download=${`towers-${id}.${type}`}>${shape}</a>`,
  );

/** Asks for confirmation. At one table it names the side that resigns.
 * @param {Game} game
 * @param {'resign' | 'abort'} leaving
 * @param {Tools} tools
 */
function leaveQuestion(game, leaving, { leave, stay }) {
  const isTable = isOneTable(game) && leaving === 'resign';
  const side = sideName(game.ruleset, game.present.turn.side);
  /** @param {KeyboardEvent} event */
  const onKey = (event) => {
    if (event.key === 'Escape') stay();
  };
  return html`<div class="ask" role="group" aria-label=${t(`game.${leaving}`)} @keydown=${onKey}>
    <span>${isTable ? t('table.resign_sure', { side }) : t(`game.${leaving}_sure`)}</span>
    <button class="danger" @click=${() => leave(leaving)}>${t(`game.${leaving}_yes`)}</button>
    <button class="quiet" id="leave-no" @click=${stay}>${t('game.keep_playing')}</button>
  </div>`;
}
