//! Vacations over HTTP.

use game::ids::VacationDays;
use serde::{Deserialize, Serialize};

/// Answer to requests of `/api/v1/vacation`: the visitor's vacation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Vacation {
    /// Whole days that are left, 0 to 30.
    pub days_left: u8,
    /// Whether a day is used when the visitor's time in a game runs out.
    pub automatic: bool,
    /// The vacation under way; null if there is none.
    pub present: Option<VacationPeriod>,
}

/// Vacation of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct VacationPeriod {
    /// Milliseconds since 1970.
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub from_ms: i64,
    /// The end, milliseconds since 1970.
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub until_ms: i64,
    /// Whether it was used because the player's time in a game ran out.
    pub automatic: bool,
}

impl From<game::Vacation> for VacationPeriod {
    fn from(game::Vacation { from_ms, to_ms, is_automatic }: game::Vacation) -> Self {
        Self { from_ms, until_ms: to_ms, automatic: is_automatic }
    }
}

/// Body of `PUT /api/v1/vacation`: a vacation begins now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct NewVacation {
    pub days: VacationDays,
}

/// Body of `PATCH /api/v1/vacation`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct VacationSettings {
    /// Whether a day is used when the visitor's time in a game runs out.
    pub automatic: bool,
}
