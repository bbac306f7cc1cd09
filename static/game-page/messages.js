// Handles the server's messages on the page of a game.

import { serverTime } from '../connection/server-time.js';
import { announce, t } from '../ui/page.js';
import { fold, stepsBetween, withDraft, withName } from '../session/game-model.js';
import { namesMoment } from '../session/moments.js';
import { newsBetween } from './news.js';
import { isMyTurn, mySide, turnNow } from './game-state.js';

/** @import { ChatLine, Player, ServerMessage } from '../protocol.js' */
/** @import { News, openConnection } from '../connection/socket.js' */
/** @import { Sound } from '../ui/tones.js' */
/** @import { GameActions } from './actions.js' */
/** @import { DraftNews, Game, News as GameNews } from '../session/game-model.js' */
/** @import { State } from './game-state.js' */

/**
 * @param {object} options
 * @param {Readonly<State>} options.state
 * @param {GameActions} options.gameActions
 * @param {ReturnType<typeof openConnection>} options.connection
 * @param {(name: Sound, occasion: string) => void} options.soundOnce
 * @param {() => boolean} options.isWriting whether a line of the chat is being written: then the page stays open
 */
export function createMessages({ state, gameActions, connection, soundOnce, isWriting }) {
  const { id } = state;
  const { update, playerTurn } = gameActions;

  /** @param {Exclude<ServerMessage, { type: 'events' | 'draft' }> | GameNews | DraftNews} message */
  function onMessage(message) {
    switch (message.type) {
      case 'welcome':
        return update({ me: message.player });
      case 'presence':
        if (message.game !== id) return;
        return update({ presence: message, presenceAt: serverTime.now() });
      case 'chat':
        if (message.game !== id) return;
        return addLines(message.lines);
      case 'renamed':
        return rename(message.player);
      case 'snapshot':
      case 'events':
        if (message.game === id) applyEvents(message);
        return;
      case 'draft':
        return redraft(message);
      case 'error':
        return fault(message);
    }
  }

  /** @param {ChatLine[]} lines */
  function addLines(lines) {
    // The server tells the stored lines before it tells who is present.
    const storedLine = (state.presence === null && lines.at(-1)?.id) || state.storedLine;
    update({ lines: [...state.lines, ...lines], storedLine });
  }

  /** @param {Player} player */
  function rename(player) {
    const { game, me } = state;
    update({
      renamed: player,
      ...(game === null ? {} : { game: withName(game, player) }),
      ...(me?.id === player.id ? { me: player } : {}),
    });
  }

  /** @param {DraftNews} message */
  function redraft(message) {
    const { game } = state;
    if (message.game !== id || game === null) return;
    const before = turnNow(game, playerTurn.turnDraft).steps;
    const now = withDraft(game, message);
    playerTurn.applyEvents(now, isMyTurn(state));
    update({ game: now }, stepsBetween(before, turnNow(now, playerTurn.turnDraft).steps));
  }

  /** @param {GameNews} message */
  function applyEvents(message) {
    const before = state.game;
    const now = fold(before, message);
    if (now === null) {
      connection.follow(id, 0);
      return;
    }
    const seen = before === null ? [] : turnNow(before, playerTurn.turnDraft).steps;
    const wasSeated = mySide(state) !== null;
    const isNewTurn = before?.since !== now.since || before.present.status !== now.present.status;
    const mine = mySide({ ...state, game: now });
    // Players have a chat of their own, which the server sends when they join.
    const changesChat = before !== null && !wasSeated && mine !== null;
    const isLost = playerTurn.applyEvents(now, isMyTurn({ ...state, game: now }));
    const prepared = gameActions.preparing?.meet(now);
    // A draft that a spectator has already seen is not animated again.
    const played = now.turns.filter(({ version }) => version > (before?.version ?? 0));
    const steps = played.flatMap((turn) => turn.steps);
    // A notice goes with its occasion. After a turn of one's own it stays: it may be about that turn.
    const isOld =
      before !== null &&
      before.version !== now.version &&
      (now.present.status !== 'playing' || played.at(-1)?.side !== mine);
    update(
      {
        game: now,
        missing: null,
        news: state.news === 'busy' ? 'online' : state.news,
        ...(isNewTurn ? { asked: null, making: false } : {}),
        ...(isOld ? { notice: null } : {}),
        ...(changesChat ? { lines: [] } : {}),
      },
      before === null ? [] : [...stepsBetween(seen, steps), ...(prepared?.steps ?? [])],
    );
    if (changesChat) connection.follow(id, now.version);
    if (!isWhole(before) && isWhole(now)) lookAtAddress();
    if (before !== null && before.version !== now.version) announceNews(before, now);
    prepared?.settle();
    if (isLost) gameActions.note(t('refusal.stale'), {}, 'assertive');
  }

  /** True if a game is shown with its turns.
   * @param {Game | null} game
   */
  const isWhole = (game) => game !== null && game.turns.length === game.nTurns;

  /** An address may name a moment, as that of a replay does. */
  function lookAtAddress() {
    if (namesMoment(location.hash) && state.game !== null) gameActions.showMoment(location.hash);
  }
  window.addEventListener('hashchange', lookAtAddress);

  /** Announces all news at once, and follows the players to their next game.
   * @param {Game} before
   * @param {Game} now
   */
  function announceNews(before, now) {
    const { words, call, tone, rematch, isAnswer } = newsBetween(before, now, state.me);
    if (rematch !== null && (mySide(state) !== null || !isWriting())) location.assign(`/game/${rematch}`);
    if (isAnswer) gameActions.note(words);
    else if (words !== '') announce(words, call === null ? 'polite' : 'assertive');
    if (tone !== null) soundOnce(tone, call === 'turn' || call === 'start' ? '' : `${now.version}`);
  }

  /** @param {Extract<ServerMessage, { type: 'error' }>} why */
  function fault(why) {
    switch (why.code) {
      case 'unknown_game':
        return update({ missing: 'unknown' });
      case 'private':
        return update({ missing: 'private', game: null });
      case 'unavailable':
        return state.game === null ? update({ missing: 'unreadable' }) : undefined;
      case 'wrong_protocol':
      case 'too_fast':
      case 'no_more_watchers':
        return;
      default:
        gameActions.note(t('fault.other', { code: why.code }), {}, 'assertive');
    }
  }

  /** @param {News} news */
  function connectionIs(news) {
    const wasAway = state.news === 'offline';
    // A notice that is there before the first connection is not about the line.
    const isBack = news === 'online' && state.news !== 'online';
    update({ news, notice: isBack ? null : state.notice });
    if (news === 'online' && wasAway) announce(t('line.back'));
  }

  return { onMessage, connectionIs };
}
