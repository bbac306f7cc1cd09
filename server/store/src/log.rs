use std::{fmt, future::Future};

use game::ids::{CommandId, GameId, PlayerId, SeekId, Version};
use serde::{Deserialize, Serialize};

use crate::{GameRow, Games, NewNotice, StoreError};

/// One event of a game's log.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredEvent {
    pub version: Version,
    /// Milliseconds since 1970.
    pub at_ms: i64,
    /// Id of the command that caused the event. Only the first of the events of a command has it.
    pub command: Option<CommandId>,
    /// Stored byte for byte. Must not contain NUL, which PostgreSQL's `text` cannot hold.
    pub body: String,
}

/// Omits the body, which may contain a secret of the game.
impl fmt::Debug for StoredEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StoredEvent")
            .field("version", &self.version)
            .field("at_ms", &self.at_ms)
            .field("command", &self.command)
            .finish_non_exhaustive()
    }
}

/// An event of the turn under way in a game.
#[derive(Clone, PartialEq, Eq)]
pub struct TurnEvent {
    pub game: GameId,
    /// Milliseconds since 1970.
    pub at_ms: i64,
    pub body: String,
}

/// Omits the body, which may contain a secret of the game.
impl fmt::Debug for TurnEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TurnEvent")
            .field("game", &self.game)
            .field("at_ms", &self.at_ms)
            .finish_non_exhaustive()
    }
}

/// Events that are stored atomically, with the game's row after them.
#[derive(Clone, Debug)]
pub struct Append {
    events: Vec<StoredEvent>,
    row: GameRow,
    /// Time of the game's last change before the events, milliseconds since 1970; `None` if any will do.
    pub(crate) after_ms: Option<i64>,
    pub(crate) draft_is: DraftIs,
    pub(crate) condition: Option<Condition>,
    pub(crate) takes_back: bool,
    /// The notices to players about the events.
    pub(crate) notices: Vec<NewNotice>,
}

/// A condition of an [`Append`], decided in the transaction that stores it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// The maker of the room has fewer open rooms than this, challenges aside.
    OpenRoomsBelow(u32),
    /// Neither of the players has blocked the other.
    NotBlocked(PlayerId, PlayerId),
    /// The maker of the room may challenge its player: neither has blocked the other, and the limits on challenges allow
    /// one more.
    MayChallenge,
    /// A seek, or two of them, want this game, and neither of its players has blocked the other. Each then wants one game
    /// less.
    Sought { seek: SeekId, other: Option<SeekId> },
}

/// Effect of an [`Append`] on the game's draft.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DraftIs {
    /// The turn under way continues, as after an offer.
    Kept,
    /// Another turn is under way, or none.
    Gone,
}

impl Append {
    /// # Panics
    /// If there is no event, the versions are not consecutive, the row's version is not that of the last event, a
    /// command id occurs twice or a body contains NUL. All of these are bugs of the caller.
    pub fn new(events: Vec<StoredEvent>, row: GameRow, draft_is: DraftIs) -> Self {
        let last = events.last().expect("an append has an event").version;
        assert_eq!(last, row.version, "the row has the version of the last event");
        assert!(events[0].version > Version::NONE, "versions count from 1");
        assert!(
            events.windows(2).all(|pair| pair[0].version.next() == pair[1].version),
            "versions are consecutive"
        );
        let commands: Vec<_> = events.iter().filter_map(|event| event.command.as_ref()).collect();
        assert!(
            commands.iter().enumerate().all(|(i, command)| !commands[..i].contains(command)),
            "a command id occurs once"
        );
        assert!(events.iter().all(|event| !event.body.contains('\0')), "a body contains no NUL");
        Self {
            events,
            row,
            after_ms: None,
            draft_is,
            condition: None,
            takes_back: false,
            notices: Vec::new(),
        }
    }

    /// Returns the append for a game that was last changed at a time. With another history of as many events it is in
    /// conflict.
    #[must_use]
    pub fn after(self, at_ms: i64) -> Self {
        Self { after_ms: Some(at_ms), ..self }
    }

    /// Returns the append with notices to players.
    #[must_use]
    pub fn telling(self, notices: Vec<NewNotice>) -> Self {
        Self { notices, ..self }
    }

    /// Returns the append with a condition, without which it is refused.
    #[must_use]
    pub fn provided(self, condition: Condition) -> Self {
        Self { condition: Some(condition), ..self }
    }

    /// Returns the append of events by which turns are taken back. The conditional turns of both sides go with them, or one
    /// of them would be played again.
    #[must_use]
    pub fn taking_back(self) -> Self {
        Self { takes_back: true, ..self }
    }

    pub fn game(&self) -> GameId {
        self.row.id
    }

    /// The events, at least one, with consecutive versions.
    pub fn events(&self) -> &[StoredEvent] {
        &self.events
    }

    /// The game's row after the events.
    pub fn row(&self) -> &GameRow {
        &self.row
    }

    pub(crate) fn first(&self) -> Version {
        self.events[0].version
    }

    pub(crate) fn begins_a_game(&self) -> bool {
        self.first() == Version::NONE.next()
    }
}

/// The latest draft of a game's turn under way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DraftRow {
    pub game: GameId,
    /// The version of the game on which the draft builds. It may be an earlier version of the same turn.
    pub version: Version,
    /// Stored byte for byte. Must not contain NUL.
    pub body: String,
}

/// Number of events in a page of a log.
pub const LOG_PAGE: u32 = 512;

/// Events of a game, and its draft.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Log {
    /// The events in the order of their versions, without gaps.
    pub events: Vec<StoredEvent>,
    pub draft: Option<DraftRow>,
}

/// A part of a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogPage {
    pub log: Log,
    /// Whether the page reached the end of the log when it was read.
    pub is_last: bool,
}

/// Reads the events of a game after a version, and its draft; `None` if there is no such game. Awaits `enter` before
/// each page, and holds its result while the page is read.
///
/// # Errors
/// The store cannot be read.
pub async fn read_pages<S, E, G>(
    store: &S,
    game: GameId,
    after: Version,
    enter: E,
) -> Result<Option<Log>, StoreError>
where
    S: Games + ?Sized,
    E: Fn() -> G + Sync,
    G: Future + Send,
    G::Output: Send,
{
    let mut read = Log { events: Vec::new(), draft: None };
    loop {
        let end = read.events.last().map_or(after, |event| event.version);
        let page = {
            let _entered = enter().await;
            store.log_page(game, end, LOG_PAGE).await?
        };
        let Some(LogPage { log, is_last }) = page else { return Ok(None) };
        read.events.extend(log.events);
        read.draft = log.draft;
        if is_last {
            return Ok(Some(read));
        }
    }
}
