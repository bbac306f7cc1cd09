// A wheel, or two fingers on a touchpad, as steps. Pure.

/** So far, in pixels, is one step. A notch of a wheel is about a hundred. */
const STEP_PX = 60;
/** A line, where a browser counts in lines. */
const LINE_PX = 20;

/**
 * The steps that a turn of a wheel makes, and what is left of it for the next.
 *
 * @param {number} rest what earlier turns left
 * @param {Pick<WheelEvent, 'deltaY' | 'deltaMode'>} event
 * @returns {{ steps: number, rest: number }} steps on if positive, else back
 */
export function wheelSteps(rest, { deltaY, deltaMode }) {
  const turned = deltaMode === 0 ? deltaY : deltaY * LINE_PX;
  // What was begun in the other direction is over.
  const all = Math.sign(rest) === -Math.sign(turned) ? turned : rest + turned;
  const isStep = Math.abs(all) >= STEP_PX;
  return isStep ? { steps: Math.sign(all), rest: 0 } : { steps: 0, rest: all };
}
