// Generated from server/src/protocol; do not edit.
// To write it anew: WRITE_PROTOCOL=1 cargo test --workspace --test protocol

export type Side = "first" | "second";
export type Ruleset = "fibonacci" | "fibonacci-mixed" | "fibonacci-cards" | "fenix" | "focus" | "focus-classic" | "crossfire";

/**
 * What an action does, for a board to show.
 */
export type ActionKind = "move" | "swap" | "drop" | "switch" | "make" | "capture" | "end";

/**
 * The text of an action (RULES 0.3), not yet read by the engine.
 */
export type ActionText = string;

/**
 * How many actions a turn has, and why (RULES 1.6, 1.7).
 */
export type Allowance = { base: number, 
/**
 * `base` less `allowance`: the moves lost to attackers.
 */
lost: number, 
/**
 * The cells of those attackers when the turn began; shorter than `lost` only where the game began mid-turn.
 */
lost_to: Array<string>, allowance: number, used: number, left: number, };

/**
 * An action that is not legal only because the side has done the same before (RULES 4.4).
 */
export type Barred = { text: string, 
/**
 * Null for a drop.
 */
from: string | null, to: string | null, 
/**
 * The turn in which the side did it.
 */
turn: number, };

/**
 * `GET /api/blocks`: whom the visitor has blocked.
 */
export type Blocks = { players: Array<Player>, };

/**
 * What the seconds of the bonus are for.
 */
export type Bonus = "per_turn" | "per_action" | "delay" | "bronstein";

/**
 * A capture, jump by jump (RULES 2.6).
 */
export type Capture = { 
/**
 * The first one starts where the piece stands, the last one ends where it goes.
 */
jumps: Array<Jump>, 
/**
 * Discs taken in all, the same for all legal captures.
 */
discs: number, };

/**
 * What everybody may know of the cards.
 */
export type Cards = { 
/**
 * The card of the turn; null as long as it is not turned over.
 */
card: number | null, first: Pack, second: Pack, };

/**
 * Something that was said.
 */
export type ChatLine = { 
/**
 * Lines sort by it.
 */
id: LineId, at_ms: number, 
/**
 * The turn that those who read it saw under way.
 */
turn: number, who: Player, text: ChatText, };

/**
 * A line of a chat: plain text, shown as it is. A stored one may be of an older release with weaker rules:
 * [`NewLine`] is for lines that are said now.
 */
export type ChatText = string;

/**
 * What may be claimed of a game that the other side has left.
 */
export type ClaimKind = "win" | "draw";

/**
 * A side is gone, and when the other may claim.
 */
export type ClaimOffer = { 
/**
 * The side that is gone.
 */
against: Side, 
/**
 * Milliseconds, when this was sent, until it may be claimed; 0 if it may be now.
 */
in_ms: number, };

/**
 * What a client may say over the socket. One text frame holds one message, at most
 * [`MAX_FRAME`](crate::limits::MAX_FRAME) bytes long.
 */
export type ClientMessage = { "type": "hello", 
/**
 * The client's [`PROTOCOL`](super::PROTOCOL).
 */
protocol: number, games: Array<Known>, lobby: boolean, } | { "type": "watch", game: GameId, version: Version, } | { "type": "unwatch", game: GameId, } | { "type": "watch_lobby", } | { "type": "unwatch_lobby", } | { "type": "draft", command: CommandId, game: GameId, version: Version, actions: Array<ActionText>, } | { "type": "options", command: CommandId, game: GameId, version: Version, actions: Array<ActionText>, } | { "type": "turn", command: CommandId, game: GameId, version: Version, actions: Array<ActionText>, } | { "type": "resign", command: CommandId, game: GameId, } | { "type": "abort", command: CommandId, game: GameId, } | { "type": "offer", command: CommandId, game: GameId, what: OfferKind, } | { "type": "answer", command: CommandId, game: GameId, what: OfferKind, accept: boolean, } | { "type": "claim", command: CommandId, game: GameId, what: ClaimKind, } | { "type": "say", command: CommandId, game: GameId, text: NewLine, } | { "type": "seek", pool: Pool, } | { "type": "stop_seeking", pool: Pool, } | { "type": "ping", };

