// Marks and names of cells for the piece in hand: its targets on the board, and each cell in words.

import { set } from './elements.js';
import { RESERVE } from './input.js';
import { numbers, trail } from './steps.js';

/** @import { LegalAction } from '../protocol.d.ts' */
/** @import { createBubble } from './bubble.js' */
/** @import { CellTarget, Choices, Hold } from './choices.js' */
/** @import { Aim } from './input.js' */
/** @import { BoardState } from './board-state.js' */
/** @import { wordsFor } from './board-texts.js' */

/**
 * @param {BoardState} boardState
 * @param {Hold} hold
 * @param {Choices} choices
 * @param {ReturnType<typeof wordsFor>} words
 * @param {ReturnType<typeof createBubble>} bubble
 */
export function createAims(boardState, hold, choices, words, bubble) {
  const { game, view, stage } = boardState;
  const { grid } = game;
  const { t } = boardState.options;
  const { placeOf, cellAt } = stage;
  const { cells, paths } = view;
  const { attackersOf, canPick, groupOf, legal, scene, standing, targets } = choices;

  /** The stack that an action would leave on its target, in words; empty in games without stacks.
   * @param {LegalAction} action
   */
  function resultOf({ to, count: comes, overflow }) {
    if (comes === null || to === null) return null;
    const under = game.menOf?.(stage.contents.get(to) ?? '').length ?? 0;
    return under === 0 && overflow === null ? null : words.result(under + comes, overflow);
  }

  function drawAims() {
    const aims = targets();
    const group = hold.picked === null || hold.picked === RESERVE ? [] : groupOf(hold.picked).map(placeOf);
    const stand = standing();
    const start = stand === null || stand === RESERVE ? null : placeOf(stand);
    const target = aims.find(({ place, sign }) => place === hold.aimed && sign !== 'barred');
    const way = target && start !== null ? grid.wayThrough(start, target.place, group) : [];
    view.surround(group);
    view.target(aims);
    view.mark('pick', start === null ? '' : paths.cells([start], 42));
    view.mark('route-halo', paths.way(way));
    view.mark('route', paths.way(way));
    view.double('missing', hold.missing.map((cell) => paths.cells([placeOf(cell)], 30)).join(''));
    view.mark('aim', target ? paths.cells([target.place], 42) : '');
    hold.ride?.draw(legal() ?? []);

    const source =
      hold.picked === null || hold.picked === RESERVE ? undefined : view.tokenAt(placeOf(hold.picked));
    const { bestCapture } = scene();
    const isHunt = bestCapture !== null && (hold.ride?.jumps.length ?? 0) === 0;
    for (const token of view.tokens) {
      const cell = cellAt(token.place);
      const isMine = game.sideOf(token.content) === boardState.shown?.mySide;
      view.lift(token, token === source ? (target?.action?.count ?? hold.count ?? 0) : 0);
      token.element.classList.toggle('piece-dim', isHunt && isMine && !canPick(cell));
      set(token.body, 'transform', cell === stand || token === hold.dragged ? 'translate(0 -3)' : null);
    }
    drawBubble(target);
  }

  /** The stack that the action would leave on the target; under a finger also the cell and the effect of a press.
   * @param {CellTarget | undefined} target
   */
  function drawBubble(target) {
    if (hold.aimed !== null && hold.isCovered && hold.picked !== null) {
      const cell = cellAt(hold.aimed);
      const content = stage.contents.get(cell);
      const name = document.createElement('strong');
      name.textContent = cell;
      const effect = target
        ? targetWords(target)
        : content === undefined
          ? t('board.empty')
          : words.piece(content);
      return bubble.show(grid.pointOf(hold.aimed), [name, effect], true);
    }
    const result = target?.action ? resultOf(target.action) : null;
    if (target && result !== null) bubble.show(grid.pointOf(target.place), [result], false);
    else bubble.hide();
  }

  /** The effect of pressing a target, in words.
   * @param {Aim} target
   */
  function targetWords({ sign, action, text }) {
    switch (sign) {
      case 'barred':
        return t('board.barred');
      case 'swap':
        return t('board.swappable');
      case 'make':
        return t('board.makeable');
      case 'choice':
        return t('board.choice', { number: text ?? '' });
      default: {
        const said = action?.count ? t('board.target_count', { n: action.count }) : t('board.target');
        const result = action && resultOf(action);
        return result === null ? said : words.list([said, result]);
      }
    }
  }

  /** Everything to announce about a cell.
   * @param {string} cell
   * @param {Aim | undefined} target
   */
  function nameOf(cell, target) {
    const content = stage.contents.get(cell);
    const { draftSteps = [], lastSteps = [] } = boardState.shown ?? {};
    const attackers = content !== undefined && game.isCentre(content) ? attackersOf(content) : [];
    const step = numbers(draftSteps).get(cell);
    const capacity = game.capacity?.(placeOf(cell));
    const isLast = draftSteps.length === 0 && trail(lastSteps).to.includes(cell);
    return words.list([
      cell,
      content === undefined ? t('board.empty') : words.piece(content),
      attackers.length > 0 && t('board.attacked', { cells: words.list(attackers) }),
      cell === standing() && t('board.picked'),
      hold.ride?.words(cell),
      target && targetWords(target),
      step !== undefined && t('board.step', { number: step }),
      isLast && t('board.last'),
      capacity !== undefined && t('board.capacity', { n: capacity }),
    ]);
  }

  /** A cell in full, with the men of its stack.
   * @param {string} cell
   */
  function describe(cell) {
    const target = targets().find((known) => known.cell === cell);
    return words.list([nameOf(cell, target), words.layers(stage.contents.get(cell))]);
  }

  function drawCells() {
    const movable = new Set((legal() ?? []).map(({ from }) => from));
    const isRiding = (hold.ride?.jumps.length ?? 0) > 0;
    const { draftSteps = [], bestCapture = null } = boardState.shown ?? {};
    // Captures that must be made have a mark of their own.
    const begins = hold.picked === null && draftSteps.length === 0 && bestCapture === null;
    set(boardState.host, 'data-begins', begins ? '' : null);
    const aims = new Map(targets().map((target) => [target.cell, target]));
    cells.forEach((element, place) => {
      const cell = cellAt(place);
      const target = aims.get(cell);
      const isPicked = cell === standing();
      const isMovable = isRiding ? isPicked : movable.has(cell);
      set(element, 'aria-label', nameOf(cell, target));
      set(element, 'aria-selected', isPicked ? 'true' : isMovable ? 'false' : null);
      set(element, 'data-movable', isMovable ? '' : null);
      set(element, 'data-target', target && target.sign !== 'barred' ? target.sign : null);
    });
  }

  return { drawAims, drawCells, describe };
}
