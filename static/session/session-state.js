// The state of a session at a board. Pure.

import { createStore } from './store.js';

/** @import { Step } from '../protocol.js' */
/** @import { Held } from '../board/board.js' */
/** @import { TurnDraft } from '../engine/turn-draft.js' */
/** @import { Past } from '../panels/history.js' */
/** @import { Source } from './board-session.js' */
/** @import { Notice } from './notices.js' */

/**
 * @typedef {object} SessionState
 * @property {Source | null} source the place that the turns come from; null as long as there is nothing to show
 * @property {TurnDraft | null} turnDraft the turn being drawn up; null if none may be drawn up now
 * @property {Held} held the contents of the hand on the board
 * @property {boolean} making whether only the making of a piece is offered among the legal actions
 * @property {Step[]} fresh the steps that the board has to animate now
 * @property {number} shows number of times the board was made to show its contents, changed or not
 * @property {Step | null} replayed the step that the board is animating; null while it shows all that there is
 * @property {Past | null} past the earlier moment that is shown; null for now
 * @property {Notice | null} notice
 * @property {boolean} sendsItself whether the turn being drawn up is played as soon as it is complete
 * @property {'leave' | 'draw' | null} asked what the player is asked to confirm
 * @property {boolean} flipped
 * @property {boolean} muted
 */

/** @returns {SessionState} */
export const initialSession = () => ({
  source: null,
  turnDraft: null,
  held: { picked: null, jumps: 0 },
  making: false,
  fresh: [],
  shows: 0,
  replayed: null,
  past: null,
  notice: null,
  sendsItself: false,
  asked: null,
  flipped: false,
  muted: false,
});

/** A store of a session's state, with a page's own part.
 * @template {object} Own
 * @param {Own} own
 */
export const sessionStore = (own) => createStore({ ...initialSession(), ...own });
