// A row for each kind of game in the lobby's lists, and one for a saved game. The small board of a row is for the eye
// alone: the words beside it name the game, the turn and whose turn it is.

import { serverTime } from '../connection/server-time.js';
import { playerWords } from '../local/setup.js';
import { roughText } from '../session/clock.js';
import { clockLong, clockShort } from '../session/clock-text.js';
import { isOneTable } from '../session/game-model.js';
import { outcomeWords } from '../session/player-names.js';
import {
  dates,
  disc,
  icon,
  language,
  nameOf,
  picture,
  rulesetName,
  seatWords,
  sideName,
  t,
} from '../ui/page.js';
import { playerName, withNames } from '../ui/player-name.js';
import { html, nothing, svg } from '../vendor/lit-html@3.3.3/lit-html.js';
import { bottomIn, hasBot, isChallengeTo, isMine, isTurnOf, sideIn } from './lists.js';
import { poolName } from './pairing.js';

/** @import { ClockRule, GameSummary, Player, Seek } from '../protocol.js' */
/** @import { KeptGame } from '../local/kept-game.js' */
/** @import { TemplateResult } from '../vendor/lit-html@3.3.3/lit-html.js' */

/**
 * Data and actions of the rows.
 * @typedef {object} Handlers
 * @property {Player | null} me
 * @property {boolean} busy whether a request is under way: one is made at a time
 * @property {boolean} isOffline whether the server cannot be reached
 * @property {Map<string, number>} watchers
 * @property {(room: GameSummary) => void} join
 * @property {(room: GameSummary) => void} cancel
 * @property {(room: GameSummary) => void} copy
 * @property {(seek: Seek) => void} accept
 * @property {(seek: Seek) => void} withdraw
 * @property {(game: GameSummary) => Element} board a small board with the position of a game
 * @property {(seek: Seek) => Element} field a small board without pieces
 */

const OTHER_SEAT = /** @type {const} */ ({ first: 'second', second: 'first', random: 'random' });

const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' });
const MINUTE_MS = 60_000;

/** The time since something, in words.
 * @param {number} atMs
 */
const ago = (atMs) => fromNow(Math.min(0, Math.round((atMs - serverTime.now()) / MINUTE_MS)));

/** @param {number} minutes at most 0
 * @returns {string} */
function fromNow(minutes) {
  const distance = -minutes;
  if (distance < 1) return t('time.now');
  if (distance < 60) return relative.format(minutes, 'minute');
  if (distance < 24 * 60) return relative.format(Math.round(minutes / 60), 'hour');
  return relative.format(Math.round(minutes / (24 * 60)), 'day');
}

/** @param {ClockRule} clock */
export const clockMark = (clock) =>
  html`<span class="clock" aria-hidden="true">${clockShort(t, clock)}</span><span class="sr">${clockLong(t, language, clock)}</span>`;

/** The small print of a row: its non-empty parts, with dots between.
 * @param {(string | TemplateResult | false)[]} parts
 */
export const facts = (parts) =>
  html`<small>${parts.filter((part) => part !== false && part !== '').map((part, index) => html`${index === 0 ? nothing : ' · '}${part}`)}</small>`;

/** The unusual terms of a game. A game against a bot is by link alone, as is a challenge, which says nothing.
 * @param {GameSummary} game
 */
const marks = ({ custom_start, watching, delay, visibility, seats, for: challenged }) => [
  custom_start && t('lobby.custom_start'),
  visibility === 'link' && !hasBot(seats) && challenged === undefined && t('lobby.by_link'),
  watching === 'nobody' ? t('lobby.unwatched') : delay > 0 && t('room.delay', { n: delay }),
];

/** The turn that a game is at, unless the reader may not know it yet.
 * @param {GameSummary} game
 */
export const turnMark = ({ turn }) => turn !== null && t('game.turn', { n: turn });

/** Number of turns of a game.
 * @param {GameSummary} game
 */
const turnsMark = ({ turn }) => turn !== null && t('lobby.turns', { n: turn });

