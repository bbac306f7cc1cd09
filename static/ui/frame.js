// Drawing once a frame.

/**
 * A panel that is drawn with the next frame, however often it is asked for until then. A hidden page has no frames, so
 * the panel is drawn at once.
 *
 * @template State
 * @param {(state: State) => void} draw
 * @returns {(state: State) => void}
 */
export function onFrame(draw) {
  let isDue = false;
  return (state) => {
    if (document.hidden) return draw(state);
    if (isDue) return;
    isDue = true;
    requestAnimationFrame(() => {
      isDue = false;
      draw(state);
    });
  };
}

/** Waits until the drawing is on the screen. On a hidden page that is when it becomes visible. */
export const painted = () =>
  new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve));
  });
