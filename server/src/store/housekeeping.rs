use crate::ids::GameId;

/// Games that a player has now.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GameCounts {
    /// Rooms of the player that nobody has joined.
    pub open_rooms: u32,
    /// Games under way and open rooms with a clock for all turns.
    pub real_time: u32,
    /// All games under way and open rooms.
    pub under_way: u32,
}

/// Maximum number of chat lines and events, or of blocks and sessions, that one [`Clearing`] deletes. SQLite takes about 5 ms
/// for as many, and the turns of the same transaction wait meanwhile.
pub const CLEARED_ROWS: u32 = 500;

/// A bounded part of what is deleted by and by. A game or a guest with more than [`CLEARED_ROWS`] is deleted by several: its
/// own row goes with the last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Clearing {
    /// Deletes cancelled or aborted games with their events, drafts and chats, and spares others for good. Games of any other
    /// status are left as they are.
    Games { deleted: Vec<GameId>, spared: Vec<GameId> },
    /// Looks at players who were last seen before a time, at most so many, the longest absent first: deletes those without
    /// games, with their sessions and all blocks by and of them, and spares the others for good.
    Guests { before_ms: i64, at_most: u32 },
    /// Ends sessions that were not used since a time.
    Sessions { unused_since_ms: i64 },
}

/// What a [`Clearing`] came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cleared {
    /// Games, guests or sessions that are gone.
    pub deleted: u32,
    /// Whether it reached one of its bounds, so that the same clearing may find more.
    pub is_more: bool,
}

impl Cleared {
    /// Nothing is gone yet: of what belongs to it is more left than one clearing deletes.
    pub(super) const PARTLY: Self = Self { deleted: 0, is_more: true };
}
