// The analysis board: any position or game, with branches, notes, and the computer's opinion. Nothing of it leaves the
// page; its address has all of it after the #.

import { fragmentOf } from '../analysis/link.js';
import { createCoursePanel } from '../analysis/course-panel.js';
import { createHints } from '../analysis/hints.js';
import { createOpinion } from '../analysis/opinion.js';
import { branchBar, notesPanel, opinionPanel, turnTree } from '../analysis/panels.js';
import { UnderWay, faultWords, studyAt, studyOf } from '../analysis/sources.js';
import { nodeByKey, promote, removed } from '../analysis/tree.js';
import { withArrow } from '../board/arrows.js';
import { createBoard } from '../board/board.js';
import { gameOf } from '../board/games.js';
import { Refused, engineOfPage } from '../engine/engine.js';
import { linkedGame } from '../net/links.js';
import { tool, typedMove, walkBar } from '../live/tools.js';
import { restOf } from '../local/shuffle.js';
import { cardsPanel } from '../play/cards.js';
import { showKeys } from '../play/show-keys.js';
import { otherSide, takenIn } from '../play/model.js';
import { keepInView, playerBar, reserveTray, spokenWords, strip, takenNotes } from '../play/panels.js';
import { ruleBehind } from '../play/rules.js';
import { actionsOf as actionsOn, earlyEnd } from '../play/seat.js';
import { copied } from '../play/share.js';
import { ApiError } from '../net/api.js';
import { insist } from '../ui/loading.js';
import {
  RULESETS,
  announce,
  byId,
  icon,
  leadToRules,
  recall,
  remember,
  resultWords,
  rulesetName,
  showHeader,
  sideName,
  t,
  wordsOf,
} from '../ui/page.js';
import { offerPreferences, showPreferences, toggleZen } from '../ui/preferences-dialog.js';
import { prepared } from '../ui/pasted.js';
import { html, nothing, render } from '../vendor/lit-html@3.3.3/lit-html.js';

/** @import { LegalAction, Outcome, Ruleset, Side, Step } from '../protocol.js' */
/** @import { Args } from '../i18n.js' */
/** @import { Arrow } from '../board/arrows.js' */
/** @import { Held } from '../board/board.js' */
/** @import { Opinion } from '../analysis/opinion.js' */
/** @import { Study } from '../analysis/study.js' */
/** @import { Node } from '../analysis/tree.js' */

/** Changes of the address, of which browsers refuse too many. */
const ADDRESS_AFTER_MS = 300;
/** Elements whose own keys lead elsewhere. */
const ELSEWHERE = '#board, input, select, textarea, dialog, [role="slider"]';
const CELLS = /[a-z]\d{1,2}/g;

showHeader('analysis');
offerPreferences();
const engine = await insist('engine', engineOfPage);

/** @type {Study} */
let study;
/** @type {ReturnType<typeof createBoard>} */
let board;
/** @type {ReturnType<typeof createHints>} */
let hints;
/** @type {Ruleset | null} */
let boardOf = null;
/** @type {Opinion | null} */
let opinion = null;
let isFailed = false;
let isOn = recall('opinion') !== 'off';
let flipped = false;
let making = false;
/** @type {Held} */
let held = { reserve: false, jumps: 0 };
/** @type {{ text: string, rule: string | null } | null} */
let notice = null;
let addressTimer = 0;
/** Whether the analysis is too long for the address. */
let isLong = false;

const thought = createOpinion((next, failed) => {
  opinion = next;
  isFailed = failed;
  if (next?.isDone && next.lines[0]?.wins)
    announce(t('analysis.wins_now', { side: sideName(study.ruleset, study.local.match.turn.side) }));
  drawOpinion();
});
const course = createCoursePanel({ study: () => study, go, draw, think });

// --- The study ---

/** Shows another analysis.
 * @param {Study} next
 */
function enter(next) {
  course.reset();
  study?.close();
  study = next;
  [notice, making] = [null, false];
  leadToRules(study.ruleset);
  setBoard(study.ruleset);
  arrive([]);
}

/** Shows the node that the study has come to.
 * @param {readonly Step[]} animate
 */
function arrive(animate) {
  [notice, making] = [null, false];
  course.check();
  show(animate);
  board.setArrows(study.here.marks);
  think();
}

function think() {
  if (isOn && course.task() === null) return thought.ask(study);
  thought.stop();
  opinion = null;
  drawOpinion();
}

