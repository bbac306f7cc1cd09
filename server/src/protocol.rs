//! Every message on the wire, types only.
//!
//! What a client may say is [`ClientMessage`], what it may hear is [`ServerMessage`]; the types further down
//! are their parts and the bodies of the HTTP resources. `static/protocol.d.ts` is generated from this file and
//! `docs/protocol.md` explains it message by message with an example of each.
//!
//! Three counters never mix: an *action* counts within a turn, a *turn* is the rules' own number (RULES 0.4), a
//! *version* counts the events of one game's log.

use engine::{Ruleset, Side};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::ids::{
    ActionText, ChatText, CommandId, Days, Delay, GameId, LineId, PlayerId, PlayerName, Version,
};

/// The version of this protocol. A client with another one is told so and asked to reload.
pub const PROTOCOL: u32 = 1;

/// What a client may say over the socket. One text frame holds one message, at most
/// [`MAX_FRAME`](crate::limits::MAX_FRAME) bytes long.
#[derive(Clone, Debug, Deserialize, Serialize, TS)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum ClientMessage {
    /// Opens the talk: the games that the client shows with the versions it has of them, and whether it shows
    /// the lobby. Answered by `welcome`, then for each game as `watch` is. Also said again after a reconnect.
    Hello {
        /// The client's [`PROTOCOL`].
        protocol: u32,
        games: Vec<Known>,
        lobby: bool,
    },
    /// Follows a game. Answered by `snapshot` if `version` is 0 or not one of the game's, else by `events` with
    /// exactly what is missing (perhaps nothing).
    Watch { game: GameId, version: Version },
    /// Stops following a game.
    Unwatch { game: GameId },
    // The braces of messages without fields have serde refuse a field too many in these too.
    /// Follows the lobby. Answered by `lobby`.
    WatchLobby {},
    /// Stops following the lobby.
    UnwatchLobby {},
    /// The actions so far of an unfinished turn. Checked, kept, shown to the other side and watchers, and
    /// answered by `options` with what is legal next, or by `nack`. An empty list takes the draft back.
    Draft { command: CommandId, game: GameId, version: Version, actions: Vec<ActionText> },
    /// Asks what is legal after these actions and changes nothing. Answered by `options` or `nack`.
    Options { command: CommandId, game: GameId, version: Version, actions: Vec<ActionText> },
    /// A whole turn, built on the version of the game that the player saw. Answered by `ack` or `nack`.
    Turn { command: CommandId, game: GameId, version: Version, actions: Vec<ActionText> },
    /// Gives the game up. Answered by `ack` or `nack`.
    Resign { command: CommandId, game: GameId },
    /// Ends a game in which not both sides have made a turn, without a result. Answered by `ack` or `nack`.
    Abort { command: CommandId, game: GameId },
    /// Offers the other side something. Answered by `ack` or `nack`.
    Offer { command: CommandId, game: GameId, what: OfferKind },
    /// Answers the other side's offer, or takes one's own back, which is never an `accept`. Answered by `ack` or
    /// `nack`.
    Answer { command: CommandId, game: GameId, what: OfferKind, accept: bool },
    /// Ends a game whose other side has been gone for so long that `presence` offers it. Answered by `ack` or
    /// `nack`.
    Claim { command: CommandId, game: GameId, what: ClaimKind },
    /// Says something in the game's chat: a player to the other player, a watcher to the other watchers. Answered by
    /// `ack` or `nack`.
    Say { command: CommandId, game: GameId, text: ChatText },
    /// Looks for somebody who wants the same game; whoever is found first is `paired`. Answered by `seeking`.
    Seek { pool: Pool },
    /// Stops looking. Answered by `seeking`.
    StopSeeking { pool: Pool },
    /// Asks for a `pong`: a client that hears nothing for a while knows that its connection is dead.
    Ping {},
}

