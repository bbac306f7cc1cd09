// The evaluation of the whole main line: its graph, the turns where it swung, and the mistakes to learn from.

import { createThinker } from '../engine/thinker.js';
import { otherSide } from '../session/game-model.js';
import { chancesPanel, valueWords } from '../playback/chances.js';
import { swingsOf } from '../playback/scores.js';
import { announce, sideName, t } from '../ui/page.js';
import { html, nothing } from '../vendor/lit-html@3.3.3/lit-html.js';
import { evaluate, judge } from './evaluation.js';
import { stepsWords } from './tree-panels.js';
import { lineFrom } from './tree.js';

/** @import { Side } from '../protocol.js' */
/** @import { Course, Verdict } from './evaluation.js' */
/** @import { Study } from './study.js' */
/** @import { Node } from './tree.js' */

/** Learning from the mistakes of a side: which of them, and the judgement of the turn that was tried last.
 * @typedef {{ side: Side, at: number, verdict: Verdict | 'shown' | 'asked' | null }} Lesson */

/**
 * @param {object} parts
 * @param {() => Study} parts.study
 * @param {(node: Node) => void} parts.go
 * @param {() => void} parts.draw
 * @param {() => void} parts.think asks for the opinion, which learning hides
 */
export function createCoursePanel({ study, go, draw, think }) {
  const thinker = createThinker();
  /** @type {Course | null} */
  let course = null;
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
      course = found;
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

  /** Shows the position before a mistake.
   * @param {Side} side
   * @param {number} at
   */
  function learn(side, at) {
    lesson = { side, at, verdict: null };
    const node = course?.line[mistakesOf(side)[at]];
    if (node?.parent) go(node.parent);
    document.getElementById('status')?.focus();
  }

  function end() {
    forgetLesson();
    draw();
    document.getElementById('status')?.focus();
  }

  /** Takes over the evaluation of the first turns of the main line, and begins to learn from the mistakes of a side.
   * @param {Course['turns']} turns
   * @param {Side} side
   */
  function takeOver(turns, side) {
    course = { line: lineFrom(study().root).slice(0, turns.length), turns };
    if (mistakesOf(side).length > 0) learn(side, 0);
    else draw();
  }

  /** @param {string[]} actions the turn that was tried */
  async function attempt(actions) {
    const now = lesson;
    if (now === null || course === null || now.verdict === 'asked') return;
    now.verdict = 'asked';
    draw();
    try {
      now.verdict = await judge(thinker, study(), course, mistakesOf(now.side)[now.at], actions);
    } catch (error) {
      console.warn(error);
      now.verdict = 'unknown';
    }
    if (lesson !== now) return;
    announce(t(`analysis.learn_${now.verdict}`));
    draw();
  }

  /** The question to a learner; null if nobody learns. */
  function task() {
    if (lesson === null || course === null) return null;
    const { side, at, verdict } = lesson;
    const mistakes = mistakesOf(side);
    const index = mistakes[at];
    const { ruleset } = study();
    const { move } = course.line[index];
    const better = course.turns[index].better?.actions ?? [];
    const steps = study().after(better)?.steps ?? [];
    const told = {
      turn: move?.number ?? 0,
      side: sideName(ruleset, side),
      actions: stepsWords(move?.steps ?? []),
    };
    const isLast = at + 1 === mistakes.length;
    return html`<h2>${t('analysis.learn_at', { i: at + 1, of: mistakes.length })}</h2>
      <p>${t('analysis.learn_find', told)}</p>
      ${
        verdict === null || (verdict === 'shown' && study().here !== course.line[index].parent)
          ? nothing
          : html`<p class="notice">${
              verdict === 'asked'
                ? t('analysis.thinking')
                : t(`analysis.learn_${verdict}`, { actions: stepsWords(steps) })
            }</p>`
      }
      <p class="buttons">
        ${verdict === 'shown' || verdict === 'found' ? nothing : html`<button @click=${showBetter}>${t('analysis.learn_show')}</button>`}
        ${isLast ? nothing : html`<button class="primary" @click=${() => learn(side, at + 1)}>${t('analysis.learn_next')}</button>`}
        <button class=${isLast ? 'primary' : 'quiet'} @click=${end}>${t('analysis.learn_end')}</button>
      </p>`;
  }

  function showBetter() {
    if (lesson !== null) lesson.verdict = 'shown';
    draw();
  }

  /** @param {Course} known
   * @param {Side} bottom */
  function shown(known, bottom) {
    const { ruleset, here, root } = study();
    const { line, turns } = known;
    const index = line.indexOf(here);
    const played = line.map(({ move }) => ({ number: move?.number ?? 0, side: move?.side ?? 'first' }));
    const words = index < 0 ? t('review.start') : valueWords(ruleset, played[index], turns[index]);
    return html`${chancesPanel({
      ruleset,
      review: /** @type {any} */ (known),
      turns: played,
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
    attempt,
    check,
    takeOver,
    task,

    /** Whether a turn that is played is an attempt to find a better one. */
    get isLearning() {
      return lesson !== null && course?.line[mistakesOf(lesson.side)[lesson.at]]?.parent === study().here;
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
