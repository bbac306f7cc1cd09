// A relay in front of the server, whose connections can be swallowed: both ends stay open, and nothing comes through.

import { once } from 'node:events';
import { connect, createServer } from 'node:net';

/** Starts a relay to an address.
 * @param {string} address
 */
export async function startRelay(address) {
  const { hostname, port } = new URL(address);
  const ends = new Set();
  const relay = createServer((client) => {
    const server = connect(Number(port), hostname);
    for (const [end, other] of [
      [client, server],
      [server, client],
    ]) {
      ends.add(end);
      end.pipe(other);
      end.on('error', () => other.destroy());
      end.on('close', () => {
        ends.delete(end);
        other.destroy();
      });
    }
  });
  relay.listen(0, '127.0.0.1');
  await once(relay, 'listening');
  return {
    address: `http://127.0.0.1:${relay.address().port}`,

    /** Swallows what the present connections send from now on. Later ones are not touched. */
    swallow() {
      for (const end of ends) {
        end.unpipe();
        end.resume();
      }
    },

    stop() {
      for (const end of ends) end.destroy();
      relay.close();
    },
  };
}
