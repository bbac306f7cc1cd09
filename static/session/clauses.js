// The clause of the rules behind each sentence of a board. Pure.

/** @import { Ruleset, Turn } from '../protocol.js' */

/** The clause on moves of each ruleset.
 * @type {Record<Ruleset, string>}
 */
const MOVING = {
  fibonacci: '1.12',
  'fibonacci-mixed': '1.12',
  'fibonacci-cards': '1.12',
  fenix: '2.4',
  focus: '3.4',
  'focus-classic': '3.4',
  crossfire: '3.4',
};

/** The clauses common to all rulesets of a kind.
 * @type {Record<string, string>}
 */
const CLAUSES = {
  'board.why.must_capture': '2.7',
  'board.why.jumping': '2.6',
  'board.why.king_due': '2.9',
  'board.why.barred': '4.4',
  'board.why.no_drop': '3.5',
  'board.explain.centre': '1.10',
  'board.explain.centre_attacked': '1.10',
};

/** Sentences about a piece that cannot reach its target. */
const ABOUT_MOVES = [
  'apart',
  'same_group',
  'no_line',
  'too_far',
  'other_count',
  'occupied',
  'onto_own',
  'not_next',
  'no_target',
];

/**
 * The number of the clause behind a sentence; null if there is none.
 *
 * @param {Ruleset} ruleset
 * @param {Turn} turn the turn in which it was said
 * @param {string} key of the sentence
 */
export function ruleBehind(ruleset, turn, key) {
  if (CLAUSES[key] !== undefined) return CLAUSES[key];
  if (!ABOUT_MOVES.some((name) => key === `board.why.${name}`)) return null;
  if (turn.set_up !== null) return '2.3';
  return MOVING[ruleset];
}
