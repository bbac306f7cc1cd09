// The moments of a game in order, as a replay shows them. Pure: it computes nothing that the model or the text of a position
// does not have.

import { withTaken } from './game-model.js';
import { packAt } from './packs.js';

/** @import { Cards, Quiet, Side, Step, Times, Turn } from '../protocol.js' */
/** @import { Game, Taken } from './game-model.js' */

/**
 * A moment of a game: before its first action, or after one.
 * @typedef {object} Moment
 * @property {number} turn
 * @property {number} action number of actions of the turn played so far
 * @property {string} position
 * @property {Step[]} steps the actions of the turn done so far
 * @property {Side} side the side of the turn
 * @property {Cards | null} cards the card of the turn and the rest of both packs, where the game has cards
 * @property {Taken} taken captures so far
 * @property {number} actions total number of actions of the turn
 * @property {number} tookMs duration of the turn; 0 at the start
 * @property {Times | null} time time of both sides after the last whole turn, where it is known
 */

/**
 * Every moment of a game, in order: the start, and one after each action.
 *
 * @param {Game} game
 * @returns {Moment[]}
 */
export function moments(game) {
  const cardsOf = cardsBy(game);
  const { number: turn, side } = game.turns[0] ?? game.present.turn;
  const taken = { first: 0, second: 0 };
  /** @type {Moment[]} */
  const all = [
    {
      turn,
      action: 0,
      position: game.start,
      steps: [],
      side,
      cards: cardsOf(turn),
      taken,
      actions: 0,
      tookMs: 0,
      time: null,
    },
  ];
  for (const { number: turn, side, steps: whole, tookMs, time: after } of game.turns) {
    const cards = cardsOf(turn);
    const actions = whole.length;
    whole.forEach(({ position }, index) => {
      const { taken: before, time: known } = all[all.length - 1];
      const steps = whole.slice(0, index + 1);
      const taken = withTaken(before, side, whole[index]);
      const time = index + 1 === actions ? after : known;
      all.push({
        turn,
        action: index + 1,
        position,
        steps,
        side,
        cards,
        taken,
        actions,
        tookMs,
        time,
      });
    });
  }
  return all;
}

/** The known cards of a turn, by the turn's number.
 * @param {Game} game
 * @returns {(turn: number) => Cards | null}
 */
function cardsBy({ turns, present }) {
  if (present.turn.cards === null) return () => null;
  const known = [...turns, { number: present.turn.number, card: present.turn.cards.card }];
  const shown = new Map(known.flatMap(({ number, card }) => (card === null ? [] : [[number, card]])));
  return (turn) => {
    const card = shown.get(turn) ?? null;
    const last = card === null ? turn - 1 : turn;
    return { card, first: packAt(shown, 'first', last), second: packAt(shown, 'second', last) };
  };
}

/** The name of a moment; text around a link may follow it. */
const MOMENT = /^#(\d+)(?:\.(\d+))?(?![a-z\d])/i;

/** True if the fragment of an address names a moment: a link within the page does not.
 * @param {string} hash
 */
export const namesMoment = (hash) => MOMENT.test(hash);

/**
 * The index of the moment that `#TURN.ACTION` names; the nearest one before it if there is no such moment.
 *
 * @param {Moment[]} all
 * @param {string} hash
 * @returns {number}
 */
export function momentAt(all, hash) {
  const match = MOMENT.exec(hash);
  if (match === null) return 0;
  const turn = Number(match[1]);
  const action = match[2] === undefined ? Number.POSITIVE_INFINITY : Number(match[2]);
  const index = all.findLastIndex(
    (moment) => moment.turn < turn || (moment.turn === turn && moment.action <= action),
  );
  return Math.max(0, index);
}

/**
 * The index of the moment that ends the turn before (`by` −1) or this or the next turn (`by` 1).
 *
 * @param {Moment[]} all
 * @param {number} index
 * @param {1 | -1} by
 * @returns {number}
 */
export function turnFrom(all, index, by) {
  const ends = all.map((_, at) => at).filter((at) => all[at + 1]?.turn !== all[at].turn || at === 0);
  const next = by === 1 ? ends.find((at) => at > index) : ends.findLast((at) => at < index);
  return next ?? index;
}

/**
 * The index of the moment that a key leads to; it may lie beyond an end. Null if it leads nowhere.
 *
 * @param {string} key as a browser names it, with `Shift+` before it
 * @param {Moment[]} all
 * @param {number} index
 * @returns {number | null}
 */
export function goalOf(key, all, index) {
  switch (key) {
    case 'ArrowLeft':
      return index - 1;
    case 'ArrowRight':
      return index + 1;
    case 'ArrowUp':
    case 'Shift+ArrowLeft':
      return turnFrom(all, index, -1);
    case 'ArrowDown':
    case 'Shift+ArrowRight':
      return turnFrom(all, index, 1);
    case 'Home':
      return 0;
    case 'End':
      return all.length - 1;
    default:
      return null;
  }
}

/**
 * A turn as described by the text of a position: the fields after the board belong to the next action.
 *
 * @param {string} position
 * @param {Quiet | null} quiet has the number of turns at which the game is drawn, which is not in the text
 * @returns {Turn}
 */
export function readTurn(position, quiet) {
  const [, side, number, third, fourth] = position.split(' ');
  /** @type {Turn} */
  const turn = {
    number: Number(number),
    side: side === '1' ? 'first' : 'second',
    position,
    allowance: null,
    threats: null,
    reserves: null,
    set_up: null,
    owed: null,
    quiet: null,
    cards: null,
  };
  if (third === '-' || third === 'C' || third === 'K') {
    if (third !== '-') turn.owed = { kind: third === 'K' ? 'king' : 'councillor', must: third === 'K' };
    turn.quiet = quiet && { ...quiet, turns: Number(fourth) };
  } else if (!third.includes('/')) {
    turn.reserves = { first: Number(third), second: Number(fourth) };
  }
  return turn;
}

/**
 * The turn as described by the text of a moment's position, with the threats after its last step, and the cards.
 *
 * @param {Game} game
 * @param {Moment} moment
 * @returns {Turn}
 */
export const turnAt = (game, { position, steps, cards }) => ({
  ...readTurn(position, game.present.turn.quiet),
  threats: steps.at(-1)?.threats ?? null,
  cards,
});
