// Goals of the steps of lessons: each says whether the turn that was drawn up is the one that was asked for. The engine
// has judged its actions before; a goal only compares what came of them.

/** @import { Outcome, Side, Step } from '../protocol.js' */
/** @import { TurnDraft } from '../engine/turn-draft.js' */

/** @typedef {(turnDraft: TurnDraft, outcome: Outcome | null) => boolean} Goal */

/** The last step, if there is one, fits.
 * @param {(step: Step) => boolean} fits
 * @returns {Goal}
 */
const last =
  (fits) =>
  ({ steps }) => {
    const step = steps.at(-1);
    return step !== undefined && fits(step);
  };

/** Any action at all. */
export const anything = last(() => true);

/** Exactly this action.
 * @param {string} action
 */
export const plays = (action) => last((step) => step.action === action);

/** A piece or men that leave this cell.
 * @param {string} from
 */
export const leaves = (from) => last(({ route }) => route.length > 1 && route[0] === from);

/** A number of men that move from a cell.
 * @param {string} from
 * @param {number} men
 */
export const lifts = (from, men) => last(({ route, count }) => route[0] === from && count === men);

/** An exchange with the piece on this cell.
 * @param {string} cell
 */
export const swapsWith = (cell) => last(({ route, swap }) => swap && route.at(-1) === cell);

/** An exchange of any two pieces. */
export const swaps = last(({ swap }) => swap);

/** The making of a piece out of two. */
export const makes = last(({ action }) => action.includes('+'));

/** A capture of at least so many pieces.
 * @param {number} pieces
 */
export const takes = (pieces) => last(({ taken }) => taken.length >= pieces);

/** A stack that overflows and loses at least so many men of the other side, and so many to the reserve.
 * @param {number} captured
 * @param {number} reserved
 */
export const overflows = (captured, reserved) =>
  last(({ overflow }) => overflow !== null && overflow.captured >= captured && overflow.reserved >= reserved);

/** A whole turn.
 * @type {Goal} */
export const completes = ({ complete }) => complete;

/** A turn that is ended before its moves are used up. */
export const ends = plays('end');

/** The centre of a side with so many attackers.
 * @param {Side} side
 * @param {(attackers: number) => boolean} fits
 * @returns {Goal}
 */
export const attackers =
  (side, fits) =>
  ({ turn, steps }) =>
    steps.length > 0 && fits(turn.threats?.[side].length ?? 0);

/** The game won by the side that plays.
 * @type {Goal} */
export const wins = ({ start }, outcome) => outcome?.winner === start.side;
