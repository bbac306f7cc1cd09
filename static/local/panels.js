// The panels around the board of a game on this device.

import { tool, typedMove } from '../live/tools.js';
import { oneActionWords } from '../play/one-action.js';
import { otherSide, takenIn } from '../play/model.js';
import { playerBar, reserveTray, takenNotes } from '../play/panels.js';
import { earlyEnd } from '../play/seat.js';
import { icon, picture, resultWords, rulesetName, sideName, t } from '../ui/page.js';
import { html, nothing, svg } from '../vendor/lit-html@3.3.3/lit-html.js';
import { playerWords } from './setup.js';

/** @import { LegalAction, Player, Seats, Side } from '../protocol.js' */
/** @import { Held } from '../board/board.js' */
/** @import { Args } from '../i18n.js' */
/** @import { Past } from '../play/past.js' */
/** @import { Desk } from '../play/seat.js' */
/** @import { LocalMatch } from './match.js' */

/**
 * A game on this device as it is shown.
 * @typedef {object} View
 * @property {LocalMatch} match
 * @property {Past | null} past the earlier moment that is shown; null for now
 * @property {Held} held the contents of the hand on the board
 * @property {boolean} making whether only the making of a piece is offered among the legal actions
 * @property {{ text: string, rule: string | null } | null} notice the board's explanation of the last press
 * @property {boolean} failed whether the computer's part failed
 * @property {boolean} leaving whether the player is asked about resigning
 * @property {boolean} flipped
 * @property {boolean} muted
 */

/**
 * @typedef {object} Deeds
 * @property {(action: LegalAction, how: 'drawn' | 'typed') => void} take
 * @property {(key: string, args?: Args) => void} explain
 * @property {() => void} undo
 * @property {() => void} restart
 * @property {() => void} confirm
 * @property {() => void} makeInstead
 * @property {() => void} showCapture
 * @property {(wanted: boolean) => void} pickReserve
 * @property {() => void} takeBack
 * @property {() => void} askToLeave
 * @property {() => void} stay
 * @property {() => void} resign
 * @property {() => void} flip
 * @property {() => void} mute
 * @property {() => void} help
 * @property {() => void} copyPosition
 * @property {() => void} analyse
 * @property {() => void} download
 * @property {() => void} setUp
 * @property {() => void} think
 * @property {() => void} present
 */

const PICTURES = {
  flag: svg`<path d="M6 21V4h11l-2.5 4L17 12H6"/>`,
  keys: svg`<rect x="3" y="6.5" width="18" height="11" rx="2"/><path d="M7 10h.1M10.3 10h.1M13.7 10h.1M17 10h.1M8 14h8"/>`,
  sound: svg`<path d="M4 9.5v5h3.5L12 18.5v-13L7.5 9.5Z"/><path d="M15.5 9a4.2 4.2 0 0 1 0 6M18 6.5a8 8 0 0 1 0 11"/>`,
  mute: svg`<path d="M4 9.5v5h3.5L12 18.5v-13L7.5 9.5ZM16 9.5l5 5M21 9.5l-5 5"/>`,
};

/** The only side that a person plays; null if there are two or none.
 * @param {LocalMatch} match
 * @returns {Side | null}
 */
export function onlyPerson({ players: { first, second } }) {
  if ((first === null) === (second === null)) return null;
  return first === null ? 'first' : 'second';
}

/** The side shown at the bottom.
 * @param {View} view
 */
export function bottomOf({ match, flipped }) {
  const usual = onlyPerson(match) ?? 'second';
  return flipped ? otherSide(usual) : usual;
}

/** The turn that a person draws up now; null if it is not a person's, or not the moment.
 * @param {View} view
 * @returns {Desk | null}
 */
export const deskOf = ({ match, past }) =>
  past === null && match.outcome === null && match.level === null ? match.local.desk : null;

/** @param {LocalMatch} match */
export const headingPanel = ({ ruleset, local }) =>
  html`<h1>${rulesetName(ruleset)}</h1>
    <p class="lead">${t('game.turn', { n: local.match.turn.number })} · ${t('local.here')} · <a href=${`/rules/${ruleset}`}>${t('page.rules')}</a></p>`;

/** The bar of a side's player.
 * @param {View} view
 * @param {Side} side
 * @param {Deeds} deeds
 */
