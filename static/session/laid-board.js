// The board of a session in its place on the page: that of another ruleset takes its place.

import { gameOf } from '../board/looks.js';
import { announce, t } from '../ui/page.js';
import { openFromHeader } from '../ui/header.js';
import { followLetters } from '../ui/letters.js';
import { showKeys } from './show-keys.js';

/** @import { Ruleset } from '../protocol.js' */
/** @import { BoardOptions, createBoard } from '../board/board.js' */

/**
 * @param {HTMLElement} place
 * @param {typeof createBoard} create
 * @param {object} page
 * @param {() => Omit<BoardOptions, 'game' | 'ruleset' | 't' | 'announce' | 'onAsk'>} page.handlers
 * @param {() => void} [page.toggleZen]
 * @param {boolean} [page.isGame] whether the page is that of a game, which has more keys
 */
export function createLaidBoard(place, create, { handlers, toggleZen, isGame }) {
  /** @type {ReturnType<typeof createBoard> | null} */
  let board = null;
  /** The ruleset of the board.
   * @type {Ruleset | null} */
  let laid = null;

  /** Handles a key of the board that is for the page.
   * @param {'help' | 'preferences' | 'zen'} what
   */
  function ask(what) {
    if (what === 'help' && laid !== null) showKeys(laid, isGame);
    else if (what === 'preferences') openFromHeader('preferences');
    else if (what === 'zen') toggleZen?.();
  }

  /** Lays the board of a ruleset, unless it is there.
   * @param {Ruleset} ruleset
   */
  function lay(ruleset) {
    if (laid === ruleset) return;
    laid = ruleset;
    const host = document.createElement('div');
    place.replaceChildren(host);
    board = create(host, {
      game: gameOf(ruleset),
      ruleset,
      t,
      announce,
      onAsk: ask,
      ...handlers(),
    });
  }

  if (isGame)
    followLetters((event) => {
      if (event.target instanceof Node && !place.contains(event.target)) board?.key(event);
    });

  return {
    get board() {
      return board;
    },
    lay,
    help: () => ask('help'),
  };
}
