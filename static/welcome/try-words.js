// Progress of a visitor in the position to try, and the words for it. Pure; every number in it comes from the engine.

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

/**
 * The sentence for what has just happened.
 *
 * @param {Course} course
 * @returns {{ key: string, args: Args }}
 */
export function wordsFor(course) {
  const { turnDraft } = course;
  const n = turnDraft.turn.allowance?.left ?? 0;
  if (isWon(course)) return { key: 'try.won', args: {} };
  if (turnDraft.complete) return { key: 'try.used_up', args: {} };
  if (turnDraft.steps.length === 0) return { key: 'try.start', args: { n } };
  return { key: isCloser(turnDraft) ? 'try.closer' : 'try.astray', args: { n } };
}

/** @type {Record<Side, Side>} */
const OTHER = { first: 'second', second: 'first' };

/** True if the last move brought another attacker to the enemy centre.
 * @param {TurnDraft} turnDraft
 */
function isCloser({ start, steps }) {
  /** @param {Threats | null | undefined} threats */
  const count = (threats) => threats?.[OTHER[start.side]].length ?? 0;
  const before = steps.length > 1 ? steps[steps.length - 2].threats : start.threats;
  return count(steps[steps.length - 1].threats) > count(before);
}
