// The text of a clause, which is loaded when it is asked for: it is that of the rules' page, and its boards are drawn as
// there.

import { drawDiagram } from '../board/diagram.js';
import { figureOf } from '../board/figure.js';

/** @import { Ruleset } from '../protocol.js' */
/** @import { Translate } from '../board/looks.js' */

/**
 * Loads the text of a clause, in the language of the page.
 *
 * @param {Ruleset} ruleset
 * @param {string} rule its number
 * @param {Translate} t
 * @returns {Promise<Element>}
 */
export async function clauseOf(ruleset, rule, t) {
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
