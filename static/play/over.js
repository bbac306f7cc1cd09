// What a game shows when it is over: who won and why, and where to go from there.

import { noteLines } from '../live/log.js';
import { dealingsOf, rematchOf, startAgain } from '../live/dealings.js';
import { createRoom } from '../net/api.js';
import { t } from '../ui/page.js';
import { isOneTable } from './model.js';
import { outcomeWords } from './names.js';
import { html, nothing } from '../vendor/lit-html@3.3.3/lit-html.js';

/** @import { Outcome, Seats, Side } from '../protocol.js' */
/** @import { Deal } from '../live/table.js' */
/** @import { Game } from './model.js' */

/**
 * @typedef {object} Over
 * @property {Game} game
 * @property {Side | null} mine
 * @property {boolean} busy whether something is being done
 * @property {(work: () => Promise<unknown>) => void} attempt does what takes a request, and says so if it fails
 */

/** @param {Over & { seats: Seats, outcome: Outcome, deal: (deal: Deal) => void }} over */
export function overPanel({ game, seats, outcome, mine, busy, attempt, deal }) {
  const { title, reason } = outcomeWords(game, seats, outcome, mine);
  const isTable = isOneTable(game);
  const rematch = rematchOf(game);
  const mayOffer = dealingsOf(game, mine).open.includes('rematch');
  return html`<div class="result">
    <h2>${title}</h2>
    <p>${reason}</p>
    <p class="buttons">
      ${rematch === null ? nothing : html`<a class="button primary" href=${`/game/${rematch}`}>${t('over.to_rematch')}</a>`}
      ${mayOffer ? html`<button class="primary" @click=${() => deal({ type: 'offer', what: 'rematch' })}>${t(isTable ? 'table.rematch' : 'offer.make_rematch')}</button>` : nothing}
      <a class="button" href=${`/replay/${game.id}`}>${t('game.replay')}</a>
      ${isTable ? nothing : againButton({ game, busy, attempt })}
      ${game.seedHash === null ? nothing : html`<a class="button" href=${`/shuffles/${game.id}`}>${t('cards.check')}</a>`}
      <a class="button quiet" href="/">${t('page.to_lobby')}</a>
    </p>
  </div>`;
}

/** @param {Over} over */
export const abortedPanel = ({ game, mine, busy, attempt }) => html`<div class="result">
    <h2>${t('over.aborted')}</h2>
    <p>${noteLines(game).at(-1)?.words}</p>
    <p class="buttons">
      ${mine === null || isOneTable(game) ? nothing : againButton({ game, busy, attempt })}
      <a class="button quiet" href="/">${t('page.to_lobby')}</a>
    </p>
  </div>`;

/** @param {Pick<Over, 'game' | 'busy' | 'attempt'>} over */
const againButton = ({ game, busy, attempt }) =>
  html`<button ?disabled=${busy} @click=${() => attempt(() => playAgain(game))}>${t('game.again')}</button>`;

/** @param {Game} game */
async function playAgain(game) {
  const { ruleset, visibility, terms } = game;
  const room = await createRoom({ ruleset, visibility, seat: 'random', terms, ...startAgain(game) });
  location.assign(`/game/${room.id}`);
}
