// An analysis in an address: its text, compressed, after the #, so that no server ever receives it.

/** Maximum number of characters of an address, which messengers and browsers still carry. */
export const MAX_LINK = 16_000;
/** Maximum number of bytes of a text out of an address. */
const MAX_BYTES = 1_000_000;
/** The format of the compressed data; its name is that of the browsers' interface. */
const FORMAT = 'deflate-raw';
const MARK = '#a=';
/** The parts of a fragment. What follows them may be of the text around a link. */
const LINK = /^#a=([\w-]*)(?:&(?:amp;)?at=(\d+))?/;

/** @param {Uint8Array} bytes */
function base64(bytes) {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
}

/** @param {ReadableStream<Uint8Array>} stream
 * @returns {Promise<Uint8Array>} */
async function gathered(stream) {
  const reader = stream.getReader();
  const parts = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > MAX_BYTES) {
      await reader.cancel();
      throw new RangeError('the analysis in the address is too long');
    }
    parts.push(value);
  }
  const all = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** The fragment of an address with a text and the number of the node that is shown; null if it would be too long.
 * @param {string} text
 * @param {number} at
 * @returns {Promise<string | null>}
 */
export async function fragmentOf(text, at) {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream(FORMAT));
  const link = `${MARK}${base64(await gathered(stream))}&at=${at}`;
  return link.length > MAX_LINK ? null : link;
}

/** The text in the fragment of an address, and the number of the node that it shows; null if it has none. A fragment that
 * is damaged rejects the promise.
 * @param {string} fragment
 * @returns {Promise<{ text: string, at: number } | null>}
 */
export async function readFragment(fragment) {
  if (!fragment.startsWith(MARK)) return null;
  const [, data, at] = LINK.exec(fragment) ?? ['', ''];
  const bytes = Uint8Array.from(atob(data.replace(/-/g, '+').replace(/_/g, '/')), (sign) =>
    sign.charCodeAt(0),
  );
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream(FORMAT));
  return { text: new TextDecoder().decode(await gathered(stream)), at: Number(at ?? 0) };
}
