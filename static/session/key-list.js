// The list of the keys of a board and of the page of a game. It needs a page to be shown on.

/** The board's keys, with the games where they mean something if not in all.
 * @type {[keys: string, words: string, games?: string[]][]}
 */
const ON_BOARD = [
  ['← → ↑ ↓', 'keys.arrows'],
  ['Q E A D Z C', 'keys.neighbours', ['fibonacci', 'crossfire']],
  ['Q E A D Z C', 'keys.neighbours_square', ['fenix', 'focus']],
  ['Home End', 'keys.ends'],
  ['Enter, Space', 'keys.pick'],
  ['N, Shift+N', 'keys.next'],
  ['1 – 6', 'keys.count', ['focus', 'crossfire']],
  ['1 – 9', 'keys.way', ['fenix']],
  ['R', 'keys.reserve', ['focus', 'crossfire']],
  ['V', 'keys.inspect', ['focus', 'crossfire']],
  ['⌫', 'keys.undo'],
  ['Shift+⌫', 'keys.restart'],
  ['Esc', 'keys.unpick'],
  ['G', 'keys.group', ['fibonacci']],
  ['M', 'keys.targets'],
  ['T', 'keys.threats', ['fibonacci']],
  ['L', 'keys.last'],
  ['O', 'keys.cell'],
  ['X, Shift+X', 'keys.scan'],
  ['P', 'keys.preferences'],
  ['F', 'keys.zen'],
  ['?', 'keys.help'],
];

/** The other keys of the page of a game.
 * @type {typeof ON_BOARD}
 */
const ON_PAGE = [
  ['Enter', 'keys.confirm'],
  ['Esc', 'keys.drop_prepared'],
  ['J', 'keys.next_game'],
  ['← →', 'keys.moments'],
  ['Home End', 'keys.moments_ends'],
];

/**
 * @param {object} page
 * @param {typeof import('../vendor/lit-html@3.3.3/lit-html.js').html} page.html
 * @param {(key: string) => string} page.t
 * @param {string} page.family of the board's game
 * @param {boolean} page.isGame whether it is the page of a game
 */
export function keyList({ html, t, family, isGame }) {
  /** Keys as a keyboard of the language names them.
   * @param {string} keys */
  const named = (keys) => keys.replace(/Home|End|Enter|Space|Esc/g, (key) => t(`key.${key}`));
  /** @param {typeof ON_BOARD} keys */
  const list = (keys) =>
    html`<dl class="keys">${keys.map(([key, words]) => html`<div><dt><kbd>${named(key)}</kbd></dt><dd>${t(words)}</dd></div>`)}</dl>`;
  const keys = ON_BOARD.filter(([, , games]) => games === undefined || games.includes(family));
  return html`<p>${t(isGame ? 'keys.lead_page' : 'keys.lead')}</p>${list(keys)}
    ${isGame ? html`<h3>${t('keys.page')}</h3>${list(ON_PAGE)}` : ''}`;
}
