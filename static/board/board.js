// A board for play, watching and replay. It shows the given state and reports the player's actions; it
// knows neither where positions come from nor what is legal.

import { createHands } from './hands.js';
import { createBoardState } from './board-state.js';

/** @import { Barred, LegalAction, Ruleset, Side, Step, Turn } from '../protocol.d.ts' */
/** @import { Arrow } from './arrows.js' */
/** @import { Game } from './looks.js' */
/** @import { Args } from './input.js' */

/**
 * @typedef {object} BoardOptions
 * @property {Game} game how the ruleset's board looks, by `gameOf`
 * @property {Ruleset} ruleset
 * @property {(key: string, args?: Args) => string} t the board's keys begin with `board.`
 * @property {(text: string) => void} announce says a text to a screen reader
 * @property {(action: LegalAction) => void} onAction the player chose an action; the board has moved the piece already,
 *   takes no further action, and waits for the next `show`, which is authoritative. A capture of several jumps is one
 *   action, chosen when there is nothing left to choose
 * @property {(step: Step) => void} [onStep] a step begins to be animated; without motion only the last one of several
 * @property {(step: Step | null) => void} [onReplay] a step of a replay begins; null when the board shows what it was
 *   given last
 * @property {() => void} onUndo a key that the page handles, like the next two
 * @property {() => void} onRestart
 * @property {(what: 'help' | 'preferences' | 'zen') => void} onAsk
 * @property {(key: string, args: Args) => void} onExplain a sentence to be shown and said, as why a press did
 *   nothing
 * @property {(held: Held) => void} [onHold] the player's hand has changed
 * @property {(arrows: readonly Arrow[]) => void} [onArrows] the arrows have changed by the pointer
 */

/** The player's hand: the cell of the piece that is picked, or `RESERVE`, and the number of jumps of a capture already
 * made.
 * @typedef {{ picked: string | null, jumps: number }} Held
 */

/**
 * @typedef {object} Shown
 * @property {Turn} turn the turn whose position is shown, the draft's steps taken
 * @property {Side | null} mySide null for a spectator
 * @property {readonly LegalAction[] | null} legal null if the player is not to move
 * @property {readonly (readonly string[])[]} groups the groups of the movable pieces
 * @property {readonly Barred[]} [barred] actions that are illegal only because the side did the same before
 * @property {number | null} [bestCapture] the discs that a capture must take, if one must be made
 * @property {readonly Step[]} lastSteps the last whole turn
 * @property {readonly Step[]} draftSteps the turn under way so far
 * @property {readonly string[]} [decisive] the cells of the pieces that decided the game
 * @property {readonly Step[]} animate the steps that lead from the position shown before to this one
 */

/**
 * @param {HTMLElement} host an element of its own; its width decides the size
 * @param {BoardOptions} options
 */
export function createBoard(host, options) {
  host.classList.add('board');
  const boardState = createBoardState(host, options, options.game);
  const hands = createHands(boardState);
  boardState.hands = hands;
  boardState.draw();

  return {
    show: boardState.show,
    /** Replays the steps that lead to the position shown, slowly. */
    playAgain: boardState.playAgain,
    /** Turned by 180° or not. */
    setFlipped: boardState.setFlipped,
    /** Marks the cells that a text beside the board names; what is no cell of the board is left out. */
    setNamed: boardState.setNamed,
    /** Picks a piece as a press would; null puts the picked piece back. */
    pick: hands.pick,
    /** The next cell gets a man of the reserve, or no longer. */
    pickReserve: hands.pickReserve,
    /** Takes back the last jump of a capture on its way; whether there was one. */
    back: hands.back,
    /** Shows the next of the best captures, whole, without making it. */
    showCapture: hands.showCapture,
    /** Gives the focus to the board. The page does not scroll. */
    focus: hands.focus,
    /** Handles a key that was pressed elsewhere on the page. */
    key: hands.key,
    /** Replaces the arrows; a new turn begins without any. */
    setArrows: hands.setArrows,
  };
}
