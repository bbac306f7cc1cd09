//! Reports of players about others, the acts of moderators on players, and the roles of moderators.

use std::{collections::BTreeSet, fmt, str::FromStr};

use async_trait::async_trait;
use game::{
    InboxEvent, ReportKind, Role,
    ids::{ActId, ChatText, GameId, PlayerId, PlayerName, ReportId, ReportText, SessionId},
};
use serde::{Deserialize, Serialize};

use crate::{Audience, NewNotice, Refused, StoreError};

/// Maximum number of reports of an account in a day.
pub const REPORTS_A_DAY: u32 = 20;

/// The time for which [`REPORTS_A_DAY`] counts, in milliseconds.
pub const REPORTS_COUNT_MS: i64 = 24 * 60 * 60 * 1_000;

/// Maximum number of lines of a chat that a report has.
pub const REPORTED_LINES: u32 = 20;

/// Maximum number of acts of one moderator in an hour. Dismissals of reports do not count.
pub const ACTS_AN_HOUR: u32 = 30;

/// The time for which [`ACTS_AN_HOUR`] counts, in milliseconds.
pub const ACTS_COUNT_MS: i64 = 60 * 60 * 1_000;

/// Time for which a player keeps the neutral name that came for a hidden one, in milliseconds.
pub const NEUTRAL_NAME_KEPT_MS: i64 = 7 * 24 * 60 * 60 * 1_000;

/// Time for which a settled report is kept, in milliseconds.
pub const SETTLED_KEPT_MS: i64 = 90 * 24 * 60 * 60 * 1_000;

/// A change in the tables of moderation.
#[derive(Clone, Debug)]
pub enum ModerationChange {
    /// An account reports a player. While a report about the same matter is open, nothing changes.
    Reported(NewReport),
    /// A session of a moderator acts on a player. The reports that the act answers are settled.
    Acted(NewAct),
    /// The command line gives an account a role, or takes it. It is an act too, with this id.
    RoleSet { id: ActId, player: PlayerId, role: Option<Role>, at_ms: i64 },
}

impl ModerationChange {
    /// The players whose rows are locked for the change.
    pub(super) fn players(&self) -> Vec<PlayerId> {
        match self {
            Self::Reported(NewReport { by, target, .. }) | Self::Acted(NewAct { by, target, .. }) => {
                vec![*by, *target]
            }
            Self::RoleSet { player, .. } => vec![*player],
        }
    }
}

/// A report to be made.
#[derive(Clone, Debug)]
pub struct NewReport {
    pub id: ReportId,
    pub by: PlayerId,
    pub target: PlayerId,
    pub kind: ReportKind,
    pub game: GameId,
    /// The chat whose lines by the target are copied into the report, if it is about them.
    pub chat: Option<ReportedChat>,
    pub text: Option<ReportText>,
    /// Milliseconds since 1970.
    pub at_ms: i64,
}

/// The part of a game's chat that a reporter reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReportedChat {
    pub audience: Audience,
    /// Lines of this time and earlier are of players who have left, in milliseconds since 1970.
    pub after_ms: Option<i64>,
}

/// A line that the target of a report had said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReportedLine {
    /// Milliseconds since 1970.
    pub at_ms: i64,
    pub text: ChatText,
}

/// A report as moderators see it. Times are milliseconds since 1970.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    pub id: ReportId,
    pub at_ms: i64,
    pub by: PlayerId,
    pub target: PlayerId,
    pub kind: ReportKind,
    pub game: GameId,
    /// The name that the target had when the report was made.
    pub name: PlayerName,
    pub text: Option<ReportText>,
    /// The last lines of the target in the chat, the oldest first; none unless the report is about them.
    pub lines: Vec<ReportedLine>,
    /// When a moderator answered it; `None` while it is open.
    pub settled_ms: Option<i64>,
}

/// An act to be done.
#[derive(Clone, Debug)]
pub struct NewAct {
    pub id: ActId,
    pub by: PlayerId,
    /// The session of the moderator.
    pub session: SessionId,
    pub target: PlayerId,
    pub decision: Decision,
    /// Milliseconds since 1970.
    pub at_ms: i64,
}