/** @param {Node} node */
function go(node) {
  const isNext = node.parent === study.here;
  board.pick(null);
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

/** Has the address name the analysis as it is. */
function keepAddress() {
  clearTimeout(addressTimer);
  addressTimer = window.setTimeout(async () => {
    const fragment = await fragmentOf(study.text(), study.numberOf(study.here));
    if (fragment !== null) history.replaceState(null, '', `/analysis${fragment}`);
    else if (!isLong) explain('analysis.share_long');
    isLong = fragment === null;
  }, ADDRESS_AFTER_MS);
}

/** Changes the tree, and shows it.
 * @param {() => void} edit
 */
function change(edit) {
  edit();
  course.check();
  draw();
  keepAddress();
}

// --- The turn ---

/** @param {LegalAction} action
 * @param {'drawn' | 'typed'} how */
function take(action, how) {
  const { local } = study;
  if (action.kind === 'end') return playTurn();
  try {
    local.take(action.text);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    show([]);
    return explain('refusal.illegal', { i: local.desk.steps.length + 1 });
  }
  [notice, making] = [null, false];
  show(how === 'typed' ? local.desk.steps.slice(-1) : []);
  // A turn that was completed is a turn of the tree, and easily left again.
  if (local.desk.complete) playTurn();
}

function playTurn() {
  const { local } = study;
  if (!local.isPlayable) return;
  if (course.isLearning) {
    const end = earlyEnd(local.desk);
    const actions = [...actionsOn(local.desk), ...(end === undefined ? [] : [end.text])];
    local.restart();
    show([]);
    course.attempt(actions);
    return;
  }
  study.play();
  arrive([]);
  keepAddress();
}

/** @param {string[]} actions */
function playLine(actions) {
  study.playWhole(actions);
  arrive(study.here.move?.steps ?? []);
  keepAddress();
}

/** @param {number} count the steps that stay */
function takeBackTo(count) {
  const { local, here } = study;
  if (local.desk.steps.length === 0) {
    if (here.parent !== null) go(here.parent);
    return;
  }
  local.takeBackTo(count);
  show([]);
}

function undo() {
  if (!board.back()) takeBackTo(study.local.desk.steps.length - 1);
}

function restart() {
  board.pick(null);
  takeBackTo(0);
}

// --- Notes ---

/** @param {readonly Arrow[]} marks */
const setMarks = (marks) =>
  change(() => {
    study.here.marks = marks;
  });

/** @param {string} text
 * @returns {boolean} */
function markTyped(text) {
  const { cells } = gameOf(study.ruleset).grid;
  /** @type {string[]} */
  const named = text.toLowerCase().match(CELLS) ?? [];
  const [from, to = from] = named;
  if (from === undefined || named.length > 2 || named.some((cell) => !cells.includes(cell))) {
    explain('analysis.mark_wrong');
    return false;
  }
  setMarks(withArrow(study.here.marks, { from, to, isOther: false }));
  board.setArrows(study.here.marks);
  return true;
}

// --- Tools ---

/** @param {string} key
 * @param {Args} [args]
 * @param {string | null} [rule] */
function explain(key, args, rule = null) {
  notice = { text: t(key, args), rule };
  announce(notice.text);
  draw();
}

/** Copies a text and says so, or shows it where the browser does not let it be copied.
 * @param {string} text
 * @param {string} done
 */
async function copy(text, done) {
  notice = { text: (await copied(text)) ? t(done) : text, rule: null };
  announce(notice.text);
  draw();
}

async function share() {
  const fragment = await fragmentOf(study.text(), study.numberOf(study.here));
  if (fragment === null) return explain('analysis.share_long');
  await copy(new URL(`/analysis${fragment}`, location.origin).href, 'share.copied');
}

function download() {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([study.text()], { type: 'text/plain' }));
  link.download = `towers-${study.ruleset}-analysis.txt`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href));
}

/** @param {string} where a key that leads through the turns */
function look(where) {
  const node = nodeByKey(study.here, where);
  if (node !== null && node !== study.here) go(node);
}

