// The worker of the search: the first message is the address of `search.wasm`, each further one a question with a port for
// the answer: what was found, or the reason for which the search failed.

import { HOST, createSearch } from './search.js';

/** @import { Calls } from './search.js' */

/** @typedef {{ [Name in keyof Calls]: { name: Name, question: Calls[Name]['question'] } }[keyof Calls]} Asked */
/** @typedef {{ found: Calls[keyof Calls]['answer'] } | { failed: string }} Reply */

/** @type {Promise<ReturnType<typeof createSearch>> | null} */
let loading = null;

/** @param {string} address */
async function load(address) {
  const { instance } = await WebAssembly.instantiateStreaming(fetch(address), HOST);
  return createSearch(instance);
}

/** @param {Asked} asked
 * @returns {Promise<Reply>} */
async function reply({ name, question }) {
  try {
    const call = await loading;
    return call === null ? { failed: 'asked before it was loaded' } : { found: call(name, question) };
  } catch (error) {
    return { failed: String(error) };
  }
}

addEventListener('message', async ({ data, ports }) => {
  if (typeof data === 'string') loading = load(data);
  else ports[0].postMessage(await reply(data));
});
