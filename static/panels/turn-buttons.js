// Panels of a turn that is drawn up: its buttons, the notice, and the reserves to press.

import { RESERVE } from '../board/input.js';
import { earlyEnd } from '../engine/turn-draft.js';
import { icon, t } from '../ui/page.js';
import { html, nothing } from '../vendor/lit-html@3.3.3/lit-html.js';

/** @import { Ruleset, Side } from '../protocol.js' */
/** @import { TemplateResult } from '../vendor/lit-html@3.3.3/lit-html.js' */
/** @import { Session } from '../session/board-session.js' */
/** @import { SessionState } from '../session/session-state.js' */
/** @import { Notice } from '../session/notices.js' */

/**
 * The buttons of a turn. They are there as long as the game goes on, so that a focus on them is not lost.
 *
 * @param {Pick<SessionState, 'turnDraft' | 'making'>} state
 * @param {Pick<Session, 'undo' | 'restart' | 'makeInstead' | 'showCapture'>} session
 * @param {{ canUndo: boolean, canRestart?: boolean, confirm: TemplateResult | typeof nothing }} more
 */
export function turnButtons({ turnDraft, making }, session, { canUndo, canRestart = canUndo, confirm }) {
  const { undo, restart, makeInstead, showCapture } = session;
  const canMake =
    turnDraft?.turn.owed?.must === false && (turnDraft.legal ?? []).some(({ kind }) => kind === 'make');
  const mustCapture = !making && (turnDraft?.bestCapture ?? null) !== null;
  return html`${mustCapture ? html`<button class="quiet" title=${t('game.show_captures')} @click=${showCapture}>${icon('eye')} <span>${t('game.show_captures')}</span></button>` : nothing}
    ${canMake ? html`<button aria-pressed=${making} @click=${makeInstead}>${icon('stack')} <span>${t('game.make')}</span></button>` : nothing}
    <button class="quiet" title=${t('game.undo_long')} aria-disabled=${!canUndo} @click=${undo}>${icon('undo')} <span>${t('game.undo')}</span></button>
    <button class="quiet" title=${t('game.restart_long')} aria-disabled=${!canRestart} @click=${canRestart ? restart : nothing}>${icon('restart')} <span>${t('game.restart')}</span></button>
    ${confirm}`;
}

/** The button that plays the turn.
 * @param {Pick<SessionState, 'turnDraft'>} state
 * @param {() => void} confirm
 * @param {boolean} canConfirm
 * @param {{ isPrimary?: boolean, words?: string }} [look] its own words, if it does something else
 */
export function confirmButton({ turnDraft }, confirm, canConfirm, { isPrimary = true, words } = {}) {
  const end = turnDraft === null ? undefined : earlyEnd(turnDraft);
  const usual =
    end === undefined ? t('game.confirm') : t('game.end_early', { n: turnDraft?.turn.allowance?.left ?? 0 });
  return html`<button class=${end === undefined && isPrimary ? 'primary confirm' : 'confirm'} aria-disabled=${!canConfirm} @click=${confirm}>
      ${icon('check')} <span>${words ?? usual}</span></button>`;
}

/** The notice, with the clause behind it.
 * @param {Ruleset} ruleset
 * @param {Notice | null} notice
 */
export const noticeLine = (ruleset, notice) =>
  notice === null
    ? nothing
    : html`<p class="notice">${notice.text}
        ${notice.rule === null ? nothing : html`<a href=${`/rules/${ruleset}#${notice.rule}`}>${t('game.rule', { rule: notice.rule })}</a>`}</p>`;

/** The press on the reserve of a side that can drop a man now, for its tray; nothing for others.
 * @param {Pick<SessionState, 'turnDraft' | 'held'>} state
 * @param {Side} side
 * @param {Pick<Session, 'pickReserve'>} session
 */
export function reservePress({ turnDraft, held }, side, { pickReserve }) {
  const canDrop =
    turnDraft?.turn.side === side && (turnDraft.legal ?? []).some(({ kind }) => kind === 'drop');
  const picked = held.picked === RESERVE;
  return canDrop ? { picked, press: () => pickReserve(!picked) } : {};
}