/** @param {SubmitEvent} event */
function bring(event) {
  event.preventDefault();
  const form = /** @type {HTMLFormElement} */ (event.target);
  const field = /** @type {HTMLTextAreaElement} */ (form.elements.namedItem('text'));
  const data = new FormData(form);
  const ruleset = /** @type {Ruleset} */ (String(data.get('ruleset')));
  render(nothing, byId('bring-trouble'));
  const pasted = String(data.get('text'));
  const linked = linkedGame(pasted);
  if (linked !== null) return location.assign(`/analysis?game=${linked}`);
  const fragment = /#a=\S+/.exec(pasted);
  if (fragment !== null) return location.assign(fragment[0]);
  const text = prepared(pasted);
  // A refusal names lines of the text that it is about.
  field.value = text.trimEnd();
  try {
    enter(studyOf(engine, ruleset, text));
  } catch (error) {
    render(faultWords(error, text), byId('bring-trouble'));
    return;
  }
  byId('bring').querySelector('details')?.removeAttribute('open');
  keepAddress();
  byId('status').focus();
}

/** @param {'help' | 'preferences' | 'zen'} what */
function askFor(what) {
  if (what === 'help') showKeys(study.ruleset);
  else if (what === 'preferences') showPreferences();
  else toggleZen();
}

// --- Drawing ---

/** @param {Ruleset} ruleset */
function setBoard(ruleset) {
  if (boardOf === ruleset) return;
  boardOf = ruleset;
  const host = document.createElement('div');
  byId('board').replaceChildren(host);
  board = createBoard(host, {
    ...{ game: gameOf(ruleset), ruleset, t, announce, onAsk: askFor, onArrows: setMarks },
    ...{ onAction: (action) => take(action, 'drawn'), onUndo: undo, onRestart: restart },
    onExplain: (key, args) =>
      explain(
        key === 'board.why.not_yours' ? 'board.why.other_side' : key,
        args,
        ruleBehind(ruleset, study.local.desk.turn, key),
      ),
    onHold(next) {
      held = next;
      draw();
    },
  });
  hints = createHints(host, ruleset);
}

/** @returns {Side} */
const bottom = () => (flipped ? 'first' : 'second');

/** Shows the position on the board, and all beside it.
 * @param {readonly Step[]} animate
 */
function show(animate) {
  draw();
  const { desk, match } = study.local;
  const legal = (desk.legal ?? []).filter(({ kind }) => !making || kind === 'make');
  board.setFlipped(bottom() === 'first');
  board.show({
    turn: desk.turn,
    mySide: desk.turn.side,
    legal: match.outcome === null && !study.isWaiting ? legal : null,
    groups: desk.groups,
    barred: desk.barred,
    bestCapture: making ? null : desk.bestCapture,
    lastSteps: study.here.move?.steps ?? [],
    draftSteps: desk.steps,
    animate,
  });
}

/** Draws all but the board. If the focused element disappears, the status gets the focus. */
function draw() {
  const focused = document.activeElement;
  const { ruleset, local, headers } = study;
  const { turn } = local.desk;
  const [first, second] = [headers.get('first'), headers.get('second')];
  document.title = t('page.title', { page: t('analysis.title') });
  render(
    html`<h1>${t('analysis.title')}</h1>
      <p class="lead">${first && second ? t('analysis.from_game', { first, second }) : rulesetName(ruleset)} · <a href=${`/rules/${ruleset}`}>${t('page.rules')}</a></p>`,
    byId('heading'),
  );
  render(bar(otherSide(bottom())), byId('bar-top'));
  render(bar(bottom()), byId('bar-bottom'));
  render(status(), byId('status'));
  render(
    local.match.outcome === null
      ? html`${cardChoice()} ${study.isWaiting ? nothing : strip(ruleset, turn, null)} ${turn.cards && cardsPanel(ruleset, turn.cards, null)}`
      : nothing,
    byId('strip'),
  );
  render(actions(), byId('actions'));
  render(
    html`<div class="turns-head"><h2 id="turns-title">${t('analysis.turns')}</h2> ${walkBar(look, study.here.children.length === 0)}</div>
      ${turnTree(study, go)}
      ${branchBar(study, {
        promote: () => change(() => promote(study.here)),
        remove() {
          if (study.here.parent === null) return;
          go(removed(study.here));
          announce(t('analysis.removed'));
        },
      })}
      <p class="hint">${t('analysis.keys')}</p>`,
    byId('turns'),
  );
  render(
    notesPanel(study.here, {
      comment: (text) =>
        change(() => {
          study.here.comment = text;
        }),
      rate: (glyph) =>
        change(() => {
          study.here.glyph = study.here.glyph === glyph ? null : glyph;
        }),
      mark: markTyped,
      unmark(mark) {
        setMarks(study.here.marks.filter((each) => each !== mark));
        board.setArrows(study.here.marks);
      },
    }),
    byId('notes'),
  );
  render(course.panel(bottom()), byId('review'));
  render(tools(), byId('tools'));
  render(bringForm(), byId('bring'));
  drawOpinion();
  keepInView(byId('turns'), byId('turns').querySelector('[aria-current]'));
  if (focused !== null && !focused.isConnected) byId('status').focus();
}

