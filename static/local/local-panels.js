// The panels around the board of a game on this device.

import { gameTools, tool } from '../panels/board-tools.js';
import { nextWords } from '../session/next-words.js';
import { replayWords } from '../panels/replay-words.js';
import { otherSide, takenIn } from '../session/game-model.js';
import { playerBar, reserveTray } from '../panels/turns-and-players.js';
import { confirmButton, reservePress, turnButtons } from '../panels/turn-buttons.js';
import { icon, resultWords, rulesetName, sideName, t } from '../ui/page.js';
import { html, nothing } from '../vendor/lit-html@3.3.3/lit-html.js';
import { playerWords } from './setup.js';

/** @import { Side } from '../protocol.js' */
/** @import { Session } from '../session/board-session.js' */
/** @import { SessionState } from '../session/session-state.js' */
/** @import { LocalMatch } from './match.js' */

/**
 * A game on this device as it is shown; `failed` tells whether the computer's part failed.
 * @typedef {SessionState & { match: LocalMatch, failed: boolean }} View
 */

/**
 * Actions of the page beside those of its session.
 * @typedef {object} Handlers
 * @property {() => void} takeBack
 * @property {() => void} resign
 * @property {() => void} analyse
 * @property {() => void} download
 * @property {() => void} setUp
 * @property {() => void} think
 */

/** The only side that a person plays; null if there are two or none.
 * @param {LocalMatch} match
 * @returns {Side | null}
 */
export function onlyPerson({ players: { first, second } }) {
  if ((first === null) === (second === null)) return null;
  return first === null ? 'first' : 'second';
}

/** The side shown at the bottom.
 * @param {Pick<View, 'match' | 'flipped'>} view
 */
export function bottomOf({ match, flipped }) {
  const usual = onlyPerson(match) ?? 'second';
  return flipped ? otherSide(usual) : usual;
}

/** @param {LocalMatch} match */
export const headingPanel = ({ ruleset, local }) =>
  html`<h1>${rulesetName(ruleset)}</h1>
    <p class="lead">${t('game.turn', { n: local.match.turn.number })} · ${t('local.here')} · <a href=${`/rules/${ruleset}`}>${t('page.rules')}</a></p>`;

/** The bar of a side's player.
 * @param {View} view
 * @param {Side} side
 * @param {Session} session
 */
export function bar(view, side, session) {
  const { match, past } = view;
  const { ruleset, players, outcome, local } = match;
  const { turns } = match.shown();
  const { turn, steps } = local.turnDraft;
  const level = players[side];
  const only = onlyPerson(match) === side;
  const taken = past?.moment.taken ?? takenIn([...turns, { side: turn.side, steps }]);
  const { reserves } = past?.turn ?? turn;
  return playerBar({
    ruleset,
    side,
    player: sideName(ruleset, side),
    isNamed: false,
    toMove: outcome === null && local.match.turn.side === side,
    notes: [...(only ? [t('game.you')] : []), ...(level === null ? [] : [playerWords(level)])],
    taken: taken[side],
    tray: reserveTray(ruleset, side, reserves, reservePress(view, side, session)),
  });
}

/** The side to move and the next thing to do, or the result.
 * @param {View} view
 * @param {Session} session
 * @param {Handlers} handlers
 */
export function statusPanel(view, session, handlers) {
  const { match, past } = view;
  if (past !== null) return past.panel(false, () => session.showMoment('End'));
  if (match.outcome !== null) return resultPanel(match, handlers);
  const { ruleset, local, level } = match;
  const replay = replayWords(view, match.shown().turns);
  if (replay !== null)
    return html`<h2>${t('status.side_plays', { side: sideName(ruleset, replay.side) })}</h2><p>${replay.words}</p>`;
  const { side } = local.match.turn;
  const isMine = onlyPerson(match) === side;
  return html`<h2 class=${level === null ? 'yours' : ''}>${isMine ? t('status.your_turn') : t('status.side_to_move', { side: sideName(ruleset, side) })}</h2>
    <p>${level === null ? nextWords(local.turnDraft, view) : t(view.failed ? 'local.failed' : 'local.thinking')}</p>
    ${view.failed ? html`<p><button class="primary" @click=${handlers.think}>${t('try.again')}</button></p>` : nothing}`;
}

/** The result in words. Sides have the names of their colours, whoever played them.
 * @param {LocalMatch} match
 */
export function resultOf(match) {
  const { ruleset, outcome } = match;
  if (outcome === null) return null;
  return resultWords(ruleset, outcome, null, onlyPerson(match));
}

/** @param {LocalMatch} match
 * @param {Handlers} handlers */
function resultPanel(match, { setUp, analyse, download }) {
  const result = resultOf(match);
  return html`<div class="result">
      <h2>${result?.title}</h2>
      <p>${result?.reason}</p>
      <p class="buttons">
        <button class="primary" @click=${setUp}>${t('game.again')}</button>
        <button @click=${analyse}>${icon('eye')} ${t('analysis.analyse')}</button>
        <button @click=${download}>${icon('download')} ${t('record.download')}</button>
        <a class="button quiet" href="/">${t('page.to_lobby')}</a>
      </p>
    </div>`;
}

/** The buttons of a turn.
 * @param {View} view
 * @param {Session} session
 */
export function actionBar(view, session) {
  const { match, turnDraft, held } = view;
  if (match.outcome !== null) return nothing;
  const canUndo = turnDraft !== null && (turnDraft.steps.length > 0 || held.jumps > 0);
  const canConfirm = turnDraft !== null && match.local.isPlayable;
  return turnButtons(view, session, { canUndo, confirm: confirmButton(view, session.confirm, canConfirm) });
}

/** The tools below the board.
 * @param {View} view
 * @param {Session} session
 * @param {Handlers} handlers
 */
export function toolBar(view, session, handlers) {
  const { match } = view;
  const person = personToMove(match);
  const isAlone = onlyPerson(match) !== null || person === null;
  const { download, takeBack, setUp, resign } = handlers;
  return gameTools(view, session, {
    ruleset: match.ruleset,
    leaving: match.outcome === null && person !== null ? 'resign' : null,
    resigns: isAlone ? null : sideName(match.ruleset, person),
    leave: resign,
    offers: html`<button class="quiet" title=${t('table.takeback')} aria-disabled=${!match.canTakeBack} @click=${takeBack}>${icon('back')} <span>${t('table.takeback')}</span></button>`,
    rest: html`${tool('game.again', icon('restart'), setUp)} ${tool('replay.copy', icon('copy'), session.copyPosition)}
      ${tool('record.download', icon('download'), download)}`,
  });
}

/** The side that resigns if a person does: the only person's, or that to move.
 * @param {LocalMatch} match
 * @returns {Side | null}
 */
export function personToMove(match) {
  const { side } = match.local.match.turn;
  return onlyPerson(match) ?? (match.players[side] === null ? side : null);
}
