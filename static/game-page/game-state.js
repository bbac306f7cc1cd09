// The state of the page of a game, and values derived from it. Pure.

import { initialSession } from '../session/session-state.js';
import { hasDays } from '../session/clock.js';
import { turnDraftOf } from '../engine/turn-draft.js';
import { isOneTable, otherSide, sideOf, takesConditional } from '../session/game-model.js';
import { NO_QUEUE } from './next-game.js';

/** @import { ChatLine, LineId, Player, Side } from '../protocol.js' */
/** @import { SessionState } from '../session/session-state.js' */
/** @import { Presence, GameSidebar } from './sidebar.js' */
/** @import { News } from '../connection/socket.js' */
/** @import { Clause } from './clause-panel.js' */
/** @import { Missing } from '../panels/missing-game.js' */
/** @import { Game } from '../session/game-model.js' */
/** @import { Preferences } from '../ui/preference-values.js' */
/** @import { Queue } from './next-game.js' */
/** @import { Stage } from './preparing.js' */
/** @import { TurnDraft } from '../engine/turn-draft.js' */
/** @import { TemplateResult } from '../vendor/lit-html@3.3.3/lit-html.js' */

/**
 * The page's part of the state, beside that of its board's session.
 * @typedef {object} PageState
 * @property {string} id the game's; empty if the address names none
 * @property {number} now the server's time when the state last changed
 * @property {Player | null} me
 * @property {Game | null} game
 * @property {Presence | null} presence
 * @property {number} presenceAt the server's time when the presence was read
 * @property {ChatLine[]} lines lines of the chat that have not been shown yet
 * @property {LineId} storedLine the last line of the chat that was stored before the page came; '' without any
 * @property {Player | null} renamed the last player who got a new name
 * @property {News} news the state of the line to the server
 * @property {Missing | null} missing why there is no game
 * @property {boolean} isAsking whether a question about the turn has no answer yet
 * @property {boolean} isHinting whether a hint is being looked for
 * @property {'turn' | 'resign' | 'abort' | null} sending the command that was sent and has no effect yet
 * @property {Clause | null} clause the clause that is shown beside the board
 * @property {boolean} busy whether a request is under way
 * @property {Preferences['confirm']} confirms which turns the player confirms
 * @property {boolean} prepares whether the part of the page is there by which a turn is prepared, or drawn up without the
 *   line to the server
 * @property {((top: Side, href: string) => TemplateResult) | null} chances draws the winning chances of a game whose review
 *   is stored
 * @property {Stage | null} prepared the stage of the turn that is prepared, which is then the one drawn up
 * @property {number | null} nConditional number of the player's conditional turns; null while it is unknown
 * @property {Queue} queue the other games that wait for the player
 */

/** @typedef {SessionState & PageState} State */

/**
 * @param {string} id
 * @param {boolean} muted
 * @param {State['confirms']} [confirms]
 * @returns {State}
 */
export const initialState = (id, muted, confirms = 'several') => ({
  ...initialSession(),
  muted,
  id,
  now: 0,
  me: null,
  game: null,
  presence: null,
  presenceAt: 0,
  lines: [],
  storedLine: '',
  renamed: null,
  news: 'online',
  missing: null,
  isAsking: false,
  isHinting: false,
  sending: null,
  clause: null,
  busy: false,
  confirms,
  prepares: false,
  chances: null,
  prepared: null,
  nConditional: null,
  queue: NO_QUEUE,
});

/** The side that the player has: of a game at one screen the one to move.
 * @param {Pick<State, 'game' | 'me'>} state
 */
export const mySide = ({ game, me }) => (game === null ? null : sideOf(game, me));

/** @param {Pick<State, 'game' | 'me'>} state */
export const isMyTurn = (state) =>
  state.game?.present.status === 'playing' && state.game.present.turn.side === mySide(state);

/** The side shown at the bottom: the player's, or the second, whose pieces the texts have there. A game at one table is never
 * turned by itself.
 * @param {Pick<State, 'game' | 'me' | 'flipped'>} state
 * @returns {Side}
 */
export function bottomSide(state) {
  const usual = state.game !== null && isOneTable(state.game) ? 'second' : (mySide(state) ?? 'second');
  return state.flipped ? otherSide(usual) : usual;
}

