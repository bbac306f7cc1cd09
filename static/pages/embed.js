// A board with the turns of a game, for frames in pages of other sites. It needs no session, and stores nothing.

import { createBoard } from '../board/board.js';
import { gameOf } from '../board/looks.js';
import { fold } from '../session/game-model.js';
import { moments, turnAt } from '../session/moments.js';
import { namedSeats } from '../session/player-names.js';
import { walkButton } from '../panels/walk.js';
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
  let index = all.length - 1;
  let playing = 0;
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

  /** @param {number} to
   * @param {Step[]} [animate] */
  function go(to, animate = []) {
    index = Math.min(all.length - 1, Math.max(0, to));
    draw(animate);
  }

  function forward() {
    const step = all[index + 1]?.steps.at(-1);
    go(index + 1, step === undefined ? [] : [step]);
  }

  function stop() {
    clearTimeout(playing);
    playing = 0;
  }

  /** @param {number} to */
  function jump(to) {
    stop();
    go(to);
  }

  function step() {
    stop();
    forward();
  }

  function goOn() {
    playing = index + 1 < all.length - 1 ? window.setTimeout(goOn, STEP_MS) : 0;
    forward();
  }

  function togglePlay() {
    if (playing !== 0) {
      stop();
      return draw([]);
    }
    playing = window.setTimeout(goOn, STEP_MS);
    go(index === all.length - 1 ? 0 : index);
  }

  /** @param {Step[]} animate */
  function draw(animate) {
    const moment = all[index];
    const where =
      index === 0
        ? t('replay.start')
        : t('replay.at', { turn: moment.turn, side: sideName(game.ruleset, moment.side) });
    const [atStart, atEnd] = [index === 0, index === all.length - 1];
    render(
      html`<div class="walk" role="group" aria-label=${t('replay.walk')}>
          ${walkButton('first', () => jump(0), atStart)}
          ${walkButton('back', () => jump(index - 1), atStart)}
          ${walkButton(playing === 0 ? 'play' : 'pause', togglePlay)}
          ${walkButton('forward', step, atEnd)}
          ${walkButton('last', () => jump(all.length - 1), atEnd)}
        </div>
        <p>${where}</p>`,
      byId('controls'),
    );
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
  const seats = namedSeats(game);
  const pair = seats && t('game.pair', { first: seats.first.name, second: seats.second.name });
  document.title = t('page.title', {
    page: t('replay.title', { game: rulesetName(game.ruleset), pair: pair ?? '' }),
  });
  const address = game.present.status === 'finished' ? `/replay/${id}` : `/game/${id}`;
  render(
    html`<h1>${pair ?? rulesetName(game.ruleset)}</h1>
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
