// A board to play on, to watch and to replay on. It shows what it is given and says what the player wants; it knows
// neither where positions come from nor what is legal.
//
//   const board = createBoard(host, {
//     ruleset,                        the game decides how the board looks
//     t,                              (key, args) → text; the board's keys begin with `board.`
//     announce(text),                 says a text to a screen reader; the board says all that it has to say itself
//     onAction(text, action),         the player chose an action; the board has moved the piece already, takes no
//                                     further action, and waits for the next `show`, which has the last word
//     onUndo(), onRestart(),          keys that are the page's to answer
//     onHelp(),
//     onExplain(key, args),           a sentence for the status line: why a press did nothing, or how a centre stands
//     onReserve(picked),              whether the reserve is picked now, for the tray to show; may be left out
//   });
//   board.ready                       a promise: the game's own module is there and the board drawn. All else may be
//                                     called before; the latest of each counts.
//   board.show(shown)                 see Shown
//   board.setFlipped(flipped)         turned by 180° or not
//   board.focus()                     into the board, to the cell that had the focus last
//   board.pick(cell | null)           as if its piece had been pressed; nothing if that piece has no action
//   board.pickReserve(picked)         the next cell gets a man of the reserve, or no longer; nothing if none may be dropped
//   board.back()                      takes back the last jump of a capture on its way; whether there was one
//   board.flash(cells)                lights cells up for a moment
//   board.destroy()
//
// A capture of several jumps is one action: its jumps are taken one by one, each may be taken back, and `onAction` is
// called when there is nothing left to choose.
//
// `host` is an element of its own; its width decides the size. Below 480 px the tablet's frame is left out.

import {
  RESERVE,
  actionsFrom,
  barredFrom,
  command,
  createGestures,
  follow,
  linesAfter,
  moveCaret,
  pickedActions,
  press,
} from './input.js';
import { createView, gameOf, mayMove, movedBy, numbers, set, trail, travel, wordsFor } from './view.js';

/** @import { Barred, Jump, LegalAction, Ruleset, Side, Step, Turn } from '../protocol.d.ts' */
/** @import { Args, Command, Effect, Scene } from './input.js' */
/** @import { Game, Target, Token } from './view.js' */

/**
 * @typedef {object} BoardOptions
 * @property {Ruleset} ruleset
 * @property {(key: string, args?: Args) => string} t
 * @property {(text: string) => void} announce
 * @property {(text: string, action: LegalAction) => void} onAction
 * @property {() => void} onUndo
 * @property {() => void} onRestart
 * @property {() => void} onHelp
 * @property {(key: string, args: Args) => void} onExplain
 * @property {(picked: boolean) => void} [onReserve]
 */

/**
 * @typedef {object} Shown
 * @property {Turn} turn the turn whose position is shown, the draft's steps taken
 * @property {Side | null} mySide null for a spectator
 * @property {readonly LegalAction[] | null} legal null if it is not my move
 * @property {readonly (readonly string[])[]} groups the groups of the movable pieces
 * @property {readonly Barred[]} [barred] what is not legal only because the side did the same before
 * @property {number | null} [bestCapture] the discs that a capture must take, if one must be made
 * @property {readonly Step[]} lastSteps the last whole turn
 * @property {readonly Step[]} draftSteps the turn under way so far
 * @property {readonly Step[]} animate the steps that lead from the position shown before to this one
 * @property {boolean} [waiting] whether the answer to an action is still out; if that takes long, a line says so
 */

const STEP_MS = 180;
const LONGEST_STEP_MS = 320;
const LONGEST_REPLAY_MS = 1200;
const FLASH_MS = 600;
const LONG_PRESS_MS = 500;

/**
 * @param {HTMLElement} host
 * @param {BoardOptions} options
 */
export function createBoard(host, options) {
  host.classList.add('board');
  /** @type {ReturnType<typeof drawBoard> | null} */
  let board = null;
  let destroyed = false;
  /** What was asked for before the board was there.
   * @type {Map<string, (board: ReturnType<typeof drawBoard>) => void>}
   */
  const asked = new Map();
  /** @param {string} what @param {(board: ReturnType<typeof drawBoard>) => void} call */
  const ask = (what, call) => {
    if (board) call(board);
    else asked.set(what, call);
  };
  const ready = gameOf(options.ruleset).then((game) => {
    if (destroyed) return;
    board = drawBoard(host, options, game);
    for (const call of asked.values()) call(board);
  });
  return {
    ready,
    show: (/** @type {Shown} */ shown) => ask('show', (drawn) => drawn.show(shown)),
    setFlipped: (/** @type {boolean} */ turned) => ask('flip', (drawn) => drawn.setFlipped(turned)),
    focus: () => ask('focus', (drawn) => drawn.focus()),
    pick: (/** @type {string | null} */ cell) => ask('pick', (drawn) => drawn.pick(cell)),
    pickReserve: (/** @type {boolean} */ picked) => ask('pick', (drawn) => drawn.pickReserve(picked)),
    back: () => board?.back() ?? false,
    flash: (/** @type {readonly string[]} */ list) => ask('flash', (drawn) => drawn.flash(list)),
    destroy() {
      destroyed = true;
      board?.destroy();
      host.classList.remove('board');
    },
  };
}

/**
 * @param {HTMLElement} host
 * @param {BoardOptions} options
 * @param {Game} game
 */
