// The cells that a sentence names. Pure.

/** The name of a cell within a sentence, as its one group. */
export const CELL = /\b([a-m]\d{1,2})\b/;

/** @param {string} sentence */
export const namedIn = (sentence) => [
  ...new Set([...sentence.matchAll(new RegExp(CELL, 'g'))].map(([cell]) => cell)),
];
