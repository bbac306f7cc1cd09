//! Bodies of the HTTP resources of reports, and of the acts of moderators.

use game::ids::{
    ActId, ChatText, GameId, MuteHours, NewReportText, PlayerId, PlayerName, ReportId, ReportText,
};
use serde::{Deserialize, Serialize};

use super::Player;

/// Role of an account in moderation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Judges reports, and acts on players without a role.
    Moderator,
    /// A moderator who also acts on moderators, and reads all acts.
    Admin,
}

/// Subject of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum ReportKind {
    /// Lines in the chat of the game.
    Chat,
    /// The name of the player.
    Name,
    /// Unfair play, or none.
    Play,
}

/// Body of `POST /api/v1/reports`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct NewReport {
    /// A player of the game, its maker, or somebody with a line in the chat that the visitor reads.
    pub player: PlayerId,
    pub kind: ReportKind,
    pub game: GameId,
    /// An explanation for the moderators.
    #[serde(default)]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub text: Option<NewReportText>,
}

/// Response to `GET /api/v1/moderation/reports`: open reports from the oldest on, then settled ones from the newest on; none about
/// the visitor.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Reports {
    pub reports: Vec<Report>,
    /// Value of `after` for the next page; null on the last page.
    pub next: Option<String>,
}

/// A report as its author sees it.
#[derive(Clone, Debug, Serialize)]
pub struct OwnReport {
    pub id: ReportId,
    /// Milliseconds since 1970.
    pub at_ms: i64,
    pub kind: ReportKind,
    /// The player whom it is about.
    pub player: Player,
    pub game: GameId,
    pub text: Option<ReportText>,
    /// When a moderator answered it, milliseconds since 1970.
    pub settled_ms: Option<i64>,
}

/// A report as moderators see it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Report {
    pub id: ReportId,
    /// Milliseconds since 1970.
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub at_ms: i64,
    pub kind: ReportKind,
    pub by: Player,
    /// The player whom it is about.
    pub player: Player,
    /// The name that the player had when the report was made.
    pub name: PlayerName,
    pub game: GameId,
    /// Null if nothing was written.
    pub text: Option<ReportText>,
    /// Of a report about chat, the last lines of the player that its author had read, at most 20, the oldest first.
    pub lines: Vec<ReportedLine>,
    /// Until when the player's chat lines are refused, milliseconds since 1970; null if they are not.
    #[cfg_attr(feature = "ts", ts(type = "number | null"))]
    pub muted_until_ms: Option<i64>,
    /// When a moderator answered it, milliseconds since 1970; null while it is open.
    #[cfg_attr(feature = "ts", ts(type = "number | null"))]
    pub settled_ms: Option<i64>,
}

/// Line of a chat, as it was when it was reported.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ReportedLine {
    /// Milliseconds since 1970.
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub at_ms: i64,
    pub text: ChatText,
}

/// Body of `POST /api/v1/moderation/acts`: a decision of a moderator, by its kind.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum NewAct {
    /// The player's chat lines are refused for some hours; a mute that ends later stays. Open reports about chats of the player are settled.
    Mute {
        player: PlayerId,
        hours: MuteHours,
    },
    Unmute {
        player: PlayerId,
    },
    /// Nobody gets this name of the player any more. If it is the present one, the player gets a neutral one. Open reports about
    /// the player's name are settled.
    HideName {
        player: PlayerId,
        /// The name that was reported: the present or a former one.
        name: PlayerName,
    },
    /// The account is closed, and its owner cannot open it. All open reports about the player are settled.
    Close {
        player: PlayerId,
    },
    /// An account that a moderator has closed can be used again, until it is erased.
    Reopen {
        player: PlayerId,
    },
    /// A report needs no other answer.
    Dismiss {
        report: ReportId,
    },
    /// No open report about the player needs another answer.
    DismissAll {
        player: PlayerId,
    },
}

/// Effect of an act on a player, by its kind.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ActKind {
    Muted {
        /// Milliseconds since 1970.
        #[cfg_attr(feature = "ts", ts(type = "number"))]
        until_ms: i64,
    },
    Unmuted,
    NameHidden {
        /// The hidden name.
        name: PlayerName,
    },
    Closed,
    Reopened,
    /// One report or more about the player were dismissed.
    Dismissed,
    RoleGiven {
        role: Role,
    },
    RoleTaken,
}

/// Response to `GET /api/v1/moderation/audit`: all acts, the last one first.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Audit {
    pub acts: Vec<Act>,
    /// Value of `before` for the next page; null on the last page.
    pub next: Option<ActId>,
}

/// An act of a moderator, or of `towers role`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Act {
    pub id: ActId,
    /// Milliseconds since 1970.
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub at_ms: i64,
    /// Null of the command line, and of a moderator who is gone.
    pub by: Option<Player>,
    pub player: Player,
    #[serde(flatten)]
    pub what: ActKind,
}

/// Response to `GET /api/v1/account/acts`: what moderators have done to the visitor, the last act first, at most 50.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct OwnActs {
    pub acts: Vec<OwnAct>,
}

/// An act on the visitor.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct OwnAct {
    pub id: ActId,
    /// Milliseconds since 1970.
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub at_ms: i64,
    #[serde(flatten)]
    pub what: ActKind,
}
