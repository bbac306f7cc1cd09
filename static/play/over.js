// What a game shows when it is over: who won and why, and where to go from there.

import { createRoom } from '../net/api.js';
import { resultWords, t } from '../ui/page.js';
import { html, nothing } from '../vendor/lit-html@3.3.3/lit-html.js';
import { startAgain } from './model.js';

/** @import { Outcome, Seats, Side } from '../protocol.js' */
/** @import { Game } from './model.js' */

/**
 * @param {object} over
 * @param {Game} over.game
 * @param {Seats} over.seats
 * @param {Outcome} over.outcome
 * @param {Side | null} over.mine
 * @param {boolean} over.busy whether something is being done
 * @param {(work: () => Promise<unknown>) => void} over.attempt does what takes a request, and says so if it fails
 */
export function overPanel({ game, seats, outcome, mine, busy, attempt }) {
  const { title, reason } = resultWords(game.ruleset, outcome, seats, mine);
  return html`<div class="result">
    <h2>${title}</h2>
    <p>${reason}</p>
    <p class="buttons">
      <a class="button primary" href=${`/replay/${game.id}`}>${t('game.replay')}</a>
      <button ?disabled=${busy} @click=${() => attempt(() => playAgain(game))}>${t('game.again')}</button>
      ${game.seedHash === null ? nothing : html`<a class="button" href=${`/shuffles/${game.id}`}>${t('cards.check')}</a>`}
      <a class="button quiet" href="/">${t('page.to_lobby')}</a>
    </p>
  </div>`;
}

/** @param {Game} game */
async function playAgain(game) {
  const { ruleset, visibility } = game;
  const room = await createRoom({ ruleset, visibility, seat: 'random', ...startAgain(game) });
  location.assign(`/game/${room.id}`);
}