/** The side to move, unless the reader may not know it yet.
 * @param {GameSummary} game
 */
const moverMark = ({ ruleset, to_move }) =>
  to_move !== null &&
  html`${disc(ruleset, to_move)} ${t('status.side_to_move', { side: sideName(ruleset, to_move) })}`;

/** @param {GameSummary} game */
export function pairOf(game) {
  const { seats } = game;
  if (seats === null) return '';
  if (isOneTable(game)) return t('lobby.table_of', { name: nameOf(seats.first) });
  return t('game.pair', { first: nameOf(seats.first), second: nameOf(seats.second) });
}

/** The players of a row, with their marks.
 * @param {GameSummary} game
 */
export function markedPair(game) {
  const { seats } = game;
  if (seats === null) return '';
  return isOneTable(game)
    ? withNames('lobby.table_of', { name: seats.first })
    : withNames('game.pair', seats);
}

/** The winner and the reason; null for a game without a result.
 * @param {GameSummary} game
 * @param {Player | null} me
 */
function resultOf(game, me) {
  const { outcome, seats } = game;
  return outcome && seats && outcomeWords(game, seats, outcome, sideIn(game, me));
}

/** A row that is gone keeps its place and its focus, but its link does nothing.
 * @param {Event} event
 */
const stay = (event) => event.preventDefault();

/** The link that covers a row.
 * @param {string} address
 * @param {boolean} gone
 * @param {TemplateResult} content
 */
export const cover = (address, gone, content) =>
  html`<a class="cover" href=${address} aria-disabled=${gone ? 'true' : nothing} @click=${gone ? stay : nothing}>${content}</a>`;

/** @param {Handlers} handlers
 * @param {GameSummary} room
 * @param {boolean} gone */
export function roomRow(handlers, room, gone) {
  const own = isMine(room, handlers.me);
  const away = gone || handlers.busy;
  const seat = room.seat !== 'random' && seatWords(room.ruleset, own ? room.seat : OTHER_SEAT[room.seat]);
  return html`<li class=${gone ? 'row gone' : own ? 'row own' : 'row'}>
    ${handlers.board(room)}
    <div class="what">
      <strong translate=${own || room.for ? nothing : 'no'}>${roomTitle(room, own)}</strong>
      <span>${rulesetName(room.ruleset)}</span>
      ${facts([clockMark(room.clock), seat, ...marks(room), ago(room.created_ms)])}
    </div>
    ${handlers.isOffline ? nothing : own ? ownTools(handlers, room, away) : isChallengeTo(room, handlers.me) ? answerLink(room) : joinButton(handlers, room, gone, away)}
  </li>`;
}

/** @param {Handlers} handlers
 * @param {Seek} seek
 * @param {boolean} gone */
export function seekRow(handlers, seek, gone) {
  const { player, ruleset, clock, games, created_ms } = seek;
  const own = player.id === handlers.me?.id;
  const away = gone || handlers.busy;
  const press = () => away || (own ? handlers.withdraw(seek) : handlers.accept(seek));
  const [words, name] = gone
    ? [t('lobby.gone'), t('lobby.gone')]
    : own
      ? [t('seek.withdraw'), t('seek.withdraw_named', { pool: poolName(seek) })]
      : [t('seek.accept'), t('seek.accept_named', { name: nameOf(player) })];
  return html`<li class=${gone ? 'row gone' : own ? 'row own' : 'row'}>
    ${handlers.field(seek)}
    <div class="what">
      <strong translate=${own ? nothing : 'no'}>${own ? t('seek.yours') : playerName(player)}</strong>
      <span>${rulesetName(ruleset)}</span>
      ${facts([clockMark(clock), games > 1 && t('seek.games', { n: games }), ago(created_ms)])}
    </div>
    ${handlers.isOffline ? nothing : html`<button class=${own ? 'quiet' : 'primary'} aria-disabled=${away ? 'true' : nothing} aria-label=${name} @click=${press}>${words}</button>`}
  </li>`;
}