/// What a client may hear over the socket.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ServerMessage {
    /// The answer to `hello`: who the server takes the client to be.
    Welcome { protocol: u32, player: Player },
    /// All of a game: its events from version 1 on, how it stands, the draft of the turn under way.
    Snapshot { game: GameId, events: Vec<Event>, present: Present, draft: Option<Draft> },
    /// The events that follow the version the client has, in order, none twice; how the game stands after them,
    /// and the draft of the turn under way.
    Events { game: GameId, events: Vec<Event>, present: Present, draft: Option<Draft> },
    /// The latest draft of the turn under way has changed; `null` if it was taken back.
    Draft { game: GameId, version: Version, draft: Option<Draft> },
    /// The answer to a `draft`, which is now kept, or to `options`: the actions are legal, and this is next.
    Options {
        command: CommandId,
        game: GameId,
        version: Version,
        draft: Draft,
        /// The actions that may follow the draft; none if it is a complete turn.
        actions: Vec<LegalAction>,
        /// The groups that the movable pieces belong to, each a list of cells (RULES 1.11); empty in a game
        /// without groups.
        groups: Vec<Vec<String>>,
        /// What would be legal if the side had not done the same before (RULES 4.4).
        barred: Vec<Barred>,
        /// The discs that every legal capture takes, which is why smaller ones and moves are not legal (RULES
        /// 2.7); null if nothing must be captured.
        best_capture: Option<u8>,
    },
    /// The command is committed; the game's version is now this.
    Ack { command: CommandId, game: GameId, version: Version },
    /// The command had no effect, and why.
    Nack {
        command: CommandId,
        game: GameId,
        #[serde(flatten)]
        why: Nack,
    },
    /// Who is at a game; at most once a second.
    Presence {
        game: GameId,
        /// Whether somebody in the first side's seat looks at it.
        first: bool,
        second: bool,
        /// Visitors who watch, each counted once.
        watchers: u32,
        /// What the side that is here may claim of the one that is gone.
        claim: Option<ClaimOffer>,
    },
    /// What was said among those whom the reader belongs to, oldest first: all that is kept when the reader
    /// begins to follow the game, then each line as it is said.
    Chat { game: GameId, lines: Vec<ChatLine> },
    /// The lobby as it is: open public rooms whose makers are here, live public games, public games that ended
    /// lately, each newest first; and the reader's own rooms and games that are not over.
    Lobby {
        rooms: Vec<GameSummary>,
        live: Vec<GameSummary>,
        finished: Vec<GameSummary>,
        mine: Vec<GameSummary>,
    },
    /// A game of the lobby, or one of the reader's own, was made, has changed, or is over (its status tells).
    LobbyChanged { game: GameSummary },
    /// An open room is out of the lobby: its maker is gone, or it has begun as a game that nobody may watch. If the
    /// maker comes back, it comes again as `lobby_changed`.
    LobbyGone { game: GameId },
    /// Who is here: all after `lobby`, then what has changed, at most once a second.
    LobbyCounts {
        /// Players with an open page, each counted once.
        players: u32,
        /// Those who watch, for the games of the lobby for which the number has changed.
        watchers: Vec<WatcherCount>,
    },
    /// What the reader looks for, in all tabs: after `lobby`, and whenever it has changed. Who has no open page looks
    /// for nothing.
    Seeking { pools: Vec<Pool> },
    /// Somebody was found: the game has begun.
    Paired { game: GameId },
    /// A frame that was no valid message, or one about a game that is not to be had.
    Error {
        #[serde(flatten)]
        why: Fault,
    },
    /// The answer to `ping`.
    Pong,
}

/// A game that the client already has, up to a version.
#[derive(Clone, Debug, Deserialize, Serialize, TS)]
#[serde(deny_unknown_fields)]
pub struct Known {
    pub game: GameId,
    /// 0 if it has nothing of it yet.
    pub version: Version,
}