function drawOpinion() {
  const isHidden = course.task() !== null;
  const { ruleset, local, isWaiting } = study;
  byId('opinion').hidden = isHidden;
  render(
    opinionPanel({
      ...{ ruleset, isOn, opinion, isFailed, isWaiting, play: playLine },
      side: local.match.turn.side,
      toggle() {
        isOn = !isOn;
        remember('opinion', isOn ? 'on' : 'off');
        think();
      },
    }),
    byId('opinion'),
  );
  const isOnTurn = isOn && !isHidden && local.desk.steps.length === 0;
  hints.show(isOnTurn ? (opinion?.lines ?? []) : [], bottom() === 'first');
}

/** @param {Side} side */
function bar(side) {
  const { ruleset, local, here, headers } = study;
  const { turn, steps } = local.desk;
  const path = [];
  for (let node = here; node.move !== null && node.parent !== null; node = node.parent) path.push(node.move);
  const taken = takenIn([...path, { side: turn.side, steps }]);
  const name = headers.get(side);
  const canDrop = turn.side === side && (local.desk.legal ?? []).some(({ kind }) => kind === 'drop');
  const press = canDrop ? { picked: held.reserve, press: () => board.pickReserve(!held.reserve) } : {};
  return playerBar({
    ...{ ruleset, side, name: name ?? sideName(ruleset, side), isNamed: name !== undefined },
    toMove: local.match.outcome === null && local.match.turn.side === side,
    notes: takenNotes(taken[side]),
    tray:
      turn.reserves === null ? nothing : reserveTray({ ruleset, side, men: turn.reserves[side], ...press }),
  });
}

/** The result in words.
 * @param {Outcome} outcome
 */
function endWords(outcome) {
  const { ruleset } = study;
  /** @param {Side} side */
  const seat = (side) => ({ id: side, name: sideName(ruleset, side) });
  return resultWords(ruleset, outcome, { first: seat('first'), second: seat('second') }, null);
}

function status() {
  const { ruleset, local, isWaiting } = study;
  const { outcome, turn } = local.match;
  const said =
    notice === null
      ? nothing
      : html`<p class="notice">${notice.text}
          ${notice.rule === null ? nothing : html`<a href=${`/rules/${ruleset}#${notice.rule}`}>${t('game.rule', { rule: notice.rule })}</a>`}</p>`;
  const task = course.task();
  if (task !== null) return html`${task} ${said}`;
  if (outcome !== null) {
    const { title, reason } = endWords(outcome);
    return html`<h2>${title}</h2> <p>${reason}</p> ${said}`;
  }
  return html`<h2>${t('replay.at', { turn: turn.number, side: sideName(ruleset, turn.side) })}</h2>
    <p>${t(isWaiting ? 'analysis.card_choose' : 'analysis.try')}</p> ${said}`;
}

/** The cards that may come, where the turn waits for one, or the one that came. */
function cardChoice() {
  const { turn } = study.local.match;
  if (turn.cards === null) return nothing;
  if (!study.isWaiting)
    return study.canChangeCard
      ? html`<p><button class="quiet" @click=${changeCard}>${t('analysis.card_change')}</button></p>`
      : nothing;
  const rest = new Set(restOf(turn.cards[turn.side]));
  return html`<div class="card-choice" role="group" aria-label=${t('analysis.card')}>
    ${[...rest].map((card) => html`<button aria-label=${t('cards.card', { n: card })} @click=${() => chooseCard(card)}>${card}</button>`)}
  </div>`;
}

/** @param {number} card */
function chooseCard(card) {
  study.choose(card);
  arrive([]);
}

function changeCard() {
  study.unchoose();
  arrive([]);
}

