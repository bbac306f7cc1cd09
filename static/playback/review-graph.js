// The graph of a review: the chances of both sides after each turn, the points that a turn lost, and the turn that is
// shown. Its line rises as the side at the lower edge of the board gets ahead. Beside a replay it is a slider: its keys go
// from turn to turn.

import { html, svg } from '../vendor/lit-html@3.3.3/lit-html.js';
import { colourOf, disc, sideName, t } from '../ui/page.js';
import { chanceOf, swingsOf, turnByKey } from './scores.js';

/** @import { Review, Ruleset, Side } from '../protocol.js' */

const WIDTH = 600;
const HEIGHT = 120;

/** The place of a turn from left to right.
 * @param {number} index
 * @param {number} n
 */
const across = (index, n) => ((index + 0.5) / n) * WIDTH;

/**
 * The graph as a picture.
 *
 * @param {object} graph
 * @param {Ruleset} graph.ruleset
 * @param {Review} graph.review with at least one turn
 * @param {Side} graph.top the side that is shown above
 * @param {number} graph.index the turn that is shown; -1 for none
 */
export function chancesPicture({ ruleset, review, top, index }) {
  const { turns } = review;
  const n = turns.length;
  const bottom = top === 'first' ? 'second' : 'first';
  /** @param {number} at */
  const point = (at) => `${across(at, n).toFixed(1)} ${(chanceOf(turns[at].score, top) * HEIGHT).toFixed(1)}`;
  const ends = [point(0), point(n - 1)].map((end) => end.split(' ')[1]);
  const line = `M0 ${ends[0]}L${turns.map((_, at) => point(at)).join('L')}L${WIDTH} ${ends[1]}`;
  const swings = swingsOf(review).map(({ index: at }) => `M${point(at)}h0`);
  const here = `M${across(index, n).toFixed(1)} 0v${HEIGHT}`;
  return html`<svg class=${colourOf(ruleset, top)} viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true" focusable="false">
    ${svg`<path class="area ${colourOf(ruleset, bottom)}" d="${line}V${HEIGHT}H0Z" />
      <path class="even" d="M0 ${HEIGHT / 2}H${WIDTH}" />
      <path class="line-rim" d=${line} /><path class="line" d=${line} />
      <path class="here-rim" d=${index < 0 ? '' : here} /><path class="here" d=${index < 0 ? '' : here} />
      <path class="swing-rim" d=${swings.join('')} /><path class="swing" d=${swings.join('')} />`}
  </svg>`;
}

/**
 * The graph as a slider.
 *
 * @param {Parameters<typeof chancesPicture>[0] & { mine: Side | null, label: string, value: string,
 *   go: (index: number) => void }} graph `value` is the turn that is shown, in words
 */
export function reviewGraph({ mine, label, value, go, ...graph }) {
  const { ruleset, review, top, index } = graph;
  const n = review.turns.length;
  const bottom = top === 'first' ? 'second' : 'first';

  /** @param {PointerEvent} event */
  function toPointer(event) {
    if (event.buttons % 2 === 0) return;
    const box = /** @type {Element} */ (event.currentTarget).getBoundingClientRect();
    go(Math.min(n - 1, Math.max(0, Math.floor(((event.clientX - box.left) / box.width) * n))));
  }

  /** @param {KeyboardEvent} event */
  function byKey(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const to = turnByKey(event.key, index, n);
    if (to === null) return;
    event.preventDefault();
    event.stopPropagation();
    go(to);
  }

  /** The end of the graph where the line is when a side is ahead.
   * @param {Side} side */
  const end = (side) =>
    html`<span>${disc(ruleset, side)} ${side === mine ? t('review.leads_you') : t('review.leads', { side: sideName(ruleset, side) })}</span>`;
  return html`<div class="graph">
    <div class="graph-sides" aria-hidden="true">${end(bottom)} ${end(top)}</div>
    <div class="graph-field" role="slider" tabindex="0" aria-label=${label}
      aria-valuemin="0" aria-valuemax=${n} aria-valuenow=${index + 1} aria-valuetext=${value}
      @keydown=${byKey} @pointerdown=${toPointer} @pointermove=${toPointer}>${chancesPicture(graph)}</div>
  </div>`;
}
