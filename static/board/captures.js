// Captures, jump by jump: the meaning of a press while a piece can capture, the jumps made, and their marks.
// The legal actions are a list here too: the best captures, as they were sent.

import { circlePath } from './geometry.js';
import { actionsFrom } from './input.js';
import { mayMove } from '../ui/motion.js';

/** @import { Jump, LegalAction } from '../protocol.d.ts' */
/** @import { BoardState } from './board-state.js' */
/** @import { Hand } from './hands.js' */
/** @import { Point } from './geometry.js' */
/** @import { Aim, Effect, Scene } from './input.js' */

// ---- Meaning of a press

/** The captures that begin with some jumps.
 * @param {readonly LegalAction[]} actions of one piece
 * @param {readonly Jump[]} jumps
 */
export const linesAfter = (actions, jumps) =>
  actions.filter(({ capture }) => capture && jumps.every(({ to }, n) => capture.jumps[n]?.to === to));

/** @param {readonly Jump[]} jumps */
const victims = (jumps) =>
  jumps
    .map(({ over }) => over)
    .sort()
    .join();

/** @param {LegalAction} line */
const jumpsOf = ({ capture }) => capture?.jumps ?? [];

/** Key by which captures are the same to a player: start, end and captured pieces.
 * @param {LegalAction} line
 */
const gistOf = (line) => `${line.from} ${line.to} ${victims(jumpsOf(line))}`;

/** The captures that differ for a player.
 * @param {readonly LegalAction[]} actions
 */
export const distinct = (actions) => [
  ...new Map(actions.filter(({ capture }) => capture).map((line) => [gistOf(line), line])).values(),
];

/** The jumps that follow without a choice.
 * @param {readonly LegalAction[]} lines of one piece, at least one
 * @param {readonly Jump[]} jumps those made already
 * @returns {{ jumps: readonly Jump[], action: LegalAction | null }}
 */
export function follow(lines, jumps) {
  const [line] = lines;
  const all = jumpsOf(line);
  if (lines.every((other) => gistOf(other) === gistOf(line))) return { jumps: all, action: line };
  let length = jumps.length;
  while (length < all.length && lines.every((other) => jumpsOf(other)[length]?.to === all[length].to))
    length++;
  return { jumps: all.slice(0, length), action: null };
}

/** Handles a press on the next, or a later, landing cell or victim.
 * @param {readonly LegalAction[]} lines
 * @param {readonly Jump[]} jumps those made already
 * @param {string} cell
 * @returns {RideEffect | null} null if no line comes there
 */
function pressLine(lines, jumps, cell) {
  const at = jumps.length;
  const next = new Map(lines.map((line) => [jumpsOf(line)[at]?.to, jumpsOf(line)[at]]));
  const jump = next.get(cell);
  if (jump) return { type: 'jump', jumps: [...jumps, jump] };
  const over = [...next.values()].filter((known) => known?.over === cell);
  if (over.length === 1) return { type: 'jump', jumps: [...jumps, over[0]] };
  const through = lines.filter((line) => jumpsOf(line).some(({ to }, n) => n > at && to === cell));
  if (through.length === 0) return null;
  const { action } = follow(through, jumps);
  if (action) return { type: 'jump', jumps: jumpsOf(action) };
  /** @type {Map<string, readonly Jump[]>} */
  const ways = new Map();
  for (const line of through) {
    const all = jumpsOf(line);
    const way = all.slice(0, all.findIndex(({ to }, n) => n > at && to === cell) + 1);
    if (!ways.has(victims(way))) ways.set(victims(way), way);
  }
  const choices = [...ways.values()];
  return choices.length === 1 ? { type: 'jump', jumps: choices[0] } : { type: 'choose', choices };
}

/** The single path through a cell, if exactly one exists.
 * @param {readonly (readonly Jump[])[]} choices
 * @param {string} cell
 */
function choiceAt(choices, cell) {
  const found = choices.filter((way) =>
    way.some(({ over, to }, n) => over === cell || (to === cell && n < way.length - 1)),
  );
  return found.length === 1 ? found[0] : null;
}

/**
 * Progress of a capture.
 * @typedef {object} Progress
 * @property {readonly Jump[]} jumps those of the picked piece so far
 * @property {readonly (readonly Jump[])[]} choices the ways on that are to be chosen from
 */

/**
 * @typedef {{ type: 'jump', jumps: readonly Jump[] }
 *   | { type: 'choose', choices: readonly (readonly Jump[])[] }
 *   | { type: 'back' }} RideEffect
 */

/** Pressing a cell as far as captures are concerned.
 * @param {Scene} scene
 * @param {Progress} progress
 * @param {string} cell
 * @returns {RideEffect | Effect | null} null if the press is about something else
 */
