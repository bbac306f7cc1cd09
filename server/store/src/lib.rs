//! Persistent storage: the logs of games with their drafts, chats and reviews, the rows of the lists, players with their
//! sessions, accounts and blocks, reports and acts of moderators, and outages.
//!
//! An event is an opaque text with a game and a version. SQLite and PostgreSQL implement the same trait [`Store`]. All
//! writes of a node go through one [`Writer`], which groups commits.

mod account;
mod accounts;
mod block;
mod challenge;
mod chat;
mod conditional;
mod error;
mod game_row;
mod games;
mod head;
mod housekeeping;
#[cfg(any(feature = "memory", fuzzing))]
mod in_memory;
mod inbox;
mod link;
mod list;
mod log;
mod mail;
pub mod metrics;
mod moderation;
mod nodes;
mod outage;
mod outbox;
mod page;
mod passkey;
mod people;
mod plan;
#[cfg(test)]
mod plans;
mod players;
mod postgres;
mod push;
mod review;
mod row;
mod seek;
mod session;
mod sql;
mod sqlite;
mod tables;
mod vacation;
mod wait;
mod write;
mod writer;
mod writes;

use std::{path::Path, sync::Arc};

use async_trait::async_trait;

#[cfg(any(feature = "memory", fuzzing))]
pub use self::in_memory::{Failure, Memory};
pub use self::wait::WriterLoad;
pub use self::{
    account::{
        Account, AccountChange, AccountMail, Credentials, FirstCredential, MAX_FORMER_NAMES, MAX_SESSIONS,
        NamedAccount, Notice, Proof, RecoveryProof, SignIn,
    },
    block::{CannotBlock, MAX_BLOCKS},
    challenge::{CHALLENGES_A_DAY, CHALLENGES_A_DAY_TO_ONE, MAX_CHALLENGES, MAX_CHALLENGES_TO},
    chat::{Audience, CHAT_LINES, ChatLine, ChatRow},
    conditional::{ConditionalRow, MAX_CONDITIONAL},
    error::{Conflict, StoreError, WriteError, is_damage},
    game_row::{ABORTED_KEPT_MS, GIVEN_UP_KEPT_MS, GameRow, PLAYED_TURNS},
    games::Games,
    head::{Head, LastChange},
    housekeeping::{CLEARED_ROWS, Cleared, Clearing, GameCounts},
    inbox::{InboxNotice, MAX_NOTICES, NOTICES_KEPT_MS, NewNotice},
    link::{Link, LinkOf, Purpose},
    list::{Cursor, GameFilter, GameResult, InvalidCursor, List, Page, Paging},
    log::{Append, Condition, DraftIs, DraftRow, LOG_PAGE, Log, LogPage, StoredEvent, TurnEvent, read_pages},
    mail::{
        DueMail, Errand, MAILS_A_DAY, MAILS_A_DAY_TO_ADDRESS, MAILS_KEPT_MS, MAX_MAILS_WAITING, Mail,
        MailChange, OwnMail,
    },
    moderation::{
        ACTS_AN_HOUR, ACTS_COUNT_MS, Act, ActKind, Decision, Moderation, ModerationChange,
        NEUTRAL_NAME_KEPT_MS, NewAct, NewReport, REPORTED_LINES, REPORTS_A_DAY, REPORTS_COUNT_MS, Report,
        ReportCursor, ReportedChat, ReportedLine, SETTLED_KEPT_MS,
    },
    nodes::Nodes,
    outage::Outage,
    outbox::{DueMessage, NoticeMail, OutboxChange, OutboxKey, TURN_TOLD_AFTER_MS, warnings_ms},
    passkey::{Ceremony, CeremonyStep, MAX_CEREMONIES, MAX_PASSKEYS, Passkey, UsedPasskey},
    players::Players,
    push::{
        MAX_PUSHES, OwnPush, PUSH_FAILURES, PUSH_KEY, PUSH_REFUSAL, PushChange, PushKeys, PushSubscription,
    },
    review::{MAX_REVIEW, ReviewRow},
    seek::{GameLimits, MAX_SEEKS, SEEKS_KEPT_MS, Seek, SeekChange, Seeks},
    session::{EndedSessions, OwnSession, Session, SessionChange, TokenHash},
    vacation::{VacationChange, VacationStep},
    write::{Refused, Write, Written},
    writer::{Committed, Writer, writer},
};

