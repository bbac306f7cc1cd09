// An analysis on a match of the page's own engine: the tree of turns, the node that is shown, and the turn that is drawn
// up there.

import { Refused } from '../engine/engine.js';
import { openDraft } from '../engine/match-draft.js';
import { written } from './text.js';
import { actionsOf, allFrom, lineFrom, moveOf, newRoot, pathTo, withMove } from './tree.js';

/** @import { Ruleset } from '../protocol.js' */
/** @import { Engine, MatchState } from '../engine/engine.js' */
/** @import { Question } from '../engine/search.js' */
/** @import { Entry, Written } from './text.js' */
/** @import { Node } from './tree.js' */

/** The level of the search; the higher ones differ by their time alone, and here that is bounded by positions. */
const LEVEL = 8;
/** Headers of a record that are kept, in their order. */
const KEPT = ['first', 'second', 'date', 'clock'];
/** Ends of a game that no position shows. */
const AGREED = ['resign', 'agreement', 'time', 'abandon'];

/** @typedef {ReturnType<typeof openStudy>} Study */

/** Plays a turn of a line; a refusal has its number.
 * @template Result
 * @param {number} number
 * @param {() => Result} play
 */
function numbered(number, play) {
  try {
    return play();
  } catch (error) {
    if (error instanceof Refused) error.turn ??= number;
    throw error;
  }
}

/**
 * Opens an analysis. A turn that is illegal is `Refused`, and so is a start that is no position.
 *
 * @param {Engine} engine
 * @param {Ruleset} ruleset
 * @param {string | null} start the text of the start position; null for that of the ruleset
 * @param {Pick<Written, 'opening' | 'line' | 'headers'> | null} [content]
 */
