// The end of a game: the winner, the reason, and the ways on.

import { noteLines } from './event-words.js';
import { challengeAgain } from './challenging.js';
import { awayOpponent, offersOf, rematchOf, roomLike } from './offers.js';
import { wholeText } from '../session/clock.js';
import { createRoom, inviteBot } from '../connection/api.js';
import { HIGHEST, keepLevel } from '../ui/bots.js';
import { leaveFor } from '../ui/leaving.js';
import { icon, language, t } from '../ui/page.js';
import { isOneTable, otherSide } from '../session/game-model.js';
import { outcomeTitle, outcomeWords } from '../session/player-names.js';
import { pictureOf } from '../session/share.js';
import { html, nothing } from '../vendor/lit-html@3.3.3/lit-html.js';

/** @import { Outcome, Seats, Side } from '../protocol.js' */
/** @import { OfferCommand, Presence } from './sidebar.js' */
/** @import { Game } from '../session/game-model.js' */

/**
 * @typedef {object} Over
 * @property {Game} game
 * @property {Side | null} mine
 * @property {boolean} busy whether something is being done
 * @property {(work: () => Promise<unknown>) => void} attempt runs a request, and reports its failure
 */

/** @param {Over & { seats: Seats, outcome: Outcome, presence: Presence | null, sendOffer: (sendOffer: OfferCommand) => void,
 *   share: () => void, chances: (href: string) => unknown }} over `chances` draws the winning chances, if they are known */
export function overPanel(over) {
  const { game, seats, outcome, mine, share, chances, busy, attempt } = over;
  const { reason } = outcomeWords(game, seats, outcome, mine);
  const isTable = isOneTable(game);
  const rematch = rematchOf(game);
  const level = mine === null ? undefined : seats[otherSide(mine)].bot;
  const isAgainstBot = level !== undefined;
  const next = level !== undefined && outcome.winner === mine && level < HIGHEST ? level + 1 : null;
  /** After a win the next level comes first. */
  const look = next === null ? 'button primary' : 'button';
  const again = html`${rematch === null ? nothing : html`<a class="button primary" href=${`/game/${rematch}`}>${t('over.to_rematch')}</a>`}
      ${rematchButton(over, look)}`;
  const toReview = `/replay/${game.id}?review=${isTable ? '' : (mine ?? '')}`;
  const review =
    mine === null
      ? html`<a class="button" href=${`/replay/${game.id}`}>${t('game.replay')}</a>`
      : html`<a class=${isAgainstBot ? look : 'button'} href=${toReview}>${icon('eye')} ${t('over.review')}</a>`;
  return html`<div class="result">
    <h2>${outcomeTitle(game, seats, outcome, mine)}</h2>
    <p>${reason}</p>
    ${game.present.turn.number === 1 ? nothing : html`<p class=${game.turns.length === 0 ? 'lead unknown' : 'lead'}>${lengthWords(game)}</p>`}
    ${chances(toReview)}
    <p class="buttons">
      ${next === null ? nothing : html`<button class="primary" aria-disabled=${busy} @click=${() => attempt(() => playLevel(game, mine, next))}>${t('over.next_level', { level: t(`bot.level_${next}`) })}</button>`}
      ${isAgainstBot ? [review, again] : [again, review]}
      ${isTable || next !== null ? nothing : againButton({ game, mine, busy, attempt })}
      <button @click=${share}>${icon('share')} ${t('share.game')}</button>
      ${pictureLink(game)}
      ${game.seedHash === null ? nothing : html`<a class="button" href=${`/shuffles/${game.id}`}>${t('cards.check')}</a>`}
      ${mine === null ? nothing : html`<a class="button quiet" href="/games?list=mine">${t('lobby.mine')}</a>`}
      <a class="button quiet" href="/">${t('page.to_lobby')}</a>
    </p>
  </div>`;
}

/** The way to another game of the two: an offer, or a challenge to an opponent who has left and would not see one.
 * @param {Parameters<typeof overPanel>[0]} over
 * @param {string} look
 */
function rematchButton({ game, mine, presence, busy, attempt, sendOffer }, look) {
  const away = awayOpponent(game, mine, presence);
  if (away === null && !offersOf(game, mine).open.includes('rematch')) return nothing;
  const offer = isOneTable(game) ? 'table.rematch' : 'offer.make_rematch';
  const press = () => {
    if (away !== null && mine !== null) attempt(() => challengeAgain(away, game, mine));
    else sendOffer({ type: 'offer', what: 'rematch' });
  };
  return html`<button class=${look} aria-disabled=${busy} @click=${press}>${t(away === null ? offer : 'over.challenge_again')}</button>`;
}

/** The length of a game: its turns, and the time that they took. Until the turns are there, unseen words keep the place.
 * @param {Game} game
 */
function lengthWords({ turns, present }) {
  const n = turns.length || present.turn.number - 1;
  const ms = turns.length === 0 ? AN_HOUR_MS - 1 : turns.reduce((sum, { tookMs }) => sum + tookMs, 0);
  return t('over.length', { n, time: wholeText(language, ms) });
}

const AN_HOUR_MS = 3_600_000;

/** The way to a picture of the last position, which shows what any spectator may see.
 * @param {Game} game
 */
const pictureLink = ({ id, terms }) =>
  terms.watching === 'nobody'
    ? nothing
    : html`<a class="button" href=${pictureOf(id)} download=${`towers-${id}.png`}>${icon('download')} ${t('share.picture')}</a>`;

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
  const room = await createRoom({ ...roomLike(game, 'random'), visibility: game.visibility });
  await leaveFor(`/game/${room.id}`);
}

/** Begins such a game against a bot, with the same seat. If the bot cannot come, the room's page offers it again.
 * @param {Game} game
 * @param {Side | null} mine
 * @param {number} level
 */
async function playLevel(game, mine, level) {
  const room = await createRoom(roomLike(game, mine ?? 'random'));
  keepLevel(level);
  await inviteBot(room.id, { level }).catch(console.warn);
  await leaveFor(`/game/${room.id}`);
}
