// An analysis as text: a record, and after it the notes and variations (docs/records.md). Only the writing is read here;
// the engine decides which turns are legal. Pure.

import { GLYPHS, MAX_COMMENT, actionsOf, lineFrom, noNotes } from './tree.js';

/** @import { Arrow } from '../board/arrows.js' */
/** @import { Node, Notes } from './tree.js' */

/** A turn as it is written, with the lines that could be played in its place.
 * @typedef {Notes & { number: number, card: number | null, actions: string[], variations: Entry[][] }} Entry */

/**
 * An analysis as it is written.
 * @typedef {object} Written
 * @property {Map<string, string>} headers those of the record
 * @property {Notes} opening the notes on the start position
 * @property {Entry[]} line
 */

const VERSION = 1;
const TITLE = `towers-record ${VERSION}`;
const NOTES = 'notes';
const START = 'start';
/** Maximum number of characters of a text. */
const MAX_TEXT = 1_000_000;

/** The expected content of a line that cannot be read, as the words `flaw.what_…` name it.
 * @typedef {'title' | 'header' | 'ruleset' | 'turn_or_final' | 'end' | 'note' | 'closing' | 'short' | 'json'} Wanted */

/** A text that is no record. `line` is the number of the line that cannot be read. */
export class Unreadable extends Error {
  /**
   * @param {number} line
   * @param {Wanted} wanted
   */
  constructor(line, wanted) {
    super(`line ${line} cannot be read`);
    this.line = line;
    this.wanted = wanted;
  }
}

/** A record of a later version of the format. */
export class Newer extends Error {
  /** @param {number} version */
  constructor(version) {
    super(`version ${version} is newer`);
    this.version = version;
  }
}

/** Whether a text is meant as a record: a position has one line.
 * @param {string} text
 */
