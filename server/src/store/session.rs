use super::TokenHash;
use crate::{game::Player, ids::PlayerId};

/// A signed-in browser.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    pub player: Player,
    /// When it was last used, to the day, in milliseconds since 1970.
    pub used_ms: i64,
}

/// Something that becomes of a player's sessions. One that there is not is no error. Times are milliseconds since 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SessionChange {
    /// The session was used, and its player was here. If it was last used at `ending_ms` or before, it is about to end, and
    /// does so all the same.
    Used { token: TokenHash, player: PlayerId, now_ms: i64, ending_ms: i64 },
    /// The player gets a second session, and the first is about to end: it counts as last used at `ending_ms`, or when it
    /// was, if that is earlier.
    Copied { token: TokenHash, by: TokenHash, player: PlayerId, now_ms: i64, ending_ms: i64 },
    /// All sessions of the player end.
    Ended { player: PlayerId },
}

impl SessionChange {
    /// The player whose row is locked for the change, so that nobody else changes the player's sessions meanwhile.
    pub(super) const fn player(&self) -> PlayerId {
        match self {
            Self::Used { player, .. } | Self::Copied { player, .. } | Self::Ended { player } => *player,
        }
    }

    /// When the player was here, if the change says so.
    pub(super) const fn seen_ms(&self) -> Option<i64> {
        match self {
            Self::Used { now_ms, .. } | Self::Copied { now_ms, .. } => Some(*now_ms),
            Self::Ended { .. } => None,
        }
    }
}
