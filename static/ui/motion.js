// Motion on a board and its speed. The page's root has the visitor's preference, as it does for styles.

const preferred = () => document.documentElement.dataset.motion;

/** True if things may move: not if the visitor asked for less motion, nor in a hidden tab. */
export const mayMove = () =>
  preferred() !== 'off' && !matchMedia('(prefers-reduced-motion: reduce)').matches && !document.hidden;

/** A duration at the speed that the visitor prefers.
 * @param {number} ms
 */
export const atSpeed = (ms) => (preferred() === 'fast' ? ms * 0.45 : ms);
