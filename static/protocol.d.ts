// Generated from server/protocol/src; do not edit.
// To regenerate: WRITE_PROTOCOL=1 cargo test --workspace --test protocol

export type Side = "first" | "second";
export type Ruleset = "fibonacci" | "fibonacci-mixed" | "fibonacci-cards" | "fenix" | "focus" | "focus-classic" | "crossfire";

/**
 * Response to the requests for the visitor's account.
 */
export type Account = { player: Player, 
/**
 * Names that the account had, the last one last. Nobody else can take them.
 */
former_names: Array<PlayerName>, 
/**
 * Whether it has a password; else passkeys alone prove it.
 */
has_password: boolean, 
/**
 * The confirmed mail address, if there is one.
 */
mail?: AccountMail, notices: NoticeSettings, 
/**
 * The recovery code, shown this once: only in the answers to `POST /api/v1/account` and `POST /api/v1/account/code`.
 */
recovery_code?: RecoveryCode, };

/**
 * Body of `PATCH /api/v1/account`: the one thing that changes.
 */
export type AccountChange = { "name": NewName } | { "password": NewPassword } | { "notices": NoticeSettings };

/**
 * The mail address of an account.
 */
export type AccountMail = { address: MailAddress, 
/**
 * Whether a link that is sent there may set the account's password.
 */
recovers: boolean, 
/**
 * Whether the last mails were refused there for good, so that the account needs another address.
 */
refused: boolean, };

/**
 * An act of a moderator, or of `towers role`.
 */
export type Act = { id: ActId, 
/**
 * Milliseconds since 1970.
 */
at_ms: number, 
/**
 * Null of the command line, and of a moderator who is gone.
 */
by: Player | null, player: Player, } & ({ "kind": "muted", 
/**
 * Milliseconds since 1970.
 */
until_ms: number, } | { "kind": "unmuted" } | { "kind": "name_hidden", 
/**
 * The hidden name.
 */
name: PlayerName, } | { "kind": "closed" } | { "kind": "reopened" } | { "kind": "dismissed" } | { "kind": "role_given", role: Role, } | { "kind": "role_taken" });

/**
 * Id of an act of a moderator, a UUID.
 */
export type ActId = string;

/**
 * Effect of an act on a player, by its kind.
 */
export type ActKind = { "kind": "muted", 
/**
 * Milliseconds since 1970.
 */
until_ms: number, } | { "kind": "unmuted" } | { "kind": "name_hidden", 
/**
 * The hidden name.
 */
name: PlayerName, } | { "kind": "closed" } | { "kind": "reopened" } | { "kind": "dismissed" } | { "kind": "role_given", role: Role, } | { "kind": "role_taken" };

/**
 * Kind of an action, by its effect.
 */
export type ActionKind = "move" | "swap" | "drop" | "switch" | "make" | "capture" | "end";

/**
 * Text of an action (RULES 0.3), 1 to 128 printable ASCII characters without spaces, not yet parsed by the engine.
 */
export type ActionText = string;

/**
 * Number of actions of a turn (RULES 1.6, 1.7).
 */
export type Allowance = { 
/**
 * Actions that the turn would have without attackers, 1 to 6.
 */
base: number, 
/**
 * Actions lost to attackers: `base` − `allowance`.
 */
lost: number, 
/**
 * Cells of those attackers when the turn began; empty if the game started in the middle of this turn.
 */
lost_to: Array<string>, 
/**
 * Actions that the turn began with, at most 6.
 */
allowance: number, 
/**
 * Moves made so far.
 */
used: number, 
/**
 * Actions that can still be made; 0 when the turn is complete.
 */
left: number, };

/**
 * Response to `GET /api/v1/moderation/audit`: all acts, the last one first.
 */
export type Audit = { acts: Array<Act>, 
/**
 * Value of `before` for the next page; null on the last page.
 */
next: ActId | null, };

/**
 * Days that a side has for all its turns of a game with a bank of time, 1 to 30.
 */
export type BankDays = number;

/**
 * Hours that each turn adds to a bank of time, 0 to 168, which is a week.
 */
export type BankHours = number;

/**
 * Action that only ko forbids: the side has made it before, with the same result (RULES 4.4).
 */
export type Barred = { 
/**
 * Text of the action.
 */
text: string, 
/**
 * Cell that the men leave; null for a drop.
 */
from: string | null, 
/**
 * Cell that the men go to.
 */
to: string | null, 
/**
 * Number of the turn in which the side made the action before.
 */
turn: number, };

/**
 * A turn that is better than the one played.
 */
export type BetterTurn = { 
/**
 * The texts of its actions.
 */
actions: Array<string>, 
/**
 * The chance of the first side to win after it, 0 to 1.
 */
score: number, };

/**
 * Response to `GET /api/v1/blocks`: the players that the caller has blocked.
 */
export type Blocks = { players: Array<Player>, };

/**
 * Kind of bonus.
 */
export type Bonus = "per_turn" | "per_action" | "delay" | "bronstein";

/**
 * Level of a bot, from 1, for beginners, to 8, full strength.
 */
export type BotLevel = number;

/**
 * Jumps of a capture (RULES 2.6).
 */
export type Capture = { 
/**
 * Jumps in order. The first one starts from the cell of the piece, the last one ends on its target.
 */
jumps: Array<Jump>, 
/**
 * Total number of captured discs, the same for all legal captures (RULES 2.7).
 */
discs: number, };

/**
 * Public knowledge of the cards (RULES 1.16, 1.17).
 */
export type Cards = { 
/**
 * Card of the turn, 1 to 6; null while it is not turned over.
 */
card: number | null, first: Pack, second: Pack, };

/**
 * Response to `GET /api/v1/challenges`: the open challenges of the visitor, the newest first.
 */
export type Challenges = { 
/**
 * Those that wait for the visitor's answer.
 */
received: Array<GameSummary>, 
/**
 * Those that the visitor made.
 */
sent: Array<GameSummary>, };

/**
 * Line of a chat.
 */
export type ChatLine = { 
/**
 * Lines are ordered by their ids.
 */
id: LineId, 
/**
 * Time of the line by the server's clock, milliseconds since 1970.
 */
at_ms: number, 
/**
 * Number of the turn that the line's audience saw under way (RULES 0.4).
 */
turn: number, who: Player, text: ChatText, };

/**
 * Text of a chat line, 1 to 300 characters of plain text. Stored lines may come from a release with weaker rules;
 * [`NewLine`] has the present rules.
 */
export type ChatText = string;

/**
 * Result that can be claimed of a game that the other side has left.
 */
export type ClaimKind = "win" | "draw";

/**
 * Claim against a side that has left the game.
 */
export type ClaimOffer = { 
/**
 * The absent side.
 */
against: Side, 
/**
 * Time from which the claim may be made, by the server's clock, milliseconds since 1970.
 */
from_ms: number, };

/**
 * Message from a client over the socket. A text frame holds one message of at most 16,384 bytes.
 *
 * A message with a `command` is a command. If an acknowledged command is sent again with the same id, it has no second
 * effect and gets the same answer.
 */
export type ClientMessage = { "type": "hello", 
/**
 * Version of the client's protocol, now 1 ([`PROTOCOL`](super::PROTOCOL)).
 */
protocol: number, 
/**
 * Games to subscribe to.
 */
games: Array<Known>, 
/**
 * Whether to subscribe to the lobby.
 */
lobby: boolean, 
/**
 * Whether to be told by `turns` when the games that wait for the player may have changed.
 */
turns?: boolean, } | { "type": "watch", game: GameId, version: Version, } | { "type": "unwatch", game: GameId, } | { "type": "watch_lobby", } | { "type": "unwatch_lobby", } | { "type": "draft", command: CommandId, game: GameId, version: Version, actions: Array<ActionText>, } | { "type": "options", command: CommandId, game: GameId, version: Version, actions: Array<ActionText>, } | { "type": "turn", command: CommandId, game: GameId, version: Version, actions: Array<ActionText>, } | { "type": "resign", command: CommandId, game: GameId, } | { "type": "abort", command: CommandId, game: GameId, } | { "type": "offer", command: CommandId, game: GameId, what: OfferKind, } | { "type": "answer", command: CommandId, game: GameId, what: OfferKind, accept: boolean, } | { "type": "claim", command: CommandId, game: GameId, what: ClaimKind, } | { "type": "say", command: CommandId, game: GameId, text: NewLine, } | { "type": "seek", pool: Pool, } | { "type": "stop_seeking", pool: Pool, } | { "type": "ping", };

