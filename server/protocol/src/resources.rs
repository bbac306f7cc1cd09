//! Bodies of the HTTP resources, except lists and errors.

use engine::Ruleset;
use game::ids::{ActionText, BotLevel, GameId, NewName, PlayerId};
use serde::{Deserialize, Serialize};

use super::{
    Barred, CellName, CompactEvent, Draft, Event, GameSummary, LegalAction, Outcome, Player, Role,
    SeatChoice, Snapshot, Terms, Visibility,
};

/// Response to `POST /api/v1/session` and `PATCH /api/v1/session`: the player of the session.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Session {
    pub player: Player,
    /// Whether the server sends mail, so that an account may have an address.
    pub mail: bool,
    /// Number of notices in the inbox that the player has not seen.
    pub unseen: u32,
    /// The player's role in moderation; absent for most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    #[cfg_attr(feature = "openapi", schema(value_type = Role))]
    pub role: Option<Role>,
}

/// Body of `PATCH /api/v1/session`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Rename {
    pub name: NewName,
}

/// Body of `POST /api/v1/rooms`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct NewRoom {
    #[cfg_attr(feature = "ts", ts(type = "Ruleset"))]
    #[cfg_attr(feature = "openapi", schema(value_type = crate::schema::Ruleset))]
    pub ruleset: Ruleset,
    pub seat: SeatChoice,
    /// A challenge is always by link.
    pub visibility: Visibility,
    /// Id of the only player who may join, who gets the room as a challenge; by default anybody may.
    #[serde(default, rename = "for")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub challenged: Option<PlayerId>,
    /// Id of a challenge to the visitor, which this one to its maker answers by other terms and so closes.
    #[serde(default)]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub answers: Option<GameId>,
    /// Text of a start position other than the ruleset's own (RULES 0.9).
    #[serde(default)]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub start: Option<String>,
    /// By default no clock, spectators admitted, drafts shown, and no delay.
    #[serde(default)]
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<Terms>"))]
    pub terms: Terms,
}

/// Body of `POST /api/v1/tables`: a game of two people at one screen.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct NewTable {
    #[cfg_attr(feature = "ts", ts(type = "Ruleset"))]
    #[cfg_attr(feature = "openapi", schema(value_type = crate::schema::Ruleset))]
    pub ruleset: Ruleset,
    /// Text of a start position other than the ruleset's own (RULES 0.9).
    #[serde(default)]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub start: Option<String>,
}

/// The conditional turns of a player in a game: what is played at once if the other side's turn leads to one of these
/// positions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct ConditionalTurns {
    /// At most 64. Of two with the same position the first one counts.
    pub turns: Vec<ConditionalTurn>,
}

impl ConditionalTurns {
    /// Maximum number of turns.
    pub const MAX: usize = 64;
}

/// A turn that is played at once in a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct ConditionalTurn {
    /// Text of the position, in which the player is to move.
    pub position: String,
    /// The whole turn.
    pub actions: Vec<ActionText>,
}

/// Body of `POST /api/v1/rooms/{id}/bot`: a bot takes the free seat.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct InvitedBot {
    pub level: BotLevel,
}

/// Response to `GET /api/v1/games/{id}`: a game with all events that the reader may see.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct GameDocument {
    pub summary: GameSummary,
    pub events: Vec<Event>,
    #[serde(rename = "present")]
    pub snapshot: Snapshot,
}

/// Response to `GET /api/v1/games/{id}/events`: a game with all events that the reader may see, as the socket sends them.
/// A client with an engine computes the document from it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct GameEvents {
    /// The events from version 1 on.
    pub events: Vec<CompactEvent>,
    #[serde(rename = "present")]
    pub snapshot: Snapshot,
}

/// Response to `GET /api/v1/blocks`: the players that the caller has blocked.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Blocks {
    pub players: Vec<Player>,
}

/// Position after some actions of a turn, with the fields of `options`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Trial {
    pub draft: Draft,
    /// Actions that may follow; empty if the turn is complete.
    pub actions: Vec<LegalAction>,
    /// Groups that the pieces of the side to move belong to, each a list of cells (RULES 1.11).
    pub groups: Vec<Vec<CellName>>,
    /// Actions that only ko forbids (RULES 4.4).
    pub barred: Vec<Barred>,
    /// Number of discs that each legal capture takes (RULES 2.7); null if nothing must be captured.
    pub best_capture: Option<u8>,
    /// Outcome after the actions; null while the game is not over.
    pub outcome: Option<Outcome>,
    /// Text of the position after the actions.
    pub position: String,
}

/// Response to `POST` and `GET /api/v1/games/{id}/review` while the review is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ReviewProgress {
    /// Number of turns that are reviewed.
    pub done: u32,
    /// Number of turns to be reviewed; 0 while the game is being read.
    pub of: u32,
}

/// Response to `POST` and `GET /api/v1/games/{id}/review`: the review of a finished game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Review {
    /// The turns of the game's record in their order, at most the first 300.
    pub turns: Vec<ReviewedTurn>,
}

/// A turn of a [`Review`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ReviewedTurn {
    /// The chance of the first side to win after the turn, 0 to 1. A draw counts as half a win.
    pub score: f32,
    /// A turn that the search clearly prefers; null if it finds none.
    pub better: Option<BetterTurn>,
}

/// A turn that is better than the one played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct BetterTurn {
    /// The texts of its actions.
    pub actions: Vec<String>,
    /// The chance of the first side to win after it, 0 to 1.
    pub score: f32,
}

/// Response to `POST /api/v1/records/check`: the game of a valid record, as if it had been played on this server. The
/// `at_ms` of its events count from 0, by the recorded times of the turns.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Replay {
    pub events: Vec<Event>,
    #[serde(rename = "present")]
    pub snapshot: Snapshot,
}
