// Challenges between people at a game. The dialog of one is loaded when it is asked for.

import { createRoom, getGame } from '../connection/api.js';
import { otherSide } from '../session/game-model.js';
import { leaveFor } from '../ui/leaving.js';
import { loadPart } from '../ui/loading.js';
import { roomLike } from './offers.js';

/** @import { Player, SeatChoice, Side } from '../protocol.js' */
/** @import { Game } from '../session/game-model.js' */

/** @typedef {typeof import('../lobby/create.js')} Dialogs */

/** @returns {Promise<Dialogs>} */
export const loadDialogs = () => loadPart('challenge', document.body.dataset.challenge ?? '');

/** Opens the dialog of a challenge to somebody at a game, which begins with the game's terms.
 * @param {Player} player
 * @param {Game} game
 * @param {Side | null} mine
 */
export async function openChallenge(player, game, mine) {
  const { start: _, ...room } = roomLike(game, mine === null ? 'random' : otherSide(mine));
  (await loadDialogs()).openChallenge(player, room);
}

/** Opens the dialog that answers a challenge by one by other terms.
 * @param {Dialogs} dialogs
 * @param {Game} game the challenge
 * @param {SeatChoice} seat the one that it leaves
 */
export async function openCounter(dialogs, game, seat) {
  const { summary } = await getGame(game.id);
  const { start, ...room } = roomLike(game, seat);
  dialogs.openCounter(game.id, game.creator, summary.custom_start ? { ...room, start } : room);
}

/** Challenges the opponent of a game to another one by the same terms, with the sides exchanged.
 * @param {Player} opponent
 * @param {Game} game
 * @param {Side} mine
 */
export async function challengeAgain(opponent, game, mine) {
  const { id } = await createRoom({ ...roomLike(game, otherSide(mine)), for: opponent.id });
  await leaveFor(`/game/${id}`);
}