/// Why a command was refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum Nack {
    /// The command builds on a version that is not the game's; this one is.
    Stale { version: Version },
    /// The sender sits on neither seat of the game.
    NotSeated,
    /// The other side is to move.
    NotYourTurn,
    /// The game waits for its second player.
    NotStarted,
    /// The room is the sender's own: somebody else has to join it.
    OwnRoom,
    /// Somebody else has taken the room's other seat.
    RoomTaken,
    /// The room was closed before anyone joined.
    RoomCancelled,
    /// Only the room's maker can do this.
    NotYours,
    /// The game is over (RULES 0.5).
    GameOver,
    /// The game goes on.
    NotOver,
    /// The turn came when its side's time was over.
    OutOfTime,
    /// Both sides have made a turn: the game can be resigned, no longer aborted.
    TooLateToAbort,
    /// The sender has made no turn that could be taken back.
    NothingToTakeBack,
    /// A turn cannot be taken back, since the card behind it is turned over.
    CardsAreOpen,
    /// The same offer stands already, or it was declined in this turn.
    OfferedAlready,
    /// There is no such offer to answer.
    NoOffer,
    /// The other side is here, or has not been gone for long enough.
    NotGone,
    /// Only its players may see this game.
    Private,
    /// One of the two has blocked the other.
    Blocked,
    /// The action at `index`, counted from 0, breaks `rule`.
    Illegal {
        index: usize,
        /// A clause of the rules, as `1.12`.
        rule: String,
    },
    /// The actions are a legal beginning, but no whole turn; `rule` tells why.
    Incomplete { index: usize, rule: String },
    /// This command id was used for another command of the game.
    CommandReused,
    /// More actions are legal than are ever listed; they are counted no further than one more. One can be played all the
    /// same.
    TooMany { legal: u32 },
    /// No game has this id.
    UnknownGame,
    /// Too many commands wait for this game. Try again.
    Busy,
    /// The sender's commands come too fast; after so many milliseconds one more is taken.
    TooFast { retry_ms: u32 },
    /// The server cannot tell whether the command was stored. Send it again with the same id.
    Unavailable,
}

/// Why a frame was answered by `error`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum Fault {
    /// The frame is longer than `limit` bytes. The connection is closed after this.
    FrameTooLarge { limit: usize },
    /// The frame is not text.
    NotText,
    /// The frame is not JSON; `detail` tells where.
    InvalidJson { detail: String },
    /// No message has this type.
    UnknownType { detail: String },
    /// The message lacks a field, or has one too many or of the wrong shape; `detail` tells which.
    InvalidMessage { detail: String },
    /// The client speaks another version of the protocol; this is the server's.
    WrongProtocol { protocol: u32 },
    /// No game has this id.
    UnknownGame { game: GameId },
    /// The connection follows as many games as it may.
    TooManyGames { limit: usize },
    /// The client's messages come too fast; after so many milliseconds one more is taken.
    TooFast { retry_ms: u32 },
    /// Only its players may see this game.
    Private { game: GameId },
    /// The game cannot be read just now. Ask again.
    Unavailable { game: GameId },
    /// The lobby cannot be read just now. Ask again.
    LobbyUnavailable,
    /// The player is in as many pools as one may be.
    TooManyPools { limit: usize },
    /// No game of this pool can be begun just now. Who was in it stays there, and it is tried again.
    PoolUnavailable { pool: Pool },
}

/// A person as others see them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Player {
    pub id: PlayerId,
    pub name: PlayerName,
}

/// The seat that a room's maker wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum SeatChoice {
    First,
    Second,
    Random,
}

/// Who learns of a game from the server's lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Visibility {
    /// Everybody: it is in the lobby and in the lists.
    Public,
    /// Only who has its link.
    Link,
}

/// What has happened in a game, as its readers see it.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct Event {
    pub version: Version,
    /// The server's time, milliseconds since 1970.
    #[ts(type = "number")]
    pub at_ms: i64,
    #[serde(flatten)]
    pub what: Happening,
}

