// Finds the turns between two positions: a stored conditional turn has the position that it waits for, and not the turns
// that lead there. The engine lists the legal actions; those that make the two boards more alike are tried first.

import { numberOf } from './conditional-lines.js';

/** @import { LegalAction } from '../protocol.js' */
/** @import { Engine, MatchState } from '../engine/engine.js' */

/** Maximum number of detours in a search. */
const MAX_DETOURS = 2;

/** The position that a search looks for.
 * @typedef {object} Goal
 * @property {string} position
 * @property {number} number that of its turn
 * @property {Map<string, string>} board
 * @property {number} detours number of detours that are left
 * @property {Set<string>} seen the positions that were searched, each with the number of detours left there
 */

/**
 * @param {Pick<Engine, 'choices' | 'copy' | 'play' | 'close'>} engine
 * @param {(position: string) => Map<string, string>} parse the contents of a position's cells
 * @param {{ calls: number }} budget maximum number of positions that the engine is asked about, which goes down
 * @returns {(matches: MatchState[], position: string) => { index: number, turns: string[][] } | null} finds the turns, each
 *   as its actions, that lead from one of several matches to a position
 */
export function createTurnSearch(engine, parse, budget) {
  /** @param {MatchState} match
   * @param {string[]} actions those of the turn so far
   * @param {Goal} goal
   * @returns {string[][] | null} */
  function after(match, actions, goal) {
    const { id, outcome, turn } = match;
    if (outcome !== null || turn.number >= goal.number || budget.calls <= 0) return null;
    budget.calls -= 1;
    const { draft, actions: legal } = engine.choices(id, actions);
    const { position } = draft.turn;
    const key = `${goal.detours} ${turn.number} ${actions.length > 0} ${position}`;
    if (goal.seen.has(key)) return null;
    goal.seen.add(key);
    if (draft.complete || draft.may_end) {
      const found = afterWhole(id, draft.complete ? actions : [...actions, 'end'], goal);
      if (found !== null) return found;
    }
    for (const [action, detour] of byNearness(legal, parse(position), goal.board)) {
      const detours = goal.detours - detour;
      if (detours < 0) break;
      const found = after(match, [...actions, action], { ...goal, detours });
      if (found !== null) return found;
    }
    return null;
  }

  /** @param {number} id
   * @param {string[]} actions a whole turn
   * @param {Goal} goal
   * @returns {string[][] | null} */
  function afterWhole(id, actions, goal) {
    const copy = engine.copy(id);
    try {
      const next = engine.play(copy.id, actions);
      if (next.turn.position === goal.position) return [actions];
      const rest = after(next, [], goal);
      return rest === null ? null : [actions, ...rest];
    } finally {
      engine.close(copy.id);
    }
  }

  return (matches, position) => {
    const goal = { position, number: numberOf(position), board: parse(position) };
    for (let detours = 0; detours <= MAX_DETOURS; detours += 1) {
      for (const [index, match] of matches.entries()) {
        const turns = after(match, [], { ...goal, detours, seen: new Set() });
        if (turns !== null) return { index, turns };
      }
    }
    return null;
  };
}

/** Actions, the likeliest first, with the detour that each makes: none if its piece goes to a place where the goal has it.
 * @param {LegalAction[]} legal
 * @param {Map<string, string>} now
 * @param {Map<string, string>} goal
 * @returns {[action: string, detour: number][]}
 */
function byNearness(legal, now, goal) {
  /** @param {string | null} cell */
  const isOpen = (cell) => cell === null || now.get(cell) !== goal.get(cell);
  return legal
    .filter(({ kind }) => kind !== 'end')
    .map(({ text, from, to }) => {
      const arrives = from !== null && to !== null && goal.get(to) === now.get(from);
      const detour = !isOpen(from) ? 2 : !isOpen(to) ? 1 : arrives ? 0 : 0.5;
      return /** @type {[string, number]} */ ([text, detour]);
    })
    .toSorted(([, one], [, other]) => one - other);
}
