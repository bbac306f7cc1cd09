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

/// What a batch of the sweep came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Swept {
    pub looked_at: u32,
    pub deleted: u32,
}

/// Milliseconds for which a player's last use of a session is not noted again.
pub(super) const SEEN_FOR_MS: i64 = 24 * 60 * 60 * 1_000;
