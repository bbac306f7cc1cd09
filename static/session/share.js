// Links to a game and to its moments, for others.

/** @import { Game } from './game-model.js' */

/** The name of a moment in an address, as `#TURN.ACTION`: of the one that is shown, or else of the last.
 * @param {Pick<Game, 'turns'>} game
 * @param {{ turn: number, action: number } | null} shown
 * @returns {string} empty before the first turn
 */
export function momentName({ turns }, shown) {
  if (shown !== null) return `#${shown.turn}.${shown.action}`;
  const last = turns.at(-1);
  return last === undefined ? '' : `#${last.number}.${last.steps.length}`;
}

/** The address of a picture of a game's last position.
 * @param {string} id
 */
export const pictureOf = (id) => `/api/v1/games/${id}/picture.png`;

/** Copies a text to the clipboard; false if the browser did not allow it.
 * @param {string} text
 */
export async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