export function pressCapture(scene, { jumps, choices }, cell) {
  const { picked } = scene;
  const last = jumps.at(-1);
  if (picked === null || (cell === picked && last === undefined)) return null;
  if (cell === last?.to) return { type: 'back' };
  const chosen = choiceAt(choices, cell);
  if (chosen) return { type: 'jump', jumps: chosen };
  const line = pressLine(linesAfter(actionsFrom(scene, picked), jumps), jumps, cell);
  if (line || last === undefined) return line;
  return { type: 'refuse', cell, key: 'board.why.jumping', args: { cell, from: last.to } };
}

// ---- Drawing

/** Hatching over a circle, and two lines that cross it out.
 * @param {Point} point
 */
const hatch = ({ x, y }) =>
  [-18, -9, 0, 9, 18]
    .map((d) => {
      const half = Math.sqrt(29 * 29 - d * d) * Math.SQRT1_2;
      const shift = d * Math.SQRT1_2;
      return `M${(x + shift - half).toFixed(1)} ${(y + shift + half).toFixed(1)}l${(2 * half).toFixed(1)} ${(-2 * half).toFixed(1)}`;
    })
    .join('');
const strike = (/** @type {Point} */ { x, y }) =>
  `M${(x - 24).toFixed(1)} ${(y - 24).toFixed(1)}l48 48M${(x - 24).toFixed(1)} ${(y + 24).toFixed(1)}l48 -48`;
const notch = (/** @type {Point} */ { x, y }) => `M${(x + 16).toFixed(1)} ${(y - 37).toFixed(1)}h21v21Z`;

/**
 * The captures of a board.
 *
 * @param {BoardState} boardState
 * @param {Hand} hand
 */
