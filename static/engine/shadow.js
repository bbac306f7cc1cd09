// A match that follows a game on the page: the page itself finds what follows from the actions that the server sends, and
// what may be done. Where it disagrees with the server, the server is right, and the match is not asked any more.

import { openDraftOn } from './match-draft.js';
import { Refused, engineOfPage } from './engine.js';

/** @import { CompactEvent, Event, ServerMessage, Snapshot } from '../protocol.js' */
/** @import { DraftNews, Game, News, PlayedTurn } from '../session/game-model.js' */
/** @import { Choices, Engine, MatchState } from './engine.js' */

/** The actions of a turn, and its card.
 * @param {Pick<PlayedTurn, 'card' | 'steps'>} turn
 */
const nameOf = ({ card, steps }) => `${card ?? ''} ${steps.map(({ action }) => action).join(' ')}`;

/** Follows a game with the engine that the page names, once that is loaded. */
export const shadowOfPage = async () => createShadow(await engineOfPage());

/** @typedef {ReturnType<typeof createShadow>} Shadow */

/** @param {Engine} engine */
export function createShadow(engine) {
  /** @type {MatchState | null} */
  let match = null;
  /** The turns of the match.
   * @type {string[]} */
  let played = [];
  /** The ruleset and the start of the match.
   * @type {Pick<Game, 'ruleset' | 'start'> | null} */
  let begun = null;
  let isWrong = false;

  /** Begins the match, again if there is one.
   * @param {Pick<Game, 'ruleset' | 'start'>} game
   */
  function begin({ ruleset, start }) {
    if (match !== null) engine.close(match.id);
    match = engine.open(ruleset, start);
    begun = { ruleset, start };
    played = [];
  }

  /** Plays what the match lacks of a game, and takes back what the game no longer has.
   * @param {Game} game
   */
  function follow({ ruleset, start, turns, present }) {
    if (match === null) begin({ ruleset, start });
    const { id } = known();
    const names = turns.map(nameOf);
    const first = names.findIndex((name, index) => name !== played[index]);
    const common = first === -1 ? names.length : first;
    if (common < played.length) match = engine.rewind(id, common);
    played = played.slice(0, common);
    for (const [index, turn] of turns.entries()) {
      if (index < common) continue;
      turnOver(turn.card);
      match = engine.play(
        id,
        turn.steps.map(({ action }) => action),
      );
      played.push(names[index]);
    }
    turnOver(present.turn.cards?.card ?? null);
    isWrong = known().turn.position !== present.turn.position;
  }

  /** Turns over a card, if the match waits for it.
   * @param {number | null} card
   */
  function turnOver(card) {
    if (match === null || card === null || match.turn.cards?.card !== null) return;
    match = engine.turnOver(match.id, card);
  }

  /** Asks the match about a game under way. Returns null if only the server can tell.
   * @template Answer
   * @param {Game} game
   * @param {(id: number) => Answer} question
   */
  function ask(game, question) {
    if (isWrong || game.present.status !== 'playing') return null;
    try {
      follow(game);
      return isWrong || match === null ? null : question(match.id);
    } catch (error) {
      if (error instanceof WebAssembly.RuntimeError) isWrong = true;
      else if (!(error instanceof Refused)) throw error;
      return null;
    }
  }

  /** Plays an event as the server sends it, and gives it with all that follows from it.
   * @param {CompactEvent} compact
   * @param {number} version
   * @returns {Event}
   */
  function full(compact, version) {
    if (!('actions' in compact)) {
      const { dealt = null, ...event } = compact;
      if (event.type === 'created') begin(event);
      if (event.type === 'reopened' && begun !== null) begin(begun);
      if (event.type === 'turns_taken_back') {
        played = played.slice(0, -event.turns);
        match = engine.rewind(known().id, played.length);
      }
      turnOver(dealt);
      return event;
    }
    const { id, turn } = known();
    const { at_ms, actions, ms, dealt = null } = compact;
    match = engine.play(id, actions.split(' '));
    turnOver(dealt);
    const [took_ms, first_ms, second_ms] = ms;
    const time = first_ms === undefined || second_ms === undefined ? null : { first_ms, second_ms };
    const by = { turn: turn.number, side: turn.side, card: turn.cards?.card ?? null };
    played.push(nameOf({ card: by.card, steps: match.steps }));
    return { type: 'turn_played', version, at_ms, ...by, steps: match.steps, took_ms, time };
  }

  /** The match, once a game has begun. */
  function known() {
    if (match === null) throw new Refused({ code: 'unknown_match' });
    return match;
  }

  /** The draft of some actions; null where too many could follow.
   * @param {number} id
   * @param {string[]} actions
   */
  function drafted(id, actions) {
    try {
      return engine.choices(id, actions).draft;
    } catch (error) {
      if (error instanceof Refused && error.refusal.code === 'too_many') return null;
      throw error;
    }
  }

  /** Events with all that follows from them, for a page that has the game up to a version.
   * @param {number} has
   * @param {Extract<ServerMessage, { type: 'events' }>} message
   * @returns {News}
   */
  function fullNews(has, { game, version, events: compact, position, present: standing, draft: actions }) {
    const first = version - compact.length + 1;
    const fresh = compact.slice(Math.max(0, has + 1 - first));
    const events = fresh.map((event, index) => full(event, version - fresh.length + 1 + index));
    const { id, turn } = known();
    isWrong = turn.position !== position;
    const last = compact.at(-1);
    const [, first_ms, second_ms] = last && 'actions' in last ? last.ms : [];
    const isTimed = first_ms !== undefined && second_ms !== undefined;
    const clock = isTimed ? { first_ms, second_ms, running: turn.side, free_ms: 0 } : null;
    /** @type {Snapshot} */
    const present = {
      ...(standing ?? { status: 'playing', at_ms: last?.at_ms ?? 0, clock, first_turn_ms: null, offers: [] }),
      version,
      turn,
    };
    const draft = actions?.length ? drafted(id, actions) : null;
    return { type: first === 1 ? 'snapshot' : 'events', game, events, present, draft };
  }

  /** True if a message goes on from what the page has of a game. The page may have read a later version elsewhere, or lack
   * an earlier one.
   * @param {Game | null} game
   * @param {Extract<ServerMessage, { type: 'events' | 'draft' }>} message
   */
  function continues(game, message) {
    if (game === null) return false;
    const { version } = message;
    return message.type === 'draft'
      ? version >= game.since && version <= game.version
      : version >= game.version && version - message.events.length <= game.version;
  }

  return {
    /**
     * Events or a draft with all that follows from the actions; null if it cannot be made of what the page has of the game.
     *
     * @param {Game | null} game
     * @param {Extract<ServerMessage, { type: 'events' | 'draft' }>} message
     * @returns {News | DraftNews | null}
     */
    read(game, message) {
      if (isWrong) return null;
      try {
        const isWhole = message.type === 'events' && message.version === message.events.length;
        if (!isWhole && !continues(game, message)) return null;
        if (!isWhole && game !== null) follow(game);
        if (isWrong) return null;
        if (message.type === 'draft') {
          const draft = message.draft && drafted(known().id, message.draft);
          return { ...message, draft };
        }
        const news = fullNews(isWhole ? 0 : (game?.version ?? 0), message);
        return isWrong ? null : news;
      } catch (error) {
        isWrong = true;
        if (error instanceof WebAssembly.RuntimeError || error instanceof Refused) return null;
        throw error;
      }
    },

    /**
     * The actions that may follow the beginning of a turn of a game under way; null if only the server can tell.
     *
     * @param {Game} game
     * @param {string[]} actions
     * @returns {Choices | null}
     */
    choices: (game, actions) => ask(game, (id) => engine.choices(id, actions)),

    /**
     * A draft of the turn after the one under way, on the board before it; null if that turn is not known yet.
     *
     * @param {Game} game
     */
    next: (game) => ask(game, (id) => openDraftOn(engine, engine.passed(id))),
  };
}
