// The head of the lobby: its heading, the ways to begin, and the visitor's name.

import { byId, t } from '../ui/page.js';
import { html, nothing, render } from '../vendor/lit-html@3.3.3/lit-html.js';

/** @import { Ruleset } from '../protocol.js' */
/** @import { State } from './state.js' */

/**
 * @typedef {object} Beginnings
 * @property {() => void} create
 * @property {(ruleset: Ruleset) => void} sitDown begins a game of two people at one screen
 * @property {() => void} tryAgain shows the board to try
 * @property {() => void} rename
 */

/** @param {State} state
 * @param {Beginnings} beginnings */
export function drawHero({ me, lists, pairing, busy, isTrying }, { create, sitDown, tryAgain, rename }) {
  render(
    html`<h1>${t('lobby.heading')}</h1>
      <p class="lead">${t('lobby.lead')}</p>`,
    byId('hero'),
  );
  render(
    html`<p class="ways">
        <button class="primary big" @click=${create}>${t('lobby.create')}</button>
        <button class="big" aria-disabled=${busy === 'table'} title=${t('lobby.table_hint')} @click=${() => sitDown(pairing)}>
          ${t('lobby.table_game', { game: t(`ruleset.${pairing}`) })}</button>
        ${isTrying ? nothing : html`<button class="quiet" @click=${tryAgain}>${t('try.show')}</button>`}
      </p>
      <p class="me">
        ${
          me === null
            ? nothing
            : html`<span>${t('lobby.you_are')} <strong>${me.name}</strong></span>
              <button class="quiet" @click=${rename}>${t('lobby.rename')}</button>`
        }
        ${lists.players === null ? nothing : html`<span class="players">${t('lobby.players', { n: lists.players })}</span>`}
      </p>`,
    byId('start'),
  );
}
