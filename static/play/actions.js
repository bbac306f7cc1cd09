// The buttons of a turn.

import { icon, t } from '../ui/page.js';
import { html, nothing } from '../vendor/lit-html@3.3.3/lit-html.js';
import { earlyEnd } from './seat.js';
import { canAct, mayPrepare, mySide, turnNow } from './state.js';

/** @import { Doing } from './doing.js' */
/** @import { Game } from './model.js' */
/** @import { State } from './state.js' */

/** Data of the buttons.
 * @param {State} state
 */
export const actionNeeds = ({
  game,
  me,
  desk,
  isAsking,
  sending,
  news,
  past,
  making,
  held,
  prepares,
  prepared,
}) => [...[game, me, desk, isAsking, sending, news, past, making, held, prepares, prepared]];

/**
 * The buttons of a turn. They are there as long as the game is, so that a focus on them is not lost.
 *
 * @param {State} state
 * @param {Game} game
 * @param {Doing} doing
 * @param {() => void} showCapture
 */
export function actionBar(state, game, doing, showCapture) {
  if (game.present.status !== 'playing' || mySide(state) === null) return nothing;
  const { desk, isAsking, making, held, past, prepared } = state;
  const { confirmTurn, makeInstead, restart, undo } = doing;
  const { steps } = past ?? turnNow(game, desk);
  const canUndo = canAct(state) && (steps.length > 0 || held.jumps > 0);
  const end = desk === null ? undefined : earlyEnd(desk);
  const mayBegin = mayPrepare(state);
  const isReady = prepared !== 'kept' && (desk?.complete === true || end !== undefined);
  const canConfirm = mayBegin || (canAct(state) && !isAsking && isReady);
  const left = desk?.turn.allowance?.left ?? 0;
  const canMake = desk?.turn.owed?.must === false && (desk.legal ?? []).some(({ kind }) => kind === 'make');
  const mustCapture = !making && (desk?.bestCapture ?? null) !== null;
  const confirmWords = () => {
    if (mayBegin) return t('prepared.begin');
    if (prepared !== null) return t('prepared.keep');
    return end === undefined ? t('game.confirm') : t('game.end_early', { n: left });
  };
  return html`${mustCapture ? html`<button class="quiet" title=${t('game.show_captures')} @click=${showCapture}>${icon('eye')} <span>${t('game.show_captures')}</span></button>` : nothing}
    ${canMake ? html`<button aria-pressed=${making} @click=${makeInstead}>${icon('stack')} <span>${t('game.make')}</span></button>` : nothing}
    <button class="quiet" title=${t('game.undo_long')} aria-disabled=${!canUndo} @click=${undo}>${icon('undo')} <span>${t('game.undo')}</span></button>
    <button class="quiet" title=${t('game.restart_long')} aria-disabled=${!canUndo} @click=${restart}>${icon('restart')} <span>${t('game.restart')}</span></button>
    <button class=${end === undefined && !mayBegin ? 'primary confirm' : 'confirm'} aria-disabled=${!canConfirm} @click=${mayBegin ? () => doing.preparing?.begin() : confirmTurn}>
      ${icon('check')} <span>${confirmWords()}</span></button>`;
}
