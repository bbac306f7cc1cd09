// The panels of a replay: its heading, the status, the ways through its moments, and the tools.

import { clockAt, paceChoice, thoughtWords } from './autoplay.js';
import { isOneTable, outcomeOf } from '../session/game-model.js';
import { namedSeats, outcomeTitle, outcomeWords, pairOf } from '../session/player-names.js';
import { actionWords, effectWords, playerBar, reserveTray, stepsWords } from '../panels/turns-and-players.js';
import { pictureOf } from '../session/share.js';
import { tool, toolRow } from '../panels/board-tools.js';
import { movesIn, walkControls } from '../panels/walk.js';
import { icon, rulesetName, sideName, t } from '../ui/page.js';
import { html, nothing } from '../vendor/lit-html@3.3.3/lit-html.js';

/** @import { Side, Step, Turn } from '../protocol.js' */
/** @import { Game } from '../session/game-model.js' */
/** @import { TemplateResult } from '../vendor/lit-html@3.3.3/lit-html.js' */
/** @import { Moment } from '../session/moments.js' */
/** @import { Cursor } from '../session/cursor.js' */

/**
 * @param {Game} game
 * @param {{ id: string | null, example: string | null }} page
 * @param {boolean} isKept whether it is the copy of this device, shown while the server cannot be reached
 */
export function headingPanel(game, { id, example }, isKept) {
  const isLive = id !== null && game.present.status === 'playing';
  const rematch = game.present.status === 'finished' ? game.present.rematch : null;
  return html`<h1>${rulesetName(game.ruleset)}<span class="sr">, ${pairOf(game)}</span></h1>
      <p class="lead">${t(example === null ? 'replay.lead' : 'replay.example')} · <a href=${`/rules/${game.ruleset}`}>${t('page.rules')}</a>
        ${isLive ? html` · <a href=${`/game/${id}`}>${t('replay.to_game')}</a>` : nothing}
        ${rematch === null ? nothing : html` · <a href=${`/game/${rematch}`}>${t('over.to_rematch')}</a>`}</p>
      ${isKept ? html`<p class="notice">${t('kept.copy')}</p>` : nothing}`;
}

/** The bar of a player at a moment.
 * @param {Game} game
 * @param {Moment} moment
 * @param {Turn} turn
 * @param {Side} side
 */
export const bar = (game, moment, { reserves }, side) =>
  playerBar({
    ruleset: game.ruleset,
    side,
    toMove: moment.side === side,
    isNamed: !isOneTable(game),
    player: namedSeats(game)?.[side] ?? '',
    taken: moment.taken[side],
    tray: reserveTray(game.ruleset, side, reserves),
    clock: clockAt(moment, side),
  });

/** The last action, or the result; and what a review says of the turn, whose actions are named all.
 * @param {Game} game
 * @param {Moment} moment
 * @param {boolean} isLast
 * @param {string} notice
 * @param {string | null} comment null where no turn has one
 * @param {{ panel: TemplateResult, better: Step[] | null } | null} worth null where no review has valued the turn; the
 *   moment is one of the better turn, if that is there
 */
export function statusPanel(game, moment, isLast, notice, comment, worth) {
  const outcome = isLast ? outcomeOf(game) : null;
  const { seats } = game;
  const result = outcome && seats && outcomeWords(game, seats, outcome, null);
  const step = moment.steps.at(-1);
  const where = t('replay.at', { turn: moment.turn, side: sideName(game.ruleset, moment.side) });
  const effect = step === undefined ? '' : effectWords(step);
  const isWhole = worth !== null && moment.action > 1 && moment.action === moment.actions;
  const done = worth?.better
    ? t('review.on_board', { n: movesIn(worth.better) })
    : step === undefined
      ? t('replay.start')
      : html`${isWhole ? stepsWords(moment.steps) : actionWords(step)} ${effect === '' ? nothing : html`<small>${effect}</small>`}`;
  return html`<h2>${outcome && seats ? outcomeTitle(game, seats, outcome, null) : where}</h2>
      <p>${result === null || worth?.better ? done : result.reason}</p>
      ${
        comment === null
          ? worth?.better
            ? nothing
            : html`<p class="lead">${thoughtWords(moment)}</p>`
          : html`<p class="comment" aria-live="polite">${comment}</p>`
      }
      ${worth === null ? nothing : worth.panel}
      ${notice === '' ? nothing : html`<p class="notice">${notice}</p>`}`;
}

