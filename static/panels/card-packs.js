// The cards of a game: the rest of both packs, and the seed of the shuffles.

import { disc, sideName, t } from '../ui/page.js';
import { html, nothing } from '../vendor/lit-html@3.3.3/lit-html.js';

/** @import { Cards, Pack, Ruleset, Side } from '../protocol.js' */

/**
 * @param {Ruleset} ruleset
 * @param {Cards | null} cards null in a game without cards
 * @param {string | null} [seedHash] null in a record that does not tell it
 */
export const cardsPanel = (ruleset, cards, seedHash = null) =>
  cards === null
    ? nothing
    : html`${packs(ruleset, cards)} ${seedHash === null ? nothing : promise(seedHash)}`;

const VALUES = [1, 2, 3, 4, 5, 6];

/**
 * The rest of both packs.
 *
 * @param {Ruleset} ruleset
 * @param {Cards} cards
 */
const packs = (ruleset, cards) =>
  html`<details class="packs" open>
    <summary>${t('cards.left')}</summary>
    <table>
      <thead>
        <tr>
          <th scope="col">${t('cards.pack')}</th>
          ${VALUES.map((value) => html`<th scope="col"><span class="sr">${t('cards.value', { n: value })}</span><span aria-hidden="true">${value}</span></th>`)}
        </tr>
      </thead>
      <tbody>
        ${packRow(ruleset, 'first', cards.first)} ${packRow(ruleset, 'second', cards.second)}
      </tbody>
    </table>
    ${unseenNote(cards)}
  </details>`;

/** The seed's hash, shown from the start.
 * @param {string} seedHash
 */
const promise = (seedHash) =>
  html`<details class="packs">
    <summary>${t('cards.promise')}</summary>
    <p class="hint">${t('cards.promise_words')}</p>
    <p><code>${seedHash}</code></p>
  </details>`;

/** @param {Ruleset} ruleset
 * @param {Side} side
 * @param {Pack} pack */
const packRow = (ruleset, side, { left }) =>
  html`<tr>
    <th scope="row">${disc(ruleset, side)} ${sideName(ruleset, side)}</th>
    ${left.map((n) => html`<td class=${n === 0 ? 'none' : ''}>${n}<span class="sr"> ${t('cards.cards', { n })}</span></td>`)}
  </tr>`;

/** @param {Cards} cards */
function unseenNote({ first, second }) {
  const n = first.unseen + second.unseen;
  return n === 0 ? nothing : html`<p class="hint">${t('cards.unseen', { n })}</p>`;
}