/// The kinds of [`Event`].
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Happening {
    Created {
        #[serde(with = "crate::ids::ruleset")]
        #[ts(type = "Ruleset")]
        ruleset: Ruleset,
        visibility: Visibility,
        creator: Player,
        seat: SeatChoice,
        terms: Terms,
        /// The text of the start position. Where the first card is not turned over yet, it has `0/0` in its
        /// place.
        start: String,
        /// SHA-256 in hex of the seed that fixes the cards, where a ruleset has cards (RULES 1.18).
        seed_hash: Option<String>,
    },
    /// Both seats are taken; the first turn begins.
    Started { seats: Seats },
    TurnPlayed {
        turn: u16,
        #[serde(with = "crate::ids::side")]
        #[ts(type = "Side")]
        side: Side,
        /// The card of the turn, where a ruleset has cards.
        card: Option<u8>,
        steps: Vec<Step>,
        /// Milliseconds that the turn is said to have taken: those since it began, less what was credited.
        #[ts(type = "number")]
        took_ms: i64,
        /// Both sides' time after it, where the game has a clock.
        time: Option<Times>,
    },
    /// A side offers something.
    Offered {
        what: OfferKind,
        #[serde(with = "crate::ids::side")]
        #[ts(type = "Side")]
        side: Side,
    },
    /// An offer was declined or, by the side that made it, taken back.
    Declined {
        what: OfferKind,
        #[serde(with = "crate::ids::side")]
        #[ts(type = "Side")]
        side: Side,
    },
    /// A side accepted a draw. `ended` follows.
    DrawAgreed {
        #[serde(with = "crate::ids::side")]
        #[ts(type = "Side")]
        side: Side,
    },
    /// The last turns are taken back, and the clocks are as they were before them.
    TurnsTakenBack {
        /// How many, 1 or 2.
        turns: u16,
        /// The side that accepted.
        #[serde(with = "crate::ids::side")]
        #[ts(type = "Side")]
        side: Side,
    },
    /// The server was away while this side's time ran, and gives it back.
    TimeCredited {
        #[serde(with = "crate::ids::side")]
        #[ts(type = "Side")]
        side: Side,
        #[ts(type = "number")]
        ms: i64,
    },
    Resigned {
        #[serde(with = "crate::ids::side")]
        #[ts(type = "Side")]
        side: Side,
    },
    /// A side's time is over. `ended` follows.
    Flagged {
        #[serde(with = "crate::ids::side")]
        #[ts(type = "Side")]
        side: Side,
    },
    /// A side claimed the end of a game that the other one has left. `ended` follows.
    Claimed {
        #[serde(with = "crate::ids::side")]
        #[ts(type = "Side")]
        side: Side,
    },
    /// The game ended without a result before both sides had made a turn: by a side, or by the time for first
    /// turns.
    Aborted {
        #[serde(with = "crate::ids::optional_side")]
        #[ts(type = "Side | null")]
        side: Option<Side>,
    },
    /// The players went on in another game. Comes after `ended`.
    RematchStarted {
        rematch: GameId,
        /// The side that accepted.
        #[serde(with = "crate::ids::side")]
        #[ts(type = "Side")]
        side: Side,
    },
    /// The room was closed by its maker before anyone joined.
    Cancelled,
    Ended {
        outcome: Outcome,
        /// The seed of the cards in hex, now for all to know, where a ruleset has cards (RULES 1.18).
        seed: Option<String>,
    },
}

/// How a game stands.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[serde(tag = "status", rename_all = "snake_case")]
pub enum Present {
    /// A room that waits for its second player.
    Open {
        version: Version,
        turn: Turn,
    },
    Playing {
        version: Version,
        turn: Turn,
        clock: Option<Clock>,
        /// Milliseconds, when this was sent, until the game aborts itself; null once both sides have made a turn.
        #[ts(type = "number | null")]
        first_turn_ms: Option<i64>,
        offers: Vec<StandingOffer>,
    },
    Finished {
        version: Version,
        turn: Turn,
        outcome: Outcome,
        /// The times that were left at the end.
        time: Option<Times>,
        /// Of a rematch.
        offers: Vec<StandingOffer>,
        /// The game that the players went on in.
        rematch: Option<GameId>,
    },
    /// Ended without a result before both sides had made a turn.
    Aborted {
        version: Version,
        turn: Turn,
    },
    Cancelled {
        version: Version,
        turn: Turn,
    },
}