/**
 * Clocks at a moment of a game.
 */
export type Clock = { 
/**
 * Side whose time runs; null until both sides have made a turn.
 */
running: Side | null, 
/**
 * Milliseconds until that time begins to run, in a game with a `delay` bonus or during a vacation; otherwise 0.
 */
free_ms: number, first_ms: number, second_ms: number, };

/**
 * Time control of a game.
 */
export type ClockRule = { "kind": "none", } | { "kind": "real_time" } & RealTime | { "kind": "correspondence", 
/**
 * Days for each turn, 1 to 14.
 */
days: Days, } | { "kind": "bank", 
/**
 * Days that each side begins with, which are also the most that it can have, 1 to 30.
 */
base_days: BankDays, 
/**
 * Hours added after each turn, 0 to 168.
 */
bonus_hours: BankHours, };

/**
 * Id of a command: 1 to 64 ASCII letters, digits, `-` or `_`, chosen by the client. It makes commands idempotent:
 * a command that is sent again with the same id has no second effect.
 */
export type CommandId = string;

/**
 * Event as the socket sends it: a turn is without its steps, and all others are as in a game's document.
 */
export type CompactEvent = CompactTurn | OtherEvent;

/**
 * Turn that a side played.
 */
export type CompactTurn = { 
/**
 * Time of the event by the server's clock, milliseconds since 1970.
 */
at_ms: number, 
/**
 * Actions of the turn, in order, separated by spaces.
 */
actions: string, 
/**
 * Milliseconds charged for the turn; in a game with a clock followed by the time of the first and the second side after
 * it.
 */
ms: TurnTimes, 
/**
 * Card that was turned over for the next turn, 1 to 6; missing if none was.
 */
dealt?: number, };

/**
 * A turn that is played at once in a position.
 */
export type ConditionalTurn = { 
/**
 * Text of the position, in which the player is to move.
 */
position: string, 
/**
 * The whole turn.
 */
actions: Array<ActionText>, };

/**
 * The conditional turns of a player in a game: what is played at once if the other side's turn leads to one of these
 * positions.
 */
export type ConditionalTurns = { 
/**
 * At most 64. Of two with the same position the first one counts.
 */
turns: Array<ConditionalTurn>, };

/**
 * Days for each turn of a correspondence game, 1 to 14.
 */
export type Days = number;

/**
 * Number of turns by which spectators see a game late, 0 to 20.
 */
export type Delay = number;

/**
 * Unfinished turn of the side to move.
 */
export type Draft = { 
/**
 * Actions so far, in order.
 */
steps: Array<Step>, 
/**
 * Numbers of the position after the steps.
 */
turn: Turn, 
/**
 * Whether `end` is legal now.
 */
may_end: boolean, 
/**
 * Whether the steps are a whole turn, which can be sent as a `turn`.
 */
complete: boolean, };

/**
 * Visibility of unfinished turns to the other side and to spectators.
 */
export type Drafts = "shown" | "hidden";

/**
 * Event of a game with everything that a board shows of it, as in a game's document.
 */
export type Event = { version: Version, 
/**
 * Time of the event by the server's clock, milliseconds since 1970.
 */
at_ms: number, } & ({ "type": "created", ruleset: Ruleset, visibility: Visibility, creator: Player, 
/**
 * The only player who may join, if the room is a challenge; absent otherwise.
 */
for?: Player, 
/**
 * Seat that the creator chose.
 */
seat: SeatChoice, terms: Terms, 
/**
 * Text of the start position. While the first card is not turned over yet, `0/0` stands for `left/allowance`.
 */
start: string, 
/**
 * SHA-256 of the seed that fixes the cards, in hex (RULES 1.18); null in a ruleset without cards.
 */
seed_hash: string | null, } | { "type": "started", seats: Seats, } | { "type": "turn_played", 
/**
 * Number of the turn (RULES 0.4).
 */
turn: number, side: Side, 
/**
 * Card of the turn, 1 to 6; null in a ruleset without cards.
 */
card: number | null, 
/**
 * Actions of the turn, in order.
 */
steps: Array<Step>, 
/**
 * Milliseconds charged for the turn: the time since it began, less credited time and forgiven lag.
 */
took_ms: number, 
/**
 * Time of both sides after the turn; null in a game without a clock.
 */
time: Times | null, } | { "type": "offered", what: OfferKind, side: Side, } | { "type": "declined", what: OfferKind, side: Side, } | { "type": "draw_agreed", side: Side, } | { "type": "turns_taken_back", 
/**
 * Number of turns, 1 or 2.
 */
turns: number, 
/**
 * Side that accepted.
 */
side: Side, } | { "type": "time_credited", side: Side, 
/**
 * Milliseconds given back; less than 0 if a vacation ended early.
 */
ms: number, 
/**
 * End of the vacation of the side's player, milliseconds since 1970; missing if the time is that of an outage.
 */
vacation_until_ms?: number, } | { "type": "resigned", side: Side, } | { "type": "flagged", side: Side, } | { "type": "claimed", side: Side, } | { "type": "aborted", 
/**
 * Side that aborted the game; null if the time for a first turn ran out.
 */
side: Side | null, } | { "type": "reopened", 
/**
 * Side that left, or the maker's if the maker no longer waited; null if the player did not come, or if the time
 * for a first turn ran out.
 */
side: Side | null, 
/**
 * SHA-256 of the new seed, which replaces that of `created`; null in a ruleset without cards.
 */
seed_hash: string | null, } | { "type": "rematch_started", 
/**
 * Id of the rematch.
 */
rematch: GameId, 
/**
 * Side that accepted.
 */
side: Side, } | { "type": "cancelled", 
/**
 * Whether the challenged player declined; absent if not.
 */
declined?: boolean, 
/**
 * Id of the challenge by other terms with which the challenged player answered; absent if there is none.
 */
counter?: GameId, } | { "type": "ended", outcome: Outcome, 
/**
 * Seed of the cards, in hex, which `seed_hash` is the hash of (RULES 1.18); null in a ruleset without cards.
 */
seed: string | null, });

/**
 * Expected part of a record; `docs/records.md` describes each.
 */
export type Expected = "title" | "version" | "ruleset" | "ruleset_header" | "reason_header" | "header" | "text" | "day" | "result" | "reason" | "result_beside_reason" | "reason_beside_result" | "hex" | "turn_or_final" | "final" | "turn_number" | "plain_numbers" | "card" | "card_number" | "actions" | "action" | "time" | "line_feed" | "end";

/**
 * Error in a text that a person wrote. In a record, the `line` and `turn` of the problem locate it.
 */
export type Flaw = { "code": "expected", what: Expected, 
/**
 * Header or field of the record in which the part is expected; null elsewhere.
 */
field: string | null, } | { "code": "not_json", line: number, column: number, } | { "code": "newer_version", version: number, } | { "code": "byte_order_mark" } | { "code": "carriage_return" } | { "code": "position", at: number, rule: string, } | { "code": "usual_start" } | { "code": "no_cards" } | { "code": "card_missing" } | { "code": "no_card_due" } | { "code": "no_card_left", card: number, } | { "code": "wrong_card", expected: number, } | { "code": "wrong_seed" } | { "code": "unfair_card", turn: number, shown: number, expected: number, } | { "code": "wrong_number", expected: number, } | { "code": "illegal", index: number, rule: string, } | { "code": "incomplete", index: number, rule: string, } | { "code": "game_over", index: number, } | { "code": "too_costly", limit: number, } | { "code": "not_over" } | { "code": "wrong_ending", winner: Side | null, reason: Reason, } | { "code": "wrong_winner" } | { "code": "wrong_final", expected: string, };

