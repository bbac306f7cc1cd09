// The analysis board: any position or game, with branches, notes, and the computer's opinion. Nothing of it leaves the
// page; its address has all of it after the #.

import { actionBar, bar, cardChoice, headingPanel, statusPanel, toolBar } from '../analysis/study-panels.js';
import { bringForm } from '../analysis/bring.js';
import { createCoursePanel } from '../analysis/evaluation-panel.js';
import { fragmentOf } from '../analysis/fragment.js';
import { createOpinion } from '../analysis/opinion.js';
import { branchBar, notesPanel, opinionPanel, turnTree } from '../analysis/tree-panels.js';
import { UnderWay, gameOfDocument, studyAt, studyOf, studyOfGame } from '../analysis/sources.js';
import { lineFrom, nodeByKey, promote, removed } from '../analysis/tree.js';
import { withArrow } from '../board/arrows.js';
import { createBoard } from '../board/board.js';
import { cellsIn, createHints } from '../board/hints.js';
import { gameOf } from '../board/looks.js';
import { Refused, engineOfPage } from '../engine/engine.js';
import { followKeys } from '../panels/board-tools.js';
import { createBoardTabs } from '../panels/board-tabs.js';
import { walkBar } from '../panels/walk.js';
import { ApiError, getConditional, getGame, getReview, setConditional } from '../connection/api.js';
import { gameIdIn } from '../connection/links.js';
import { cardsPanel } from '../panels/card-packs.js';
import { showFailure } from '../panels/missing-game.js';
import { isForConditional, otherSide, takesConditional } from '../session/game-model.js';
import { calledName } from '../session/player-names.js';
import { keepInView, spokenWords, stepsWords, strip } from '../panels/turns-and-players.js';
import { actionsOf, earlyEnd, turnDraftOf } from '../engine/turn-draft.js';
import { ruleBehind } from '../session/clauses.js';
import { readTurn } from '../session/moments.js';
import { matchSource } from '../session/match-source.js';
import { createSession, drawnUp } from '../session/board-session.js';
import { sessionStore } from '../session/session-state.js';
import { saveText } from '../ui/file.js';
import { insist, loadPart } from '../ui/loading.js';
import { beginHeader } from '../ui/header.js';
import {
  announce,
  byId,
  focusStatus,
  icon,
  recall,
  remember,
  renderAll,
  sideName,
  t,
  wordsOf,
} from '../ui/page.js';
import { flawWords, sentence } from '../ui/trouble.js';
import { offerWayOutOfZen, toggleZen } from '../panels/zen.js';
import { html, nothing } from '../vendor/lit-html@3.3.3/lit-html.js';

/** @import { Side, Step } from '../protocol.js' */
/** @import { Arrow } from '../board/arrows.js' */
/** @import { Conditional } from '../analysis/conditional.js' */
/** @import { Opinion } from '../analysis/opinion.js' */
/** @import { Study } from '../analysis/study.js' */
/** @import { Node } from '../analysis/tree.js' */
/** @import { Game } from '../session/game-model.js' */

/** Changes of the address, of which browsers refuse too many. */
const ADDRESS_AFTER_MS = 300;

beginHeader();
const tabs = createBoardTabs(['frame', 'turns', 'review', 'opinion', 'more']);
offerWayOutOfZen();
const engine = await insist('engine', engineOfPage);

const store = sessionStore({
  study: /** @type {Study | null} */ (null),
  opinion: /** @type {Opinion | null} */ (null),
  /** Whether the search for an opinion failed. */
  isFailed: false,
  /** Whether opinions are wanted. */
  isOn: recall('opinion') !== 'off',
  /** Number of actions of the turn that are on the board; null for all. */
  looked: /** @type {number | null} */ (null),
});
const { state } = store;
/** @type {Study} */
let study;
/** The game that the address names, its line, which was the main one then, and the side that the visitor played.
 * @type {{ id: string, line: Node[], mine: Side | null } | null} */
