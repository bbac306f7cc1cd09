// One state, and the panels that are drawn from it. A panel names the values that it needs of the state, and is redrawn
// when any of them has changed.

/**
 * @template {object} State
 * @param {State} state
 */
export function createStore(state) {
  /** @type {{ needs: (state: State) => unknown[], draw: (state: State) => void, drawn: unknown[] | null }[]} */
  const panels = [];
  let isDrawing = false;
  let isStale = false;

  /** Draws the panels whose needs have changed. A change that a panel makes while it is drawn is drawn after it. */
  function draw() {
    isStale = true;
    if (isDrawing) return;
    isDrawing = true;
    try {
      while (isStale) {
        isStale = false;
        for (const panel of panels) {
          const needs = panel.needs(state);
          if (panel.drawn?.every((known, index) => Object.is(known, needs[index]))) continue;
          panel.drawn = needs;
          panel.draw(state);
        }
      }
    } finally {
      isDrawing = false;
    }
  }

  return {
    /** @type {Readonly<State>} */
    state,

    /** Changes values of the state, then draws what has changed.
     * @param {Partial<State>} values
     * @param {(state: State) => void} [derive] sets values that follow from others
     */
    update(values, derive) {
      Object.assign(state, values);
      derive?.(state);
      draw();
    },

    /** Adds a panel, which is drawn with the next change. Panels are drawn in the order in which they were added.
     * @param {(state: State) => unknown[]} needs a list of constant length; its values are compared by identity
     * @param {(state: State) => void} panel
     */
    subscribe(needs, panel) {
      panels.push({ needs, draw: panel, drawn: null });
    },
  };
}

/**
 * @template {object} State
 * @typedef {ReturnType<typeof createStore<State>>} Store
 */