/**
 * The clocks when they were sent.
 */
export type Clock = { 
/**
 * Whose time runs.
 */
running: Side | null, 
/**
 * Milliseconds until it begins to.
 */
free_ms: number, first_ms: number, second_ms: number, };

/**
 * How time is measured.
 */
export type ClockRule = { "kind": "none" } | { "kind": "real_time" } & RealTime | { "kind": "correspondence", 
/**
 * Days, 1 to 14.
 */
days: Days, };

/**
 * Chosen by a client, once for each request: a repeated id has one effect.
 */
export type CommandId = string;

/**
 * Days that a turn of a game by correspondence may take.
 */
export type Days = number;

/**
 * Number of turns by which spectators are behind a game.
 */
export type Delay = number;

/**
 * The unfinished turn of the side to move.
 */
export type Draft = { steps: Array<Step>, 
/**
 * The turn with the draft's steps taken.
 */
turn: Turn, 
/**
 * Whether `end` is legal now.
 */
may_end: boolean, 
/**
 * Whether the steps are a whole turn, ready to be confirmed.
 */
complete: boolean, };

/**
 * Whether the other side and spectators see turns while they are made.
 */
export type Drafts = "shown" | "hidden";

/**
 * What has happened in a game, as its readers see it.
 */
export type Event = { version: Version, 
/**
 * The server's time, milliseconds since 1970.
 */
at_ms: number, } & ({ "type": "created", ruleset: Ruleset, visibility: Visibility, creator: Player, seat: SeatChoice, terms: Terms, 
/**
 * The text of the start position. Where the first card is not turned over yet, it has `0/0` in its
 * place.
 */
start: string, 
/**
 * SHA-256 in hex of the seed that fixes the cards, where a ruleset has cards (RULES 1.18).
 */
seed_hash: string | null, } | { "type": "started", seats: Seats, } | { "type": "turn_played", turn: number, side: Side, 
/**
 * The card of the turn, where a ruleset has cards.
 */
card: number | null, steps: Array<Step>, 
/**
 * Milliseconds that the turn is said to have taken: those since it began, less what was credited.
 */
took_ms: number, 
/**
 * Both sides' time after it, where the game has a clock.
 */
time: Times | null, } | { "type": "offered", what: OfferKind, side: Side, } | { "type": "declined", what: OfferKind, side: Side, } | { "type": "draw_agreed", side: Side, } | { "type": "turns_taken_back", 
/**
 * How many, 1 or 2.
 */
turns: number, 
/**
 * The side that accepted.
 */
side: Side, } | { "type": "time_credited", side: Side, ms: number, } | { "type": "resigned", side: Side, } | { "type": "flagged", side: Side, } | { "type": "claimed", side: Side, } | { "type": "aborted", side: Side | null, } | { "type": "rematch_started", rematch: GameId, 
/**
 * The side that accepted.
 */
side: Side, } | { "type": "cancelled" } | { "type": "ended", outcome: Outcome, 
/**
 * The seed of the cards in hex, now for all to know, where a ruleset has cards (RULES 1.18).
 */
seed: string | null, });

/**
 * The expected part of a record; `docs/records.md` describes each.
 */
export type Expected = "title" | "version" | "ruleset" | "ruleset_header" | "reason_header" | "header" | "text" | "day" | "result" | "reason" | "result_beside_reason" | "reason_beside_result" | "hex" | "turn_or_final" | "final" | "turn_number" | "plain_numbers" | "card" | "card_number" | "actions" | "action" | "time" | "line_feed" | "end";

/**
 * What is wrong with something that a person wrote. Where it is wrong in a record, the `line` and `turn` of the problem
 * tell.
 */
export type Flaw = { "code": "expected", what: Expected, 
/**
 * The header or field of a record that it should stand in; null elsewhere.
 */
field: string | null, } | { "code": "not_json", line: number, column: number, } | { "code": "position", at: number, rule: string, } | { "code": "usual_start" } | { "code": "no_cards" } | { "code": "card_missing" } | { "code": "no_card_due" } | { "code": "no_card_left", card: number, } | { "code": "wrong_card", expected: number, } | { "code": "wrong_seed" } | { "code": "unfair_card", turn: number, shown: number, expected: number, } | { "code": "wrong_number", expected: number, } | { "code": "illegal", index: number, rule: string, } | { "code": "incomplete", index: number, rule: string, } | { "code": "game_over", index: number, } | { "code": "too_costly", limit: number, } | { "code": "not_over" } | { "code": "wrong_ending", winner: Side | null, reason: Reason, } | { "code": "wrong_winner" } | { "code": "wrong_final", expected: string, };

