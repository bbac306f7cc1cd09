// A server of the tests' own.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** Starts the server on a free port, with an empty database. */
export async function startServer() {
  const directory = mkdtempSync(join(tmpdir(), 'towers-browser-'));
  const options = [
    '--listen',
    '127.0.0.1:0',
    '--database-url',
    `sqlite://${join(directory, 'towers.db')}`,
    // All visitors come from one address, and a machine that stops for a minute is not overloaded by them.
    '--address-factor',
    '10000',
    '--overload-after-ms',
    '600000',
  ];
  const server = spawn(process.env.TOWERS_BIN, options, { stdio: ['ignore', 'pipe', 'ignore'] });
  const [line] = await once(createInterface(server.stdout), 'line');
  return {
    address: line.replace('Towers is at ', ''),
    async stop() {
      server.kill('SIGTERM');
      await once(server, 'exit');
      rmSync(directory, { recursive: true });
    },
  };
}