export function bar(view, side, { pickReserve }) {
  const { match, past, held } = view;
  const { ruleset, players, outcome, local } = match;
  const { turns } = match.shown();
  const { turn, steps } = local.desk;
  const level = players[side];
  const only = onlyPerson(match) === side;
  const taken = past?.moment.taken ?? takenIn([...turns, { side: turn.side, steps }]);
  const { reserves } = past?.turn ?? turn;
  const desk = deskOf(view);
  const canDrop =
    desk !== null && turn.side === side && (desk.legal ?? []).some(({ kind }) => kind === 'drop');
  const press = canDrop ? { picked: held.reserve, press: () => pickReserve(!held.reserve) } : {};
  return playerBar({
    ...{ ruleset, side, name: sideName(ruleset, side), isNamed: false },
    toMove: outcome === null && local.match.turn.side === side,
    notes: [
      ...(only ? [t('game.you')] : []),
      ...(level === null ? [] : [playerWords(level)]),
      ...takenNotes(taken[side]),
    ],
    tray: reserves === null ? nothing : reserveTray({ ruleset, side, men: reserves[side], ...press }),
  });
}

/** The side to move and the next thing to do, or the result.
 * @param {View} view
 * @param {Deeds} deeds
 */
export function statusPanel(view, deeds) {
  const { match, past } = view;
  if (past !== null) return past.panel(false, deeds.present);
  if (match.outcome !== null) return resultPanel(match, deeds);
  const { ruleset, local, level } = match;
  const { side } = local.match.turn;
  const isMine = onlyPerson(match) === side;
  return html`<h2 class=${level === null ? 'yours' : ''}>${isMine ? t('status.your_turn') : t('status.to_move', { name: sideName(ruleset, side) })}</h2>
    <p>${level === null ? nextWords(view) : t(view.failed ? 'local.failed' : 'local.thinking')}</p>
    ${view.failed ? html`<p><button class="primary" @click=${deeds.think}>${t('try.again')}</button></p>` : nothing}`;
}

/** The next thing to do in a person's turn.
 * @param {View} view
 */
function nextWords({ match: { local }, making }) {
  const { desk } = local;
  const { allowance } = desk.turn;
  if (allowance === null && desk.steps.length > 0) return t('status.confirm_one');
  if (desk.complete) return t('status.confirm');
  if (desk.unlisted) return t('refusal.too_many');
  if (allowance === null) return oneActionWords(desk, making);
  return t(desk.steps.length === 0 ? 'status.begin' : 'status.go_on', { n: allowance.left });
}

/** The result in words. Sides have the names of their colours, whoever played them.
 * @param {LocalMatch} match
 */
export function resultOf(match) {
  const { ruleset, outcome } = match;
  if (outcome === null) return null;
  /** @param {Side} side
   * @returns {Player} */
  const seat = (side) => ({ id: side, name: sideName(ruleset, side) });
  /** @type {Seats} */
  const seats = { first: seat('first'), second: seat('second') };
  return resultWords(ruleset, outcome, seats, onlyPerson(match));
}

/** @param {LocalMatch} match
 * @param {Deeds} deeds */
function resultPanel(match, { setUp, analyse, download }) {
  const result = resultOf(match);
  return html`<div class="result">
      <h2>${result?.title}</h2>
      <p>${result?.reason}</p>
      <p class="buttons">
        <button class="primary" @click=${setUp}>${t('game.again')}</button>
        <button @click=${analyse}>${icon('eye')} ${t('analysis.analyse')}</button>
        <button @click=${download}>${icon('download')} ${t('record.download')}</button>
        <a class="button quiet" href="/">${t('page.to_lobby')}</a>
      </p>
    </div>`;
}

/** The explanation of the last press, with the clause behind it.
 * @param {View} view
 */
export const noticePanel = ({ match: { ruleset }, notice }) =>
  notice === null
    ? nothing
    : html`<p class="notice">${notice.text}
        ${notice.rule === null ? nothing : html`<a href=${`/rules/${ruleset}#${notice.rule}`}>${t('game.rule', { rule: notice.rule })}</a>`}</p>`;

/** The buttons of a turn. They are there as long as the game goes on, so that a focus on them is not lost.
 * @param {View} view
 * @param {Deeds} deeds
 */
