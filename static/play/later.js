// The parts of a game's page that it loads once it has been drawn.

export { shadowOfPage } from '../engine/shadow.js';
export { compareWithServer } from '../ui/newer.js';
