// What has happened in a game since it was last shown, to be heard: in words and as a sound. Loaded when something has.

import { resultWords, sideName, t } from '../ui/page.js';
import { outcomeOf } from './model.js';
import { reasonWords, spokenWords } from './panels.js';

/** @import { Seats, Side } from '../protocol.js' */
/** @import { Sound } from '../ui/sound.js' */
/** @import { Game } from './model.js' */

/**
 * @typedef {object} Heard
 * @property {string} words empty if there is nothing to be said
 * @property {boolean} isCall whether somebody waits for me, or the game is over
 * @property {Sound | null} tone
 */

/**
 * @param {Game} before
 * @param {Game} now
 * @param {Side | null} mine
 * @returns {Heard}
 */
export function newsBetween(before, now, mine) {
  const fresh = now.turns.slice(before.turns.length);
  const words = [
    ...(now.seats !== null && before.present.status === 'open' ? [startWords(now, now.seats)] : []),
    ...fresh
      .filter(({ side }) => side !== mine)
      .map(({ side, steps }) => {
        const actions = steps.map(spokenWords).join('; ');
        return t('say.played', { name: now.seats?.[side].name ?? '', actions });
      }),
  ];
  const outcome = outcomeOf(now);
  if (outcome !== null && now.seats !== null) {
    const { title, reason } = resultWords(now.ruleset, outcome, now.seats, mine);
    return { words: [...words, `${title}.`, reason].join(' '), isCall: true, tone: 'end' };
  }
  const { status, turn } = now.present;
  if (status === 'playing' && turn.side === mine)
    return { words: [...words, ...callWords(now, mine)].join(' '), isCall: true, tone: 'turn' };
  return { words: words.join(' '), isCall: false, tone: fresh.length > 0 && mine === null ? 'move' : null };
}

/** @param {Game} game
 * @param {Seats} seats */
const startWords = ({ ruleset }, { first, second }) =>
  t('say.started', {
    ...{ first: first.name, second: second.name },
    ...{ first_side: sideName(ruleset, 'first'), second_side: sideName(ruleset, 'second') },
  });

/** That it is my turn, and what I have in it.
 * @param {Game} game
 * @param {Side} mine
 */
function callWords({ ruleset, present }, mine) {
  const { allowance, cards } = present.turn;
  const card = cards?.card ?? null;
  const count = allowance === null ? [] : [t('say.left', { n: allowance.allowance })];
  const reason = reasonWords(ruleset, present.turn, mine);
  return [
    t('status.your_turn'),
    ...(card === null ? [] : [`${t('cards.card', { n: card })}.`]),
    ...(reason === null ? count : [reason]),
  ];
}