export function actionBar(view, { undo, restart, confirm, makeInstead, showCapture }) {
  const { match, making, held } = view;
  if (match.outcome !== null) return nothing;
  const desk = deskOf(view);
  const canUndo = desk !== null && (desk.steps.length > 0 || held.jumps > 0);
  const end = desk === null ? undefined : earlyEnd(desk);
  const canConfirm = desk !== null && match.local.isPlayable;
  const canMake = desk?.turn.owed?.must === false && (desk.legal ?? []).some(({ kind }) => kind === 'make');
  const mustCapture = !making && (desk?.bestCapture ?? null) !== null;
  return html`${mustCapture ? html`<button class="quiet" title=${t('game.show_captures')} @click=${showCapture}>${icon('eye')} <span>${t('game.show_captures')}</span></button>` : nothing}
    ${canMake ? html`<button aria-pressed=${making} @click=${makeInstead}>${icon('stack')} <span>${t('game.make')}</span></button>` : nothing}
    <button class="quiet" title=${t('game.undo_long')} aria-disabled=${!canUndo} @click=${undo}>${icon('undo')} <span>${t('game.undo')}</span></button>
    <button class="quiet" title=${t('game.restart_long')} aria-disabled=${!canUndo} @click=${restart}>${icon('restart')} <span>${t('game.restart')}</span></button>
    <button class=${end === undefined ? 'primary confirm' : 'confirm'} aria-disabled=${!canConfirm} @click=${confirm}>
      ${icon('check')} <span>${end === undefined ? t('game.confirm') : t('game.end_early', { n: desk?.turn.allowance?.left ?? 0 })}</span></button>`;
}

/** The tools below the board.
 * @param {View} view
 * @param {Deeds} deeds
 */
export function toolBar(view, deeds) {
  const { match, muted, leaving } = view;
  if (leaving) return leaveQuestion(match, deeds);
  const { flip, mute, help, copyPosition, download, takeBack, askToLeave, setUp } = deeds;
  const desk = deskOf(view);
  const canResign = match.outcome === null && personToMove(match) !== null;
  return html`<div class="icons">
      ${tool('game.flip', icon('flip'), flip)} ${tool('game.mute', picture(PICTURES[muted ? 'mute' : 'sound']), mute, muted)}
      ${tool('game.keys', picture(PICTURES.keys), help)} ${tool('replay.copy', icon('copy'), copyPosition)}
      ${tool('record.download', icon('download'), download)}
    </div>
    <button class="quiet" aria-disabled=${!match.canTakeBack} @click=${takeBack}>${icon('undo')} <span>${t('table.takeback')}</span></button>
    ${canResign ? html`<button class="quiet" id="leave" @click=${askToLeave}>${picture(PICTURES.flag)} <span>${t('game.resign')}</span></button>` : nothing}
    <button class="quiet" @click=${setUp}>${icon('restart')} <span>${t('game.again')}</span></button>
    ${desk === null ? nothing : typedMove(match.ruleset, { ...deeds, seat: { desk, isAsking: false } })}`;
}

/** The side that resigns if a person does: the only person's, or that to move.
 * @param {LocalMatch} match
 * @returns {Side | null}
 */
export function personToMove(match) {
  const { side } = match.local.match.turn;
  return onlyPerson(match) ?? (match.players[side] === null ? side : null);
}

/** Asks for confirmation. Between two persons it names the side that resigns.
 * @param {LocalMatch} match
 * @param {Deeds} deeds
 */
function leaveQuestion(match, { resign, stay }) {
  const side = personToMove(match);
  const isAlone = onlyPerson(match) !== null || side === null;
  const words = isAlone
    ? t('game.resign_sure')
    : t('table.resign_sure', { side: sideName(match.ruleset, side) });
  /** @param {KeyboardEvent} event */
  const onKey = (event) => {
    if (event.key === 'Escape') stay();
  };
  return html`<div class="ask" role="group" aria-label=${t('game.resign')} @keydown=${onKey}>
    <span>${words}</span>
    <button class="danger" @click=${resign}>${t('game.resign_yes')}</button>
    <button class="quiet" id="leave-no" @click=${stay}>${t('game.keep_playing')}</button>
  </div>`;
}
