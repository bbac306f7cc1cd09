// The status of a game: the side to move, the next thing to do, and the result.

import { sideName, t, usualHand } from '../ui/page.js';
import { withNames } from '../ui/player-name.js';
import { html, nothing } from '../vendor/lit-html@3.3.3/lit-html.js';
import { clausePanel } from './clause-panel.js';
import { hasDays } from '../session/clock.js';
import { isOneTable, otherSide, takesConditional, turnLines } from '../session/game-model.js';
import { calledName, moverWords } from '../session/player-names.js';
import { nextWords } from '../session/next-words.js';
import { replayWords } from '../panels/replay-words.js';
import { abortedPanel, overPanel } from './game-over.js';
import { roomPanel } from './open-room.js';
import { bottomSide, isAnswered, isHeldBack, isMyTurn, mySide } from './game-state.js';

/** @import { Reach } from './calls.js' */
/** @import { GameActions } from './actions.js' */
/** @import { Game } from '../session/game-model.js' */
/** @import { Stage } from './preparing.js' */
/** @import { State } from './game-state.js' */

/**
 * @param {State} state
 * @param {Game} game
 * @param {GameActions} gameActions
 * @param {Reach | null} reach how the player is notified of a turn
 */
export function statusPanel(state, game, gameActions, reach) {
  const { past, me, busy } = state;
  const { attempt, sendOffer, explain, showMoment, shareGame } = gameActions;
  if (past !== null) return past.panel(isMyTurn(state), () => showMoment('End'));
  const { present, seats } = game;
  const mine = mySide(state);
  switch (present.status) {
    case 'open':
      return roomPanel({ game, me, busy, attempt, explain });
    case 'cancelled':
      return closedPanel(game);
    case 'finished':
      if (seats === null) return nothing;
      return overPanel({
        game,
        seats,
        outcome: present.outcome,
        mine,
        presence: state.presence,
        busy,
        attempt,
        sendOffer,
        share: shareGame,
        chances: (href) => state.chances?.(otherSide(bottomSide(state)), href) ?? nothing,
      });
    case 'aborted':
      return abortedPanel({ game, mine, busy, attempt });
    case 'playing':
      return state.prepared === null
        ? playingPanel(state, game, reach)
        : preparedPanel(state.prepared, game, gameActions);
  }
}

/** A room that was closed, with the way to the challenge that answers it.
 * @param {Game} game
 */
function closedPanel({ counter, challenged, isDeclined }) {
  const lobby = html`<a class="button" href="/">${t('page.to_lobby')}</a>`;
  if (counter === null || challenged === null)
    return html`<h2>${t(isDeclined ? 'room.declined' : 'room.cancelled')}</h2> <p>${lobby}</p>`;
  return html`<h2>${withNames('room.countered', { name: challenged })}</h2>
    <p class="ways"><a class="button primary" href=${`/game/${counter}`}>${t('room.to_counter')}</a> ${lobby}</p>`;
}

/** @param {State} state
 * @param {Game} game
 * @param {Reach | null} reach */
function playingPanel(state, game, reach) {
  const replay = replayWords(state, game.turns);
  if (replay !== null) {
    const title = isOneTable(game)
      ? t('status.side_plays', { side: sideName(game.ruleset, replay.side) })
      : t('status.plays', { name: calledName(game, replay.side) });
    return html`<h2>${title}</h2><p>${replay.words}</p>`;
  }
  const isMine = isMyTurn(state);
  const title = isMine && !isOneTable(game) ? t('status.your_turn') : moverWords(game);
  return html`<h2 class=${isMine ? 'yours' : ''}>${title}</h2>
    <p>${statusWords(state, game, reach)}</p>`;
}

/** The turn that is prepared.
 * @param {Stage} stage
 * @param {Game} game
 * @param {GameActions} gameActions
 */
const preparedPanel = (stage, game, { preparing }) =>
  html`<h2>${t('prepared.title')}</h2>
    <p>${t(`prepared.${stage}`, { name: calledName(game, game.present.turn.side) })}
      <button class="quiet" @click=${() => preparing?.drop()}>${t('prepared.drop')}</button></p>`;

/** The goal of the game for newcomers who came by a link. The rules are linked beside the name of the game.
 * @param {Game} game
 */
export const goalLine = ({ ruleset }) => t(`goal.${ruleset}`);

/** The way to a player's conditional turns, with their number: among the buttons, as long as the other side is to move.
 * @param {State} state
 * @param {Game} game
 */
export function conditionalLink(state, game) {
  if (mySide(state) === null || !takesConditional(game)) return nothing;
  const n = state.nConditional;
  const words = n === null ? t('conditional.title') : t('conditional.link', { n });
  return html`<a class=${isMyTurn(state) ? nothing : 'button quiet'} href=${`/analysis?game=${game.id}`}>${words}</a>`;
}

/** What a player waits for, and how a page that is not seen says that it is over. A device that is touched shows no titles.
 * Only in a game of days nothing is lost by leaving.
 * @param {Game} game
 * @param {Reach | null} reach
 */
function waitWords(game, reach) {
  const { present, terms } = game;
  const { side } = present.turn;
  if (game.seats?.[side].bot !== undefined) return t('status.thinking', { name: calledName(game, side) });
  return t(`status.wait_${reach ?? (hasDays(terms.clock) ? 'days' : usualHand())}`);
}

/** The next thing to do, in one line.
 * @param {State} state
 * @param {Game} game
 * @param {Reach | null} reach
 */
function statusWords(state, game, reach) {
  const { turnDraft, isAsking, sending, news, prepares, making, held, sendsItself } = state;
  const lines = turnLines(game.turns, game.present.turn.number);
  const wasSkipped = lines.at(-1)?.skipped ?? false;
  if (turnDraft === null) {
    if (mySide(state) === null) return t('status.watching');
    if (isAnswered(state)) return t('status.answered', { name: calledName(game, game.present.turn.side) });
    return wasSkipped ? t('status.skipped_you') : waitWords(game, reach);
  }
  if (news === 'offline' && !prepares) return t('status.offline');
  if (sending === 'turn' || (sendsItself && turnDraft.complete)) return t('status.sending');
  const isDrawnUp = turnDraft.turn.allowance === null && turnDraft.steps.length > 0;
  if (isHeldBack(state) && (isDrawnUp || turnDraft.complete)) return t('status.ready');
  return nextWords(turnDraft, { making, held, isAsking, wasSkipped });
}

/** The last refusal or explanation, and the clause behind it if that is asked for.
 * @param {State} state
 * @param {Game} game
 * @param {GameActions} gameActions
 */
export function noticePanel({ id, notice, clause }, { ruleset }, { openClause, closeClause }) {
  /** @param {string} rule */
  const link = (rule) =>
    html`<a href=${`/rules/${ruleset}#${rule}`} @click=${(/** @type {MouseEvent} */ event) => openClause(rule, event)}>${t('game.rule', { rule })}</a>`;
  const told =
    notice === null
      ? nothing
      : html`<p class="notice">${notice.text} ${notice.rule === null ? nothing : link(notice.rule)}
          ${notice.turn === undefined ? nothing : html`· <a href=${`/replay/${id}#${notice.turn}`}>${t('game.turn', { n: notice.turn })}</a>`}
        </p>`;
  return html`${told} ${clause === null ? nothing : clausePanel(ruleset, clause, closeClause)}`;
}
