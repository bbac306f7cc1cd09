// Pasted texts, with the marks that mails, pages and editors leave in them. Prepared here, a record, a
// position or a name is as it was written; what is wrong in it stays, to be refused. Pure.

/** Ends of lines other than a line feed. */
const LINE_ENDS = /\r\n?|[\v\f\u0085\u2028\u2029]/g;
/** White space other than a space. */
const SPACES = /[\t\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g;
/** Characters without a width: byte order marks, soft hyphens, zero-width spaces, marks of direction. */
const UNSEEN = /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g;
/** A line break that a mail has put into a long line, after an equals sign. */
const SOFT_BREAK = /^(.{70,})=\n/gm;
const DASHES = /[\u2010-\u2015\u2212]/g;
/** Signs of a quotation at the beginning of a line of a mail. */
const QUOTED = /^[>\s]+/;
const FENCE = /^(```|~~~)/;

const TITLE = 'towers-record';
/** The beginning of a record, as text or as JSON. */
const RECORD = /^(towers.record|\{)/;
const HYPHENATED = /^(?:ruleset|date|reason): /;
const START = /^start:( |$)/;
const FINAL = /^final:( |$)/;
const NOTES = 'notes';
const TURN = /^\d{1,4}( |$)/;
/** The rest of a turn that was broken into two lines: actions and a time. */
const REST_OF_TURN =
  /^(?:end|[*a-z][\w*+~×\u2010-\u2015\u2212-]*\d|\d+\.\d{3}s)(?: (?:end|[*a-z][\w*+~×\u2010-\u2015\u2212-]*\d|\d+\.\d{3}s))*$/;
/** The rest of a position that was broken into two lines: rows of the board, single letters and numbers. */
const REST_OF_POSITION = /^(?:\S*\/\S*|[a-z]|\d+|-)(?: (?:\S*\/\S*|[a-z]|\d+|-))*$/i;

/** A name, or another text of one line, without what nobody sees in it.
 * @param {string} text
 */
export const plainLine = (text) => text.replace(UNSEEN, '').replace(/\s+/g, ' ').trim();

/** @param {string} text */
const plainPosition = (text) => plainLine(text).replace(DASHES, '-').replaceAll('…', '...');

/** The text of a position, also in quotation marks.
 * @param {string} pasted
 */
export const preparedPosition = (pasted) =>
  plainPosition(linesOf(pasted).join(' ')).replace(/^["'`“”‘’«»„ ]+|["'`“”‘’«»„ ]+$/g, '');

/** @param {string} pasted */
const linesOf = (pasted) =>
  pasted
    .replace(LINE_ENDS, '\n')
    .replace(SPACES, ' ')
    .replace(UNSEEN, '')
    .replace(SOFT_BREAK, '$1')
    .split('\n')
    .map((line) => line.replace(QUOTED, '').trim())
    .filter((line) => line !== '' && !FENCE.test(line));

/** @param {string} line */
const plainTurn = (line) => line.replace(DASHES, '-').replaceAll('×', 'x').replace(/ +/g, ' ');

/** @param {string} line */
const plainHeader = (line) => (HYPHENATED.test(line) ? line.replace(DASHES, '-') : line);

/** The lines of a record, each whole, with the empty lines where they belong.
 * @param {string[]} lines without empty ones; the first is the title
 */
function restored(lines) {
  const rest = lines.slice(1);
  const isAt = (/** @type {RegExp} */ what) => rest.length > 0 && what.test(rest[0]);
  const next = () => rest.shift() ?? '';
  /** Takes a line, and those that it was broken into.
   * @param {RegExp} continued
   */
  function whole(continued) {
    const parts = [next()];
    while (isAt(continued)) parts.push(next());
    return parts.join(' ');
  }
  const written = [lines[0]];
  while (rest.length > 0 && !isAt(TURN) && !isAt(FINAL))
    written.push(isAt(START) ? plainPosition(whole(REST_OF_POSITION)) : plainHeader(next()));
  written.push('');
  while (rest.length > 0 && !isAt(FINAL)) written.push(plainTurn(isAt(TURN) ? whole(REST_OF_TURN) : next()));
  if (rest.length > 0) written.push(plainPosition(whole(REST_OF_POSITION)));
  return rest[0] === NOTES ? [...written, '', ...rest] : [...written, ...rest];
}

/** JSON, whose quotation marks a program may have curled.
 * @param {string} text
 */
function preparedJson(text) {
  try {
    JSON.parse(text);
    return text;
  } catch {
    return text.replace(/[“”„«»]/g, '"');
  }
}

/** Whether a text is a position rather than a record. One line that is neither is taken for a position; several lines are a
 * record, perhaps without its title, unless the first begins a position.
 * @param {string[]} lines
 */
const isPosition = ([first = '', ...rest]) =>
  !RECORD.test(first) && (rest.length === 0 || REST_OF_POSITION.test(preparedPosition(first)));

/**
 * A record as it was written, as text or as JSON.
 *
 * @param {string} pasted
 * @returns {string} a text that ends with a line feed
 */
export function preparedRecord(pasted) {
  const [first = '', ...rest] = linesOf(pasted);
  const lines = [first.replace(/^towers.record\b/, TITLE), ...rest];
  return `${first.startsWith('{') ? preparedJson(lines.join('\n')) : restored(lines).join('\n')}\n`;
}

/**
 * A record as it was written, as text or as JSON; or a position.
 *
 * @param {string} pasted
 * @returns {string} a text that ends with a line feed if it is a record
 */
export const prepared = (pasted) =>
  isPosition(linesOf(pasted)) ? preparedPosition(pasted) : preparedRecord(pasted);