/// What the maker of a room sets for the game, apart from the ruleset and the seats.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields, default)]
pub struct Terms {
    pub clock: ClockRule,
    pub watching: Watching,
    pub drafts: Drafts,
    /// How many turns behind the game its watchers are, 0 to 20.
    pub delay: Delay,
}

/// How time is measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum ClockRule {
    /// Not at all.
    #[default]
    None,
    /// Each side has a time for all its turns. What a side's first turn takes is free.
    RealTime(RealTime),
    /// Each turn has its own time.
    Correspondence {
        /// Days, 1 to 14.
        days: Days,
    },
}

/// A time for all turns of a side, and what each turn adds to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields, try_from = "RealTimeParts", into = "RealTimeParts")]
#[ts(as = "RealTimeParts")]
pub struct RealTime {
    base_s: u32,
    bonus_s: u32,
    bonus: Bonus,
}

/// As [`RealTime`] is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
#[ts(rename = "RealTime")]
pub struct RealTimeParts {
    /// Seconds to begin with, 0 to 10,800. Without any, a side begins with one bonus.
    pub base_s: u32,
    /// Seconds of the bonus, 0 to 180; not 0 too.
    pub bonus_s: u32,
    pub bonus: Bonus,
}

/// What the seconds of the bonus are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Bonus {
    /// Added after each turn.
    PerTurn,
    /// Added after each turn for every action of it, `end` aside.
    PerAction,
    /// The time that each turn has before the side's own begins to run.
    Delay,
    /// What a turn took is added after it, up to these seconds.
    Bronstein,
}

impl RealTime {
    /// Seconds of the longest time to begin with.
    pub const MAX_BASE_S: u32 = 180 * 60;
    /// Seconds of the longest bonus.
    pub const MAX_BONUS_S: u32 = 180;

    /// Seconds to begin with, 0 to 10,800.
    pub const fn base_s(self) -> u32 {
        self.base_s
    }

    /// Seconds of the bonus, 0 to 180; not 0 if there are none to begin with.
    pub const fn bonus_s(self) -> u32 {
        self.bonus_s
    }

    /// What those are for.
    pub const fn bonus(self) -> Bonus {
        self.bonus
    }
}

/// A time that no game can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected base_s of 0 to 10800 and bonus_s of 0 to 180, not both 0")]
pub struct InvalidTime;

impl TryFrom<RealTimeParts> for RealTime {
    type Error = InvalidTime;

    fn try_from(RealTimeParts { base_s, bonus_s, bonus }: RealTimeParts) -> Result<Self, InvalidTime> {
        let fits = base_s <= Self::MAX_BASE_S && bonus_s <= Self::MAX_BONUS_S && base_s + bonus_s > 0;
        if fits { Ok(Self { base_s, bonus_s, bonus }) } else { Err(InvalidTime) }
    }
}

impl From<RealTime> for RealTimeParts {
    fn from(RealTime { base_s, bonus_s, bonus }: RealTime) -> Self {
        Self { base_s, bonus_s, bonus }
    }
}

/// Who may see a game besides its players, now and later.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Watching {
    #[default]
    Everybody,
    Nobody,
}

/// Whether the other side and watchers see turns while they are made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Drafts {
    #[default]
    Shown,
    /// They see finished turns only.
    Hidden,
}

/// What one side may offer the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum OfferKind {
    /// Stands until the other side has played a turn.
    Draw,
    /// The offering side's last turn, and the turn after it if there is one, are to be taken back. Stands until a
    /// turn is played.
    Takeback,
    /// The same game with the sides changed. Stands as long as the game is in memory.
    Rematch,
}