let named = null;
/** @type {ReturnType<typeof createHints>} */
let hints;
let addressTimer = 0;
/** Whether the analysis is too long for the address. */
let isLong = false;
/** The conditional turns of a game in which the visitor plays: there is no opinion, no evaluation and no note then.
 * @type {Conditional | null} */
let conditional = null;

const session = createSession({
  store,
  place: byId('board'),
  create: createBoard,
  contents,
  ruleBehind,
  isShared: () => true,
  taken(turnDraft) {
    store.update({ looked: null });
    // A turn that was completed is a turn of the tree, and easily left again.
    if (turnDraft?.complete) playTurn();
  },
  back() {
    if (mayGoBack() && study.here.parent !== null) go(study.here.parent);
  },
  marked: setMarks,
  toggleZen,
});
const { update, copyLink, explain } = session;
const draw = () => update({});

const search = createOpinion((opinion, isFailed) => {
  store.update({ opinion, isFailed });
  if (opinion?.isDone && opinion.lines[0]?.wins)
    announce(t('analysis.wins_now', { side: sideName(study.ruleset, study.local.match.turn.side) }));
});
const course = createCoursePanel({
  study: () => study,
  go,
  draw,
  think,
  keep: keepAddress,
  play: playLine,
  retry() {
    study.local.restart();
    session.show();
  },
  looked: () => state.looked,
  look: (looked) => update({ looked }, []),
  game: gameShown,
  mine: () => (gameShown() === null ? null : (named?.mine ?? null)),
});

// --- The study ---

/** Shows another analysis.
 * @param {Study} next
 */
function enter(next) {
  course.reset();
  named = null;
  study?.close();
  study = next;
  const isOpen = () => conditional === null || conditional.isOpen(study.here);
  const source = matchSource(study.ruleset, study.local, { isOpen, confirm: playTurn });
  const before = session.board;
  session.lay(study.ruleset);
  if (session.board !== before) hints = createHints(byId('board'), study.ruleset);
  arrive([], { source });
}

/** Shows the node that the study has come to.
 * @param {Step[]} animate
 * @param {Partial<typeof state>} [more]
 */
function arrive(animate, more = {}) {
  course.check();
  update({ study, notice: null, making: false, looked: null, ...more }, animate);
  session.board?.setArrows(study.here.marks);
  think();
}

function think() {
  if (state.isOn && conditional === null && course.task() === null) return search.ask(study);
  search.stop();
  store.update({ opinion: null });
}

/** @param {Node} node */
function go(node) {
  const isNext = node.parent === study.here;
  session.board?.pick(null);
  study.goTo(node);
  arrive(isNext ? (node.move?.steps ?? []) : []);
  keepAddress();
  const { move } = node;
  announce(
    move === null
      ? t('replay.start')
      : `${t('replay.at', { turn: move.number, side: sideName(study.ruleset, move.side) })}${t('page.colon')}${move.steps.map(spokenWords).join('; ')}`,
  );
}

/** The id of the game that is on the main line; null once another line has taken its place. */
function gameShown() {
  const line = lineFrom(study.root);
  return named?.line.every((node, index) => node === line[index]) ? named.id : null;
}

/** The address of the page with its game, its lesson, and the side at the lower edge of the board. */
function addressNow() {
  const query = new URLSearchParams();
  const [game, { lesson }] = [gameShown(), course];
  const language = new URLSearchParams(location.search).get('lang');
  if (game !== null) query.set('game', game);
  if (game !== null && named?.mine) query.set('mine', named.mine);
  if (lesson !== null) {
    query.set('learn', lesson.side);
    query.set('mistake', String(lesson.at + 1));
  }
  if (bottom() !== (lesson?.side ?? 'second')) query.set('side', bottom());
  if (language !== null) query.set('lang', language);
  return query.size === 0 ? '/analysis' : `/analysis?${query}`;
}

/** Has the address name the analysis as it is. */
function keepAddress() {
  if (conditional !== null) return;
  clearTimeout(addressTimer);
  addressTimer = window.setTimeout(async () => {
    const fragment = await fragmentOf(study.text(), study.numberOf(study.here));
    if (fragment !== null) history.replaceState(null, '', `${addressNow()}${fragment}`);
    else if (!isLong) explain('analysis.share_long');
    isLong = fragment === null;
  }, ADDRESS_AFTER_MS);
}

