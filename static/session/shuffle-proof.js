// The cards that a seed fixes (RULES 1.18), recomputed so that nobody has to trust the server. Pure; the hash
// function comes from outside.

import { PACK, placeOf } from './packs.js';

/** @import { GameDocument, Side } from '../protocol.js' */

/** @typedef {(bytes: Uint8Array<ArrayBuffer>) => Promise<ArrayBuffer>} Digest SHA-256 */

/**
 * The pack of a side in a round as it lies after its shuffle, top card first.
 *
 * @param {Digest} digest
 * @param {Uint8Array<ArrayBuffer>} seed
 * @param {Side} side
 * @param {number} round counted from 0
 * @returns {Promise<number[]>}
 */
export async function shuffledPack(digest, seed, side, round) {
  const message = new Uint8Array(seed.length + 6);
  message.set(seed);
  message[seed.length] = side === 'first' ? 1 : 2;
  new DataView(message.buffer).setUint32(seed.length + 1, round);
  const cards = [...PACK];
  for (let i = cards.length - 1; i > 0; i -= 1) {
    message[seed.length + 5] = i;
    const value = new DataView(await digest(message)).getBigUint64(0);
    const j = Number(value % BigInt(i + 1));
    [cards[i], cards[j]] = [cards[j], cards[i]];
  }
  return cards;
}

/** @param {string} hex
 * @returns {Uint8Array<ArrayBuffer>} */
export const bytesOf = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

/** @param {ArrayBuffer} bytes */
const hexOf = (bytes) =>
  [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/**
 * The published hash, seed and cards of a game: null if it has none. A card that lies face up in the text that the
 * game started from is not the seed's (RULES 1.5), and so is not among them.
 *
 * @param {Pick<GameDocument, 'events' | 'present'>} game
 * @returns {{ seedHash: string, seed: string | null, shown: Map<number, number> } | null}
 */
export function claimsOf({ events, present }) {
  /** @type {string | null} */
  let seedHash = null;
  /** @type {string | null} */
  let seed = null;
  let start = '';
  const shown = new Map();
  for (const event of events) {
    if (event.type === 'created') ({ seed_hash: seedHash, start } = event);
    if (event.type === 'reopened') {
      seedHash = event.seed_hash;
      shown.clear();
    }
    if (event.type === 'turn_played' && event.card !== null) shown.set(event.turn, event.card);
    if (event.type === 'ended') seed = event.seed;
  }
  // The card of a turn in which the game was given up also lay face up.
  const { number, cards } = present.turn;
  if (cards !== null && cards.card !== null) shown.set(number, cards.card);
  const [, , first, given] = start.split(' ');
  if (given !== '0/0') shown.delete(Number(first));
  return seedHash === null ? null : { seedHash, seed, shown };
}

/**
 * A shown card, and the one that the seed gives.
 * @typedef {{ turn: number, side: Side, shown: number, computed: number }} Checked
 */

/**
 * Checks that a seed is the one that was promised, and that each card is the one it gives.
 *
 * @param {Digest} digest
 * @param {string} seed in hex
 * @param {string} seedHash in hex
 * @param {Map<number, number>} shown the card of each turn
 * @returns {Promise<{ hash: string, isPromised: boolean, cards: Checked[], fits: boolean }>}
 */
export async function checkShuffles(digest, seed, seedHash, shown) {
  const bytes = bytesOf(seed);
  const hash = hexOf(await digest(bytes));
  /** @type {Map<string, number[]>} */
  const packs = new Map();
  /** @type {Checked[]} */
  const cards = [];
  for (const [turn, card] of shown) {
    const { side, round, index } = placeOf(turn);
    const key = `${side} ${round}`;
    const pack = packs.get(key) ?? (await shuffledPack(digest, bytes, side, round));
    packs.set(key, pack);
    cards.push({ turn, side, shown: card, computed: pack[index] });
  }
  const isPromised = hash === seedHash;
  return { hash, isPromised, cards, fits: isPromised && cards.every((card) => card.shown === card.computed) };
}