/**
 * `GET /api/games/{id}`: a game with all its events, enough to replay it.
 */
export type GameDocument = { summary: GameSummary, events: Array<Event>, present: Snapshot, };

/**
 * Names a game for ever, from the open room to the replay.
 */
export type GameId = string;

/**
 * A page of `GET /api/games` or `GET /api/rooms`, newest first.
 */
export type GamePage = { games: Array<GameSummary>, 
/**
 * The `before` of the next page; null on the last one.
 */
next: string | null, };

/**
 * A game as a list shows it.
 */
export type GameSummary = { id: GameId, ruleset: Ruleset, status: Status, visibility: Visibility, creator: Player, seat: SeatChoice, clock: ClockRule, watching: Watching, 
/**
 * How many turns behind the game its spectators are, 0 to 20. As long as it goes on, who is one of them is told no
 * version (0), no turn and nothing of its time.
 */
delay: Delay, 
/**
 * Whether it begins from another position than the ruleset's own.
 */
custom_start: boolean, 
/**
 * Null while the room is open.
 */
seats: Seats | null, version: Version, 
/**
 * The turn under way, or the last one; null for who may not know it yet.
 */
turn: number | null, 
/**
 * Null for who may not know it yet.
 */
to_move: Side | null, outcome: Outcome | null, 
/**
 * Milliseconds since 1970.
 */
created_ms: number, 
/**
 * When its last event happened, milliseconds since 1970; for who may not know it yet, when it was made.
 */
updated_ms: number, 
/**
 * When the turn under way must be there, milliseconds since 1970; null if it may take as long as it likes.
 */
deadline_ms: number | null, 
/**
 * The text of the position as it is now, or at the end; null for who may not know it yet, and for old games of which it
 * was not kept.
 */
position: string | null, };

/**
 * One jump of a capture.
 */
export type Jump = { 
/**
 * The cell of the captured piece, which stays there, in the way, until the capture is done.
 */
over: string, 
/**
 * The cell to land on.
 */
to: string, };

/**
 * A game that the client already has, up to a version.
 */
export type Known = { game: GameId, 
/**
 * 0 if it has nothing of it yet.
 */
version: Version, };

/**
 * An action that is legal now.
 */
export type LegalAction = { 
/**
 * What to send.
 */
text: string, kind: ActionKind, from: string | null, to: string | null, 
/**
 * How many men go onto the stack there, where a ruleset has stacks of them.
 */
count: number | null, 
/**
 * What the stack there then loses; null if nothing.
 */
overflow: Overflow | null, 
/**
 * What a capture takes on its way; null for everything else.
 */
capture: Capture | null, };

/**
 * Names a line of a chat.
 */
export type LineId = string;

/**
 * A line that a player says, without its invisible characters.
 */
export type NewLine = string;

/**
 * A name that a player chooses.
 */
export type NewName = string;

/**
 * The body of `POST /api/rooms`.
 */
export type NewRoom = { ruleset: Ruleset, seat: SeatChoice, visibility: Visibility, 
/**
 * The text of a start position other than the ruleset's own (RULES 0.9).
 */
start?: string, terms?: Terms, };

/**
 * The body of `POST /api/tables`: a game of two people at one screen.
 */
export type NewTable = { ruleset: Ruleset, 
/**
 * The text of a start position other than the ruleset's own (RULES 0.9).
 */
start?: string, };

/**
 * What one side may offer the other.
 */
export type OfferKind = "draw" | "takeback" | "rematch";

/**
 * Who won, or nobody, and why (RULES 0.5).
 */
export type Outcome = { winner: Side | null, reason: Reason, };

/**
 * The men that a stack loses from its bottom (RULES 3.6).
 */
