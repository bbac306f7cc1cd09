// Takes up the visitor's search for an opponent on a page that is about something else. It is loaded late, and only while
// there is a search.

import { leavesSession, openSession, sessionWorks } from '../connection/session.js';
import { openConnection } from '../connection/socket.js';
import { createSearch, isSearchKept } from './seeking.js';
import { createSearchChip } from './search-chip.js';

/** @import { Translate } from '../i18n.js' */

/** @param {Translate} t */
export function keepSearch(t) {
  if (!isSearchKept()) return;
  const chip = createSearchChip(t, () => search.stop());
  const search = createSearch({
    send: (message) => connection.oneShot(message),
    show: chip.show,
    found: (game) => location.assign(`/game/${game}`),
  });
  const connection = openConnection({
    onMessage: search.hear,
    onNews: (news) => news === 'online' && sessionWorks(),
    renewSession: openSession,
    leavesSession,
    ready: openSession(),
  });
  connection.followLobby();
}
