// The actions on the turn that is drawn up in a session.

import { soundOf } from './step-sound.js';

/** @import { LegalAction, Step, Turn } from '../protocol.js' */
/** @import { TurnDraft } from '../engine/turn-draft.js' */
/** @import { Sound } from '../ui/tones.js' */
/** @import { Core, Origin } from './board-session.js' */

/** A confirmation so soon after a step is the second half of a double tap. */
const SLIP_MS = 250;

/**
 * @param {Core & { explain: (key: string, args?: { i: number }) => void }} core
 * @param {object} options
 * @param {(turn: Turn) => boolean} [options.isAtOnce] whether a turn is played as soon as it is complete; without it,
 *   nothing guards against slips
 * @param {(turnDraft: TurnDraft | null) => void} [options.taken] called after an action
 * @param {(turnDraft: TurnDraft | null) => void} [options.takenBack] called after steps were taken back
 * @param {() => void} [options.back] takes back what lies before the turn, if none of its steps are left
 * @param {(name: Sound) => void} [options.sound]
 */
export function createTurnActions({ state, update, canAct, board, explain }, options) {
  const { isAtOnce, sound } = options;
  let stepAt = Number.NEGATIVE_INFINITY;
  let sendTimer = 0;

  /** Plays a turn that needs no confirmation, but no sooner than one that is confirmed: a slip can be taken back. */
  function playWhenComplete() {
    clearTimeout(sendTimer);
    if (!state.sendsItself || !state.turnDraft?.complete || state.source?.isAsking || !canAct()) return;
    sendTimer = window.setTimeout(play, Math.max(0, stepAt + SLIP_MS - performance.now()));
  }

  /** @param {Step} step */
  const stepped = (step) => sound?.(soundOf(step));

  /** @param {LegalAction} action
   * @param {Origin} how */
  function take(action, how) {
    const { source } = state;
    if (source === null || source.turnDraft === null || !canAct()) return;
    if (action.kind === 'end') return confirm();
    const { start, steps } = source.turnDraft;
    const isSent = isAtOnce?.(start) ?? false;
    const animate = source.take(action, how);
    if (typeof animate === 'string') {
      update({}, []);
      return explain(`refusal.${animate}`, { i: steps.length + 1 });
    }
    stepAt = performance.now();
    // The board sounds the steps that it animates, as a typed one, or one that waits for the server.
    const step = source.turnDraft?.steps[steps.length];
    if (how === 'drawn' && step !== undefined) stepped(step);
    update({ notice: null, making: false, sendsItself: isSent }, animate);
    options.taken?.(source.turnDraft);
  }

  /** @param {number} count the steps that stay */
  function takeBackTo(count) {
    const { source } = state;
    if (source === null || source.turnDraft === null || !canAct()) return;
    if (source.turnDraft.steps.length === 0) return options.back?.();
    source.takeBackTo(Math.max(0, count));
    update({ notice: null, sendsItself: false }, []);
    options.takenBack?.(source.turnDraft);
  }

  /** Takes back the last jump of a capture on its way, or else the last action. */
  function undo() {
    if (!board()?.back()) takeBackTo((state.source?.turnDraft?.steps.length ?? 0) - 1);
  }

  function restart() {
    board()?.pick(null);
    takeBackTo(0);
  }

  /** Plays the turn, unless this press is a slip. */
  function confirm() {
    if (canAct() && (isAtOnce === undefined || performance.now() - stepAt >= SLIP_MS)) play();
  }

  function play() {
    if (!canAct()) return;
    update({ notice: null, sendsItself: false });
    state.source?.confirm();
  }

  /** Plays the turn at Enter on the board, before the board's own keys: when nothing is left to move, Enter is for the
   * turn.
   * @param {KeyboardEvent} event
   */
  function onEnter(event) {
    if (event.key !== 'Enter' || isAtOnce === undefined || state.turnDraft?.complete !== true) return;
    event.preventDefault();
    event.stopPropagation();
    if (!event.repeat) confirm();
  }

  return { playWhenComplete, stepped, take, takeBackTo, undo, restart, confirm, onEnter };
}
