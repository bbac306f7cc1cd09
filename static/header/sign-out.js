// The way out of a session.

import { request } from '../connection/api.js';
import { leaveSession } from '../connection/session.js';
import { reload } from '../ui/leaving.js';
import { recall, remember } from '../ui/page.js';

/** Ends this session, or all of them, or closes the account.
 * @param {'session' | 'sessions' | 'account'} which
 */
export async function signOut(which) {
  await leaveSession(() => request('DELETE', `/api/v1/${which}`));
  remember('left', recall('account') ?? '');
  remember('marked', '');
  remember('name', '');
  remember('turns', '');
  await reload();
}
