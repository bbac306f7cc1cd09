// The sound of a step of a turn. Pure.

import { kindOf } from './game-model.js';

/** @import { Step } from '../protocol.js' */
/** @import { Sound } from '../ui/tones.js' */

/** @param {Pick<Step, 'action' | 'route' | 'swap' | 'taken' | 'overflow'>} step
 * @returns {Sound} */
export function soundOf({ action, route, swap, taken, overflow }) {
  const kind = kindOf(action);
  if (swap) return 'swap';
  if (taken.length > 0 || (overflow?.captured ?? 0) > 0) return 'capture';
  if (kind === 'make' || kind === 'drop') return kind;
  return route.length > 2 ? 'travel' : 'move';
}
