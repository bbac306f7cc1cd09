//! Rows of reports, roles, and the acts of moderators.

use game::{
    Role,
    ids::{ActId, GameId, PlayerId, ReportId},
};
use uuid::Uuid;

use super::{from_word, invalid, word};
use crate::{Act, ActKind, Report};

row! {
    /// A row of `role`.
    RoleRow {
        player: Uuid,
        role: String,
    }
}

impl TryFrom<RoleRow> for (PlayerId, Role) {
    type Error = sqlx::Error;

    fn try_from(row: RoleRow) -> Result<Self, sqlx::Error> {
        Ok((PlayerId::new(row.player), from_word(&row.role)?))
    }
}

row! {
    /// A row of `report`.
    ReportRow {
        id: Uuid,
        at_ms: i64,
        by: Uuid,
        target: Uuid,
        kind: String,
        game: Uuid,
        name: String,
        body: Option<String>,
        lines: String,
        settled_ms: Option<i64>,
    }
}

impl TryFrom<ReportRow> for Report {
    type Error = sqlx::Error;

    fn try_from(row: ReportRow) -> Result<Self, sqlx::Error> {
        Ok(Self {
            id: ReportId::new(row.id),
            at_ms: row.at_ms,
            by: PlayerId::new(row.by),
            target: PlayerId::new(row.target),
            kind: from_word(&row.kind)?,
            game: GameId::new(row.game),
            name: row.name.try_into().map_err(invalid)?,
            text: row.body.map(TryInto::try_into).transpose().map_err(invalid)?,
            lines: serde_json::from_str(&row.lines).map_err(invalid)?,
            settled_ms: row.settled_ms,
        })
    }
}

row! {
    /// A row of `audit`.
    ActRow {
        id: Uuid,
        at_ms: i64,
        by: Option<Uuid>,
        target: Uuid,
        kind: String,
        body: Option<String>,
    }
}

impl TryFrom<ActRow> for Act {
    type Error = sqlx::Error;

    fn try_from(row: ActRow) -> Result<Self, sqlx::Error> {
        let what = match (row.kind.as_str(), row.body) {
            ("muted", Some(until_ms)) => ActKind::Muted { until_ms: until_ms.parse().map_err(invalid)? },
            ("unmuted", None) => ActKind::Unmuted,
            ("name_hidden", Some(name)) => ActKind::NameHidden(name.try_into().map_err(invalid)?),
            ("closed", None) => ActKind::Closed,
            ("reopened", None) => ActKind::Reopened,
            ("dismissed", None) => ActKind::Dismissed,
            ("role", Some(role)) => ActKind::RoleGiven(from_word(&role)?),
            ("role", None) => ActKind::RoleTaken,
            (other, _) => return Err(invalid(format_args!("{other:?} is not an act"))),
        };
        let (by, target) = (row.by.map(PlayerId::new), PlayerId::new(row.target));
        Ok(Self { id: ActId::new(row.id), at_ms: row.at_ms, by, target, what })
    }
}

/// Returns the word and the body of what an act does.
pub(crate) fn what(what: &ActKind) -> (&'static str, Option<String>) {
    match what {
        ActKind::Muted { until_ms } => ("muted", Some(until_ms.to_string())),
        ActKind::Unmuted => ("unmuted", None),
        ActKind::NameHidden(name) => ("name_hidden", Some(name.as_str().to_owned())),
        ActKind::Closed => ("closed", None),
        ActKind::Reopened => ("reopened", None),
        ActKind::Dismissed => ("dismissed", None),
        ActKind::RoleGiven(role) => ("role", Some(word(*role))),
        ActKind::RoleTaken => ("role", None),
    }
}
