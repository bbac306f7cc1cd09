import { readFileSync } from 'node:fs';

/** A whole game of `fibonacci`, from the engine's tests. */
export const GAME = JSON.parse(
  readFileSync(new URL('../../engine/tests/games/fibonacci.json', import.meta.url), 'utf8'),
);
