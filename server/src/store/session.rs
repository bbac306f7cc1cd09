use super::TokenHash;
use crate::protocol::Player;

/// A signed-in browser.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    pub player: Player,
    /// When it was last used, to the day, in milliseconds since 1970.
    pub used_ms: i64,
}

/// Something that becomes of sessions. One that there is not is no error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SessionChange {
    /// Those that were not used since then end, at most so many.
    Expired { unused_since_ms: i64, at_most: u32 },
    /// It was used at this time, in milliseconds since 1970.
    Used { token: TokenHash, now_ms: i64 },
    /// It goes on under another token alone.
    Replaced { token: TokenHash, by: TokenHash },
    /// It ends.
    Ended { token: TokenHash },
}