/** Changes the tree, and shows it.
 * @param {() => void} edit
 */
function editTree(edit) {
  edit();
  conditional?.changed();
  course.check();
  draw();
  keepAddress();
}

// --- The turn ---

function playTurn() {
  const { local } = study;
  if (!local.isPlayable) return;
  if (course.isLearning) {
    const end = earlyEnd(local.turnDraft);
    course.attempt([...actionsOf(local.turnDraft), ...(end === undefined ? [] : [end.text])]);
    return;
  }
  study.play();
  conditional?.changed();
  arrive([]);
  keepAddress();
}

/** @param {string[]} actions */
function playLine(actions) {
  study.playWhole(actions);
  arrive(study.here.move?.steps ?? []);
  keepAddress();
}

/** @param {string} where a key that leads through the turns */
function showMoment(where) {
  const node = nodeByKey(study.here, where);
  if (node !== null && node !== study.here) go(node);
}

// --- Notes ---

/** @param {readonly Arrow[]} marks */
function setMarks(marks) {
  editTree(() => {
    study.here.marks = marks;
  });
}

/** @param {string} text
 * @returns {boolean} */
function markTyped(text) {
  const { cells } = gameOf(study.ruleset).grid;
  const marked = cellsIn(text);
  const [from, to = from] = marked;
  if (from === undefined || marked.length > 2 || marked.some((cell) => !cells.includes(cell))) {
    explain('analysis.mark_wrong');
    return false;
  }
  setMarks(withArrow(study.here.marks, { from, to, isOther: false }));
  session.board?.setArrows(study.here.marks);
  return true;
}

// --- Tools ---

async function share() {
  const fragment = await fragmentOf(study.text(), study.numberOf(study.here));
  if (fragment === null) return explain('analysis.share_long');
  await copyLink(`/analysis${fragment}`);
}

function flip() {
  session.flip();
  keepAddress();
}

const download = () => saveText(`towers-${study.ruleset}-analysis.txt`, study.text());

// --- Drawing ---

/** @returns {Side} */
const bottom = () => (state.flipped ? 'first' : 'second');

function contents() {
  if (state.study === null) return null;
  const { turnDraft, match } = study.local;
  const { move, parent } = study.here;
  if (state.looked !== null && move !== null) {
    const steps = move.steps.slice(0, state.looked);
    const position = steps.at(-1)?.position ?? parent?.move?.position ?? study.startText;
    const turn = { ...readTurn(position, null), threats: steps.at(-1)?.threats ?? null };
    return {
      bottom: bottom(),
      shown: drawnUp(turnDraftOf(turn, null), { mySide: null, legal: null, lastSteps: steps }),
    };
  }
  const isOpen = state.turnDraft !== null && match.outcome === null && !study.isWaiting;
  const legal = isOpen ? (turnDraft.legal ?? []) : null;
  const more = { mySide: turnDraft.turn.side, legal, lastSteps: study.here.move?.steps ?? [] };
  return { bottom: bottom(), shown: drawnUp(turnDraft, more, state.making) };
}

