// Reads the board part of a position's text.

/** A position's text that does not fit the board. */
export class UnreadablePosition extends Error {
  /** @param {string} text */
  constructor(text) {
    super(`not a position of this board: ${text}`);
    this.name = 'UnreadablePosition';
  }
}

/**
 * The contents of a board. The text names the rows from top to bottom, joined by `/` (RULES 1.4, 2.2, 3.2).
 *
 * @param {string} text a position's text, or only its board
 * @param {readonly (readonly string[])[]} rows the names of the cells, in the text's order
 * @param {(row: string) => string[]} split a row's text → the contents of its cells, `''` for an empty one
 * @returns {Map<string, string>} cell → content, occupied cells only
 */
export function readBoard(text, rows, split) {
  const parts = text.split(' ', 1)[0].split('/');
  if (parts.length !== rows.length) throw new UnreadablePosition(text);
  const pieces = new Map();
  rows.forEach((cells, row) => {
    const contents = split(parts[row]);
    if (contents.length !== cells.length) throw new UnreadablePosition(text);
    contents.forEach((content, column) => {
      if (content !== '') pieces.set(cells[column], content);
    });
  });
  return pieces;
}

/** A row in which a piece is a letter and a run of empty cells its length.
 * @param {string} row
 */
export const lettersOf = (row) =>
  [...row.matchAll(/\d+|./g)].flatMap(([token]) =>
    /\d/.test(token) ? Array.from({ length: Number(token) }, () => '') : [token],
  );