/// Decision of a moderator about a player.
#[derive(Clone, Debug)]
pub enum Decision {
    /// The player's chat lines are refused until a time, in milliseconds since 1970. A mute that ends later stays.
    Mute {
        until_ms: i64,
    },
    Unmute,
    /// Nobody gets this name of the player. If it is the present one, the player gets the neutral one.
    HideName {
        name: PlayerName,
        neutral: PlayerName,
    },
    /// The account is closed, and its owner cannot open it again.
    Close,
    /// Undoes [`Close`](Self::Close), until the account is erased.
    Reopen,
    /// A report is answered by nothing else.
    Dismiss(ReportId),
    /// Nor are all open reports about the player.
    DismissAll,
}

/// The reports about a player that an act settles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Settles {
    Nothing,
    Kind(ReportKind),
    Everything,
}

impl Decision {
    /// Whether the decision counts for [`ACTS_AN_HOUR`].
    pub(super) const fn is_limited(&self) -> bool {
        !matches!(self, Self::Dismiss(_) | Self::DismissAll)
    }

    pub(super) const fn settles(&self) -> Settles {
        match self {
            Self::Mute { .. } => Settles::Kind(ReportKind::Chat),
            Self::HideName { .. } => Settles::Kind(ReportKind::Name),
            Self::Close => Settles::Everything,
            Self::Unmute | Self::Reopen | Self::Dismiss(_) | Self::DismissAll => Settles::Nothing,
        }
    }
}

/// Decides whether a player with a role may act on another.
pub(super) fn may_act(
    (by, role): (PlayerId, Option<Role>),
    (target, role_of_target): (PlayerId, Option<Role>),
) -> Result<(), Refused> {
    match (role, role_of_target) {
        (None, _) => Err(Refused::NotModerator),
        (Some(_), _) if by == target => Err(Refused::OnOneself),
        (Some(Role::Moderator), Some(_)) => Err(Refused::OnModerator),
        (Some(_), _) => Ok(()),
    }
}

/// What the author of a report is told once moderators have answered it.
pub(super) fn answered(report: ReportId, by: PlayerId, game: GameId, at_ms: i64) -> NewNotice {
    NewNotice { player: by, event: InboxEvent::ReportAnswered { report, game }, at_ms }
}

/// The names of a player that look like one that is hidden.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Hidden {
    /// Their keys.
    pub(super) keys: BTreeSet<String>,
    /// Whether the present name is one of them.
    pub(super) is_present: bool,
    /// The former names that are left.
    pub(super) former_names: Vec<PlayerName>,
}

/// Finds the names of a player that look like one that is to be hidden. `None` if there are none.
pub(super) fn hidden(name: &PlayerName, present: &PlayerName, former_names: &[PlayerName]) -> Option<Hidden> {
    let mut keys = BTreeSet::from_iter(name.keys());
    let mut own = vec![present];
    own.extend(former_names);
    let mut found = BTreeSet::new();
    // A name may look like another one that looks like this.
    loop {
        let n_found = found.len();
        for (index, name) in own.iter().enumerate() {
            let of_name = name.keys();
            if of_name.iter().any(|key| keys.contains(key)) {
                keys.extend(of_name);
                found.insert(index);
            }
        }
        if found.len() == n_found {
            break;
        }
    }
    let left = own.iter().enumerate().skip(1).filter(|(index, _)| !found.contains(index));
    let former_names = left.map(|(_, name)| (*name).clone()).collect();
    let keys = found.iter().flat_map(|index| own[*index].keys()).collect();
    (!found.is_empty()).then(|| Hidden { keys, is_present: found.contains(&0), former_names })
}

/// An act that was done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Act {
    pub id: ActId,
    /// Milliseconds since 1970.
    pub at_ms: i64,
    /// `None` of the command line, and of a moderator who is gone.
    pub by: Option<PlayerId>,
    pub target: PlayerId,
    pub what: ActKind,
}

/// Effect of an act on a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ActKind {
    Muted {
        until_ms: i64,
    },
    Unmuted,
    /// This name of the player was hidden.
    NameHidden(PlayerName),
    Closed,
    Reopened,
    Dismissed,
    RoleGiven(Role),
    RoleTaken,
}

/// Place in the list of reports: open ones from the oldest on, then settled ones from the newest on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReportCursor {
    /// Behind this open report.
    Open(ReportId),
    /// Behind this settled report.
    Settled(ReportId),
}

