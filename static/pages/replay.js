// A game from its first action to its last, one action or one turn at a time. The address names the action shown.
// The game comes from the server, or out of a record that the reader brings; then nothing of it is kept anywhere.

import { createBoard } from '../board/board.js';
import { createHints } from '../board/hints.js';
import { ApiError, getExample, getGame, untilAnswered } from '../connection/api.js';
import { forgetGame, keepGame, keptGame } from '../connection/kept-games.js';
import { gameIdIn } from '../connection/links.js';
import { waitFor } from '../playback/autoplay.js';
import { betterSteps, momentInstead } from '../playback/better-turns.js';
import { commentAt, commentsOn } from '../playback/comments.js';
import { endingOf } from '../session/ending.js';
import { showFailure, showMissing } from '../panels/missing-game.js';
import { fold, otherSide, turnLines } from '../session/game-model.js';
import { momentAt, moments, namesMoment, turnAt } from '../session/moments.js';
import { createBoardTabs } from '../panels/board-tabs.js';
import { cardsPanel } from '../panels/card-packs.js';
import { keepInView, spokenWords, strip, turnList } from '../panels/turns-and-players.js';
import { movesIn } from '../panels/walk.js';
import { createReview, worthPanel } from '../playback/review.js';
import { pairOf } from '../session/player-names.js';
import { momentName } from '../session/share.js';
import { turnDraftOf } from '../engine/turn-draft.js';
import { followReplayKeys, followWheel } from '../playback/ways.js';
import { bar, controls, headingPanel, statusPanel, toolBar } from '../playback/replay-panels.js';
import { askForRecord } from '../playback/record-form.js';
import { createCursor } from '../session/cursor.js';
import { createSession, drawnUp } from '../session/board-session.js';
import { sessionStore } from '../session/session-state.js';
import { beginHeader } from '../ui/header.js';
import { announce, byId, renderAll, rulesetName, t } from '../ui/page.js';
import { mayMove } from '../ui/motion.js';
import { offerWayOutOfZen, toggleZen } from '../panels/zen.js';
import { html } from '../vendor/lit-html@3.3.3/lit-html.js';

/** @import { GameDocument, Side, Step } from '../protocol.js' */
/** @import { Comments } from '../playback/comments.js' */
/** @import { Played } from '../playback/review.js' */
/** @import { Game } from '../session/game-model.js' */

/** A held key makes many steps, and browsers refuse too many changes of the address. */
const ADDRESS_AFTER_MS = 100;

/** The game's id; null where a record is brought, or the address names no game. */
const id = gameIdIn(location.pathname);
/** The ruleset whose example game the address names; null elsewhere. */
const example = /^\/example\/([a-z-]+)$/.exec(location.pathname)?.[1] ?? null;
const parameters = new URLSearchParams(location.search);
/** The side whose player asks for a review from the page of the game. */
const asked = parameters.get('review');
/** The visitor's side, which the links of *My games* name. */
const side = asked ?? parameters.get('side');
const mine = side === 'first' || side === 'second' ? side : null;
const isImport = document.body.classList.contains('importing');

