// What moderators have done, in words.

import { momentOf } from '../ui/page.js';
import { say } from './visitor-words.js';

/** @import { ActKind } from '../protocol.js' */

/** @param {ActKind} deed */
export function actWords(deed) {
  switch (deed.kind) {
    case 'muted':
      return say('acts.muted', { when: momentOf(deed.until_ms) });
    case 'name_hidden':
      return say('acts.name_hidden', { name: deed.name });
    case 'role_given':
      return say(`acts.role_${deed.role}`);
    default:
      return say(`acts.${deed.kind}`);
  }
}
