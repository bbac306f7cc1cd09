// The panels of the page of a game, and the data of each.

import { tryAgain } from '../connection/session.js';
import { openChallenge } from './challenging.js';
import { openChat } from './chat.js';
import { noteLines } from './event-words.js';
import { openNotifications } from './notifications.js';
import { attendant, offersPanel, remarks } from './sidebar.js';
import { toolBar } from './tool-bar.js';
import { followMoments } from '../panels/board-tools.js';
import { createBoardTabs } from '../panels/board-tabs.js';
import { cardsPanel } from '../panels/card-packs.js';
import { drawTurns } from '../panels/history.js';
import { byId, icon, renderAll, t, usualHand } from '../ui/page.js';
import { recallHere, rememberHere } from '../ui/storage.js';
import { offerWayOutOfZen } from '../panels/zen.js';
import { html, nothing, render } from '../vendor/lit-html@3.3.3/lit-html.js';
import { actionBar } from './turn-bar.js';
import { bar, heading } from './player-bars.js';
import { endingOf } from '../session/ending.js';
import { showMissing } from '../panels/missing-game.js';
import { isAlone, isOneTable, otherSide } from '../session/game-model.js';
import { strip } from '../panels/turns-and-players.js';
import { bottomSide, isMyTurn, isStopped, lineKey, mySide, sidebarOf, turnNow } from './game-state.js';
import { conditionalLink, goalLine, noticePanel, statusPanel } from './status.js';

/** @import { Sound } from '../ui/tones.js' */
/** @import { GameActions } from './actions.js' */
/** @import { Game } from '../session/game-model.js' */
/** @import { State } from './game-state.js' */
/** @import { Store } from '../session/store.js' */

/** On a small page the board comes first. */
const IS_LARGE = window.matchMedia('(width >= 72em)').matches;

/**
 * @param {object} options
 * @param {Store<State>} options.store
 * @param {GameActions} options.gameActions
 * @param {(name: Sound, occasion: string) => void} options.soundOnce
 */