/** True if the line is closed until the page is loaded again.
 * @param {State['news']} news
 */
export const isStopped = (news) => news === 'reload' || news === 'signed_out';

/** True if the turn can be drawn up now. Without the line the page's engine tells what is legal.
 * @param {Pick<State, 'past' | 'turnDraft' | 'sending' | 'news' | 'prepares'>} state
 */
export const canAct = ({ past, turnDraft, sending, news, prepares }) =>
  past === null &&
  turnDraft !== null &&
  sending === null &&
  (news !== 'offline' || prepares) &&
  !(news === 'misuse' || isStopped(news));

/** True if the turn that is drawn up cannot be sent now. One that is prepared stays on the page anyway.
 * @param {Pick<State, 'news' | 'prepared'>} state
 */
export const isHeldBack = ({ news, prepared }) => news === 'offline' && prepared === null;

/** The key of the sentence about the line to the server; null while it works.
 * @param {Pick<State, 'turnDraft' | 'sending' | 'news' | 'prepares' | 'prepared'>} state
 */
export function lineKey(state) {
  if (state.news === 'online') return null;
  return isHeldBack(state) && canAct({ ...state, past: null }) ? 'line.offline_turn' : `line.${state.news}`;
}

/** True if a turn can be prepared: the other side is to move, no card decides the number of moves, and the player stays.
 * @param {State} state
 */
export const mayPrepare = (state) =>
  state.prepares &&
  state.past === null &&
  state.turnDraft === null &&
  state.game?.present.status === 'playing' &&
  state.game.present.turn.cards === null &&
  !hasDays(state.game.terms.clock) &&
  mySide(state) !== null;

/** True if the player may be shown a good move: against a bot, and never against a person.
 * @param {Pick<State, 'game' | 'me'>} state
 */
export function hasHints({ game, me }) {
  const mine = mySide({ game, me });
  if (game?.present.status !== 'playing' || !game.seats || mine === null) return false;
  return game.seats[mine].bot === undefined && game.seats[otherSide(mine)].bot !== undefined;
}

/** The next action of a good turn, after the steps made so far in any order; undefined if a step is not of the turn, or
 * nothing of it is legal now.
 * @param {string[]} turn the actions of a good turn
 * @param {Pick<TurnDraft, 'steps' | 'legal'>} turnDraft
 */
export function nextOf(turn, { steps, legal }) {
  const made = steps.map(({ action }) => action);
  if (!made.every((action) => turn.includes(action))) return undefined;
  const left = turn.filter((action) => !made.includes(action));
  return left
    .map((action) => legal?.find(({ text }) => text === action))
    .find((action) => action !== undefined);
}

/** The turn under way: the player's as it is drawn up, the other side's as far as its draft goes.
 * @param {Game} game
 * @param {TurnDraft | null} turnDraft
 */
export const turnNow = (game, turnDraft) =>
  turnDraft ?? turnDraftOf(game.present.turn, game.present.status === 'playing' ? game.draft : null);

/** True if the last turn was played at once from the player's conditional turns: the one that it answers is new too.
 * @param {Pick<State, 'game' | 'me'>} state
 */
export function isAnswered({ game, me }) {
  const last = game?.turns.at(-1);
  if (game === null || last === undefined || !takesConditional(game)) return false;
  return (
    last.tookMs === 0 &&
    last.side === mySide({ game, me }) &&
    game.turns.at(-2)?.side === otherSide(last.side)
  );
}

/** The steps of the last turn; before those of an answer, those of the turn that it answers.
 * @param {Pick<State, 'game' | 'me'>} state
 */
export const lastSteps = (state) =>
  (state.game?.turns ?? []).slice(isAnswered(state) ? -2 : -1).flatMap(({ steps }) => steps);

/** The game at this moment, with everything beside its board.
 * @param {State} state
 * @param {Game} game
 * @returns {GameSidebar}
 */
export const sidebarOf = (state, game) => ({
  game,
  mine: mySide(state),
  nowMs: state.now,
  presence: state.presence,
  presenceMs: state.now - state.presenceAt,
});
