// The evaluation of a whole line, position by position, by the search in the worker; and the judgement of a turn that is
// tried in place of a mistake.

import { readTurn } from '../session/moments.js';
import { CLEARLY, REVIEW_NODES } from '../playback/scores.js';
import { ofFirst, scoreOf } from './opinion.js';
import { actionsOf } from './tree.js';

/** @import { Review } from '../protocol.js' */
/** @typedef {Pick<ReturnType<typeof import('../engine/thinker.js').createThinker>, 'ask'>} Thinker */
/** @import { Study } from './study.js' */
/** @import { Node } from './tree.js' */

/** The evaluation of a line.
 * @typedef {object} Course
 * @property {Node[]} line
 * @property {Review['turns']} turns
 */

/** The result of a position: the chance of the first side, and the turn that the search would play.
 * @typedef {{ score: number, turn: string[] }} Found */

/**
 * The chance of the first side after a turn at a node; null if the turn is illegal, or its position waits for a card.
 *
 * @param {Thinker} thinker
 * @param {Study} study
 * @param {Node} node
 * @param {string[]} actions
 * @param {number | null} card that of the next turn
 */
async function chanceAfter(thinker, study, node, actions, card) {
  const after = study.after(actions, node);
  if (after === null) return null;
  if (after.outcome !== null) return scoreOf(after.outcome);
  if (study.hasCards && card === null) return null;
  const { score } = await thinker.ask(
    'search',
    study.question(node, REVIEW_NODES, { card, played: actions }),
  );
  return ofFirst(score, after.turn.side);
}

/**
 * The turn that is clearly better than one of a line, by the rule of the server's review: both are valued by a search of
 * the position after them. Null if there is none.
 *
 * @param {Thinker} thinker
 * @param {Study} study
 * @param {Node[]} line
 * @param {number} index
 * @param {Found} before
 * @param {Found} played
 * @returns {Promise<Review['turns'][number]['better']>}
 */
async function betterThan(thinker, study, line, index, before, { score: after }) {
  const { parent, move } = line[index];
  const side = move?.side ?? 'first';
  /** @param {number} score */
  const isClear = (score) => ofFirst(score, side) - ofFirst(after, side) >= CLEARLY;
  const { score: expected, turn: actions } = before;
  if (parent === null || actions.length === 0 || !isClear(expected)) return null;
  if (study.after(actions, parent)?.turn.position === move?.position) return null;
  const score = await chanceAfter(thinker, study, parent, actions, line[index + 1]?.move?.card ?? null);
  return score === null || !isClear(score) ? null : { actions, score };
}

/**
 * Evaluates a line.
 *
 * @param {Thinker} thinker
 * @param {Study} study
 * @param {Node[]} line from the root on
 * @param {(done: number) => void} report called after each position
 * @returns {Promise<Course>} never settled if the thinker is stopped
 */
export async function evaluate(thinker, study, line, report) {
  /** @type {Found[]} */
  const found = [];
  /** @type {Review['turns']} */
  const turns = [];
  for (const [index, node] of [study.root, ...line].entries()) {
    const { outcome } = node.move ?? { outcome: null };
    if (outcome !== null) {
      found.push({ score: scoreOf(outcome), turn: [] });
    } else {
      const { side } = readTurn(node.move?.position ?? study.startText, null);
      const question = study.question(node, REVIEW_NODES);
      // Before the card of a turn is turned over, nothing can be searched.
      const isWaiting = study.hasCards && index === line.length && question.card === null;
      const answer = isWaiting ? null : await thinker.ask('search', question);
      found.push(
        answer === null
          ? { score: found.at(-1)?.score ?? 0.5, turn: [] }
          : { score: ofFirst(answer.score, side), turn: answer.turn },
      );
    }
    if (index > 0) {
      const [before, played] = found.slice(-2);
      const better = await betterThan(thinker, study, line, index - 1, before, played);
      turns.push({ score: played.score, better });
    }
    report(index + 1);
  }
  return { line, turns };
}

/** The judgement of a turn, and the chance of the first side after it; null if it is unknown.
 * @typedef {{ verdict: 'found' | 'better' | 'worse' | 'unknown', score: number | null }} Judgement */

/**
 * Judges a turn that was tried in place of a mistake.
 *
 * @param {Thinker} thinker
 * @param {Study} study
 * @param {Course} course
 * @param {number} index that of the mistake
 * @param {string[]} actions
 * @returns {Promise<Judgement>}
 */
export async function judge(thinker, study, { line, turns }, index, actions) {
  const { score, better } = turns[index];
  const side = line[index].move?.side ?? 'first';
  if (better === null || actions.join(' ') === better.actions.join(' '))
    return { verdict: 'found', score: better?.score ?? score };
  if (actions.join(' ') === actionsOf(line[index]).join(' ')) return { verdict: 'worse', score };
  const card = line[index + 1]?.move?.card ?? null;
  const first = await chanceAfter(thinker, study, line[index].parent ?? study.root, actions, card);
  if (first === null) return { verdict: 'unknown', score: null };
  /** @param {number} chance */
  const mine = (chance) => ofFirst(chance, side);
  if (mine(first) >= mine(better.score) - CLEARLY) return { verdict: 'found', score: first };
  return { verdict: mine(first) >= mine(score) + CLEARLY ? 'better' : 'worse', score: first };
}
