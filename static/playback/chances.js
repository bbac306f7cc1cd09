// The chances of both sides after each turn: in words, as a graph, and the turns where they swung.

import { disc, language, sideName, t } from '../ui/page.js';
import { html, nothing } from '../vendor/lit-html@3.3.3/lit-html.js';
import { reviewGraph } from './review-graph.js';
import { chanceOf, pointsLost, swingsOf } from './scores.js';

/** @import { Review, Ruleset, Side } from '../protocol.js' */
/** @import { TemplateResult } from '../vendor/lit-html@3.3.3/lit-html.js' */

const percents = new Intl.NumberFormat(language, { style: 'percent' });

/** The chance of a side in words.
 * @param {number} score the chance of the first side
 * @param {Side} side
 */
export const percent = (score, side) => percents.format(chanceOf(score, side));

/** The side with the better chance, and its chance in words.
 * @param {Ruleset} ruleset
 * @param {number} score the chance of the first side
 * @returns {{ side: Side, words: string }}
 */
export function favourite(ruleset, score) {
  /** @type {Side} */
  const side = score >= 0.5 ? 'first' : 'second';
  return { side, words: t('review.chance', { side: sideName(ruleset, side), chance: percent(score, side) }) };
}

/**
 * The chances of the side of a turn in words, before the turn and after it.
 *
 * @param {Ruleset} ruleset
 * @param {Side | null} mine the reader's own side
 * @param {{ side: Side }[]} turns
 * @param {Review['turns']} reviewed
 * @param {number} index
 * @param {{ score: number, after: 'yours' | 'better' } | null} [other] the chance of the first side after a turn in
 *   place of the one that was played
 */
export function chancesWords(ruleset, mine, turns, reviewed, index, other = null) {
  const { side } = turns[index];
  const before = reviewed[index - 1];
  /** @param {string} key
   * @param {number} score */
  const words = (key, score) => t(`review.${key}`, { chance: percent(score, side) });
  const chances = [
    // No search has valued the start position.
    ...(before === undefined ? [] : [words('before', before.score)]),
    words(other === null ? 'after' : 'after_played', reviewed[index].score),
    ...(other === null ? [] : [words(`after_${other.after}`, other.score)]),
  ];
  const key = side === mine ? 'review.chances_yours' : 'review.chances';
  return t(key, { side: sideName(ruleset, side), chances: chances.join(t('page.comma')) });
}

/** A turn, the chances after it, and the points that it lost, in words.
 * @param {Ruleset} ruleset
 * @param {{ number: number, side: Side }} turn
 * @param {Review['turns'][number]} reviewed
 */
export function valueWords(ruleset, { number, side }, reviewed) {
  const where = t('replay.at', { turn: number, side: sideName(ruleset, side) });
  const points = pointsLost(reviewed);
  const lost = points === 0 ? [] : [t('review.lost', { n: points })];
  return [where, favourite(ruleset, reviewed.score).words, ...lost].join(', ');
}

/**
 * @param {object} panel
 * @param {Ruleset} panel.ruleset
 * @param {Review} panel.review with at least one turn
 * @param {Side | null} panel.mine the reader's own side
 * @param {{ number: number, side: Side }[]} panel.turns
 * @param {(index: number) => string} panel.better the better turn in words
 * @param {Side} panel.top the side that is shown above
 * @param {number} panel.index the turn that is shown; -1 at the start position
 * @param {(index: number) => void} panel.go
 * @param {unknown} [panel.now] the turn that is shown, below the graph
 * @param {(index: number, content: TemplateResult) => TemplateResult} panel.link a way to a turn
 */
export function chancesPanel({ ruleset, review, mine, turns, better, top, index, go, now = nothing, link }) {
  const swings = swingsOf(review);
  const value = index < 0 ? t('replay.start') : valueWords(ruleset, turns[index], review.turns[index]);
  const graph = { ruleset, review, mine, top, index, label: t('review.graph'), value, go };
  /** @param {{ index: number }} swing */
  const item = ({ index: at }) => {
    const { number, side } = turns[at];
    const { score, better: other } = review.turns[at];
    const words = t('review.swing', {
      turn: String(number),
      side: side === mine ? t('game.you') : sideName(ruleset, side),
      played: percent(score, side),
      better: percent(other?.score ?? score, side),
      actions: better(at),
    });
    return html`<li>${link(at, html`${disc(ruleset, side)}<span>${words}</span>`)}</li>`;
  };
  return html`${reviewGraph(graph)} ${now}
    ${swings.length === 0 ? html`<p class="lead">${t('review.no_swings')}</p>` : html`<h3>${t('review.swings')}</h3>`}
    ${swings.length === 0 ? nothing : html`<ol class="swings">${swings.map(item)}</ol>`}`;
}