/**
 * Response to `GET /api/v1/games/{id}`: a game with all events that the reader may see.
 */
export type GameDocument = { summary: GameSummary, events: Array<Event>, present: Snapshot, };

/**
 * Response to `GET /api/v1/games/{id}/events`: a game with all events that the reader may see, as the socket sends them.
 * A client with an engine computes the document from it.
 */
export type GameEvents = { 
/**
 * The events from version 1 on.
 */
events: Array<CompactEvent>, present: Snapshot, };

/**
 * Id of a game, a UUID: the same for the open room, the game and its replay.
 */
export type GameId = string;

/**
 * Page of `GET /api/v1/games` or `GET /api/v1/rooms`, newest first; finished games by the time of their end.
 */
export type GamePage = { games: Array<GameSummary>, 
/**
 * Value of `before` for the next page; null on the last page.
 */
next: string | null, };

/**
 * Row of a game in the lobby and in lists.
 *
 * While a game with a `delay` is played, its progress is hidden from all but its players: `version` is 0, `updated_ms`
 * is `created_ms`, and `turn`, `to_move`, `deadline_ms` and `position` are null, and `offers` is absent.
 */
export type GameSummary = { id: GameId, ruleset: Ruleset, status: Status, visibility: Visibility, creator: Player, 
/**
 * The only player who may join the room, if it is a challenge; absent otherwise.
 */
for?: Player, seat: SeatChoice, clock: ClockRule, watching: Watching, 
/**
 * Number of turns by which spectators see the game late, 0 to 20.
 */
delay: Delay, 
/**
 * Whether the game starts from a position other than the ruleset's own (RULES 0.9).
 */
custom_start: boolean, 
/**
 * Null until a second player has joined.
 */
seats: Seats | null, 
/**
 * Number of events in the game's log; 0 if hidden.
 */
version: Version, 
/**
 * Turn number of the present or final position (RULES 0.4, 0.8); null if hidden.
 */
turn: number | null, 
/**
 * Side to move in the present or final position; null if hidden.
 */
to_move: Side | null, 
/**
 * Null unless the game is finished.
 */
outcome: Outcome | null, 
/**
 * Time at which the room was made, milliseconds since 1970.
 */
created_ms: number, 
/**
 * Time of the last event, milliseconds since 1970; `created_ms` if hidden.
 */
updated_ms: number, 
/**
 * Time at which the turn under way is too late, including the lag that can be forgiven, or at which an open room is
 * closed; milliseconds since 1970. Null if the turn has no limit, if the game is over, or if hidden.
 */
deadline_ms: number | null, 
/**
 * Text of the present or final position. Null if hidden, and for games from before positions were stored.
 */
position: string | null, 
/**
 * Offers that wait for an answer; absent if there is none, and if hidden.
 */
offers?: Array<StandingOffer>, };

/**
 * Difficulty of a puzzle among those of its ruleset: 1 to 5.
 */
export type Grade = number;

/**
 * Hour of a day, 0 to 23.
 */
export type Hour = number;

/**
 * Page of `GET /api/v1/inbox`: the notices to the visitor, the newest first.
 */
export type Inbox = { notices: Array<InboxNotice>, 
/**
 * Number of all notices that the visitor has not seen.
 */
unseen: number, 
/**
 * Value of `before` for the next page; null on the last page.
 */
next: NoticeId | null, };

/**
 * Notice in an inbox. `game` is null if the game is deleted.
 */
export type InboxNotice = { id: NoticeId, 
/**
 * Milliseconds since 1970.
 */
at_ms: number, 
/**
 * Whether the visitor has seen it.
 */
seen: boolean, } & ({ "kind": "game_over", game: GameId | null, ruleset: Ruleset, opponent: Player, result: NoticeResult, 
/**
 * Null if the game was aborted.
 */
reason: Reason | null, } | { "kind": "challenged", game: GameId | null, ruleset: Ruleset, opponent: Player, 
/**
 * Null if the game is deleted.
 */
clock: ClockRule | null, } | { "kind": "challenge_accepted", game: GameId | null, ruleset: Ruleset, opponent: Player, 
/**
 * Null if the game is deleted.
 */
clock: ClockRule | null, } | { "kind": "challenge_declined", game: GameId | null, ruleset: Ruleset, opponent: Player, 
/**
 * Null if the game is deleted.
 */
clock: ClockRule | null, } | { "kind": "challenge_countered", game: GameId | null, ruleset: Ruleset, opponent: Player, 
/**
 * Null if the game is deleted.
 */
clock: ClockRule | null, } | { "kind": "seek_accepted", game: GameId | null, ruleset: Ruleset, opponent: Player, 
/**
 * Null if the game is deleted.
 */
clock: ClockRule | null, } | { "kind": "vacation_used", 
/**
 * Milliseconds since 1970.
 */
from_ms: number, 
/**
 * The end, milliseconds since 1970.
 */
until_ms: number, } | { "kind": "security", what: SecurityEvent, } | { "kind": "report_answered", game: GameId | null, });

/**
 * Jump of a capture.
 */
export type Jump = { 
/**
 * Cell of the captured piece, which stays there as an obstacle until the capture is complete.
 */
over: string, 
/**
 * Cell that the piece lands on.
 */
to: string, };

/**
 * Game that the client has up to a version.
 */
export type Known = { game: GameId, 
/**
 * Version of the latest event that the client has; 0 if it has none.
 */
version: Version, };

/**
 * Legal action, with its effect as a board shows it.
 */
export type LegalAction = { 
/**
 * Text of the action, to be sent as it is.
 */
text: string, kind: ActionKind, 
/**
 * Cell that the piece leaves, in a switch that of the side's own man; null for `drop` and `end`.
 */
from: string | null, 
/**
 * Cell that the piece goes to; null for `end`.
 */
to: string | null, 
/**
 * Number of men that move; null in a ruleset without stacks, and for a switch.
 */
count: number | null, 
/**
 * Men that the stack at the target loses; null if none.
 */
overflow: Overflow | null, 
/**
 * Jumps of a capture; null for all other actions.
 */
capture: Capture | null, };

/**
 * Id of a chat line, a UUID.
 */
export type LineId = string;

/**
 * Body of `POST /api/v1/account/recover/link`.
 */
export type LinkRecovery = { 
/**
 * The secret in the link, behind `#recover=`.
 */
link: LinkSecret, 
/**
 * The new password.
 */
password: NewPassword, 
/**
 * Whether a guest leaves games under way.
 */
leave_guest?: boolean, 
/**
 * Whether the account is opened again, if it is closed.
 */
reopen?: boolean, };

/**
 * Secret of a link that counts once: 32 letters and digits.
 */
export type LinkSecret = string;

/**
 * Mail address of a person: a local part without quotes, and the name of a domain, in ASCII. No debug text has it.
 */
export type MailAddress = string;

/**
 * Body of `POST /api/v1/account/mail/confirm`.
 */
export type MailConfirmation = { 
/**
 * The secret in the link, behind `#confirm=`.
 */
link: LinkSecret, };

/**
 * Body of `POST /api/v1/account/recover/mail`.
 */
export type MailRecovery = { name: PlayerName, 
/**
 * The address of the account, to which the link goes.
 */
mail: MailAddress, };

/**
 * Body of `PATCH /api/v1/account/mail`.
 */
export type MailSettings = { 
/**
 * Whether a link that is sent to the account's address may set its password.
 */
recovers: boolean, };

/**
 * Hours for which a player's chat lines are refused, 1 to 8,760.
 */
export type MuteHours = number;

/**
 * Body of `POST /api/v1/account`: the visitor, a guest, becomes an account.
 */
export type NewAccount = { name: NewName, } & ({ "password": NewPassword } | { "passkey": PasskeyAnswer });

/**
 * Body of `POST /api/v1/moderation/acts`: a decision of a moderator, by its kind.
 */
