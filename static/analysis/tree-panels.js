// The panels beside the board of an analysis.

import { cardFace, effectWords, spokenWords, stepsWords } from '../panels/turns-and-players.js';
import { favourite } from '../playback/chances.js';
import { colourOf, disc, icon, sideName, t } from '../ui/page.js';
import { html, nothing, svg } from '../vendor/lit-html@3.3.3/lit-html.js';
import { GLYPHS, MAX_COMMENT, isMain, lineFrom } from './tree.js';

/** @import { Ruleset, Side } from '../protocol.js' */
/** @import { TemplateResult } from '../vendor/lit-html@3.3.3/lit-html.js' */
/** @import { Arrow } from '../board/arrows.js' */
/** @import { Opinion } from './opinion.js' */
/** @import { Study } from './study.js' */
/** @import { Glyph, Node } from './tree.js' */

/** The signs in words.
 * @type {Record<Glyph, string>} */
const WORTH = {
  '!!': 'brilliant',
  '!': 'good',
  '!?': 'interesting',
  '?!': 'dubious',
  '?': 'mistake',
  '??': 'blunder',
};

/** @param {Glyph} glyph */
const glyphWords = (glyph) => t(`analysis.glyph_${WORTH[glyph]}`);

// --- Opinion ---

/**
 * @param {object} panel
 * @param {Ruleset} panel.ruleset
 * @param {Side} panel.side the side to move
 * @param {boolean} panel.isOn
 * @param {Opinion | null} panel.opinion
 * @param {boolean} panel.isFailed
 * @param {number | null} panel.reviewed the chance of the first side by the evaluation of the whole line; null if it is
 *   unknown
 * @param {boolean} panel.isWaiting whether the position waits for a card
 * @param {() => void} panel.toggle
 * @param {(actions: string[]) => void} panel.play
 */
export function opinionPanel({ ruleset, side, isOn, opinion, reviewed, isFailed, isWaiting, toggle, play }) {
  const head = html`<div class="opinion-head"><h2 id="opinion-title">${t('analysis.opinion')}</h2>
    <button class="quiet" @click=${toggle}>${t(isOn ? 'analysis.opinion_off' : 'analysis.opinion_on')}</button></div>`;
  if (!isOn) return head;
  if (isFailed) return html`${head}<p class="notice">${t('analysis.failed')}</p>`;
  if (isWaiting) return html`${head}<p class="lead">${t('analysis.card_choose')}</p>`;
  const { side: ahead, words } = favourite(ruleset, opinion?.score ?? 0.5);
  const wins = opinion?.lines[0]?.wins === true;
  return html`${head}
    ${scoreBar(ruleset, opinion?.score ?? 0.5)}
    <p class="opinion-words">${
      opinion === null
        ? t('analysis.thinking')
        : html`${disc(ruleset, ahead)} <strong>${words}</strong>
          ${opinion.nodes === 0 ? nothing : html`<small>${t('analysis.looked', { n: opinion.nodes })}</small>`}`
    }</p>
    ${reviewed === null ? nothing : html`<p class="hint reviewed">${t('analysis.reviewed', { chance: favourite(ruleset, reviewed).words })}</p>`}
    ${wins ? html`<p class="notice">${t('analysis.wins_now', { side: sideName(ruleset, side) })}</p>` : nothing}
    <ol class="best" aria-label=${t('analysis.best')}>
      ${(opinion?.lines ?? []).map(
        (line) => html`<li><button class="quiet" @click=${() => play(line.actions)}
          aria-label=${`${t('analysis.play_line', { actions: line.steps.map(spokenWords).join(', ') })}, ${lineWords(ruleset, line)}`}>
          <span>${stepsWords(line.steps)}</span> <small>${lineWords(ruleset, line)}</small></button></li>`,
      )}
    </ol>`;
}

/** @param {Ruleset} ruleset
 * @param {Opinion['lines'][number]} line */
const lineWords = (ruleset, { wins, score }) => (wins ? t('analysis.wins') : favourite(ruleset, score).words);

/** The chances of both sides as parts of a bar.
 * @param {Ruleset} ruleset
 * @param {number} score the chance of the first side
 */
const scoreBar = (ruleset, score) =>
  html`<svg class="score-bar ${colourOf(ruleset, 'second')}" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true" focusable="false">
    ${svg`<rect class="score-part ${colourOf(ruleset, 'first')}" width=${(100 * score).toFixed(1)} height="8" /><path class="score-even" d="M50 0v8" />`}
  </svg>`;

// --- Turns ---

/**
 * The tree of turns. Variations stand below the turn that they could replace.
 *
 * @param {Study} study
 * @param {(node: Node) => void} go
 */
