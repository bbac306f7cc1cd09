use std::fmt;

use game::{Player, ids::PlayerId};
use sha2::{Digest, Sha256};

/// A signed-in browser.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    pub player: Player,
    /// Time of last use, to the day, in milliseconds since 1970.
    pub used_ms: i64,
}

/// A change of a player's sessions. A missing session is not an error. Times are milliseconds since 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SessionChange {
    /// The session was used, and its player was seen. A session that was last used at `ending_ms` or before is about to
    /// end, and its time of last use is not updated.
    Used { token: TokenHash, player: PlayerId, now_ms: i64, ending_ms: i64 },
    /// The player gets a second session, and the first is about to end: its time of last use becomes `ending_ms`,
    /// unless it is earlier.
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

    /// Time at which the player was seen, if the change is a sign of presence.
    pub(super) const fn seen_ms(&self) -> Option<i64> {
        match self {
            Self::Used { now_ms, .. } | Self::Copied { now_ms, .. } => Some(*now_ms),
            Self::Ended { .. } => None,
        }
    }
}

/// SHA-256 hash of a session's token. Only the browser has the token itself.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct TokenHash([u8; 32]);

impl TokenHash {
    pub fn of(token: &[u8]) -> Self {
        Self(Sha256::digest(token).into())
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Debug for TokenHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TokenHash(…)")
    }
}