export type NewAct = { "kind": "mute", player: PlayerId, hours: MuteHours, } | { "kind": "unmute", player: PlayerId, } | { "kind": "hide_name", player: PlayerId, 
/**
 * The name that was reported: the present or a former one.
 */
name: PlayerName, } | { "kind": "close", player: PlayerId, } | { "kind": "reopen", player: PlayerId, } | { "kind": "dismiss", report: ReportId, } | { "kind": "dismiss_all", player: PlayerId, };

/**
 * Text of a new chat line, 1 to 300 visible characters. It is normalised to NFC, and invisible characters are
 * removed.
 */
export type NewLine = string;

/**
 * Body of `PUT /api/v1/account/mail`.
 */
export type NewMail = { address: MailAddress, 
/**
 * The browser's zone, which the account has from now on.
 */
zone?: Zone, };

/**
 * Name that a player chooses: 1 to 24 visible characters of one script, or of Latin and one other, with single
 * spaces between words, without `<` and `>`, and not like that of a bot. It is normalised to NFKC.
 */
export type NewName = string;

/**
 * Body of `POST /api/v1/passkeys`.
 */
export type NewPasskey = { 
/**
 * The authenticator's answer to the options for `add`.
 */
passkey: PasskeyAnswer, };

/**
 * Password that a player chooses, 8 to 128 characters, and not easy to guess.
 */
export type NewPassword = string;

/**
 * Body of `PUT /api/v1/push`: a `PushSubscription` of a browser, as its `toJSON` writes it, without its end.
 */
export type NewPush = { 
/**
 * URL at the browser's push service.
 */
endpoint: string, keys: NewPushKeys, };

/**
 * Keys of a browser, in base64url.
 */
export type NewPushKeys = { 
/**
 * Its public key.
 */
p256dh: string, 
/**
 * Its secret.
 */
auth: string, };

/**
 * Body of `POST /api/v1/reports`.
 */
export type NewReport = { 
/**
 * A player of the game, its maker, or somebody with a line in the chat that the visitor reads.
 */
player: PlayerId, kind: ReportKind, game: GameId, 
/**
 * An explanation for the moderators.
 */
text?: NewReportText, };

/**
 * Text of a new report, 1 to 500 visible characters. It is normalised to NFC, and invisible characters are removed.
 */
export type NewReportText = string;

/**
 * Body of `POST /api/v1/rooms`.
 */
export type NewRoom = { ruleset: Ruleset, seat: SeatChoice, 
/**
 * A challenge is always by link.
 */
visibility: Visibility, 
/**
 * Id of the only player who may join, who gets the room as a challenge; by default anybody may.
 */
for?: PlayerId, 
/**
 * Id of a challenge to the visitor, which this one to its maker answers by other terms and so closes.
 */
answers?: GameId, 
/**
 * Text of a start position other than the ruleset's own (RULES 0.9).
 */
start?: string, 
/**
 * By default no clock, spectators admitted, drafts shown, and no delay.
 */
terms?: Terms, };

/**
 * Body of `POST /api/v1/seeks`.
 */
export type NewSeek = { ruleset: Ruleset, 
/**
 * Any but a `real_time` clock, for which both players have to be present.
 */
clock: ClockRule, 
/**
 * Number of games, 1 to 5.
 */
games: number, };

/**
 * Body of `POST /api/v1/tables`: a game of two people at one screen.
 */
export type NewTable = { ruleset: Ruleset, 
/**
 * Text of a start position other than the ruleset's own (RULES 0.9).
 */
start?: string, };

/**
 * Body of `PUT /api/v1/vacation`: a vacation begins now.
 */
export type NewVacation = { days: VacationDays, };

/**
 * Id of a notice in an inbox, a UUID.
 */
export type NoticeId = string;

/**
 * End of a game for one of its players.
 */
export type NoticeResult = "won" | "lost" | "draw" | "aborted";

/**
 * When an account is told of its waiting turns, in its own time zone.
 */
export type NoticeSettings = { 
/**
 * When the account's mail address is told that turns of slow games are due.
 */
turn_mails: TurnMails, 
/**
 * The hour of the daily mail.
 */
hour: Hour, 
/**
 * The hours of the day between which nothing is sent, but of deadlines that are in them. If both are the same, there
 * are none.
 */
quiet_from: Hour, quiet_to: Hour, 
/**
 * The name of the zone, as `Europe/Paris`.
 */
zone: Zone, };

/**
 * Kind of offer from one side to the other.
 */
export type OfferKind = "draw" | "takeback" | "rematch";

/**
 * Any other event, with the card that was turned over at it.
 */
export type OtherEvent = { 
/**
 * Card that was turned over for the first turn, 1 to 6; missing if none was.
 */
dealt?: number, version: Version, 
/**
 * Time of the event by the server's clock, milliseconds since 1970.
 */
at_ms: number, } & ({ "type": "created", ruleset: Ruleset, visibility: Visibility, creator: Player, 
/**
 * The only player who may join, if the room is a challenge; absent otherwise.
 */
for?: Player, 
/**
 * Seat that the creator chose.
 */
seat: SeatChoice, terms: Terms, 
/**
 * Text of the start position. While the first card is not turned over yet, `0/0` stands for `left/allowance`.
 */
start: string, 
/**
 * SHA-256 of the seed that fixes the cards, in hex (RULES 1.18); null in a ruleset without cards.
 */
seed_hash: string | null, } | { "type": "started", seats: Seats, } | { "type": "turn_played", 
/**
 * Number of the turn (RULES 0.4).
 */
turn: number, side: Side, 
/**
 * Card of the turn, 1 to 6; null in a ruleset without cards.
 */
card: number | null, 
/**
 * Actions of the turn, in order.
 */
steps: Array<Step>, 
/**
 * Milliseconds charged for the turn: the time since it began, less credited time and forgiven lag.
 */
took_ms: number, 
/**
 * Time of both sides after the turn; null in a game without a clock.
 */
time: Times | null, } | { "type": "offered", what: OfferKind, side: Side, } | { "type": "declined", what: OfferKind, side: Side, } | { "type": "draw_agreed", side: Side, } | { "type": "turns_taken_back", 
/**
 * Number of turns, 1 or 2.
 */
turns: number, 
/**
 * Side that accepted.
 */
side: Side, } | { "type": "time_credited", side: Side, 
/**
 * Milliseconds given back; less than 0 if a vacation ended early.
 */
ms: number, 
/**
 * End of the vacation of the side's player, milliseconds since 1970; missing if the time is that of an outage.
 */
vacation_until_ms?: number, } | { "type": "resigned", side: Side, } | { "type": "flagged", side: Side, } | { "type": "claimed", side: Side, } | { "type": "aborted", 
/**
 * Side that aborted the game; null if the time for a first turn ran out.
 */
side: Side | null, } | { "type": "reopened", 
/**
 * Side that left, or the maker's if the maker no longer waited; null if the player did not come, or if the time
 * for a first turn ran out.
 */
side: Side | null, 
/**
 * SHA-256 of the new seed, which replaces that of `created`; null in a ruleset without cards.
 */
seed_hash: string | null, } | { "type": "rematch_started", 
/**
 * Id of the rematch.
 */
rematch: GameId, 
/**
 * Side that accepted.
 */
side: Side, } | { "type": "cancelled", 
/**
 * Whether the challenged player declined; absent if not.
 */
declined?: boolean, 
/**
 * Id of the challenge by other terms with which the challenged player answered; absent if there is none.
 */
counter?: GameId, } | { "type": "ended", outcome: Outcome, 
/**
 * Seed of the cards, in hex, which `seed_hash` is the hash of (RULES 1.18); null in a ruleset without cards.
 */
seed: string | null, });

/**
 * Outcome of a game (RULES 0.5).
 */
export type Outcome = { 
/**
 * Null for a draw.
 */
winner: Side | null, reason: Reason, };

/**
 * Men that a stack loses from its bottom (RULES 3.6).
 */
export type Overflow = { 
/**
 * Number of the mover's men, which go to the mover's reserve.
 */
reserved: number, 
/**
 * Number of the other side's men, which leave the game.
 */
captured: number, };