/** The buttons of a turn. They stay, so that a focus on them is not lost. */
function actions() {
  const { desk, match, isPlayable } = study.local;
  if (match.outcome !== null || study.isWaiting) return nothing;
  const canUndo = desk.steps.length > 0 || held.jumps > 0;
  const end = earlyEnd(desk);
  const canMake = desk.turn.owed?.must === false && (desk.legal ?? []).some(({ kind }) => kind === 'make');
  const mustCapture = !making && desk.bestCapture !== null;
  return html`${mustCapture ? html`<button class="quiet" @click=${() => board.showCapture()}>${icon('eye')} <span>${t('game.show_captures')}</span></button>` : nothing}
    ${canMake ? html`<button aria-pressed=${making} @click=${makeInstead}>${icon('stack')} <span>${t('game.make')}</span></button>` : nothing}
    <button class="quiet" title=${t('game.undo_long')} aria-disabled=${!canUndo && study.here.parent === null} @click=${undo}>${icon('undo')} <span>${t('game.undo')}</span></button>
    <button class="quiet" title=${t('game.restart_long')} aria-disabled=${!canUndo} @click=${canUndo ? restart : nothing}>${icon('restart')} <span>${t('game.restart')}</span></button>
    ${
      desk.turn.allowance === null
        ? nothing
        : html`<button class="confirm" aria-disabled=${!isPlayable} @click=${playTurn}>${icon('check')}
          <span>${end === undefined ? t('game.confirm') : t('game.end_early', { n: desk.turn.allowance.left })}</span></button>`
    }`;
}

function makeInstead() {
  making = !making;
  show([]);
}

function flip() {
  flipped = !flipped;
  show([]);
}

function tools() {
  const { ruleset, local } = study;
  const { position } = local.desk.turn;
  return html`<div class="icons">
      ${tool('game.flip', icon('flip'), flip)} ${tool('analysis.share', icon('share'), share)}
      ${tool('replay.copy', icon('copy'), () => copy(position, 'replay.copied'))}
      ${tool('analysis.download', icon('download'), download)}
    </div>
    ${
      local.match.outcome !== null || study.isWaiting
        ? nothing
        : typedMove(ruleset, { take, explain, seat: { desk: local.desk, isAsking: false } })
    }`;
}

const bringForm = () => html`<details class="bring"><summary>${t('analysis.bring')}</summary>
  <form @submit=${bring}>
    <label class="field">${t('analysis.bring_game')}
      <select name="ruleset">${RULESETS.map((name) => html`<option value=${name} ?selected=${name === study.ruleset}>${rulesetName(name)}</option>`)}</select>
    </label>
    <label class="field">${t('analysis.bring_text')}
      <textarea name="text" rows="3" spellcheck="false" autocapitalize="off"></textarea>
    </label>
    <p class="error" role="alert" id="bring-trouble"></p>
    <button>${t('analysis.bring_show')}</button>
  </form></details>`;

// --- The page ---

/** @param {unknown} error */
function showTrouble(error) {
  const words = wordsOf(error);
  render(
    html`<h2>${words}</h2> <p><a class="button" href="/analysis">${t('analysis.own')}</a></p>`,
    byId('status'),
  );
  announce(words, 'assertive');
}

/** @param {string} id */
function refuse(id) {
  document.body.classList.add('refused');
  document.title = t('page.title', { page: t('analysis.title') });
  render(html`<h1>${t('analysis.title')}</h1>`, byId('heading'));
  render(
    html`<h2>${t('analysis.refused')}</h2> <p>${t('analysis.refused_words')}</p>
      <p class="buttons"><a class="button primary" href=${`/game/${id}`}>${t('analysis.to_game')}</a>
        <a class="button" href="/analysis">${t('analysis.own')}</a></p>`,
    byId('status'),
  );
}

/** Opens what the address names, or says why it cannot be. */
async function open() {
  const address = new URL(location.href);
  document.body.classList.remove('refused');
  try {
    enter(await studyAt(engine, address, showTrouble));
    return;
  } catch (error) {
    if (error instanceof UnderWay) return refuse(error.message);
    if (error instanceof ApiError) return showTrouble(error);
    // A damaged link fails in many ways.
    if (address.hash === '' && !(error instanceof Refused)) throw error;
  }
  enter(studyOf(engine, 'fibonacci', ''));
  explain(address.hash === '' ? 'analysis.bring_position' : 'analysis.bring_link');
}

document.addEventListener('keydown', (event) => {
  const isPlain = !(event.ctrlKey || event.altKey || event.metaKey || event.shiftKey);
  const isElsewhere = event.target instanceof Element && event.target.closest(ELSEWHERE) !== null;
  if (!isPlain || isElsewhere || study === undefined || nodeByKey(study.here, event.key) === null) return;
  event.preventDefault();
  look(event.key);
});
// Another link in the address opens its analysis; a jump within the page leaves the present one.
window.addEventListener('hashchange', () => {
  if (location.hash.startsWith('#a=')) return open();
  if (study !== undefined) keepAddress();
});
await open();