/// A database.
///
/// Every call is bounded in time. A call that fails can be retried, since lost connections are reopened.
#[async_trait]
pub trait Store: Games + Players + Seeks + Moderation + Nodes {
    /// Writes all in one transaction, and returns the result of each, in order.
    ///
    /// An append is in conflict unless its first version directly follows the game's version. So the caller knows all
    /// earlier events, and that none of them has the same command. A draft is in conflict unless its version lies
    /// between that of the last append with [`DraftIs::Gone`] and the game's version. Each write sees the effects of
    /// those before it. A write in conflict changes nothing and does not affect the others.
    ///
    /// After an error it is unknown whether the writes were stored. If the error [is a
    /// refusal](StoreError::is_refusal) or [an abort](StoreError::is_abort), none was stored.
    async fn commit(&self, writes: &[Write]) -> Result<Vec<Result<Written, Refused>>, StoreError>;
}

/// Opens the database of a URL, `sqlite://FILE` or `postgres://…`, and applies missing migrations. Creates an SQLite
/// file if there is none, and locks it until the store is closed.
///
/// # Errors
/// [`StoreError::FileInUse`] if another process has locked the file; [`StoreError::NewTables`] or
/// [`StoreError::OtherTables`] if the tables are not those of this program; [`StoreError::ServersRun`] if migrations are
/// missing and a server is running; any other error if the database cannot be opened.
pub async fn open(url: &str) -> Result<Arc<dyn Store>, StoreError> {
    match url.split_once(':').map(|(scheme, _)| scheme) {
        Some("sqlite") => Ok(Arc::new(sqlite::Sqlite::open(url).await?)),
        Some("postgres" | "postgresql") => Ok(Arc::new(postgres::Postgres::open(url).await?)),
        Some(_) | None => Err(StoreError::Url),
    }
}

/// Opens a database to read it. Creates and changes nothing. A server may be running on the database.
///
/// # Errors
/// [`StoreError::NoTables`], [`StoreError::OldTables`], [`StoreError::NewTables`] or [`StoreError::OtherTables`] if the
/// tables are not those of this program; any other error if the database cannot be opened.
pub async fn open_to_read(url: &str) -> Result<Arc<dyn Store>, StoreError> {
    match url.split_once(':').map(|(scheme, _)| scheme) {
        Some("sqlite") => Ok(Arc::new(sqlite::Sqlite::open_to_read(url).await?)),
        Some("postgres" | "postgresql") => Ok(Arc::new(postgres::Postgres::open_to_read(url).await?)),
        Some(_) | None => Err(StoreError::Url),
    }
}

/// Opens a database whose tables are up to date, to change accounts alone. Servers may be running on it: they do not learn of
/// the change before they read what it concerns.
///
/// # Errors
/// As [`open_to_read`].
pub async fn open_beside_servers(url: &str) -> Result<Arc<dyn Store>, StoreError> {
    match url.split_once(':').map(|(scheme, _)| scheme) {
        Some("sqlite") => Ok(Arc::new(sqlite::Sqlite::open_beside_servers(url).await?)),
        Some("postgres" | "postgresql") => Ok(Arc::new(postgres::Postgres::open_beside_servers(url).await?)),
        Some(_) | None => Err(StoreError::Url),
    }
}

/// Verifies that no server and no `towers migrate` has an SQLite file open.
///
/// # Errors
/// [`StoreError::FileInUse`], or [`StoreError::File`] if the lock cannot be tested.
pub fn refuse_if_in_use(file: &Path) -> Result<(), StoreError> {
    sqlite::refuse_if_in_use(file)
}
