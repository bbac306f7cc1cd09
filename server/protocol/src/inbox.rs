//! The inbox over HTTP.

use engine::Ruleset;
use game::{
    GameEnd, InboxEvent,
    ids::{GameId, NoticeId},
};
use serde::{Deserialize, Serialize};

use super::{ClockRule, Names, Player, Reason};

/// Page of `GET /api/v1/inbox`: the notices to the visitor, the newest first.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Inbox {
    pub notices: Vec<InboxNotice>,
    /// Number of all notices that the visitor has not seen.
    pub unseen: u32,
    /// Value of `before` for the next page; null on the last page.
    pub next: Option<NoticeId>,
}

/// Notice in an inbox. `game` is null if the game is deleted.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct InboxNotice {
    pub id: NoticeId,
    /// Milliseconds since 1970.
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub at_ms: i64,
    /// Whether the visitor has seen it.
    pub seen: bool,
    #[serde(flatten)]
    pub what: NoticeKind,
}

/// The content of a notice. Each kind has its own.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum NoticeKind {
    /// A slow game is over. Whoever ended it by a command is not told.
    GameOver {
        game: Option<GameId>,
        #[cfg_attr(feature = "ts", ts(type = "Ruleset"))]
        #[cfg_attr(feature = "openapi", schema(value_type = crate::schema::Ruleset))]
        ruleset: Ruleset,
        opponent: Player,
        result: NoticeResult,
        /// Null if the game was aborted.
        reason: Option<Reason>,
    },
    /// The opponent challenges the visitor.
    Challenged {
        game: Option<GameId>,
        #[cfg_attr(feature = "ts", ts(type = "Ruleset"))]
        #[cfg_attr(feature = "openapi", schema(value_type = crate::schema::Ruleset))]
        ruleset: Ruleset,
        opponent: Player,
        /// Null if the game is deleted.
        clock: Option<ClockRule>,
    },
    /// The opponent has accepted a challenge of the visitor.
    ChallengeAccepted {
        game: Option<GameId>,
        #[cfg_attr(feature = "ts", ts(type = "Ruleset"))]
        #[cfg_attr(feature = "openapi", schema(value_type = crate::schema::Ruleset))]
        ruleset: Ruleset,
        opponent: Player,
        /// Null if the game is deleted.
        clock: Option<ClockRule>,
    },
    /// The opponent has declined a challenge of the visitor.
    ChallengeDeclined {
        game: Option<GameId>,
        #[cfg_attr(feature = "ts", ts(type = "Ruleset"))]
        #[cfg_attr(feature = "openapi", schema(value_type = crate::schema::Ruleset))]
        ruleset: Ruleset,
        opponent: Player,
        /// Null if the game is deleted.
        clock: Option<ClockRule>,
    },
    /// The opponent has answered a challenge of the visitor with this one, by other terms.
    ChallengeCountered {
        game: Option<GameId>,
        #[cfg_attr(feature = "ts", ts(type = "Ruleset"))]
        #[cfg_attr(feature = "openapi", schema(value_type = crate::schema::Ruleset))]
        ruleset: Ruleset,
        opponent: Player,
        /// Null if the game is deleted.
        clock: Option<ClockRule>,
    },
    /// The opponent wanted the game that the visitor sought, and it has begun.
    SeekAccepted {
        game: Option<GameId>,
        #[cfg_attr(feature = "ts", ts(type = "Ruleset"))]
        #[cfg_attr(feature = "openapi", schema(value_type = crate::schema::Ruleset))]
        ruleset: Ruleset,
        opponent: Player,
        /// Null if the game is deleted.
        clock: Option<ClockRule>,
    },
    /// A day of vacation was used, since the visitor's time in a game ran out.
    VacationUsed {
        /// Milliseconds since 1970.
        #[cfg_attr(feature = "ts", ts(type = "number"))]
        from_ms: i64,
        /// The end, milliseconds since 1970.
        #[cfg_attr(feature = "ts", ts(type = "number"))]
        until_ms: i64,
    },
    /// Something changed by which the account is proved or recovered.
    Security { what: SecurityEvent },
    /// Moderators have answered a report of the visitor, about a player in this game.
    ReportAnswered { game: Option<GameId> },
}

