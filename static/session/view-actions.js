// The actions of a session that change no turn: looking at another moment, and the look of the page.

import { byId, remember } from '../ui/page.js';

/** @import { Past } from '../panels/history.js' */
/** @import { Sound } from '../ui/tones.js' */
/** @import { Core } from './board-session.js' */

/**
 * @param {Core} core
 * @param {object} options
 * @param {(past: Past | null, where: string) => Past | null} [options.showMoment] moves on from a moment of the history
 * @param {(name: Sound) => void} [options.sound]
 */
export function createViewActions({ state, update, board }, options) {
  /** Shows another moment of the history.
   * @param {string} where a key, or the moment's own `#TURN.ACTION`
   */
  function showMoment(where) {
    if (options.showMoment === undefined) return;
    const past = options.showMoment(state.past, where);
    board()?.pick(null);
    update({ past }, []);
  }

  const flip = () => update({ flipped: !state.flipped }, []);

  function toggleSound() {
    update({ muted: !state.muted });
    remember('sound', state.muted ? 'off' : 'on');
    options.sound?.('move');
  }

  const makeInstead = () => update({ making: !state.making }, []);

  /** Asks the player to confirm what ends the game.
   * @param {'leave' | 'draw'} what
   */
  function ask(what) {
    update({ asked: what });
    byId('ask-no').focus();
  }

  function keepPlaying() {
    const { asked } = state;
    update({ asked: null });
    byId(`ask-${asked}`).focus();
  }

  return { showMoment, flip, toggleSound, makeInstead, ask, keepPlaying };
}
