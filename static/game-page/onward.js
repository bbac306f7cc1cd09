// The way on to the next game that waits for the player, which is loaded once the page has been drawn.

import { hasBot } from '../lobby/lists.js';
import { hasDays } from '../session/clock.js';
import { followLetters } from '../ui/letters.js';
import { recallHere, rememberHere } from '../ui/storage.js';
import { followTurns, forgetTurn, turnsChanged } from '../ui/waiting-games.js';
import { isSlowGame, queueAfter } from './next-game.js';

/** @import { Game } from '../session/game-model.js' */
/** @import { Store } from '../session/store.js' */
/** @import { State } from './game-state.js' */

/** The place in this tab of what is told on the next page. */
const TOLD = 'told';

/** Calls back after each turn that the player has sent from this page.
 * @param {Store<State>} store
 * @param {(game: Game) => void} played called with the game after the turn
 */
function followOwnTurns(store, played) {
  /** The version with which the turn began that was sent.
   * @type {number | null} */
  let sent = null;
  store.subscribe(
    ({ sending, game }) => [sending, game],
    ({ sending, game }) => {
      if (game === null) return;
      if (sending === 'turn') sent = game.since;
      else if (sent !== null) {
        if (game.since !== sent) played(game);
        sent = null;
      }
    },
  );
}

/**
 * Follows the games that wait for the player, and leads on to the next one: at a key, and after a turn if the player
 * prefers that.
 *
 * @param {object} page
 * @param {Store<State>} page.store
 * @param {(values: Partial<State>) => void} page.update
 * @param {() => boolean} page.isMyTurn
 * @param {() => boolean} page.movesOn whether the player leaves a correspondence game after a turn
 * @param {(address: string) => void} page.leaveFor
 * @param {(game: Game) => string} page.playedWords
 * @param {(text: string) => void} page.note shows and announces a sentence
 */
export function openOnward({ store, update, isMyTurn, movesOn, leaveFor, playedWords, note }) {
  const { state } = store;

  /** @param {string} [told] a sentence that the next page shows */
  function goOn(told = '') {
    const { game, queue } = state;
    if (game === null || !isSlowGame(game) || queue.next === null) return;
    rememberHere(TOLD, told);
    leaveFor(`/game/${queue.next}`);
  }

  /** A bot answers at once, and is waited for.
   * @param {Game} game
   */
  function afterTurn(game) {
    if (!isSlowGame(game) || hasBot(game.seats)) return;
    // The next page may lead on before the list was asked for again.
    if (!isMyTurn()) forgetTurn(state.id);
    turnsChanged();
    const isGoing = game.present.status === 'playing' && !isMyTurn();
    // Without a clock a player who goes is away.
    if (isGoing && hasDays(game.terms.clock) && movesOn()) goOn(playedWords(game));
  }

  const told = recallHere(TOLD);
  rememberHere(TOLD, '');
  if (told !== '') note(told);

  followTurns((games) => update({ queue: queueAfter(state.queue, games, state.id) }));
  followOwnTurns(store, afterTurn);
  followLetters(({ key }) => key.toLowerCase() === 'j' && goOn());
}