export const isRecord = (text) => /^\s*(towers-record\b|\{)|\n/.test(text);

// --- Writing ---

/** @param {Arrow} mark */
const markText = ({ from, to, isOther }) => {
  const cells = from === to ? `circle ${from}` : `arrow ${from} ${to}`;
  return `[%${cells}${isOther ? ' other' : ''}]`;
};

/** @param {string} comment */
const escaped = (comment) =>
  comment
    .replace(/[\\[]/g, '\\$&')
    .replace(/\r\n?|[\n\u2028\u2029]/g, '\\n')
    .replace(/\p{Cc}/gu, ' ');

/** The notes on a position as words of a line; empty if there are none.
 * @param {Notes} notes
 * @returns {string[]}
 */
function notesText({ comment, glyph, marks }) {
  const content = [...marks.map(markText), ...(comment === '' ? [] : [escaped(comment)])].join(' ');
  return [...(glyph === null ? [] : [glyph]), ...(content === '' ? [] : [`{${content}}`])];
}

/** @param {Node} node */
const turnText = (node) => [
  `${node.move?.number}`,
  ...(node.move?.card == null ? [] : [`[${node.move.card}]`]),
  ...actionsOf(node),
];

/** The variations beside a turn of a line.
 * @param {Node} node
 * @returns {string[]}
 */
function variationsText(node) {
  const others = node.parent?.children[0] === node ? node.parent.children.slice(1) : [];
  return others.flatMap((other) => [
    ['(', ...turnText(other), ...notesText(other)].join(' '),
    ...lineFrom(other).flatMap((next) => [
      [...turnText(next), ...notesText(next)].join(' '),
      ...variationsText(next),
    ]),
    ')',
  ]);
}

/**
 * Writes an analysis.
 *
 * @param {Node} root
 * @param {readonly (readonly [key: string, value: string | null])[]} headers those of the record, in order
 * @param {string} final the text of the last position of the main line
 */
export function written(root, headers, final) {
  const line = lineFrom(root);
  const opening = notesText(root);
  const notes = [
    ...(opening.length === 0 ? [] : [[START, ...opening].join(' ')]),
    ...line.flatMap((node) => {
      const words = notesText(node);
      return [
        ...(words.length === 0 ? [] : [[`${node.move?.number}`, ...words].join(' ')]),
        ...variationsText(node),
      ];
    }),
  ];
  return [
    TITLE,
    ...headers.flatMap(([key, value]) => (value === null ? [] : [`${key}: ${value}`])),
    '',
    ...line.map((node) => turnText(node).join(' ')),
    `final: ${final}`,
    ...(notes.length === 0 ? [] : ['', NOTES, ...notes]),
    '',
  ].join('\n');
}

// --- Reading ---

/** Limits on the variations of a text, since each of them is a match of the engine while they are read. */
const MAX_DEPTH = 50;
const MAX_VARIATIONS = 1000;

const MARK = /^\[%(?:circle ([a-z]\d{1,2})|arrow ([a-z]\d{1,2}) ([a-z]\d{1,2}))( other)?\] ?/;
const TURN =
  /^(\d{1,4})(?: \[([1-6])\])?((?: [^\s{}()!?]+)*?)(?: (\d+\.\d{3})s)?(?: ([!?]{1,2}))?(?: \{(.*)\})?$/s;

/** @param {string} glyph
 * @param {string} content
 * @returns {Notes} */
function readNotes(glyph, content) {
  /** @type {Arrow[]} */
  const marks = [];
  let rest = content;
  for (let found = MARK.exec(rest); found !== null; found = MARK.exec(rest)) {
    const [whole, around, from, to, other] = found;
    marks.push({ from: around ?? from, to: around ?? to, isOther: other !== undefined });
    rest = rest.slice(whole.length);
  }
  const comment = rest.replace(/\\(.)/g, (_, sign) => (sign === 'n' ? '\n' : sign)).slice(0, MAX_COMMENT);
  return { comment, glyph: GLYPHS.find((known) => known === glyph) ?? null, marks };
}

/** @param {string} line
 * @param {number} at its number
 * @param {Wanted} wanted
 * @returns {Entry} */
function readTurn(line, at, wanted) {
  const found = TURN.exec(line);
  if (found === null) throw new Unreadable(at, wanted);
  const [, number, card, actions, , glyph = '', content = ''] = found;
  return {
    ...readNotes(glyph, content),
    number: Number(number),
    card: card === undefined ? null : Number(card),
    actions: actions.split(' ').filter((action) => action !== ''),
    variations: [],
  };
}

/**
 * Reads an analysis, or any record, as text or as JSON.
 *
 * @param {string} text
 * @returns {Written}
 */
export function readText(text) {
  if (text.length > MAX_TEXT) throw new Unreadable(1, 'short');
  const plain = text.trim();
  if (plain.startsWith('{')) return readJson(plain);
  const lines = plain.split(/\r\n?|\n/).map((line) => line.trim());
  const version = Number(/^towers-record (\d{1,9})$/.exec(lines[0])?.[1] ?? 0);
  if (version > VERSION) throw new Newer(version);
  if (lines[0] !== TITLE) throw new Unreadable(1, 'title');
  const empty = lines.indexOf('');
  if (empty === -1) throw new Unreadable(lines.length, 'turn_or_final');
  /** @type {Map<string, string>} */
  const headers = new Map();
  for (const [index, line] of lines.slice(1, empty).entries()) {
    const colon = line.indexOf(': ');
    if (colon === -1) throw new Unreadable(index + 2, 'header');
    headers.set(line.slice(0, colon), line.slice(colon + 2));
  }
  const final = lines.findIndex((line) => line.startsWith('final: '));
  if (final === -1) throw new Unreadable(lines.length, 'turn_or_final');
  const line = lines
    .slice(empty + 1, final)
    .map((each, index) => readTurn(each, empty + index + 2, 'turn_or_final'))
    .filter(({ actions }) => actions.length > 0);
  const opening = noNotes();
  if (lines.length > final + 1) {
    if (lines[final + 1] !== '') throw new Unreadable(final + 2, 'end');
    if (lines[final + 2] !== NOTES) throw new Unreadable(final + 3, 'end');
    addNotes(lines, final + 3, line, opening);
  }
  return { headers, opening, line };
}

/** Adds notes and variations to a line.
 * @param {string[]} lines
 * @param {number} first the index of the first line with notes
 * @param {Entry[]} main
 * @param {Notes} opening
 */
function addNotes(lines, first, main, opening) {
  /** The lines that are open, the main one first, each with the turn that was read last.
   * @type {{ line: Entry[], last: Entry | null }[]} */
  const open = [{ line: main, last: null }];
  let count = 0;
  for (const [index, text] of lines.entries()) {
    if (index < first) continue;
    const here = open[open.length - 1];
    const fail = () => new Unreadable(index + 1, 'note');
    if (text === ')') {
      if (open.length === 1) throw fail();
      open.pop();
    } else if (text.startsWith('( ')) {
      const entry = readTurn(text.slice(2), index + 1, 'note');
      count += 1;
      if (open.length > MAX_DEPTH || count > MAX_VARIATIONS) throw fail();
      const beside = here.line.find(({ number }) => number === entry.number);
      if (beside === undefined || entry.actions.length === 0) throw fail();
      const line = [entry];
      beside.variations.push(line);
      open.push({ line, last: entry });
    } else if (open.length > 1) {
      const entry = readTurn(text, index + 1, 'note');
      if (entry.actions.length === 0) throw fail();
      here.line.push(entry);
    } else if (text.startsWith(`${START} `)) {
      const { comment, glyph, marks } = readTurn(`0${text.slice(START.length)}`, index + 1, 'note');
      Object.assign(opening, { comment, glyph, marks });
    } else {
      const { number, actions, comment, glyph, marks } = readTurn(text, index + 1, 'note');
      const entry = main.find((turn) => turn.number === number);
      if (entry === undefined || actions.length > 0) throw fail();
      Object.assign(entry, { comment, glyph, marks });
    }
  }
  if (open.length > 1) throw new Unreadable(lines.length, 'closing');
}

/** @param {string} text
 * @returns {Written} */
function readJson(text) {
  try {
    const { turns, ...rest } = JSON.parse(text);
    if (rest.towers_record > VERSION) throw new Newer(Number(rest.towers_record));
    if (rest.towers_record !== VERSION) throw new Unreadable(1, 'json');
    const line = turns.flatMap(
      (/** @type {{ turn: number, card?: number, actions: string[] }} */ { turn, card, actions }) =>
        actions.length === 0
          ? []
          : [
              {
                ...noNotes(),
                number: Number(turn),
                card: card ?? null,
                actions: actions.map(String),
                variations: [],
              },
            ],
    );
    const values = Object.entries(rest).filter(([, value]) => typeof value === 'string');
    return { headers: new Map(/** @type {[string, string][]} */ (values)), opening: noNotes(), line };
  } catch (error) {
    throw error instanceof Newer ? error : new Unreadable(1, 'json');
  }
}