export function turnTree({ ruleset, root, here }, go) {
  if (root.children.length === 0) return html`<p class="empty">${t('analysis.no_turns')}</p>`;
  /** @param {Node} node
   * @returns {TemplateResult} */
  const item = (node) => {
    const { move, glyph, comment } = node;
    if (move === null) return html``;
    const { number, side, steps, card } = move;
    const effects = steps.map(effectWords).filter((words) => words !== '');
    return html`<li>
      <button class="quiet turn-button" aria-current=${node === here ? 'step' : nothing} title=${effects.join(', ') || nothing} @click=${() => go(node)}>
        <span class="no">${number}</span>${disc(ruleset, side)}<span class="sr">${sideName(ruleset, side)}</span>
        ${card === null ? nothing : cardFace(card)}
        <span class="acts">${stepsWords(steps)}</span>${effects.length === 0 ? nothing : html`<span class="sr">, ${effects.join(', ')}</span>`}
        ${glyph === null ? nothing : html`<strong class="glyph" aria-label=${glyphWords(glyph)} role="img">${glyph}</strong>`}
      </button>
      ${comment === '' ? nothing : html`<p class="remark">${comment}</p>`}
    </li>`;
  };
  /** @param {Node} first
   * @returns {TemplateResult[]} */
  const line = (first) =>
    [first, ...lineFrom(first)].flatMap((node) => {
      const others = node.parent?.children[0] === node ? node.parent.children.slice(1) : [];
      return [
        item(node),
        ...others.map(
          (other) =>
            html`<li class="branch"><ol class="turns" aria-label=${t('analysis.variation')}>${line(other)}</ol></li>`,
        ),
      ];
    });
  return html`<ol class="turns">${line(root.children[0])}</ol>`;
}

/** The buttons for the branch that is shown. They are there as long as there are turns, so that a focus on them stays.
 * @param {Study} study
 * @param {boolean} mayRemove
 * @param {{ promote: () => void, remove: () => void }} handlers
 */
export const branchBar = ({ here, root }, mayRemove, { promote, remove }) =>
  root.children.length === 0
    ? nothing
    : html`<div class="buttons">
        <button class="quiet" aria-disabled=${isMain(here)} @click=${promote}>${t('analysis.promote')}</button>
        <button class="quiet" aria-disabled=${!mayRemove} @click=${remove}>${t('analysis.remove')}</button>
      </div>`;

// --- Notes ---

/** @param {Arrow} mark */
const markWords = ({ from, to }) =>
  from === to ? t('analysis.mark_circle', { from }) : t('analysis.mark_arrow', { from, to });

/**
 * @param {Node} node
 * @param {object} handlers
 * @param {(comment: string) => void} handlers.comment
 * @param {(glyph: Glyph) => void} handlers.rate
 * @param {(cells: string) => boolean} handlers.mark false if the board has no such cells
 * @param {(mark: Arrow) => void} handlers.unmark
 */
export function notesPanel(node, { comment, rate, mark, unmark }) {
  /** @param {SubmitEvent} event */
  const draw = (event) => {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.target);
    if (mark(String(new FormData(form).get('cells')))) form.reset();
  };
  /** @param {Event} event */
  const say = ({ target }) => comment(/** @type {HTMLTextAreaElement} */ (target).value);
  return html`<h2 id="notes-title">${t(node.parent === null ? 'analysis.notes_start' : 'analysis.notes')}</h2>
    ${
      node.parent === null
        ? nothing
        : html`<div class="glyphs" role="group" aria-label=${t('analysis.glyphs')}>
            ${GLYPHS.map((glyph) => html`<button class="quiet" aria-pressed=${node.glyph === glyph} aria-label=${glyphWords(glyph)} title=${glyphWords(glyph)} @click=${() => rate(glyph)}>${glyph}</button>`)}
          </div>`
    }
    <label class="field">${t('analysis.comment')}
      <textarea id="comment" rows="2" maxlength=${MAX_COMMENT} .value=${node.comment} @input=${say}></textarea>
    </label>
    <form class="typed marks" @submit=${draw}>
      <label>${t('analysis.mark')} <input name="cells" autocomplete="off" autocapitalize="off" spellcheck="false" placeholder="c3, c3 d4" aria-describedby="mark-hint" /></label>
      <button class="quiet">${t('analysis.mark_add')}</button>
    </form>
    <p class="hint" id="mark-hint">${t('analysis.mark_hint')}</p>
    ${
      node.marks.length === 0
        ? nothing
        : html`<ul class="mark-list">${node.marks.map(
            (each) =>
              html`<li><button class="quiet" aria-label=${t('analysis.mark_remove', { mark: markWords(each) })} @click=${() => unmark(each)}>${markWords(each)} ${icon('close')}</button></li>`,
          )}</ul>`
    }`;
}