/// End of a game for one of its players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum NoticeResult {
    Won,
    Lost,
    Draw,
    /// The game ended without a result before both sides had made a turn.
    Aborted,
}

/// Change of what proves or recovers an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum SecurityEvent {
    PasskeyAdded,
    PasskeyRemoved,
    PasswordSet,
    /// The account has another mail address.
    MailSet,
    MailRemoved,
    /// The recovery code gave the account a new password.
    RecoveredByCode,
    /// A link gave the account a new password.
    RecoveredByLink,
}

impl NoticeKind {
    /// Returns a notice for its reader. `game` is the game that it is about with its clock, if that is not deleted.
    pub fn of(event: InboxEvent, game: Option<(GameId, ClockRule)>, names: &impl Names) -> Self {
        let (game, clock) = game.unzip();
        let parts = |about: game::SlowGame| (about.ruleset, names.player(about.other));
        match event {
            InboxEvent::GameOver { game: about, end } => {
                let (ruleset, opponent) = parts(about);
                let (result, reason) = match end {
                    GameEnd::Won(reason) => (NoticeResult::Won, Some(reason.into())),
                    GameEnd::Lost(reason) => (NoticeResult::Lost, Some(reason.into())),
                    GameEnd::Drawn(reason) => (NoticeResult::Draw, Some(reason.into())),
                    GameEnd::Aborted => (NoticeResult::Aborted, None),
                };
                Self::GameOver { game, ruleset, opponent, result, reason }
            }
            InboxEvent::Challenged(about) => {
                let (ruleset, opponent) = parts(about);
                Self::Challenged { game, ruleset, opponent, clock }
            }
            InboxEvent::ChallengeAccepted(about) => {
                let (ruleset, opponent) = parts(about);
                Self::ChallengeAccepted { game, ruleset, opponent, clock }
            }
            InboxEvent::ChallengeDeclined(about) => {
                let (ruleset, opponent) = parts(about);
                Self::ChallengeDeclined { game, ruleset, opponent, clock }
            }
            InboxEvent::ChallengeCountered(about) => {
                let (ruleset, opponent) = parts(about);
                Self::ChallengeCountered { game, ruleset, opponent, clock }
            }
            InboxEvent::SeekAccepted(about) => {
                let (ruleset, opponent) = parts(about);
                Self::SeekAccepted { game, ruleset, opponent, clock }
            }
            InboxEvent::VacationUsed { from_ms, to_ms } => Self::VacationUsed { from_ms, until_ms: to_ms },
            InboxEvent::Security { what, .. } => Self::Security { what: what.into() },
            InboxEvent::ReportAnswered { .. } => Self::ReportAnswered { game },
        }
    }
}

impl From<game::SecurityEvent> for SecurityEvent {
    fn from(event: game::SecurityEvent) -> Self {
        match event {
            game::SecurityEvent::PasskeyAdded => Self::PasskeyAdded,
            game::SecurityEvent::PasskeyRemoved => Self::PasskeyRemoved,
            game::SecurityEvent::PasswordSet => Self::PasswordSet,
            game::SecurityEvent::MailSet => Self::MailSet,
            game::SecurityEvent::MailRemoved => Self::MailRemoved,
            game::SecurityEvent::RecoveredByCode => Self::RecoveredByCode,
            game::SecurityEvent::RecoveredByLink => Self::RecoveredByLink,
        }
    }
}

/// Body of `POST /api/v1/inbox/seen`: the visitor has seen the notices up to this one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct SeenNotices {
    pub up_to: NoticeId,
}