export type Overflow = { 
/**
 * The mover's men, which go to his reserve.
 */
reserved: number, 
/**
 * The other side's men, which are out of the game.
 */
captured: number, };

/**
 * A piece to be made in this turn and in no later one.
 */
export type Owed = { kind: OwedKind, 
/**
 * Whether nothing else is legal; else it may be made beside all else.
 */
must: boolean, };

/**
 * What is to be made.
 */
export type OwedKind = "councillor" | "king";

/**
 * What is left of a side's pack; it is shuffled again when a card is needed and none is left.
 */
export type Pack = { 
/**
 * How many cards of each value, 1 to 6, were not seen to leave it.
 */
left: [number, number, number, number, number, number], 
/**
 * How many of those went all the same, before the text that the game started from.
 */
unseen: number, };

/**
 * A person as others see them.
 */
export type Player = { id: PlayerId, name: PlayerName, };

/**
 * Names a person. It is public; the secret that proves an identity is the session's token.
 */
export type PlayerId = string;

/**
 * The name of a player. A stored one may be of an older release with weaker rules: [`NewName`] is for names that
 * are chosen now.
 */
export type PlayerName = string;

/**
 * What two players who look for a game have to agree on.
 */
export type Pool = { ruleset: Ruleset, clock: ClockRule, };

/**
 * The body of every HTTP error, `application/problem+json`.
 */
export type Problem = { 
/**
 * The HTTP status.
 */
status: number, 
/**
 * What to branch on, as `unknown_game`.
 */
code: string, 
/**
 * The kind of problem, in English.
 */
title: string, 
/**
 * What was wrong and what would be right, in English.
 */
detail: string, 
/**
 * The line of a record in text that was refused, from 1.
 */
line?: number, 
/**
 * The turn in a record that was refused.
 */
turn?: number, 
/**
 * What is wrong with the record, the start position or the actions that were refused.
 */
flaw?: Flaw, };

/**
 * Turns without a capture or a making of a piece.
 */
export type Quiet = { turns: number, 
/**
 * The number of turns at which the game is a draw.
 */
limit: number, };

/**
 * A time for all turns of a side, and what each turn adds to it.
 */
export type RealTime = { 
/**
 * Seconds to begin with, 0 to 10,800. Without any, a side begins with one bonus.
 */
base_s: number, 
/**
 * Seconds of the bonus, 0 to 180; not 0 too.
 */
bonus_s: number, bonus: Bonus, };

/**
 * Why a game ended (RULES 0.5).
 */
export type Reason = "surround" | "king" | "blocked" | "repetition" | "quiet" | "turn-limit" | "resign" | "time" | "agreement" | "abandon";

/**
 * The body of `PATCH /api/session`.
 */
export type Rename = { name: NewName, };

/**
 * Men that may be dropped.
 */
export type Reserves = { first: number, second: number, };

/**
 * The seat that a room's maker wants.
 */
export type SeatChoice = "first" | "second" | "random";

/**
 * The players of a game that has begun.
 */
export type Seats = { first: Player, second: Player, };

/**
 * What a client may hear over the socket.
 */
