// The turns of a game on its own page, and looking back at earlier moments.

import { announce, byId, sideName, t } from '../ui/page.js';
import { html, nothing, render } from '../vendor/lit-html@3.3.3/lit-html.js';
import { turnDraftOf } from '../engine/turn-draft.js';
import { drawnUp } from '../session/board-session.js';
import { turnLines } from '../session/game-model.js';
import { goalOf, momentAt, moments, turnAt } from '../session/moments.js';
import { walkBar } from './walk.js';
import { actionWords, effectWords, keepInView, spokenWords, turnList } from './turns-and-players.js';

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
  const shown = drawnUp(turnDraftOf(turn, null), { mySide: null, lastSteps: moment.steps });
  return {
    moment,
    turn,
    steps: [],
    board: { ...shown, animate: [] },
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

/** Draws the list of turns, with the ways to earlier moments.
 * @param {Pick<Game, 'ruleset' | 'turns' | 'present'> & { nTurns?: number }} game
 * @param {object} list
 * @param {Pick<Past, 'moment'> | null} list.past
 * @param {(where: string) => void} list.showMoment
 * @param {string} list.base the links up to `#`
 * @param {{ after: number, words: string }[]} [list.notes] each with the number of played turns before it
 */
export function drawTurns(
  { ruleset, turns, present, nTurns = turns.length },
  { past, showMoment, base, notes = [] },
) {
  const lines = turnLines(turns, present.status === 'playing' ? present.turn.number : undefined);
  const list = { ruleset, lines, notes, base, current: past?.moment };
  const place = byId('turns');
  // Only the start is a moment without an action.
  const isStart = lines.length === 0 || past?.moment.action === 0;
  render(
    html`<div class="turns-head"><h2 id="turns-title" class="sr">${t('game.turns')}</h2> ${nTurns === 0 ? nothing : walkBar(showMoment, isStart, past === null)}</div>
      ${nTurns + notes.length === 0 ? html`<p class="empty">${t('game.no_turns')}</p>` : turnList(list)}`,
    place,
  );
  keepInView(place, place.querySelector(past === null ? 'li:last-child' : '[aria-current]'));
}
