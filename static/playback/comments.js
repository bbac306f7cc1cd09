// The comments on an example game, turn by turn. They are in a file of their own, which only the page of an example loads.

/** @import { Moment } from '../session/moments.js' */

/** The comments by the numbers of their turns; that of 0 is on the start.
 * @typedef {Record<number, string>} Comments */

/** Loads the comments on the example of a ruleset. If they do not load, the game is shown without them.
 * @param {string} ruleset
 * @returns {Promise<Comments>}
 */
export async function commentsOn(ruleset) {
  try {
    const answer = await fetch(document.body.dataset.comments ?? '');
    return (await answer.json())[ruleset];
  } catch (error) {
    console.warn(error);
    return {};
  }
}

/** The comment on the turn that a moment is in; empty if there is none.
 * @param {Comments} comments
 * @param {Pick<Moment, 'turn' | 'action'>} moment
 */
export const commentAt = (comments, { turn, action }) => comments[action === 0 ? 0 : turn] ?? '';
