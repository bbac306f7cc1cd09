// The server's time as far as the page knows it. The device's clock may be minutes wrong and may be set while the page
// is open; the browser's steady clock may stand still while the device sleeps. So neither is trusted alone.

/** Clocks of the device that have gone apart by more than this since they were read: one was set, or one stood still. */
const SLIP_MS = 1_000;
/** A page whose clocks advance by more than this between two ticks did not run in between. */
const GAP_MS = 2_500;
/** How far the steady clock and the server's may go apart in a millisecond. */
const DRIFT = 1 / 5_000;

/**
 * Clocks of the device.
 * @typedef {object} Clocks
 * @property {() => number} steadyMs never goes back, and may stand still while the device sleeps
 * @property {() => number} wallMs time since 1970, as a person or the network has set it
 */

/** @type {Clocks} */
const DEVICE = { steadyMs: () => performance.now(), wallMs: () => Date.now() };

/** Estimates the server's time.
 *
 * A text of the server that is read now was written before: its time is a lower bound. The answer to a question was
 * written after the question: its time is an upper bound as well. The estimate is the middle of the narrowest bounds, the
 * lower bound without an upper one, and the device's own clock without any.
 *
 * @param {Clocks} clocks
 */
export function createServerTime({ steadyMs, wallMs }) {
  // The three are added to the steady clock.
  let [low, high] = [-Infinity, Infinity];
  let guess = wallMs() - steadyMs();
  let isKnown = false;
  let boundsAt = steadyMs();
  let ahead = guess;

  /** Follows the device where its clocks have gone apart. */
  function settle() {
    const slipMs = wallMs() - steadyMs() - ahead;
    ahead += slipMs;
    if (!isKnown) guess = ahead;
    // Either the device slept, or its clock was set forward: most likely the former, until the server is heard.
    else if (slipMs > SLIP_MS) {
      guess = estimate() + slipMs;
      [low, high] = [-Infinity, Infinity];
    }
  }

  function estimate() {
    if (low === -Infinity) return guess;
    return high === Infinity ? low : (low + high) / 2;
  }

  return {
    /** The server's time now, in milliseconds since 1970. */
    now() {
      settle();
      return steadyMs() + estimate();
    },

    /** Learns from a text of the server that is read now.
     * @param {number} writtenMs when the server wrote it, by its own clock
     * @param {number} [askedMs] when it was asked for, by the steady clock; undefined if it came by itself
     */
    learn(writtenMs, askedMs) {
      settle();
      const nowMs = steadyMs();
      const drift = (nowMs - boundsAt) * DRIFT;
      const [atLeast, atMost] = [writtenMs - nowMs, askedMs === undefined ? Infinity : writtenMs - askedMs];
      [low, high] = [Math.max(low - drift, atLeast), Math.min(high + drift, atMost)];
      // Clocks that contradict each other: one was set, or stood still. The latest word holds.
      if (low > high) [low, high] = [atLeast, atMost];
      [isKnown, boundsAt] = [true, nowMs];
    },
  };
}

/** The page's estimate of the server's time. */
export const serverTime = createServerTime(DEVICE);

/** Notices that the page did not run for some seconds, or that the device's clock was set.
 *
 * @param {Clocks} [clocks]
 * @returns {() => boolean} true if that was so since the last question
 */
export function createGaps({ steadyMs, wallMs } = DEVICE) {
  let [steady, wall] = [steadyMs(), wallMs()];
  return () => {
    const before = { steady, wall };
    [steady, wall] = [steadyMs(), wallMs()];
    return Math.max(steady - before.steady, Math.abs(wall - before.wall)) > GAP_MS;
  };
}
