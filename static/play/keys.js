// The list of the board's keys.

import { openDialog } from '../ui/dialog.js';
import { GAMES, t } from '../ui/page.js';
import { html } from '../vendor/lit-html@3.3.3/lit-html.js';

/** @import { Ruleset } from '../protocol.js' */

/** The keys, with the games where they mean something if not in all.
 * @type {[keys: string, words: string, games?: string[]][]}
 */
const KEYS = [
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

/** @param {Ruleset} ruleset */
export function showKeys(ruleset) {
  const family = GAMES.find(({ rulesets }) => rulesets.includes(ruleset))?.game ?? '';
  const keys = KEYS.filter(([, , games]) => games === undefined || games.includes(family));
  openDialog(
    t('game.keys'),
    html`<p>${t('keys.lead')}</p>
      <dl class="keys">${keys.map(([key, words]) => html`<div><dt><kbd>${key}</kbd></dt><dd>${t(words)}</dd></div>`)}</dl>`,
  );
}
