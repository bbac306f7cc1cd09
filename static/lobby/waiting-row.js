// The row of a game that waits for its reader's turn.

import { serverTime } from '../connection/server-time.js';
import { picture, rulesetName, t } from '../ui/page.js';
import { html, svg } from '../vendor/lit-html@3.3.3/lit-html.js';
import { againstWords, clockMark, cover, facts, leftWords, turnMark } from './rows.js';
import { isPressing } from './urgency.js';

/** @import { GameSummary } from '../protocol.js' */

/** A speech bubble. */
const OFFER = svg`<path d="M4 5h16v11H10l-4 4v-4H4Z"/>`;

/** The reader of a list of games that wait: the player to move.
 * @param {GameSummary} game
 */
export const readerOf = ({ seats, to_move }) => (seats === null || to_move === null ? null : seats[to_move]);

/** The offers of the opponent, which wait for the reader's answer.
 * @param {GameSummary} game
 */
const offeredWords = ({ offers = [], to_move }) =>
  offers
    .filter(({ side }) => side !== to_move)
    .map(({ what }) => html`<span class="offered">${picture(OFFER)} ${t(`turns.offered_${what}`)}</span>`);

/** @param {GameSummary} game */
function leftTag(game) {
  if (game.deadline_ms === null) return html`<span class="tag">${t('turns.no_limit')}</span>`;
  const leftMs = game.deadline_ms - serverTime.now();
  return html`<span class=${isPressing(game, leftMs) ? 'tag pressing' : 'tag'}>${leftWords(leftMs)}</span>`;
}

/** @param {(game: GameSummary) => Element} board a small board with the position of a game
 * @param {GameSummary} game
 * @param {boolean} gone whether it waits no more
 */
export const waitingRow = (board, game, gone) =>
  html`<li class=${gone ? 'row gone' : 'row'}>
    ${board(game)}
    ${cover(
      `/game/${game.id}`,
      gone,
      html`<strong>${againstWords(game, readerOf(game))}</strong>
        <span>${rulesetName(game.ruleset)}</span>
        ${offeredWords(game)}
        ${facts([turnMark(game), clockMark(game.clock)])}`,
    )}
    ${gone ? html`<span class="tag">${t('turns.gone')}</span>` : leftTag(game)}
  </li>`;
