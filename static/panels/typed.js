// Moves that are typed. Pure.

import { kindOf } from '../session/game-model.js';

/** @import { LegalAction } from '../protocol.js' */
/** @import { TurnDraft } from '../engine/turn-draft.js' */

/**
 * The action meant by a typed text. Other ways of writing do no harm, but `d5-d6` and `d5+d6` may both
 * be legal. Where nothing is listed, any text may be an action, and the server decides.
 *
 * @param {TurnDraft} turnDraft
 * @param {string} written
 * @returns {LegalAction | undefined}
 */
export function actionNamed({ legal, unlisted }, written) {
  const text = written.trim();
  if (unlisted) {
    const unknown = { from: null, to: null, count: null, overflow: null, capture: null };
    return { text, kind: kindOf(text), ...unknown };
  }
  /** @param {string} any */
  const plain = (any) => any.toLowerCase().replace(/[^a-z0-9]/g, '');
  return (
    legal?.find((action) => action.text === text) ??
    legal?.find((action) => plain(action.text) === plain(text) && isDrop(action.text) === isDrop(text))
  );
}

/** @param {string} text */
const isDrop = (text) => text.includes('*');
