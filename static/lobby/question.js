// The question that the lobby begins with: who to play. It stands beside the board to try, and in a dialog for each game.

import { openDialog } from '../ui/dialog.js';
import { byId, picture, rulesetName, t } from '../ui/page.js';
import { html, nothing, render, svg } from '../vendor/lit-html@3.3.3/lit-html.js';
import { poolName } from './pairing.js';

/** @import { Ruleset } from '../protocol.js' */
/** @import { TemplateResult } from '../vendor/lit-html@3.3.3/lit-html.js' */
/** @import { State } from './lobby-state.js' */

export const OPPONENTS = /** @type {const} */ (['computer', 'friend', 'anyone']);
/** @typedef {typeof OPPONENTS[number]} Opponent */

/** The ways to an opponent, for a ruleset, or null for that of last time.
 * @typedef {Record<Opponent, (ruleset: Ruleset | null) => void>} Ways */

/** @type {Record<Opponent, TemplateResult>} */
const PICTURES = {
  computer: svg`<rect x="3" y="4.5" width="18" height="12" rx="2"/><path d="M8.5 20h7M12 16.500V20"/>`,
  friend: svg`<path d="M10 14a4.5 4.5 0 0 0 6.400 0l2.800-2.800a4.5 4.5 0 0 0-6.400-6.400l-1 1M14 10a4.5 4.5 0 0 0-6.400 0l-2.800 2.800a4.5 4.5 0 0 0 6.400 6.400l1-1"/>`,
  anyone: svg`<circle cx="12" cy="12" r="8.5"/><path d="M3.5 12h17M12 3.500c5 5 5 12 0 17M12 3.500c-5 5-5 12 0 17"/>`,
};

/** Up to this number of players, the visitor included, nobody is likely to answer. */
const FEW_PLAYERS = 2;

/** What is said of an opponent. Without the line to the server, only the computer is there.
 * @param {State} state
 * @param {Opponent} opponent
 */
function hintOf(state, opponent) {
  if (state.news === 'offline') return t(opponent === 'computer' ? 'lobby.on_device' : 'lobby.needs_line');
  return opponent === 'anyone' ? anyoneWords(state) : t(`lobby.${opponent}_hint`);
}

/** @param {State} state */
function anyoneWords({ lists: { players }, sought }) {
  if (sought.length > 0) return t('pairing.chip', { pools: sought.map(poolName).join(t('page.comma')) });
  if (players === null) return t('lobby.anyone_hint');
  return players > 1 ? t('lobby.others', { n: players - 1 }) : t('lobby.alone');
}

/**
 * The three answers. Where few players are, that of the computer stands out.
 *
 * @param {State} state
 * @param {(opponent: Opponent) => void} choose
 */
function answers(state, choose) {
  const isOffline = state.news === 'offline';
  const best = !isOffline && (state.lists.players ?? 0) > FEW_PLAYERS ? 'anyone' : 'computer';
  return OPPONENTS.map((opponent) => {
    const isAway = isOffline && opponent !== 'computer';
    return html`<button class=${opponent === best ? 'opponent primary' : 'opponent'} aria-disabled=${isAway ? 'true' : nothing}
      @click=${() => isAway || choose(opponent)}>
      ${picture(PICTURES[opponent])}
      <strong>${t(`lobby.${opponent}`)}</strong>
      <small>${hintOf(state, opponent)}</small>
    </button>`;
  });
}

/** Asks the question for one game.
 * @param {Ruleset} ruleset
 * @param {State} state
 * @param {Ways} ways
 */
export function openQuestion(ruleset, state, ways) {
  const dialog = openDialog(
    t('lobby.play', { game: rulesetName(ruleset) }),
    html`<div class="opponents">${answers(state, (opponent) => {
      dialog?.close();
      ways[opponent](ruleset);
    })}</div>`,
  );
}

/**
 * The question as a panel, with the ways to begin without an opponent.
 *
 * @param {State} state
 * @param {Ways} ways
 * @param {() => void} tryAgain shows the board to try
 */
export function drawQuestion(state, ways, tryAgain) {
  render(
    html`<h2 id="start-title">${t('lobby.question')}</h2>
      <div class="opponents" role="group" aria-labelledby="start-title">${answers(state, (opponent) => ways[opponent](null))}</div>
      <p class="ways">
        <a class="button" href="/table">${t('lobby.local')}</a>
        ${state.isTrying ? nothing : html`<button @click=${tryAgain}>${t('try.show')}</button>`}
      </p>`,
    byId('start'),
  );
}
