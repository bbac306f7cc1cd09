// A page that is older than the server says so, in the page's own place for such news. It is loaded again by itself when
// nothing is under way. It has no words of its own, so that pages may load it late.

/** Key of the scripts whose pages this tab has left: none is left twice, so that servers of two releases behind one address
 * cause no loop. */
const LEFT = 'left releases';

/** The page's script, whose name has the hash of its content. */
const script = () => document.querySelector('script[type="module"]')?.getAttribute('src') ?? '';

/** Whether the server has another page than this one at its address.
 * @returns {Promise<boolean>} false if the server does not answer
 */
async function isOlder() {
  try {
    const answer = await fetch(location.pathname, { cache: 'no-cache' });
    return answer.ok && !(await answer.text()).includes(`"${script()}"`);
  } catch {
    return false;
  }
}

/** Whether a dialog is open, or a text is being written. */
const isWriting = () =>
  document.querySelector('dialog[open]') !== null ||
  /** @type {(HTMLInputElement | HTMLTextAreaElement)[]} */ ([
    ...document.querySelectorAll('input:not([type]), input[type="text"], textarea'),
  ]).some((field) => field.value !== field.defaultValue);

/** Leaves the page for that of the server, unless the tab has left this release before. */
function leave() {
  try {
    const left = sessionStorage.getItem(LEFT) ?? '';
    if (left.includes(script())) return;
    sessionStorage.setItem(LEFT, `${left} ${script()}`);
  } catch {
    // Without storage a loop could not be noticed.
    return;
  }
  location.reload();
}

/** Compares the page with that of the server, after a time without a connection.
 * @param {string} words for a page that is older
 * @param {() => boolean} isIdle whether nothing of the visitor's is under way
 */
export async function compareWithServer(words, isIdle) {
  if (!(await isOlder())) return;
  const leaveIfIdle = () => isIdle() && !isWriting() && leave();
  const text = document.querySelector('#unloaded p');
  if (text !== null) text.textContent = words;
  dispatchEvent(new CustomEvent('partmissing', { detail: 'newer' }));
  leaveIfIdle();
  document.addEventListener('visibilitychange', leaveIfIdle);
}
