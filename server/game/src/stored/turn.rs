//! Turns in schema 2. Most events are turns, so their form is short.

use std::{borrow::Cow, fmt};

use engine::BySide;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
use smol_str::SmolStr;

use super::is_zero;
use crate::{Event, ids::ActionText};

/// Version of the schema of turns.
pub(super) const SCHEMA: u32 = 2;

/// A turn that was played.
#[derive(Serialize, Deserialize)]
pub(super) struct StoredTurn<'e> {
    v: u32,
    turn: Actions<'e>,
    /// Milliseconds that the turn took.
    ms: i64,
    /// Milliseconds of lag that were forgiven.
    #[serde(default, skip_serializing_if = "is_zero")]
    lag: i64,
    /// Milliseconds left to the first and to the second side; only with a clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    left: Option<[i64; 2]>,
}

impl<'e> StoredTurn<'e> {
    pub(super) fn new(
        actions: &'e [ActionText],
        took_ms: i64,
        lag_ms: i64,
        time: Option<BySide<i64>>,
    ) -> Self {
        let left = time.map(|BySide { first, second }| [first, second]);
        Self { v: SCHEMA, turn: Actions(Cow::Borrowed(actions)), ms: took_ms, lag: lag_ms, left }
    }
}

impl From<StoredTurn<'_>> for Event {
    fn from(StoredTurn { v: _, turn, ms, lag, left }: StoredTurn<'_>) -> Self {
        let time = left.map(|[first, second]| BySide { first, second });
        Self::TurnPlayed { actions: turn.0.into_owned(), took_ms: ms, lag_ms: lag, time }
    }
}

/// Actions in one text, separated by spaces, which no action contains.
struct Actions<'e>(Cow<'e, [ActionText]>);

impl fmt::Display for Actions<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, action) in self.0.iter().enumerate() {
            if index > 0 {
                f.write_str(" ")?;
            }
            f.write_str(action.as_str())?;
        }
        Ok(())
    }
}

impl Serialize for Actions<'_> {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Actions<'_> {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        let text = <Cow<'_, str>>::deserialize(input)?;
        let actions = text.split_terminator(' ').map(|action| SmolStr::new(action).try_into());
        actions.collect::<Result<_, _>>().map(|actions| Self(Cow::Owned(actions))).map_err(D::Error::custom)
    }
}
