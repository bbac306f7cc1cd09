// A match that follows a game on the page, so that the page itself finds what may be done in it, and the server need not
// send what follows from the actions. Where it disagrees with the server, the server is right, and the match is not asked
// any more.

import { deskOn } from '../local/desk.js';
import { Refused, engineOfPage } from './engine.js';

/** @import { Event, ServerMessage, Snapshot, ThinEvent } from '../protocol.js' */
/** @import { Game, PlayedTurn } from '../play/model.js' */
/** @typedef {Extract<ServerMessage, { type: 'news' }>} News */
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

  /** Plays a thin event, and gives the full one.
   * @param {ThinEvent} thin
   * @param {number} version
   * @returns {Event}
   */
  function full(thin, version) {
    if (!('actions' in thin)) {
      const { dealt = null, ...event } = thin;
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
    const { at_ms, actions, ms, dealt = null } = thin;
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

  /** The message with all that the engine computes, for a page that has the game up to a version.
   * @param {number} has
   * @param {News} news
   * @returns {ServerMessage}
   */
  function fullNews(has, { game, version, events: thin, present: standing, draft: actions }) {
    const first = version - thin.length + 1;
    const fresh = thin.slice(Math.max(0, has + 1 - first));
    const events = fresh.map((event, index) => full(event, version - fresh.length + 1 + index));
    const { id, turn } = known();
    const last = thin.at(-1);
    const [, first_ms, second_ms] = last && 'actions' in last ? last.ms : [];
    const isTimed = first_ms !== undefined && second_ms !== undefined;
    const clock = isTimed ? { first_ms, second_ms, running: turn.side, free_ms: 0 } : null;
    /** @type {Snapshot} */
    const present = {
      ...(standing ?? { status: 'playing', at_ms: last?.at_ms ?? 0, clock, first_turn_ms: null, offers: [] }),
      ...{ version, turn },
    };
    const draft = actions === undefined ? null : drafted(id, actions);
    return { type: first === 1 ? 'snapshot' : 'events', game, events, present, draft };
  }

  return {
    rules: engine.rules,

    /**
     * The message that a client without an engine is sent; null if it cannot be made of what the page has of the game.
     *
     * @param {Game | null} game
     * @param {ServerMessage} message
     * @returns {ServerMessage | null}
     */
    read(game, message) {
      // A server with other rules sends everything itself, and is asked for everything.
      if (message.type === 'welcome') isWrong = !message.thin;
      if (message.type !== 'news' && message.type !== 'drafted') return message;
      if (isWrong) return null;
      try {
        const isWhole = message.type === 'news' && message.version === message.events.length;
        if (!isWhole && game !== null) follow(game);
        if (isWrong) return null;
        if (message.type === 'news') return fullNews(isWhole ? 0 : (game?.version ?? 0), message);
        const draft = message.draft && drafted(known().id, message.draft);
        return { ...message, type: 'draft', draft };
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
     * A desk for the turn after the one under way, on the board before it; null if that turn is not known yet.
     *
     * @param {Game} game
     */
    next: (game) => ask(game, (id) => deskOn(engine, engine.passed(id))),
  };
}