/** Whose room a row is, or who challenges whom.
 * @param {GameSummary} room
 * @param {boolean} own
 */
function roomTitle(room, own) {
  if (room.for === undefined) return own ? t('lobby.your_room') : playerName(room.creator);
  return own
    ? withNames('lobby.challenge_to', { name: room.for })
    : withNames('lobby.challenge_by', { name: room.creator });
}

/** The way to a challenge, where it is accepted or declined.
 * @param {GameSummary} room */
const answerLink = (room) =>
  html`<a class="button primary" href=${`/game/${room.id}`}
    aria-label=${t('lobby.answer_named', { name: nameOf(room.creator) })}>${t('lobby.answer')}</a>`;

/** @param {Handlers} handlers
 * @param {GameSummary} room
 * @param {boolean} gone
 * @param {boolean} away */
const joinButton = (handlers, room, gone, away) =>
  html`<button class="primary" aria-disabled=${away ? 'true' : nothing}
    aria-label=${gone ? t('lobby.gone') : t('lobby.join_named', { name: nameOf(room.creator) })}
    @click=${() => away || handlers.join(room)}>${gone ? t('lobby.gone') : t('lobby.join')}</button>`;

/** @param {Handlers} handlers
 * @param {GameSummary} room
 * @param {boolean} away */
const ownTools = (handlers, room, away) =>
  html`<div class="row-tools">
    <button class="quiet icon" title=${t('room.copy')} aria-label=${t('room.copy')} @click=${() => handlers.copy(room)}>${icon('copy')}</button>
    <button class="quiet" aria-disabled=${away ? 'true' : nothing} @click=${() => away || handlers.cancel(room)}>${t('lobby.cancel')}</button>
    <a class="button" href=${`/game/${room.id}`}>${t('lobby.enter')}</a>
  </div>`;

/** The time left for a turn, in words.
 * @param {number} leftMs
 */
export const leftWords = (leftMs) =>
  leftMs < MINUTE_MS ? t('turns.minute') : t('turns.left', { time: roughText(language, leftMs) });

/** The time left until a turn is due. Without a clock the deadline is that of the first turn alone, which aborts the game.
 * @param {GameSummary} game
 */
const dueMark = ({ clock, deadline_ms }) =>
  clock.kind !== 'none' && deadline_ms !== null && leftWords(deadline_ms - serverTime.now());

/** The opponent in a game of the player's.
 * @param {GameSummary} game
 * @param {Player | null} me
 */
export function againstWords(game, me) {
  if (isOneTable(game)) return t('lobby.table');
  const opponent = game.seats?.[sideIn(game, me) === 'first' ? 'second' : 'first'];
  if (opponent === undefined) return '';
  return opponent.bot === undefined
    ? withNames('lobby.against', { name: opponent })
    : t('lobby.against_bot', { n: opponent.bot });
}

/** @param {Pick<Handlers, 'me' | 'board'>} handlers
 * @param {GameSummary} game
 * @param {boolean} gone */
export function myRow({ me, board }, game, gone) {
  const turn = isTurnOf(game, me) && !gone;
  const isTable = isOneTable(game);
  const isUntimed = isTable || (hasBot(game.seats) && game.clock.kind === 'none');
  const mover = isTable ? moverMark(game) : t(turn ? 'lobby.your_turn' : 'lobby.their_turn');
  return html`<li class=${gone ? 'row gone' : turn ? 'row turn' : 'row'}>
    ${board(game)}
    ${cover(
      `/game/${game.id}`,
      gone,
      html`<strong>${againstWords(game, me)}</strong>
        <span>${rulesetName(game.ruleset)}</span>
        ${facts([
          !isUntimed && clockMark(game.clock),
          turnMark(game),
          (!gone && dueMark(game)) || ago(game.updated_ms),
          ...(isTable ? [] : marks(game)),
        ])}`,
    )}
    <span class=${turn ? 'tag now' : 'tag'}>${gone ? t('lobby.over') : mover}</span>
  </li>`;
}

