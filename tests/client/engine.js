// The engine of the page, for tests.

import { readFileSync } from 'node:fs';

import { createEngine } from '../../static/engine/engine.js';

const code = readFileSync(new URL('../../static/engine/engine.wasm', import.meta.url));
const { instance } = await WebAssembly.instantiate(code);

export const engine = createEngine(instance);
