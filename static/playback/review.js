// The review of a finished game by the server, beside its replay: it is asked for, awaited, and shown with the turn that
// is on the board.

import { ApiError, askReview, getReview, untilAnswered } from '../connection/api.js';
import { announce, disc, sideName, t, wordsOf } from '../ui/page.js';
import { html, nothing, render } from '../vendor/lit-html@3.3.3/lit-html.js';
import { otherSide } from '../session/game-model.js';
import { actionWords, stepsWords } from '../panels/turns-and-players.js';
import { turnWalk } from '../panels/walk.js';
import { chancesPanel, chancesWords, favourite, percent } from './chances.js';
import { pointsLost, swingsOf } from './scores.js';

/** @import { Review, ReviewProgress, Side, Step } from '../protocol.js' */
/** @import { Game } from '../session/game-model.js' */

const ASK_AGAIN_MS = 1200;

/** @typedef {{ is: 'unasked' } | { is: 'under way', progress: ReviewProgress | null, trouble: string }
 *   | { is: 'failed', trouble: string } | { is: 'done', played: Played }} State */

/** The answer while a review is computed. A server that has restarted knows nothing of it and is asked again.
 * @param {string} id
 */
const next = (id) =>
  getReview(id).catch((error) => {
    if (error instanceof ApiError && error.code === 'no_review') return askReview(id);
    throw error;
  });

/** A review with the steps of its better turns, by the index of the turn that was played.
 * @typedef {{ review: Review, better: (Step[] | null)[] }} Played */

/** The better turn in words; without its steps, as the server writes it.
 * @param {Played} played
 * @param {number} index
 */
const betterWords = ({ review, better }, index) =>
  better[index] !== null
    ? stepsWords(better[index])
    : (review.turns[index].better?.actions ?? [])
        .map((action) => actionWords({ action, swap: false, route: [] }))
        .join(t('page.comma'));

/**
 * The worth of a turn in words, and the way to see the better one on the board, move by move.
 *
 * @param {object} panel
 * @param {Game} panel.game
 * @param {Played} panel.played
 * @param {Side | null} panel.mine the reader's own side
 * @param {number} panel.index the index of the turn
 * @param {number | null | undefined} panel.looked number of moves of the better turn that are on the board, null for all;
 *   undefined where the turn that was played is shown
 * @param {(looked: number | null) => void} panel.look
 * @param {() => void} panel.toggle shows the better turn, or again the one that was played
 */
export function worthPanel({ game: { ruleset, turns }, played, mine, index, looked, look, toggle }) {
  const { score, better } = played.review.turns[index];
  const steps = played.better[index];
  const { side } = turns[index];
  const worth = better && { better: percent(better.score, side), played: percent(score, side) };
  return html`<div class="worth">
    <p>${chancesWords(ruleset, mine, turns, played.review.turns, index)}</p>
    ${
      worth === null
        ? nothing
        : html`<p class="better">${t('review.better')} <strong>${betterWords(played, index)}</strong>
            <span class="points">${t('review.instead', worth)}</span></p>`
    }
    ${
      steps === null
        ? nothing
        : html`<div class="buttons">${looked === undefined ? nothing : turnWalk(steps, looked, look)}
            <button @click=${toggle}>${t(looked === undefined ? 'review.show_better' : 'review.show_played')}</button></div>`
    }
  </div>`;
}

/** Waits, and longer while nobody looks at the page. */
async function pause() {
  await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS));
  if (document.hidden)
    await new Promise((resolve) => document.addEventListener('visibilitychange', resolve, { once: true }));
}

/**
 * @param {object} parts
 * @param {string} parts.id
 * @param {Game} parts.game finished
 * @param {HTMLElement} parts.place
 * @param {Side | null} parts.mine the reader's own side
 * @param {boolean} parts.isAsked whether the reader has asked for it already
 * @param {(turn: number | null) => void} parts.go shows the end of a turn, or the start position
 * @param {(turn: number) => void} parts.chose called with a turning point before it is shown
 * @param {(review: Review) => Promise<Played>} parts.play finds the steps of the better turns
 */
