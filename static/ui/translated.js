// Pages that the browser translates. A translator puts elements where texts were, and the texts leave the page: nothing
// may be written into them later, nor be placed before them. So in a page's templates no text is the end of a part, and
// a part whose text is gone begins anew.

import { html, noChange, nothing, render } from '../vendor/lit-html@3.3.3/lit-html.js';

/**
 * A place in a template for a value, with the names that every release of lit-html 3 has for its parts.
 * @typedef {object} ChildPart
 * @property {Node} startNode a comment
 * @property {unknown} _$AH the value that is shown
 * @property {(value: unknown, ...more: unknown[]) => void} _$AI shows a value
 * @property {() => void} _$AR removes what is shown
 * @property {(result: unknown) => { constructor: TemplateClass }} _$AC the template of a result
 */
/** @typedef {{ createElement: (text: unknown, options: unknown) => HTMLTemplateElement }} TemplateClass */

/** @type {ChildPart} */
const parts = Object.getPrototypeOf(render(nothing, document.createDocumentFragment()));
const templates = parts._$AC(html`<p>${nothing}</p>`).constructor;

const { _$AI: show } = parts;
/** @type {ChildPart['_$AI']} */
parts._$AI = function (value, ...more) {
  const shown = this._$AH;
  const isText = typeof shown === 'string' || typeof shown === 'number';
  // The same value again keeps its translation.
  if (isText && value !== shown && value !== noChange && !(this.startNode.nextSibling instanceof Text)) {
    this._$AR();
    this._$AH = nothing;
  }
  show.call(this, value, ...more);
};

const { createElement } = templates;
/** The template of a text, in which a comment follows each part that a text would follow. */
templates.createElement = (text, options) => {
  const template = createElement(text, options);
  const comments = document.createTreeWalker(template.content, NodeFilter.SHOW_COMMENT);
  while (comments.nextNode()) {
    const { currentNode } = comments;
    if (currentNode.nextSibling instanceof Text) {
      /** @type {Comment} */ (currentNode).after(document.createComment(''));
      comments.nextNode();
    }
  }
  return template;
};
