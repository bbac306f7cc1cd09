// Progress of a visitor in the position to try, and the words for it. Pure; every number in it comes from the engine.

import { FREE, GAPS } from './try-start.js';

/** @import { Outcome, Side, Threats } from '../protocol.js' */
/** @import { Args } from '../i18n.js' */
/** @import { TurnDraft } from '../engine/turn-draft.js' */

/**
 * @typedef {object} Course
 * @property {TurnDraft} turnDraft as the engine last described it
 * @property {Outcome | null} outcome
 */

/** True if the game has been won.
 * @param {Course} course
 */
export const isWon = ({ turnDraft, outcome }) => outcome !== null && outcome.winner === turnDraft.start.side;

/** Number of the first steps with which the win is still possible: each of them brought another attacker to the enemy
 * centre. The tests prove that of this position.
 * @param {TurnDraft} turnDraft
 */
export function stepsOnTheWay({ start, steps }) {
  /** @param {Threats | null | undefined} threats */
  const count = (threats) => threats?.[OTHER[start.side]].length ?? 0;
  const begun = count(start.threats);
  const astray = steps.findIndex(({ threats }, index) => count(threats) !== begun + index + 1);
  return astray < 0 ? steps.length : astray;
}

/** The move that a hint shows: of the piece in the hand, if it has one.
 * @param {TurnDraft} turnDraft a turn with which the win is still possible
 * @param {string | null} picked
 */
export function nextMove({ legal }, picked) {
  const moves = legal?.filter(({ from, to }) => FREE.includes(from ?? '') && GAPS.includes(to ?? ''));
  return moves?.find(({ from }) => from === picked) ?? moves?.[0];
}

/** The sentence for the piece in the hand.
 * @param {TurnDraft} turnDraft
 * @param {string} picked
 */
function handKey({ turn, start }, picked) {
  if (turn.threats?.[OTHER[start.side]].includes(picked)) return 'try.picked_there';
  return FREE.includes(picked) ? 'try.picked' : 'try.picked_support';
}

/**
 * The sentence for what has just happened, or for the piece in the hand.
 *
 * @param {Course} course
 * @param {string | null} [picked]
 * @returns {{ key: string, args: Args }}
 */
export function wordsFor(course, picked = null) {
  const { turnDraft } = course;
  const n = turnDraft.turn.allowance?.left ?? 0;
  if (isWon(course)) return { key: 'try.won', args: {} };
  if (stepsOnTheWay(turnDraft) === turnDraft.steps.length) {
    if (picked !== null) return { key: handKey(turnDraft, picked), args: {} };
    return { key: turnDraft.steps.length === 0 ? 'try.start' : 'try.closer', args: { n } };
  }
  return { key: n === 0 ? 'try.used_up' : 'try.lost', args: { n } };
}

/** @type {Record<Side, Side>} */
const OTHER = { first: 'second', second: 'first' };
