// A worker with the search, which is loaded with the first question: the computer's side of a game on this device, and
// the judge of puzzles.

/** @import { Calls } from './search.js' */
/** @import { Reply } from './worker.js' */

/**
 * The part of Trusted Types that is used here. Not every browser has it.
 * @typedef {{ createPolicy: (name: string, rules: { createScriptURL: (address: string) => string }) =>
 *   { createScriptURL: (address: string) => string } }} TrustedTypes
 */

/** The address of the worker, as the policy of the page demands it. */
function workerAddress() {
  const address = document.body.dataset.worker ?? '';
  const { trustedTypes } = /** @type {{ trustedTypes?: TrustedTypes }} */ (
    /** @type {unknown} */ (globalThis)
  );
  policy ??= trustedTypes?.createPolicy('search', {
    createScriptURL: () => address,
  });
  return policy?.createScriptURL(address) ?? address;
}

/** @type {ReturnType<TrustedTypes['createPolicy']> | undefined} */
let policy;

export function createThinker() {
  /** @type {Worker | null} */
  let worker = null;

  function start() {
    const fresh = new Worker(workerAddress(), { type: 'module' });
    fresh.postMessage(new URL(document.body.dataset.search ?? '', location.href).href);
    return fresh;
  }

  /** Ends the search under way, and the worker with it: a running search cannot receive messages. */
  function stop() {
    worker?.terminate();
    worker = null;
  }

  return {
    stop,

    /**
     * Answers a question. The promise is rejected if the worker fails or does not load, and never settles if the search
     * is stopped.
     *
     * @template {keyof Calls} Name
     * @param {Name} name
     * @param {Calls[Name]['question']} question
     * @returns {Promise<Calls[Name]['answer']>}
     */
    ask(name, question) {
      worker ??= start();
      const asked = worker;
      return new Promise((resolve, reject) => {
        /** @param {string} why */
        const fail = (why) => {
          stop();
          reject(new Error(`the search failed: ${why}`));
        };
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = (/** @type {MessageEvent<Reply>} */ { data }) => {
          port1.close();
          if ('found' in data) resolve(data.found);
          else fail(data.failed);
        };
        asked.onerror = (event) => {
          event.preventDefault();
          fail('its worker could not be loaded');
        };
        asked.postMessage({ name, question }, [port2]);
      });
    },
  };
}
