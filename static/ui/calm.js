// Lists that do not move under a pointer or a focus.

/**
 * The rows that a list shows. While the list is hovered or focused they stay in place: rows that are gone are marked,
 * and new ones wait and are counted.
 *
 * @template {{ id: string }} Item
 * @param {Item[]} shown the rows of the last time
 * @param {Item[]} wanted the rows as they are now
 * @param {boolean} engaged whether the list is hovered or focused
 * @returns {{ rows: { item: Item, gone: boolean }[], waiting: number }}
 */
export function arrange(shown, wanted, engaged) {
  if (!engaged) return { rows: wanted.map((item) => ({ item, gone: false })), waiting: 0 };
  const now = new Map(wanted.map((item) => [item.id, item]));
  const before = new Set(shown.map(({ id }) => id));
  const rows = shown.map((item) => ({ item: now.get(item.id) ?? item, gone: !now.has(item.id) }));
  return { rows, waiting: wanted.filter(({ id }) => !before.has(id)).length };
}

/**
 * True if an element is hovered or focused.
 *
 * @param {HTMLElement} element
 * @param {() => void} onLeave
 * @returns {() => boolean}
 */
export function engagement(element, onLeave) {
  let pointed = false;
  let focused = false;
  // The focus may leave in the middle of drawing, with the element that had it.
  const leave = () =>
    queueMicrotask(() => {
      if (!pointed && !focused) onLeave();
    });
  element.addEventListener('pointerenter', () => {
    pointed = true;
  });
  element.addEventListener('pointerleave', () => {
    pointed = false;
    leave();
  });
  element.addEventListener('focusin', () => {
    focused = true;
  });
  element.addEventListener('focusout', (event) => {
    focused = event.relatedTarget instanceof Node && element.contains(event.relatedTarget);
    leave();
  });
  return () => pointed || focused;
}