/**
 * Piece that can be made in this turn and in no later one (RULES 2.8, 2.9).
 */
export type Owed = { kind: OwedKind, 
/**
 * Whether nothing else is legal. If false, other actions are legal too.
 */
must: boolean, };

/**
 * Kind of a piece that can be made.
 */
export type OwedKind = "councillor" | "king";

/**
 * An act on the visitor.
 */
export type OwnAct = { id: ActId, 
/**
 * Milliseconds since 1970.
 */
at_ms: number, } & ({ "kind": "muted", 
/**
 * Milliseconds since 1970.
 */
until_ms: number, } | { "kind": "unmuted" } | { "kind": "name_hidden", 
/**
 * The hidden name.
 */
name: PlayerName, } | { "kind": "closed" } | { "kind": "reopened" } | { "kind": "dismissed" } | { "kind": "role_given", role: Role, } | { "kind": "role_taken" });

/**
 * Response to `GET /api/v1/account/acts`: what moderators have done to the visitor, the last act first, at most 50.
 */
export type OwnActs = { acts: Array<OwnAct>, };

/**
 * A passkey of the visitor's account.
 */
export type OwnPasskey = { id: PasskeyId, 
/**
 * Its name, at first the browser and its system, as `Firefox, Linux`; null if they are unknown.
 */
label: string | null, 
/**
 * Milliseconds since 1970.
 */
created_ms: number, 
/**
 * Time of last use, to the day, in milliseconds since 1970.
 */
used_ms: number, };

/**
 * A session of the visitor.
 */
export type OwnSession = { id: SessionId, 
/**
 * The browser and its system, as `Firefox, Linux`; null if they are unknown.
 */
label: string | null, 
/**
 * Milliseconds since 1970.
 */
created_ms: number, 
/**
 * Time of last use, to the day, in milliseconds since 1970.
 */
used_ms: number, 
/**
 * Whether it is the session of this request.
 */
is_current: boolean, };

/**
 * Rest of a side's pack. The pack is shuffled again when a card is needed and none is left.
 */
export type Pack = { 
/**
 * For each value from 1 to 6, the number of cards that were not seen to leave the pack, 0 to 2.
 */
left: [number, number, number, number, number, number], 
/**
 * Number of those that have left the pack unseen, before the position that the game started from.
 */
unseen: number, };

/**
 * Answer of an authenticator to the options: a `PublicKeyCredential` of a browser, as its `toJSON` writes it.
 */
export type PasskeyAnswer = object;

/**
 * Body of `PATCH /api/v1/passkeys/{id}`.
 */
export type PasskeyChange = { label: PasskeyLabel, };

/**
 * Id of a passkey, a UUID. It names the passkey to its player and proves nothing.
 */
export type PasskeyId = string;

/**
 * Name that a player gives a passkey, 1 to 40 characters.
 */
export type PasskeyLabel = string;

/**
 * Response to `POST /api/v1/passkeys/options`, as `PublicKeyCredential.parseCreationOptionsFromJSON` or
 * `parseRequestOptionsFromJSON` of a browser reads it.
 */
export type PasskeyOptions = object;

/**
 * Body of `POST /api/v1/passkeys/options`: what a passkey is made or used for.
 */
export type PasskeyPurpose = { "purpose": "register", name: NewName, } | { "purpose": "add", } | { "purpose": "sign_in", } | { "purpose": "prove", };

/**
 * Response to the requests for the passkeys of the visitor's account, the first made one first.
 */
export type Passkeys = { passkeys: Array<OwnPasskey>, };

/**
 * Password to be checked, 1 to 128 characters. It is normalised to NFKC, since keyboards differ in how they compose
 * characters.
 */
export type Password = string;

/**
 * Player as others see them.
 */
export type Player = { 
/**
 * Id of the player, which never changes. Zeros for a deleted player; ones for a game's second player if both are deleted.
 */
id: PlayerId, 
/**
 * Present name of the player, 1 to 24 characters, also in old games.
 */
name: PlayerName, 
/**
 * Level of a bot; absent for people.
 */
bot?: BotLevel, 
/**
 * Kind of the player; absent where only the name is known, as in records.
 */
kind?: PlayerKind, };

/**
 * Id of a player, a UUID. It is public; the secret of a session is its token.
 */
export type PlayerId = string;

/**
 * Kind of a player.
 */
export type PlayerKind = "guest" | "account" | "bot" | "deleted";

/**
 * Name of a player, 1 to 24 characters. Stored names may come from a release with weaker rules; [`NewName`] has
 * the present rules.
 */
export type PlayerName = string;

/**
 * Pool of quick pairing. All its players want a game of the same ruleset with the same clock.
 */
export type Pool = { ruleset: Ruleset, clock: ClockRule, };

/**
 * Response to `POST /api/v1/seeks`.
 */
export type PostedSeek = { 
/**
 * Null if all its games began at once.
 */
seek: Seek | null, 
/**
 * The games that began at once with players who sought the same.
 */
games: Array<GameSummary>, };

/**
 * Body of an HTTP error, `application/problem+json` (RFC 9457).
 */
export type Problem = { 
/**
 * HTTP status.
 */
status: number, 
/**
 * Code for clients to branch on.
 */
code: ProblemCode, 
/**
 * Kind of problem by its status, in English.
 */
title: string, 
/**
 * Description of the error, and of valid values, in English.
 */
detail: string, 
/**
 * Line of the error in a refused record in text form, counted from 1.
 */
line?: number, 
/**
 * Turn of the error in a refused record, or index of the refused one of several conditional turns, counted from 0.
 */
turn?: number, 
/**
 * Error in a refused record, start position or list of actions.
 */
flaw?: Flaw, 
/**
 * Games under way that the visitor would leave, with `guest_has_games`; at most 100.
 */
games?: Array<GameSummary>, 
/**
 * Time from which it is allowed, in milliseconds since 1970, with `keeps_name`, `too_many_acts` and `too_many_exports`.
 */
until_ms?: number, };

/**
 * Code of a problem. Each has one HTTP status.
 */
export type ProblemCode = "invalid_query" | "no_host" | "no_websocket" | "unreadable_body" | "no_session" | "wrong_credentials" | "account_barred" | "blocked" | "foreign_origin" | "keeps_name" | "not_a_player" | "not_for_you" | "not_moderator" | "not_yours" | "on_moderator" | "private" | "prove_again" | "room_left" | "no_such_page" | "no_such_resource" | "no_review" | "unknown_game" | "unknown_player" | "method_not_allowed" | "body_too_slow" | "account_closed" | "ceremony_over" | "command_reused" | "games_unplayed" | "guest_has_games" | "has_account" | "last_credential" | "name_taken" | "no_account" | "no_passkeys" | "no_vacation_left" | "not_conditional" | "not_on_vacation" | "not_over" | "nothing_to_do" | "on_vacation" | "oneself" | "own_block" | "own_challenge" | "own_room" | "own_seek" | "refused" | "room_cancelled" | "room_taken" | "seek_gone" | "seeker_full" | "link_void" | "body_too_large" | "wrong_content_type" | "bad_record" | "costly_start" | "illegal_action" | "invalid_body" | "invalid_start" | "unusable_passkey" | "unusable_push" | "weak_password" | "upgrade_required" | "too_fast" | "too_many_acts" | "too_many_blocks" | "too_many_challenges" | "too_many_connections" | "too_many_documents" | "too_many_exports" | "too_many_lists" | "too_many_mails" | "too_many_names" | "too_many_passkeys" | "too_many_reports" | "too_many_reviews" | "too_many_rooms" | "too_many_seeks" | "too_many_sockets" | "too_many_under_way" | "too_much_work" | "headers_too_large" | "busy" | "going_down" | "no_space" | "overloaded" | "review_failed" | "took_too_long" | "unavailable";

/**
 * Body of `POST /api/v1/session/prove`.
 */
export type Proof = { "password": Password } | { "passkey": PasskeyAnswer };

/**
 * Response to the requests to `/api/v1/push`: what a browser needs to subscribe.
 */
