// The panel of an open room: for its maker the ways to invite, for everybody else the way to join.

import { cancelRoom, declineChallenge, inviteBot, joinRoom } from '../connection/api.js';
import { levelField, levelIn } from '../ui/bots.js';
import { loadDialogs, openCounter } from './challenging.js';
import { byId, icon, isSame, language, nameOf, rulesetName, seatWords, t, usualHand } from '../ui/page.js';
import { withNames } from '../ui/player-name.js';
import { html } from '../vendor/lit-html@3.3.3/lit-html.js';
import { clockLong } from '../session/clock-text.js';

/** @import { Player } from '../protocol.js' */
/** @import { Game } from '../session/game-model.js' */

/**
 * @typedef {object} Room
 * @property {Game} game
 * @property {Player | null} me
 * @property {boolean} busy whether something is being done
 * @property {(work: () => Promise<unknown>) => void} attempt runs a request, and reports its failure
 * @property {(key: string) => void} explain puts a sentence into the status
 */

/** @param {Room} room */
export function roomPanel(room) {
  const { me, game } = room;
  if (isSame(me, game.creator))
    return game.challenged === null ? waitingPanel(room) : sentPanel(room, game.challenged);
  if (game.challenged !== null) return isSame(me, game.challenged) ? challengePanel(room) : otherPanel();
  return game.left.some((player) => isSame(me, player)) ? leftPanel() : joinPanel(room);
}

/** For the maker of a challenge.
 * @param {Room} room
 * @param {Player} challenged
 */
const sentPanel = ({ game, busy, attempt }, challenged) =>
  html`<h2 class="room">${withNames('lobby.challenge_to', { name: challenged })}</h2>
    ${termsLine(game)}
    <p>${t('room.challenge_waits')}</p>
    <p><button class="quiet" aria-disabled=${busy} @click=${() => attempt(() => cancelRoom(game.id))}>${t('room.withdraw')}</button></p>`;

/** For the challenged player.
 * @param {Room} room
 */
const challengePanel = ({ game, busy, attempt }) =>
  html`<h2 class="room">${withNames('lobby.challenge_by', { name: game.creator })}</h2>
    ${termsLine(game)}
    <p>${seatWords(game.ruleset, OTHER_SEAT[game.seat])}</p>
    <p class="ways">
      <button class="primary big" aria-disabled=${busy} aria-label=${t('room.accept_named', { name: nameOf(game.creator) })}
        @click=${() => attempt(() => joinRoom(game.id))}>${t('room.accept')}</button>
      <button aria-disabled=${busy} @click=${() => counter(game, attempt)}>${t('room.counter')}</button>
      <button aria-disabled=${busy} @click=${() => attempt(() => declineChallenge(game.id))}>${t('room.decline')}</button>
    </p>
    ${aboutLine(game)}`;

/** Opens the dialog by which a challenge is answered by another one.
 * @param {Game} game
 * @param {Room['attempt']} attempt
 */
async function counter(game, attempt) {
  const dialogs = await loadDialogs();
  attempt(() => openCounter(dialogs, game, OTHER_SEAT[game.seat]));
}

/** For everybody else. */
const otherPanel = () =>
  html`<h2 class="room">${t('refusal.not_for_you')}</h2>
    <p><a class="button" href="/">${t('page.to_lobby')}</a></p>`;

/** For a player who has left the room, which is open for others. */
const leftPanel = () =>
  html`<h2 class="room">${t('room.left')}</h2>
    <p>${t('room.left_hint')}</p>
    <p><a class="button" href="/">${t('page.to_lobby')}</a></p>`;

/** The terms of the game.
 * @param {Game} game
 */
function termsLine({ ruleset, terms }) {
  const words = [
    rulesetName(ruleset),
    clockLong(t, language, terms.clock),
    ...(terms.watching === 'nobody' ? [t('lobby.unwatched')] : []),
    ...(terms.drafts === 'hidden' ? [t('room.drafts_hidden')] : []),
    ...(terms.delay > 0 ? [t('room.delay', { n: terms.delay })] : []),
  ];
  return html`<p class="terms">${words.join(' · ')}</p>`;
}

/** A summary of the game for newcomers.
 * @param {Game} game
 */
const aboutLine = ({ ruleset }) =>
  html`<p class="about">${t(`about.${ruleset}`)} <a href=${`/rules/${ruleset}`}>${t('page.rules')}</a></p>`;

/** @param {Room} room */
const waitingPanel = ({ game, busy, attempt, explain }) =>
  html`<h2 class="room">${t('room.waiting')}</h2>
    ${termsLine(game)}
    <p>${t(game.visibility === 'link' ? 'room.share_link' : 'room.share')}</p>
    <p class="copy">
      <input id="link" readonly aria-label=${t('room.link')} value=${`${location.origin}/game/${game.id}`} />
      <button class="primary" @click=${() => copyLink(explain)}>${icon('copy')} ${t('room.copy')}</button>
    </p>
    <form class="bot" aria-labelledby="bot-title" @submit=${(/** @type {SubmitEvent} */ event) => seatBot(event, game, attempt)}>
      <span id="bot-title">${t('bot.instead')}</span>
      ${levelField()}
      <button aria-disabled=${busy}>${t('bot.start')}</button>
    </form>
    <p><button class="quiet" aria-disabled=${busy} @click=${() => attempt(() => cancelRoom(game.id))}>${t('room.cancel')}</button></p>`;

/** Begins the game of a room with a bot.
 * @param {SubmitEvent} event
 * @param {Game} game
 * @param {Room['attempt']} attempt
 */
function seatBot(event, { id }, attempt) {
  event.preventDefault();
  const level = levelIn(/** @type {HTMLFormElement} */ (event.target));
  attempt(() => inviteBot(id, { level }));
}

/** @param {Room['explain']} explain */
async function copyLink(explain) {
  const field = /** @type {HTMLInputElement} */ (byId('link'));
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
    explain('room.copied');
  } catch {
    field.focus();
    explain(`room.copy_by_${usualHand()}`);
  }
}

const OTHER_SEAT = /** @type {const} */ ({ first: 'second', second: 'first', random: 'random' });

let hasEntered = false;

/** A room by link seats the first visitor who opens the link.
 * @param {Room} room
 */
function enterByLink({ game, me, attempt }) {
  if (hasEntered || me === null || game.visibility !== 'link') return;
  hasEntered = true;
  // The page is just being drawn.
  queueMicrotask(() => attempt(() => joinRoom(game.id)));
}

/** @param {Room} room */
function joinPanel(room) {
  enterByLink(room);
  const { game, me, busy, attempt } = room;
  return html`<h2 class="room">${withNames('room.open', { name: game.creator }, { game: rulesetName(game.ruleset) })}</h2>
    ${aboutLine(game)}
    <p>${seatWords(game.ruleset, OTHER_SEAT[game.seat])}</p>
    ${termsLine(game)}
    <p><button class="primary big" aria-disabled=${busy || me === null} @click=${() => me !== null && attempt(() => joinRoom(game.id))}>${t('lobby.join')}</button></p>`;
}