/** Draws all but the board and the opinion. */
store.subscribe(
  ({ opinion: _opinion, isFailed: _isFailed, ...rest }) => Object.values(rest),
  (now) => {
    if (now.study === null) return;
    const { ruleset, local, isWaiting, here } = study;
    const { turn } = local.turnDraft;
    const view = { ...now, study };
    const title = t(conditional === null ? 'analysis.title' : 'conditional.title');
    document.title = t('page.title', { page: title });
    document.body.classList.toggle('learning', course.lesson !== null);
    const cards = cardChoice(study, { choose: chooseCard, unchoose: changeCard });
    renderAll({
      heading: headingPanel(study, title, conditional?.game ?? null),
      'bar-top': bar(view, otherSide(bottom()), session),
      'bar-bottom': bar(view, bottom(), session),
      status: statusPanel(
        view,
        course.task(),
        course.afterwards(now.isOn),
        conditional?.words(here) ?? t('analysis.try'),
      ),
      strip:
        local.match.outcome === null && !course.isAnswered
          ? html`${cards} ${isWaiting ? nothing : strip(ruleset, turn, null)}`
          : nothing,
      actions:
        course.walk() ??
        html`${actionBar(view, session, mayGoBack())} ${conditional?.saveButton() ?? nothing}`,
      cards: cardsPanel(ruleset, turn.cards),
      turns: turnsPanel(),
      tools: toolBar(
        view,
        session,
        conditional === null ? { flip, share, download } : { flip, share: null, download: null },
      ),
    });
    if (conditional === null)
      renderAll({
        notes: notesPanel(here, notes),
        review: course.panel(bottom()),
        bring: bringForm(ruleset, bring),
      });
    keepInView(byId('turns'), byId('turns').querySelector('[aria-current]'));
  },
);

store.subscribe(Object.values, ({ study: shown, isOn, opinion, isFailed }) => {
  if (shown === null) return;
  if (conditional !== null) {
    tabs.mark('opinion', conditional.mark());
    return renderAll({ opinion: conditional.panel() });
  }
  const isHidden = course.task() !== null;
  const { ruleset, local, isWaiting } = study;
  byId('opinion').classList.toggle('off', isHidden);
  const { side } = local.match.turn;
  const answer = { isOn, opinion, isFailed, isWaiting, reviewed: course.scoreHere };
  const panel = { ruleset, side, ...answer, play: playLine, toggle: toggleOpinion };
  renderAll({ opinion: opinionPanel(panel) });
  const { steps, made } = course.drawn;
  const best = isHidden ? [{ steps }] : isOn ? (opinion?.lines ?? []) : [];
  hints.show(local.turnDraft.steps.length === 0 ? best : [], bottom() === 'first', isHidden ? made : 0);
});

function toggleOpinion() {
  store.update({ isOn: !state.isOn });
  remember('opinion', state.isOn ? 'on' : 'off');
  think();
}

/** Whether the turns before the present one may be taken back: not in a lesson, nor those that a game under way has had. */
const mayGoBack = () => !course.isLearning && (conditional?.isDrawn(study.here) ?? true);

const mayRemove = () => conditional?.isDrawn(study.here) ?? study.here.parent !== null;

const turnsPanel = () =>
  html`<div class="turns-head"><h2 id="turns-title" class="sr">${t('analysis.turns')}</h2> ${walkBar(showMoment, study.here.parent === null, study.here.children.length === 0)}</div>
    ${turnTree(study, go)}
    ${branchBar(study, mayRemove(), {
      promote: () => editTree(() => promote(study.here)),
      remove() {
        if (!mayRemove()) return;
        go(removed(study.here));
        conditional?.changed();
        draw();
        announce(t('analysis.removed'));
      },
    })}
    <p class="hint by-key">${t('analysis.keys')}</p>`;

const notes = {
  comment: (/** @type {string} */ text) =>
    editTree(() => {
      study.here.comment = text;
    }),
  rate: (/** @type {Node['glyph']} */ glyph) =>
    editTree(() => {
      study.here.glyph = study.here.glyph === glyph ? null : glyph;
    }),
  mark: markTyped,
  unmark(/** @type {Arrow} */ mark) {
    setMarks(study.here.marks.filter((each) => each !== mark));
    session.board?.setArrows(study.here.marks);
  },
};

/** @param {number} card */
function chooseCard(card) {
  study.choose(card);
  arrive([]);
}

function changeCard() {
  study.unchoose();
  arrive([]);
}

/** Shows the analysis of a text.
 * @type {Parameters<typeof bringForm>[1]}
 */
function bring(ruleset, text) {
  enter(studyOf(engine, ruleset, text));
  keepAddress();
}

// --- The page ---

/** @param {unknown} error */
const showTrouble = (error) => showFailure(error, '/analysis', t('analysis.own'));

