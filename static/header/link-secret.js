// The secret of a link that the owner of an account was given.

import { ApiError } from '../connection/api.js';

/** Sends the secret of a link. The server cannot read one that lost a part on its way, and a server without mail has nothing to
 * confirm.
 * @template Answer
 * @param {() => Promise<Answer>} send
 */
export async function withLink(send) {
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.code === 'invalid_body') throw new ApiError('link_damaged', error.detail);
    if (error.code === 'no_such_resource') throw new ApiError('link_void', error.detail);
    throw error;
  }
}
