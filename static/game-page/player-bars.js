// The frame of a game's board: its heading, and a bar for each player.

import { clockOf, leadWords, presenceOf, vacationMs } from './sidebar.js';
import { reservePress } from '../panels/turn-buttons.js';
import { dates, isSame, rulesetName, t } from '../ui/page.js';
import { html } from '../vendor/lit-html@3.3.3/lit-html.js';
import { isOneTable, takenIn } from '../session/game-model.js';
import { namedSeats, pairOf } from '../session/player-names.js';
import { playerBar, reserveTray } from '../panels/turns-and-players.js';
import { mySide, sidebarOf, turnNow } from './game-state.js';

/** @import { Side } from '../protocol.js' */
/** @import { GameActions } from './actions.js' */
/** @import { Game } from '../session/game-model.js' */
/** @import { GameSidebar } from './sidebar.js' */
/** @import { State } from './game-state.js' */

/** A vacation has at most thirty days: its end needs no year. */
const day = dates({ day: 'numeric', month: 'short' });

/** The game's name and its progress.
 * @param {State} state
 * @param {Game} game
 */
export function heading(state, game) {
  const { ruleset, present } = game;
  const names = pairOf(game);
  const turn = present.status === 'open' ? [] : [t('game.turn', { n: present.turn.number })];
  const lead = [...turn, ...leadWords(sidebarOf(state, game))];
  return html`<h1>${rulesetName(ruleset)}<span class="sr">${names === '' ? '' : `, ${names}`}</span></h1>
    <p class="lead">${lead.join(' · ')} · <a href=${`/rules/${ruleset}`}>${t('page.rules')}</a></p>`;
}

/** The bar of a player.
 * @param {State} state
 * @param {Game} game
 * @param {Side} side
 * @param {Pick<GameActions, 'pickReserve'>} gameActions
 */
export function bar(state, game, side, gameActions) {
  const { turnDraft, past } = state;
  const { ruleset, present } = game;
  const seats = namedSeats(game);
  const { turn, steps } = turnNow(game, turnDraft);
  const isPlaying = present.status === 'playing';
  const taken =
    past?.moment.taken ?? takenIn([...game.turns, { side: turn.side, steps: isPlaying ? steps : [] }]);
  const isTable = isOneTable(game);
  const isMine = seats !== null && side === mySide(state) && !isTable;
  const sidebar = sidebarOf(state, game);
  const { reserves } = past?.turn ?? turn;
  const press = past === null && side === mySide(state) ? reservePress(state, side, gameActions) : {};
  return playerBar({
    ruleset,
    side,
    player: seats === null ? roomSeat(game, side) : seats[side],
    isNamed: !isTable,
    toMove: isPlaying && present.turn.side === side,
    notes: [...(isMine ? [t('game.you')] : []), ...awaitedNotes(state, game, side)],
    below: vacationWords(sidebar, side),
    taken: taken[side],
    presence: presenceOf(sidebar, side),
    tray: reserveTray(ruleset, side, reserves, press),
    clock: clockOf(sidebar, side),
  });
}

/** The mark of a player whose turn waits for the end of a vacation.
 * @param {GameSidebar} sidebar
 * @param {Side} side
 */
function vacationWords(sidebar, side) {
  const untilMs = sidebar.game.present.turn.side === side ? vacationMs(sidebar) : null;
  return untilMs === null ? null : t('game.on_vacation', { when: day.format(untilMs) });
}

/** The player who has a side of an open room or is to have it, or how another will get it.
 * @param {Game} game
 * @param {Side} side
 */
function roomSeat({ seat, creator, challenged }, side) {
  if (seat === 'random') return t('game.seat_by_lot');
  return seat === side ? creator : (challenged ?? t('game.free_seat'));
}

/** The mark of a challenged player who has not answered.
 * @param {State} state
 * @param {Game} game
 * @param {Side} side
 */
function awaitedNotes({ me }, { seats, seat, challenged, present }, side) {
  if (
    seats !== null ||
    challenged === null ||
    present.status !== 'open' ||
    seat === 'random' ||
    seat === side
  )
    return [];
  return [t(isSame(me, challenged) ? 'game.you' : 'game.answer_awaited')];
}