export function createScreen({ store, gameActions, soundOnce }) {
  const { state } = store;
  const { id } = state;
  const { update, sendOffer, showMoment } = gameActions;
  /** @type {ReturnType<typeof openChat> | null} */
  let chat = null;
  const tabKey = `tab ${id}`;
  /** Whether the chat may still come up by itself. */
  let mayOpenChat = IS_LARGE;
  const tabs = createBoardTabs(['frame', 'turns', 'more'], (part) => {
    mayOpenChat = false;
    rememberHere(tabKey, part);
    chat?.look();
  });
  const attend = attendant(soundOnce);
  const notices = openNotifications({ id, changed: () => update({}) });
  let clockTimer = 0;
  let wasPlaying = false;

  /** A panel of a game: nothing is drawn of it before there is one.
   * @param {(state: State) => unknown[]} needs
   * @param {(state: State, game: Game) => void} panel
   */
  const subscribe = (needs, panel) =>
    store.subscribe(needs, (now) => {
      if (now.game !== null) panel(now, now.game);
    });

  /** The panels that change with time, and with each move.
   * @param {State} now
   * @param {Game} game
   */
  function drawPanels(now, game) {
    const { past } = now;
    const sidebar = sidebarOf(now, game);
    const bottom = bottomSide(now);
    const { turn } = past ?? turnNow(game, now.turnDraft);
    const mine = isOneTable(game) ? null : mySide(now);
    const conditional = isMyTurn(now) ? conditionalLink(now, game) : nothing;
    renderAll({
      heading: heading(now, game),
      'bar-top': bar(now, game, otherSide(bottom), gameActions),
      'bar-bottom': bar(now, game, bottom, gameActions),
      remarks: [
        ...remarks(sidebar).map((words) => html`<p>${words}</p>`),
        conditional === nothing ? nothing : html`<p>${conditional}</p>`,
      ],
      offers: offersPanel(sidebar, sendOffer),
      status: html`${statusPanel(now, game, gameActions, notices.reachIn(game))} ${noticePanel(now, game, gameActions)}`,
      strip: game.present.status === 'playing' ? strip(game.ruleset, turn, mine) : nothing,
      actions: actionBar(now, game, gameActions),
      tools: toolBar(sidebar, now, gameActions, notices.button()),
      cards:
        game.present.status === 'playing' ? cardsPanel(game.ruleset, turn.cards, game.seedHash) : nothing,
      // On a phone the tools are behind a tab, which nobody opens for a first turn.
      aim: game.present.status === 'playing' && game.nTurns < 2 ? goalLine(game) : nothing,
      goal: goalLine(game),
    });
    byId('strip').classList.toggle('waiting', now.isAsking);
    document.body.classList.toggle('past', past !== null);
    byId('board').classList.toggle('prepared', now.prepared !== null && past === null);
    clearTimeout(clockTimer);
    const inMs = attend(sidebar);
    if (inMs !== null) clockTimer = window.setTimeout(() => update({}), inMs);
  }

  /** @param {State} now
   * @param {Game} game */
  function drawChat(now, game) {
    const plays = mySide(now) !== null;
    if (game.seats === null || (plays && isAlone(game))) return;
    if (chat === null) {
      tabs.add('chat', 'more');
      if (mayOpenChat && recallHere(tabKey) === 'chat') tabs.open('chat');
      chat = openChat({
        id,
        element: byId('chat'),
        command: gameActions.command,
        unread(mark, lines) {
          tabs.mark('chat', mark);
          if (mayOpenChat && lines.some((line) => line.id <= state.storedLine)) tabs.open('chat');
        },
        challenge: (player) => state.game !== null && openChallenge(player, state.game, mySide(state)),
      });
    }
    chat.enter(now.me, plays);
    chat.add(now.lines.splice(0));
  }

  /** @param {State} now */
  function drawLine(now) {
    const { news } = now;
    const key = lineKey(now);
    // The words lie over the board, and these never go by themselves.
    const close = html`<button class="quiet icon" aria-label=${t('page.close')} @click=${() => render(nothing, byId('line'))}>${icon('close')}</button>`;
    render(
      key === null
        ? nothing
        : html`<p class="line">${t(key)}
            ${isStopped(news) ? html`<button @click=${() => location.reload()}>${t('line.reload_button')}</button>` : nothing}
            ${news === 'nothing_kept' ? html`<button @click=${tryAgain}>${t('line.try_again')}</button> ${close}` : nothing}</p>`,
      byId('line'),
    );
  }

  store.subscribe(
    ({ game, missing }) => [game === null ? missing : null],
    ({ game, missing }) => showMissing(game === null ? missing : null),
  );
  subscribe(Object.values, drawPanels);
  // Most changes leave the turns as they are, and in a long game there are many.
  subscribe(
    ({ game, past }) => [game?.version, game?.turns, game?.seats, game?.left, past?.moment],
    ({ past }, game) => drawTurns(game, { past, showMoment, base: `/replay/${id}`, notes: noteLines(game) }),
  );
  subscribe(
    ({ game, me }) => [game, me],
    ({ me }, game) => notices.show(game, me),
  );
  subscribe(({ game, me, lines }) => [game?.seats, me, game && mySide({ game, me }), lines], drawChat);
  subscribe(
    ({ renamed }) => [renamed],
    ({ renamed }) => renamed && chat?.rename(renamed),
  );
  store.subscribe((now) => [lineKey(now)], drawLine);
  // A game that was over when the page came is shown as it stands.
  subscribe(
    ({ game }) => [game],
    ({ past }, game) => {
      const ending = endingOf(game);
      if (wasPlaying && ending !== null && past === null)
        gameActions.board?.playAgain(ending.from, ending.steps);
      wasPlaying = game.present.status === 'playing';
    },
  );
  // Where a keyboard would come up on the screen, it would cover the board.
  byId('tabs').addEventListener('click', ({ target }) => {
    const isChat = target instanceof Element && target.closest('#tab-chat') !== null;
    if (isChat && usualHand() === 'keys') byId('chat-text').focus({ preventScroll: true });
  });
  followMoments(showMoment);
  offerWayOutOfZen();
  document.addEventListener('visibilitychange', () => update({}));

  return {
    get isWriting() {
      return chat?.isWriting ?? false;
    },
  };
}