export type ServerMessage = { "type": "welcome", protocol: number, player: Player, } | { "type": "snapshot", game: GameId, events: Array<Event>, present: Snapshot, draft: Draft | null, } | { "type": "events", game: GameId, events: Array<Event>, present: Snapshot, draft: Draft | null, } | { "type": "draft", game: GameId, version: Version, draft: Draft | null, } | { "type": "options", command: CommandId, game: GameId, version: Version, draft: Draft, 
/**
 * The actions that may follow the draft; none if it is a complete turn.
 */
actions: Array<LegalAction>, 
/**
 * The groups that the movable pieces belong to, each a list of cells (RULES 1.11); empty in a game
 * without groups.
 */
groups: Array<Array<string>>, 
/**
 * What would be legal if the side had not done the same before (RULES 4.4).
 */
barred: Array<Barred>, 
/**
 * The discs that every legal capture takes, which is why smaller ones and moves are not legal (RULES
 * 2.7); null if nothing must be captured.
 */
best_capture: number | null, } | { "type": "ack", command: CommandId, game: GameId, version: Version, } | { "type": "nack", command: CommandId, game: GameId, } & ({ "code": "stale", version: Version, } | { "code": "not_seated" } | { "code": "not_your_turn" } | { "code": "not_started" } | { "code": "own_room" } | { "code": "room_taken" } | { "code": "room_cancelled" } | { "code": "not_yours" } | { "code": "game_over" } | { "code": "not_over" } | { "code": "out_of_time" } | { "code": "too_late_to_abort" } | { "code": "nothing_to_take_back" } | { "code": "too_many_takebacks", limit: number, } | { "code": "cards_are_open" } | { "code": "offered_already" } | { "code": "no_offer" } | { "code": "not_gone" } | { "code": "private" } | { "code": "blocked" } | { "code": "illegal", index: number, 
/**
 * A clause of the rules, as `1.12`.
 */
rule: string, } | { "code": "incomplete", index: number, rule: string, } | { "code": "command_reused" } | { "code": "too_many", limit: number, } | { "code": "too_costly", limit: number, } | { "code": "unknown_game" } | { "code": "busy" } | { "code": "too_fast", retry_ms: number, } | { "code": "too_many_under_way", limit: number, } | { "code": "overloaded" } | { "code": "unavailable" }) | { "type": "presence", game: GameId, 
/**
 * Whether somebody in the first side's seat looks at it.
 */
first: boolean, second: boolean, 
/**
 * Visitors who watch, each counted once.
 */
watchers: number, 
/**
 * What the side that is here may claim of the one that is gone.
 */
claim: ClaimOffer | null, } | { "type": "chat", game: GameId, lines: Array<ChatLine>, } | { "type": "lobby", rooms: Array<GameSummary>, live: Array<GameSummary>, finished: Array<GameSummary>, mine: Array<GameSummary>, } | { "type": "lobby_changed", 
/**
 * Games of the lobby, or of the reader's own, as they are now (their statuses tell).
 */
games: Array<GameSummary>, 
/**
 * Rooms and live games that the lobby shows no more: closed, aborted, begun as a game that nobody may watch,
 * their maker gone, or others shown in their place. If they are shown again, they come again in `games`.
 */
gone: Array<GameId>, } | { "type": "lobby_counts", 
/**
 * Players with an open page, each counted once.
 */
players: number, 
/**
 * Those who watch, for the games of the lobby for which the number has changed.
 */
watchers: Array<SpectatorCount>, } | { "type": "seeking", pools: Array<Pool>, } | { "type": "paired", game: GameId, } | { "type": "error", } & ({ "code": "frame_too_large", limit: number, } | { "code": "not_text" } | { "code": "invalid_json", detail: string, } | { "code": "unknown_type", detail: string, } | { "code": "invalid_message", detail: string, } | { "code": "wrong_protocol", protocol: number, } | { "code": "unknown_game", game: GameId, } | { "code": "too_many_games", limit: number, } | { "code": "too_fast", retry_ms: number, } | { "code": "private", game: GameId, } | { "code": "no_more_watchers", game: GameId, } | { "code": "overloaded" } | { "code": "unavailable", game: GameId, } | { "code": "lobby_unavailable" } | { "code": "too_many_pools", limit: number, } | { "code": "pool_too_fast", pool: Pool, retry_ms: number, } | { "code": "too_many_under_way", limit: number, } | { "code": "pool_unavailable", pool: Pool, }) | { "type": "pong" };

/**
 * `POST /api/session` and `PATCH /api/session`: who the visitor is.
 */
export type Session = { player: Player, };

/**
 * What a side has made by its stackings (RULES 2.3).
 */
export type SetUp = { 
/**
 * Whether it has its king.
 */
king: boolean, councillors: number, 
/**
 * Stackings that it still has to make.
 */
left: number, };

/**
 * What each side has made by its stackings.
 */
export type SetUps = { first: SetUp, second: SetUp, };

/**
 * How a game stands.
 */
