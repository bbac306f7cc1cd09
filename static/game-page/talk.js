// The lines of a chat: all known, those shown, and those unread. Pure.

/** @import { ChatLine, Player } from '../protocol.js' */

/** The characters of the longest line. */
export const MAX_CHARS = 300;
/** Number of lines kept; the server sends 200 on joining. */
const KEPT = 500;

/**
 * The lines after new ones arrived. After a reconnection the server repeats known ones, under present names.
 *
 * @param {ChatLine[]} known
 * @param {ChatLine[]} received
 * @returns {ChatLine[]} sorted
 */
export function withLines(known, received) {
  const all = [...new Map([...known, ...received].map((line) => [line.id, line])).values()];
  return all.sort((a, b) => (a.id < b.id ? -1 : 1)).slice(-KEPT);
}

/** The lines of people who are not hidden.
 * @param {ChatLine[]} lines
 * @param {Set<string>} hidden
 */
export const shownOf = (lines, hidden) => lines.filter(({ who }) => !hidden.has(who.id));

/**
 * The unread lines of a player: those of others after the last line seen.
 *
 * @param {ChatLine[]} shown
 * @param {string} seen the id of that line; empty if there is none
 * @param {Player | null} me
 */
export const unreadOf = (shown, seen, me) => shown.filter(({ id, who }) => id > seen && who.id !== me?.id);

/** Invisible, bidirectional and invalid characters: the server rejects a line with one. */
const UNSEEN =
  /[\ufe00-\ufe0e\p{Cc}\p{Cs}\u00ad\u061c\u180e\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e0fff}]/gu;

/**
 * A line as it can be sent; null if nothing is left of it, or it is too long.
 *
 * @param {string} written
 * @returns {string | null}
 */
export function lineOf(written) {
  const text = written.replace(UNSEEN, '').trim();
  return text === '' || [...text].length > MAX_CHARS ? null : text;
}

/**
 * The people who are muted in this browser, parsed from storage.
 *
 * @param {string | null} stored
 * @returns {Player[]}
 */
export function mutedFrom(stored) {
  try {
    const list = JSON.parse(stored ?? '[]');
    return Array.isArray(list) ? list.filter((one) => typeof one?.id === 'string') : [];
  } catch {
    return [];
  }
}

/** Number of games of which the last line seen is kept. */
const GAMES_SEEN = 200;

/** The last lines that were seen, by the ids of their games, parsed from storage.
 * @param {string | null} stored
 * @returns {Map<string, string>}
 */
export function seenFrom(stored) {
  try {
    return new Map(JSON.parse(stored ?? '[]'));
  } catch {
    return new Map();
  }
}

/** The text to be stored once a line of a game was seen.
 * @param {string | null} stored
 * @param {string} game
 * @param {string} line its id
 */
export function withSeen(stored, game, line) {
  const seen = seenFrom(stored);
  seen.delete(game);
  return JSON.stringify([...seen.set(game, line)].slice(-GAMES_SEEN));
}
