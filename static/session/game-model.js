// The client's model of a game, folded from its events. Pure, and without rules: steps and turns come from the server or
// from the page's engine.

import { hasDays } from './clock.js';

/** @import { CompactTurn, Draft, Event, Outcome, Player, Snapshot, Ruleset, SeatChoice, Seats, Side, Step, Terms, Times, Version,
 *   Visibility } from '../protocol.js' */

/** The part of a draft that a board shows.
 * @typedef {Pick<Draft, 'turn' | 'steps' | 'complete'>} ShownDraft */

/**
 * A turn that was played.
 * @typedef {object} PlayedTurn
 * @property {number} number
 * @property {Side} side
 * @property {Step[]} steps
 * @property {number | null} card the card that it was played by, where the game has cards
 * @property {number} tookMs
 * @property {Times | null} time time of both sides after it
 * @property {Version} version
 */

/**
 * An event beside the board; `after` is the number of turns that stand before it.
 * @typedef {{ after: number, event: Event }} Note
 */

/**
 * A game at a version.
 * @typedef {object} Game
 * @property {string} id
 * @property {number} version
 * @property {Ruleset} ruleset
 * @property {Visibility} visibility
 * @property {Player} creator
 * @property {Player | null} challenged the only player who may join the room, if it is a challenge
 * @property {boolean} isDeclined whether the challenged player declined
 * @property {string | null} counter the id of the challenge with which that player answered
 * @property {SeatChoice} seat the creator's choice
 * @property {Terms} terms
 * @property {string} start the start position's text
 * @property {string | null} seedHash the hash of the seed of the shuffles, where the game has cards
 * @property {Seats | null} seats
 * @property {Player[]} left those who joined the room and left it before both sides had made a turn
 * @property {PlayedTurn[]} turns those that stand, without turns that were taken back
 * @property {number} nTurns their number, which is known before they are
 * @property {Note[]} notes
 * @property {Version} since the version with which the turn under way began: later ones have left the board as it is
 * @property {Snapshot} present
 * @property {ShownDraft | null} draft the draft of the turn under way
 */

/**
 * Events of a game with all that follows from them: a `snapshot` has all of the game, `events` those after the known ones.
 * A turn without its steps is not listed.
 * @typedef {object} News
 * @property {'snapshot' | 'events'} type
 * @property {string} game
 * @property {(Event | (CompactTurn & { version: Version }))[]} events
 * @property {Snapshot} present
 * @property {ShownDraft | null} draft
 */

/** The draft of the turn under way; null if there is none.
 * @typedef {{ type: 'draft', game: string, version: Version, draft: ShownDraft | null }} DraftNews */

/**
 * The game after a `snapshot` or `events`: events that are known already change nothing. Gives `null` if events
 * are missing in between, so that the caller can ask for them.
 *
 * @param {Game | null} game
 * @param {News} news
 * @returns {Game | null}
 */
export function fold(game, news) {
  const known = news.type === 'snapshot' ? null : game;
  const fresh = news.events.filter((event) => event.version > (known?.version ?? 0));
  let next = known;
  for (const event of fresh) {
    if (event.version !== (next?.version ?? 0) + 1) return null;
    next = withEvent(next, news, event);
    if (next === null) return null;
  }
  if (next === null || next.version !== news.present.version) return null;
  return { ...next, present: news.present, draft: news.draft };
}

/**
 * @param {Game | null} game
 * @param {News} news
 * @param {News['events'][number]} event
 * @returns {Game | null}
 */
function withEvent(game, news, event) {
  const { version } = event;
  if ('actions' in event) return game && { ...game, version, nTurns: game.nTurns + 1, since: version };
  if (event.type === 'created') {
    const {
      ruleset,
      visibility,
      creator,
      for: challenged = null,
      seat,
      terms,
      start,
      seed_hash: seedHash,
    } = event;
    const { present, draft } = news;
    return {
      id: news.game,
      version,
      ruleset,
      visibility,
      creator,
      challenged,
      isDeclined: false,
      counter: null,
      seat,
      terms,
      start,
      seedHash,
      seats: null,
      left: [],
      turns: [],
      nTurns: 0,
      notes: [],
      since: version,
      present,
      draft,
    };
  }
  if (game === null) return null;
  const next = { ...game, version };
  switch (event.type) {
    case 'started':
      return { ...next, seats: event.seats, since: version };
    case 'reopened': {
      if (game.seats === null) return null;
      const { first, second } = game.seats;
      const left = [...game.left, first.id === game.creator.id ? second : first];
      // Events about the sides were about their players.
      const notes = game.notes.filter(({ event }) => event.type === 'reopened');
      return {
        ...next,
        seats: null,
        left,
        turns: [],
        nTurns: 0,
        notes: [...notes, { after: 0, event }],
        since: version,
        seedHash: event.seed_hash,
      };
    }
    case 'turn_played': {
      const { turn: number, side, steps, card, took_ms: tookMs, time } = event;
      const turn = { number, side, steps, card, tookMs, time, version };
      return { ...next, turns: [...game.turns, turn], nTurns: game.nTurns + 1, since: version };
    }
    case 'turns_taken_back': {
      const turns = game.turns.slice(0, -event.turns);
      const nTurns = game.nTurns - event.turns;
      const notes = game.notes.map((note) => ({ ...note, after: Math.min(note.after, nTurns) }));
      return { ...next, turns, nTurns, notes: [...notes, { after: nTurns, event }], since: version };
    }
    case 'ended':
      return next;
    case 'cancelled':
      return { ...next, isDeclined: event.declined === true, counter: event.counter ?? null };
    default:
      return { ...next, notes: [...game.notes, { after: game.nTurns, event }] };
  }
}