/// An offer that waits for an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct StandingOffer {
    pub what: OfferKind,
    /// Who made it.
    #[serde(with = "crate::ids::side")]
    #[ts(type = "Side")]
    pub side: Side,
}

/// What may be claimed of a game that the other side has left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ClaimKind {
    Win,
    Draw,
}

/// A side is gone, and when the other may claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ClaimOffer {
    /// The side that is gone.
    #[serde(with = "crate::ids::side")]
    #[ts(type = "Side")]
    pub against: Side,
    /// Milliseconds, when this was sent, until it may be claimed; 0 if it may be now.
    #[ts(type = "number")]
    pub in_ms: i64,
}

/// The time that each side has left, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Times {
    #[ts(type = "number")]
    pub first_ms: i64,
    #[ts(type = "number")]
    pub second_ms: i64,
}

/// The clocks when they were sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Clock {
    #[serde(flatten)]
    pub left: Times,
    /// Whose time runs.
    #[serde(with = "crate::ids::optional_side")]
    #[ts(type = "Side | null")]
    pub running: Option<Side>,
    /// Milliseconds until it begins to.
    #[ts(type = "number")]
    pub free_ms: i64,
}

/// Something that was said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ChatLine {
    /// Lines sort by it.
    pub id: LineId,
    #[ts(type = "number")]
    pub at_ms: i64,
    /// The turn that those who read it saw under way.
    pub turn: u16,
    pub who: Player,
    pub text: ChatText,
}

/// The visitors who watch a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct WatcherCount {
    pub game: GameId,
    pub watchers: u32,
}

/// What two players who look for a game have to agree on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct Pool {
    #[serde(with = "crate::ids::ruleset")]
    #[ts(type = "Ruleset")]
    pub ruleset: Ruleset,
    pub clock: ClockRule,
}

/// The turn under way, or the last one if the game is over: all the numbers that a board shows.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct Turn {
    /// RULES 0.4.
    pub number: u16,
    #[serde(with = "crate::ids::side")]
    #[ts(type = "Side")]
    pub side: Side,
    /// The position's text.
    pub position: String,
    /// How many actions the turn has, where a ruleset counts them.
    pub allowance: Option<Allowance>,
    /// The cells that threaten each side's centre now, where a ruleset has a centre.
    pub threats: Option<Threats>,
    /// The men that each side can drop, where a ruleset has reserves (RULES 3.5).
    pub reserves: Option<Reserves>,
    /// How far each side is with its stackings, as long as these go on (RULES 2.3).
    pub set_up: Option<SetUps>,
    /// The piece to be made in place of one that was taken (RULES 2.8, 2.9).
    pub owed: Option<Owed>,
    /// How near the game is to a draw, where a ruleset counts it (RULES 2.13).
    pub quiet: Option<Quiet>,
    /// What is known of the cards, where a ruleset has cards (RULES 1.16).
    pub cards: Option<Cards>,
}

/// Men that may be dropped.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct Reserves {
    pub first: u8,
    pub second: u8,
}

/// What each side has made by its stackings.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct SetUps {
    pub first: SetUp,
    pub second: SetUp,
}

/// What a side has made by its stackings (RULES 2.3).
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct SetUp {
    /// Whether it has its king.
    pub king: bool,
    pub councillors: u8,
    /// Stackings that it still has to make.
    pub left: u8,
}

/// A piece to be made in this turn and in no later one.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct Owed {
    pub kind: OwedKind,
    /// Whether nothing else is legal; else it may be made beside all else.
    pub must: bool,
}

/// What is to be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum OwedKind {
    Councillor,
    King,
}

/// Turns without a capture or a making of a piece.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct Quiet {
    pub turns: u8,
    /// The number of turns at which the game is a draw.
    pub limit: u8,
}

/// What everybody may know of the cards.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct Cards {
    /// The card of the turn; null as long as it is not turned over.
    pub card: Option<u8>,
    pub first: Pack,
    pub second: Pack,
}

