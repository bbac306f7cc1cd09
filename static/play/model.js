// What the client knows of a game: the fold of what the server has said. Pure; no rule of any game is in here, and
// every number that a page shows was sent.

/** @import { Barred, Draft, Event, LegalAction, Outcome, Player, Present, Quiet, Ruleset, SeatChoice, Seats,
 *   ServerMessage, Side, Step, Terms, Times, Turn, Version, Visibility } from '../protocol.js' */

/**
 * A turn that was played.
 * @typedef {object} PlayedTurn
 * @property {number} number
 * @property {Side} side
 * @property {string} before the position's text when it began
 * @property {Step[]} steps
 * @property {number | null} card the card that it was played by, where the game has cards
 * @property {number} tookMs
 * @property {Times | null} time what both sides had left after it
 * @property {Version} version
 */

/**
 * What happened beside the board, after so many of the turns that count.
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
 * @property {SeatChoice} seat the one that the creator asked for
 * @property {Terms} terms
 * @property {string} start the start position's text
 * @property {string | null} seedHash the hash of the seed of the shuffles, where the game has cards
 * @property {Seats | null} seats
 * @property {PlayedTurn[]} turns those that count: a turn that was taken back is none
 * @property {Note[]} notes
 * @property {Version} since the version with which the turn under way began: later ones have left the board as it is
 * @property {Present} present
 * @property {Draft | null} draft the server's draft of the turn under way
 */

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * The id of the game that an address names by its last part, as the server writes ids; null if that is none.
 *
 * @param {string} path
 * @returns {string | null}
 */
export function gameIdIn(path) {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  return UUID.test(name) ? name : null;
}

/** @typedef {Extract<ServerMessage, { type: 'snapshot' | 'events' }>} News */

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
 * @param {{ game: string, present: Present, draft: Draft | null }} news
 * @param {Event} event
 * @returns {Game | null}
 */
function withEvent(game, news, event) {
  if (event.type === 'created') {
    const { version, ruleset, visibility, creator, seat, terms, start, seed_hash: seedHash } = event;
    const { present, draft } = news;
    return {
      ...{ id: news.game, version, ruleset, visibility, creator, seat, terms, start, seedHash },
      ...{ seats: null, turns: [], notes: [], since: version, present, draft },
    };
  }
  if (game === null) return null;
  const { version } = event;
  const next = { ...game, version };
  switch (event.type) {
    case 'started':
      return { ...next, seats: event.seats, since: version };
    case 'turn_played': {
      const { turn: number, side, steps, card, took_ms: tookMs, time } = event;
      const turn = { number, side, steps, before: lastPosition(game), card, tookMs, time, version };
      return { ...next, turns: [...game.turns, turn], since: version };
    }
    case 'turns_taken_back': {
      const turns = game.turns.slice(0, -event.turns);
      const notes = game.notes.map((note) => ({ ...note, after: Math.min(note.after, turns.length) }));
      return { ...next, turns, notes: [...notes, { after: turns.length, event }], since: version };
    }
    case 'ended':
    case 'cancelled':
      return next;
    default:
      return { ...next, notes: [...game.notes, { after: game.turns.length, event }] };
  }
}

/** @param {Game} game */
function lastPosition(game) {
  return game.turns.at(-1)?.steps.at(-1)?.position ?? game.start;
}

/**
 * The game with the server's latest draft, or unchanged if the draft is about another turn.
 *
 * @param {Game} game
 * @param {Extract<ServerMessage, { type: 'draft' }>} news
 * @returns {Game}
 */
export function withDraft(game, news) {
  return news.version >= game.since && news.version <= game.version ? { ...game, draft: news.draft } : game;
}

/**
 * The side on which a player sits, or null for a watcher.
 *
 * @param {Game} game
 * @param {Player | null} player
 * @returns {Side | null}
 */
