// A board with the turns of a game, for frames in pages of other sites. It needs no session, and stores nothing.

import { createBoard } from '../board/board.js';
import { gameOf } from '../board/looks.js';
import { createCursor } from '../session/cursor.js';
import { fold } from '../session/game-model.js';
import { moments, turnAt } from '../session/moments.js';
import { pairOf } from '../session/player-names.js';
import { walkControls } from '../panels/walk.js';
import { ApiError, getGame, untilAnswered } from '../connection/api.js';
import { gameIdIn } from '../connection/links.js';
import { announce, byId, rulesetName, sideName, t, wordsOf } from '../ui/page.js';
import { html, render } from '../vendor/lit-html@3.3.3/lit-html.js';

/** @import { Game } from '../session/game-model.js' */
/** @import { Step } from '../protocol.js' */

/** Time from one action to the next while the game is played. */
const STEP_MS = 1_100;

const id = gameIdIn(location.pathname) ?? '';

/** @param {Game} game */
function start(game) {
  const all = moments(game);
  const cursor = createCursor(all, all.length - 1, {
    waitFor: () => STEP_MS,
    moved: (animate) => draw(animate),
    toggled: () => draw([]),
  });
  const board = createBoard(byId('board'), {
    game: gameOf(game.ruleset),
    ruleset: game.ruleset,
    t,
    announce,
    onAction() {},
    onUndo() {},
    onRestart() {},
    onAsk() {},
    onExplain: (key, args) => announce(t(key, args)),
  });

  /** @param {Step[]} animate */
  function draw(animate) {
    const { index, moment, pause } = cursor;
    const where =
      index === 0
        ? t('replay.start')
        : t('replay.at', { turn: moment.turn, side: sideName(game.ruleset, moment.side) });
    render(html`${walkControls(cursor, pause)} <p>${where}</p>`, byId('controls'));
    board.show({
      turn: turnAt(game, moment),
      mySide: null,
      legal: null,
      groups: [],
      lastSteps: moment.steps,
      draftSteps: [],
      animate,
    });
  }

  byId('controls').replaceChildren();
  draw([]);
}

/** @param {Game} game */
function showTop(game) {
  const pair = pairOf(game);
  document.title = t('page.title', { page: t('replay.title', { game: rulesetName(game.ruleset), pair }) });
  const address = game.present.status === 'finished' ? `/replay/${id}` : `/game/${id}`;
  render(
    html`<h1>${pair || rulesetName(game.ruleset)}</h1>
      <a href=${address} target="_blank" rel="noopener">${t('embed.open')}</a>`,
    byId('top'),
  );
}

/** @param {unknown} error */
function showTrouble(error) {
  const code = error instanceof ApiError ? error.code : '';
  const isMissing = code === 'unknown_game' || id === '';
  const words = isMissing ? t('missing.unknown') : code === 'private' ? t('missing.private') : wordsOf(error);
  announce(words, 'assertive');
  render(
    html`<h1>${words}</h1>
      <a href="/" target="_blank" rel="noopener">${t('page.name')}</a>`,
    byId('top'),
  );
  byId('controls').replaceChildren();
}

async function open() {
  try {
    if (id === '') throw new ApiError('unknown_game', 'the address names no game');
    const { events, present } = await untilAnswered(() => getGame(id), showTrouble);
    const game = fold(null, { type: 'snapshot', game: id, events, present, draft: null });
    if (game === null) throw new Error('the events of the game have gaps');
    showTop(game);
    start(game);
  } catch (error) {
    showTrouble(error);
  }
}

await open();
