// The end of a game: the winner, the reason, and the ways on.

import { noteLines } from './event-words.js';
import { offersOf, rematchOf, startAgain } from './offers.js';
import { wholeText } from '../session/clock.js';
import { createRoom } from '../connection/api.js';
import { leaveFor } from '../ui/leaving.js';
import { disc, icon, language, sideName, t } from '../ui/page.js';
import { figuresOf } from '../session/ending.js';
import { isOneTable } from '../session/game-model.js';
import { outcomeWords } from '../session/player-names.js';
import { html, nothing } from '../vendor/lit-html@3.3.3/lit-html.js';

/** @import { Outcome, Seats, Side } from '../protocol.js' */
/** @import { OfferCommand } from './sidebar.js' */
/** @import { Game } from '../session/game-model.js' */

/**
 * @typedef {object} Over
 * @property {Game} game
 * @property {Side | null} mine
 * @property {boolean} busy whether something is being done
 * @property {(work: () => Promise<unknown>) => void} attempt runs a request, and reports its failure
 */

/** @param {Over & { seats: Seats, outcome: Outcome, sendOffer: (sendOffer: OfferCommand) => void,
 *   share: () => void }} over */
export function overPanel({ game, seats, outcome, mine, busy, attempt, sendOffer, share }) {
  const { title, reason } = outcomeWords(game, seats, outcome, mine);
  const isTable = isOneTable(game);
  const rematch = rematchOf(game);
  const mayOffer = offersOf(game, mine).open.includes('rematch');
  return html`<div class="result">
    <h2>${title}</h2>
    <p>${reason}</p>
    ${figuresTable(game)}
    <p class="buttons">
      ${rematch === null ? nothing : html`<a class="button primary" href=${`/game/${rematch}`}>${t('over.to_rematch')}</a>`}
      ${mayOffer ? html`<button class="primary" @click=${() => sendOffer({ type: 'offer', what: 'rematch' })}>${t(isTable ? 'table.rematch' : 'offer.make_rematch')}</button>` : nothing}
      <a class="button" href=${`/replay/${game.id}`}>${t('game.replay')}</a>
      ${isTable ? nothing : againButton({ game, mine, busy, attempt })}
      <button @click=${share}>${icon('share')} ${t('share.game')}</button>
      ${game.seedHash === null ? nothing : html`<a class="button" href=${`/shuffles/${game.id}`}>${t('cards.check')}</a>`}
      <a class="button quiet" href="/">${t('page.to_lobby')}</a>
    </p>
  </div>`;
}

/** Figures of a game's course, side by side.
 * @param {Game} game
 */
function figuresTable(game) {
  const { turns, tookMs, taken, attackers } = figuresOf(game);
  if (turns === 0) return nothing;
  /** @param {string} key
   * @param {string | number} first
   * @param {string | number} second */
  const row = (key, first, second) =>
    html`<tr><th scope="row">${t(key)}</th><td>${first}</td><td>${second}</td></tr>`;
  /** @param {number} ms */
  const time = (ms) => wholeText(language, ms);
  const { ruleset } = game;
  return html`<table class="figures">
    <thead><tr>
      <th scope="col">${t('figures.turns', { n: turns })}</th>
      <th scope="col">${disc(ruleset, 'first')} ${sideName(ruleset, 'first')}</th>
      <th scope="col">${disc(ruleset, 'second')} ${sideName(ruleset, 'second')}</th>
    </tr></thead>
    <tbody>
      ${row('figures.time', time(tookMs.first), time(tookMs.second))}
      ${taken === null ? nothing : row('figures.taken', taken.first, taken.second)}
      ${attackers === null ? nothing : row('figures.attackers', attackers.first, attackers.second)}
    </tbody>
  </table>`;
}

/** @param {Over} over */
export const abortedPanel = ({ game, mine, busy, attempt }) => html`<div class="result">
    <h2>${t('over.aborted')}</h2>
    <p>${noteLines(game).at(-1)?.words}</p>
    <p class="buttons">
      ${mine === null || isOneTable(game) ? nothing : againButton({ game, mine, busy, attempt })}
      <a class="button quiet" href="/">${t('page.to_lobby')}</a>
    </p>
  </div>`;

/** @param {Over} over */
const againButton = ({ game, mine, busy, attempt }) =>
  html`<button aria-disabled=${busy} @click=${() => attempt(() => playAgain(game))}>${t(mine === null ? 'game.again' : 'over.new_opponent')}</button>`;

/** Opens a room for a game by the same rules and the same clock.
 * @param {Game} game
 */
async function playAgain(game) {
  const { ruleset, visibility, terms } = game;
  const room = await createRoom({ ruleset, visibility, seat: 'random', terms, ...startAgain(game) });
  await leaveFor(`/game/${room.id}`);
}