/// What is left of a side's pack; it is shuffled again when a card is needed and none is left.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct Pack {
    /// How many cards of each value, 1 to 6, were not seen to leave it.
    pub left: [u8; 6],
    /// How many of those went all the same, before the text that the game started from.
    pub unseen: u8,
}

/// How many actions a turn has, and why (RULES 1.6, 1.7).
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct Allowance {
    pub base: u8,
    /// `base` less `allowance`: the moves lost to attackers.
    pub lost: u8,
    /// The cells of those attackers when the turn began; shorter than `lost` only where the game began mid-turn.
    pub lost_to: Vec<String>,
    pub allowance: u8,
    pub used: u8,
    pub left: u8,
}

/// The cells whose pieces stand next to each centre and attack it.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct Threats {
    pub first: Vec<String>,
    pub second: Vec<String>,
}

/// One action of a turn with what is seen of it.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct Step {
    /// The action's text, as `b7-c7` or `end`.
    pub action: String,
    /// The text of the position after it.
    pub position: String,
    /// The cells that the piece travels over, its first and last cell included; empty for `end`.
    pub route: Vec<String>,
    /// Whether two pieces changed places.
    pub swap: bool,
    /// How many men went, where a ruleset has stacks of them.
    pub count: Option<u8>,
    /// What the stack that they came to lost; null if nothing.
    pub overflow: Option<Overflow>,
    /// The cells of the pieces that were captured, in the order of the jumps over them.
    pub taken: Vec<String>,
    /// The cells that threaten each side's centre after it, where a ruleset has a centre.
    pub threats: Option<Threats>,
}

/// The men that a stack loses from its bottom (RULES 3.6).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Overflow {
    /// The mover's men, which go to his reserve.
    pub reserved: u8,
    /// The other side's men, which are out of the game.
    pub captured: u8,
}

/// The unfinished turn of the side to move.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct Draft {
    pub steps: Vec<Step>,
    /// The turn with the draft's steps taken.
    pub turn: Turn,
    /// Whether `end` is legal now.
    pub may_end: bool,
    /// Whether the steps are a whole turn, ready to be confirmed.
    pub complete: bool,
}

/// An action that is legal now.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct LegalAction {
    /// What to send.
    pub text: String,
    pub kind: ActionKind,
    pub from: Option<String>,
    pub to: Option<String>,
    /// How many men go onto the stack there, where a ruleset has stacks of them.
    pub count: Option<u8>,
    /// What the stack there then loses; null if nothing.
    pub overflow: Option<Overflow>,
    /// What a capture takes on its way; null for everything else.
    pub capture: Option<Capture>,
}

/// A capture, jump by jump (RULES 2.6).
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct Capture {
    /// The first one starts where the piece stands, the last one ends where it goes.
    pub jumps: Vec<Jump>,
    /// Discs taken in all, the same for all legal captures.
    pub discs: u8,
}

/// One jump of a capture.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct Jump {
    /// The cell of the captured piece, which stays there, in the way, until the capture is done.
    pub over: String,
    /// The cell to land on.
    pub to: String,
}

/// An action that is not legal only because the side has done the same before (RULES 4.4).
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct Barred {
    pub text: String,
    /// Null for a drop.
    pub from: Option<String>,
    pub to: Option<String>,
    /// The turn in which the side did it.
    pub turn: u16,
}

/// What an action does, for a board to show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ActionKind {
    /// To an empty cell.
    Move,
    /// Two pieces change places.
    Swap,
    /// A man of the reserve goes onto a cell (RULES 3.5).
    Drop,
    /// A man of the side and one of the other side change cells before the play begins (RULES 3.3).
    Switch,
    /// A piece steps onto another of its side, and they become a higher one (RULES 2.3, 2.8, 2.9).
    Make,
    /// A piece takes pieces of the other side by jumps (RULES 2.5).
    Capture,
    /// Ends the turn early.
    End,
}

