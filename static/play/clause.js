// A clause of the rules beside the board: its text is that of the rules' page, and its boards are drawn as there.

import { drawDiagram } from '../board/diagram.js';
import { figureOf } from '../board/figure.js';
import { icon, t } from '../ui/page.js';
import { html } from '../vendor/lit-html@3.3.3/lit-html.js';

/** @import { Ruleset } from '../protocol.js' */

/**
 * A clause that is shown: its text, once it is there.
 * @typedef {{ rule: string, text: Element | 'coming' | 'failed' }} Clause
 */

/**
 * Loads the text of a clause, in the language of the page.
 *
 * @param {Ruleset} ruleset
 * @param {string} rule its number
 * @returns {Promise<Element>}
 */
export async function clauseOf(ruleset, rule) {
  const section = (await rulesOf(ruleset)).getElementById(rule);
  if (section === null) throw new Error(`the rules of ${ruleset} have no clause ${rule}`);
  const text = document.importNode(section, true);
  // The page has no other of this name, but a link to it would not lead here.
  text.removeAttribute('id');
  for (const figure of text.querySelectorAll('figure[data-position]')) {
    const { host, diagram } = figureOf(/** @type {HTMLElement} */ (figure));
    drawDiagram(host, { ...diagram, t });
  }
  return text;
}

/** The page with the rules. A request that asks for a document has it parsed without any of it being run.
 * @param {Ruleset} ruleset
 * @returns {Promise<Document>}
 */
const rulesOf = (ruleset) =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('GET', `/rules/${ruleset}`);
    request.responseType = 'document';
    request.addEventListener('load', () => {
      if (request.status === 200 && request.response !== null) resolve(request.response);
      else reject(new Error(`the rules of ${ruleset} were answered with ${request.status}`));
    });
    request.addEventListener('error', () => reject(new Error(`the rules of ${ruleset} could not be loaded`)));
    request.send();
  });

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
