// Hints in a game against a bot, found by the search on this device. Loaded, and the search with it, when the first one is
// asked for. It shares no module with the page.

import { createThinker } from '../engine/thinker.js';
import { REVIEW_NODES } from '../playback/scores.js';

/** @import { Game } from '../session/game-model.js' */

/** The strongest level, which makes no slips. */
const LEVEL = 8;

/** The search for the best turn of the side to move.
 * @param {Pick<Game, 'ruleset' | 'start' | 'turns' | 'present'>} game
 * @returns {import('../engine/search.js').Question}
 */
export const questionOf = ({ ruleset, start, turns, present }) => ({
  ruleset,
  start,
  level: LEVEL,
  seed: 1,
  lines: 1,
  nodes: REVIEW_NODES,
  turns: turns.map(({ card, steps }) => ({ card, actions: steps.map(({ action }) => action) })),
  card: present.turn.cards?.card ?? null,
});

export function openHints() {
  const thinker = createThinker();
  /** The latest turn that was searched: a second hint of it needs no second search.
   * @type {{ since: number, turn: Promise<string[]> } | null} */
  let latest = null;

  /** The actions of a good turn.
   * @param {Game} game
   */
  return function turnFor(game) {
    if (latest?.since !== game.since) {
      const turn = thinker.ask('search', questionOf(game)).then((found) => found.turn);
      const asked = { since: game.since, turn };
      latest = asked;
      turn.catch(() => {
        if (latest === asked) latest = null;
      });
    }
    return latest.turn;
  };
}
