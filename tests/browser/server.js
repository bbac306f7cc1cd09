// A server of the tests' own.

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** Starts the server with an empty database, by default on a free port.
 * @param {string} listen an address
 * @param {string[]} more options
 */
export async function startServer(listen = '127.0.0.1:0', more = []) {
  const directory = mkdtempSync(join(tmpdir(), 'towers-browser-'));
  const database = ['--database-url', `sqlite://${join(directory, 'towers.db')}`];
  const options = [
    '--listen',
    listen,
    ...database,
    // All visitors come from one address, and a machine that stops for a minute is not overloaded by them.
    '--address-factor',
    '10000',
    '--overload-after-ms',
    '600000',
    ...more,
  ];
  const server = spawn(process.env.TOWERS_BIN, options, { stdio: ['ignore', 'pipe', 'ignore'] });
  const [line] = await once(createInterface(server.stdout), 'line');
  return {
    address: line.replace('Towers is at ', ''),
    /** Runs a command of the program on the server's database, and returns what it says. */
    run: (...command) =>
      execFileSync(process.env.TOWERS_BIN, [...command, ...database], { encoding: 'utf8' }),
    async stop() {
      server.kill('SIGTERM');
      await once(server, 'exit');
      rmSync(directory, { recursive: true });
    },
  };
}
