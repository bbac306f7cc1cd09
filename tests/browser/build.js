import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/**
 * Builds the server with the built client, as a release has it, so that no test runs against an old build, and passes
 * its path to the workers. `TOWERS_BIN` names a program to test instead.
 */
export default function build() {
  if (process.env.TOWERS_BIN) return;
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const features = ['--features', 'server/built-client'];
  const options = [
    'build',
    '--workspace',
    '--bin',
    'towers',
    ...features,
    '--quiet',
    '--message-format=json',
  ];
  const output = execFileSync('cargo', options, {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const messages = output.split('\n').filter((line) => line !== '');
  const artifacts = messages.map((line) => JSON.parse(line));
  process.env.TOWERS_BIN = artifacts.find(
    ({ target, executable }) => target?.name === 'towers' && executable,
  ).executable;
}