export function createRide(boardState, hand) {
  const { view, stage, options } = boardState;
  const { grid } = boardState.game;
  const { t } = options;
  /** @type {readonly Jump[]} */
  let jumps = [];
  /** The jumps as they were before each press, to go back to.
   * @type {(readonly Jump[])[]}
   */
  let before = [];
  /** @type {readonly (readonly Jump[])[]} */
  let choices = [];
  /** The best capture that is shown without being made, by its number among those that differ.
   * @type {number | null}
   */
  let example = null;

  const standing = () => jumps.at(-1)?.to ?? null;
  const lines = () => linesAfter(hand.actions(), jumps);
  const placesOf = (/** @type {readonly string[]} */ list) => [...new Set(list)].map(stage.placeOf);
  const last = (/** @type {readonly Jump[]} */ way) => /** @type {Jump} */ (way.at(-1));

  /** Puts the picked piece where some jumps lead; the jumped pieces stay.
   * @param {readonly Jump[]} all
   * @param {readonly string[]} way the cells of its visible path, the first one where it stands
   * @param {() => void} done when it is there
   */
  function hop(all, way, done) {
    const { contents } = stage;
    const [start] = way;
    const end = way[way.length - 1];
    boardState.settle();
    const token = view.tokenAt(stage.placeOf(start));
    const content = contents.get(start);
    if (content === undefined || token === undefined) return;
    contents.delete(start);
    contents.set(end, content);
    jumps = all;
    choices = [];
    token.place = stage.placeOf(end);
    if (hand.letDown() || !mayMove()) {
      view.settle();
      return done();
    }
    stage.hop(token, way, done);
  }

  /** Makes jumps, and those that follow without a choice.
   * @param {readonly Jump[]} wanted all jumps from the start
   */
  function jump(wanted) {
    const from = /** @type {string} */ (hand.picked());
    const wantedLines = linesAfter(hand.actions(), wanted);
    if (wantedLines.length === 0) return;
    const { jumps: all, action } = follow(wantedLines, wanted);
    const way = [standing() ?? from, ...all.slice(jumps.length).map(({ to }) => to)];
    before.push(jumps);
    if (action === null) {
      hop(all, way, () => {});
      boardState.draw();
      hand.say('board.say.jumped', { to: last(all).to, number: all.length });
      return;
    }
    const next = hand.after({ ...action, capture: { jumps: [...all], discs: action.capture?.discs ?? 0 } });
    hop(all, way, () => {
      stage.contents = next;
      stage.arrange();
      view.settle();
    });
    hand.commit(next);
    hand.say('board.say.captured', { from, to: last(all).to, n: all.length });
    options.onAction(action);
  }

  /** Shows the paths to choose from.
   * @param {readonly (readonly Jump[])[]} ways
   */
  function choose(ways) {
    choices = ways;
    boardState.draw();
    hand.explain('board.say.choose', { n: ways.length });
  }

  /** Undoes the last jump with those that followed it without a choice, or dismisses a preview or a question.
   * @returns {boolean} whether there was anything to take back
   */
  function back() {
    if (choices.length > 0 || example !== null) {
      choices = [];
      example = null;
      boardState.draw();
      return true;
    }
    const earlier = before.pop();
    const from = hand.picked();
    const start = standing();
    if (earlier === undefined || from === null || start === null) return false;
    const end = earlier.at(-1)?.to ?? from;
    hop(earlier, [start, end], () => {});
    boardState.draw();
    hand.say('board.say.back', { to: end });
    return true;
  }

  return {
    get jumps() {
      return jumps;
    },
    standing,
    back,

    /** True if the capture under way is still legal. */
    isLegal: () => lines().length > 0,

    /** Forgets all jumps.
     * @returns {boolean} whether there were any
     */
    clear() {
      const had = jumps.length > 0;
      jumps = [];
      before = [];
      choices = [];
      example = null;
      return had;
    },

    /** @param {Scene} scene @param {string} cell */
    press: (scene, cell) => pressCapture(scene, { jumps, choices }, cell),

    /** @param {RideEffect} effect */
    apply(effect) {
      if (effect.type === 'jump') jump(effect.jumps);
      else if (effect.type === 'choose') choose(effect.choices);
      else back();
    },

    /** Takes the path with a number.
     * @param {number} number counted from 1
     * @returns {boolean} whether there is such a way
     */
    chooseBy(number) {
      const way = choices[number - 1];
      if (way) jump(way);
      return way !== undefined;
    },

    /** Shows the next of the best captures, whole, without making it.
     * @param {readonly LegalAction[]} legal
     */
    showNext(legal) {
      const all = distinct(legal);
      if (all.length === 0) return;
      const index = example === null ? 0 : (example + 1) % all.length;
      const line = all[index];
      example = index;
      boardState.draw();
      hand.explain('board.say.best', {
        i: index + 1,
        all: all.length,
        from: line.from ?? '',
        to: line.to ?? '',
        cells: jumpsOf(line)
          .map(({ over }) => over)
          .join(', '),
        n: line.capture?.discs ?? 0,
      });
    },

    /** Cells where the picked piece can continue, nearest first.
     * @param {(aim: Aim) => void} tell
     */
    targets(tell) {
      /** @param {string} cell @param {Aim['sign']} sign @param {string | null} text */
      const add = (cell, sign, text) => tell({ cell, sign, text, action: null });
      choices.forEach((way, index) => {
        const own = way
          .slice(0, -1)
          .find(({ to }) => choices.every((other) => other === way || !other.some((jump) => jump.to === to)));
        add(own?.to ?? way[jumps.length].over, 'choice', String(index + 1));
        add(last(way).to, 'dot', null);
      });
      if (choices.length > 0) return;
      const at = jumps.length;
      const here = standing() ?? hand.picked();
      for (const line of lines()) add(jumpsOf(line)[at].to, 'dot', null);
      for (const { to } of lines().flatMap((line) => jumpsOf(line).slice(at + 1)))
        if (to !== here) add(to, 'far', null);
    },

    /** The part of a cell in a capture on its way, in words.
     * @param {string} cell
     */
    words(cell) {
      if (jumps.some(({ over }) => over === cell)) return t('board.jumped');
      return cell === standing() ? t('board.jumping', { number: jumps.length }) : null;
    },

    /** Draws the pieces that must be captured, those jumped over that still block the way, those that can be jumped
     * next, the empty start, and the paths to choose from.
     * @param {readonly LegalAction[]} legal
     */
    draw(legal) {
      const at = jumps.length;
      const picked = hand.picked();
      const here = standing();
      const shown = example === null ? undefined : distinct(legal)[example];
      const going = lines();
      const join = (/** @type {readonly number[]} */ list, /** @type {(point: Point) => string} */ path) =>
        list.map((place) => path(grid.pointOf(place))).join('');
      const ring = (/** @type {Point} */ point) => circlePath(point, 36);
      const musts = picked === null && !shown ? legal.filter(({ capture }) => capture) : [];
      const prey = [
        ...going.flatMap((line) => jumpsOf(line).slice(at, at + 1)),
        ...choices.flatMap((way) => way.slice(at)),
        ...(shown ? jumpsOf(shown) : []),
      ];
      const ways = choices.map((way) => [here ?? picked ?? '', ...way.slice(at).map(({ to }) => to)]);
      if (shown) ways.push([shown.from ?? '', ...jumpsOf(shown).map(({ to }) => to)]);
      const jumped = jumps.map(({ over }) => stage.placeOf(over));
      const lengths = new Set(going.map((line) => jumpsOf(line).length));
      const count = lengths.size === 1 ? `${at}/${[...lengths][0]}` : String(at);
      view.mark('must', join(placesOf(musts.map(({ from }) => from ?? '')), notch));
      view.mark('victim-hatch', join(jumped, hatch));
      view.double('victim', join(jumped, strike));
      view.double('prey', join(placesOf(prey.map(({ over }) => over)), ring));
      view.double('lines', ways.map((way) => view.paths.way(way.map(stage.placeOf))).join(''));
      const hollow = here === null || picked === null || here === picked ? [] : [stage.placeOf(picked)];
      view.mark(
        'hollow',
        join(hollow, (point) => circlePath(point, 24)),
      );
      view.number('jumps', here === null ? [] : [{ place: stage.placeOf(here), text: count }]);
    },
  };
}

/** @typedef {ReturnType<typeof createRide>} CaptureInput */