/** @param {Cursor} cursor */
export const controls = (cursor) => walkControls(cursor);

/**
 * Actions of a replay's tools.
 * @typedef {object} Handlers
 * @property {() => void} flip
 * @property {() => void} copyPosition
 * @property {(id: string) => void} copyLink
 * @property {(id: string) => void} copyFrame
 */

/**
 * The tools of a replay; those of a game of the server only with its id.
 *
 * @param {Game} game
 * @param {{ id: string | null, example: string | null, isImport: boolean }} page
 * @param {Moment} moment
 * @param {Handlers} handlers
 * @param {Cursor} cursor
 */
export const toolBar = (
  game,
  { id, example, isImport },
  moment,
  { flip, copyPosition, copyLink, copyFrame },
  { changePace },
) =>
  html`${toolRow(
    html`${tool('game.flip', icon('flip'), flip)}
      ${
        id === null
          ? nothing
          : html`${tool('share.move', icon('share'), () => copyLink(id))}
            <a class="button quiet" title=${t('analysis.analyse')} href=${`/analysis?game=${id}&turn=${moment.turn}`}>${icon('eye')} <span>${t('analysis.analyse')}</span></a>`
      }`,
    html`${isImport ? html`<a class="button quiet" href="/import">${t('import.another')}</a>` : nothing}
      ${tool('replay.copy', icon('copy'), copyPosition)}
      ${id === null || game.terms.watching === 'nobody' ? nothing : sharing(id, moment, copyFrame)}
      ${id === null ? nothing : recordLinks(id)}
      ${
        id === null || game.seedHash === null || game.present.status !== 'finished'
          ? nothing
          : html`<a class="button quiet" href=${`/shuffles/${id}`}>${t('cards.check')}</a>`
      }`,
  )}
    ${example === null ? nothing : html`<p><a class="button" href=${`/analysis?example=${example}&turn=${wholeTurn(moment)}`}>${icon('eye')} ${t('replay.try')}</a></p>`}
    ${paceChoice(changePace)}
    <p class="hint by-key">${t('replay.keys')}</p>`;

/** Pictures and the code of a frame, which show what any spectator may see.
 * @param {string} id
 * @param {Moment} moment
 * @param {(id: string) => void} copyFrame
 */
const sharing = (id, moment, copyFrame) =>
  html`${pictureLinks(id, moment)}
      <button class="quiet" @click=${() => copyFrame(id)}>${icon('copy')} <span>${t('share.embed')}</span></button>`;

/** The number of the last whole turn at a moment.
 * @param {Moment} moment
 */
const wholeTurn = ({ turn, action, actions }) => (action > 0 && action === actions ? turn : turn - 1);

/** Links to a picture of the turn that is shown, and to an animation of the game.
 * @param {string} id
 * @param {Moment} moment
 */
const pictureLinks = (id, moment) =>
  html`<a class="button quiet" href=${`${pictureOf(id)}?turn=${wholeTurn(moment)}`} download=${`towers-${id}.png`}>${icon('download')} <span>${t('share.picture')}</span></a>
    <a class="button quiet" href=${`/api/v1/games/${id}/animation.gif`} download=${`towers-${id}.gif`}>${icon('download')} <span>${t('share.animation')}</span></a>`;

/** Links to a game's record.
 * @param {string} id
 */
const recordLinks = (id) =>
  html`<a class="button quiet" href=${`/api/v1/games/${id}/record.txt`} download=${`towers-${id}.txt`}>${icon('download')} <span>${t('record.download')}</span></a>
    <a class="button quiet" href=${`/api/v1/games/${id}/record.json`} download=${`towers-${id}.json`}>${icon('download')} <span>${t('record.json')}</span></a>`;
