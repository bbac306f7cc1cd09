// Conditional turns on the analysis board: the lines after the present position of a game under way, which the server plays
// for the player. Loaded for such a game alone, which it follows; the page hands over what both need.

import { leavesSession, openSession, sessionWorks } from '../connection/session.js';
import { openConnection } from '../connection/socket.js';
import { actionsOf as draftActions } from '../engine/turn-draft.js';
import { html, nothing } from '../vendor/lit-html@3.3.3/lit-html.js';
import {
  MAX_TURNS,
  areSame,
  bare,
  firstTooMany,
  isPlayed,
  linesAfter,
  living,
  numberOf,
  pruned,
  turnsOf,
} from './conditional-lines.js';
import { actionsOf, allFrom, lineFrom, moveOf, pathTo, withMove } from './tree.js';
import { createTurnSearch } from './turn-search.js';

/** @import { ConditionalTurn, ConditionalTurns, Flaw, Side, Step } from '../protocol.js' */
/** @import { ApiError } from '../connection/api.js' */
/** @import { Engine, MatchState } from '../engine/engine.js' */
/** @import { Args } from '../i18n.js' */
/** @import { Game } from '../session/game-model.js' */
/** @import { TemplateResult } from '../vendor/lit-html@3.3.3/lit-html.js' */
/** @import { Line, Placed } from './conditional-lines.js' */
/** @import { Study } from './study.js' */
/** @import { Node } from './tree.js' */

/** Maximum number of positions that are searched for the turns that lead to the stored ones: some seconds. */
const MAX_CALLS = 4_000;

/**
 * The page, and the words of all pages.
 * @typedef {object} Page
 * @property {Engine} engine
 * @property {(game: Game) => Study} studyOf
 * @property {() => Promise<Game>} read reads the game as it is now
 * @property {(game: Game) => boolean} takesConditional
 * @property {(position: string) => Map<string, string>} parse the contents of a position's cells
 * @property {(id: string) => Promise<ConditionalTurns>} getConditional
 * @property {(id: string, turns: ConditionalTurn[]) => Promise<void>} setConditional
 * @property {(study: Study) => void} enter shows another analysis
 * @property {(node: Node) => void} go
 * @property {() => void} draw
 * @property {() => void} focusStatus
 * @property {() => void} showLines shows the panel with the lines, where it is behind a tab
 * @property {(key: string, args?: Args) => string} t
 * @property {(text: string, manner?: 'polite' | 'assertive') => void} announce
 * @property {(error: unknown) => string} wordsOf
 * @property {(flaw: Flaw) => string} flawWords
 * @property {(steps: Step[]) => string} stepsWords
 * @property {(name: 'close') => TemplateResult} icon
 */

/** Words in which no move is broken into two lines.
 * @param {string} words
 */
const unbroken = (words) => words.replaceAll('-', '-\u2060');

/** @typedef {Awaited<ReturnType<typeof openConditional>>} Conditional */

/**
 * @param {Page} page
 * @param {Game} game
 * @param {Side} mine
 * @param {string} name the other player's
 */
