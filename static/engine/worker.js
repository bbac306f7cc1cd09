// The worker of the search: the first message is the address of `search.wasm`, each further one a question. Each question
// is answered by what was found, or by the reason for which the search failed.

import { HOST, createSearch } from './search.js';

/** @import { Found, Question } from './search.js' */

/** @typedef {{ found: Found } | { failed: string }} Reply */

/** @type {Promise<ReturnType<typeof createSearch>> | null} */
let loading = null;

/** @param {string} address */
async function load(address) {
  const { instance } = await WebAssembly.instantiateStreaming(fetch(address), HOST);
  return createSearch(instance);
}

/** @param {Question} question
 * @returns {Promise<Reply>} */
async function reply(question) {
  try {
    const search = await loading;
    return search === null ? { failed: 'asked before it was loaded' } : { found: search(question) };
  } catch (error) {
    return { failed: String(error) };
  }
}

addEventListener('message', async ({ data }) => {
  if (typeof data === 'string') loading = load(data);
  else postMessage(await reply(data));
});
