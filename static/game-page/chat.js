// The chat of a game: of its players, or of its spectators. Messages are plain text.
// Lines of blocked or muted players are not shown.

import { block, listBlocks, unblock } from '../connection/api.js';
import { commandId } from '../connection/socket.js';
import { openReport } from '../ui/header.js';
import { announce, byId, dates, momentOf, nameOf, recall, remember, t, wordsOf } from '../ui/page.js';
import { playerName } from '../ui/player-name.js';
import { html, nothing, render } from '../vendor/lit-html@3.3.3/lit-html.js';
import { MAX_CHARS, lineOf, mutedFrom, seenFrom, shownOf, unreadOf, withLines, withSeen } from './talk.js';

/** @import { ChatLine, Player } from '../protocol.js' */
/** @import { Answer, Command } from '../connection/socket.js' */

/** The place in the browser of the last lines that were seen. */
const SEEN = 'chats';

const time = dates({ timeStyle: 'short' });

/**
 * @param {object} options
 * @param {string} options.id the game's
 * @param {HTMLElement} options.element
 * @param {(command: Command) => Promise<Answer | null>} options.command
 * @param {(mark: unknown, lines: ChatLine[]) => void} options.unread called with the mark of the chat's tab and the lines that it
 *   is about
 * @param {(player: Player) => void} options.challenge opens the dialog of a challenge
 */
