// The frame of a game's board: its heading, and a bar for each player.

import { clockOf, leadWords, presenceOf } from '../live/table.js';
import { rulesetName, t } from '../ui/page.js';
import { html, nothing } from '../vendor/lit-html@3.3.3/lit-html.js';
import { isOneTable, takenIn } from './model.js';
import { namedSeats } from './names.js';
import { playerBar, reserveTray, takenNotes } from './panels.js';
import { mySide, tableOf, turnNow } from './state.js';

/** @import { Side, Turn } from '../protocol.js' */
/** @import { Game } from './model.js' */
/** @import { State } from './state.js' */

/** The game's name and its progress.
 * @param {State} state
 * @param {Game} game
 */
export function heading(state, game) {
  const { ruleset, present } = game;
  const seats = namedSeats(game);
  const names = seats && t('game.pair', { first: seats.first.name, second: seats.second.name });
  const lead = [t('game.turn', { n: present.turn.number }), ...leadWords(tableOf(state, game))];
  return html`<h1>${rulesetName(ruleset)}<span class="sr">${names === null ? '' : `, ${names}`}</span></h1>
    <p class="lead">${lead.join(' · ')} · <a href=${`/rules/${ruleset}`}>${t('page.rules')}</a></p>`;
}

/** The bar of a player.
 * @param {State} state
 * @param {Game} game
 * @param {Side} side
 * @param {(wanted: boolean) => void} pickReserve
 */
export function bar(state, game, side, pickReserve) {
  const { desk, past } = state;
  const { ruleset, present } = game;
  const seats = namedSeats(game);
  const { turn, steps } = turnNow(game, desk);
  const isPlaying = present.status === 'playing';
  const taken =
    past?.moment.taken ?? takenIn([...game.turns, { side: turn.side, steps: isPlaying ? steps : [] }]);
  const isTable = isOneTable(game);
  const isMine = seats !== null && side === mySide(state) && !isTable;
  const table = tableOf(state, game);
  return playerBar({
    ...{ ruleset, side, name: seats === null ? roomSeat(game, side) : seats[side].name },
    isNamed: !isTable,
    player: seats?.[side],
    toMove: isPlaying && present.turn.side === side,
    notes: [...(isMine ? [t('game.you')] : []), ...takenNotes(taken[side])],
    presence: presenceOf(table, side),
    tray: tray(state, game, past?.turn ?? turn, side, pickReserve),
    clock: clockOf(table, side),
  });
}

/** The reserve of a side, to press if the side is mine and can drop.
 * @param {State} state
 * @param {Game} game
 * @param {Turn} turn
 * @param {Side} side
 * @param {(wanted: boolean) => void} pickReserve
 */
function tray(state, { ruleset }, { reserves }, side, pickReserve) {
  if (reserves === null) return nothing;
  const { desk, held, past } = state;
  const canDrop =
    past === null && side === mySide(state) && (desk?.legal ?? []).some(({ kind }) => kind === 'drop');
  return reserveTray({
    ...{ ruleset, side, men: reserves[side] },
    ...(canDrop ? { picked: held.reserve, press: () => pickReserve(!held.reserve) } : {}),
  });
}

/** The player who has or will have a side of an open room.
 * @param {Game} game
 * @param {Side} side
 */
function roomSeat({ seat, creator }, side) {
  if (seat === 'random') return t('game.seat_by_lot');
  return seat === side ? creator.name : t('game.free_seat');
}