impl ReportCursor {
    /// The place behind a report.
    pub const fn behind(report: &Report) -> Self {
        match report.settled_ms {
            None => Self::Open(report.id),
            Some(_) => Self::Settled(report.id),
        }
    }
}

impl fmt::Display for ReportCursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Open(id) => write!(f, "open.{id}"),
            Self::Settled(id) => write!(f, "settled.{id}"),
        }
    }
}

impl FromStr for ReportCursor {
    type Err = crate::InvalidCursor;

    fn from_str(text: &str) -> Result<Self, crate::InvalidCursor> {
        let place = |(list, id): (&str, &str)| {
            let id = id.parse().ok()?;
            match list {
                "open" => Some(Self::Open(id)),
                "settled" => Some(Self::Settled(id)),
                _ => None,
            }
        };
        text.split_once('.').and_then(place).ok_or(crate::InvalidCursor)
    }
}

/// The tables of moderation, for their readers.
#[async_trait]
pub trait Moderation: Send + Sync + 'static {
    /// Reads the role of a player in moderation.
    async fn role(&self, player: PlayerId) -> Result<Option<Role>, StoreError>;

    /// Reads the players who are muted at a time, each with the end of the mute, in milliseconds since 1970.
    async fn muted(&self, now_ms: i64) -> Result<Vec<(PlayerId, i64)>, StoreError>;

    /// Reads the next reports behind a place that are not about the reader; the first ones without a place.
    async fn reports(
        &self,
        reader: PlayerId,
        after: Option<ReportCursor>,
        limit: u32,
    ) -> Result<Vec<Report>, StoreError>;

    async fn report(&self, id: ReportId) -> Result<Option<Report>, StoreError>;

    /// Reads the acts before this one, the last one first; the last ones of all without one.
    async fn acts(&self, before: Option<ActId>, limit: u32) -> Result<Vec<Act>, StoreError>;

    /// Reads the acts on a player before this one, the last one first; the last ones of all without one. A report that was
    /// dismissed is none.
    async fn acts_on(
        &self,
        player: PlayerId,
        before: Option<ActId>,
        limit: u32,
    ) -> Result<Vec<Act>, StoreError>;

    /// Reads the acts of a moderator before this one, the last one first; the last ones of all without one.
    async fn acts_by(
        &self,
        moderator: PlayerId,
        before: Option<ActId>,
        limit: u32,
    ) -> Result<Vec<Act>, StoreError>;

    /// Reads the reports by a player after this one, the first made one first; the first ones without one.
    async fn reports_by(
        &self,
        player: PlayerId,
        after: Option<ReportId>,
        limit: u32,
    ) -> Result<Vec<Report>, StoreError>;
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn a_cursor_is_read_as_it_is_written() {
        let id = ReportId::new(Uuid::from_u128(7));
        for cursor in [ReportCursor::Open(id), ReportCursor::Settled(id)] {
            assert_eq!(cursor.to_string().parse(), Ok(cursor));
        }
        for text in ["", "open", "open.", "open.7", "other.00000000-0000-0000-0000-000000000007"] {
            assert!(text.parse::<ReportCursor>().is_err(), "{text}");
        }
    }

    #[test]
    fn former_names_that_look_like_a_hidden_one_are_hidden_too() {
        let name = |text: &str| PlayerName::try_from(text.to_owned()).unwrap();
        let former_names = [name("ADA"), name("Blaise")];
        let of_ada = hidden(&name("Ada"), &name("ada"), &former_names).unwrap();
        assert_eq!((of_ada.is_present, &of_ada.former_names), (true, &vec![name("Blaise")]));
        assert!(name("ADA").keys().iter().all(|key| of_ada.keys.contains(key)));
        assert!(name("Blaise").keys().iter().all(|key| !of_ada.keys.contains(key)));
        let of_blaise = hidden(&name("BLAISE"), &name("ada"), &former_names).unwrap();
        assert_eq!((of_blaise.is_present, &of_blaise.former_names), (false, &vec![name("ADA")]));
        assert_eq!(hidden(&name("Cleo"), &name("ada"), &former_names), None, "a name of somebody else");
    }
}
