// Whether and how fast things move on a board. The page's root says what the visitor prefers, as it does for styles.

const preferred = () => document.documentElement.dataset.motion;

/** Whether things may move: not if the visitor asked for less motion, nor if nobody looks. */
export const mayMove = () =>
  preferred() !== 'off' && !matchMedia('(prefers-reduced-motion: reduce)').matches && !document.hidden;

/** A duration at the speed that the visitor prefers.
 * @param {number} ms
 */
export const atSpeed = (ms) => (preferred() === 'fast' ? ms * 0.45 : ms);
