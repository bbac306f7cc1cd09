// The turn being drawn up: pure data, each of its states made from the one before.

/** @import { Barred, LegalAction, ServerMessage, Step, Turn } from '../protocol.js' */
/** @import { ShownDraft } from '../session/game-model.js' */

/**
 * A turn being drawn up: its beginning, and the steps that were added to it.
 * @typedef {object} TurnDraft
 * @property {Turn} start the turn at its beginning
 * @property {Turn} turn the turn after the steps
 * @property {Step[]} steps
 * @property {LegalAction[] | null} legal the legal continuations; null until they are known
 * @property {boolean} unlisted whether there are more legal continuations than the server lists
 * @property {string[][]} groups
 * @property {Barred[]} barred actions that are illegal only because the side did the same before
 * @property {number | null} bestCapture the number of discs that a capture must take; null if nothing must be captured
 * @property {boolean} complete
 */

/** The legal actions while they are not known.
 * @satisfies {Partial<TurnDraft>}
 */
export const UNKNOWN_OPTIONS = { legal: null, unlisted: false, groups: [], barred: [], bestCapture: null };

/**
 * The turn at its beginning, with the steps of the server's draft; the legal actions are not known yet.
 *
 * @param {Turn} start
 * @param {ShownDraft | null} draft
 * @returns {TurnDraft}
 */
export function turnDraftOf(start, draft) {
  const steps = draft?.steps ?? [];
  const turn = draft === null ? start : turnAfter(start, draft);
  return { start, turn, steps, ...UNKNOWN_OPTIONS, complete: draft?.complete ?? false };
}

/** The turn as a draft leaves it. A draft that ends the turn may already describe the next one, which is not shown
 * before the turn is confirmed.
 * @param {Turn} start
 * @param {ShownDraft} draft
 * @returns {Turn}
 */
function turnAfter(start, draft) {
  if (draft.turn.number === start.number) return draft.turn;
  const used = start.allowance && {
    ...start.allowance,
    used: draft.steps.length,
    left: 0,
  };
  const { position, threats, reserves, set_up: setUp } = draft.turn;
  return { ...start, position, threats, reserves, set_up: setUp ?? start.set_up, allowance: used };
}

/** The actions that may follow the beginning of a turn, from the server's `options` or from the engine.
 * @typedef {Pick<Extract<ServerMessage, { type: 'options' }>, 'draft' | 'actions' | 'groups' | 'barred' | 'best_capture'>} Options
 */

/**
 * The turn with what may follow its steps.
 *
 * @param {TurnDraft} turnDraft
 * @param {Options} options
 * @returns {TurnDraft}
 */
export function withOptions(turnDraft, { draft, actions, groups, barred, best_capture: bestCapture }) {
  const { steps, complete } = draft;
  const turn = turnAfter(turnDraft.start, draft);
  const told = { legal: actions, unlisted: false, groups, barred, bestCapture };
  return { start: turnDraft.start, turn, steps, ...told, complete };
}

/**
 * The turn with only the first steps left, at once.
 *
 * @param {TurnDraft} turnDraft
 * @param {number} count
 * @returns {TurnDraft}
 */
export function withSteps(turnDraft, count) {
  const steps = turnDraft.steps.slice(0, count);
  const position = steps.at(-1)?.position ?? turnDraft.start.position;
  const { allowance } = turnDraft.start;
  const used = (allowance?.used ?? 0) + count;
  const turn = {
    ...turnDraft.start,
    position,
    allowance: allowance && { ...allowance, used, left: allowance.allowance - used },
  };
  return { ...turnDraft, turn, steps, ...UNKNOWN_OPTIONS, complete: false };
}

/** The texts of the steps, as they are sent.
 * @param {TurnDraft} turnDraft
 * @returns {string[]} */
export const actionsOf = (turnDraft) => turnDraft.steps.map(({ action }) => action);

/** The action that ends the turn before it is complete, if that may be done now.
 * @param {TurnDraft} turnDraft
 */
export const earlyEnd = ({ legal, complete }) =>
  complete ? undefined : legal?.find(({ kind }) => kind === 'end');
