// The list of the keys, which is loaded when it is asked for.

import { openDialog } from '../ui/dialog.js';
import { loadPart } from '../ui/loading.js';
import { GAMES, t } from '../ui/page.js';
import { html } from '../vendor/lit-html@3.3.3/lit-html.js';

/** @import { Ruleset } from '../protocol.js' */

/**
 * @param {Ruleset} ruleset of the board
 * @param {boolean} [isGame] whether the page is that of a game
 */
export async function showKeys(ruleset, isGame = false) {
  const family = GAMES.find(({ rulesets }) => rulesets.includes(ruleset))?.game ?? '';
  const { keyList } = await loadPart('keys', document.body.dataset.keys ?? '');
  openDialog(t('game.keys'), keyList({ html, t, family, isGame }));
}