export function sideOf(game, player) {
  if (game.seats === null || player === null) return null;
  if (game.seats.first.id === player.id) return 'first';
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

/**
 * A moment of a game: before its first action (`step` null), or after one.
 * @typedef {object} Moment
 * @property {number} turn
 * @property {number} action how many actions of the turn are done
 * @property {string} position
 * @property {Step[]} steps the actions of the turn done so far
 * @property {Side} side the side of the turn
 * @property {number | null} card the card of the turn
 * @property {Taken} taken what was taken so far
 */

/**
 * Every moment of a game, in order: the start, and one after each action.
 *
 * @param {Game} game
 * @returns {Moment[]}
 */
export function moments(game) {
  const first = game.turns[0];
  const number = first?.number ?? game.present.turn.number;
  const side = first?.side ?? game.present.turn.side;
  /** @type {Moment[]} */
  const all = [
    {
      ...{ turn: number, action: 0, position: game.start, steps: [], side },
      ...{ card: first?.card ?? null, taken: { first: 0, second: 0 } },
    },
  ];
  for (const { number: turn, side, steps: whole, card } of game.turns) {
    whole.forEach((step, index) => {
      const steps = whole.slice(0, index + 1);
      const taken = withTaken(all[all.length - 1].taken, side, step);
      all.push({ turn, action: index + 1, position: step.position, steps, side, card, taken });
    });
  }
  return all;
}

/** How many pieces or men each side has taken out of the game, as far as the game tells.
 * @typedef {Record<Side, number>} Taken
 */

/** @param {Taken} before
 * @param {Side} side
 * @param {Step} step
 * @returns {Taken} */
const withTaken = (before, side, { taken, overflow }) => ({
  ...before,
  [side]: before[side] + taken.length + (overflow?.captured ?? 0),
});

/**
 * What each side has taken in some turns.
 *
 * @param {Pick<PlayedTurn, 'side' | 'steps'>[]} turns
 * @returns {Taken}
 */
export const takenIn = (turns) =>
  turns
    .flatMap(({ side, steps }) => steps.map((step) => ({ side, step })))
    .reduce((taken, { side, step }) => withTaken(taken, side, step), { first: 0, second: 0 });

/**
 * What an action does, as its text says it (RULES 1.13, 2.14, 3.3 to 3.5).
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

/**
 * The index of the moment that `#TURN.ACTION` names; the nearest one before it if there is no such moment.
 *
 * @param {Moment[]} all
 * @param {string} hash
 * @returns {number}
 */
export function momentAt(all, hash) {
  const match = /^#(\d+)(?:\.(\d+))?$/.exec(hash);
  if (match === null) return 0;
  const turn = Number(match[1]);
  const action = match[2] === undefined ? Number.POSITIVE_INFINITY : Number(match[2]);
  const index = all.findLastIndex(
    (moment) => moment.turn < turn || (moment.turn === turn && moment.action <= action),
  );
  return Math.max(0, index);
}

/**
 * The index of the moment that ends the turn before (`by` −1) or this or the next turn (`by` 1).
 *
 * @param {Moment[]} all
 * @param {number} index
 * @param {1 | -1} by
 * @returns {number}
 */
export function turnFrom(all, index, by) {
  const ends = all.map((_, at) => at).filter((at) => all[at + 1]?.turn !== all[at].turn || at === 0);
  const next = by === 1 ? ends.find((at) => at > index) : ends.findLast((at) => at < index);
  return next ?? index;
}

/**
 * A turn as the text of a position tells it: what stands after the board belongs to the next action.
 *
 * @param {string} position
 * @param {Quiet | null} quiet tells when the game is a draw, which no text does
 * @returns {Turn}
 */
export function readTurn(position, quiet) {
  const [, side, number, third, fourth] = position.split(' ');
  /** @type {Turn} */
  const turn = {
    ...{ number: Number(number), side: side === '1' ? 'first' : 'second', position },
    ...{ allowance: null, threats: null, reserves: null, set_up: null, owed: null, quiet: null, cards: null },
  };
  if (third === '-' || third === 'C' || third === 'K') {
    if (third !== '-') turn.owed = { kind: third === 'K' ? 'king' : 'councillor', must: third === 'K' };
    turn.quiet = quiet && { ...quiet, turns: Number(fourth) };
  } else if (!third.includes('/')) {
    turn.reserves = { first: Number(third), second: Number(fourth) };
  }
  return turn;
}

// --- The turn that I am building ---

/**
 * My unfinished turn: what the server has confirmed of it, and what I have added since.
 * @typedef {object} Desk
 * @property {Turn} start the turn at its beginning
 * @property {Turn} turn the turn after the steps
 * @property {Step[]} steps
 * @property {LegalAction[] | null} legal what may follow, or null until the server has said
 * @property {string[][]} groups
 * @property {Barred[]} barred what is not legal only because I did the same before
 * @property {number | null} bestCapture the discs that must be taken, if any must
 * @property {boolean} mayEnd
 * @property {boolean} complete
 * @property {boolean} ahead whether the last step is my own guess: the server has not told where it leads
 */

/**
 * The desk at the beginning of my turn, or as far as the server's draft of it goes; nothing is legal yet.
 *
 * @param {Turn} start
 * @param {Draft | null} draft
 * @returns {Desk}
 */
export function deskOf(start, draft) {
  const steps = draft?.steps ?? [];
  const turn = draft === null ? start : turnAfter(start, draft);
  return { start, turn, steps, ...UNTOLD, complete: draft?.complete ?? false, ahead: false };
}

/** What may follow, as long as the server has not said. */
const UNTOLD = { legal: null, groups: [], barred: [], bestCapture: null, mayEnd: false };

/** The turn as a draft leaves it. A draft that ends the turn may already speak of the next one, which is not mine
 * to show before it is confirmed.
 * @param {Turn} start
 * @param {Draft} draft
 * @returns {Turn}
 */
function turnAfter(start, draft) {
  if (draft.turn.number === start.number) return draft.turn;
  const used = start.allowance && {
    ...start.allowance,
    used: start.allowance.allowance,
    left: 0,
  };
  const { position, threats, reserves, set_up: setUp } = draft.turn;
  return { ...start, position, threats, reserves, set_up: setUp ?? start.set_up, allowance: used };
}

/**
 * The desk as the server's `options` tell it.
 *
 * @param {Desk} desk
 * @param {Extract<ServerMessage, { type: 'options' }>} options
 * @returns {Desk}
 */
export function withOptions(desk, options) {
  const { draft, actions, groups, barred, best_capture: bestCapture } = options;
  const turn = turnAfter(desk.start, draft);
  const { steps, may_end: mayEnd, complete } = draft;
  return {
    ...{ start: desk.start, turn, steps, legal: actions, groups, barred, bestCapture },
    ...{ mayEnd, complete, ahead: false },
  };
}

/**
 * The desk with an action added at once, before the server has answered: where it leads and what comes next is not
 * known.
 *
 * @param {Desk} desk
 * @param {LegalAction} action
 * @returns {Desk}
 */
export function withAction(desk, action) {
  const { text, kind, from, to, count, overflow, capture } = action;
  const step = {
    ...{ action: text, position: desk.turn.position },
    route: [from, to].filter((cell) => cell !== null),
    ...{ swap: kind === 'swap' || kind === 'switch', count, overflow, threats: null },
    taken: capture?.jumps.map(({ over }) => over) ?? [],
  };
  return { ...desk, turn: oneUsed(desk.turn), steps: [...desk.steps, step], ...UNTOLD, ahead: true };
}

/** @param {Turn} turn
 * @returns {Turn} */
function oneUsed(turn) {
  const { allowance } = turn;
  if (allowance === null) return turn;
  return { ...turn, allowance: { ...allowance, used: allowance.used + 1, left: allowance.left - 1 } };
}

/**
 * The desk with only the first steps left, at once.
 *
 * @param {Desk} desk
 * @param {number} count
 * @returns {Desk}
 */
export function withSteps(desk, count) {
  const steps = desk.steps.slice(0, count);
  const position = steps.at(-1)?.position ?? desk.start.position;
  const { allowance } = desk.start;
  const used = (allowance?.used ?? 0) + count;
  const turn = {
    ...desk.start,
    position,
    allowance: allowance && { ...allowance, used, left: allowance.allowance - used },
  };
  return { ...desk, turn, steps, ...UNTOLD, complete: false, ahead: false };
}

/** The texts of the steps, as they are sent.
 * @param {Desk} desk
 * @returns {string[]} */
export const actionsOf = (desk) => desk.steps.map(({ action }) => action);