/// Who won, or nobody, and why (RULES 0.5).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Outcome {
    #[serde(with = "crate::ids::optional_side")]
    #[ts(type = "Side | null")]
    pub winner: Option<Side>,
    pub reason: Reason,
}

/// Why a game ended (RULES 0.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    Surround,
    King,
    Blocked,
    Repetition,
    Quiet,
    TurnLimit,
    Resign,
    Time,
    Agreement,
    Abandon,
}

/// The players of a game that has begun.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Seats {
    pub first: Player,
    pub second: Player,
}

/// A game as a list shows it.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct GameSummary {
    pub id: GameId,
    #[serde(with = "crate::ids::ruleset")]
    #[ts(type = "Ruleset")]
    pub ruleset: Ruleset,
    pub status: Status,
    pub visibility: Visibility,
    pub creator: Player,
    pub seat: SeatChoice,
    pub clock: ClockRule,
    pub watching: Watching,
    /// Whether it begins from another position than the ruleset's own.
    pub custom_start: bool,
    /// Null while the room is open.
    pub seats: Option<Seats>,
    pub version: Version,
    /// The turn under way, or the last one.
    pub turn: u16,
    #[serde(with = "crate::ids::side")]
    #[ts(type = "Side")]
    pub to_move: Side,
    pub outcome: Option<Outcome>,
    /// Milliseconds since 1970.
    #[ts(type = "number")]
    pub created_ms: i64,
    /// When its last event happened, milliseconds since 1970.
    #[ts(type = "number")]
    pub updated_ms: i64,
    /// When the turn under way must be there, milliseconds since 1970; null if it may take as long as it likes.
    #[ts(type = "number | null")]
    pub deadline_ms: Option<i64>,
}

/// Where a game is in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    Open,
    Playing,
    Finished,
    Aborted,
    Cancelled,
}

/// `POST /api/session` and `PATCH /api/session`: who the visitor is.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct Session {
    pub player: Player,
}

/// The body of `PATCH /api/session`.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct Rename {
    pub name: PlayerName,
}

/// The body of `POST /api/rooms`.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct NewRoom {
    #[serde(with = "crate::ids::ruleset")]
    #[ts(type = "Ruleset")]
    pub ruleset: Ruleset,
    pub seat: SeatChoice,
    pub visibility: Visibility,
    /// The text of a start position other than the ruleset's own (RULES 0.9).
    #[serde(default)]
    #[ts(optional)]
    pub start: Option<String>,
    #[serde(default)]
    #[ts(optional, as = "Option<Terms>")]
    pub terms: Terms,
}

/// `GET /api/games/{id}`: a game with all its events, enough to replay it.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct GameDocument {
    pub summary: GameSummary,
    pub events: Vec<Event>,
    pub present: Present,
}

/// `GET /api/blocks`: whom the visitor has blocked.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct Blocks {
    pub players: Vec<Player>,
}

/// The answer of `POST /api/records/check`: the game of a record that is true, as if it had been played here.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct Replay {
    pub events: Vec<Event>,
    pub present: Present,
}

/// A page of `GET /api/games` or `GET /api/rooms`, newest first.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct GamePage {
    pub games: Vec<GameSummary>,
    /// The `before` of the next page; null on the last one.
    pub next: Option<String>,
}

/// The body of every HTTP error, `application/problem+json`.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct Problem {
    /// The HTTP status.
    pub status: u16,
    /// What to branch on, as `unknown_game`.
    pub code: String,
    /// The kind of problem, in English.
    pub title: String,
    /// What was wrong and what would be right, in English.
    pub detail: String,
    /// The line of a record in text that was refused, from 1.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[ts(optional)]
    pub line: Option<u32>,
    /// The turn in a record that was refused.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[ts(optional)]
    pub turn: Option<u16>,
}

impl std::ops::Index<Side> for Seats {
    type Output = Player;

    fn index(&self, side: Side) -> &Player {
        match side {
            Side::First => &self.first,
            Side::Second => &self.second,
        }
    }
}
