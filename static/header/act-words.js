// What moderators have done, in words.

import { momentOf } from '../ui/page.js';
import { say } from './visitor-words.js';

/** @import { ActKind } from '../protocol.js' */

/** @param {ActKind} act */
export function actWords(act) {
  switch (act.kind) {
    case 'muted':
      return say('acts.muted', { when: momentOf(act.until_ms) });
    case 'name_hidden':
      return say('acts.name_hidden', { name: act.name });
    case 'role_given':
      return say(`acts.role_${act.role}`);
    default:
      return say(`acts.${act.kind}`);
  }
}
