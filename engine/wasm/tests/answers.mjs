// Answers calls of the engine in WebAssembly, for the test that compares them with those of the native engine. A call is
// a line: a function, its numbers and its text, separated by tabs. After an empty line, the digest of all answers since
// the last one is printed.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { createEngine } from '../../../static/engine/engine.js';

const code = readFileSync(new URL('../../../static/engine/engine.wasm', import.meta.url));
const { instance } = await WebAssembly.instantiate(code);
const engine = createEngine(instance);
let digest = createHash('sha256');

for await (const line of createInterface({ input: process.stdin })) {
  if (line === '') {
    console.log(digest.digest('hex'));
    digest = createHash('sha256');
  } else {
    const [name, words, text] = line.split('\t');
    const numbers = words.split(' ').filter(Boolean).map(Number);
    // Nothing is answered to `close`.
    if (name === 'close') engine.close(numbers[0]);
    else digest.update(engine.answerOf(name, numbers, text));
  }
}
