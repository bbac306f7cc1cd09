// The buttons of a turn.

import { confirmButton, turnButtons } from '../panels/turn-buttons.js';
import { icon, picture, t } from '../ui/page.js';
import { html, nothing, svg } from '../vendor/lit-html@3.3.3/lit-html.js';
import { earlyEnd } from '../engine/turn-draft.js';
import { conditionalLink } from './status.js';
import { canAct, hasHints, isHeldBack, isMyTurn, mayPrepare, mySide, turnNow } from './game-state.js';
import { isSlowGame } from './next-game.js';
import { hasBot } from '../lobby/lists.js';

/** @import { GameActions } from './actions.js' */
/** @import { Game } from '../session/game-model.js' */
/** @import { State } from './game-state.js' */

const ONWARD = svg`<path d="M5 12h14m-6-6 6 6-6 6"/>`;

/** True if the way to the next game is beside the button of the turn, and not in its place. A bot soon gives the turn back.
 * @param {State} state
 * @param {Game} game
 */
const isBeside = (state, { present, seats }) =>
  present.status === 'playing' && (isMyTurn(state) || state.prepared !== null || hasBot(seats));

/** The way to the next game that waits for the player. Once none is left it says so, if there is room for words.
 * @param {State} state
 * @param {Game} game
 */
function nextLink(state, game) {
  const { n, next, isDone } = state.queue;
  if (!isSlowGame(game)) return nothing;
  if (next === null)
    return isDone && !isBeside(state, game)
      ? html`<a class="button quiet confirm" href="/turns">${t('turns.done')}</a>`
      : nothing;
  const look = isBeside(state, game) ? 'button quiet' : 'button primary confirm';
  return html`<a class=${look} href=${`/game/${next}`} title=${t('turns.next_long')}>${picture(ONWARD)} <span>${t('turns.next', { n })}</span></a>`;
}

/**
 * The buttons of a turn.
 *
 * @param {State} state
 * @param {Game} game
 * @param {GameActions} gameActions
 */
export function actionBar(state, game, gameActions) {
  if (mySide(state) === null) return nothing;
  if (game.present.status !== 'playing') return nextLink(state, game);
  const { turnDraft, isAsking, held, past, prepared } = state;
  const { steps } = past ?? turnNow(game, turnDraft);
  const canUndo = canAct(state) && (steps.length > 0 || held.jumps > 0);
  const hint = hasHints(state) ? hintButton() : nothing;
  const onward = nextLink(state, game);
  const waiting = mayPrepare(state)
    ? prepareButton()
    : isMyTurn(state)
      ? nothing
      : conditionalLink(state, game);
  if (onward !== nothing && !isBeside(state, game)) return html`${waiting}${onward}`;
  return html`${hint}${turnButtons(state, gameActions, { canUndo, confirm: confirming() })}${onward}`;

  function hintButton() {
    const isReady = canAct(state) && prepared === null && turnDraft?.complete === false && !state.isHinting;
    return html`<button class="quiet" title=${t('hint.long')} aria-disabled=${!isReady} @click=${isReady ? gameActions.hint : nothing}>${icon('bulb')} <span>${t('learn.hint')}</span></button>`;
  }

  function prepareButton() {
    const begin = () => gameActions.preparing?.begin();
    return html`<button class="quiet" @click=${begin}>${t('prepared.begin')}</button>`;
  }

  /** The button that plays the turn or keeps a prepared one, or what can be done while the other side is to move. */
  function confirming() {
    if (waiting !== nothing) return waiting;
    const isWhole = turnDraft !== null && (turnDraft.complete || earlyEnd(turnDraft) !== undefined);
    const isReady = canAct(state) && !isHeldBack(state) && !isAsking && isWhole && prepared !== 'kept';
    if (prepared !== null)
      return confirmButton(state, gameActions.confirm, isReady, { words: t('prepared.keep') });
    const isSent =
      turnDraft !== null &&
      (turnDraft.complete ? state.sendsItself : !isWhole && gameActions.sendsItself(turnDraft.start));
    if (!isSent || !canAct(state)) return confirmButton(state, gameActions.confirm, isReady);
    const words = t('game.sends_itself', { n: Math.max(1, turnDraft.turn.allowance?.left ?? 1) });
    return html`<p class="confirm">${words}</p>`;
  }
}
