// The buttons of a turn.

import { confirmButton, turnButtons } from '../panels/turn-buttons.js';
import { icon, t } from '../ui/page.js';
import { html, nothing } from '../vendor/lit-html@3.3.3/lit-html.js';
import { earlyEnd } from '../engine/turn-draft.js';
import { canAct, hasHints, isHeldBack, mayPrepare, mySide, turnNow } from './game-state.js';

/** @import { GameActions } from './actions.js' */
/** @import { Game } from '../session/game-model.js' */
/** @import { State } from './game-state.js' */

/**
 * The buttons of a turn.
 *
 * @param {State} state
 * @param {Game} game
 * @param {GameActions} gameActions
 */
export function actionBar(state, game, gameActions) {
  if (game.present.status !== 'playing' || mySide(state) === null) return nothing;
  const { turnDraft, isAsking, held, past, prepared } = state;
  const { steps } = past ?? turnNow(game, turnDraft);
  const canUndo = canAct(state) && (steps.length > 0 || held.jumps > 0);
  const hint = hasHints(state) ? hintButton() : nothing;
  return html`${hint}${turnButtons(state, gameActions, { canUndo, confirm: confirming() })}`;

  function hintButton() {
    const isReady = canAct(state) && prepared === null && turnDraft?.complete === false && !state.isHinting;
    return html`<button class="quiet" title=${t('hint.long')} aria-disabled=${!isReady} @click=${isReady ? gameActions.hint : nothing}>${icon('bulb')} <span>${t('learn.hint')}</span></button>`;
  }

  /** The button that plays the turn, keeps a prepared one, or begins to prepare one. */
  function confirming() {
    if (mayPrepare(state)) {
      const begin = () => gameActions.preparing?.begin();
      return html`<button class="quiet" @click=${begin}>${t('prepared.begin')}</button>`;
    }
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
