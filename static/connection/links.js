// Links as mails and chats return them: with the text around, in capitals, broken by invisible characters. The server
// redirects such an address to that of its page; here the parts of links are read that no server sees. Pure.

/** The 32 digits of an id, with anything between them but letters and digits. */
const ID = /^[^a-z\d]*((?:[\da-f][^a-z\d]*){32})(?![a-z\d])/i;

/** @param {string} text */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** @param {string} part
 * @returns {string | null} */
function idIn(part) {
  const digits =
    ID.exec(part)?.[1]
      .replace(/[^\da-f]/gi, '')
      .toLowerCase() ?? null;
  return digits?.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-') ?? null;
}

/**
 * The id of the game that a link, a path or an id names, as the server writes ids; null if that is none.
 *
 * @param {string} link
 * @returns {string | null}
 */
export function gameIdIn(link) {
  const [path] = decoded(link).split(/[?#]/);
  return (
    path
      .split('/')
      .map(idIn)
      .findLast((id) => id !== null) ?? null
  );
}

/** The id of the game that a pasted text is a link to, or that it is; null for any other text.
 * @param {string} text
 */
export const linkedGame = (text) => (/^\s*[^\s{]+\s*$/.test(text) ? gameIdIn(text) : null);

/** A word of a link without what the text around has left at its ends: for example `fenix` of `fenix).`
 * @param {string} word
 */
export const bareWord = (word) =>
  decoded(word)
    .replace(/^[^a-z\d]+|[^a-z\d]+$/gi, '')
    .toLowerCase();

/** The last word of a path: for example `fenix` of `/learn//fenix/`.
 * @param {string} path
 */
export const lastWord = (path) =>
  path
    .split('/')
    .map(bareWord)
    .findLast((word) => word !== '') ?? '';
