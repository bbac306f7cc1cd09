// The device's own sheet to share a game by.

/** A picture as a file; none if it cannot be loaded.
 * @param {string} address
 */
async function filesAt(address) {
  const answer = await fetch(address).catch(() => null);
  return answer?.ok ? [new File([await answer.blob()], 'towers.png', { type: 'image/png' })] : [];
}

/** Opens the device's own sheet to share a link, with a picture where the device takes one; false if the device has none.
 * Closing the sheet without sharing also counts as true.
 * @param {string} link
 * @param {string | null} picture its address
 */
export async function handedOn(link, picture) {
  if (navigator.share === undefined) return false;
  const plain = { title: document.title.replace(/^\(\d+\) /, ''), url: link };
  const whole = { ...plain, files: picture === null ? [] : await filesAt(picture) };
  try {
    await navigator.share(navigator.canShare?.(whole) ? whole : plain);
    return true;
  } catch (error) {
    return error instanceof DOMException && error.name === 'AbortError';
  }
}
