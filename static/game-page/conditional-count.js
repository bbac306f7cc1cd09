// The number of a player's conditional turns, beside the way to them.

import { living } from '../analysis/conditional-lines.js';
import { getConditional } from '../connection/api.js';
import { takesConditional } from '../session/game-model.js';

/** @import { Game } from '../session/game-model.js' */
/** @import { Store } from '../session/store.js' */
/** @import { State } from './game-state.js' */

/** Delay after a turn, within which the server plays or removes conditional turns. */
const SETTLED_MS = 1_000;

/** Whether the page has the turns of a game, of which it knows the number before.
 * @param {Game} game
 */
const hasTurns = ({ turns, nTurns }) => turns.length === nTurns;

/**
 * Counts the player's conditional turns after each turn, and when the page is seen again.
 *
 * @param {object} page
 * @param {Store<State>} page.store
 * @param {(values: Partial<State>) => void} page.update
 * @param {() => boolean} page.isPlayer
 */
export function followConditional({ store, update, isPlayer }) {
  const { state } = store;
  let timer = 0;

  async function count() {
    const { game } = state;
    if (game === null || !hasTurns(game) || document.hidden || !isPlayer() || !takesConditional(game)) return;
    const answer = await getConditional(game.id).catch(() => null);
    const { present, turns } = state.game ?? game;
    const positions = turns.flatMap(({ steps }) => steps.at(-1)?.position ?? []);
    const left = answer && living(answer.turns, positions, present.turn.number);
    update({ nConditional: left?.length ?? null });
  }

  store.subscribe(
    ({ game }) => [game?.since, game !== null && hasTurns(game)],
    () => {
      clearTimeout(timer);
      timer = window.setTimeout(count, state.nConditional === null ? 0 : SETTLED_MS);
    },
  );
  document.addEventListener('visibilitychange', count);
}
