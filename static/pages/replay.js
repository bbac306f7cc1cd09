// A game from its first action to its last, one action or one turn at a time. The address names the action shown.
// The game comes from the server, or out of a record that the reader brings; then nothing of it is kept anywhere.

import { prepared } from '../ui/pasted.js';
import { createBoard } from '../board/board.js';
import { gameOf } from '../board/games.js';
import { clockAt, paceChoice, thoughtWords, waitFor } from '../play/autoplay.js';
import { cardsPanel } from '../play/cards.js';
import { endingOf } from '../play/ending.js';
import { fold, isOneTable, otherSide, outcomeOf, turnLines } from '../play/model.js';
import { showMissing } from '../play/missing.js';
import { calledName, namedSeats, outcomeWords } from '../play/names.js';
import { goalOf, momentAt, moments, namesMoment, turnAt } from '../play/moments.js';
import {
  actionWords,
  effectWords,
  keepInView,
  playerBar,
  reserveTray,
  strip,
  takenNotes,
  turnList,
} from '../play/panels.js';
import { createReview } from '../play/review.js';
import { copied, momentName } from '../play/share.js';
import { wheelSteps } from '../play/wheel.js';
import { walkButton } from '../play/walk.js';
import { showKeys } from '../play/show-keys.js';
import { ApiError, checkRecord, getGame, request, untilAnswered } from '../net/api.js';
import { forgetGame, keepGame, keptGame } from '../net/kept-games.js';
import { gameIdIn, linkedGame } from '../net/links.js';
import {
  announce,
  byId,
  icon,
  leadToRules,
  rulesetName,
  showHeader,
  sideName,
  t,
  wordsOf,
} from '../ui/page.js';
import { leaveFor } from '../ui/leaving.js';
import { offerPreferences, showPreferences, toggleZen } from '../ui/preferences-dialog.js';
import { submitted } from '../ui/submit.js';
import { html, nothing, render } from '../vendor/lit-html@3.3.3/lit-html.js';

/** @import { GameDocument, Side, Step } from '../protocol.js' */
/** @import { Game } from '../play/model.js' */
/** @import { Moment } from '../play/moments.js' */

/** A held key makes many steps, and browsers refuse too many changes of the address. */
const ADDRESS_AFTER_MS = 100;

/** The game's id; null where a record is brought, or the address names no game. */
const id = gameIdIn(location.pathname);
/** The ruleset whose example game the address names; null elsewhere. */
const example = /^\/example\/([a-z-]+)$/.exec(location.pathname)?.[1] ?? null;
const isImport = document.body.classList.contains('importing');

