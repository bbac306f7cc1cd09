// The better turns of a review, step by step, as the page's engine plays them. It is loaded for them alone.

import { Refused, engineOfPage } from '../engine/engine.js';
import { withTaken } from '../session/game-model.js';

/** @import { Review, Ruleset, Step } from '../protocol.js' */
/** @import { Engine } from '../engine/engine.js' */
/** @import { Moment } from '../session/moments.js' */

/**
 * The steps of a turn from the text of a position; null if the turn is illegal there.
 *
 * @param {Engine} engine
 * @param {Ruleset} ruleset
 * @param {{ position: string, card: number | null }} before with the card of the turn, where turns have cards
 * @param {string[]} actions
 * @returns {Step[] | null}
 */
export function stepsFrom(engine, ruleset, { position, card }, actions) {
  const { id, turn } = engine.open(ruleset, position);
  try {
    if (card !== null && turn.cards?.card === null) engine.turnOver(id, card);
    return engine.play(id, actions).steps;
  } catch (error) {
    if (error instanceof Refused) return null;
    throw error;
  } finally {
    engine.close(id);
  }
}

/** The moment before the turn of another one.
 * @param {Moment[]} all
 * @param {Pick<Moment, 'turn'>} moment
 */
const beforeTurn = (all, { turn }) => all.findLast((moment) => moment.turn < turn) ?? all[0];

/**
 * The steps of the better turns of a review, by the index of the turn that was played. Without the engine there are none.
 *
 * @param {Ruleset} ruleset
 * @param {Moment[]} all
 * @param {{ number: number }[]} turns
 * @param {Review} review
 * @returns {Promise<(Step[] | null)[]>}
 */
export async function betterSteps(ruleset, all, turns, review) {
  const engine = await engineOfPage().catch((error) => {
    console.warn(error);
    return null;
  });
  return review.turns.map(({ better }, index) => {
    const turn = turns[index].number;
    const card = all.find((moment) => moment.turn === turn && moment.action > 0)?.cards?.card ?? null;
    const { position } = beforeTurn(all, { turn });
    return engine && better && stepsFrom(engine, ruleset, { position, card }, better.actions);
  });
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
  const before = beforeTurn(all, played);
  const done = steps.slice(0, n);
  const { turn, side, cards } = played;
  return {
    ...before,
    ...{ turn, side, cards, action: n, actions: steps.length, steps: done },
    position: done.at(-1)?.position ?? before.position,
    taken: done.reduce((taken, step) => withTaken(taken, side, step), before.taken),
  };
}
