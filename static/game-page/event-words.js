// Events beside the board, in words: for the list of turns, and for screen readers.

import { isOneTable } from '../session/game-model.js';
import { calledName } from '../session/player-names.js';
import { language, momentOf, nameOf, t } from '../ui/page.js';
import { wholeText } from '../session/clock.js';

/** @import { Event, OfferKind, Side } from '../protocol.js' */
/** @import { Game, Note } from '../session/game-model.js' */

/**
 * The notes of a game, each in a sentence.
 *
 * @param {Game} game
 * @returns {{ after: number, version: number, words: string }[]}
 */
export const noteLines = (game) =>
  game.notes.map(({ after, event }, index) => ({
    after,
    version: event.version,
    words: wordsOf(game, event, game.notes.slice(0, index)),
  }));

/**
 * @param {Game} game
 * @param {Event} event
 * @param {Note[]} before
 */
function wordsOf(game, event, before) {
  /** @param {Side} side */
  const name = (side) => calledName(game, side);
  if (isOneTable(game) && AT_ONCE.includes(event.type)) return t(`log.table_${event.type}`);
  switch (event.type) {
    case 'offered':
      return t(`log.offered_${event.what}`, { name: name(event.side) });
    case 'declined': {
      const did = event.side === makerOf(event.what, before) ? 'withdrawn' : 'declined';
      return t(`log.${did}_${event.what}`, { name: name(event.side) });
    }
    case 'turns_taken_back':
      return t('log.turns_taken_back', { name: name(event.side), n: event.turns });
    case 'time_credited':
      if (event.vacation_until_ms !== undefined)
        return event.vacation_until_ms > event.at_ms
          ? t('log.on_vacation', { name: name(event.side), when: momentOf(event.vacation_until_ms) })
          : t('log.back_from_vacation', { name: name(event.side) });
      return t('log.time_credited', { name: name(event.side), time: wholeText(language, event.ms) });
    case 'aborted':
      return event.side === null ? t('log.aborted_by_time') : t('log.aborted', { name: name(event.side) });
    case 'reopened': {
      const player = game.left[before.filter(({ event }) => event.type === 'reopened').length];
      return t('log.reopened', { name: player === undefined ? '' : nameOf(player) });
    }
    case 'resigned':
      return t(isOneTable(game) ? 'log.table_resigned' : 'log.resigned', { name: name(event.side) });
    case 'draw_agreed':
    case 'flagged':
    case 'claimed':
    case 'rematch_started':
      return t(`log.${event.type}`, { name: name(event.side) });
    default:
      return '';
  }
}

/** Events at one table, where offers need no answer. */
const AT_ONCE = ['draw_agreed', 'turns_taken_back', 'rematch_started', 'aborted'];

/** The player who made the last offer of a kind.
 * @param {OfferKind} what
 * @param {Note[]} notes
 */
function makerOf(what, notes) {
  const event = notes.findLast(({ event }) => event.type === 'offered' && event.what === what)?.event;
  return event?.type === 'offered' ? event.side : null;
}
