// The evaluation of a whole line, position by position, by the search in the worker; and the judgement of a turn that is
// tried in place of a mistake.

import { readTurn } from '../session/moments.js';
import { REVIEW_NODES } from '../playback/scores.js';
import { ofFirst, scoreOf } from './opinion.js';
import { actionsOf } from './tree.js';

/** @import { Review } from '../protocol.js' */
/** @typedef {Pick<ReturnType<typeof import('../engine/thinker.js').createThinker>, 'ask'>} Thinker */
/** @import { Study } from './study.js' */
/** @import { Node } from './tree.js' */

/** The least gain, as a chance, for which a turn counts as better. */
const GAIN = 0.05;

/** The evaluation of a line.
 * @typedef {object} Course
 * @property {Node[]} line
 * @property {Review['turns']} turns
 */

/**
 * The chances of each turn of a line, out of those that the search gave to the positions.
 *
 * @param {Node[]} line
 * @param {{ score: number, turn: string[] }[]} found the chance of the first side before each turn, and after the last,
 *   with the turns that the search would have played
 * @returns {Review['turns']}
 */
export const turnsOf = (line, found) =>
  line.map((node, index) => {
    const side = node.move?.side ?? 'first';
    const { score: best, turn } = found[index];
    const { score } = found[index + 1];
    const gain = side === 'first' ? best - score : score - best;
    const isPlayed = turn.join(' ') === actionsOf(node).join(' ');
    return { score, better: isPlayed || gain < GAIN ? null : { actions: turn, score: best } };
  });

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
  /** @type {{ score: number, turn: string[] }[]} */
  const found = [];
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
    report(index + 1);
  }
  return { line, turns: turnsOf(line, found) };
}

/** The judgement of a turn, and the chance of the first side after it; null if it is unknown.
 * @typedef {{ verdict: 'found' | 'better' | 'worse' | 'unknown', score: number | null }} Judgement */

/**
 * Judges a turn that was tried in place of a mistake.
 *
 * @param {Thinker} thinker
 * @param {Study} study shows the position before the mistake
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
  const after = study.after(actions);
  if (after === null) return { verdict: 'unknown', score: null };
  const card = line[index + 1]?.move?.card ?? null;
  if (after.outcome === null && study.hasCards && card === null) return { verdict: 'unknown', score: null };
  const first =
    after.outcome === null
      ? ofFirst(
          (
            await thinker.ask(
              'search',
              study.question(line[index].parent ?? study.root, REVIEW_NODES, { card, played: actions }),
            )
          ).score,
          after.turn.side,
        )
      : scoreOf(after.outcome);
  /** @param {number} chance */
  const mine = (chance) => ofFirst(chance, side);
  if (mine(first) >= mine(better.score) - GAIN) return { verdict: 'found', score: first };
  return { verdict: mine(first) >= mine(score) + GAIN ? 'better' : 'worse', score: first };
}