export type PushKey = { 
/**
 * The server's public key, in base64url: the `applicationServerKey` of a subscription.
 */
key: string, };

/**
 * Response to `GET /api/v1/puzzles/{id}` and `GET /api/v1/puzzles/today`: a position with its task.
 */
export type Puzzle = { id: PuzzleId, ruleset: Ruleset, grade: Grade, task: PuzzleTask, 
/**
 * The position, with its legal actions.
 */
trial: Trial, };

/**
 * Body of `POST /api/v1/puzzles/{id}/attempts`.
 */
export type PuzzleAttempt = { 
/**
 * The own turns so far, each with the texts of its actions.
 */
turns: Array<Array<string>>, };

/**
 * Id of a puzzle: eight hexadecimal digits.
 */
export type PuzzleId = string;

/**
 * Response to `GET /api/v1/puzzles`: the puzzles that the filters leave, by ruleset and from the easiest on.
 */
export type PuzzleList = { puzzles: Array<PuzzleRow>, };

/**
 * Puzzle of a list.
 */
export type PuzzleRow = { id: PuzzleId, ruleset: Ruleset, grade: Grade, };

/**
 * Response to `GET /api/v1/puzzles/{id}/solution`: a solution with the best replies, the turns of both sides in order.
 */
export type PuzzleSolution = { turns: Array<PuzzleTurn>, };

/**
 * Task of a puzzle, for the side to move.
 */
export type PuzzleTask = { "kind": "win_in_turn", moves: number, } | { "kind": "best_capture", gain: number, } | { "kind": "win_in_two" };

/**
 * Turn of a solution, or a reply.
 */
export type PuzzleTurn = { side: Side, steps: Array<Step>, };

/**
 * Response to `POST /api/v1/puzzles/{id}/attempts`.
 */
export type PuzzleVerdict = { verdict: Verdict, 
/**
 * Reply of the other side to the first of two turns; if the attempt failed, the one that shows why. Null if there
 * is none.
 */
reply: PuzzleTurn | null, 
/**
 * The position after the reply, in which the next turn is to be found; null unless the attempt continues.
 */
next: Trial | null, 
/**
 * A solution, as in `PuzzleSolution`; null unless the puzzle is solved.
 */
solution: Array<PuzzleTurn> | null, };

/**
 * Count of turns without a capture or the making of a piece (RULES 2.13).
 */
export type Quiet = { 
/**
 * Number of such turns in a row.
 */
turns: number, 
/**
 * Number of such turns at which the game is drawn.
 */
limit: number, };

/**
 * Base time for all turns of a side, and a bonus for each turn.
 */
export type RealTime = { 
/**
 * Base time in seconds, 0 to 10,800. With 0, a side begins with one bonus.
 */
base_s: number, 
/**
 * Bonus in seconds, 0 to 180; not 0 if `base_s` is 0.
 */
bonus_s: number, bonus: Bonus, };

/**
 * Reason for the end of a game (RULES 0.5).
 */
export type Reason = "surround" | "king" | "blocked" | "repetition" | "quiet" | "turn-limit" | "resign" | "time" | "agreement" | "abandon";

/**
 * Body of `POST /api/v1/account/recover`.
 */
export type Recovery = { name: PlayerName, code: RecoveryCode, 
/**
 * The new password.
 */
password: NewPassword, 
/**
 * Whether a guest leaves games under way.
 */
leave_guest?: boolean, 
/**
 * Whether the account is opened again, if it is closed.
 */
reopen?: boolean, };

/**
 * Recovery code of an account: 20 letters and digits, in any case, with or without hyphens. The letters `I`, `L` and
 * `O` count as the digits that they look like; `U` does not occur.
 */
export type RecoveryCode = string;

/**
 * Body of `PATCH /api/v1/session`.
 */
export type Rename = { name: NewName, };

/**
 * A report as moderators see it.
 */
export type Report = { id: ReportId, 
/**
 * Milliseconds since 1970.
 */
at_ms: number, kind: ReportKind, by: Player, 
/**
 * The player whom it is about.
 */
player: Player, 
/**
 * The name that the player had when the report was made.
 */
name: PlayerName, game: GameId, 
/**
 * Null if nothing was written.
 */
text: ReportText | null, 
/**
 * Of a report about chat, the last lines of the player that its author had read, at most 20, the oldest first.
 */
lines: Array<ReportedLine>, 
/**
 * Until when the player's chat lines are refused, milliseconds since 1970; null if they are not.
 */
muted_until_ms: number | null, 
/**
 * When a moderator answered it, milliseconds since 1970; null while it is open.
 */
settled_ms: number | null, };

/**
 * Id of a report, a UUID.
 */
export type ReportId = string;

/**
 * Subject of a report.
 */
export type ReportKind = "chat" | "name" | "play";

/**
 * Text of a report, 1 to 500 characters of plain text.
 */
export type ReportText = string;

/**
 * Line of a chat, as it was when it was reported.
 */
export type ReportedLine = { 
/**
 * Milliseconds since 1970.
 */
at_ms: number, text: ChatText, };

/**
 * Response to `GET /api/v1/moderation/reports`: open reports from the oldest on, then settled ones from the newest on; none about
 * the visitor.
 */
export type Reports = { reports: Array<Report>, 
/**
 * Value of `after` for the next page; null on the last page.
 */
next: string | null, };

/**
 * Number of men that each side can drop (RULES 3.5).
 */
export type Reserves = { first: number, second: number, };

/**
 * Response to `POST` and `GET /api/v1/games/{id}/review`: the review of a finished game.
 */
export type Review = { 
/**
 * The turns of the game's record in their order, at most the first 300.
 */
turns: Array<ReviewedTurn>, };

/**
 * Response to `POST` and `GET /api/v1/games/{id}/review` while the review is computed.
 */
export type ReviewProgress = { 
/**
 * Number of turns that are reviewed.
 */
done: number, 
/**
 * Number of turns to be reviewed; 0 while the game is being read.
 */
of: number, };

/**
 * A turn of a [`Review`].
 */
export type ReviewedTurn = { 
/**
 * The chance of the first side to win after the turn, 0 to 1. A draw counts as half a win.
 */
score: number, 
/**
 * A turn that the search clearly prefers; null if it finds none.
 */
better: BetterTurn | null, };

/**
 * Role of an account in moderation.
 */
export type Role = "moderator" | "admin";

/**
 * Seat that the maker of a room chooses.
 */
export type SeatChoice = "first" | "second" | "random";

/**
 * Players of a game that has begun. Both are the same in a game of two people at one screen.
 */
export type Seats = { first: Player, second: Player, };

/**
 * Change of what proves or recovers an account.
 */
export type SecurityEvent = "passkey_added" | "passkey_removed" | "password_set" | "mail_set" | "mail_removed" | "recovered_by_code" | "recovered_by_link";

/**
 * A seek: a player wants games of a ruleset with a clock, present or not.
 */
export type Seek = { id: SeekId, player: Player, ruleset: Ruleset, clock: ClockRule, 
/**
 * Number of games that it still wants, 1 to 5.
 */
games: number, 
/**
 * Time at which it was posted, milliseconds since 1970.
 */
created_ms: number, };

/**
 * Id of a seek, a UUID.
 */
export type SeekId = string;

/**
 * Response to `GET /api/v1/seeks`.
 */
export type Seeks = { 
/**
 * Those of the visitor, the oldest first; at most 10.
 */
own: Array<Seek>, 
/**
 * The newest ones of others with whom the visitor may play, at most 100.
 */
open: Array<Seek>, };

/**
 * Body of `POST /api/v1/inbox/seen`: the visitor has seen the notices up to this one.
 */
export type SeenNotices = { up_to: NoticeId, };

/**
 * Message from the server over the socket.
 */
