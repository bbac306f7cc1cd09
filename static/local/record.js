// The record of a game on this device, in text (docs/records.md). Pure.

/** @import { Side } from '../protocol.js' */
/** @import { LocalMatch } from './match.js' */

/**
 * @param {Pick<LocalMatch, 'ruleset' | 'date' | 'outcome' | 'shown'>} match
 * @param {Record<Side, string | null>} names of the players; null where there is none
 */
export function recordOf({ ruleset, date, outcome, shown }, names) {
  const { turns, present } = shown();
  const { number, position, cards } = present.turn;
  const headers = [
    ['ruleset', ruleset],
    ['first', names.first],
    ['second', names.second],
    ['date', date],
    ['result', outcome && (outcome.winner ?? 'draw')],
    ['reason', outcome?.reason ?? null],
  ].flatMap(([key, value]) => (value === null ? [] : [`${key}: ${value}`]));
  const lines = turns.map(({ number, card, steps }) =>
    [number, ...cardIn(card), ...steps.map(({ action }) => action)].join(' '),
  );
  const card = cards?.card ?? null;
  const isBegun = card !== null && turns.at(-1)?.number !== number;
  const begun = isBegun ? [[number, ...cardIn(card)].join(' ')] : [];
  return ['towers-record 1', ...headers, '', ...lines, ...begun, `final: ${position}`, ''].join('\n');
}

/** @param {number | null} card */
const cardIn = (card) => (card === null ? [] : [`[${card}]`]);
