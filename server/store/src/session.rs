use std::fmt;

use game::{
    Player, PlayerKind,
    ids::{PasskeyId, PlayerId, SessionId},
};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use uuid::Uuid;

/// A signed-in browser.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    pub id: SessionId,
    pub player: Player,
    pub kind: PlayerKind,
    /// Time of last use, to the day, in milliseconds since 1970.
    pub used_ms: i64,
    /// Time at which the player last proved to be the account's, in milliseconds since 1970.
    pub proved_ms: Option<i64>,
}

/// A session as its player sees it. Times are milliseconds since 1970.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnSession {
    pub id: SessionId,
    /// Coarse description of the browser.
    pub label: Option<String>,
    pub created_ms: i64,
    /// Time of last use, to the day.
    pub used_ms: i64,
}

/// Some sessions of a player, which end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EndedSessions {
    All,
    AllBut(SessionId),
    One(SessionId),
}

impl EndedSessions {
    /// Whether a session is one of these.
    pub fn include(self, session: SessionId) -> bool {
        match self {
            Self::All => true,
            Self::AllBut(kept) => kept != session,
            Self::One(ended) => ended == session,
        }
    }
}

/// A change of a player's sessions. A missing session is not an error. Times are milliseconds since 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SessionChange {
    /// The session was used, and its player was seen. A session that was last used at `ending_ms` or before is about to
    /// end, and its time of last use is not updated.
    Used { token: TokenHash, player: PlayerId, now_ms: i64, ending_ms: i64 },
    /// The guest gets a second session, and the first is about to end: its time of last use becomes `ending_ms`, unless it
    /// is earlier.
    Copied { token: TokenHash, by: TokenHash, player: PlayerId, now_ms: i64, ending_ms: i64 },
    /// The player has proved to be the account's.
    Proved { token: TokenHash, player: PlayerId, now_ms: i64 },
    /// Sessions of the player end.
    Ended { player: PlayerId, ended: EndedSessions },
}

impl SessionChange {
    /// The player whose row is locked for the change, so that nobody else changes the player's sessions meanwhile.
    pub(super) const fn player(&self) -> PlayerId {
        match self {
            Self::Used { player, .. }
            | Self::Copied { player, .. }
            | Self::Proved { player, .. }
            | Self::Ended { player, .. } => *player,
        }
    }

    /// Time at which the player was seen, if the change is a sign of presence.
    pub(super) const fn seen_ms(&self) -> Option<i64> {
        match self {
            Self::Used { now_ms, .. } | Self::Copied { now_ms, .. } | Self::Proved { now_ms, .. } => {
                Some(*now_ms)
            }
            Self::Ended { .. } => None,
        }
    }
}

/// SHA-256 hash of a secret, as of a session's token. Only the browser or the player has the secret itself.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TokenHash([u8; 32]);

impl TokenHash {
    pub fn of(token: &[u8]) -> Self {
        Self(Sha256::digest(token).into())
    }

    /// The id of a session that begins with this token. It tells nothing about the token.
    pub const fn session(&self) -> SessionId {
        SessionId::new(self.id())
    }

    /// The id of the passkey with this id of its authenticator.
    pub const fn passkey(&self) -> PasskeyId {
        PasskeyId::new(self.id())
    }

    const fn id(&self) -> Uuid {
        let (id, _) = self.0.split_first_chunk().expect("a hash is longer than an id");
        Uuid::from_bytes(*id)
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// Returns the hash with these bytes; `None` if they are not as many.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        bytes.try_into().ok().map(Self)
    }
}

impl fmt::Debug for TokenHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TokenHash(…)")
    }
}
