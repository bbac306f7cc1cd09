// A session's turns from a match of the page's own engine.

import { Refused } from '../engine/engine.js';

/** @import { LegalAction, Ruleset, Step } from '../protocol.js' */
/** @import { openDraftOn } from '../engine/match-draft.js' */
/** @import { Origin, Source } from './board-session.js' */

/**
 * @param {Ruleset} ruleset
 * @param {ReturnType<typeof openDraftOn>} local
 * @param {object} page
 * @param {() => boolean} [page.isOpen] whether a turn may be drawn up now
 * @param {() => void} page.confirm plays the turn
 * @returns {Source}
 */
export const matchSource = (ruleset, local, { isOpen = () => true, confirm }) => ({
  ruleset,
  get turnDraft() {
    return isOpen() ? local.turnDraft : null;
  },
  get turn() {
    return local.turnDraft.turn;
  },
  take: (action, how) => takeOn(local, action, how),
  takeBackTo: local.takeBackTo,
  confirm,
});

/** Adds an action to the turn that is drawn up on a match.
 * @param {ReturnType<typeof openDraftOn>} local
 * @param {LegalAction} action
 * @param {Origin} how
 * @returns {Step[] | string} the steps that the board has to animate, or the code of a refusal
 */
export function takeOn(local, { text }, how) {
  try {
    local.take(text);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return error.refusal.code;
  }
  return how === 'typed' ? local.turnDraft.steps.slice(-1) : [];
}