export async function openConditional(page, game, mine, name) {
  const { engine, t, announce, stepsWords } = page;
  /** @type {Study} */
  let study;
  /** The present position of the game, and a match that stands there.
   * @type {Node} */
  let base;
  let baseMatch = -1;
  /** @type {ConditionalTurn[]} */
  let stored = [];
  /** Stored turns for positions to which no way was found.
   * @type {ConditionalTurn[]} */
  let untraced = [];
  let isBusy = false;
  let isOver = false;
  /** Resolves when all earlier reads and saves are done. */
  let working = Promise.resolve();
  /** What happened last. */
  let told = '';
  /** The node that was shown when the game changed, until something else is done.
   * @type {Node | null} */
  let newsAt = null;
  /** A refusal, and the turn that it is about; null for all of them.
   * @type {{ about: Node | ConditionalTurn | null, words: string } | null} */
  let refusal = null;

  const lines = () => linesAfter(base, mine, study.startText);
  const turns = () => /** @type {(Placed | ConditionalTurn)[]} */ ([...turnsOf(lines()), ...untraced]);
  const isSaved = () => areSame(turns(), stored);
  const positionAt = (/** @type {Node} */ node) => node.move?.position ?? study.startText;
  const isMineAt = (/** @type {Node} */ node) =>
    positionAt(node).split(' ')[1] === (mine === 'first' ? '1' : '2');

  /** @param {string} words
   * @param {'polite' | 'assertive'} [manner] */
  function tell(words, manner) {
    told = words;
    announce(words, manner);
  }

  /** Says that the game has changed, in the status too: the list may be behind its tab.
   * @param {string} words */
  function tellOfGame(words) {
    tell(words, 'assertive');
    newsAt = study.here;
  }

  // --- The tree ---

  /** A match at a node after the present position. The caller closes it.
   * @param {Node} node
   */
  function matchAt(node) {
    let match = engine.copy(baseMatch);
    for (const at of pathTo(node).slice(pathTo(base).length)) match = engine.play(match.id, actionsOf(at));
    return match;
  }

  /** Adds a turn after a node; null if it is not legal there.
   * @param {Node} node
   * @param {string[]} actions
   */
  function add(node, actions) {
    const before = matchAt(node);
    try {
      return withMove(node, moveOf(before, engine.play(before.id, actions)));
    } catch (error) {
      if (!(error instanceof Error && 'refusal' in error)) throw error;
      return null;
    } finally {
      engine.close(before.id);
    }
  }

  /** Adds what follows a node of an earlier tree.
   * @param {Node} from
   * @param {Node} to
   */
  function graft(from, to) {
    for (const child of from.children) {
      const copy = add(to, actionsOf(child));
      if (copy !== null) graft(child, copy);
    }
  }

  /** The node of a position after the present one, with the turns that lead there; null if none are found.
   * @param {string} position
   * @param {ReturnType<typeof createTurnSearch>} search
   * @param {Map<Node, MatchState>} matches those of nodes that were searched
   * @returns {Node | null}
   */
  function nodeOf(position, search, matches) {
    const nodes = allFrom(base);
    const known = nodes.find((node) => node !== base && node.move?.position === position);
    if (known !== undefined) return known;
    const sources = nodes
      .filter((node) => node === base || !isMineAt(node))
      .toSorted((one, other) => numberOf(positionAt(other)) - numberOf(positionAt(one)));
    for (const source of sources) if (!matches.has(source)) matches.set(source, matchAt(source));
    const found = search(
      sources.flatMap((source) => matches.get(source) ?? []),
      position,
    );
    if (found === null) return null;
    /** @type {Node | null} */
    let node = sources[found.index];
    for (const actions of found.turns) node = node && add(node, actions);
    return node;
  }

  /** Turns stored turns back into lines. */
  function place() {
    const search = createTurnSearch(engine, page.parse, { calls: MAX_CALLS });
    /** @type {Map<Node, MatchState>} */
    const matches = new Map();
    for (const turn of stored.toSorted((one, other) => numberOf(one.position) - numberOf(other.position))) {
      const node = nodeOf(turn.position, search, matches);
      if (node === null || add(node, turn.actions) === null) untraced.push(turn);
    }
    for (const { id } of matches.values()) engine.close(id);
  }

  /** Takes up the present position of the game, with the stored lines and those of an earlier tree.
   * @param {Game} now
   * @param {() => Set<string>} [keep] adds the lines of an earlier tree, and returns the positions that no longer come
   */
  async function load(now, keep = () => new Set()) {
    const { turns: all } = await page.getConditional(now.id);
    game = now;
    study = page.studyOf(now);
    base = lineFrom(study.root).at(-1) ?? study.root;
    study.goTo(base);
    if (baseMatch !== -1) engine.close(baseMatch);
    baseMatch = engine.copy(study.local.match.id).id;
    untraced = [];
    const gone = keep();
    const coming = living(all, pathTo(base).map(positionAt), numberOf(positionAt(base)));
    stored = coming.filter(({ position }) => !gone.has(position));
    place();
    refusal = null;
  }

  // --- The game goes on ---

  /** The turns that were played since a tree was drawn; null if turns were taken back.
   * @param {Node} before the position that was the present one
   */
  function playedSince(before) {
    const [old, now] = [pathTo(before), pathTo(base)];
    const isSame = old.every((node, index) => node.move?.position === now[index]?.move?.position);
    return isSame ? now.slice(old.length) : null;
  }

  /** The node of an earlier tree that the game has come to; null if it has left the tree.
   * @param {Node} before that of its position when the tree was drawn
   */
  function followed(before) {
    /** @type {Node | null} */
    let node = playedSince(before) === null ? null : before;
    for (const { move } of playedSince(before) ?? [])
      node = node?.children.find((child) => child.move?.position === move?.position) ?? null;
    return node;
  }

  /** Reads the game, and shows it if it has moved on.
   * @returns {Promise<boolean>} whether the lines still begin at its present position
   */
  async function isCurrent() {
    const now = await page.read();
    isOver = !page.takesConditional(now);
    if (isOver) tellOfGame(t('conditional.ended'));
    if (isOver || now.since === game.since) return !isOver;
    const [before, drawn] = [base, turns().map(({ position }) => position)];
    const [{ here }, steps] = [study, draftActions(study.local.turnDraft)];
    await load(now, () => {
      const last = followed(before);
      if (last !== null) graft(last, base);
      const kept = turns().map(({ position }) => position);
      return new Set(drawn.filter((position) => !kept.includes(position)));
    });
    if (here !== before) stay(positionAt(here), steps);
    page.enter(study);
    // What was answered in the game has done its work.
    const known = [...turns().map(({ position }) => position), ...pathTo(base).map(positionAt)];
    const n = drawn.filter((position) => !known.includes(position)).length;
    const played = playedSince(before);
    const moved =
      played === null ? t('conditional.taken_back') : t('conditional.moved', { turns: playedWords(played) });
    tellOfGame(n === 0 ? moved : `${moved} ${t('conditional.gone', { n })}`);
    return false;
  }

  /** Shows a position that was looked at in an earlier tree, with the turn that was being drawn up there. If it is gone, the
   * present one is shown.
   * @param {string} position
   * @param {string[]} steps
   */
  function stay(position, steps) {
    const node = allFrom(study.root).find((node) => positionAt(node) === position);
    if (node === undefined) return;
    study.goTo(node);
    steps.forEach(study.local.take);
  }

  /** @param {Node[]} played */
  const playedWords = (played) =>
    played
      .map(
        ({ move }) =>
          `${t('game.turn', { n: move?.number ?? 0 })}${t('page.colon')}${stepsWords(move?.steps ?? [])}.`,
      )
      .join(' ');

  /** Reads and saves one after another: each may change the tree.
   * @param {() => Promise<void>} work
   */
  function inTurn(work) {
    working = working.then(work);
    return working;
  }

  const look = () =>
    inTurn(async () => {
      if (document.hidden || isOver) return;
      // Without an answer, the game is read before anything is saved.
      await isCurrent().catch(() => {});
      page.draw();
    });

  /** Looks at the game when a turn is played in it, when the page is seen again and after the line was cut; asks before what is
   * not saved is left. */
  function follow() {
    let wasAway = false;
    document.addEventListener('visibilitychange', look);
    addEventListener('beforeunload', (event) => {
      if (!isSaved()) event.preventDefault();
    });
    addEventListener('turnschanged', look);
    openConnection({
      onMessage() {},
      onNews(news) {
        if (news === 'online') sessionWorks();
        if (news === 'online' && wasAway) look();
        wasAway = news !== 'online';
      },
      renewSession: openSession,
      leavesSession,
      ready: openSession(),
    });
  }

  // --- Saving ---

  async function save() {
    if (isBusy || isOver || isSaved()) return;
    const all = turns();
    const tooMany = firstTooMany(all);
    if (tooMany !== null) return refuse(all[tooMany], t('conditional.too_many', { n: MAX_TURNS }));
    const { since } = game;
    isBusy = true;
    refusal = null;
    page.draw();
    await inTurn(() => send(all, since));
    isBusy = false;
    page.draw();
  }

  /** Sends the turns, unless the game moves on from where they begin.
   * @param {(Placed | ConditionalTurn)[]} all
   * @param {number} since
   */
  async function send(all, since) {
    try {
      if (game.since === since && (await isCurrent())) {
        await page.setConditional(game.id, bare(all));
        stored = bare(all);
        // The other side may have played meanwhile.
        if (await isCurrent())
          tell(t(all.length === 0 ? 'conditional.saved_none' : 'conditional.saved', { n: all.length }));
      }
    } catch (error) {
      const { turn, flaw } = /** @type {ApiError} */ (error);
      const words = flaw === null || flaw === undefined ? page.wordsOf(error) : page.flawWords(flaw);
      refuse(turn === null || turn === undefined ? null : all[turn], words);
    }
  }

  /** @param {Placed | ConditionalTurn | null} turn
   * @param {string} words */
  function refuse(turn, words) {
    told = '';
    refusal = { about: turn !== null && 'node' in turn ? turn.node : turn, words };
    announce(words, 'assertive');
    page.showLines();
    page.draw();
  }

  /** @param {Node} node */
  function remove(node) {
    const left = pruned(base, mine, node);
    page.go(allFrom(study.root).includes(study.here) ? study.here : left);
    tell(t('conditional.removed'));
    page.draw();
    page.focusStatus();
  }

  /** @param {ConditionalTurn} turn */
  function removeUntraced(turn) {
    untraced = untraced.filter((other) => other !== turn);
    tell(t('conditional.removed'));
    page.draw();
    page.focusStatus();
  }

  // --- Words ---

  /** @param {Line} line */
  function wordsOf({ kind, ifs, answer }) {
    const args = {
      if: ifs.map(({ move }) => stepsWords(move?.steps ?? [])).join(' → '),
      answer: stepsWords(answer?.move?.steps ?? []),
    };
    if (kind === 'own') return t('conditional.after_own', args);
    if (answer === null) return t('conditional.if', args);
    return t(ifs.length === 0 ? 'conditional.then' : 'conditional.if_then', args);
  }

  /** @param {ConditionalTurn} turn */
  function untracedWords({ position, actions }) {
    const { id } = engine.open(game.ruleset, position);
    const { steps } = engine.play(id, actions);
    engine.close(id);
    return t('conditional.untraced', { turn: String(numberOf(position)), answer: stepsWords(steps) });
  }

  /** A line of the list.
   * @param {string} words
   * @param {string | null} note
   * @param {Node | ConditionalTurn} about
   * @param {{ isHere?: boolean, go?: () => void, remove: () => void, next?: unknown }} more
   */
  const item = (words, note, about, { isHere = false, go, remove, next = nothing }) => html`<li>
      <div class="if-then">
        ${go === undefined ? html`<span>${unbroken(words)}</span>` : html`<button class="quiet turn-button" aria-current=${isHere ? 'step' : nothing} @click=${go}>${unbroken(words)}</button>`}
        <button class="quiet icon" title=${t('conditional.remove')} aria-label=${t('conditional.remove_line', { line: words })} @click=${remove}>${page.icon('close')}</button>
      </div>
      ${note === null ? nothing : html`<p class="hint">${note}</p>`}
      ${refusal?.about === about ? html`<p class="error">${refusal.words}</p>` : nothing}
      ${next}
    </li>`;

  /** @param {Line[]} all
   * @returns {unknown} */
  const items = (all) =>
    all.map((line) => {
      const { kind, answer, ifs, lines: next } = line;
      const node = answer ?? ifs[ifs.length - 1];
      const isStored = kind === 'stored' || kind === 'own';
      return item(wordsOf(line), isStored ? null : t(`conditional.${kind}`), node, {
        isHere: node === study.here,
        go: () => page.go(node),
        remove: () => remove(node),
        next: next.length === 0 ? nothing : html`<ul>${items(next)}</ul>`,
      });
    });

  /** @param {string} look */
  const saveButton = (look) =>
    html`<button class=${look} aria-disabled=${isSaved() || isBusy || isOver} @click=${save}>${t('conditional.save')}</button>`;

  /** How many answers there are, and whether they are saved; nothing where there was never one. */
  function countLine() {
    const n = turns().length;
    const saved = isSaved();
    if (n === 0 && saved) return nothing;
    return html`<p class="hint">${t(saved ? 'conditional.is_saved' : 'conditional.is_unsaved', { n, of: MAX_TURNS })}</p>`;
  }

  function panel() {
    const all = lines();
    return html`<div class="opinion-head"><h2 id="opinion-title">${t('conditional.lines')}</h2> ${saveButton('primary')}</div>
      ${countLine()}
      ${told === '' ? nothing : html`<p class="notice">${unbroken(told)}</p>`}
      ${refusal !== null && refusal.about === null ? html`<p class="error">${refusal.words}</p>` : nothing}
      <p class="hint">${t(isMineAt(base) ? 'conditional.own' : 'conditional.draw')}</p>
      ${
        all.length + untraced.length === 0
          ? html`<p class="empty">${t('conditional.none')}</p>`
          : html`<ul class="if-then-list">${items(all)}
              ${untraced.map((turn) => item(untracedWords(turn), null, turn, { remove: () => removeUntraced(turn) }))}</ul>`
      }
      <p class="hint">${t('conditional.secret', { name })}</p>`;
  }

  await load(game);
  follow();
  return {
    /** The analysis to be shown. */
    get study() {
      return study;
    },
    /** The id of the game. */
    game: game.id,
    panel,
    /** The button that saves, beside those of a turn: shown where the lines are behind a tab. */
    saveButton: () => saveButton('primary save-lines'),
    /** The mark on the tab of the lines. */
    mark: () =>
      isSaved()
        ? nothing
        : html`<span class="badge" aria-hidden="true">•</span><span class="sr">${t('conditional.unsaved')}</span>`,
    /** Whether a turn can be drawn at a node: after the present position of the game.
     * @param {Node} node
     */
    isOpen: (node) => node === base || !isPlayed(base, node),
    /** Whether a turn can be removed from the tree.
     * @param {Node} node
     */
    isDrawn: (node) => !isPlayed(base, node),
    /** What the player does at a node.
     * @param {Node} node
     */
    words(node) {
      if (node === newsAt) return t('conditional.news');
      if (node !== base && isPlayed(base, node)) return t('conditional.past');
      if (node === base && isMineAt(node)) return t('conditional.own_now');
      const next = isMineAt(node) ? t('conditional.answer') : t('conditional.theirs', { name });
      return isSaved() ? next : `${next} ${t('conditional.unsaved')}`;
    },
    /** A change of the tree. */
    changed() {
      told = '';
      newsAt = null;
      refusal = null;
    },
  };
}
