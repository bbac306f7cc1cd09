// Answers questions by the search in WebAssembly, for the tests that compare its answers with those of the native one. A
// question is a line of JSON with the name of a function, and so is an answer. Each is answered by a new search, which
// remembers nothing.

import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { HOST, createSearch } from '../../../../static/engine/search.js';

const code = await WebAssembly.compile(
  readFileSync(new URL('../../../../static/engine/search.wasm', import.meta.url)),
);

for await (const line of createInterface({ input: process.stdin })) {
  const search = createSearch(await WebAssembly.instantiate(code, HOST));
  const { name, question } = JSON.parse(line);
  console.log(JSON.stringify(search(name, question)));
}
