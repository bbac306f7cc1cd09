// The tabs beside a board. With three columns they choose what stands right of the board. With two the tools have a tab,
// too, and with one the board itself.

import { drawTabs } from '../ui/tab-strip.js';
import { byId, t } from '../ui/page.js';
import { html } from '../vendor/lit-html@3.3.3/lit-html.js';
import { keepInView } from './turns-and-players.js';

/** The layouts of `style/layout.css`. */
const STACKED = window.matchMedia('(width < 35em) or (aspect-ratio < 6/5)');
const WIDE = window.matchMedia('(width >= 72em) and (height >= 34em) and (aspect-ratio >= 8/5)');

/** The parts of a page by their ids.
 * @typedef {'frame' | 'turns' | 'chat' | 'review' | 'opinion' | 'more'} Part */

/** True if a part stands beside the chosen one.
 * @param {Part} part
 */
const isBeside = (part) =>
  part === 'frame' ? !STACKED.matches : (part === 'more' || part === 'opinion') && WIDE.matches;

/**
 * @param {Part[]} parts those of the page
 * @param {(part: Part) => void} [opened] called when another part is shown
 */
export function createBoardTabs(parts, opened = () => {}) {
  const strip = byId('tabs');
  strip.ariaLabel = t('tabs.label');
  /** @type {Part} */
  let chosen = 'frame';
  /** Keys of names other than the usual ones.
   * @type {Partial<Record<Part, string>>} */
  const names = {};
  /** The marks on tabs.
   * @type {Partial<Record<Part, unknown>>} */
  const marks = {};

  /** @param {Part} part */
  const nameOf = (part) => t(names[part] ?? `tabs.${part}`);

  function draw() {
    const tabs = parts.filter((part) => !isBeside(part));
    const shown = tabs.includes(chosen) ? chosen : tabs[0];
    for (const part of parts) {
      const panel = byId(part);
      const isTab = tabs.includes(part);
      panel.hidden = isTab && part !== shown;
      panel.role = isTab ? 'tabpanel' : null;
      panel.ariaLabel = isTab ? nameOf(part) : null;
    }
    const content = tabs.map((name) => ({ name, content: html`${nameOf(name)} ${marks[name]}` }));
    drawTabs(strip, content, shown, open);
  }

  /** @param {Part} part */
  function open(part) {
    chosen = part;
    draw();
    const turns = byId('turns');
    keepInView(turns, turns.querySelector('[aria-current]') ?? turns.querySelector('.turns > li:last-child'));
    opened(part);
  }

  /** Gives a part another name than the usual one.
   * @param {Part} part
   * @param {string} name its key
   */
  function rename(part, name) {
    names[part] = name;
    draw();
  }

  for (const layout of [STACKED, WIDE]) layout.addEventListener('change', draw);
  byId('main').addEventListener('click', ({ target }) => {
    const link = target instanceof Element ? target.closest('a[href*="#"], .turn-button') : null;
    if (link === null) return;
    // A turn that is chosen where the board is hidden is looked at on the board.
    if (byId('frame').hidden && link.closest('.panel') !== null) return open('frame');
    // A link into a hidden part shows it.
    const goal = link instanceof HTMLAnchorElement ? document.getElementById(link.hash.slice(1)) : null;
    const part = parts.find((name) => name === goal?.closest('.panel[hidden]')?.id);
    if (part !== undefined) open(part);
  });
  draw();

  return {
    open,
    /** Adds a part to the page.
     * @param {Part} part
     * @param {Part} next the part that it stands before
     */
    add(part, next) {
      if (parts.includes(part)) return;
      parts = parts.toSpliced(parts.indexOf(next), 0, part);
      draw();
    },
    /** Removes a part from the page.
     * @param {Part} part
     */
    remove(part) {
      parts = parts.filter((other) => other !== part);
      byId(part).hidden = true;
      draw();
    },
    rename,
    /** Marks a tab.
     * @param {Part} part
     * @param {unknown} mark
     */
    mark(part, mark) {
      marks[part] = mark;
      draw();
    },
  };
}
