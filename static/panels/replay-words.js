// The words for a turn while the board plays it: its side, and the move that is being made.

import { actionWords } from './turns-and-players.js';
import { t } from '../ui/page.js';

/** @import { Step } from '../protocol.js' */
/** @import { PlayedTurn } from '../session/game-model.js' */
/** @import { SessionState } from '../session/session-state.js' */

/**
 * @param {Pick<SessionState, 'replayed'>} state
 * @param {readonly Pick<PlayedTurn, 'side' | 'steps'>[]} turns those that were played
 * @returns {{ side: PlayedTurn['side'], words: string } | null} null unless the board is playing one of them
 */
export function replayWords({ replayed }, turns) {
  // Each step leads to a position of its own, as its text has the number of the turn and the moves that are left.
  const isShown = (/** @type {Step} */ { position }) => position === replayed?.position;
  const turn = turns.findLast(({ steps }) => steps.some(isShown));
  if (turn === undefined) return null;
  const moves = turn.steps.filter(({ route }) => route.length > 0);
  const i = moves.findIndex(isShown) + 1;
  return {
    side: turn.side,
    words: t('status.replay', { i, n: moves.length, action: actionWords(moves[i - 1]) }),
  };
}
