// A cursor over the moments of a record, which can move on by itself.

/** @import { Step } from '../protocol.js' */
/** @import { Moment } from './moments.js' */

/** @typedef {ReturnType<typeof createCursor>} Cursor */

/**
 * @param {readonly Moment[]} all
 * @param {number} start the index of the first moment shown
 * @param {object} page
 * @param {(next: Moment) => number} page.waitFor milliseconds until a moment is shown, while the cursor moves by itself
 * @param {(animate: Step[]) => void} page.moved called with the steps that lead to the moment
 * @param {() => void} page.toggled called when it begins or ceases to move by itself
 */
export function createCursor(all, start, { waitFor, moved, toggled }) {
  const last = all.length - 1;
  let index = start;
  let timer = 0;

  /** Moves to a moment, or to the nearest one.
   * @param {number} to
   * @param {Step[]} [animate]
   */
  function go(to, animate = []) {
    const next = Math.min(last, Math.max(0, to));
    if (next === index) return;
    index = next;
    moved(animate);
  }

  function forward() {
    const step = all[index + 1]?.steps.at(-1);
    go(index + 1, step === undefined ? [] : [step]);
  }

  function stop() {
    clearTimeout(timer);
    timer = 0;
  }

  /** Waits for the next moment; from now on at another pace, if it waits already. */
  function wait() {
    stop();
    if (index < last) timer = window.setTimeout(goOn, waitFor(all[index + 1]));
  }

  function goOn() {
    forward();
    wait();
    if (timer === 0) toggled();
  }

  return {
    get index() {
      return index;
    },
    get moment() {
      return all[index];
    },
    get isPlaying() {
      return timer !== 0;
    },
    last,
    go,
    forward,

    /** Ceases to move by itself. */
    pause() {
      if (timer === 0) return;
      stop();
      toggled();
    },

    /** Begins to move by itself, from the start if it stands at the end; or ceases. */
    togglePlay() {
      if (timer !== 0) stop();
      else {
        if (index === last) go(0);
        wait();
      }
      toggled();
    },

    /** Takes over a changed pace. */
    changePace() {
      if (timer !== 0) wait();
      toggled();
    },
  };
}