export type ServerMessage = { "type": "welcome", protocol: number, player: Player, 
/**
 * Time of sending by the server's clock, milliseconds since 1970.
 */
now_ms: number, } | { "type": "events", game: GameId, 
/**
 * Version of the last event. If there are `version` events, they are the whole game, and the client
 * discards what it had of it.
 */
version: Version, events: Array<CompactEvent>, 
/**
 * Text of the position after the last event.
 */
position: string, 
/**
 * Missing if the last event is a turn, the game goes on, nothing is offered, and the clock stands as after that
 * turn, with the time of the side to move running.
 */
present?: Standing, 
/**
 * Actions of the draft of the turn under way; missing if there is none.
 */
draft?: Array<string>, } | { "type": "draft", game: GameId, version: Version, draft: Array<string> | null, } | { "type": "options", command: CommandId, game: GameId, version: Version, draft: Draft, 
/**
 * Actions that may follow the draft, in the bytewise order of their texts; empty if the draft is complete.
 */
actions: Array<LegalAction>, 
/**
 * Groups that the pieces of the side to move belong to, each a list of cells (RULES 1.11); empty in a game
 * without groups.
 */
groups: Array<Array<string>>, 
/**
 * Actions that only ko forbids (RULES 4.4).
 */
barred: Array<Barred>, 
/**
 * Number of discs that each legal capture takes; smaller captures and moves are not legal (RULES 2.7). Null if
 * nothing must be captured.
 */
best_capture: number | null, } | { "type": "ack", command: CommandId, game: GameId, version: Version, } | { "type": "nack", command: CommandId, game: GameId, } & ({ "code": "stale", version: Version, } | { "code": "not_seated" } | { "code": "not_your_turn" } | { "code": "not_started" } | { "code": "own_room" } | { "code": "room_taken" } | { "code": "room_left" } | { "code": "not_for_you" } | { "code": "room_cancelled" } | { "code": "not_yours" } | { "code": "game_over" } | { "code": "not_over" } | { "code": "out_of_time" } | { "code": "too_late_to_abort" } | { "code": "nothing_to_take_back" } | { "code": "too_many_takebacks", limit: number, } | { "code": "cards_are_open" } | { "code": "offered_already" } | { "code": "no_offer" } | { "code": "not_gone" } | { "code": "private" } | { "code": "blocked" } | { "code": "muted", until_ms: number, } | { "code": "illegal", index: number, 
/**
 * Clause of the rules, as `1.12`.
 */
rule: string, } | { "code": "incomplete", index: number, rule: string, } | { "code": "command_reused" } | { "code": "too_many", limit: number, } | { "code": "too_costly", limit: number, } | { "code": "unknown_game" } | { "code": "busy" } | { "code": "too_fast", retry_ms: number, } | { "code": "too_many_under_way", limit: number, } | { "code": "overloaded" } | { "code": "no_space" } | { "code": "unavailable" } | { "code": "invalid", detail: string, }) | { "type": "presence", game: GameId, 
/**
 * Whether the first side's player is connected to the game.
 */
first: boolean, 
/**
 * Whether the second side's player is connected to the game.
 */
second: boolean, 
/**
 * Number of spectators, each counted once.
 */
watchers: number, 
/**
 * Claim that the present side may make against the absent one; null if there is none.
 */
claim: ClaimOffer | null, } | { "type": "chat", game: GameId, lines: Array<ChatLine>, } | { "type": "renamed", player: Player, } | { "type": "lobby", 
/**
 * Open public rooms whose makers are connected, at most 200.
 */
rooms: Array<GameSummary>, 
/**
 * Public games under way, at most 200.
 */
live: Array<GameSummary>, 
/**
 * Public games that ended recently, at most 50.
 */
finished: Array<GameSummary>, 
/**
 * The reader's own rooms and games that are not over, whatever their visibility.
 */
mine: Array<GameSummary>, } | { "type": "lobby_changed", 
/**
 * Present rows of games of the lobby, or of the reader's own. `status` says which list a game belongs to.
 */
games: Array<GameSummary>, 
/**
 * Rooms and live games that the lobby no longer shows: closed or aborted ones, rooms that became games that
 * may not be watched, rooms whose makers are gone, and those replaced by others. A game that is shown again
 * comes in `games` again.
 */
gone: Array<GameId>, } | { "type": "lobby_counts", 
/**
 * Number of players with an open page, each counted once.
 */
players: number, 
/**
 * Numbers of spectators of those live games whose number has changed.
 */
watchers: Array<SpectatorCount>, } | { "type": "seeking", pools: Array<Pool>, } | { "type": "paired", game: GameId, } | { "type": "turns" } | { "type": "error", } & ({ "code": "frame_too_large", limit: number, } | { "code": "not_text" } | { "code": "invalid_json", detail: string, 
/**
 * The `type` of the message.
 */
of?: string, command?: CommandId, game?: GameId, pool?: Pool, } | { "code": "unknown_type", detail: string, 
/**
 * The `type` of the message.
 */
of?: string, command?: CommandId, game?: GameId, pool?: Pool, } | { "code": "invalid_message", detail: string, 
/**
 * The `type` of the message.
 */
of?: string, command?: CommandId, game?: GameId, pool?: Pool, } | { "code": "wrong_protocol", protocol: number, } | { "code": "unknown_game", game: GameId, } | { "code": "too_many_games", game: GameId, limit: number, } | { "code": "too_fast", retry_ms: number, 
/**
 * The `type` of the message.
 */
of?: string, command?: CommandId, game?: GameId, pool?: Pool, } | { "code": "private", game: GameId, } | { "code": "no_more_watchers", game: GameId, } | { "code": "overloaded", pool: Pool, } | { "code": "unavailable", game: GameId, } | { "code": "lobby_unavailable" } | { "code": "too_many_pools", pool: Pool, limit: number, } | { "code": "pool_too_fast", pool: Pool, retry_ms: number, } | { "code": "too_many_under_way", limit: number, } | { "code": "pool_unavailable", pool: Pool, }) | { "type": "pong", now_ms: number, };

/**
 * Response to `POST /api/v1/session` and `PATCH /api/v1/session`: the player of the session.
 */
export type Session = { player: Player, 
/**
 * Whether the server sends mail, so that an account may have an address.
 */
mail: boolean, 
/**
 * Number of notices in the inbox that the player has not seen.
 */
unseen: number, 
/**
 * The player's role in moderation; absent for most.
 */
role?: Role, };

/**
 * Id of a session, a UUID. It names the session to its player and proves nothing.
 */
export type SessionId = string;

/**
 * Response to `GET /api/v1/sessions`: the visitor's sessions, the last used first.
 */
export type Sessions = { sessions: Array<OwnSession>, };

/**
 * Pieces that a side has made by its stackings (RULES 2.3).
 */
export type SetUp = { 
/**
 * Whether the side has made its king.
 */
king: boolean, 
/**
 * Number of councillors made.
 */
councillors: number, 
/**
 * Number of stackings still to be made.
 */
left: number, };

/**
 * Pieces that each side has made by its stackings.
 */
export type SetUps = { first: SetUp, second: SetUp, };

/**
 * Body of `POST /api/v1/session/password`.
 */
export type SignIn = { name: PlayerName, password: Password, 
/**
 * Whether a guest leaves games under way.
 */
leave_guest?: boolean, 
/**
 * Whether the account is opened again, if it is closed.
 */
reopen?: boolean, };

/**
 * Body of `POST /api/v1/session/passkey`.
 */
export type SignInByPasskey = { 
/**
 * The authenticator's answer to the options for `sign_in`.
 */
passkey: PasskeyAnswer, 
/**
 * Whether a guest leaves games under way.
 */
leave_guest?: boolean, 
/**
 * Whether the account is opened again, if it is closed.
 */
reopen?: boolean, };

/**
 * Snapshot of a game at a version.
 */
