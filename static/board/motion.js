// Whether things move on a board.

/** Whether things may move: not if the visitor asked for less motion, nor if nobody looks. */
export const mayMove = () => !matchMedia('(prefers-reduced-motion: reduce)').matches && !document.hidden;
