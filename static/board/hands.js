// What a player does at a board: what is picked, where it can go, what becomes of it; and what each cell is called.
// What pointers and keys ask for comes from `controls.js`, what a press means from `input.js`.

import { createControls } from './controls.js';
import { RESERVE, actionsFrom, barredFrom, contentsAfter, pickedActions, press, targetsOf } from './input.js';
import { mayMove, numbers, set, trail } from './view.js';

/** @import { LegalAction, Overflow, Side } from '../protocol.d.ts' */
/** @import { Held, Table } from './board.js' */
/** @import { Args, Effect, Scene, Aim } from './input.js' */
/** @import { Point } from './grid.js' */
/** @import { RideEffect } from './captures.js' */
/** @import { Game, Target, Token, Translate } from './view.js' */

/** @param {Table} table */
export function createHands(table) {
  const { host, options, game, view, stage } = table;
  const { grid } = game;
  const { t, announce } = options;
  const { placeOf, cellAt } = stage;
  const { svg, cells, paths } = view;
  const words = wordsFor(game, t);
  const bubble = createBubble(host, svg);

  /** The cell of the piece that is picked, or the reserve.
   * @type {string | null}
   */
  let picked = null;
  /** How many men are to go, if the player has said so.
   * @type {number | null}
   */
  let count = null;
  /** The place that is pointed at, pressed or focused.
   * @type {number | null}
   */
  let aimed = null;
  /** Whether a finger covers it. */
  let isCovered = false;
  /** The piece that is being dragged.
   * @type {Token | null}
   */
  let dragged = null;
  /** @type {Held} */
  let held = { reserve: false, jumps: 0 };

  // ---- What can be done now

  const legal = () => (table.waiting ? [] : (table.shown?.legal ?? null));
  /** @returns {Scene} */
  const scene = () => ({
    picked,
    legal: legal(),
    barred: table.waiting ? [] : (table.shown?.barred ?? []),
    bestCapture: table.waiting ? null : (table.shown?.bestCapture ?? null),
    count,
    mySide: table.shown?.mySide ?? null,
    pieces: stage.contents,
    sideOf: game.sideOf,
    isCentre: game.isCentre,
  });
  const groupOf = (/** @type {string} */ cell) =>
    table.shown?.groups.find((group) => group.includes(cell)) ?? [];
  /** Whether something can be said or done with what is on a cell. */
  const canPick = (/** @type {string} */ cell) =>
    actionsFrom(scene(), cell).length > 0 || barredFrom(scene(), cell).length > 0;
  /** Where the picked piece stands, after its jumps if it has made any. */
  const standing = () => ride?.standing() ?? picked;

  /** @typedef {Target & Aim} CellTarget */

  /** The targets of what is picked.
   * @returns {CellTarget[]}
   */
  function targets() {
    if (picked === null) return [];
    /** @type {Map<string, CellTarget>} */
    const found = new Map();
    /** @param {Aim} aim */
    const add = (aim) => {
      const { cell } = aim;
      if (!found.has(cell))
        found.set(cell, { ...aim, place: placeOf(cell), isOccupied: stage.contents.has(cell) });
    };
    ride?.targets(add);
    if (!ride?.standing()) for (const aim of targetsOf(scene())) add(aim);
    return [...found.values()];
  }

  /** The contents of the cells after an action.
   * @param {LegalAction} action
   */
  const after = (action) => {
    const { position = '', side = /** @type {Side} */ ('first') } = table.shown?.turn ?? {};
    return contentsAfter(game, game.parse(position), action, side);
  };

  /** What an action would make of the stack on its target, in words; nothing where men are not counted.
   * @param {LegalAction} action
   */
  function resultOf({ to, count: comes, overflow }) {
    if (comes === null || to === null) return null;
    const under = game.menOf?.(stage.contents.get(to) ?? '').length ?? 0;
    return under === 0 && overflow === null ? null : words.result(under + comes, overflow);
  }

  // ---- What is seen and heard

  function drawAims() {
    const aims = targets();
    const group = picked === null || picked === RESERVE ? [] : groupOf(picked).map(placeOf);
    const stand = standing();
    const start = stand === null || stand === RESERVE ? null : placeOf(stand);
    const target = aims.find(({ place, sign }) => place === aimed && sign !== 'barred');
    const way = target && start !== null ? grid.wayThrough(start, target.place, group) : [];
    view.surround(group);
    view.target(aims);
    view.mark('pick', start === null ? '' : paths.cells([start], 42));
    view.mark('route-halo', paths.way(way));
    view.mark('route', paths.way(way));
    view.mark('aim', target ? paths.cells([target.place], 42) : '');
    ride?.draw(legal() ?? []);

    const source = picked === null || picked === RESERVE ? undefined : view.tokenAt(placeOf(picked));
    const { bestCapture } = scene();
    const isHunt = bestCapture !== null && (ride?.jumps.length ?? 0) === 0;
    for (const token of view.tokens) {
      const cell = cellAt(token.place);
      const isMine = game.sideOf(token.content) === table.shown?.mySide;
      view.lift(token, token === source ? (target?.action?.count ?? count ?? 0) : 0);
      token.element.classList.toggle('piece-dim', isHunt && isMine && !canPick(cell));
      set(token.body, 'transform', cell === stand || token === dragged ? 'translate(0 -3)' : null);
    }
    drawBubble(target);
  }

  /** What the action on the target would make of its stack; under a finger also the cell, and what pressing it does.
   * @param {CellTarget | undefined} target
   */
  function drawBubble(target) {
    if (aimed !== null && isCovered && picked !== null) {
      const cell = cellAt(aimed);
      const content = stage.contents.get(cell);
      const name = document.createElement('strong');
      name.textContent = cell;
      const effect = target
        ? targetWords(target)
        : content === undefined
          ? t('board.empty')
          : words.piece(content);
      return bubble.show(grid.pointOf(aimed), [name, effect], true);
    }
    const result = target?.action ? resultOf(target.action) : null;
    if (target && result !== null) bubble.show(grid.pointOf(target.place), [result], false);
    else bubble.hide();
  }

  /** What pressing a target does, in words.
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

  /** All that there is to be said of a cell.
   * @param {string} cell
   * @param {Aim | undefined} target
   */
  function nameOf(cell, target) {
    const content = stage.contents.get(cell);
    const { draftSteps = [], lastSteps = [] } = table.shown ?? {};
    const attackers = content !== undefined && game.isCentre(content) ? attackersOf(content) : [];
    const step = numbers(draftSteps).get(cell);
    const capacity = game.capacity?.(placeOf(cell));
    const isLast = draftSteps.length === 0 && trail(lastSteps).to.includes(cell);
    return words.list([
      cell,
      content === undefined ? t('board.empty') : words.piece(content),
      attackers.length > 0 && t('board.attacked', { cells: words.list(attackers) }),
      cell === standing() && t('board.picked'),
      ride?.words(cell),
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
    const isRiding = (ride?.jumps.length ?? 0) > 0;
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

  function draw() {
    drawAims();
    drawCells();
    const now = { reserve: picked === RESERVE, jumps: ride?.jumps.length ?? 0 };
    if (now.reserve === held.reserve && now.jumps === held.jumps) return;
    held = now;
    options.onHold?.(held);
  }

  /** @param {string} key @param {Args} [args] */
  const say = (key, args) => announce(t(key, args));
  /** @param {string} key @param {Args} args */
  function explain(key, args) {
    options.onExplain(key, args);
    say(key, args);
  }

  /** @param {string} content of a centre */
  const attackersOf = (content) => table.shown?.turn.threats?.[game.sideOf(content)] ?? [];

  /** @param {string} cell */
  function explainCentre(cell) {
    const content = stage.contents.get(cell) ?? '';
    const attackers = attackersOf(content);
    stage.flash([cell, ...attackers]);
    const key = attackers.length > 0 ? 'board.explain.centre_attacked' : 'board.explain.centre';
    explain(key, { cell, piece: words.piece(content), cells: words.list(attackers) });
  }

  /** @param {string} cell */
  function shake(cell) {
    if (!mayMove()) return stage.flash([cell]);
    const shaken = view.tokenAt(placeOf(cell))?.body ?? cells[placeOf(cell)];
    const transform = [0, -4, 4, -2, 0].map((x) => `translateX(${x}px)`);
    shaken.animate({ transform }, { duration: 220, easing: 'ease-out' });
  }

  // ---- What is done

  /** Lets go of what is picked and of all that was done with it; the piece is drawn back by who asks for it. */
  function letGo() {
    picked = null;
    count = null;
    aimed = null;
    if (ride?.clear() && table.shown) stage.contents = game.parse(table.shown.turn.position);
  }

  /** Lets go, and what has jumped stands where it stood. */
  function putBack() {
    const hadJumps = (ride?.jumps.length ?? 0) > 0;
    letGo();
    if (!hadJumps) return;
    table.settle();
    stage.arrange();
    view.settle();
  }

  /** The piece is no longer dragged. What happens to it is seen where it is.
   * @returns {boolean} whether one was
   */
  function letDown() {
    const was = dragged !== null;
    dragged = null;
    aimed = null;
    return was;
  }

  /** Has an action done, of which the board shows nothing more than where it leads.
   * @param {Map<string, string>} next the contents after it
   */
  function commit(next) {
    letGo();
    table.waiting = true;
    stage.contents = next;
    table.draw();
  }

  /** @param {LegalAction} action */
  function act(action) {
    const { from, to, kind } = action;
    if (to === null) return;
    const swap = kind === 'swap' || kind === 'switch';
    const next = after(action);
    const group = from === null ? [] : groupOf(from).map(placeOf);
    const way =
      from === null || swap
        ? [from, to].filter((cell) => cell !== null).map(placeOf)
        : grid.wayThrough(placeOf(from), placeOf(to), group);
    const step = { route: way.map(cellAt), swap, count: from === null ? null : action.count };
    const wasDragged = letDown();
    table.settle();
    if (wasDragged || !mayMove()) {
      stage.moveAlong(step, next, 1, () => {})();
      if (!wasDragged && !swap) stage.flash([from ?? to, to]);
    } else {
      stage.begin((done) => stage.moveAlong(step, next, stage.timeFor(way.length), done));
    }
    commit(next);
    if (swap) say('board.say.swapped', { from: from ?? '', to });
    else if (from === null) say('board.say.dropped', { to });
    else say('board.say.moved', { from, to });
    options.onAction(action);
  }

  /** @param {string} cell or the reserve */
  function take(cell) {
    putBack();
    picked = cell;
    table.settle();
    table.draw();
    const n = targets().filter(({ sign }) => sign !== 'barred').length;
    const content = stage.contents.get(cell);
    if (cell === RESERVE) say('board.say.reserve', { n });
    else say('board.say.picked', { cell, piece: content === undefined ? '' : words.piece(content), n });
  }

  function unpick() {
    if (picked === null) return;
    const cell = picked;
    putBack();
    say(cell === RESERVE ? 'board.say.reserve_left' : 'board.say.unpicked', { cell });
    table.draw();
  }

  /** @param {Effect | RideEffect} effect */
  function apply(effect) {
    switch (effect.type) {
      case 'pick':
        return take(effect.cell);
      case 'unpick':
        return unpick();
      case 'act':
        return act(effect.action);
      case 'explain':
        return explainCentre(effect.cell);
      case 'refuse':
        shake(effect.cell);
        return explain(effect.key, effect.args);
      default:
        ride?.apply(effect);
    }
  }

  /** What pressing a place would do.
   * @param {number} place
   */
  function effectAt(place) {
    const cell = cellAt(place);
    return ride?.press(scene(), cell) ?? press(scene(), cell);
  }

  /** @param {number} place */
  function pressAt(place) {
    if (table.shown === null || table.waiting) return;
    if (table.goal !== null) table.settle();
    bubble.hide();
    apply(effectAt(place));
  }

  /** @param {boolean} wanted */
  function pickReserve(wanted) {
    if (!wanted) {
      if (picked === RESERVE) unpick();
      return;
    }
    if (picked === RESERVE) return;
    if (canPick(RESERVE)) take(RESERVE);
    else if (table.shown?.mySide !== null && table.shown?.legal) explain('board.why.no_reserve', {});
  }

  /** A digit chooses a way on, or how many men go.
   * @param {number} number
   */
  function choose(number) {
    if (ride?.chooseBy(number) || picked === null || picked === RESERVE) return;
    const counts = new Set(actionsFrom(scene(), picked).map((action) => action.count));
    if (!counts.has(number)) return;
    count = count === number ? null : number;
    table.draw();
    const all = targets().flatMap(({ cell, sign }) => (sign === 'barred' ? [] : [cell]));
    say('board.say.targets', words.counted(all));
  }

  /** @param {number | null} place
   * @param {boolean} [covered] whether a finger is on it */
  function aim(place, covered = false) {
    if (aimed === place && isCovered === covered) return;
    aimed = place;
    isCovered = covered;
    view.point(place === null ? null : cellAt(place));
    if (picked !== null) drawAims();
  }

  /** Shows a stack from the side, its men numbered from the bottom.
   * @param {number} place
   * @returns {boolean} whether there is one to show
   */
  function inspect(place) {
    const content = stage.contents.get(cellAt(place));
    const men = content === undefined ? [] : (game.menOf?.(content) ?? []);
    if (men.length === 0) return false;
    const layers = men.map((side, index) => {
      const layer = document.createElement('div');
      layer.className = `board-layer board-layer-${side}`;
      layer.textContent = String(index + 1);
      return layer;
    });
    bubble.show(grid.pointOf(place), layers.reverse(), false);
    announce(words.list([cellAt(place), words.layers(content)]));
    return true;
  }

  const ride = game.createRide?.(table, {
    ...{ picked: () => picked, actions: () => pickedActions(scene()), after, commit, letDown, say, explain },
  });

  const hands = {
    draw,
    drawAims,
    drawCells,
    letGo,
    unpick,
    pickReserve,
    toggleReserve: () => pickReserve(picked !== RESERVE),
    choose,
    aim,
    inspect,
    describe,
    targets,
    standing,
    legal,
    groupOf,
    words,
    press: pressAt,
    closeBubble: bubble.hide,
    actionsFrom: (/** @type {string} */ cell) => actionsFrom(scene(), cell),
    back: () => ride?.back() ?? false,
    showCapture: () => ride?.showNext(legal() ?? []),

    /** @param {string | null} cell */
    pick(cell) {
      if (cell === null) unpick();
      else if (cell !== picked && canPick(cell)) take(cell);
    },

    /** What a new state leaves of what the player has begun. */
    refresh() {
      if (picked !== null && !canPick(picked)) letGo();
    },

    /** Whether a capture is on its way that is still legal. If it is not, it is put back. */
    keepsCapture() {
      if (!ride?.standing()) return false;
      if (ride.isLegal()) return true;
      putBack();
      return false;
    },

    /** Whether a piece, or what is left of its capture, can be dragged.
     * @param {number} place
     */
    canDrag: (place) => {
      const cell = cellAt(place);
      return ride?.standing() ? cell === standing() : actionsFrom(scene(), cell).length > 0;
    },

    isDragging: () => dragged !== null,

    /** Drags the piece of a place along.
     * @param {number} place
     * @param {Point} point
     */
    drag(place, point) {
      if (!dragged) {
        if (standing() !== cellAt(place)) take(cellAt(place));
        dragged = view.tokenAt(place) ?? null;
        if (dragged) view.raise(dragged);
      }
      if (dragged) view.draw(dragged, point);
    },

    /** Lets a dragged piece fall: on a target it is done, elsewhere it goes back.
     * @param {number | null} place
     * @param {number} from
     */
    fall(place, from) {
      const isTarget = targets().some((target) => target.place === place && target.sign !== 'barred');
      if (place !== null && isTarget) return pressAt(place);
      hands.drop();
      if (place === null) unpick();
      else if (place !== from) pressAt(place);
      table.draw();
    },

    /** Puts down what is dragged and forgets the press under way. */
    drop() {
      const token = dragged;
      dragged = null;
      controls.cancel();
      if (token) view.draw(token, grid.pointOf(token.place));
    },

    /** Looks closer at a place: into its stack, or why nothing can be done with it.
     * @param {number} place
     * @returns {boolean} whether there was anything to be seen or said
     */
    look(place) {
      if (dragged || table.shown === null || table.waiting) return false;
      if (inspect(place)) return true;
      const effect = effectAt(place);
      if (effect.type !== 'refuse' && effect.type !== 'explain') return false;
      apply(effect);
      return true;
    },

    /** The board was turned. */
    turn: () => controls.turn(),
    newTurn: () => controls.newTurn(),
  };

  const controls = createControls(table, hands);

  svg.setAttribute('role', 'grid');
  svg.setAttribute('aria-rowcount', String(grid.rows.length));
  svg.setAttribute('aria-colcount', String(Math.max(...grid.rows.map((row) => row.length))));
  svg.setAttribute('aria-label', t('board.label', { game: t(`board.game.${options.ruleset}`) }));
  return hands;
}

/** @typedef {ReturnType<typeof createHands>} Hands */

/**
 * What captures want of a player's hands.
 * @typedef {object} Hand
 * @property {() => string | null} picked
 * @property {() => LegalAction[]} actions those of what is picked
 * @property {(action: LegalAction) => Map<string, string>} after the contents of the cells after an action
 * @property {(next: Map<string, string>) => void} commit
 * @property {() => boolean} letDown
 * @property {(key: string, args?: Args) => void} say
 * @property {(key: string, args: Args) => void} explain
 */

/** A small sheet beside a place, or above the finger that covers it.
 * @param {HTMLElement} host
 * @param {SVGSVGElement} svg
 */
function createBubble(host, svg) {
  const element = document.createElement('div');
  element.className = 'board-bubble';
  element.setAttribute('aria-hidden', 'true');
  element.hidden = true;
  host.append(element);
  return {
    /** @param {Point} point @param {readonly (string | Node)[]} what @param {boolean} isCovered */
    show({ x, y }, what, isCovered) {
      element.hidden = false;
      element.replaceChildren(...what);
      const isBelow = y < 0 && !isCovered;
      element.classList.toggle('board-loupe', isCovered);
      element.classList.toggle('board-bubble-below', isBelow);
      const edge = isCovered ? 0 : isBelow ? HALF_CELL : -HALF_CELL;
      const spot = new DOMPoint(x, y + edge).matrixTransform(svg.getScreenCTM() ?? undefined);
      const box = host.getBoundingClientRect();
      const half = element.offsetWidth / 2;
      const top = isCovered ? Math.max(spot.y, LOUPE_RISE + element.offsetHeight) : spot.y;
      element.style.left = `${Math.min(Math.max(spot.x - box.left, half), box.width - half)}px`;
      element.style.top = `${top - box.top}px`;
    },

    hide() {
      element.hidden = true;
    },
  };
}

const HALF_CELL = 46;
/** How far above the finger, in CSS pixels; the style has the same. */
const LOUPE_RISE = 64;

/**
 * @param {Game} game
 * @param {Translate} t
 */
function wordsFor(game, t) {
  /** @param {readonly (string | false | null | undefined)[]} items what is nothing is left out */
  const list = (items) => items.filter((item) => item).join(', ');
  return {
    list,

    /** @param {readonly string[]} cells */
    counted: (cells) => ({ n: cells.length, cells: list(cells) }),

    /** @param {string} content */
    piece: (content) => game.name(content, t),

    /** What becomes of a stack that men come onto.
     * @param {number} total how many would be there
     * @param {Overflow | null} lost
     */
    result(total, lost) {
      const { reserved = 0, captured = 0 } = lost ?? {};
      const key = reserved > 0 ? (captured > 0 ? 'both' : 'reserved') : captured > 0 ? 'captured' : 'plain';
      return t(`board.result.${key}`, { total, reserved, captured });
    },

    /** The men of a stack; null for what has no layers.
     * @param {string | undefined} content
     */
    layers(content) {
      const men = content === undefined ? [] : (game.menOf?.(content) ?? []);
      return men.length === 0
        ? null
        : t('board.layers', { men: list(men.map((side) => t(`board.colour.${side}`))) });
    },
  };
}
