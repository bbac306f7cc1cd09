// The better turns of a review, step by step, as the page's engine plays them. It is loaded for them alone.

import { Refused, engineOfPage } from '../engine/engine.js';
import { withTaken } from '../session/game-model.js';

/** @import { Review, Step } from '../protocol.js' */
/** @import { Engine } from '../engine/engine.js' */
/** @import { Game } from '../session/game-model.js' */
/** @import { Moment } from '../session/moments.js' */

/**
 * The steps of turns in place of those of a game, by the index of the turn that was played. There are none of a turn that
 * is illegal, nor after a turn of the game that is.
 *
 * @param {Engine} engine
 * @param {Pick<Game, 'ruleset' | 'start' | 'turns'>} game
 * @param {(string[] | null)[]} instead the actions of these turns
 * @returns {(Step[] | null)[]}
 */
export function stepsInstead(engine, { ruleset, start, turns }, instead) {
  const { id } = engine.open(ruleset, start);
  /** @type {(Step[] | null)[]} */
  const steps = instead.map(() => null);
  try {
    for (const [index, actions] of instead.entries()) {
      const { card, steps: played } = turns[index];
      if (card !== null && engine.show(id).turn.cards?.card === null) engine.turnOver(id, card);
      if (actions !== null) steps[index] = stepsOn(engine, id, actions);
      engine.play(
        id,
        played.map(({ action }) => action),
      );
    }
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
  } finally {
    engine.close(id);
  }
  return steps;
}

/** The steps of a turn on a match, which stays as it is; null if the turn is illegal.
 * @param {Engine} engine
 * @param {number} match
 * @param {string[]} actions
 */
function stepsOn(engine, match, actions) {
  const { id } = engine.copy(match);
  try {
    return engine.play(id, actions).steps;
  } catch (error) {
    if (error instanceof Refused) return null;
    throw error;
  } finally {
    engine.close(id);
  }
}

/**
 * The steps of the better turns of a review. Without the engine there are none.
 *
 * @param {Game} game
 * @param {Review} review
 * @returns {Promise<(Step[] | null)[]>}
 */
export async function betterSteps(game, review) {
  const instead = review.turns.map(({ better }) => better?.actions ?? null);
  try {
    return stepsInstead(await engineOfPage(), game, instead);
  } catch (error) {
    console.warn(error);
    return instead.map(() => null);
  }
}

/**
 * The moment after the first steps of a turn in place of the one that was played.
 *
 * @param {Moment[]} all
 * @param {Moment} played
 * @param {Step[]} steps
 * @param {number} n number of steps
 * @returns {Moment}
 */
export function momentInstead(all, played, steps, n) {
  const before = all.findLast((moment) => moment.turn < played.turn) ?? all[0];
  const done = steps.slice(0, n);
  const { turn, side, cards } = played;
  return {
    ...before,
    ...{ turn, side, cards, action: n, actions: steps.length, steps: done },
    position: done.at(-1)?.position ?? before.position,
    taken: done.reduce((taken, step) => withTaken(taken, side, step), before.taken),
  };
}
