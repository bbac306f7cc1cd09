// The dialogs by which a game begins, which the lobby loads when one of them is about to be opened.

export { openComputer } from './computer.js';
export { openCreate } from './create.js';
export { drawPairing, openPairing } from './pairing.js';