export type Snapshot = { version: Version, turn: Turn, } & ({ "status": "open" } | { "status": "playing", 
/**
 * Time at which `clock` and `first_turn_ms` hold, by the server's clock, milliseconds since 1970. A client
 * that reads the message late counts on from here.
 */
at_ms: number, 
/**
 * Null in a game without a clock.
 */
clock: Clock | null, 
/**
 * Milliseconds from then until the game aborts itself; null once both sides have made a turn.
 */
first_turn_ms: number | null, 
/**
 * End of the vacation of the player to move, milliseconds since 1970, until which no time runs; missing if that
 * player is not on vacation.
 */
vacation_until_ms?: number, 
/**
 * Offers that wait for an answer.
 */
offers: Array<StandingOffer>, } | { "status": "finished", outcome: Outcome, 
/**
 * Time that each side had left at the end; null in a game without a clock.
 */
time: Times | null, 
/**
 * The offer of a rematch, if there is one.
 */
offers: Array<StandingOffer>, 
/**
 * Id of the rematch; null if none has begun.
 */
rematch: GameId | null, } | { "status": "aborted" } | { "status": "cancelled" });

/**
 * Number of spectators of a game.
 */
export type SpectatorCount = { game: GameId, watchers: number, };

/**
 * The part of a snapshot that does not follow from the turns: whether the game is under way, its clocks and offers, its
 * outcome.
 */
export type Standing = { "status": "open" } | { "status": "playing", 
/**
 * Time at which `clock` and `first_turn_ms` hold, by the server's clock, milliseconds since 1970. A client
 * that reads the message late counts on from here.
 */
at_ms: number, 
/**
 * Null in a game without a clock.
 */
clock: Clock | null, 
/**
 * Milliseconds from then until the game aborts itself; null once both sides have made a turn.
 */
first_turn_ms: number | null, 
/**
 * End of the vacation of the player to move, milliseconds since 1970, until which no time runs; missing if that
 * player is not on vacation.
 */
vacation_until_ms?: number, 
/**
 * Offers that wait for an answer.
 */
offers: Array<StandingOffer>, } | { "status": "finished", outcome: Outcome, 
/**
 * Time that each side had left at the end; null in a game without a clock.
 */
time: Times | null, 
/**
 * The offer of a rematch, if there is one.
 */
offers: Array<StandingOffer>, 
/**
 * Id of the rematch; null if none has begun.
 */
rematch: GameId | null, } | { "status": "aborted" } | { "status": "cancelled" };

/**
 * Offer that waits for an answer.
 */
export type StandingOffer = { what: OfferKind, 
/**
 * Side that made the offer.
 */
side: Side, };

/**
 * Stage in the life of a game.
 */
export type Status = "open" | "playing" | "finished" | "aborted" | "cancelled";

/**
 * Action of a turn, with its effect as a board shows it.
 */
export type Step = { 
/**
 * Text of the action, as `b7-c7` or `end`.
 */
action: string, 
/**
 * Text of the position after the action.
 */
position: string, 
/**
 * Cells that the piece travels over, the first and the last included; empty for `end`.
 */
route: Array<string>, 
/**
 * Whether two pieces swapped cells.
 */
swap: boolean, 
/**
 * Number of men that moved; null in a ruleset without stacks, and for a switch.
 */
count: number | null, 
/**
 * Men that the stack at the target lost; null if none.
 */
overflow: Overflow | null, 
/**
 * Cells of the captured pieces, in the order of the jumps over them.
 */
taken: Array<string>, 
/**
 * Attackers of each side's centre after the action; null except in the Fibonacci rulesets.
 */
threats: Threats | null, };

/**
 * Terms that the maker of a room sets for its game, apart from the ruleset and the seats.
 */
export type Terms = { clock: ClockRule, watching: Watching, drafts: Drafts, 
/**
 * Number of turns by which spectators see the game late, 0 to 20. Once the game is over, they see all of it.
 */
delay: Delay, };

/**
 * Cells of the attackers of each side's centre (RULES 1.7).
 */
export type Threats = { 
/**
 * Cells of the second side's pieces that attack the first side's centre.
 */
first: Array<string>, 
/**
 * Cells of the first side's pieces that attack the second side's centre.
 */
second: Array<string>, };

/**
 * Remaining time of each side, in milliseconds.
 */
export type Times = { first_ms: number, second_ms: number, };

/**
 * Position after some actions of a turn, with the fields of `options`.
 */
export type Trial = { draft: Draft, 
/**
 * Actions that may follow; empty if the turn is complete.
 */
actions: Array<LegalAction>, 
/**
 * Groups that the pieces of the side to move belong to, each a list of cells (RULES 1.11).
 */
groups: Array<Array<string>>, 
/**
 * Actions that only ko forbids (RULES 4.4).
 */
barred: Array<Barred>, 
/**
 * Number of discs that each legal capture takes (RULES 2.7); null if nothing must be captured.
 */
best_capture: number | null, 
/**
 * Outcome after the actions; null while the game is not over.
 */
outcome: Outcome | null, 
/**
 * Text of the position after the actions.
 */
position: string, };

/**
 * All numbers that a board shows of the present or final position. A client does not have to compute any.
 */
export type Turn = { 
/**
 * Turn number of the position (RULES 0.4, 0.8).
 */
number: number, 
/**
 * Side to move.
 */
side: Side, 
/**
 * Text of the position (RULES 0.3).
 */
position: string, 
/**
 * Allowance of the turn; null except in the Fibonacci rulesets.
 */
allowance: Allowance | null, 
/**
 * Attackers of each side's centre in this position; null except in the Fibonacci rulesets.
 */
threats: Threats | null, 
/**
 * Men that each side can drop (RULES 3.5); null except in Focus and Crossfire.
 */
reserves: Reserves | null, 
/**
 * Progress of each side's stackings (RULES 2.3); null when they are over, and except in Fenix.
 */
set_up: SetUps | null, 
/**
 * Piece that can be made in place of a captured one (RULES 2.8, 2.9); null if there is none.
 */
owed: Owed | null, 
/**
 * Count of quiet turns (RULES 2.13); null if the game does not count them now.
 */
quiet: Quiet | null, 
/**
 * Public knowledge of the cards (RULES 1.16, 1.17); null in a ruleset without cards.
 */
cards: Cards | null, };

/**
 * When an account is mailed that turns of slow games are due.
 */
export type TurnMails = "off" | "daily" | "soon";

/**
 * Milliseconds charged for a turn; in a game with a clock followed by the time of the first and the second side after
 * it.
 */
export type TurnTimes = [number, number, number] | [number];

/**
 * Answer to requests of `/api/v1/vacation`: the visitor's vacation.
 */
export type Vacation = { 
/**
 * Whole days that are left, 0 to 30.
 */
days_left: number, 
/**
 * Whether a day is used when the visitor's time in a game runs out.
 */
automatic: boolean, 
/**
 * The vacation under way; null if there is none.
 */
present: VacationPeriod | null, };

/**
 * Days of a vacation, 1 to 30.
 */
export type VacationDays = number;

/**
 * Vacation of a player.
 */
export type VacationPeriod = { 
/**
 * Milliseconds since 1970.
 */
from_ms: number, 
/**
 * The end, milliseconds since 1970.
 */
until_ms: number, 
/**
 * Whether it was used because the player's time in a game ran out.
 */
automatic: boolean, };

/**
 * Body of `PATCH /api/v1/vacation`.
 */
export type VacationSettings = { 
/**
 * Whether a day is used when the visitor's time in a game runs out.
 */
automatic: boolean, };

/**
 * Judgement of an attempt.
 */
export type Verdict = "solved" | "failed" | "continues";

/**
 * Version of a game: the number of events in its log. The first event has version 1; 0 means none.
 */
export type Version = number;

/**
 * Visibility of a game in the server's lists.
 */
export type Visibility = "public" | "link";

/**
 * Response to the request for the games that wait for a turn of the visitor.
 */
export type WaitingTurns = { 
/**
 * The most urgent first: by deadline, then by the time since which they wait. At most 200.
 */
games: Array<GameSummary>, 
/**
 * Number of the visitor's other slow games under way: they wait for their opponents.
 */
theirs: number, 
/**
 * Number of notices in the inbox that the visitor has not seen.
 */
unseen: number, };

/**
 * Permission for others than its players to see a game, while it is played and afterwards.
 */
export type Watching = "everybody" | "nobody";

/**
 * Time zone of a person, by its name in the IANA database, as `Europe/Paris`.
 */
export type Zone = string;