/**
 * The game with the server's latest draft, or unchanged if the draft is about another turn.
 *
 * @param {Game} game
 * @param {DraftNews} news
 * @returns {Game}
 */
export function withDraft(game, news) {
  return news.version >= game.since && news.version <= game.version ? { ...game, draft: news.draft } : game;
}

/** The game with a player under a new name.
 * @param {Game} game
 * @param {Player} player
 * @returns {Game}
 */
export function withName(game, player) {
  /** @param {Player} known */
  const named = (known) => (known.id === player.id ? player : known);
  const { creator, challenged, seats, left } = game;
  return {
    ...game,
    creator: named(creator),
    challenged: challenged && named(challenged),
    seats: seats && { first: named(seats.first), second: named(seats.second) },
    left: left.map(named),
  };
}

/** True if one player moves both sides of a game in turn.
 * @param {Pick<Game, 'seats'>} game
 */
export const isOneTable = ({ seats }) => seats !== null && seats.first.id === seats.second.id;

/** True if a game has one player who is a person: nobody else would read what that player writes.
 * @param {Pick<Game, 'seats'>} game
 */
export const isAlone = ({ seats }) =>
  seats !== null &&
  (seats.first.id === seats.second.id || seats.first.bot !== undefined || seats.second.bot !== undefined);

/** Whether conditional turns are made for a game: one under way with a clock of days against a person, without cards.
 * @param {Pick<Game, 'seats' | 'present' | 'terms' | 'seedHash'>} game
 */
export const isForConditional = ({ seats, present, terms, seedHash }) =>
  seats !== null &&
  !isAlone({ seats }) &&
  present.status === 'playing' &&
  hasDays(terms.clock) &&
  seedHash === null;

/** Whether a player of a game may have conditional turns: once both sides have moved.
 * @param {Pick<Game, 'seats' | 'present' | 'terms' | 'seedHash' | 'nTurns'>} game
 */
export const takesConditional = (game) => isForConditional(game) && game.nTurns >= 2;

/**
 * The side on which a player sits, at one table the side to move; null for a spectator.
 *
 * @param {Game} game
 * @param {Player | null} player
 * @returns {Side | null}
 */
export function sideOf(game, player) {
  if (game.seats === null || player === null) return null;
  if (game.seats.first.id === player.id) return isOneTable(game) ? game.present.turn.side : 'first';
  return game.seats.second.id === player.id ? 'second' : null;
}

/** @param {Game} game
 * @returns {Outcome | null} */
export const outcomeOf = (game) => (game.present.status === 'finished' ? game.present.outcome : null);

/** @param {Side} side
 * @returns {Side} */
export const otherSide = (side) => (side === 'first' ? 'second' : 'first');

/**
 * A line of the list of turns: a turn that was played, or one that passed by without a move.
 * @typedef {{ number: number, side: Side, steps: Step[], skipped: boolean,
 *   card: number | null }} TurnLine
 */

/**
 * The turns that were played, with those between them that the numbers show to have been skipped.
 *
 * @param {PlayedTurn[]} turns
 * @param {number} [current] the number of the turn under way, if there is one
 * @returns {TurnLine[]}
 */
export function turnLines(turns, current) {
  /** @type {TurnLine[]} */
  const lines = [];
  let next = turns[0]?.number ?? 0;
  /** @param {number} until */
  const skipTo = (until) => {
    const last = lines.at(-1);
    for (let side = last?.side; next < until && side; next += 1) {
      side = otherSide(side);
      lines.push({ number: next, side, steps: [], skipped: true, card: null });
    }
  };
  for (const { number, side, steps, card } of turns) {
    skipTo(number);
    lines.push({ number, side, steps, skipped: false, card });
    next = number + 1;
  }
  if (current !== undefined) skipTo(current);
  return lines;
}

/** The steps that lead from one draft to a longer one; none if it is no continuation.
 * @param {Step[]} before
 * @param {Step[]} now
 */
export function stepsBetween(before, now) {
  const isLonger = before.every(({ action }, i) => now[i]?.action === action);
  return isLonger ? now.slice(before.length) : [];
}

/** Number of pieces or men that each side has captured.
 * @typedef {Record<Side, number>} Taken
 */

/** The captures after one more step.
 * @param {Taken} before
 * @param {Side} side
 * @param {Step} step
 * @returns {Taken}
 */
export const withTaken = (before, side, { taken, overflow }) => ({
  ...before,
  [side]: before[side] + taken.length + (overflow?.captured ?? 0),
});

/**
 * The captures of each side in some turns.
 *
 * @param {Pick<PlayedTurn, 'side' | 'steps'>[]} turns
 * @returns {Taken}
 */
export const takenIn = (turns) =>
  turns
    .flatMap(({ side, steps }) => steps.map((step) => ({ side, step })))
    .reduce((taken, { side, step }) => withTaken(taken, side, step), { first: 0, second: 0 });

/**
 * The kind of an action, by its text (RULES 1.13, 2.14, 3.3 to 3.5).
 *
 * @param {string} action
 * @returns {'end' | 'move' | 'make' | 'capture' | 'switch' | 'drop'}
 */
export function kindOf(action) {
  if (action === 'end') return 'end';
  if (action.startsWith('*')) return 'drop';
  if (action.includes('+')) return 'make';
  if (action.includes('~')) return 'switch';
  return action.includes('x') ? 'capture' : 'move';
}
