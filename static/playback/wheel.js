// A wheel, or two fingers on a touchpad, as steps. Pure.

/** Pixels of one step. A notch of a wheel is about a hundred. */
const STEP_PX = 60;
/** A line, where a browser counts in lines. */
const LINE_PX = 20;

/**
 * The steps of a wheel event, and the remainder for the next.
 *
 * @param {number} rest the remainder of earlier events
 * @param {Pick<WheelEvent, 'deltaY' | 'deltaMode'>} event
 * @returns {{ steps: number, rest: number }} steps on if positive, else back
 */
export function wheelSteps(rest, { deltaY, deltaMode }) {
  const turned = deltaMode === 0 ? deltaY : deltaY * LINE_PX;
  // A change of direction starts from zero.
  const all = Math.sign(rest) === -Math.sign(turned) ? turned : rest + turned;
  const isStep = Math.abs(all) >= STEP_PX;
  return isStep ? { steps: Math.sign(all), rest: 0 } : { steps: 0, rest: all };
}
