// The sign of a search for an opponent in the header of a page. It has no words of its own: parts that pages load late
// have none.

import { serverTime } from '../connection/server-time.js';
import { clockShort } from '../session/clock-text.js';
import { html, nothing, render } from '../vendor/lit-html@3.3.3/lit-html.js';

/** @import { Translate } from '../i18n.js' */
/** @import { KeptSearch } from './pools.js' */
/** @import { TemplateResult } from '../vendor/lit-html@3.3.3/lit-html.js' */

/** The time after which a game with a bot is offered. */
const LONG_MS = 15_000;

/**
 * @param {Translate} t
 * @param {() => void} stop ends the search
 */
export function createSearchChip(t, stop) {
  const chip = document.createElement('div');
  chip.className = 'search-chip';
  chip.setAttribute('role', 'group');
  chip.ariaLabel = t('pairing.title');
  let timer = 0;

  /** @param {TemplateResult} content */
  function draw(content) {
    render(content, chip);
    if (!chip.isConnected) document.querySelector('#top .tools')?.before(chip);
  }

  /** @param {KeptSearch} search */
  function show({ pools, sinceMs }) {
    clearTimeout(timer);
    if (pools.length === 0) return chip.remove();
    const leftMs = sinceMs + LONG_MS - serverTime.now();
    if (leftMs > 0) timer = window.setTimeout(show, leftMs + 100, { pools, sinceMs });
    const names = pools.map(({ ruleset, clock }) =>
      t('pairing.pool', { game: t(`ruleset.${ruleset}`), clock: clockShort(t, clock) }),
    );
    draw(html`<span>${t('pairing.chip', { pools: names.join(t('page.comma')) })}</span>
      ${leftMs > 0 ? nothing : html`<a href="/#computer">${t('pairing.meanwhile')}</a>`}
      <button class="quiet icon" title=${t('pairing.stop')} aria-label=${t('pairing.stop')} @click=${stop}>✕</button>`);
  }

  return { show };
}
