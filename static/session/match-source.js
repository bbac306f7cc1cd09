// A session's turns from a match of the page's own engine.

import { Refused } from '../engine/engine.js';

/** @import { Ruleset } from '../protocol.js' */
/** @import { openDraftOn } from '../engine/match-draft.js' */
/** @import { Source } from './board-session.js' */

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
  take({ text }, how) {
    try {
      local.take(text);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return error.refusal.code;
    }
    return how === 'typed' ? local.turnDraft.steps.slice(-1) : [];
  },
  takeBackTo: local.takeBackTo,
  confirm,
});
