// The buttons that lead through the moments of a game: those of a replay's cursor, and those of a page whose board has a
// history.

import { picture, t } from '../ui/page.js';
import { html, svg } from '../vendor/lit-html@3.3.3/lit-html.js';

/** @import { Step } from '../protocol.js' */
/** @import { Cursor } from '../session/cursor.js' */

const PICTURES = {
  first: svg`<path d="M6 5v14M18.5 5.5 9.5 12l9 6.5Z"/>`,
  back: svg`<path d="M16.5 5.5 7.5 12l9 6.5Z"/>`,
  play: svg`<path d="M8 5v14l10.5-7Z" fill="currentColor"/>`,
  pause: svg`<path d="M8.5 5.5v13M15.5 5.5v13" stroke-width="3"/>`,
  forward: svg`<path d="M7.5 5.5 16.5 12l-9 6.5Z"/>`,
  last: svg`<path d="M18 5v14M5.5 5.5 14.5 12l-9 6.5Z"/>`,
};

/**
 * @param {keyof typeof PICTURES} shape
 * @param {() => void} act
 * @param {boolean} [off]
 */
export const walkButton = (shape, act, off = false) =>
  html`<button class="icon" aria-label=${t(`replay.${shape}`)} title=${t(`replay.${shape}`)} aria-disabled=${off} @click=${act}>${picture(PICTURES[shape])}</button>`;

/** The buttons that move a cursor.
 * @param {Cursor} cursor
 * @param {() => void} [pressed] called before the cursor moves
 */
export function walkControls({ index, last, isPlaying, go, forward, togglePlay }, pressed = () => {}) {
  /** @param {() => void} move */
  const then = (move) => () => {
    pressed();
    move();
  };
  const [atStart, atEnd] = [index === 0, index === last];
  return html`<div class="walk" role="group" aria-label=${t('replay.walk')}>
      ${walkButton(
        'first',
        then(() => go(0)),
        atStart,
      )}
      ${walkButton(
        'back',
        then(() => go(index - 1)),
        atStart,
      )}
      ${walkButton(isPlaying ? 'pause' : 'play', togglePlay)}
      ${walkButton('forward', then(forward), atEnd)}
      ${walkButton(
        'last',
        then(() => go(last)),
        atEnd,
      )}
    </div>`;
}

/** Number of moves of a turn. The end of a turn moves nothing.
 * @param {Step[]} steps
 */
export const movesIn = (steps) => steps.findLastIndex(({ route }) => route.length > 0) + 1;

/**
 * The buttons that lead through the moves of a turn.
 *
 * @param {Step[]} steps
 * @param {number | null} looked number of moves that are on the board; null for the whole turn
 * @param {(looked: number | null) => void} look
 */
export function turnWalk(steps, looked, look) {
  const n = movesIn(steps);
  const i = looked ?? n;
  return html`<div class="action-walk" role="group" aria-label=${t('replay.turn_walk')}>
    ${walkButton('back', () => look(Math.max(0, i - 1)), i === 0)}
    <span>${t('replay.turn_move', { i, n })}</span>
    ${walkButton('forward', () => look(i + 1 < n ? i + 1 : null), i === n)}
  </div>`;
}

/**
 * The buttons that lead to earlier moments of the game that is shown.
 *
 * @param {(where: string) => void} showMoment
 * @param {boolean} isStart whether there is no known moment before the shown one
 * @param {boolean} isNow whether the shown moment is the last one
 */
export const walkBar = (
  showMoment,
  isStart,
  isNow,
) => html`<div class="walk" role="group" aria-label=${t('replay.walk')}>
    ${walkButton('first', () => showMoment('Home'), isStart)} ${walkButton('back', () => showMoment('ArrowLeft'), isStart)}
    ${walkButton('forward', () => showMoment('ArrowRight'), isNow)} ${walkButton('last', () => showMoment('End'), isNow)}
  </div>`;
