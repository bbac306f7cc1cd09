//! The bodies of the other HTTP resources.

use engine::Ruleset;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{
    Barred, Draft, Event, GameSummary, LegalAction, Outcome, Player, SeatChoice, Snapshot, Terms, Visibility,
    WrittenEvent,
};
use crate::ids::{CellName, NewName};

/// `POST /api/session` and `PATCH /api/session`: who the visitor is.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct Session {
    pub player: Player,
}

/// The body of `PATCH /api/session`.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct Rename {
    pub name: NewName,
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

/// The body of `POST /api/tables`: a game of two people at one screen.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct NewTable {
    #[serde(with = "crate::ids::ruleset")]
    #[ts(type = "Ruleset")]
    pub ruleset: Ruleset,
    /// The text of a start position other than the ruleset's own (RULES 0.9).
    #[serde(default)]
    #[ts(optional)]
    pub start: Option<String>,
}

/// `GET /api/games/{id}`: a game with all its events, enough to replay it.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct GameDocument {
    pub summary: GameSummary,
    pub events: Vec<WrittenEvent>,
    #[serde(rename = "present")]
    pub snapshot: Snapshot,
}

/// `GET /api/blocks`: whom the visitor has blocked.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct Blocks {
    pub players: Vec<Player>,
}

/// `GET /api/try`: the try-board after some actions, as `options` tells it, and how the game ended by them.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct Trial {
    pub draft: Draft,
    /// The actions that may follow; none once the turn is complete.
    pub actions: Vec<LegalAction>,
    /// The groups that the movable pieces belong to, each a list of cells (RULES 1.11).
    pub groups: Vec<Vec<CellName>>,
    pub barred: Vec<Barred>,
    pub best_capture: Option<u8>,
    /// Null while the game goes on.
    pub outcome: Option<Outcome>,
    /// The text of the position after the actions.
    pub position: String,
}

/// The answer of `POST /api/records/check`: the game of a record that is true, as if it had been played here.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct Replay {
    pub events: Vec<Event>,
    #[serde(rename = "present")]
    pub snapshot: Snapshot,
}
