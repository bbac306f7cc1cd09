// A clause of the rules beside the board.

import { icon, t } from '../ui/page.js';
import { html } from '../vendor/lit-html@3.3.3/lit-html.js';

/** @import { Ruleset } from '../protocol.js' */

/**
 * A clause that is shown: its text, once it is there.
 * @typedef {{ rule: string, text: Element | 'coming' | 'failed' }} Clause
 */

/**
 * @param {Ruleset} ruleset
 * @param {Clause} clause
 * @param {() => void} close
 */
export const clausePanel = (
  ruleset,
  { rule, text },
  close,
) => html`<aside class="clause" aria-labelledby="clause-title">
    <div class="clause-head">
      <h3 id="clause-title">${t('game.rule', { rule })}</h3>
      <button class="quiet icon" id="clause-close" title=${t('clause.close')} aria-label=${t('clause.close')} @click=${close}>${icon('close')}</button>
    </div>
    ${typeof text === 'string' ? html`<p>${t(`clause.${text}`)}</p>` : text}
    <p><a href=${`/rules/${ruleset}#${rule}`} target="_blank" rel="noopener">${t('clause.all')}</a></p>
  </aside>`;