/** @param {Game} game */
function start(game) {
  const { ruleset } = game;
  const all = moments(game);
  const lines = turnLines(game.turns);
  const cursor = createCursor(all, momentAt(all, location.hash), {
    waitFor: (next) => waitFor(next, next.action > 1 ? '' : comment()),
    moved(animate) {
      clearTimeout(addressTimer);
      addressTimer = window.setTimeout(keepAddress, ADDRESS_AFTER_MS);
      show(animate);
    },
    toggled: () => session.update({}),
  });
  /** The moment that is shown, which may be one of a better turn. */
  const shown = () => {
    const steps = betterNow();
    return steps === null
      ? cursor.moment
      : momentInstead(all, cursor.moment, steps, state.better?.looked ?? steps.length);
  };
  const turn = () => turnAt(game, shown());
  const store = sessionStore({
    comments: /** @type {Comments} */ ({}),
    played: /** @type {Played | null} */ (null),
    /** The number of the turn in whose place the better one is to be seen, and how many of its moves are on the board;
     * null for all. */
    better: /** @type {{ turn: number, looked: number | null } | null} */ (null),
    source: {
      ruleset,
      turnDraft: null,
      get turn() {
        return turn();
      },
      take: () => [],
      takeBackTo() {},
      confirm() {},
    },
  });
  const { state } = store;
  /** The index of the turn of the moment; -1 at the start. */
  const indexNow = () =>
    cursor.moment.action === 0 ? -1 : game.turns.findIndex(({ number }) => number === cursor.moment.turn);
  /** The steps of the better turn that is to be seen now; null if it is the turn that was played. */
  const betterNow = () =>
    state.better?.turn === cursor.moment.turn ? (state.played?.better[indexNow()] ?? null) : null;
  const comment = () => commentAt(state.comments, cursor.moment);
  const usual = mine ?? 'second';
  /** @returns {Side} */
  const bottom = () => (state.flipped ? otherSide(usual) : usual);
  const session = createSession({
    store,
    place: byId('board'),
    create: createBoard,
    contents() {
      const isEnd = betterNow() === null && cursor.index === cursor.last;
      const decisive = isEnd ? (endingOf(game)?.decisive ?? []) : [];
      const more = { mySide: null, lastSteps: shown().steps, decisive };
      return { bottom: bottom(), shown: drawnUp(turnDraftOf(turn(), null), more) };
    },
    words: comment,
    toggleZen,
  });
  let addressTimer = 0;
  /** @type {ReturnType<typeof createHints> | null} */
  let hints = null;
  const place = document.getElementById('review');
  const review =
    id === null || place === null || game.present.status !== 'finished'
      ? null
      : createReview({
          id,
          game,
          place,
          mine,
          isAsked: asked !== null,
          go: (number) => cursor.go(number === null ? 0 : momentAt(all, `#${number}`)),
          chose: (turn) => session.update({ better: { turn, looked: 0 } }, []),
          async play(review) {
            const played = { review, better: await betterSteps(game, review) };
            session.update({ played }, []);
            return played;
          },
        });
  const tabs = createBoardTabs(['frame', 'turns', 'more']);
  if (review !== null) tabs.add('review', 'more');
  if (review !== null && asked !== null) tabs.open('review');

  /** Shows the moment, without what was said before.
   * @param {Step[]} animate the steps that lead to it
   */
  function show(animate) {
    const { turn: number, action, actions } = cursor.moment;
    const isChosen = state.better?.turn === number && action === actions;
    session.update({ notice: null, better: isChosen ? state.better : null }, animate);
  }

  function toggleBetter() {
    const better = betterNow() === null ? { turn: cursor.moment.turn, looked: 0 } : null;
    session.update({ better }, []);
    const steps = betterNow();
    announce(steps === null ? t('review.show_played') : t('review.on_board', { n: movesIn(steps) }));
  }

  /** Shows the first moves of the better turn, or all.
   * @param {number | null} looked
   */
  function look(looked) {
    session.update({ better: { turn: cursor.moment.turn, looked } }, []);
    const { steps } = shown();
    announce(steps.length === 0 ? t('replay.start') : spokenWords(steps[steps.length - 1]));
  }

  /** The worth of the turn on the board; null if no review has it. */
  function worth() {
    const [index, better] = [indexNow(), betterNow()];
    const { played } = state;
    if (played?.review.turns[index] === undefined) return null;
    const looked = better === null ? undefined : state.better?.looked;
    const panel = worthPanel({ game, played, mine, index, looked, look, toggle: toggleBetter });
    return { panel, better };
  }

  function keepAddress() {
    history.replaceState(null, '', `#${cursor.moment.turn}.${cursor.moment.action}`);
  }

  const { copy, copyLink, copyPosition, flip } = session;
  const handlers = {
    flip,
    copyPosition,
    /** Copies a link to the moment that is shown.
     * @param {string} game
     */
    copyLink: (game) => copyLink(`/replay/${game}${momentName({ turns: [] }, cursor.moment)}`),
    /** Copies the HTML of a frame with the game.
     * @param {string} game
     */
    copyFrame: (game) =>
      copy(
        `<iframe src="${new URL(`/embed/${game}`, location.origin).href}" width="480" height="560" title="Towers" loading="lazy" allowfullscreen></iframe>`,
        'share.embedded',
      ),
  };

  store.subscribe(Object.values, ({ notice, better }) => {
    const [moment, now] = [shown(), turn()];
    renderAll({
      'bar-top': bar(game, moment, now, otherSide(bottom())),
      'bar-bottom': bar(game, moment, now, bottom()),
      status: statusPanel(
        game,
        moment,
        cursor.index === cursor.last,
        notice?.text ?? '',
        example === null ? null : comment(),
        worth(),
      ),
      strip: strip(ruleset, now, null),
      cards: cardsPanel(ruleset, now.cards, game.seedHash),
      controls: controls(cursor),
      tools: toolBar(game, { id, example, isImport }, cursor.moment, handlers, cursor),
      turns: html`<h2 id="turns-title" class="sr">${t('game.turns')}</h2> ${turnList({ ruleset, lines, base: '', current: cursor.moment })}`,
    });
    review?.show(cursor.moment, bottom());
    if (hints === null && session.board !== null) hints = createHints(byId('board'), ruleset);
    const steps = betterNow() ?? [];
    hints?.show([{ steps }], bottom() === 'first', better?.looked ?? steps.length);
    keepInView(byId('turns'), byId('turns').querySelector('[aria-current]'));
  });

  followWheel(byId('board'), cursor);
  followReplayKeys(all, cursor);
  window.addEventListener('hashchange', () => {
    if (!namesMoment(location.hash)) return;
    cursor.go(momentAt(all, location.hash));
    // The address names the moment already.
    clearTimeout(addressTimer);
  });
  show([]);
  if (example !== null) explain(example);

  /** Shows the comments on an example, which plays by itself once they are there.
   * @param {string} ruleset
   */
  async function explain(ruleset) {
    session.update({ comments: await commentsOn(ruleset) });
    if (cursor.index === 0 && !cursor.isPlaying && mayMove()) cursor.togglePlay();
  }
}

