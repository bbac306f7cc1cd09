// Looking back at earlier moments of a game, on its own page.

import { announce, sideName, t } from '../ui/page.js';
import { html, nothing } from '../vendor/lit-html@3.3.3/lit-html.js';
import { goalOf, momentAt, moments, turnAt } from '../session/moments.js';
import { actionWords, effectWords, spokenWords } from './turns-and-players.js';

/** @import { Step, Turn } from '../protocol.js' */
/** @import { TemplateResult } from '../vendor/lit-html@3.3.3/lit-html.js' */
/** @import { createBoard } from '../board/board.js' */
/** @import { Game } from '../session/game-model.js' */
/** @import { Moment } from '../session/moments.js' */

/**
 * An earlier moment that is shown.
 * @typedef {object} Past
 * @property {Moment} moment
 * @property {Turn} turn as it was
 * @property {Step[]} steps always empty: nothing is drawn up
 * @property {Parameters<ReturnType<typeof createBoard>['show']>[0]} board its contents; nothing on it can be moved
 * @property {(isMyTurn: boolean, back: () => void) => TemplateResult} panel the status
 */

/**
 * Moves on from a moment of a game, and announces the new one; null is the present.
 *
 * @param {Game} game
 * @param {Past | null} from
 * @param {string} where a key, or the moment's own `#TURN.ACTION`
 * @returns {Past | null}
 */
export function lookFrom(game, from, where) {
  const past = goFrom(game, from, where);
  announce(past === null ? t('past.now') : momentWords(game, past.moment));
  return past;
}

/** @type {typeof lookFrom} */
function goFrom(game, from, where) {
  const all = moments(game);
  const now = all.length - 1;
  const at = from === null ? now : momentAt(all, `#${from.moment.turn}.${from.moment.action}`);
  const goal = where.startsWith('#') ? momentAt(all, where) : goalOf(where, all, at);
  const to = Math.max(0, goal ?? at);
  if (to >= now) return null;
  const moment = all[to];
  const turn = turnAt(game, moment);
  const board = { turn, mySide: null, legal: null, groups: [], animate: [] };
  return {
    moment,
    turn,
    steps: [],
    board: { ...board, lastSteps: moment.steps, draftSteps: [] },
    panel: (isMyTurn, back) => panel(game, moment, isMyTurn, back),
  };
}

/**
 * @param {Game} game
 * @param {Moment} moment
 * @param {boolean} isMyTurn
 * @param {() => void} back
 */
function panel(game, moment, isMyTurn, back) {
  const step = moment.steps.at(-1);
  const effect = step === undefined ? '' : effectWords(step);
  return html`<h2>${t('past.title')}</h2>
    <p>${placeOf(game, moment)}${t('page.colon')}${step === undefined ? t('replay.start') : actionWords(step)}
      ${effect === '' ? nothing : html`<small>${effect}</small>`}</p>
    ${isMyTurn ? html`<p class="notice">${t('status.your_turn')}</p>` : nothing}
    <p><button class="primary" @click=${back}>${t('past.back')}</button></p>`;
}

/** A moment for screen readers.
 * @param {Game} game
 * @param {Moment} moment
 */
function momentWords(game, moment) {
  const step = moment.steps.at(-1);
  return `${placeOf(game, moment)}${t('page.colon')}${step === undefined ? t('replay.start') : spokenWords(step)}`;
}

/** @param {Game} game
 * @param {Moment} moment */
const placeOf = ({ ruleset }, { turn, side }) => t('replay.at', { turn, side: sideName(ruleset, side) });
