//! Seeks: games that players look for without being present.

use engine::Ruleset;
use game::ids::SeekId;
use serde::{Deserialize, Serialize};

use super::{ClockRule, GameSummary, Player};

/// Body of `POST /api/v1/seeks`.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct NewSeek {
    #[cfg_attr(feature = "ts", ts(type = "Ruleset"))]
    #[cfg_attr(feature = "openapi", schema(value_type = crate::schema::Ruleset))]
    pub ruleset: Ruleset,
    /// Any but a `real_time` clock, for which both players have to be present.
    #[cfg_attr(feature = "ts", ts(type = "ClockRule"))]
    #[cfg_attr(feature = "openapi", schema(value_type = ClockRule))]
    pub clock: SlowClock,
    /// Number of games, 1 to 5.
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    #[cfg_attr(feature = "openapi", schema(value_type = u32, minimum = 1, maximum = 5))]
    pub games: WantedGames,
}

/// A clock of a game whose players need not be present.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(try_from = "ClockRule", into = "ClockRule")]
pub struct SlowClock(ClockRule);

impl TryFrom<ClockRule> for SlowClock {
    type Error = &'static str;

    fn try_from(clock: ClockRule) -> Result<Self, &'static str> {
        match clock {
            ClockRule::RealTime(_) => {
                Err("expected another clock than `real_time`: seek such games over the socket")
            }
            slow => Ok(Self(slow)),
        }
    }
}

impl From<SlowClock> for ClockRule {
    fn from(SlowClock(clock): SlowClock) -> Self {
        clock
    }
}

/// Number of games that a seek wants, 1 to 5.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(try_from = "u32", into = "u32")]
pub struct WantedGames(u32);

impl TryFrom<u32> for WantedGames {
    type Error = &'static str;

    fn try_from(games: u32) -> Result<Self, &'static str> {
        if (1..=5).contains(&games) { Ok(Self(games)) } else { Err("expected 1 to 5 games") }
    }
}

impl From<WantedGames> for u32 {
    fn from(WantedGames(games): WantedGames) -> Self {
        games
    }
}

/// A seek: a player wants games of a ruleset with a clock, present or not.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Seek {
    pub id: SeekId,
    pub player: Player,
    #[cfg_attr(feature = "ts", ts(type = "Ruleset"))]
    #[cfg_attr(feature = "openapi", schema(value_type = crate::schema::Ruleset))]
    pub ruleset: Ruleset,
    pub clock: ClockRule,
    /// Number of games that it still wants, 1 to 5.
    pub games: u32,
    /// Time at which it was posted, milliseconds since 1970.
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub created_ms: i64,
}

/// Response to `POST /api/v1/seeks`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PostedSeek {
    /// Null if all its games began at once.
    pub seek: Option<Seek>,
    /// The games that began at once with players who sought the same.
    pub games: Vec<GameSummary>,
}

/// Response to `GET /api/v1/seeks`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Seeks {
    /// Those of the visitor, the oldest first; at most 10.
    pub own: Vec<Seek>,
    /// The newest ones of others with whom the visitor may play, at most 100.
    pub open: Vec<Seek>,
}
