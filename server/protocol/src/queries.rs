//! Queries of the HTTP resources.

use std::{fmt::Display, str::FromStr};

use engine::{Ruleset, record::Date};
use game::ids::{ActId, NoticeId, PlayerName};
use serde::{Deserialize, Serialize, Serializer};

use super::Reason;

/// Value that is written as its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String", bound(deserialize = "T: FromStr, T::Err: Display"))]
pub struct Text<T>(pub T);

impl<T: FromStr> TryFrom<String> for Text<T> {
    type Error = T::Err;

    fn try_from(text: String) -> Result<Self, T::Err> {
        text.parse().map(Self)
    }
}

impl<T: Display> Serialize for Text<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

/// Query of `GET /api/v1/rooms`: the page.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Query))]
#[serde(deny_unknown_fields)]
pub struct PageQuery {
    /// `next` of the page before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// Maximum number of games of the page.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", param(value_type = u32, minimum = 1, maximum = 100, default = 20))]
    pub limit: Limit,
}

/// Query of `GET /api/v1/players`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Query))]
#[serde(deny_unknown_fields)]
pub struct PlayerQuery {
    /// Name of an account, in upper or lower case.
    #[cfg_attr(feature = "openapi", param(value_type = String))]
    pub name: PlayerName,
}

/// Query of `GET /api/v1/moderation/reports`: the page.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Query))]
#[serde(deny_unknown_fields)]
pub struct ReportsQuery {
    /// `next` of the page before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
}

/// Query of `GET /api/v1/moderation/audit`: the page.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Query))]
#[serde(deny_unknown_fields)]
pub struct AuditQuery {
    /// `next` of the page before.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", param(value_type = String))]
    pub before: Option<ActId>,
}

/// Query of `GET /api/v1/inbox`: the page.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Query))]
#[serde(deny_unknown_fields)]
pub struct InboxQuery {
    /// `next` of the page before.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", param(value_type = String))]
    pub before: Option<NoticeId>,
    /// Maximum number of notices of the page.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", param(value_type = u32, minimum = 1, maximum = 100, default = 20))]
    pub limit: Limit,
}

/// Maximum number of rows of a page: 1 to 100, by default 20.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(try_from = "u32")]
pub struct Limit(u32);

impl Limit {
    /// The number of rows.
    pub const fn get(self) -> u32 {
        self.0
    }
}

impl Default for Limit {
    fn default() -> Self {
        Self(20)
    }
}

impl TryFrom<u32> for Limit {
    type Error = &'static str;

    fn try_from(limit: u32) -> Result<Self, &'static str> {
        if (1..=100).contains(&limit) { Ok(Self(limit)) } else { Err("expected a limit of 1 to 100") }
    }
}

/// List of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum ListName {
    /// Finished public games.
    Finished,
    /// The visitor's own rooms and games under way.
    Mine,
    /// The visitor's own finished games.
    Played,
}

/// Winner of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Winner {
    First,
    Second,
    Draw,
}

/// Query of `GET /api/v1/games`: the list, filters of its games, and the page. Filters are for `finished`.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Query))]
#[serde(deny_unknown_fields)]
pub struct ListQuery {
    /// List: `finished` has the finished public games, `mine` the own rooms and games under way, `played` the own finished
    /// games. A session is needed for the last two.
    #[cfg_attr(feature = "openapi", param(inline))]
    pub list: ListName,
    /// `next` of the page before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// Maximum number of games of the page.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", param(value_type = u32, minimum = 1, maximum = 100, default = 20))]
    pub limit: Limit,
    /// Name of one of the players: the account that has or had it, or else the newest guest of that name.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", param(value_type = Option<String>))]
    pub player: Option<PlayerName>,
    /// Ruleset of the games.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", param(inline, value_type = Option<crate::schema::Ruleset>))]
    pub ruleset: Option<Text<Ruleset>>,
    /// Winner of the games.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", param(inline))]
    pub result: Option<Winner>,
    /// Reason for the end of the games.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", param(inline))]
    pub reason: Option<Reason>,
    /// First day in UTC on which the games ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", param(value_type = Option<String>, format = Date))]
    pub since: Option<Text<Date>>,
    /// Last day in UTC on which the games ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", param(value_type = Option<String>, format = Date))]
    pub until: Option<Text<Date>>,
}

/// Colours of a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum PictureTheme {
    #[default]
    Light,
    Dark,
}

/// Shape of a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum PictureShape {
    /// 1200 × 630 pixels, for previews of links.
    #[default]
    Card,
    /// 800 × 800 pixels.
    Square,
}

/// Query of the pictures of a puzzle.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Query))]
#[serde(deny_unknown_fields)]
pub struct PictureQuery {
    /// Colours of the picture.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", param(inline))]
    pub theme: PictureTheme,
    /// Shape of the picture.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", param(inline))]
    pub shape: PictureShape,
}

/// Query of the pictures of a game.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Query))]
#[serde(deny_unknown_fields)]
pub struct GamePictureQuery {
    /// Number of the turn whose end is drawn: of a skipped turn the one before it, and 0 for the start. By default the
    /// last turn that a spectator may see.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn: Option<u16>,
    /// Colours of the picture.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", param(inline))]
    pub theme: PictureTheme,
    /// Shape of the picture.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", param(inline))]
    pub shape: PictureShape,
}

/// Query of the pictures of a position.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Query))]
#[serde(deny_unknown_fields)]
pub struct PositionPictureQuery {
    /// Ruleset of the position.
    #[cfg_attr(feature = "openapi", param(inline, value_type = crate::schema::Ruleset))]
    pub ruleset: Text<Ruleset>,
    /// Text of a position that a game can start from (RULES 0.9), at most 512 bytes.
    pub position: String,
    /// Colours of the picture.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", param(inline))]
    pub theme: PictureTheme,
    /// Shape of the picture.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", param(inline))]
    pub shape: PictureShape,
}

/// Query of the animation of a game.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Query))]
#[serde(deny_unknown_fields)]
pub struct AnimationQuery {
    /// Colours of the animation.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", param(inline))]
    pub theme: PictureTheme,
}
