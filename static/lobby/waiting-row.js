// The row of a game that waits for its reader's turn.

import { serverTime } from '../connection/server-time.js';
import { roughText } from '../session/clock.js';
import { language, rulesetName, t } from '../ui/page.js';
import { html } from '../vendor/lit-html@3.3.3/lit-html.js';
import { againstWords, clockMark, cover, facts, turnMark } from './rows.js';
import { isPressing } from './urgency.js';

/** @import { GameSummary } from '../protocol.js' */

const MINUTE_MS = 60_000;

/** The reader of a list of games that wait: the player to move.
 * @param {GameSummary} game
 */
export const readerOf = ({ seats, to_move }) => (seats === null || to_move === null ? null : seats[to_move]);

/** The time left for the turn, in words.
 * @param {number} leftMs
 */
function leftWords(leftMs) {
  if (leftMs < MINUTE_MS) return t('turns.minute');
  return t('turns.left', { time: roughText(language, leftMs) });
}

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
        ${facts([turnMark(game), clockMark(game.clock)])}`,
    )}
    ${gone ? html`<span class="tag">${t('turns.gone')}</span>` : leftTag(game)}
  </li>`;
