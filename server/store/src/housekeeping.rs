use game::ids::{GameId, SeekId};

/// Numbers of unfinished games of a player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GameCounts {
    /// Rooms of the player that nobody has joined.
    pub open_rooms: u32,
    /// Games under way and open rooms in real time.
    pub real_time: u32,
    /// All games under way and open rooms.
    pub under_way: u32,
}

/// Maximum number of chat lines and events, of blocks, sessions, reports, notices, seeks and acts, of links, or of mails, that one
/// [`Clearing`] deletes. SQLite takes about 5 ms to delete this many, and the turns in the same transaction wait for it.
pub const CLEARED_ROWS: u32 = 500;

/// A bounded deletion of old rows. A game or a guest with more than [`CLEARED_ROWS`] takes several clearings, the last
/// of which deletes its own row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Clearing {
    /// Deletes games that were cancelled, aborted or [given up](crate::GameRow::was_given_up), with their events, drafts,
    /// chats and reviews, and permanently spares others. All other games are left as they are. The players of a deleted
    /// game are no longer spared.
    Games { deleted: Vec<GameId>, spared: Vec<GameId> },
    /// Examines at most `at_most` players who were last seen before a time, the longest absent first. Deletes the guests
    /// without games, with their sessions and all blocks by and of them, and spares the others until one of their games is
    /// deleted.
    Guests { before_ms: i64, at_most: u32 },
    /// Erases at most `at_most` accounts that were closed before a time: all that is stored about them but their ids, for
    /// their games, and the keys of their names, which nobody else gets.
    Accounts { closed_before_ms: i64, at_most: u32 },
    /// Ends sessions that have not been used since a time.
    Sessions { unused_since_ms: i64 },
    /// Deletes links that do not count any more.
    Links { expired_ms: i64 },
    /// Deletes mails that were asked for at a time or before, whether or not they were sent.
    Mails { created_ms: i64 },
    /// Deletes reports that were settled at a time or before.
    Reports { settled_ms: i64 },
    /// Deletes notices of a time or before.
    Notices { at_ms: i64 },
    /// Deletes those of some seeks whose players were last seen at a time or before.
    Seeks { left: Vec<SeekId>, seen_ms: i64 },
    /// Deletes ceremonies that do not count any more.
    Ceremonies { expired_ms: i64 },
}

/// Result of a [`Clearing`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cleared {
    /// Number of deleted games, guests, accounts, sessions, links, mails, reports, notices, seeks or ceremonies.
    pub deleted: u32,
    /// Whether the clearing reached one of its bounds, so that repeating it may find more.
    pub is_more: bool,
}

impl Cleared {
    /// Result of a clearing that deleted only dependent rows and must be repeated.
    pub(super) const PARTLY: Self = Self { deleted: 0, is_more: true };
}