/** @param {Game} game */
function start(game) {
  const all = moments(game);
  const lines = turnLines(game.turns);
  const board = createBoard(byId('board'), {
    game: gameOf(game.ruleset),
    ruleset: game.ruleset,
    t,
    announce,
    onAction() {},
    onUndo() {},
    onRestart() {},
    onAsk: ask,
    onExplain(key, args) {
      note(t(key, args));
      announce(t(key, args));
    },
  });
  let index = momentAt(all, location.hash);
  let flipped = false;
  let playing = 0;
  let addressTimer = 0;
  let said = '';
  const place = document.getElementById('review');
  const review =
    id === null || place === null || game.present.status !== 'finished'
      ? null
      : createReview({ id, game, place, go: (turn) => go(turn === null ? 0 : momentAt(all, `#${turn}`)) });
  if (place !== null) place.hidden = review === null;

  /** @param {string} text */
  function note(text) {
    said = text;
    draw([]);
  }

  /** @param {number} to
   * @param {Step[]} [animate] */
  function go(to, animate = []) {
    const next = Math.min(all.length - 1, Math.max(0, to));
    if (next === index) return;
    index = next;
    said = '';
    clearTimeout(addressTimer);
    addressTimer = window.setTimeout(keepAddress, ADDRESS_AFTER_MS);
    draw(animate);
  }

  function keepAddress() {
    history.replaceState(null, '', `#${all[index].turn}.${all[index].action}`);
  }

  function forward() {
    const step = all[index + 1]?.steps.at(-1);
    go(index + 1, step === undefined ? [] : [step]);
  }

  function togglePlay() {
    if (playing !== 0) {
      clearTimeout(playing);
      playing = 0;
    } else {
      if (index === all.length - 1) go(0);
      waitForNext();
    }
    draw([]);
  }

  function waitForNext() {
    clearTimeout(playing);
    playing = index === all.length - 1 ? 0 : window.setTimeout(goOn, waitFor(all[index + 1]));
  }

  function goOn() {
    forward();
    waitForNext();
    if (playing === 0) draw([]);
  }

  function changePace() {
    if (playing !== 0) waitForNext();
    draw([]);
  }

  /** @param {Step[]} animate */
  function draw(animate) {
    const moment = all[index];
    const turn = turnAt(game, moment);
    const { ruleset } = game;
    /** @param {Side} side */
    const bar = (side) =>
      playerBar({
        ...{ ruleset, side, name: calledName(game, side), toMove: moment.side === side },
        isNamed: !isOneTable(game),
        player: game.seats?.[side],
        notes: takenNotes(moment.taken[side]),
        tray: turn.reserves === null ? nothing : reserveTray({ ruleset, side, men: turn.reserves[side] }),
        clock: clockAt(moment, side),
      });
    const bottom = flipped ? 'first' : 'second';
    render(bar(otherSide(bottom)), byId('bar-top'));
    render(bar(bottom), byId('bar-bottom'));
    render(status(moment, said), byId('status'));
    const cards = turn.cards && cardsPanel(ruleset, turn.cards, game.seedHash);
    render(html`${strip(ruleset, turn, null)} ${cards}`, byId('strip'));
    render(controls(), byId('controls'));
    render(tools(), byId('tools'));
    render(
      html`<h2 id="turns-title">${t('game.turns')}</h2> ${turnList({ ruleset, lines, base: '', current: moment })}`,
      byId('turns'),
    );
    board.setFlipped(bottom === 'first');
    board.show({
      turn,
      mySide: null,
      legal: null,
      groups: [],
      lastSteps: moment.steps,
      decisive: index === all.length - 1 ? (endingOf(game)?.decisive ?? []) : [],
      draftSteps: [],
      animate,
    });
    review?.show(moment, bottom);
    keepInView(byId('turns'), byId('turns').querySelector('[aria-current]'));
  }

  /**
   * @param {Moment} moment
   * @param {string} words
   */
  function status(moment, words) {
    const outcome = index === all.length - 1 ? outcomeOf(game) : null;
    const result = outcome && game.seats ? outcomeWords(game, game.seats, outcome, null) : null;
    const step = moment.steps.at(-1);
    const where = t('replay.at', { turn: moment.turn, side: sideName(game.ruleset, moment.side) });
    const effect = step === undefined ? '' : effectWords(step);
    const done =
      step === undefined
        ? t('replay.start')
        : html`${actionWords(step)} ${effect === '' ? nothing : html`<small>${effect}</small>`}`;
    return html`<h2>${result?.title ?? where}</h2>
      <p>${result === null ? done : result.reason}</p>
      <p class="lead">${thoughtWords(moment)}</p>
      ${words === '' ? nothing : html`<p class="notice">${words}</p>`}`;
  }

  function controls() {
    const atStart = index === 0;
    const atEnd = index === all.length - 1;
    return html`<div class="walk" role="group" aria-label=${t('replay.walk')}>
        ${walkButton('first', () => go(0), atStart)}
        ${walkButton('back', () => go(index - 1), atStart)}
        ${walkButton(playing === 0 ? 'play' : 'pause', togglePlay)}
        ${walkButton('forward', forward, atEnd)}
        ${walkButton('last', () => go(all.length - 1), atEnd)}
      </div>
      ${paceChoice(changePace)}
      <p class="hint">${t('replay.keys')}</p>`;
  }

  function tools() {
    return html`<button class="quiet" @click=${flip}>${icon('flip')} <span>${t('game.flip')}</span></button>
      ${id === null ? nothing : html`<button class="quiet" @click=${() => copyLink(id)}>${icon('copy')} <span>${t('share.move')}</span></button>`}
      <button class="quiet" @click=${copyPosition}>${icon('copy')} <span>${t('replay.copy')}</span></button>
      ${id === null ? nothing : html`<a class="button quiet" href=${`/analysis?game=${id}&turn=${all[index].turn}`}>${icon('eye')} <span>${t('analysis.analyse')}</span></a>`}
      ${isImport ? html`<a class="button quiet" href="/import">${t('import.another')}</a>` : nothing}
      ${id === null || game.terms.watching === 'nobody' ? nothing : sharing(id)}
      ${id === null ? nothing : recordLinks(id)}
      ${
        id === null || game.seedHash === null || game.present.status !== 'finished'
          ? nothing
          : html`<a class="button quiet" href=${`/shuffles/${id}`}>${t('cards.check')}</a>`
      }`;
  }

  /** Pictures and the code of a frame, which show what any spectator may see.
   * @param {string} id
   */
  const sharing = (id) =>
    html`${pictureLinks(id, all[index])}
      <button class="quiet" @click=${() => copyFrame(id)}>${icon('copy')} <span>${t('share.embed')}</span></button>`;

  /** @param {'help' | 'preferences' | 'zen'} what */
  function ask(what) {
    if (what === 'help') showKeys(game.ruleset);
    else if (what === 'preferences') showPreferences();
    else toggleZen();
  }

  function flip() {
    flipped = !flipped;
    draw([]);
  }

  /** Copies a text and says so, or shows it where the browser does not let it be copied.
   * @param {string} text
   * @param {string} done
   */
  async function copy(text, done) {
    const words = (await copied(text)) ? done : text;
    note(words);
    announce(words);
  }

  const copyPosition = () => copy(all[index].position, t('replay.copied'));

  /** Copies a link to the moment that is shown.
   * @param {string} id
   */
  const copyLink = (id) =>
    copy(new URL(`/replay/${id}${momentName(game, all[index])}`, location.origin).href, t('share.copied'));

  /** Copies the HTML of a frame with the game.
   * @param {string} id
   */
  const copyFrame = (id) =>
    copy(
      `<iframe src="${new URL(`/embed/${id}`, location.origin).href}" width="480" height="560" title="Towers" loading="lazy" allowfullscreen></iframe>`,
      t('share.embedded'),
    );

  let turned = 0;
  byId('board').addEventListener(
    'wheel',
    (event) => {
      // With Control the wheel zooms the page.
      if (event.ctrlKey) return;
      event.preventDefault();
      const { steps, rest } = wheelSteps(turned, event);
      turned = rest;
      if (steps > 0) forward();
      else if (steps < 0) go(index - 1);
    },
    { passive: false },
  );

  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || byId('board').contains(document.activeElement))
      return;
    const to = goalOf(`${event.shiftKey ? 'Shift+' : ''}${event.key}`, all, index);
    if (to === null) return;
    event.preventDefault();
    if (event.key === 'ArrowRight' && !event.shiftKey) forward();
    else go(to);
  });
  window.addEventListener('hashchange', () => {
    if (!namesMoment(location.hash)) return;
    clearTimeout(addressTimer);
    index = momentAt(all, location.hash);
    said = '';
    draw([]);
  });
  draw([]);
}