/** @param {Game} game */
function refuse(game) {
  const { id } = game;
  const [title, words] = isForConditional(game)
    ? [t('conditional.after_first'), t('conditional.after_first_words')]
    : [t('analysis.refused'), t('analysis.refused_words')];
  document.body.classList.add('refused');
  document.title = t('page.title', { page: t('analysis.title') });
  renderAll({
    heading: html`<h1>${t('analysis.title')}</h1>`,
    status: html`<h2>${title}</h2> <p>${words}</p>
      <p class="buttons"><a class="button primary" href=${`/game/${id}`}>${t('analysis.to_game')}</a>
        <a class="button" href="/analysis">${t('analysis.own')}</a></p>`,
  });
}

/** Shows a game under way in which the visitor plays, with its conditional turns.
 * @param {UnderWay} underWay
 */
async function prepare({ game, mine }) {
  const { id } = game;
  const { openConditional } = await loadPart('conditional', document.body.dataset.conditional ?? '');
  tabs.remove('review');
  tabs.rename('opinion', 'conditional.lines');
  document.body.classList.add('conditional');
  /** @type {import('../analysis/conditional.js').Page} */
  const page = {
    engine,
    studyOf: (now) => studyOfGame(engine, now),
    read: () => gameOfDocument(id, () => getGame(id)),
    takesConditional,
    parse: gameOf(game.ruleset).parse,
    getConditional,
    setConditional,
    enter,
    go,
    draw,
    focusStatus,
    showLines: () => byId('opinion').hidden && tabs.open('opinion'),
    t,
    announce,
    wordsOf,
    flawWords: (flaw) => sentence(flawWords(flaw)),
    stepsWords,
    icon,
  };
  const opened = await openConditional(page, game, mine, calledName(game, otherSide(mine)));
  conditional = opened;
  enter(opened.study);
  update({ flipped: mine === 'first' }, []);
}

/** Shows the review of the game that an address names, and takes up the lesson and the side that it has.
 * @param {URL} address
 */
async function takeUp({ searchParams, hash }) {
  const [game, learn, side, own] = ['game', 'learn', 'side', 'mine'].map((key) => searchParams.get(key));
  const id = game === null ? null : (gameIdIn(game) ?? game);
  const [shown, there] = [study, study.here];
  const mine = own === 'first' || own === 'second' ? own : null;
  if (id !== null) named = { id, line: lineFrom(study.root), mine };
  update({ flipped: (side ?? learn) === 'first' }, []);
  const review = id === null ? null : await getReview(id).catch(() => null);
  if (shown !== study) return;
  if (review !== null && 'turns' in review && review.turns.length > 0) course.takeOver(review.turns);
  if (learn !== 'first' && learn !== 'second') return;
  const at = Math.max(0, (Number.parseInt(searchParams.get('mistake') ?? '', 10) || 1) - 1);
  // Of a review that is gone, and of a line without one, the turns are evaluated here.
  if (review !== null && 'turns' in review) course.learn(learn, at);
  else await course.evaluateAndLearn(learn, at);
  if (hash !== '') await course.resume(there);
}

/** Opens what the address names, or says why it cannot be. */
async function open() {
  const address = new URL(location.href);
  document.body.classList.remove('refused');
  try {
    enter(await studyAt(engine, address, showTrouble));
    await takeUp(address);
    return;
  } catch (error) {
    if (error instanceof UnderWay)
      return takesConditional(error.game) ? prepare(error).catch(showTrouble) : refuse(error.game);
    if (error instanceof ApiError) return showTrouble(error);
    // A damaged link fails in many ways.
    if (address.hash === '' && !(error instanceof Refused)) throw error;
  }
  enter(studyOf(engine, 'fibonacci', ''));
  explain(address.hash === '' ? 'analysis.bring_position' : 'analysis.bring_link');
}

followKeys((key) => study !== undefined && nodeByKey(study.here, key) !== null, showMoment);
// Another link in the address opens its analysis; a jump within the page leaves the present one.
window.addEventListener('hashchange', () => {
  if (location.hash.startsWith('#a=')) return conditional === null ? open() : location.reload();
  if (study !== undefined) keepAddress();
});
await open();
