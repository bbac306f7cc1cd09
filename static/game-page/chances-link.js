// The winning chances of a game in the panel of its result: a way to the review. Loaded if a review is stored.

import { chancesPicture } from '../playback/review-graph.js';
import { t } from '../ui/page.js';
import { html } from '../vendor/lit-html@3.3.3/lit-html.js';

/** @import { Review, Ruleset, Side } from '../protocol.js' */

/**
 * @param {object} graph
 * @param {Ruleset} graph.ruleset
 * @param {Review} graph.review with at least one turn
 * @param {Side} graph.top the side that is shown above
 * @param {string} href
 */
export const chancesLink = (graph, href) =>
  html`<a class="graph" href=${href} aria-label=${t('review.graph')}><span class="graph-field">${chancesPicture({ ...graph, index: -1 })}</span></a>`;