export function openStudy(engine, ruleset, start, content = null) {
  const local = openDraft(engine, ruleset, start ?? undefined);
  const { position: startText, cards: startCards } = local.match.turn;
  const usual = engine.open(ruleset);
  engine.close(usual.id);
  /** Whether the start text has the card of the first turn. */
  const isDealt = startCards !== null && startCards.card !== null;
  const headers = content?.headers ?? new Map();
  const root = Object.assign(newRoot(), content?.opening);
  let here = root;
  /** The card for the turn at the node that is shown, if a person chose it.
   * @type {number | null} */
  let chosen = null;

  /** Plays some turns from the start on a new match, so that no card is known that was turned over elsewhere.
   * @param {{ card: number | null, actions: string[] }[]} turns
   * @param {number | null} card that of the next turn, if the match waits for one and it is known
   */
  function replayed(turns, card) {
    let next = engine.open(ruleset, start ?? undefined);
    const { id } = next;
    /** @param {number | null} value */
    const reveal = (value) => {
      if (value !== null && next.turn.cards?.card === null) next = engine.turnOver(id, value);
    };
    for (const turn of turns) {
      reveal(turn.card);
      next = engine.play(id, turn.actions);
    }
    reveal(card);
    return next;
  }

  /** Plays a turn from a node on a match that stands there.
   * @param {number} id
   * @param {Node} node
   * @param {{ card: number | null, actions: string[] }} turn
   */
  function grown(id, node, { card, actions }) {
    let before = engine.show(id);
    if (card !== null && before.turn.cards?.card === null) before = engine.turnOver(id, card);
    return withMove(node, moveOf(before, engine.play(id, actions)));
  }

  /** Adds a line and its variations.
   * @param {number} id a match that stands at the node
   * @param {Node} node
   * @param {Entry[]} line
   */
  function addLine(id, node, line) {
    let at = node;
    for (const entry of line) {
      const copies = entry.variations.map(() => engine.copy(id).id);
      const next = numbered(entry.number, () => grown(id, at, entry));
      const { comment, glyph, marks } = entry;
      Object.assign(next, { comment, glyph, marks });
      for (const [index, copy] of copies.entries()) {
        addLine(copy, at, entry.variations[index]);
        engine.close(copy);
      }
      at = next;
    }
  }

  /** Calls a function with a copy of the match at the node that is shown.
   * @template Result
   * @param {(id: number) => Result} use
   */
  function aside(use) {
    const { id } = engine.copy(local.match.id);
    try {
      return use(id);
    } finally {
      engine.close(id);
    }
  }

  /** @param {Node} node
   * @param {number | null} card */
  function stand(node, card) {
    here = node;
    chosen = card;
    local.exchange(replayed(turnsTo(node), card ?? node.children[0]?.move?.card ?? null));
  }

  if (content !== null) aside((id) => addLine(id, root, content.line));
  const ending = lineFrom(root).at(-1) ?? root;
  stand(root, null);

  /** The result and the reason of the main line, as a record has them; null if it is not over.
   * @returns {(readonly [string, string | null])[]}
   */
  function endOf() {
    const last = lineFrom(root).at(-1) ?? root;
    const outcome = last.move?.outcome ?? null;
    if (outcome !== null)
      return [
        ['result', outcome.winner ?? 'draw'],
        ['reason', outcome.reason],
      ];
    const isKept = last === ending && AGREED.includes(headers.get('reason') ?? '');
    return ['result', 'reason'].map((key) => [key, isKept ? (headers.get(key) ?? null) : null]);
  }

  return {
    ruleset,
    local,
    root,
    headers,
    startText,
    /** Whether turns have cards. */
    hasCards: startCards !== null,

    /** The node that is shown. */
    get here() {
      return here;
    },
    /** Whether the match waits for the card of the turn. */
    get isWaiting() {
      const { outcome, turn } = local.match;
      return outcome === null && turn.cards !== null && turn.cards.card === null;
    },
    /** Whether the card of the turn can be changed: that of the start text cannot. */
    get canChangeCard() {
      const { outcome, turn } = local.match;
      return outcome === null && turn.cards?.card != null && (here !== root || !isDealt);
    },

    /** Shows a node.
     * @param {Node} node
     */
    goTo: (node) => stand(node, null),

    /** Turns over a card for the turn at the node that is shown.
     * @param {number} card
     */
    choose: (card) => stand(here, card),

    /** Has the card of the turn chosen anew. */
    unchoose() {
      chosen = null;
      local.exchange(replayed(turnsTo(here), null));
    },

    /** Plays the turn being drawn up, and shows the node after it.
     * @returns {boolean} false without effect if it is neither complete nor may end
     */
    play() {
      const before = local.match;
      if (!local.play()) return false;
      here = withMove(here, moveOf(before, local.match));
      chosen = null;
      const card = here.children[0]?.move?.card ?? null;
      if (card !== null) local.turnOver(card);
      return true;
    },

    /** Plays a whole turn, and shows the node after it.
     * @param {string[]} actions
     */
    playWhole(actions) {
      const card = local.match.turn.cards?.card ?? null;
      stand(
        aside((id) => grown(id, here, { card, actions })),
        null,
      );
    },

    /** The match after a turn at a node, the one that is shown if none is named; null if the turn is illegal.
     * @param {string[]} actions
     * @param {Node} [node]
     * @returns {MatchState | null}
     */
    after(actions, node = here) {
      const { id } = node === here ? engine.copy(local.match.id) : replayed(turnsTo(node), chosenAt(node));
      try {
        return engine.play(id, actions);
      } catch (error) {
        if (error instanceof Refused) return null;
        throw error;
      } finally {
        engine.close(id);
      }
    },

    /** The search for the turn after a node, or after further turns.
     * @param {Node} node
     * @param {number} nodes number of positions to visit
     * @param {{ lines?: number, card?: number | null, played?: string[] }} [more]
     * @returns {Question}
     */
    question(node, nodes, { lines = 1, card = null, played } = {}) {
      const own = node === here ? (local.match.turn.cards?.card ?? null) : null;
      const now = own ?? chosenAt(node);
      const turns = turnsTo(node);
      if (played !== undefined) turns.push({ card: now, actions: played });
      const cards = [...turns.map((turn) => turn.card), played === undefined ? now : card];
      return {
        ruleset,
        start,
        level: LEVEL,
        seed: 1,
        lines,
        nodes,
        card: cards[turns.length],
        turns: turns.map(({ actions }, index) => ({ card: cards[index], actions })),
      };
    },

    /** The analysis as text (docs/records.md). */
    text() {
      const last = lineFrom(root).at(-1);
      /** @type {(readonly [string, string | null])[]} */
      const all = [
        ['ruleset', ruleset],
        ...KEPT.map((key) => /** @type {const} */ ([key, headers.get(key) ?? null])),
        ...endOf(),
        ['start', startText === usual.turn.position ? null : startText],
      ];
      return written(root, all, last?.move?.position ?? startText);
    },

    /** The number of a node among all.
     * @param {Node} node
     */
    numberOf: (node) => allFrom(root).indexOf(node),

    close: () => local.close(),
  };

  /** The card of the turn after a node in its main line.
   * @param {Node} node
   */
  function chosenAt(node) {
    return (node === here ? chosen : null) ?? node.children[0]?.move?.card ?? null;
  }
}

/** The turns that lead to a node, as they are played.
 * @param {Node} node
 */
const turnsTo = (node) => pathTo(node).map((at) => ({ card: at.move?.card ?? null, actions: actionsOf(at) }));