/** The game that this device keeps.
 * @param {KeptGame} game
 * @param {Element} board
 */
export const keptRow = ({ ruleset, players, number, side }, board) =>
  html`<li class="row">
    ${board}
    ${cover(
      '/table',
      false,
      html`<strong>${t('lobby.on_device')}</strong>
        <span>${rulesetName(ruleset)}</span>
        ${facts([
          t('game.pair', { first: playerWords(players.first), second: playerWords(players.second) }),
          t('game.turn', { n: number }),
        ])}`,
    )}
    <span class="tag">${disc(ruleset, side)} ${t('status.side_to_move', { side: sideName(ruleset, side) })}</span>
  </li>`;

/** @param {Handlers} handlers
 * @param {GameSummary} game
 * @param {boolean} gone */
export function liveRow({ watchers, board }, game, gone) {
  const count = watchers.get(game.id) ?? 0;
  return html`<li class=${gone ? 'row gone' : 'row'}>
    ${board(game)}
    ${cover(
      `/game/${game.id}`,
      gone,
      html`<strong translate="no">${markedPair(game)}</strong>
        <span>${rulesetName(game.ruleset)}</span>
        ${facts([
          clockMark(game.clock),
          turnMark(game),
          moverMark(game),
          count > 0 && t('lobby.watchers', { n: count }),
          ...marks(game),
        ])}`,
    )}
    <span class="tag">${gone ? t('lobby.over') : t('lobby.watch')}</span>
  </li>`;
}

/** @param {Handlers} handlers
 * @param {GameSummary} game
 * @param {boolean} gone */
export function finishedRow({ me, board }, game, gone) {
  const words = resultOf(game, me);
  return html`<li class=${gone ? 'row gone' : 'row'}>
    ${board(game)}
    ${cover(
      `/replay/${game.id}`,
      gone,
      html`<strong translate="no">${markedPair(game)}</strong>
        <span>${rulesetName(game.ruleset)}</span>
        ${facts([html`${resultMark(game)} ${words?.title}`, turnsMark(game), clockMark(game.clock), ago(game.updated_ms)])}`,
    )}
    <span class="tag">${t('lobby.replay')}</span>
  </li>`;
}

/** The colour that won, or the sign of a draw.
 * @param {GameSummary} game
 */
const resultMark = ({ ruleset, outcome }) =>
  outcome?.winner ? disc(ruleset, outcome.winner) : picture(svg`<path d="M4 9.5h16M4 14.5h16"/>`);

const day = dates({ dateStyle: 'medium' });

/** A finished game; with `me`, one of the player's own.
 * @param {Pick<Handlers, 'me' | 'board'>} handlers
 * @param {GameSummary} game */
export function savedRow({ me, board }, game) {
  const { id } = game;
  const words = resultOf(game, me);
  const side = bottomIn(game, me);
  const at = new Date(game.updated_ms);
  return html`<li class="row">
    ${board(game)}
    ${cover(
      side === null ? `/replay/${id}` : `/replay/${id}?side=${side}`,
      false,
      html`${me === null ? html`<strong translate="no">${markedPair(game)}</strong>` : html`<strong>${againstWords(game, me)}</strong>`}
        <span>${rulesetName(game.ruleset)}</span>
        <span class="outcome">${resultMark(game)} ${words?.title}${t('page.colon')}${words?.reason}</span>
        ${facts([
          turnsMark(game),
          html`<time datetime=${at.toISOString()}>${day.format(at)}</time>`,
          clockMark(game.clock),
          game.custom_start && t('lobby.custom_start'),
        ])}`,
    )}
    <a class="button quiet icon above" href=${`/api/v1/games/${id}/record.txt`} download=${`towers-${id}.txt`}
      title=${t('record.download')} aria-label=${t('games.download', { pair: pairOf(game) })}>${icon('download')}</a>
  </li>`;
}
