// The reserves above and below the board of an exercise.

import { otherSide } from '../session/game-model.js';
import { reserveTray } from './turns-and-players.js';
import { byId } from '../ui/page.js';
import { render } from '../vendor/lit-html@3.3.3/lit-html.js';
import { reservePress } from './turn-buttons.js';

/** @import { Ruleset } from '../protocol.js' */
/** @import { Session } from '../session/board-session.js' */
/** @import { SessionState } from '../session/session-state.js' */

/** Draws the reserves, where there are any; one's own can be pressed while the exercise is open.
 * @param {Ruleset} ruleset
 * @param {Pick<SessionState, 'turnDraft' | 'held'>} state
 * @param {Pick<Session, 'pickReserve'>} session
 * @param {boolean} isOpen
 */
export function drawTrays(ruleset, state, session, isOpen) {
  const reserves = state.turnDraft?.turn.reserves ?? null;
  const mine = state.turnDraft?.start.side ?? 'first';
  const press = isOpen ? reservePress(state, mine, session) : {};
  render(reserveTray(ruleset, otherSide(mine), reserves), byId('tray-top'));
  render(reserveTray(ruleset, mine, reserves, press), byId('tray-bottom'));
}
