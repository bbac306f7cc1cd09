// The board of a game that is played or watched.

import { createBoard } from '../board/board.js';
import { gameOf } from '../board/games.js';
import { announce, byId, t } from '../ui/page.js';
import { endingOf } from './ending.js';
import { bottomSide, canAct, mySide, turnNow } from './state.js';

/** @import { LegalAction } from '../protocol.js' */
/** @import { Doing } from './doing.js' */
/** @import { Game } from './model.js' */
/** @import { State } from './state.js' */

/** Data of the board.
 * @param {State} state
 */
export const boardNeeds = ({ game, me, desk, sending, news, past, making, flipped, prepared }) => [
  ...[game, me, desk, sending, news, past, making, flipped, prepared],
];

/**
 * The board of a game of a ruleset.
 *
 * @param {Game} game
 * @param {Doing} doing
 * @param {(what: 'help' | 'preferences' | 'zen') => void} onAsk
 */
export const openBoard = ({ ruleset }, doing, onAsk) =>
  createBoard(byId('board'), {
    ...{ game: gameOf(ruleset), ruleset, t, announce },
    onAction: (action) => doing.take(action, 'drawn'),
    onStep: doing.stepped,
    onUndo: doing.undo,
    onRestart: doing.restart,
    onAsk,
    onExplain: doing.explainPress,
    onHold: (held) =>
      doing.change((next) => {
        next.held = held;
      }),
  });

/**
 * Shows a game on its board.
 *
 * @param {ReturnType<typeof createBoard>} board
 * @param {State} state
 * @param {Game} game
 */
export function showBoard(board, state, game) {
  const { desk, past, making, fresh, prepared } = state;
  byId('board').classList.toggle('prepared', prepared !== null && past === null);
  board.setFlipped(bottomSide(state) === 'first');
  if (past !== null) return board.show(past.board);
  const { turn, steps } = turnNow(game, desk);
  board.show({
    turn,
    mySide: mySide(state),
    legal: desk === null ? null : canAct(state) ? offered(desk.legal ?? [], making) : [],
    groups: desk?.groups ?? [],
    barred: desk?.barred ?? [],
    bestCapture: making ? null : (desk?.bestCapture ?? null),
    lastSteps: game.turns.at(-1)?.steps ?? [],
    draftSteps: steps,
    decisive: endingOf(game)?.decisive ?? [],
    animate: fresh,
  });
}

/** @param {LegalAction[]} legal
 * @param {boolean} making */
const offered = (legal, making) => (making ? legal.filter(({ kind }) => kind === 'make') : legal);