export function createReview({ id, game, place, mine, isAsked, go, chose, play }) {
  const { ruleset, turns } = game;
  /** @type {State} */
  let state = { is: 'unasked' };
  /** @type {{ turn: number, action: number }} */
  let current = { turn: 0, action: 0 };
  /** @type {Side} */
  let top = 'first';

  async function ask() {
    state = { is: 'under way', progress: null, trouble: '' };
    draw();
    place.querySelector('h2')?.focus();
    announce(t('review.begun'));
    try {
      let answer = await untilAnswered(() => askReview(id), showTrouble);
      while (!('turns' in answer)) {
        state = { is: 'under way', progress: answer, trouble: '' };
        draw();
        await pause();
        answer = await untilAnswered(() => next(id), showTrouble);
      }
      state = { is: 'done', played: await play(answer) };
      announce(t('review.done'));
    } catch (error) {
      state = { is: 'failed', trouble: wordsOf(error) };
      announce(state.trouble, 'assertive');
    }
    draw();
  }

  /** @param {ApiError} error */
  function showTrouble(error) {
    state = { is: 'under way', progress: null, trouble: wordsOf(error) };
    draw();
  }

  function content() {
    switch (state.is) {
      case 'unasked':
        return html`<p class="lead">${t('review.lead')}</p> ${askButton('review.ask')}`;
      case 'failed':
        return html`<p class="notice">${state.trouble}</p> ${askButton('review.again')}`;
      case 'under way':
        return waiting(state);
      case 'done':
        return state.played.review.turns.length === 0
          ? html`<p>${t('review.empty')}</p>`
          : shown(state.played);
    }
  }

  /** @param {string} key */
  const askButton = (key) => html`<p><button @click=${ask}>${t(key)}</button></p>`;

  /** @param {Extract<State, { is: 'under way' }>} state */
  function waiting({ progress, trouble }) {
    const isKnown = progress !== null && progress.of > 0;
    const words = isKnown ? t('review.progress', { ...progress }) : t('review.reading');
    return html`<p class="lead">${t('review.meanwhile')}</p>
      <p>${words}</p>
      <progress aria-label=${t('review.title')} max=${isKnown ? progress.of : 1} .value=${isKnown ? progress.done : 0}></progress>
      ${trouble === '' ? nothing : html`<p class="notice">${trouble}</p>`}`;
  }

  /** @param {Played} played */
  function shown(played) {
    const { review } = played;
    const index = Math.min(indexNow(), review.turns.length - 1);
    return html`${chancesPanel({
      ruleset,
      review,
      mine,
      turns,
      better: (at) => betterWords(played, at),
      top,
      index,
      go: (at) => go(at < 0 ? null : turns[at].number),
      now: html`<p class="lead">${t('review.how')}</p>`,
      link: (at, content) =>
        html`<a class="button" href=${link(at)} aria-current=${at === indexNow() ? 'true' : nothing} @click=${() => chose(turns[at].number)}>${content}</a>`,
    })}
      ${learning(review)}
      ${table(played)}
      ${review.turns.length < turns.length ? html`<p class="lead">${t('review.bounded', { n: review.turns.length })}</p>` : nothing}`;
  }

  /** The way to try one's own turning points again, on the analysis board.
   * @param {Review} review
   */
  function learning(review) {
    const isLearner = swingsOf(review).some(({ index }) => turns[index].side === mine);
    return isLearner
      ? html`<p><a class="button primary" href=${`/analysis?game=${id}&mine=${mine}&learn=${mine}`}>${t('review.learn')}</a></p>`
      : nothing;
  }

  /** The index of the turn on the board; -1 at the start position. */
  const indexNow = () =>
    current.action === 0 ? -1 : turns.findIndex(({ number }) => number === current.turn);

  /** @param {number} index */
  const link = (index) => `#${turns[index].number}.${turns[index].steps.length}`;

  /** @param {Played} played */
  const table = (played) =>
    html`<details>
      <summary>${t('review.table')}</summary>
      <table>
        <thead><tr><th scope="col">${t('review.turn')}</th><th scope="col">${t('review.ahead')}</th>
          <th scope="col">${t('review.better_turn')}</th></tr></thead>
        <tbody>${played.review.turns.map((_, index) => row(played, index))}</tbody>
      </table>
    </details>`;

  /** @param {Played} played
   * @param {number} index */
  function row(played, index) {
    const turn = played.review.turns[index];
    const { number, side } = turns[index];
    const { side: ahead, words } = favourite(ruleset, turn.score);
    return html`<tr>
      <th scope="row"><a href=${link(index)}>${number} ${disc(ruleset, side)}<span class="sr">${sideName(ruleset, side)}</span></a></th>
      <td>${disc(ruleset, ahead)} ${words}</td>
      <td>${turn.better === null ? nothing : html`${betterWords(played, index)} <small>${t('review.lost', { n: pointsLost(turn) })}</small>`}</td>
    </tr>`;
  }

  function draw() {
    render(html`<h2 id="review-title" tabindex="-1">${t('review.title')}</h2> ${content()}`, place);
  }

  if (isAsked) ask();
  return {
    /** Shows a moment of the game.
     * @param {{ turn: number, action: number }} moment
     * @param {Side} bottom the side at the lower edge of the board
     */
    show(moment, bottom) {
      current = moment;
      top = otherSide(bottom);
      draw();
    },
  };
}
