//! Conversion between the rows of both databases and the types of the store. [`StoredWord`] defines the words in the
//! columns.

use std::{error::Error, fmt::Display};

use game::{
    MailAddress, Player, StoredWord,
    ids::{CommandId, Hour, PlayerId, PlayerName, Version},
};
use tracing::warn;
use uuid::Uuid;

use super::TokenHash;

/// Defines a struct with a field for each column, read by name from the rows of either database.
macro_rules! row {
    ($(#[$doc:meta])* $name:ident { $($field:ident: $type:ty,)* }) => {
        $(#[$doc])*
        #[derive(Debug)]
        pub(crate) struct $name {
            $(pub(crate) $field: $type,)*
        }

        row!(@from sqlx::sqlite::SqliteRow, $name, $($field)*);
        row!(@from sqlx::postgres::PgRow, $name, $($field)*);
    };
    (@from $row:ty, $name:ident, $($field:ident)*) => {
        impl sqlx::FromRow<'_, $row> for $name {
            fn from_row(row: &$row) -> Result<Self, sqlx::Error> {
                Ok(Self { $($field: sqlx::Row::try_get(row, stringify!($field))?,)* })
            }
        }
    };
}

// The modules below see the macros above.
mod games;
mod mails;
mod moderation;
mod notices;
mod outages;
mod players;
mod seeks;
mod vacations;

pub(crate) use self::{
    games::*, mails::*, moderation::*, notices::*, outages::*, players::*, seeks::*, vacations::*,
};

/// Converts a number of rows.
pub(crate) fn count(rows: i64) -> Result<u32, sqlx::Error> {
    u32::try_from(rows).map_err(invalid)
}

/// Converts all rows, or returns the first error.
pub(crate) fn all<R, T: TryFrom<R, Error = sqlx::Error>>(rows: Vec<R>) -> Result<Vec<T>, sqlx::Error> {
    rows.into_iter().map(T::try_from).collect()
}

/// Converts the rows that this program understands. Those that a newer one has written are left out, so that they take no others
/// from their readers.
pub(crate) fn readable<R, T: TryFrom<R, Error = sqlx::Error>>(rows: Vec<R>) -> Vec<T> {
    let read = |row| {
        let read = T::try_from(row);
        read.inspect_err(|error| warn!(error = error as &dyn Error, "store: a row is left out: {error}")).ok()
    };
    rows.into_iter().filter_map(read).collect()
}

pub(crate) fn version(count: i64) -> Result<Version, sqlx::Error> {
    u32::try_from(count).map(Version::new).map_err(invalid)
}

pub(crate) fn command(text: String) -> Result<CommandId, sqlx::Error> {
    text.try_into().map_err(invalid)
}

fn hour(hour: i32) -> Result<Hour, sqlx::Error> {
    u64::try_from(hour).map_err(invalid)?.try_into().map_err(invalid)
}

fn address(text: String) -> Result<MailAddress, sqlx::Error> {
    MailAddress::try_from(text).map_err(invalid)
}

fn hash(bytes: Option<&[u8]>) -> Result<Option<TokenHash>, sqlx::Error> {
    bytes.map(a_hash).transpose()
}

fn a_hash(bytes: &[u8]) -> Result<TokenHash, sqlx::Error> {
    TokenHash::from_bytes(bytes).ok_or_else(|| invalid("a hash has 32 bytes"))
}

/// Reads a list of names, as `account` has it.
fn names(json: &str) -> Result<Vec<PlayerName>, sqlx::Error> {
    serde_json::from_str(json).map_err(invalid)
}

fn player(id: Uuid, name: String) -> Result<Player, sqlx::Error> {
    Ok(Player { id: PlayerId::new(id), name: PlayerName::try_from(name).map_err(invalid)? })
}

pub(crate) fn word(value: impl StoredWord) -> String {
    value.as_db_str().to_owned()
}

pub(crate) fn from_word<T: StoredWord>(word: &str) -> Result<T, sqlx::Error> {
    T::from_db_str(word).map_err(invalid)
}

pub(crate) fn invalid(error: impl Display) -> sqlx::Error {
    sqlx::Error::Decode(format!("a row that this server does not understand: {error}").into())
}