/** @param {Game} game
 * @param {boolean} isKept whether it is the copy of this device, shown while the server cannot be reached
 */
function showHeading(game, isKept) {
  const page = t('replay.title', { game: rulesetName(game.ruleset), pair: pairOf(game) });
  document.title = t('page.title', { page });
  renderAll({ heading: headingPanel(game, { id, example }, isKept) });
}

/** @param {Pick<GameDocument, 'events' | 'present'>} document
 * @param {boolean} [isKept]
 */
function open({ events, present }, isKept = false) {
  const game = fold(null, { type: 'snapshot', game: id ?? '', events, present, draft: null });
  if (game === null) throw new Error('the events of the game have gaps');
  showHeading(game, isKept);
  start(game);
  return game;
}

/** @returns {Promise<GameDocument>} */
function getNamed() {
  if (example !== null) return getExample(example);
  if (id !== null) return getGame(id);
  throw new ApiError('unknown_game', 'the address names no game');
}

async function openGame() {
  let shown = /** @type {Game | null} */ (null);
  /** Shows the copy of this device, if there is one, while the server cannot be reached.
   * @param {ApiError} error
   */
  async function openKept(error) {
    if (shown !== null) return;
    const copy = id === null ? null : await keptGame(id);
    if (shown !== null) return;
    try {
      if (copy === null) showFailure(error);
      else shown = open(copy, true);
    } catch {
      // The copy is that of another release.
      showFailure(error);
    }
  }
  try {
    const document = await untilAnswered(getNamed, openKept);
    if (shown === null) shown = open(document);
    else showHeading({ ...shown, present: document.present }, false);
    // The next person at this device is not shown a private game.
    const isKept = document.present.status === 'finished' && document.summary.watching !== 'nobody';
    if (id !== null && isKept) await keepGame(id, document);
  } catch (error) {
    const code = error instanceof ApiError ? error.code : '';
    if (id !== null && (code === 'unknown_game' || code === 'private')) forgetGame(id);
    if (code === 'unknown_game') showMissing('unknown');
    else if (code === 'private') showMissing('private');
    else showFailure(error);
  }
}

beginHeader();
offerWayOutOfZen();
if (isImport) askForRecord(open);
else await openGame();