/** Links to a picture of the turn that is shown, and to an animation of the game.
 * @param {string} id
 * @param {Moment} moment
 */
const pictureLinks = (id, { turn, action, actions }) =>
  html`<a class="button quiet" href=${`/api/v1/games/${id}/picture.png?turn=${action === actions ? turn : turn - 1}`} download=${`towers-${id}.png`}>${icon('download')} <span>${t('share.picture')}</span></a>
    <a class="button quiet" href=${`/api/v1/games/${id}/animation.gif`} download=${`towers-${id}.gif`}>${icon('download')} <span>${t('share.animation')}</span></a>`;

/** Links to a game's record.
 * @param {string} id
 */
const recordLinks = (id) =>
  html`<a class="button quiet" href=${`/api/v1/games/${id}/record.txt`} download=${`towers-${id}.txt`}>${icon('download')} <span>${t('record.download')}</span></a>
    <a class="button quiet" href=${`/api/v1/games/${id}/record.json`} download=${`towers-${id}.json`}>${icon('download')} <span>${t('record.json')}</span></a>`;

/** @param {Game} game
 * @param {boolean} isKept whether it is the copy of this device, shown while the server cannot be reached
 */
function showHeading(game, isKept) {
  leadToRules(game.ruleset);
  const seats = namedSeats(game);
  const pair = seats && t('game.pair', { first: seats.first.name, second: seats.second.name });
  document.title = t('page.title', {
    page: t('replay.title', { game: rulesetName(game.ruleset), pair: pair ?? '' }),
  });
  const isLive = id !== null && game.present.status === 'playing';
  const rematch = game.present.status === 'finished' ? game.present.rematch : null;
  render(
    html`<h1>${rulesetName(game.ruleset)}<span class="sr">, ${pair}</span></h1>
      <p class="lead">${t('replay.lead')} · <a href=${`/rules/${game.ruleset}`}>${t('page.rules')}</a>
        ${isLive ? html` · <a href=${`/game/${id}`}>${t('replay.to_game')}</a>` : nothing}
        ${rematch === null ? nothing : html` · <a href=${`/game/${rematch}`}>${t('over.to_rematch')}</a>`}</p>
      ${isKept ? html`<p class="notice">${t('kept.copy')}</p>` : nothing}`,
    byId('heading'),
  );
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
  if (example !== null)
    return /** @type {Promise<GameDocument>} */ (request('GET', `/api/v1/examples/${example}`));
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
      if (copy === null) showTrouble(error);
      else shown = open(copy, true);
    } catch {
      // The copy is that of another release.
      showTrouble(error);
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
    else showTrouble(error);
  }
}

