// News of a game since it was last shown: in words and as a sound.

import { callBetween } from './calls.js';
import { rematchBetween } from './offers.js';
import { noteLines } from './event-words.js';
import { nameOf, sideName, t } from '../ui/page.js';
import { isOneTable, outcomeOf, sideOf } from '../session/game-model.js';
import { calledName, moverWords, outcomeWords } from '../session/player-names.js';
import { reasonWords, spokenWords } from '../panels/turns-and-players.js';

/** @import { GameId, Player, Seats, Side } from '../protocol.js' */
/** @import { Sound } from '../ui/tones.js' */
/** @import { Call } from './calls.js' */
/** @import { Game } from '../session/game-model.js' */

/**
 * @typedef {object} Heard
 * @property {string} words empty if there is nothing to be said
 * @property {Call | null} call
 * @property {Sound | null} tone
 * @property {boolean} isAnswer whether the latest event is that the other side declined or withdrew an offer
 * @property {GameId | null} rematch id of the rematch; null if none has begun
 */

/** @type {Record<Call, Sound>} */
const TONES = { start: 'turn', turn: 'turn', offer: 'turn', end: 'end' };

/**
 * @param {Game} before
 * @param {Game} now
 * @param {Player | null} me
 * @returns {Heard}
 */
export function newsBetween(before, now, me) {
  const mine = sideOf(now, me);
  const call = callBetween(before, now, me);
  const fresh = now.turns.filter(({ version }) => version > before.version);
  const hasEnded = now.present.status !== 'playing' && now.present.status !== before.present.status;
  const words = [
    ...(now.seats !== null && before.seats === null ? [startWords(now, now.seats)] : []),
    ...(isOneTable(now) ? [] : fresh)
      .filter(({ side }) => side !== mine)
      .map(({ side, steps }) => {
        const actions = steps.map(spokenWords).join('; ');
        return t('say.played', { name: calledName(now, side), actions });
      }),
    ...(hasEnded ? endWords(now, mine) : noteWords(before, now)),
    ...(call === 'turn' && mine !== null ? [t('status.your_turn'), ...turnWords(now, mine)] : []),
    ...(isOneTable(now) && fresh.length > 0 && !hasEnded
      ? [`${moverWords(now)}.`, ...turnWords(now, null)]
      : []),
  ].join(' ');
  const last = now.notes.at(-1)?.event;
  const isAnswer =
    last?.type === 'declined' && last.version === now.version && mine !== null && last.side !== mine;
  const tone = call !== null ? TONES[call] : hasEnded ? 'end' : null;
  return { words, call, tone, isAnswer, rematch: rematchBetween(before, now) };
}

/** @param {Game} game
 * @param {Seats} seats */
const startWords = ({ ruleset }, { first, second }) =>
  t('say.started', {
    first: nameOf(first),
    second: nameOf(second),
    first_side: sideName(ruleset, 'first'),
    second_side: sideName(ruleset, 'second'),
  });

/** Events beside the board.
 * @param {Game} before
 * @param {Game} now
 */
const noteWords = (before, now) =>
  noteLines(now)
    .filter(({ version }) => version > before.version)
    .map(({ words }) => words);

/** The end of the game; an aborted game has only its last note.
 * @param {Game} game
 * @param {Side | null} mine
 */
function endWords(game, mine) {
  const outcome = outcomeOf(game);
  if (outcome === null || game.seats === null)
    return noteLines(game)
      .slice(-1)
      .map(({ words }) => words);
  const { title, reason } = outcomeWords(game, game.seats, outcome, mine);
  return [`${title}.`, reason];
}

/** The moves of a side in its turn.
 * @param {Game} game
 * @param {Side | null} mine null where it is said by colours
 */
function turnWords({ ruleset, present }, mine) {
  const { allowance, cards } = present.turn;
  const card = cards?.card ?? null;
  const count = allowance === null ? [] : [t('say.left', { n: allowance.allowance })];
  const reason = reasonWords(ruleset, present.turn, mine);
  return [
    ...(card === null ? [] : [`${t('cards.card', { n: card })}.`]),
    ...(reason === null ? count : [reason]),
  ];
}
