// A match that follows a game on the page, so that the page itself finds what may be done in it. Where it disagrees with
// the server, the server is right, and the match is not asked any more.

import { deskOn } from '../local/desk.js';
import { Refused, engineOfPage } from './engine.js';

/** @import { Game, PlayedTurn } from '../play/model.js' */
/** @import { Choices, Engine, MatchState } from './engine.js' */

/** The actions of a turn, and its card.
 * @param {PlayedTurn} turn
 */
const nameOf = ({ card, steps }) => `${card ?? ''} ${steps.map(({ action }) => action).join(' ')}`;

/** Follows a game with the engine that the page names, once that is loaded. */
export const shadowOfPage = async () => createShadow(await engineOfPage());

/** @typedef {ReturnType<typeof createShadow>} Shadow */

/** @param {Engine} engine */
export function createShadow(engine) {
  /** @type {MatchState | null} */
  let match = null;
  /** The turns of the match.
   * @type {string[]} */
  let played = [];
  let isWrong = false;

  /** Plays what the match lacks of a game, and takes back what the game no longer has.
   * @param {Game} game
   */
  function follow({ ruleset, start, turns, present }) {
    match ??= engine.open(ruleset, start);
    const { id } = match;
    const names = turns.map(nameOf);
    const first = names.findIndex((name, index) => name !== played[index]);
    const common = first === -1 ? names.length : first;
    if (common < played.length) match = engine.rewind(id, common);
    played = played.slice(0, common);
    for (const [index, turn] of turns.entries()) {
      if (index < common) continue;
      turnOver(turn.card);
      match = engine.play(
        id,
        turn.steps.map(({ action }) => action),
      );
      played.push(names[index]);
    }
    turnOver(present.turn.cards?.card ?? null);
    isWrong = match.turn.position !== present.turn.position;
  }

  /** Turns over a card, if the match waits for it.
   * @param {number | null} card
   */
  function turnOver(card) {
    if (match === null || card === null || match.turn.cards?.card !== null) return;
    match = engine.turnOver(match.id, card);
  }

  /** Asks the match about a game under way. Returns null if only the server can tell.
   * @template Answer
   * @param {Game} game
   * @param {(id: number) => Answer} question
   */
  function ask(game, question) {
    if (isWrong || game.present.status !== 'playing') return null;
    try {
      follow(game);
      return isWrong || match === null ? null : question(match.id);
    } catch (error) {
      if (error instanceof WebAssembly.RuntimeError) isWrong = true;
      else if (!(error instanceof Refused)) throw error;
      return null;
    }
  }

  return {
    /**
     * The actions that may follow the beginning of a turn of a game under way; null if only the server can tell.
     *
     * @param {Game} game
     * @param {string[]} actions
     * @returns {Choices | null}
     */
    choices: (game, actions) => ask(game, (id) => engine.choices(id, actions)),

    /**
     * A desk for the turn after the one under way, on the board before it; null if that turn is not known yet.
     *
     * @param {Game} game
     */
    next: (game) => ask(game, (id) => deskOn(engine, engine.passed(id))),
  };
}
