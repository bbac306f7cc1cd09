// The evaluation of the whole main line: its graph, the turns where it swung, and the mistakes to learn from.

import { createThinker } from '../engine/thinker.js';
import { otherSide } from '../session/game-model.js';
import { chancesPanel, chancesWords, valueWords } from '../playback/chances.js';
import { swingsOf } from '../playback/scores.js';
import { stepsWords } from '../panels/turns-and-players.js';
import { turnWalk } from '../panels/walk.js';
import { announce, focusStatus, sideName, t } from '../ui/page.js';
import { html, nothing } from '../vendor/lit-html@3.3.3/lit-html.js';
import { evaluate, judge } from './evaluation.js';
import { actionsOf, lineFrom } from './tree.js';

/** @import { Side, Step } from '../protocol.js' */
/** @import { Course, Judgement } from './evaluation.js' */
/** @import { Study } from './study.js' */
/** @import { Node } from './tree.js' */

/**
 * Learning from the mistakes of a side.
 * @typedef {object} Lesson
 * @property {Side} side
 * @property {number} at the number of mistakes before this one; that of all of them once the lesson is over
 * @property {Judgement['verdict'] | 'shown' | 'asked' | null} verdict on the turn that was tried last
 * @property {number | null} score the chance of the first side after that turn
 * @property {Node | null} answer the turn that was found or shown
 */

/**
 * @param {object} parts
 * @param {() => Study} parts.study
 * @param {(node: Node) => void} parts.go
 * @param {() => void} parts.draw
 * @param {() => void} parts.think asks for the opinion, which learning hides
 * @param {() => void} parts.keep has the address name the lesson as it is
 * @param {(actions: string[]) => void} parts.play plays a turn at the node that is shown
 * @param {() => void} parts.retry clears the turn that was tried
 * @param {() => number | null} parts.looked number of actions of the turn that are on the board; null for all
 * @param {(n: number | null) => void} parts.look shows the first actions of the turn, or all
 * @param {() => string | null} parts.game the id of the game that is on the main line
 * @param {() => Side | null} parts.mine the side that the reader played in it
 */
