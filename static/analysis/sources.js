// Where an analysis comes from: a link, a game, a pasted text, or the start of a ruleset.

import { gameOf } from '../board/looks.js';
import { Refused } from '../engine/engine.js';
import { fold, isOneTable, sideOf } from '../session/game-model.js';
import { ApiError, getExample, getGame, untilAnswered } from '../connection/api.js';
import { bareWord, gameIdIn } from '../connection/links.js';
import { openSession } from '../connection/session.js';
import { RULESETS, nameOf, t } from '../ui/page.js';
import { flawWords, foundIn, sentence } from '../ui/trouble.js';
import { readFragment } from './fragment.js';
import { openStudy } from './study.js';
import { prepared, preparedPosition } from '../ui/pasted.js';
import { Newer, Unreadable, isRecord, readText } from './text.js';
import { allFrom, lineFrom, noNotes } from './tree.js';

/** @import { GameDocument, Ruleset, Side } from '../protocol.js' */
/** @import { Engine } from '../engine/engine.js' */
/** @import { Game } from '../session/game-model.js' */
/** @import { Study } from './study.js' */

/** A game under way in which the visitor plays. */
export class UnderWay extends Error {
  /**
   * @param {Game} game
   * @param {Side} mine
   */
  constructor(game, mine) {
    super(game.id);
    this.game = game;
    this.mine = mine;
  }
}

/** The words for a text that cannot be opened: where it is wrong, what is there, and what belongs there.
 * @param {unknown} error
 * @param {string} text as it was read
 */
export function faultWords(error, text) {
  if (error instanceof Newer)
    return `${sentence(t('flaw.newer_version', { version: String(error.version) }))}`;
  if (error instanceof Unreadable) {
    const found = foundIn(text, error.line);
    const wrong = t('flaw.expected', { what: t(`flaw.what_${error.wanted}`) });
    return `${t('analysis.bring_line', { n: error.line })} ${found} ${sentence(wrong)}`.replace(/ +/g, ' ');
  }
  if (!(error instanceof Refused)) throw error;
  const { refusal, turn } = error;
  switch (refusal.code) {
    case 'invalid_position':
      return `${t('analysis.bring_position')} ${sentence(flawWords({ ...refusal, code: 'position' }))}`;
    case 'illegal':
    case 'incomplete': {
      const where = turn === null ? '' : `${t('record.turn', { n: turn })}${t('page.colon')}`;
      return `${t('analysis.bring_illegal')} ${sentence(`${where}${flawWords(refusal)}`)}`;
    }
    default:
      return t('analysis.bring_illegal');
  }
}

/**
 * The analysis of a record, or of a position of a ruleset.
 *
 * @param {Engine} engine
 * @param {Ruleset} ruleset that of a position
 * @param {string} text as `prepared` leaves it
 * @returns {Study}
 */
export function studyOf(engine, ruleset, text) {
  if (!isRecord(text)) return openStudy(engine, ruleset, text || null);
  const content = readText(text);
  const named = RULESETS.find((name) => name === content.headers.get('ruleset'));
  if (named === undefined) throw new Unreadable(2, 'ruleset');
  const study = openStudy(engine, named, content.headers.get('start') ?? null, content);
  const cells = new Set(gameOf(named).grid.cells);
  for (const node of allFrom(study.root))
    node.marks = node.marks.filter(({ from, to }) => cells.has(from) && cells.has(to));
  return study;
}

/** The headers of a game's record.
 * @param {Game} game
 */
function headersOf({ seats, present }) {
  const ended = present.status === 'finished' ? present.outcome : null;
  return new Map([
    ...(seats === null
      ? []
      : /** @type {[string, string][]} */ ([
          ['first', nameOf(seats.first)],
          ['second', nameOf(seats.second)],
        ])),
    ...(ended === null
      ? []
      : /** @type {[string, string][]} */ ([
          ['result', ended.winner ?? 'draw'],
          ['reason', ended.reason],
        ])),
  ]);
}

/** The visitor; null in a browser that keeps no session, which plays in no game.
 * @param {(error: ApiError) => void} report
 */
async function visitorOf(report) {
  try {
    return (await untilAnswered(openSession, report)).player;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'nothing_kept') return null;
    throw error;
  }
}

/** A game with its turns.
 * @param {string} id empty for an example
 * @param {() => Promise<GameDocument>} read
 */
export async function gameOfDocument(id, read) {
  const { events, present } = await read();
  const game = fold(null, { type: 'snapshot', game: id, events, present, draft: null });
  if (game === null) throw new ApiError('unknown_game', 'the events of the game have gaps');
  return game;
}

/**
 * The analysis of a game, at the end of a turn.
 *
 * @param {Engine} engine
 * @param {string} id empty for an example
 * @param {() => Promise<GameDocument>} read
 * @param {number} turn
 * @param {(error: ApiError) => void} report called with each failure after which the game is asked for again
 * @returns {Promise<Study>} rejected with `UnderWay` if the visitor plays in it
 */
async function studyAfter(engine, id, read, turn, report) {
  const game = await untilAnswered(() => gameOfDocument(id, read), report);
  if (game.present.status === 'playing') {
    const player = await visitorOf(report);
    const mine = player === null ? null : sideOf(game, player);
    if (mine !== null) throw new UnderWay(game, mine);
  }
  const study = studyOfGame(engine, game);
  const node = lineFrom(study.root).findLast(({ move }) => (move?.number ?? 0) <= turn);
  if (node !== undefined) study.goTo(node);
  return study;
}

/** The analysis of a game, at its start.
 * @param {Engine} engine
 * @param {Game} game
 */
export function studyOfGame(engine, game) {
  const line = game.turns.map(({ number, card, steps }) => ({
    ...noNotes(),
    number,
    card,
    actions: steps.map(({ action }) => action),
    variations: [],
  }));
  const headers = isOneTable(game) ? new Map() : headersOf(game);
  return openStudy(engine, game.ruleset, game.start, { headers, opening: noNotes(), line });
}

/**
 * The analysis that an address names.
 *
 * @param {Engine} engine
 * @param {URL} address
 * @param {(error: ApiError) => void} report
 * @returns {Promise<Study>}
 */
export async function studyAt(engine, { hash, searchParams }, report) {
  const linked = await readFragment(hash);
  if (linked !== null) {
    const study = studyOf(engine, 'fibonacci', prepared(linked.text));
    study.goTo(allFrom(study.root)[linked.at] ?? study.root);
    return study;
  }
  const game = searchParams.get('game');
  const turn = Number.parseInt(searchParams.get('turn') ?? '', 10) || 0;
  if (game !== null) {
    const id = gameIdIn(game) ?? game;
    return studyAfter(engine, id, () => getGame(id), turn, report);
  }
  const example = bareWord(searchParams.get('example') ?? '');
  if (example !== '') return studyAfter(engine, '', () => getExample(example), turn, report);
  const named = bareWord(searchParams.get('ruleset') ?? '');
  const ruleset = RULESETS.find((name) => name === named) ?? 'fibonacci';
  return openStudy(engine, ruleset, preparedPosition(searchParams.get('position') ?? '') || null);
}
