// The head of the lobby: its heading, the ways to begin, and the visitor's name.

import { levelField, levelIn } from '../ui/bots.js';
import { byId, t } from '../ui/page.js';
import { html, nothing, render } from '../vendor/lit-html@3.3.3/lit-html.js';
import { rulesetSelect } from './pairing.js';
import { submitted } from '../ui/submit.js';

/** @import { Ruleset } from '../protocol.js' */
/** @import { State } from './lobby-state.js' */

/**
 * @typedef {object} Beginnings
 * @property {() => void} create
 * @property {(ruleset: Ruleset) => void} choose the ruleset of the ways to begin
 * @property {(ruleset: Ruleset, level: number) => Promise<void>} playBot begins a game against a bot
 * @property {(ruleset: Ruleset) => void} sitDown begins a game of two people at one screen
 * @property {() => void} tryAgain shows the board to try
 * @property {() => void} rename
 */

/** @param {State} state
 * @param {Beginnings} beginnings */
export function drawHero({ me, lists, pairing, busy, isTrying }, beginnings) {
  const { create, sitDown, tryAgain, rename } = beginnings;
  render(
    html`<h1>${t('lobby.heading')}</h1>
      <p class="lead">${t('lobby.lead')}</p>`,
    byId('hero'),
  );
  render(
    html`${botForm(pairing, beginnings)}
      <p class="ways">
        <button class="big" @click=${create}>${t('lobby.create')}</button>
        <button class="big" aria-disabled=${busy} title=${t('lobby.table_hint')} @click=${() => sitDown(pairing)}>
          ${t('lobby.table_game', { game: t(`ruleset.${pairing}`) })}</button>
        ${isTrying ? nothing : html`<button class="quiet" @click=${tryAgain}>${t('try.show')}</button>`}
      </p>
      <p class="me">
        ${
          me === null
            ? nothing
            : html`<span>${t('lobby.you_are')} <strong translate="no"><bdi>${me.name}</bdi></strong></span>
              <button class="quiet" @click=${rename}>${t('lobby.rename')}</button>`
        }
        ${lists.players === null ? nothing : html`<span class="players">${t('lobby.players', { n: lists.players })}</span>`}
      </p>`,
    byId('start'),
  );
}

/** The form that begins a game against a bot.
 * @param {Ruleset} chosen
 * @param {Beginnings} beginnings
 */
function botForm(chosen, { choose, playBot }) {
  /** @param {SubmitEvent} event */
  function submit(event) {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.target);
    submitted(form, () => playBot(chosen, levelIn(form)));
  }
  return html`<form class="bot" aria-label=${t('bot.play')} @submit=${submit}>
    <button class="primary big">${t('bot.play')}</button>
    ${rulesetSelect(chosen, choose, t('bot.ruleset'))}
    ${levelField()}
    <p class="error" role="alert"></p>
  </form>`;
}