export function createCoursePanel({ study, go, draw, think, keep, play, retry, looked, look, game, mine }) {
  const thinker = createThinker();
  /** @type {Course | null} */
  let course = null;
  /** The better turns at the turning points of the evaluation in words, by the index of the turn.
   * @type {Map<number, string>} */
  let better = new Map();
  /** @type {{ done: number, of: number } | null} */
  let progress = null;
  let isFailed = false;
  /** @type {Lesson | null} */
  let lesson = null;
  /** The number of the evaluation that was begun last. */
  let latest = 0;

  function forgetLesson() {
    if (lesson === null) return;
    lesson = null;
    think();
  }

  /** Forgets an evaluation of another line. */
  function check() {
    const line = lineFrom(study().root);
    if (
      course !== null &&
      (course.line.length > line.length || course.line.some((node, i) => node !== line[i]))
    ) {
      course = null;
      forgetLesson();
    }
  }

  /** @param {Course} fresh */
  function adopt(fresh) {
    course = fresh;
    const { line, turns } = fresh;
    better = new Map(
      swingsOf(fresh).map(({ index }) => {
        const after = study().after(turns[index].better?.actions ?? [], line[index].parent ?? study().root);
        return [index, stepsWords(after?.steps ?? [])];
      }),
    );
  }

  function stop() {
    latest += 1;
    thinker.stop();
    progress = null;
  }

  async function ask() {
    const line = lineFrom(study().root);
    stop();
    const mine = latest;
    [course, isFailed] = [null, false];
    forgetLesson();
    progress = { done: 0, of: line.length + 1 };
    draw();
    announce(t('analysis.thinking'));
    try {
      const found = await evaluate(thinker, study(), line, (done) => {
        if (mine !== latest) return;
        progress = { done, of: line.length + 1 };
        draw();
      });
      if (mine !== latest) return;
      adopt(found);
      check();
      announce(t('analysis.course_done'));
    } catch (error) {
      console.warn(error);
      if (mine !== latest) return;
      isFailed = true;
      announce(t('analysis.failed'), 'assertive');
    }
    stop();
    draw();
  }

  function halt() {
    stop();
    draw();
  }

  /** The turns where a side lost much, by their indices.
   * @param {Side} side
   */
  const mistakesOf = (side) =>
    course === null
      ? []
      : swingsOf(course)
          .map(({ index }) => index)
          .filter((index) => course?.line[index].move?.side === side);

  /** The turn of the mistake that is asked about; null if nobody learns, or no more.
   * @returns {Node | null}
   */
  function mistake() {
    if (lesson === null || course === null) return null;
    return course.line[mistakesOf(lesson.side)[lesson.at]] ?? null;
  }

  /** Shows the position before a mistake; after the last one the lesson is over.
   * @param {Side} side
   * @param {number} at
   */
  function learn(side, at) {
    lesson = { side, at: Math.min(at, mistakesOf(side).length), verdict: null, score: null, answer: null };
    const parent = mistake()?.parent;
    if (parent) go(parent);
    else end();
    focusStatus();
  }

  function end() {
    if (lesson !== null) lesson.at = mistakesOf(lesson.side).length;
    think();
    keep();
    draw();
    focusStatus();
  }

  /** @param {string[]} actions the turn that was tried */
  async function attempt(actions) {
    const now = lesson;
    if (now === null || course === null || now.verdict === 'asked') return;
    now.verdict = 'asked';
    draw();
    const index = mistakesOf(now.side)[now.at];
    /** @type {Judgement} */
    let judgement = { verdict: 'unknown', score: null };
    try {
      judgement = await judge(thinker, study(), course, index, actions);
    } catch (error) {
      console.warn(error);
    }
    if (lesson !== now) return;
    Object.assign(now, judgement);
    // The turn that was tried is on the board, unless another position is looked at by now.
    if (study().here === mistake()?.parent) {
      if (judgement.verdict === 'found') answer(actions);
      else retry();
    }
    announce(verdictWords(now).join(' '));
    draw();
  }

  /** Plays the turn that was found or is shown.
   * @param {string[]} actions
   */
  function answer(actions) {
    play(actions);
    if (lesson !== null) lesson.answer = study().here;
    draw();
  }

  function showBetter() {
    const node = mistake();
    if (lesson === null || course === null || !node?.parent) return;
    const { better, score } = course.turns[course.line.indexOf(node)];
    Object.assign(lesson, { verdict: 'shown', score: better?.score ?? score });
    if (study().here !== node.parent) go(node.parent);
    retry();
    answer(better?.actions ?? []);
    announce(verdictWords(lesson).join(' '));
    focusStatus();
  }

  /** Takes up a lesson whose turn is answered already, at the turn that was found or shown.
   * @param {Node} node
   */
  async function resume(node) {
    const [now, asked] = [lesson, mistake()];
    if (now === null || course === null || asked === null || node === asked || node.parent !== asked.parent)
      return;
    const actions = actionsOf(node);
    const index = course.line.indexOf(asked);
    const isShown = course.turns[index].better?.actions.join(' ') === actions.join(' ');
    const judgement = await judge(thinker, study(), course, index, actions).catch(() => null);
    if (lesson !== now || judgement?.verdict !== 'found') return;
    Object.assign(now, { verdict: isShown ? 'shown' : 'found', score: judgement.score, answer: node });
    go(node);
    focusStatus();
  }

  /** The verdict on a turn and its worth, in sentences.
   * @param {Lesson} lesson
   * @returns {string[]}
   */
  function verdictWords({ side, at, verdict, score, answer: answered }) {
    if (course === null || verdict === null) return [];
    if (verdict === 'asked') return [t('analysis.thinking')];
    const index = mistakesOf(side)[at];
    const said = t(`analysis.learn_${verdict}`, { actions: stepsWords(answered?.move?.steps ?? []) });
    if (score === null) return [said];
    const other = {
      score,
      after: verdict === 'shown' ? /** @type {const} */ ('better') : /** @type {const} */ ('yours'),
    };
    return [said, chancesWords(study().ruleset, mine(), playedIn(course), course.turns, index, other)];
  }

  /** The question to a learner; null if nobody learns. */
  function task() {
    const node = mistake();
    if (lesson === null || course === null || node === null) return null;
    const { side, at, verdict, answer: answered } = lesson;
    const { here, ruleset } = study();
    const told = {
      turn: node.move?.number ?? 0,
      side: sideName(ruleset, side),
      actions: stepsWords(node.move?.steps ?? []),
    };
    const of = mistakesOf(side).length;
    const isAway = here !== node.parent && here !== answered;
    return html`<h2>${t('analysis.learn_at', { i: at + 1, of })}</h2>
      <p>${t(side === mine() ? 'analysis.learn_played_yours' : 'analysis.learn_played', told)} ${answered === null && verdict === null ? t('analysis.learn_find') : nothing}</p>
      ${isAway ? nothing : verdictWords(lesson).map((words, index) => html`<p class=${index === 0 ? 'notice' : 'worth'}>${words}</p>`)}
      <div class="buttons">
        ${isAway ? html`<button @click=${() => learn(side, at)}>${t('analysis.learn_back')}</button>` : nothing}
        ${answered === null ? html`<button @click=${showBetter}>${t('analysis.learn_show')}</button>` : nothing}
        ${at + 1 === of ? nothing : html`<button class=${answered === null ? '' : 'primary'} @click=${() => learn(side, at + 1)}>${t(answered === null ? 'analysis.learn_skip' : 'analysis.learn_next')}</button>`}
        <button class=${at + 1 === of && answered !== null ? 'primary' : 'quiet'} @click=${end}>${t('analysis.learn_end')}</button>
      </div>`;
  }

  /** The buttons that lead through the turn that was found or shown; null if it is not on the board. */
  function walk() {
    const { here } = study();
    return mistake() !== null && here === lesson?.answer
      ? turnWalk(here.move?.steps ?? [], looked(), look)
      : null;
  }

  /** What follows a lesson: the ways back to the game and to its review. Null if none is over.
   * @param {boolean} hasArrows whether the best turns are drawn
   */
  function afterwards(hasArrows) {
    if (lesson === null || course === null || mistake() !== null) return null;
    const id = game();
    return html`<div class="worth"><p class="lead">${t('analysis.learn_over')} ${hasArrows ? t('analysis.arrows') : nothing}</p>
      ${
        id === null
          ? nothing
          : html`<p class="buttons"><a class="button" href=${`/replay/${id}?review=${lesson.side}`}>${t('analysis.to_review')}</a>
              <a class="button" href=${`/game/${id}`}>${t('analysis.to_game')}</a></p>`
      }</div>`;
  }

  /** The turns of an evaluation, as its words need them.
   * @param {Course} known
   */
  const playedIn = ({ line }) =>
    line.map(({ move }) => ({ number: move?.number ?? 0, side: move?.side ?? 'first' }));

  /** @param {Course} known
   * @param {Side} bottom */
  function shown(known, bottom) {
    const { ruleset, here, root } = study();
    const { line, turns } = known;
    const index = line.indexOf(here);
    const played = playedIn(known);
    const words = index < 0 ? t('review.start') : valueWords(ruleset, played[index], turns[index]);
    return html`${chancesPanel({
      ruleset,
      review: /** @type {any} */ (known),
      mine: mine(),
      turns: played,
      better: (at) => better.get(at) ?? '',
      top: otherSide(bottom),
      index,
      go: (at) => go(at < 0 ? root : line[at]),
      now: html`<p class="lead">${words}</p>`,
      link: (at, content) =>
        html`<button aria-current=${at === index ? 'true' : nothing} @click=${() => go(line[at])}>${content}</button>`,
    })}
      ${
        /** @type {Side[]} */ (['first', 'second']).map((side) =>
          mistakesOf(side).length === 0
            ? nothing
            : html`<p><button @click=${() => learn(side, 0)}>${t('analysis.learn', { side: sideName(ruleset, side) })}</button></p>`,
        )
      }
      ${turns.length === lineFrom(root).length ? nothing : askButton('analysis.course_again')}`;
  }

  /** @param {string} key */
  const askButton = (key) => html`<p><button @click=${ask}>${t(key)}</button></p>`;

  return {
    afterwards,
    attempt,
    check,
    learn,
    resume,
    task,
    walk,

    /** Takes over the evaluation of the first turns of the main line.
     * @param {Course['turns']} turns
     */
    takeOver(turns) {
      adopt({ line: lineFrom(study().root).slice(0, turns.length), turns });
      draw();
    },

    /** Evaluates the main line, and begins to learn from the mistakes of a side.
     * @param {Side} side
     * @param {number} at
     */
    async evaluateAndLearn(side, at) {
      await ask();
      if (course !== null) learn(side, at);
    },

    /** The lesson that is under way or over, for the address; null if there is none. */
    get lesson() {
      return lesson;
    },

    /** The chance of the first side at the node that is shown; null if it has not been evaluated. */
    get scoreHere() {
      return course?.turns[course.line.indexOf(study().here)]?.score ?? null;
    },

    /** The answer that is to be drawn, and the number of its moves that are on the board already.
     * @returns {{ steps: Step[], made: number }}
     */
    get drawn() {
      const [steps, { here }] = [lesson?.answer?.move?.steps ?? [], study()];
      if (here === lesson?.answer) return { steps, made: looked() ?? steps.length };
      return { steps: here === mistake()?.parent ? steps : [], made: 0 };
    },

    /** Whether the turn that was found or shown is on the board. */
    get isAnswered() {
      return mistake() !== null && lesson?.answer === study().here;
    },

    /** Whether a turn that is played is an attempt to find a better one. */
    get isLearning() {
      return mistake()?.parent === study().here;
    },

    /** Forgets everything, since another game is shown. */
    reset() {
      stop();
      [course, lesson, isFailed] = [null, null, false];
    },

    /** @param {Side} bottom the side at the lower edge of the board */
    panel(bottom) {
      const hasTurns = study().root.children.length > 0;
      const content =
        progress !== null
          ? html`<p>${t('analysis.course_progress', progress)}</p>
              <progress aria-label=${t('analysis.course')} max=${progress.of} .value=${progress.done}></progress>
              <p><button @click=${halt}>${t('analysis.course_stop')}</button></p>`
          : course !== null
            ? shown(course, bottom)
            : hasTurns
              ? html`<p class=${isFailed ? 'notice' : 'lead'}>${t(isFailed ? 'analysis.failed' : 'analysis.course_lead')}</p>
              ${askButton('analysis.course_ask')}`
              : html`<p class="lead">${t('analysis.no_turns')}</p>`;
      return html`<h2 id="review-title">${t('analysis.course')}</h2> ${content}`;
    },
  };
}
