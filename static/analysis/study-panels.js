// The panels around the board of an analysis: its players, the status, the cards, and the buttons of a turn.

import { tool, toolRow, typedMove } from '../panels/board-tools.js';
import { handWords } from '../session/next-words.js';
import { restOf } from '../session/next-card.js';
import { takenIn } from '../session/game-model.js';
import { playerBar, reserveTray } from '../panels/turns-and-players.js';
import { confirmButton, noticeLine, reservePress, turnButtons } from '../panels/turn-buttons.js';
import { icon, resultWords, rulesetName, sideName, t } from '../ui/page.js';
import { html, nothing } from '../vendor/lit-html@3.3.3/lit-html.js';

/** @import { Side } from '../protocol.js' */
/** @import { TemplateResult } from '../vendor/lit-html@3.3.3/lit-html.js' */
/** @import { Session } from '../session/board-session.js' */
/** @import { SessionState } from '../session/session-state.js' */
/** @import { Study } from './study.js' */

/** @typedef {SessionState & { study: Study }} View */

/** @param {Study} study
 * @param {string} title
 * @param {string | null} game the id of a game under way */
export function headingPanel({ ruleset, headers }, title, game) {
  const [first, second] = [headers.get('first'), headers.get('second')];
  return html`<h1>${title}</h1>
      <p class="lead">${first && second ? t('analysis.from_game', { first, second }) : rulesetName(ruleset)} · <a href=${`/rules/${ruleset}`}>${t('page.rules')}</a>
        ${game === null ? nothing : html`· <a href=${`/game/${game}`}>${t('analysis.to_game')}</a>`}</p>`;
}

/** The bar of a side.
 * @param {View} view
 * @param {Side} side
 * @param {Session} session
 */
export function bar(view, side, session) {
  const { ruleset, local, here, headers } = view.study;
  const { turn, steps } = local.turnDraft;
  const path = [];
  for (let node = here; node.move !== null && node.parent !== null; node = node.parent) path.push(node.move);
  const taken = takenIn([...path, { side: turn.side, steps }]);
  const name = headers.get(side);
  return playerBar({
    ruleset,
    side,
    player: name ?? sideName(ruleset, side),
    isNamed: name !== undefined,
    toMove: local.match.outcome === null && local.match.turn.side === side,
    taken: taken[side],
    tray: reserveTray(ruleset, side, turn.reserves, reservePress(view, side, session)),
  });
}

/** The side to move, or the result; the task in its place while somebody learns.
 * @param {View} view
 * @param {TemplateResult | null} task
 * @param {TemplateResult | null} afterwards what follows a lesson
 * @param {string} next what can be done at the position
 */
export function statusPanel(view, task, afterwards, next) {
  const { study, notice } = view;
  const { ruleset, local, isWaiting } = study;
  const { outcome, turn } = local.match;
  const said = noticeLine(ruleset, notice);
  if (task !== null) return html`${task} ${said}`;
  if (outcome !== null) {
    const { title, reason } = resultWords(ruleset, outcome, null, null);
    return html`<h2>${title}</h2> <p>${reason}</p> ${afterwards} ${said}`;
  }
  return html`<h2>${t('replay.at', { turn: turn.number, side: sideName(ruleset, turn.side) })}</h2>
    ${isWaiting || afterwards === null ? html`<p>${isWaiting ? t('analysis.card_choose') : (handWords(view) ?? next)}</p>` : nothing} ${afterwards} ${said}`;
}

/** The cards that may come, where the turn waits for one, or a way to change the one that came.
 * @param {Study} study
 * @param {{ choose: (card: number) => void, unchoose: () => void }} handlers
 */
export function cardChoice(study, { choose, unchoose }) {
  const { turn } = study.local.match;
  if (turn.cards === null) return nothing;
  if (!study.isWaiting)
    return study.canChangeCard
      ? html`<p><button class="quiet" @click=${unchoose}>${t('analysis.card_change')}</button></p>`
      : nothing;
  const rest = new Set(restOf(turn.cards[turn.side]));
  return html`<div class="card-choice" role="group" aria-label=${t('analysis.card')}>
    ${[...rest].map((card) => html`<button aria-label=${t('cards.card', { n: card })} @click=${() => choose(card)}>${card}</button>`)}
  </div>`;
}

/** The buttons of a turn.
 * @param {View} view
 * @param {Session} session
 * @param {boolean} mayLeave whether the turns before it may be taken back
 */
export function actionBar(view, session, mayLeave) {
  const { study, turnDraft, held } = view;
  const { match, isPlayable } = study.local;
  if (match.outcome !== null || study.isWaiting) return nothing;
  const canRestart = turnDraft !== null && (turnDraft.steps.length > 0 || held.jumps > 0);
  return turnButtons(view, session, {
    canUndo: canRestart || (mayLeave && study.here.parent !== null),
    canRestart,
    confirm:
      turnDraft === null || turnDraft.turn.allowance === null
        ? nothing
        : confirmButton(view, session.confirm, isPlayable, { isPrimary: false }),
  });
}

/** @param {View} view
 * @param {Session} session
 * @param {{ flip: () => void, share: (() => void) | null, download: (() => void) | null }} handlers `share` and `download` are
 *   null where the analysis stays on the page */
export function toolBar({ study, turnDraft }, session, { flip, share, download }) {
  const isOver = study.local.match.outcome !== null || study.isWaiting || turnDraft === null;
  return html`${toolRow(
    html`${tool('game.flip', icon('flip'), flip)} ${share === null ? nothing : tool('analysis.share', icon('share'), share)}`,
    html`${tool('replay.copy', icon('copy'), session.copyPosition)} ${download === null ? nothing : tool('analysis.download', icon('download'), download)}`,
  )}
    ${isOver ? nothing : typedMove(study.ruleset, { turnDraft }, session)}`;
}
