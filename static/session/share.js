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

/** A picture as a file; none if it cannot be loaded.
 * @param {string} address
 */
async function filesAt(address) {
  const answer = await fetch(address).catch(() => null);
  return answer?.ok ? [new File([await answer.blob()], 'towers.png', { type: 'image/png' })] : [];
}

/** Opens the device's own sheet to share a link, with a picture where the device takes one; false if the device has none.
 * Closing the sheet without sharing also counts as true.
 * @param {string} link
 * @param {string | null} picture its address
 */
export async function handedOn(link, picture) {
  if (navigator.share === undefined) return false;
  const plain = { title: document.title, url: link };
  const whole = { ...plain, files: picture === null ? [] : await filesAt(picture) };
  try {
    await navigator.share(navigator.canShare?.(whole) ? whole : plain);
    return true;
  } catch (error) {
    return error instanceof DOMException && error.name === 'AbortError';
  }
}

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