export type Snapshot = { "status": "open", version: Version, turn: Turn, } | { "status": "playing", version: Version, turn: Turn, clock: Clock | null, 
/**
 * Milliseconds, when this was sent, until the game aborts itself; null once both sides have made a turn.
 */
first_turn_ms: number | null, offers: Array<StandingOffer>, } | { "status": "finished", version: Version, turn: Turn, outcome: Outcome, 
/**
 * The times that were left at the end.
 */
time: Times | null, 
/**
 * Of a rematch.
 */
offers: Array<StandingOffer>, 
/**
 * The game that the players went on in.
 */
rematch: GameId | null, } | { "status": "aborted", version: Version, turn: Turn, } | { "status": "cancelled", version: Version, turn: Turn, };

/**
 * The visitors who watch a game.
 */
export type SpectatorCount = { game: GameId, watchers: number, };

/**
 * An offer that waits for an answer.
 */
export type StandingOffer = { what: OfferKind, 
/**
 * Who made it.
 */
side: Side, };

/**
 * Where a game is in its life.
 */
export type Status = "open" | "playing" | "finished" | "aborted" | "cancelled";

/**
 * One action of a turn with what is seen of it.
 */
export type Step = { 
/**
 * The action's text, as `b7-c7` or `end`.
 */
action: string, 
/**
 * The text of the position after it.
 */
position: string, 
/**
 * The cells that the piece travels over, its first and last cell included; empty for `end`.
 */
route: Array<string>, 
/**
 * Whether two pieces changed places.
 */
swap: boolean, 
/**
 * How many men went, where a ruleset has stacks of them.
 */
count: number | null, 
/**
 * What the stack that they came to lost; null if nothing.
 */
overflow: Overflow | null, 
/**
 * The cells of the pieces that were captured, in the order of the jumps over them.
 */
taken: Array<string>, 
/**
 * The cells that threaten each side's centre after it, where a ruleset has a centre.
 */
threats: Threats | null, };

/**
 * What the maker of a room sets for the game, apart from the ruleset and the seats.
 */
export type Terms = { clock: ClockRule, watching: Watching, drafts: Drafts, 
/**
 * How many turns behind the game its spectators are, 0 to 20.
 */
delay: Delay, };

/**
 * The cells whose pieces stand next to each centre and attack it.
 */
export type Threats = { first: Array<string>, second: Array<string>, };

/**
 * The time that each side has left, in milliseconds.
 */
export type Times = { first_ms: number, second_ms: number, };

/**
 * `GET /api/try`: the try-board after some actions, as `options` tells it, and how the game ended by them.
 */
export type Trial = { draft: Draft, 
/**
 * The actions that may follow; none once the turn is complete.
 */
actions: Array<LegalAction>, 
/**
 * The groups that the movable pieces belong to, each a list of cells (RULES 1.11).
 */
groups: Array<Array<string>>, barred: Array<Barred>, best_capture: number | null, 
/**
 * Null while the game goes on.
 */
outcome: Outcome | null, 
/**
 * The text of the position after the actions.
 */
position: string, };

/**
 * The turn under way, or the last one if the game is over: all the numbers that a board shows.
 */
export type Turn = { 
/**
 * RULES 0.4.
 */
number: number, side: Side, 
/**
 * The position's text.
 */
position: string, 
/**
 * How many actions the turn has, where a ruleset counts them.
 */
allowance: Allowance | null, 
/**
 * The cells that threaten each side's centre now, where a ruleset has a centre.
 */
threats: Threats | null, 
/**
 * The men that each side can drop, where a ruleset has reserves (RULES 3.5).
 */
reserves: Reserves | null, 
/**
 * How far each side is with its stackings, as long as these go on (RULES 2.3).
 */
set_up: SetUps | null, 
/**
 * The piece to be made in place of one that was taken (RULES 2.8, 2.9).
 */
owed: Owed | null, 
/**
 * How near the game is to a draw, where a ruleset counts it (RULES 2.13).
 */
quiet: Quiet | null, 
/**
 * What is known of the cards, where a ruleset has cards (RULES 1.16).
 */
cards: Cards | null, };

/**
 * Counts the events of one game's log: 1 is the first, 0 means none.
 */
export type Version = number;

/**
 * Who learns of a game from the server's lists.
 */
export type Visibility = "public" | "link";

/**
 * Who may see a game besides its players, now and later.
 */
export type Watching = "everybody" | "nobody";