export function openChat({ id, element, command, unread, challenge }) {
  /** @type {Player | null} */
  let me = null;
  let isPlayer = false;
  /** @type {ChatLine[]} */
  let lines = [];
  /** Lines that wait for the list of blocked players.
   * @type {ChatLine[]} */
  let unsorted = [];
  /** @type {Player[]} */
  let blocked = [];
  /** @type {Promise<void> | null} */
  let asking = null;
  let muted = mutedFrom(recall('muted'));
  /** The last line that was seen. */
  let seen = seenFrom(recall(SEEN)).get(id) ?? '';
  /** The visitor's lines without an answer, oldest first.
   * @type {{ text: string, isReceived: boolean }[]} */
  let unsent = [];
  /** Resolves when earlier lines are answered: lines are sent in order. */
  let sent = Promise.resolve();
  /** The line whose menu is open: without it, lines that go would leave the menu open at another one. */
  let opened = '';
  /** @type {string | null} */
  let trouble = null;

  const hidden = () => new Set([...muted, ...blocked].map((player) => player.id));

  // --- Received lines ---

  /** Adds lines. The list of blocked players is loaded before the lines of others are shown.
   * @param {ChatLine[]} received
   */
  async function add(received) {
    if (received.length === 0) return;
    unsorted.push(...received);
    for (const { who, text } of received) {
      const mine = who.id === me?.id && unsent.find((line) => line.text === text && !line.isReceived);
      if (mine) mine.isReceived = true;
    }
    if (unsorted.some(({ who }) => who.id !== me?.id)) await blocksKnown();
    const isFirst = lines.length === 0;
    const before = lines;
    lines = withLines(lines, unsorted);
    unsorted = [];
    if (!isFirst || received.length === 1) announceNew(before);
    const box = element.querySelector('.lines');
    const isAtEnd = box === null || box.scrollTop + box.clientHeight >= box.scrollHeight - 40;
    draw();
    if (isAtEnd || received.at(-1)?.who.id === me?.id) scrollToEnd();
  }

  function blocksKnown() {
    asking ??= listBlocks().then(
      ({ players }) => {
        blocked = players;
      },
      () => {
        // The lines are shown anyway, and the next one retries.
        asking = null;
      },
    );
    return asking;
  }

  /** Announces the new lines of others.
   * @param {ChatLine[]} before
   */
  function announceNew(before) {
    const known = new Set(before.map((line) => line.id));
    const fresh = unreadOf(shownOf(lines, hidden()), '', me).filter((line) => !known.has(line.id));
    for (const { who, text } of fresh) announce(t('chat.said', { name: nameOf(who), text }));
  }

  // --- Lines to send ---

  /** @param {SubmitEvent} event */
  function send(event) {
    event.preventDefault();
    const input = /** @type {HTMLInputElement} */ (byId('chat-text'));
    const text = lineOf(input.value);
    trouble = text === null && input.value.length > MAX_CHARS ? t('chat.too_long', { n: MAX_CHARS }) : null;
    if (text === null) return draw();
    input.value = '';
    const line = { text, isReceived: false };
    unsent = [...unsent, line];
    draw();
    scrollToEnd();
    sent = sent.then(() => sendLine(line));
  }

  /** @param {{ text: string, isReceived: boolean }} line */
  async function sendLine(line) {
    const answer = await command({ type: 'say', command: commandId(), game: id, text: line.text });
    unsent = unsent.filter((other) => other !== line);
    if (answer?.type === 'nack') {
      giveBack(line.text);
      const isOfChat = answer.code === 'too_fast' || answer.code === 'invalid';
      trouble =
        answer.code === 'muted'
          ? t('refusal.muted', { when: momentOf(answer.until_ms) })
          : t(isOfChat ? `chat.${answer.code}` : `refusal.${answer.code}`);
      announce(trouble, 'assertive');
    }
    draw();
  }

  /** Puts a rejected line back into the field, before any text typed since.
   * @param {string} text
   */
  function giveBack(text) {
    const input = /** @type {HTMLInputElement} */ (byId('chat-text'));
    input.value = `${text} ${input.value}`.trim();
  }

  // --- People ---

  /** @param {Player} player */
  function mutePlayer(player) {
    muted = [...muted, player];
    remember('muted', JSON.stringify(muted));
    announce(t('chat.muted', { name: nameOf(player) }));
    drawAndWrite();
  }

  /** Unmutes a player.
   * @param {Player} player
   */
  async function free(player) {
    muted = muted.filter((other) => other.id !== player.id);
    remember('muted', JSON.stringify(muted));
    if (blocked.some((other) => other.id === player.id)) {
      await attempt(async () => {
        await unblock(player.id);
        blocked = blocked.filter((other) => other.id !== player.id);
      });
    }
    drawAndWrite();
  }

  /** @param {Player} player */
  const shut = (player) =>
    attempt(async () => {
      await block(player.id);
      blocked = [...blocked, player];
      announce(t('chat.blocked', { name: nameOf(player) }));
      drawAndWrite();
    });

  /** Draws without the button that was pressed, and puts the focus into the field. */
  function drawAndWrite() {
    opened = '';
    draw();
    byId('chat-text').focus();
  }

  /** @param {() => Promise<void>} work */
  async function attempt(work) {
    trouble = null;
    try {
      await work();
    } catch (error) {
      trouble = wordsOf(error);
      announce(trouble, 'assertive');
    }
    draw();
  }

  // --- Showing ---

  /** @param {KeyboardEvent} event */
  function closeMenu(event) {
    const menu = event.key === 'Escape' ? element.querySelector('details[open]') : null;
    menu?.removeAttribute('open');
    menu?.querySelector('summary')?.focus();
  }

  /** @param {Event} event
   * @param {string} line its id */
  function keepOpened({ currentTarget }, line) {
    const { open } = /** @type {HTMLDetailsElement} */ (currentTarget);
    if (open) opened = line;
    else if (opened === line) opened = '';
    draw();
  }

  /** @param {string} line the id of the last line that was seen */
  function keepSeen(line) {
    if (line === seen) return;
    seen = line;
    remember(SEEN, withSeen(recall(SEEN), id, line));
  }

  function scrollToEnd() {
    const box = element.querySelector('.lines');
    if (box !== null) box.scrollTop = box.scrollHeight;
  }

  function draw() {
    const shown = shownOf(lines, hidden());
    if (!element.hidden && document.visibilityState === 'visible' && shown.length > 0) {
      keepSeen(shown[shown.length - 1].id);
    }
    const waiting = unsent.filter(({ isReceived }) => !isReceived);
    const fresh = unreadOf(shown, seen, me);
    const count = fresh.length;
    unread(
      count === 0
        ? nothing
        : html`<span class="badge" aria-hidden="true">${count}</span><span class="sr">${t('chat.unread', { n: count })}</span>`,
      fresh,
    );
    render(
      html`<div class="lines" tabindex="0" role="group" aria-label=${t(isPlayer ? 'chat.players' : 'chat.watchers')}>
          ${shown.length + waiting.length === 0 ? html`<p class="empty">${t(isPlayer ? 'chat.none' : 'chat.none_watching')}</p>` : html`<ol>${shown.map(lineItem)}${waiting.map(waitingItem)}</ol>`}
        </div>
        ${absent()}
        <form @submit=${send}>
          <label class="sr" for="chat-text">${t('chat.label')}</label>
          <input id="chat-text" autocomplete="off" maxlength=${MAX_CHARS} placeholder=${t('chat.label')} />
          <button>${t('chat.send')}</button>
        </form>
        ${trouble === null ? nothing : html`<p class="error">${trouble}</p>`}`,
      element,
    );
  }

  /** @param {ChatLine} line */
  const lineItem = ({ id: line, at_ms: atMs, turn, who, text }) => html`<li>
      <p><strong translate="no">${playerName(who)}</strong> <span class="text">${text}</span></p>
      <small><time datetime=${new Date(atMs).toISOString()}>${time.format(atMs)}</time> ·
        <a href=${`/replay/${id}#${turn}.0`}>${t('game.turn', { n: turn })}</a></small>
      ${who.id === me?.id || who.kind === 'deleted' ? nothing : menu(line, who)}
    </li>`;

  /** @param {{ text: string }} line */
  const waitingItem = ({ text }) => html`<li class="waiting">
      <p><strong translate="no">${me && playerName(me)}</strong> <span class="text">${text}</span></p>
      <small>${t('chat.sending')}</small>
    </li>`;

  /** The actions offered for the author of a line.
   * @param {string} line its id
   * @param {Player} who
   */
  const menu = (line, who) => html`<details class="menu" name="chat-menu" ?open=${line === opened}
      @toggle=${(/** @type {Event} */ event) => keepOpened(event, line)}>
      <summary aria-label=${t('chat.menu', { name: nameOf(who) })}>…</summary>
      <div>
        <button class="quiet" @click=${() => challenge(who)}>${t('chat.challenge', { name: nameOf(who) })}</button>
        <button class="quiet" @click=${() => mutePlayer(who)}>${t('chat.mute', { name: nameOf(who) })}</button>
        <button class="quiet" @click=${() => shut(who)}>${t('chat.block', { name: nameOf(who) })}</button>
        <button class="quiet" @click=${() => openReport(who, id)}>${t('chat.report', { name: nameOf(who) })}</button>
      </div>
    </details>`;

  /** Those whose lines are not shown here, under their present names: the browser keeps former ones. */
  function absent() {
    const speakers = new Map(lines.map(({ who }) => [who.id, who]));
    return [...hidden()]
      .flatMap((id) => speakers.get(id) ?? [])
      .map(
        (player) => html`<p class="absent">${t('chat.hidden', { name: nameOf(player) })}
        <button class="quiet" @click=${() => free(player)}>${t('chat.show', { name: nameOf(player) })}</button></p>`,
      );
  }

  element.addEventListener('keydown', closeMenu);
  document.addEventListener('visibilitychange', draw);

  return {
    add,
    /** Shows the lines of a player under a new name.
     * @param {Player} player
     */
    rename(player) {
      /** @param {ChatLine} line */
      const named = (line) => (line.who.id === player.id ? { ...line, who: player } : line);
      [lines, unsorted] = [lines.map(named), unsorted.map(named)];
      draw();
    },
    /** Scrolls to the last lines when the chat is opened. */
    look() {
      draw();
      scrollToEnd();
    },
    /** True while a line is being written: then the page stays. */
    get isWriting() {
      const input = document.getElementById('chat-text');
      return unsent.length > 0 || (input instanceof HTMLInputElement && input.value !== '');
    },
    /** Sets the visitor's role. A spectator who becomes a player leaves the spectators' chat.
     * @param {Player | null} player
     * @param {boolean} plays
     */
    enter(player, plays) {
      if (plays !== isPlayer) [lines, unsorted, unsent] = [[], [], []];
      me = player;
      isPlayer = plays;
      draw();
    },
  };
}