/** @param {unknown} error */
function showTrouble(error) {
  const words = wordsOf(error);
  render(
    html`<h2>${words}</h2>
      <p><a class="button" href="/">${t('page.to_lobby')}</a></p>`,
    byId('status'),
  );
  announce(words, 'assertive');
}

function askForRecord() {
  document.title = t('page.title', { page: t('import.title') });
  render(
    html`<h1>${t('import.title')}</h1>
      <p class="lead">${t('import.lead')}</p>`,
    byId('heading'),
  );
  render(
    html`<form @submit=${bring}>
      <label class="field">${t('import.file')} <input type="file" accept=".txt,.json,text/plain,application/json" @change=${read} /></label>
      <label class="field">${t('import.paste')}
        <textarea id="record" name="record" rows="10" required spellcheck="false" autocapitalize="off"></textarea>
      </label>
      <p class="error" role="alert" id="trouble"></p>
      <button class="primary big">${t('import.show')}</button>
    </form>`,
    byId('import'),
  );
}

/** Puts a chosen file into the field for pasted records, so that its text is seen before it is sent.
 * @param {Event} event
 */
async function read(event) {
  const file = /** @type {HTMLInputElement} */ (event.target).files?.[0];
  if (file !== undefined) /** @type {HTMLTextAreaElement} */ (byId('record')).value = await file.text();
}

/** @param {SubmitEvent} event */
function bring(event) {
  event.preventDefault();
  const form = /** @type {HTMLFormElement} */ (event.target);
  const field = /** @type {HTMLTextAreaElement} */ (byId('record'));
  const linked = linkedGame(field.value);
  const record = prepared(field.value);
  // A refusal names lines of the text that it is about.
  if (linked === null) field.value = record;
  const work = async () => {
    if (linked !== null) return leaveFor(`/replay/${linked}`);
    const game = await checkRecord(record);
    document.body.classList.remove('importing');
    open(game);
    byId('status').focus();
  };
  submitted(form, work, record);
}

showHeader(isImport ? 'import' : 'replay');
offerPreferences();
if (isImport) askForRecord();
else await openGame();
