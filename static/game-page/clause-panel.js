// A clause of the rules beside the board.

import { opensElsewhere } from '../ui/leaving.js';
import { announce, byId, icon, t } from '../ui/page.js';
import { html } from '../vendor/lit-html@3.3.3/lit-html.js';

/** @import { Ruleset } from '../protocol.js' */
/** @import { State } from './game-state.js' */

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

/**
 * @param {Readonly<State>} state
 * @param {(values: Partial<State>) => void} update
 */
export function createClauseActions(state, update) {
  /** Shows a clause beside the board; a press that opens another tab is left to the browser.
   * @param {string} rule
   * @param {MouseEvent} event
   */
  async function openClause(rule, event) {
    const { game } = state;
    if (game === null || opensElsewhere(event)) return;
    event.preventDefault();
    update({ clause: { rule, text: 'coming' } });
    byId('clause-close').focus();
    /** @type {Element | 'failed'} */
    let text = 'failed';
    try {
      const { clauseOf } = await import(document.body.dataset.clause ?? '');
      text = await clauseOf(game.ruleset, rule, t);
    } catch {
      announce(t('clause.failed'), 'assertive');
    }
    if (state.clause?.rule !== rule) return;
    update({ clause: { rule, text } });
    byId('clause-title').closest('.clause')?.scrollIntoView({ block: 'nearest' });
    if (text !== 'failed') announce(text.textContent?.replace(/\s+/g, ' ').trim() ?? '');
  }

  return { openClause, closeClause: () => update({ clause: null }) };
}
