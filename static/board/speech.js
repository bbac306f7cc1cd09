// Answers of a board to the keys that ask it.

/** @import { Step, Turn } from '../protocol.d.ts' */
/** @import { BoardState } from './board-state.js' */
/** @import { Hands } from './hands.js' */
/** @import { Question } from './keys.js' */

/** The answer to a question about a cell, or about the whole board.
 * @param {Question} what
 * @param {string} cell
 * @param {BoardState} boardState
 * @param {Hands} hands
 * @returns {string}
 */
export function answerTo(what, cell, { options, shown }, hands) {
  const { t } = options;
  const { counted } = hands.words;
  switch (what) {
    case 'cell':
      return hands.describe(cell);
    case 'group':
    case 'targets': {
      const cells = what === 'group' ? hands.groupOf(hands.standing() ?? cell) : targetsOf(cell, hands);
      return t(`board.say.${cells.length > 0 ? '' : 'no_'}${what}`, counted(cells));
    }
    case 'last':
      return lastTurn(shown?.lastSteps ?? [], t);
    case 'threats':
      return shown === null ? '' : threats(shown.turn, hands, t);
  }
}

/** The targets of the picked piece, or else of the piece on a cell.
 * @param {string} cell
 * @param {Hands} hands
 */
function targetsOf(cell, hands) {
  const all =
    hands.standing() === null
      ? hands.actionsFrom(cell).map(({ to }) => to)
      : hands.targets().map((target) => (target.sign === 'barred' ? null : target.cell));
  return [...new Set(all.filter((to) => to !== null))];
}

/** An action as people write it; a swap is marked as one.
 * @param {Pick<Step, 'action' | 'swap' | 'route'>} step
 * @param {BoardState['options']['t']} t
 */
export function writtenAction({ action, swap, route }, t) {
  if (action === 'end') return t('action.end');
  return swap ? `${route[0]}↔${route[route.length - 1]}` : action;
}

/** @param {readonly Step[]} steps
 * @param {BoardState['options']['t']} t */
const lastTurn = (steps, t) =>
  steps.length > 0
    ? t('board.say.last', { steps: steps.map((step) => writtenAction(step, t)).join(', ') })
    : t('board.say.no_last');

/** The attackers, the reserves, and the moves left in the turn.
 * @param {Turn} turn
 * @param {Hands} hands
 * @param {BoardState['options']['t']} t
 */
function threats({ threats, allowance, reserves }, { words }, t) {
  const parts = [];
  for (const side of /** @type {const} */ (['first', 'second'])) {
    if (threats === null) continue;
    const kind = threats[side].length > 0 ? 'threats' : 'calm';
    parts.push(t(`board.say.${kind}.${side}`, words.counted(threats[side])));
  }
  if (reserves) parts.push(t('board.say.reserves', { first: reserves.first, second: reserves.second }));
  if (allowance) parts.push(t('board.say.left', { n: allowance.left, all: allowance.allowance }));
  return parts.join(' ');
}

/** The contents of the cells in a direction.
 * @param {number} from
 * @param {number} direction
 * @param {BoardState} boardState
 * @param {Hands} hands
 */
export function ray(from, direction, { options, game, stage }, hands) {
  const { t } = options;
  const { grid } = game;
  const seen = [];
  for (
    let place = grid.neighbour(from, direction);
    place !== null;
    place = grid.neighbour(place, direction)
  ) {
    const content = stage.contents.get(stage.cellAt(place));
    if (content) seen.push(`${stage.cellAt(place)} ${hands.words.piece(content)}`);
  }
  return t('board.say.ray', {
    direction: t(`board.direction.${grid.lattice.compass[direction]}`),
    what: seen.length > 0 ? seen.join(', ') : t('board.empty'),
  });
}
