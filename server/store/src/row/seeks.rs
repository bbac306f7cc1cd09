//! Rows of seeks.

use game::{
    clock_from_db,
    ids::{PlayerId, SeekId},
};
use uuid::Uuid;

use super::{count, from_word, invalid};
use crate::Seek;

row! {
    /// A row of `seek`.
    SeekRow {
        id: Uuid,
        player: Uuid,
        ruleset: String,
        clock: String,
        wanted: i64,
        created_ms: i64,
    }
}

impl TryFrom<SeekRow> for Seek {
    type Error = sqlx::Error;

    fn try_from(row: SeekRow) -> Result<Self, sqlx::Error> {
        Ok(Self {
            id: SeekId::new(row.id),
            player: PlayerId::new(row.player),
            ruleset: from_word(&row.ruleset)?,
            clock: clock_from_db(&row.clock).map_err(invalid)?,
            wanted: count(row.wanted)?,
            created_ms: row.created_ms,
        })
    }
}