function drawBoard(host, options, game) {
  const { t, announce } = options;
  const { grid } = game;
  const view = createView(host, game, true);
  const { svg, cells, paths } = view;
  const off = new AbortController();
  const words = wordsFor(game, t);
  const gestures = createGestures();
  const bubble = document.createElement('div');
  bubble.className = 'board-bubble';
  bubble.setAttribute('aria-hidden', 'true');
  bubble.hidden = true;
  view.stack.append(bubble);

  /** @type {Shown | null} */
  let shown = null;
  let flipped = false;
  /** What stands on the cells: as shown, and what the player has begun.
   * @type {Map<string, string>}
   */
  let contents = new Map();
  /** The cell of the piece that is picked, or the reserve.
   * @type {string | null}
   */
  let picked = null;
  /** How many men are to go, if the player has said so.
   * @type {number | null}
   */
  let count = null;
  /** The jumps of a capture on its way.
   * @type {readonly Jump[]}
   */
  let jumps = [];
  /** The jumps as they were before each press, to go back to.
   * @type {(readonly Jump[])[]}
   */
  let before = [];
  /** The ways on that the player has to choose from.
   * @type {readonly (readonly Jump[])[]}
   */
  let choices = [];
  /** The target that is pointed at, pressed or focused.
   * @type {number | null}
   */
  let aimed = null;
  /** Whether an action has been chosen that no `show` has answered yet. */
  let waiting = false;
  /** @type {{ place: number, x: number }} */
  let caret = { place: grid.cells.length >> 1, x: 0 };
  let scanned = -1;
  /** @type {Token | null} */
  let dragged = null;
  /** Ends what moves, at once.
   * @type {(() => void) | null}
   */
  let finish = null;
  /** The text of the position that a replay under way leads to.
   * @type {string | null}
   */
  let goal = null;
  let flashTimer = 0;
  let pressTimer = 0;

  const placeOf = (/** @type {string} */ cell) => grid.placeOf(cell, flipped);
  const cellAt = (/** @type {number} */ place) => grid.cellAt(place, flipped);
  const legal = () => (waiting ? [] : (shown?.legal ?? null));
  /** @returns {Scene} */
  const scene = () => ({
    picked,
    legal: legal(),
    barred: waiting ? [] : (shown?.barred ?? []),
    bestCapture: waiting ? null : (shown?.bestCapture ?? null),
    jumps,
    choices,
    count,
    mySide: shown?.mySide ?? null,
    pieces: contents,
    sideOf: game.sideOf,
    isCentre: game.isCentre,
  });
  const groupOf = (/** @type {string} */ cell) => shown?.groups.find((group) => group.includes(cell)) ?? [];
  /** Whether something can be said or done with what is on a cell. */
  const canPick = (/** @type {string} */ cell) =>
    actionsFrom(scene(), cell).length > 0 || barredFrom(scene(), cell).length > 0;
  /** Where the picked piece stands after its jumps. */
  const standing = () => jumps.at(-1)?.to ?? picked;

  // ---- What can be done now

  /** The targets of what is picked.
   * @returns {(Target & { cell: string, action: LegalAction | null })[]}
   */
  function targets() {
    if (picked === null) return [];
    const actions = pickedActions(scene());
    /** @type {Map<string, Target & { cell: string, action: LegalAction | null }>} */
    const found = new Map();
    /** @param {string} cell @param {Target['sign']} sign @param {string | null} text @param {LegalAction | null} action */
    const add = (cell, sign, text, action) => {
      if (!found.has(cell))
        found.set(cell, { place: placeOf(cell), sign, text, isOccupied: contents.has(cell), cell, action });
    };
    choices.forEach((way, index) => {
      const end = /** @type {Jump} */ (way.at(-1)).to;
      const own = way
        .slice(0, -1)
        .find(({ to }) => choices.every((other) => other === way || !other.some((jump) => jump.to === to)));
      if (own) add(own.to, 'choice', String(index + 1), null);
      else add(way[jumps.length].over, 'choice', String(index + 1), null);
      add(end, 'dot', null, null);
    });
    const lines = choices.length > 0 ? [] : linesAfter(actions, jumps);
    for (const { capture } of lines) if (capture) add(capture.jumps[jumps.length].to, 'dot', null, null);
    for (const { capture } of lines)
      for (const { to } of capture?.jumps.slice(jumps.length + 1) ?? [])
        if (to !== standing()) add(to, 'far', null, null);
    if (jumps.length > 0) return [...found.values()];
    for (const action of actions) {
      const { to, kind } = action;
      if (to === null || action.capture) continue;
      if (kind === 'make') add(to, 'make', null, action);
      else if (kind === 'swap' || kind === 'switch') add(to, 'swap', null, action);
      else if (kind === 'drop')
        add(to, contents.has(to) ? 'count' : 'dot', contents.has(to) ? '+1' : null, action);
      else
        add(
          to,
          action.count === null ? 'dot' : 'count',
          action.count === null ? null : String(action.count),
          action,
        );
    }
    for (const { to } of barredFrom(scene(), picked)) if (to !== null) add(to, 'barred', null, null);
    return [...found.values()];
  }

  /** What an action would make of the stack on its target, in words; nothing where men are not counted.
   * @param {LegalAction} action
   */
  function resultOf({ to, count: comes, overflow }) {
    if (comes === null || to === null) return null;
    const under = game.menOf?.(contents.get(to) ?? '').length ?? 0;
    return under === 0 && overflow === null ? null : words.result(under + comes, overflow);
  }

  /** The contents of the cells after an action.
   * @param {LegalAction} action
   */
  function after({ from, to, kind, count: goes, overflow, capture }) {
    const next = new Map(contents);
    if (to === null) return next;
    const here = from === null ? game.man(shown?.turn.side ?? 'first') : (contents.get(from) ?? '');
    const there = contents.get(to) ?? '';
    if (from !== null && (kind === 'swap' || kind === 'switch')) {
      next.set(from, there);
      next.set(to, here);
      return next;
    }
    const [stays, comes] = from === null || goes === null ? ['', here] : game.lift(here, goes);
    if (from !== null) next.delete(from);
    if (from !== null && stays !== '') next.set(from, stays);
    for (const { over } of capture?.jumps ?? []) next.delete(over);
    const lost = overflow === null ? 0 : overflow.reserved + overflow.captured;
    next.set(to, game.land(from === to ? '' : there, comes, lost));
    return next;
  }

  // ---- What is seen

  /** @param {readonly Step[]} steps */
  function drawn(steps) {
    const { from, to, routes } = trail(steps);
    return {
      from: paths.cells(from.map(placeOf), 40),
      to: paths.cells(to.map(placeOf), 41.5),
      taken: paths.crosses(steps.flatMap(({ taken }) => taken).map(placeOf)),
      line: routes.map((route) => paths.line(route.map(placeOf))).join(''),
    };
  }

  function drawMarks() {
    const aims = targets();
    const group = picked === null || picked === RESERVE ? [] : groupOf(picked).map(placeOf);
    const stand = standing();
    view.surround(group);
    view.target(aims);
    view.mark('pick', stand === null || stand === RESERVE ? '' : paths.cells([placeOf(stand)], 42));

    const target = aims.find(({ place, sign }) => place === aimed && sign !== 'barred');
    const way =
      target && stand !== null && stand !== RESERVE
        ? grid.wayThrough(placeOf(stand), target.place, group)
        : [];
    view.mark('route-halo', paths.way(way));
    view.mark('route', paths.way(way));
    view.mark('aim', target ? paths.cells([target.place], 42) : '');
    const source = picked === null || picked === RESERVE ? undefined : view.tokenAt(placeOf(picked));
    for (const token of view.tokens)
      view.lift(token, token === source ? (target?.action?.count ?? count ?? 0) : 0);
    const result = target?.action ? resultOf(target.action) : null;
    tip(target ? target.place : null, result === null ? [] : [result]);
    drawHunt();

    const drafts = shown?.draftSteps ?? [];
    const last = drawn(goal !== null || drafts.length > 0 ? [] : (shown?.lastSteps ?? []));
    view.mark('last-from', last.from);
    view.mark('last-to', last.to);
    view.mark('last-halo', last.line);
    view.mark('last-line', last.line);
    view.mark('last-taken', last.taken);
    const draft = drawn(drafts);
    view.mark('draft-from', draft.from);
    view.mark('draft-to', draft.to);
    view.mark('draft-halo', draft.line);
    view.mark('draft-line', draft.line);

    const threats = shown?.turn.threats;
    const attacked = (/** @type {Side} */ side) => {
      const centre = [...view.tokens].find(
        ({ content }) => game.isCentre(content) && game.sideOf(content) === side,
      );
      if (!centre || !threats) return [];
      // While an action waits for its answer these may still be those before it, of a centre that has just moved.
      const attackers = threats[side]
        .map(placeOf)
        .filter((place) => grid.distance(place, centre.place) === 1);
      return [{ centre: centre.place, attackers }];
    };
    view.threaten(waiting || goal !== null ? [] : [...attacked('first'), ...attacked('second')]);

    const ghosts = shown?.legal === null && shown.turn.side !== shown.mySide ? movedBy(drafts) : new Set();
    const { bestCapture } = scene();
    const dim = (/** @type {string} */ cell) => bestCapture !== null && jumps.length === 0 && !canPick(cell);
    for (const token of view.tokens) {
      const cell = cellAt(token.place);
      token.element.classList.toggle('piece-ghost', ghosts.has(cell));
      token.element.classList.toggle('piece-dim', dim(cell) && game.sideOf(token.content) === shown?.mySide);
      set(token.body, 'transform', cell === stand || token === dragged ? 'translate(0 -3)' : null);
    }
  }

  /** A capture that must be made or is on its way. */
  function drawHunt() {
    const lines = picked === null ? [] : linesAfter(pickedActions(scene()), jumps);
    const actions = legal() ?? [];
    const from = (/** @type {LegalAction} */ line) => placeOf(/** @type {string} */ (line.from));
    view.urge(
      picked === null && scene().bestCapture !== null
        ? actions.filter(({ capture }) => capture).map(from)
        : [],
    );
    const start = placeOf(jumps.length > 0 ? /** @type {string} */ (picked) : grid.cells[0]);
    const ways = choices.map((way) => [
      placeOf(/** @type {string} */ (standing())),
      ...way.slice(jumps.length).map(({ to }) => placeOf(to)),
    ]);
    const prey = [
      ...lines.flatMap(({ capture }) => capture?.jumps.slice(jumps.length, jumps.length + 1) ?? []),
      ...choices.flatMap((way) => way.slice(jumps.length)),
    ];
    view.hunt({
      jumped: jumps.map(({ over }) => placeOf(over)),
      prey: [...new Set(prey.map(({ over }) => placeOf(over)))],
      hollow: jumps.length > 0 && standing() !== picked ? [start] : [],
      ways,
    });
    const drafts = [...numbers(shown?.draftSteps ?? [])].map(([cell, text]) => ({
      place: placeOf(cell),
      text,
    }));
    const lengths = new Set(lines.map(({ capture }) => capture?.jumps.length));
    const ride =
      jumps.length === 0
        ? []
        : [
            {
              place: placeOf(/** @type {string} */ (standing())),
              text: lengths.size === 1 ? `${jumps.length}/${[...lengths][0]}` : String(jumps.length),
            },
          ];
    view.number([...drafts, ...ride]);
  }

  /** Shows something beside a place, or nothing.
   * @param {number | null} place
   * @param {readonly (string | Node)[]} what
   */
  function tip(place, what) {
    bubble.hidden = place === null || what.length === 0;
    if (place === null || what.length === 0) return;
    bubble.replaceChildren(...what);
    const { x, y } = grid.pointOf(place);
    const [left, top, width, height] = (svg.getAttribute('viewBox') ?? '').split(' ').map(Number);
    const box = svg.getBoundingClientRect();
    const stack = view.stack.getBoundingClientRect();
    const isBelow = y < 0;
    bubble.classList.toggle('board-bubble-below', isBelow);
    const half = bubble.offsetWidth / 2;
    const middle = box.left - stack.left + ((x - left) / width) * box.width;
    bubble.style.left = `${Math.min(Math.max(middle, half), stack.width - half)}px`;
    bubble.style.top = `${box.top - stack.top + ((y + (isBelow ? 46 : -46) - top) / height) * box.height}px`;
  }

  /** What pressing a target does, in words.
   * @param {Target & { action: LegalAction | null }} target
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

  /** The part of a cell in a capture on its way.
   * @param {string} cell
   */
  function captureWords(cell) {
    if (jumps.length === 0) return null;
    if (jumps.some(({ over }) => over === cell)) return t('board.jumped');
    return cell === standing() ? t('board.jumping', { number: jumps.length }) : null;
  }

  /** @param {string} cell @param {ReturnType<typeof targets>[number] | undefined} target */
  function nameOf(cell, target) {
    const content = contents.get(cell);
    const drafts = shown?.draftSteps ?? [];
    return words.cell(cell, {
      content,
      attackers: content !== undefined && game.isCentre(content) ? attackersOf(content) : [],
      capacity: game.capacity?.(placeOf(cell)) ?? null,
      isPicked: cell === standing(),
      target: target ? targetWords(target) : null,
      capture: captureWords(cell),
      step: numbers(drafts).get(cell) ?? null,
      isLast: drafts.length === 0 && trail(shown?.lastSteps ?? []).to.includes(cell),
    });
  }

  function drawCells() {
    const actions = legal() ?? [];
    const movable = new Set(actions.map(({ from }) => from));
    const aims = new Map(targets().map((target) => [target.cell, target]));
    cells.forEach((element, place) => {
      const cell = cellAt(place);
      const target = aims.get(cell);
      const isPicked = cell === standing();
      set(element, 'aria-label', nameOf(cell, target));
      set(
        element,
        'aria-selected',
        isPicked ? 'true' : movable.has(cell) && jumps.length === 0 ? 'false' : null,
      );
      set(element, 'tabindex', place === caret.place ? '0' : '-1');
      set(element, 'data-movable', (jumps.length > 0 ? isPicked : movable.has(cell)) ? '' : null);
      set(element, 'data-target', target && target.sign !== 'barred' ? target.sign : null);
    });
    svg.setAttribute('aria-label', t('board.label', { game: t(`board.game.${options.ruleset}`) }));
    set(host, 'data-waiting', waiting || shown?.waiting ? '' : null);
  }

  function draw() {
    drawMarks();
    drawCells();
  }

  /** @param {readonly string[]} list cells to light up for a moment */
  function flash(list) {
    clearTimeout(flashTimer);
    view.mark('flash', paths.cells(list.map(placeOf), 42));
    flashTimer = setTimeout(() => view.mark('flash', ''), FLASH_MS);
  }

  // ---- Movement

  /** @param {Token} token @param {string} path */
  const mover = (token, path) => ({
    path,
    draw: (/** @type {{ x: number, y: number }} */ point) => view.draw(token, point),
  });

  /** Puts on the board what stands there, and returns what has to be drawn elsewhere for it. */
  const arrange = () =>
    view.arrange(new Map([...contents].map(([cell, content]) => [placeOf(cell), content])));

  /** Moves a piece or the top of a stack, and the piece that it changes places with, as a step has it. What else the
   * step does is seen when it has arrived.
   * @param {Pick<Step, 'route' | 'swap' | 'count'>} step
   * @param {ReadonlyMap<string, string>} next the contents after it
   * @param {number} duration
   * @param {() => void} done
   * @returns {() => void} ends it at once
   */
  function moveAlong({ route, swap, count: goes }, next, duration, done) {
    const way = route.map(placeOf);
    const to = /** @type {number} */ (way.at(-1));
    const source = way.length > 1 ? view.tokenAt(way[0]) : undefined;
    contents = new Map(next);
    const arrive = () => {
      arrange();
      view.settle();
      done();
    };
    if (way.length === 0) return travel([], duration, arrive);
    if (way.length === 1) {
      // A man of the reserve comes down from above.
      const [, top] = game.lift(contents.get(route[0]) ?? '', 1);
      const man = view.create(top, to);
      const { x, y } = grid.pointOf(to);
      return travel([mover(man, `M${x} ${y - 60}L${x} ${y}`)], duration, arrive);
    }
    if (!source) return travel([], duration, arrive);
    const other = swap ? view.tokenAt(to) : undefined;
    if (other) {
      source.place = to;
      other.place = way[0];
      view.raise(source);
      flash([route[0], /** @type {string} */ (route.at(-1))]);
      const both = [mover(source, paths.arc(way[0], to)), mover(other, paths.arc(to, way[0]))];
      return travel(both, duration, arrive);
    }
    let token = source;
    const [stays, comes] = goes === null ? ['', source.content] : game.lift(source.content, goes);
    if (stays !== '') {
      view.fill(source, stays);
      token = view.create(comes, way[0]);
    }
    token.place = to;
    view.raise(token);
    return travel([mover(token, paths.way(way))], duration, arrive);
  }

  /** @param {number} count how many jumps there are */
  const timeOf = (count) => Math.min(STEP_MS * count, LONGEST_REPLAY_MS);

  /** @param {number} length how many cells a route has */
  const timeFor = (length) => Math.min(LONGEST_STEP_MS, STEP_MS + 28 * Math.max(0, length - 2));

  function settle() {
    // What ends may set off its last movement, which ends here too.
    while (finish !== null) {
      const end = finish;
      finish = null;
      end();
    }
    goal = null;
  }

  /** @param {readonly Step[]} steps @param {() => void} done */
  function replay(steps, done) {
    const duration =
      steps.length > 1 ? Math.min(STEP_MS, LONGEST_REPLAY_MS / steps.length) : timeFor(steps[0].route.length);
    let over = false;
    let stop = () => {};
    /** @param {number} index */
    const next = (index) => {
      if (over) return;
      if (index < steps.length) {
        stop = moveAlong(steps[index], game.parse(steps[index].position), duration, () => next(index + 1));
        return;
      }
      over = true;
      finish = null;
      done();
    };
    finish = () => {
      over = true;
      stop();
      done();
    };
    next(0);
  }

  /** Lets go of what is picked and of all that was done with it; the piece is drawn back by who asks for it. */
  function letGo() {
    const wasReserve = picked === RESERVE;
    const had = jumps.length > 0;
    picked = null;
    count = null;
    jumps = [];
    before = [];
    choices = [];
    aimed = null;
    if (had && shown) contents = game.parse(shown.turn.position);
    if (wasReserve) options.onReserve?.(false);
  }

  /** Lets go, and what has jumped stands where it stood. */
  function putBack() {
    const hadJumps = jumps.length > 0;
    letGo();
    if (!hadJumps) return;
    settle();
    arrange();
    view.settle();
  }

  /** What a new state leaves of what the player has begun. */
  function refresh() {
    waiting = false;
    if (picked !== null && !canPick(picked)) letGo();
    draw();
  }

  /** @param {Shown} next */
  function show(next) {
    const isFirst = shown === null;
    const isSame = shown?.turn.position === next.turn.position;
    shown = next;
    // On its way there already: what moves must not be cut short by news of something else.
    if (goal === next.turn.position) return drawCells();
    // A capture that the player is in the middle of stays as long as it is legal.
    if (isSame && !waiting && jumps.length > 0) {
      if (linesAfter(pickedActions(scene()), jumps).length > 0) return draw();
      putBack();
    }
    const position = game.parse(next.turn.position);
    const stands =
      position.size === contents.size &&
      [...contents].every(([cell, content]) => position.get(cell) === content);
    if (stands && goal === null && !isFirst) return refresh();
    drop();
    settle();
    const arrive = () => {
      goal = null;
      contents = position;
      const from = new Map(
        [...view.tokens].map((token) => [token, token.element.getAttribute('transform') ?? '']),
      );
      const moved = arrange();
      if (moved.length > 0 && !isFirst && mayMove()) {
        finish = travel(
          moved.map((token) => comeHome(token, from.get(token))),
          STEP_MS,
          () => {},
        );
      } else {
        view.settle();
      }
      refresh();
    };
    const steps = isFirst ? [] : next.animate.filter(({ route }) => route.length > 0);
    if (steps.length === 0) return arrive();
    letGo();
    if (!mayMove()) {
      arrive();
      flash(steps.flatMap(({ route }) => [route[0], /** @type {string} */ (route.at(-1))]));
      return;
    }
    goal = next.turn.position;
    waiting = false;
    drawMarks();
    replay(steps, arrive);
  }

  /** A token on its straight way to where it belongs.
   * @param {Token} token
   * @param {string | null | undefined} transform where it is drawn
   */
  function comeHome(token, transform) {
    const { x, y } = grid.pointOf(token.place);
    return mover(token, `M${transform?.replace(/[^-\d. ]/g, '')}L${x.toFixed(1)} ${y.toFixed(1)}`);
  }

  // ---- What the player does

  /** @param {string} key @param {Args} [args] */
  const say = (key, args) => announce(t(key, args));
  /** @param {string} key @param {Args} args */
  function explain(key, args) {
    options.onExplain(key, args);
    say(key, args);
  }

  /** @param {string} content of a centre */
  const attackersOf = (content) => shown?.turn.threats?.[game.sideOf(content)] ?? [];

  /** @param {string} cell */
  function explainCentre(cell) {
    const content = contents.get(cell);
    if (content === undefined) return;
    const attackers = attackersOf(content);
    flash([cell, ...attackers]);
    const key = attackers.length > 0 ? 'board.explain.centre_attacked' : 'board.explain.centre';
    explain(key, { cell, piece: words.piece(content), cells: words.list(attackers) });
  }

  /** @param {string} cell */
  function shake(cell) {
    const token = view.tokenAt(placeOf(cell));
    const shaken = token?.body ?? cells[placeOf(cell)];
    if (!mayMove()) return flash([cell]);
    shaken.animate(
      {
        transform: [
          'translateX(0)',
          'translateX(-4px)',
          'translateX(4px)',
          'translateX(-2px)',
          'translateX(0)',
        ],
      },
      { duration: 220, easing: 'ease-out' },
    );
  }

  /** @param {LegalAction} action */
  function act(action) {
    const { from, to, kind } = action;
    if (to === null) return;
    const swap = kind === 'swap' || kind === 'switch';
    const next = after(action);
    const group = from === null ? [] : groupOf(from).map(placeOf);
    const way =
      from === null
        ? [placeOf(to)]
        : swap
          ? [placeOf(from), placeOf(to)]
          : grid.wayThrough(placeOf(from), placeOf(to), group);
    letGo();
    settle();
    waiting = true;
    const step = { route: way.map(cellAt), swap, count: from === null ? null : action.count };
    if (dragged || !mayMove()) {
      moveAlong(step, next, 1, () => {})();
      if (!swap) flash(dragged ? [] : [from ?? to, to]);
    } else {
      finish = moveAlong(step, next, timeFor(way.length), () => {});
    }
    dragged = null;
    draw();
    if (swap) say('board.say.swapped', { from: from ?? '', to });
    else if (from === null) say('board.say.dropped', { to });
    else say('board.say.moved', { from, to });
    options.onAction(action.text, action);
  }

  /** Makes jumps of the picked piece, and those that follow of themselves.
   * @param {readonly Jump[]} wanted all jumps from the start
   */
  function jump(wanted) {
    if (picked === null) return;
    const lines = linesAfter(pickedActions(scene()), wanted);
    if (lines.length === 0) return;
    const { jumps: all, action } = follow(lines, wanted);
    const start = standing() ?? picked;
    const taken = all.slice(jumps.length);
    before.push(jumps);
    hop(start, taken, all);
    const last = /** @type {Jump} */ (all.at(-1)).to;
    if (action) {
      const from = picked;
      const next = captured(action, all);
      letGo();
      waiting = true;
      contents = next;
      const rest = finish;
      finish = null;
      const arrive = () => {
        rest?.();
        arrange();
        view.settle();
      };
      if (mayMove() && rest) later(arrive, taken.length);
      else arrive();
      draw();
      say('board.say.captured', { from, to: last, n: all.length });
      options.onAction(action.text, action);
      return;
    }
    draw();
    say('board.say.jumped', { to: last, number: all.length });
  }

  /** Does something when the jumps under way are over, or at once if they are cut short.
   * @param {() => void} work
   * @param {number} length how many jumps there are
   */
  function later(work, length) {
    const timer = setTimeout(() => {
      finish = null;
      work();
    }, timeOf(length) + 20);
    finish = () => {
      clearTimeout(timer);
      work();
    };
  }

  /** The contents once a capture is done.
   * @param {LegalAction} action
   * @param {readonly Jump[]} all
   */
  function captured(action, all) {
    contents = shown ? game.parse(shown.turn.position) : contents;
    return after({ ...action, capture: { jumps: [...all], discs: action.capture?.discs ?? 0 } });
  }

  /** The picked piece goes from cell to cell; what it jumps over stays.
   * @param {string} start
   * @param {readonly Jump[]} taken
   * @param {readonly Jump[]} all
   */
  function hop(start, taken, all) {
    settle();
    choices = [];
    const token = view.tokenAt(placeOf(start));
    const end = all.at(-1)?.to ?? picked ?? start;
    const content = contents.get(start);
    if (content !== undefined) {
      contents.delete(start);
      contents.set(end, content);
    }
    jumps = all;
    aimed = null;
    if (!token) return;
    token.place = placeOf(end);
    view.raise(token);
    const way = [start, ...taken.map(({ to }) => to)].map(placeOf);
    if (dragged || !mayMove() || way.length < 2) {
      view.settle();
      dragged = null;
      return;
    }
    finish = travel([mover(token, paths.way(way))], timeOf(taken.length), () => {
      finish = null;
    });
  }

  /** Takes the last jump back, with those that followed it of themselves.
   * @returns {boolean} whether there was anything to take back
   */
  function back() {
    if (choices.length > 0) {
      choices = [];
      draw();
      return true;
    }
    const earlier = before.pop();
    if (earlier === undefined || picked === null) return false;
    const start = standing() ?? picked;
    const end = earlier.at(-1)?.to ?? picked;
    hop(start, [], earlier);
    const token = view.tokenAt(placeOf(end));
    if (token && mayMove())
      finish = travel([comeHome(token, token.element.getAttribute('transform'))], STEP_MS, () => {});
    view.settle();
    draw();
    say('board.say.back', { to: end });
    return true;
  }

  /** @param {string} cell or the reserve */
  function take(cell) {
    putBack();
    picked = cell;
    settle();
    if (cell === RESERVE) options.onReserve?.(true);
    draw();
    const n = targets().filter(({ sign }) => sign !== 'barred').length;
    const content = contents.get(cell);
    if (cell === RESERVE) say('board.say.reserve', { n });
    else say('board.say.picked', { cell, piece: content === undefined ? '' : words.piece(content), n });
  }

  /** @param {Effect} effect */
  function apply(effect) {
    switch (effect.type) {
      case 'pick':
        take(effect.cell);
        return;
      case 'unpick':
        unpick();
        return;
      case 'act':
        act(effect.action);
        return;
      case 'jump':
        jump(effect.jumps);
        return;
      case 'choose':
        choices = effect.choices;
        draw();
        explain('board.say.choose', { n: choices.length });
        return;
      case 'back':
        back();
        return;
      case 'explain':
        explainCentre(effect.cell);
        return;
      case 'refuse':
        shake(effect.cell);
        explain(effect.key, effect.args);
    }
  }

  function unpick() {
    if (picked === null) return;
    const cell = picked;
    putBack();
    say(cell === RESERVE ? 'board.say.reserve_left' : 'board.say.unpicked', { cell });
    draw();
  }

  /** @param {boolean} wanted */
  function pickReserve(wanted) {
    if (!wanted) {
      if (picked === RESERVE) unpick();
      return;
    }
    if (picked === RESERVE || jumps.length > 0) return;
    if (canPick(RESERVE)) take(RESERVE);
    else if (shown?.mySide !== null && shown?.legal) explain('board.why.no_reserve', {});
  }

  /** A digit chooses a way on, or how many men go.
   * @param {number} number
   */
  function choose(number) {
    const way = choices[number - 1];
    if (way) return jump(way);
    if (picked === null || picked === RESERVE) return;
    const counts = new Set(actionsFrom(scene(), picked).map((action) => action.count));
    if (!counts.has(number)) return;
    count = count === number ? null : number;
    draw();
    const cells = words.counted(targets().flatMap(({ cell, sign }) => (sign === 'barred' ? [] : [cell])));
    say('board.say.targets', cells);
  }

  /** @param {number} place */
  function pressAt(place) {
    if (shown === null || waiting) return;
    if (goal !== null) settle();
    inspect(null);
    apply(press(scene(), cellAt(place)));
  }

  /** @param {number | null} place */
  function aim(place) {
    if (aimed === place) return;
    aimed = place;
    view.point(place === null ? null : cellAt(place));
    if (picked !== null) drawMarks();
  }

  /** Shows a stack from the side, its men numbered from the bottom, or nothing.
   * @param {number | null} place
   * @returns {boolean} whether there is one to show
   */
  function inspect(place) {
    const content = place === null ? undefined : contents.get(cellAt(place));
    const men = content === undefined ? [] : (game.menOf?.(content) ?? []);
    const layers = men.map((side, index) => {
      const layer = document.createElement('div');
      layer.className = `board-layer board-layer-${side}`;
      layer.textContent = String(index + 1);
      return layer;
    });
    tip(place, layers.reverse());
    if (place === null || layers.length === 0) return false;
    announce(words.list([cellAt(place), words.layers(content)]));
    return true;
  }

  // ---- Pointers

  /** @param {PointerEvent} event */
  function pointOf(event) {
    const matrix = svg.getScreenCTM();
    return new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix?.inverse());
  }
  /** @param {PointerEvent} event */
  const placeUnder = (event) => grid.placeAt(pointOf(event));

  function drop() {
    const token = dragged;
    dragged = null;
    clearTimeout(pressTimer);
    gestures.cancel();
    if (token) view.draw(token, grid.pointOf(token.place));
  }

  /** @type {AddEventListenerOptions} */
  const listening = { signal: off.signal };
  svg.addEventListener(
    'pointerdown',
    (event) => {
      if (event.button !== 0) return;
      const place = placeUnder(event);
      if (place === null || shown === null) return;
      if (goal !== null) settle();
      const cell = cellAt(place);
      const draggable = jumps.length > 0 ? cell === standing() : actionsFrom(scene(), cell).length > 0;
      clearTimeout(pressTimer);
      pressTimer = setTimeout(() => {
        // Looking at a stack is no press of it.
        if (!dragged && inspect(place)) gestures.cancel();
      }, LONG_PRESS_MS);
      const point = { x: event.clientX, y: event.clientY };
      gestures.down({ id: event.pointerId, kind: event.pointerType, point, place, draggable });
      svg.setPointerCapture(event.pointerId);
      if (picked !== null) aim(place);
    },
    listening,
  );
  svg.addEventListener(
    'pointermove',
    (event) => {
      const gesture = gestures.move(event.pointerId, { x: event.clientX, y: event.clientY });
      if (gesture?.type === 'drag') {
        if (!dragged) {
          const cell = cellAt(gesture.from);
          clearTimeout(pressTimer);
          if (standing() !== cell) apply({ type: 'pick', cell });
          dragged = view.tokenAt(gesture.from) ?? null;
          if (dragged) view.raise(dragged);
        }
        if (dragged) view.draw(dragged, pointOf(event));
      }
      if (gesture || event.pointerType === 'mouse') aim(placeUnder(event));
    },
    listening,
  );
  svg.addEventListener(
    'pointerup',
    (event) => {
      const place = placeUnder(event);
      const gesture = gestures.up(event.pointerId, place);
      clearTimeout(pressTimer);
      if (event.pointerType !== 'mouse') aim(null);
      if (gesture?.type === 'tap') {
        caretTo({ place: gesture.place, x: grid.pointOf(gesture.place).x });
        pressAt(gesture.place);
      } else if (gesture?.type === 'drop') {
        const from = gesture.from;
        const isTarget =
          place !== null && targets().some((target) => target.place === place && target.sign !== 'barred');
        if (isTarget) return pressAt(place);
        drop();
        if (place === null) unpick();
        else if (place !== from) pressAt(place);
        draw();
      }
    },
    listening,
  );
  svg.addEventListener(
    'pointercancel',
    (event) => {
      if (!gestures.follows(event.pointerId)) return;
      drop();
      aim(null);
      draw();
    },
    listening,
  );
  svg.addEventListener('pointerleave', () => aim(null), listening);

  // ---- Keys

  /** @param {{ place: number, x: number }} next */
  function caretTo(next) {
    if (next.place !== caret.place) scanned = -1;
    caret = next;
    for (const [place, element] of cells.entries())
      set(element, 'tabindex', place === caret.place ? '0' : '-1');
    const ring = paths.cells([caret.place], 45);
    view.mark('focus-halo', ring);
    view.mark('focus', ring);
  }

  function focus() {
    /** @type {HTMLElement | SVGElement} */ (/** @type {unknown} */ (cells[caret.place])).focus();
  }

  // Not on the SVG itself: with listeners for focus it would become a stop of its own for the Tab key.
  view.stack.addEventListener(
    'focusin',
    (event) => {
      const place = cells.indexOf(/** @type {Element} */ (event.target));
      if (place < 0) return;
      if (place !== caret.place) caretTo({ place, x: grid.pointOf(place).x });
      if (cells[place].matches(':focus-visible')) aim(place);
    },
    listening,
  );
  view.stack.addEventListener('focusout', () => aim(null), listening);

  /** The places that N goes through: targets, nearest first, once a piece is picked; else the pieces that can move. */
  function stops() {
    const cellsOf = (/** @type {(string | null)[]} */ list) =>
      [...new Set(list)].flatMap((cell) => (cell === null ? [] : [placeOf(cell)]));
    const stand = standing();
    if (stand === null) return cellsOf((legal() ?? []).map(({ from }) => from)).sort((a, b) => a - b);
    const from = stand === RESERVE ? caret.place : placeOf(stand);
    return cellsOf(targets().map((target) => target.cell)).sort(
      (a, b) => grid.distance(from, a) - grid.distance(from, b) || a - b,
    );
  }

  /** @param {Extract<Command, { type: 'say' }>['what']} what */
  function tell(what) {
    const cell = cellAt(caret.place);
    switch (what) {
      case 'cell':
        return announce(
          words.list(
            [
              nameOf(
                cell,
                targets().find((target) => target.cell === cell),
              ),
              words.layers(contents.get(cell)),
            ].filter((text) => text !== ''),
          ),
        );
      case 'group':
        return say('board.say.group', words.counted(groupOf(picked ?? cell)));
      case 'targets': {
        const all = actionsFrom(scene(), picked ?? cell).flatMap(({ to }) => (to === null ? [] : [to]));
        return say('board.say.targets', words.counted([...new Set(all)]));
      }
      case 'last':
        return announce(words.lastTurn(shown?.lastSteps ?? []));
      case 'threats':
        if (shown) announce(words.threats(shown.turn));
    }
  }

  /** Says what lies in one direction, and the next time in the next.
   * @param {1 | -1} by
   */
  function scan(by) {
    const { length } = grid.lattice.directions;
    scanned = scanned < 0 ? 0 : (scanned + by + length) % length;
    /** @type {[string, string][]} */
    const seen = [];
    for (
      let place = grid.neighbour(caret.place, scanned);
      place !== null;
      place = grid.neighbour(place, scanned)
    ) {
      const content = contents.get(cellAt(place));
      if (content) seen.push([cellAt(place), content]);
    }
    announce(words.ray(scanned, seen));
  }

  svg.addEventListener(
    'keydown',
    (event) => {
      const asked = command(event);
      if (asked === null) return;
      event.preventDefault();
      switch (asked.type) {
        case 'neighbour':
        case 'row':
        case 'edge':
          caretTo(moveCaret(caret, asked, grid));
          focus();
          return;
        case 'cycle': {
          const list = stops();
          if (list.length === 0) return;
          const index = list.indexOf(caret.place);
          const place =
            list[
              index < 0
                ? asked.by > 0
                  ? 0
                  : list.length - 1
                : (index + asked.by + list.length) % list.length
            ];
          caretTo({ place, x: grid.pointOf(place).x });
          focus();
          return;
        }
        case 'press':
          if (!event.repeat) pressAt(caret.place);
          return;
        case 'unpick':
          if (dragged) drop();
          inspect(null);
          if (!back()) unpick();
          return;
        case 'undo':
          if (!back()) options.onUndo();
          return;
        case 'reserve':
          pickReserve(picked !== RESERVE);
          return;
        case 'digit':
          choose(asked.number);
          return;
        case 'inspect':
          inspect(caret.place);
          return;
        case 'restart':
          options.onRestart();
          return;
        case 'help':
          options.onHelp();
          return;
        case 'say':
          tell(asked.what);
          return;
        case 'scan':
          scan(asked.by);
      }
    },
    listening,
  );

  svg.setAttribute('role', 'grid');
  svg.setAttribute('aria-rowcount', String(grid.rows.length));
  svg.setAttribute('aria-colcount', String(Math.max(...grid.rows.map((row) => row.length))));
  view.name(flipped);
  caretTo(caret);
  draw();

  return {
    show,
    focus,
    pickReserve,
    back,
    flash,

    /** @param {boolean} turned */
    setFlipped(turned) {
      if (turned === flipped) return;
      drop();
      settle();
      const focused = svg.contains(document.activeElement);
      const last = grid.cells.length - 1;
      flipped = turned;
      for (const token of view.tokens) token.place = last - token.place;
      view.settle();
      view.name(flipped);
      view.mark('flash', '');
      const place = last - caret.place;
      caretTo({ place, x: grid.pointOf(place).x });
      draw();
      if (focused) focus();
    },

    /** @param {string | null} cell */
    pick(cell) {
      if (cell === null) unpick();
      else if (cell !== picked && canPick(cell)) apply({ type: 'pick', cell });
    },

    destroy() {
      off.abort();
      settle();
      clearTimeout(flashTimer);
      clearTimeout(pressTimer);
      view.stack.remove();
    },
  };
}

/** @typedef {ReturnType<typeof createBoard>} Board */
