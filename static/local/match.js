// A game on this device: its players, its turns, its cards and its end, on a match of the page's own engine.

import { openDraft } from '../engine/match-draft.js';
import { drawn, restOf } from '../session/next-card.js';

/** @import { Outcome, Ruleset, Side } from '../protocol.js' */
/** @import { Engine } from '../engine/engine.js' */
/** @import { Question } from '../engine/search.js' */
/** @import { Game, PlayedTurn } from '../session/game-model.js' */
/** @import { Now } from './kept-game.js' */

/** The player of each side: the level of the computer, or null for a person.
 * @typedef {Record<Side, number | null>} Players */

/**
 * A game as the device keeps it.
 * @typedef {object} Kept
 * @property {Ruleset} ruleset
 * @property {Players} players
 * @property {string} date the day on which it began, as `2026-11-20`
 * @property {string[][]} turns the actions of each
 * @property {[turn: number, card: number][]} cards those that were turned over, by the numbers of their turns. The cards
 *   of turns that were taken back come again
 * @property {Side | null} resigned
 * @property {Now | null} [now] null for a game that is over
 */

/** The part of a game of the server that the panels beside a board read.
 * @typedef {Pick<Game, 'ruleset' | 'start' | 'turns' | 'present' | 'seedHash'>} Shown */

/** @typedef {ReturnType<typeof openMatch>} LocalMatch */

/**
 * Opens a game, after the turns that were kept of it. One that breaks the rules is `Refused`.
 *
 * @param {Engine} engine
 * @param {Kept} kept
 * @param {(values: number[]) => number} [draw] chooses the next card
 */
export function openMatch(engine, kept, draw = drawn) {
  const { ruleset, players, date } = kept;
  const local = openDraft(engine, ruleset);
  const start = local.match.turn.position;
  const cards = new Map(kept.cards);
  /** @type {PlayedTurn[]} */
  let turns = [];
  let { resigned } = kept;

  /** Turns over the card that the match waits for. */
  function deal() {
    const { outcome, turn } = local.match;
    if (outcome !== null || turn.cards === null || turn.cards.card !== null) return;
    const rest = restOf(turn.cards[turn.side]);
    const known = cards.get(turn.number);
    const card = known !== undefined && rest.includes(known) ? known : draw(rest);
    cards.set(turn.number, card);
    local.turnOver(card);
  }

  /** Plays a turn, and adds it to those that were played.
   * @param {() => boolean | void} act false if it was not played
   */
  function played(act) {
    const { number, side, cards: shown } = local.match.turn;
    if (act() === false) return false;
    const { steps } = local.match;
    const version = turns.length + 1;
    turns = [...turns, { number, side, steps, card: shown?.card ?? null, tookMs: 0, time: null, version }];
    deal();
    return true;
  }

  /** @param {string[]} actions */
  const playWhole = (actions) => played(() => local.playWhole(actions));

  /** @returns {Outcome | null} */
  function outcome() {
    const { outcome } = local.match;
    if (outcome !== null || resigned === null) return outcome;
    return { winner: resigned === 'first' ? 'second' : 'first', reason: 'resign' };
  }

  /** @returns {Now | null} */
  function now() {
    const { position, number, side } = local.match.turn;
    return outcome() === null ? { position, number, side } : null;
  }

  /** The number of turns that stay if the last turn of a person is taken back; null if there is none. */
  function beforeLast() {
    const at = turns.findLastIndex(({ side }) => players[side] === null);
    return at === -1 || resigned !== null ? null : at;
  }

  deal();
  for (const actions of kept.turns) playWhole(actions);

  return {
    ruleset,
    players,
    date,
    local,
    playWhole,

    /** Plays the turn being drawn up.
     * @returns {boolean} false without effect if it is neither complete nor may end
     */
    play: () => played(() => local.play()),

    /** The outcome of the game, by its rules or by resignation; null while it is not over. */
    get outcome() {
      return outcome();
    },
    /** The level that plays the next turn; null if a person does, or the game is over. */
    get level() {
      return outcome() === null ? players[local.match.turn.side] : null;
    },
    /** Whether there is a turn to take back. */
    get canTakeBack() {
      return beforeLast() !== null;
    },

    /** Takes back the last turn of a person, and with it those of the computer after it. */
    takeBack() {
      const count = beforeLast();
      if (count === null) return;
      turns = turns.slice(0, count);
      local.rewind(count);
      deal();
    },

    /** @param {Side} side */
    resign(side) {
      if (outcome() === null) resigned = side;
    },

    /** The game as panels read it.
     * @returns {Shown}
     */
    shown() {
      const { turn } = local.match;
      const ended = outcome();
      const common = { turn, version: turns.length + 1 };
      const present =
        ended === null ? { ...common, status: 'playing' } : { ...common, status: 'finished', outcome: ended };
      return { ruleset, start, turns, seedHash: null, present: /** @type {Game['present']} */ (present) };
    },

    /** The game as the device keeps it.
     * @returns {Kept}
     */
    kept: () => ({
      ruleset,
      players,
      date,
      resigned,
      turns: turns.map(({ steps }) => steps.map(({ action }) => action)),
      cards: [...cards],
      now: now(),
    }),

    /** The search for the next turn. It knows the cards that were turned over, and no others.
     * @param {number} level
     * @param {number} seed
     * @returns {Question}
     */
    question: (level, seed) => ({
      ruleset,
      start: null,
      level,
      seed,
      lines: 1,
      nodes: null,
      turns: turns.map(({ card, steps }) => ({ card, actions: steps.map(({ action }) => action) })),
      card: local.match.turn.cards?.card ?? null,
    }),

    /** Forgets the match. */
    close: () => local.close(),
  };
}
